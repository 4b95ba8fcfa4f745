"""Which boards of a row of the path are seen where not all have room."""

from functools import lru_cache

Seen = tuple[range, ...]
"""The places of a row: the index of one board, or those of several boards that are left out."""


@lru_cache(maxsize=1024)
def shown(count: int, focus: int | None, capacity: int, asked: int | None = None) -> Seen:
    """What stands in the places of a row of `count` boards with space for `capacity`: those around the one that was
    asked for and `focus`, or around `focus`. At least one is shown."""
    middle = asked if asked is not None else focus or 0
    low = high = middle
    keep = {middle, middle if focus is None else focus}
    if len(_places(count, keep)) > capacity:
        keep = {middle}
    grows = True
    while grows:
        grows = False
        for index in (low - 1, high + 1):
            if 0 <= index < count and len(_places(count, keep | {index})) <= capacity:
                keep.add(index)
                low, high, grows = min(low, index), max(high, index), True
    return _places(count, keep)


def _places(count: int, keep: set[int]) -> Seen:
    """A place for each board of `keep`, and one for each run of others between them."""
    places, start = list[range](), 0
    for index in sorted(keep):
        places += [range(start, index)] * (start < index) + [range(index, index + 1)]
        start = index + 1
    return (*places, *[range(start, count)] * (start < count))


def place_of(seen: Seen, index: int | None) -> int | None:
    """The place of a board; None where it is left out."""
    return next((place for place, boards in enumerate(seen) if len(boards) == 1 and boards[0] == index), None)
