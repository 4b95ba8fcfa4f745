"""The tidy drawing of a small tree: a row a ply, each node centred above its children, subtrees as close as can be.

The moves of a node without a row, if it has any, have one place together, right of its children.

Source: E. Reingold, J. Tilford, Tidier drawings of trees, IEEE Transactions on Software Engineering 7 (1981).
"""

from typing import NamedTuple

from engine.messages import message
from engine.trace.record import Trace

SMALL = 2_000
"""The nodes of the greatest tree that is drawn so, or written in a format for small ones."""


class TidyTree(NamedTuple):
    """Places from left to right in widths of a node; the leftmost is at 0."""

    top: int
    """The row at the top."""
    x: dict[int, float]
    """The place of each row."""
    stubs: dict[int, float]
    """The place of the moves without a row, by the row of their node; a ply below it."""
    width: float
    """The place of the rightmost."""
    plies: int
    """The number of plies below the top."""


class _Subtree(NamedTuple):
    """Places relative to its root; the leftmost and the rightmost of each ply, from its root down."""

    offsets: list[float]
    left: list[float]
    right: list[float]


_LEAF = _Subtree([], [0.0], [0.0])


def around(trace: Trace, row: int) -> int:
    """The top of the largest subtree with `row` in it that is not larger than SMALL; below a row that is larger
    itself, of the first one."""
    path = trace.path(row)
    while trace.end(path[-1]) - path[-1] > SMALL:
        path.append(path[-1] + 1)
    return next(step for step in path if trace.end(step) - step <= SMALL)


def tidy_tree(trace: Trace, top: int) -> TidyTree:
    """The drawing of the subtree at a row. Raises ValueError if it is larger than SMALL."""
    end = trace.end(top)
    if end - top > SMALL:
        places = {"nodes": f"{end - top:,}", "most": f"{SMALL:,}"}
        raise ValueError(
            message(
                "This tree has {nodes} nodes, and the picture has room for {most}: choose a smaller subtree.", **places
            )
        )
    below = {row: trace.children(row) for row in range(top, end)}
    has_stub = {row: bool(trace.unsearched.moves[row]) for row in range(top, end)}
    made: dict[int, _Subtree] = {}
    for row in reversed(range(top, end)):
        parts = [made[child] for child in below[row]] + [_LEAF] * has_stub[row]
        made[row] = _beside(parts) if parts else _LEAF
    leftmost = min(made[top].left)
    x, stubs = {top: -leftmost}, dict[int, float]()
    for row in range(top, end):
        offsets = made[row].offsets
        for child, offset in zip(below[row], offsets, strict=False):
            x[child] = x[row] + offset
        if has_stub[row]:
            stubs[row] = x[row] + offsets[-1]
    return TidyTree(top, x, stubs, max(made[top].right) - leftmost, len(made[top].left) - 1)


def _beside(parts: list[_Subtree]) -> _Subtree:
    """Subtrees below one node, each as far left as the ones before it allow."""
    places: list[float] = []
    left: list[float] = []
    right: list[float] = []
    for part in parts:
        place = max((edge + 1 - own for edge, own in zip(right, part.left, strict=False)), default=0.0)
        places.append(place)
        left += [place + edge for edge in part.left[len(left) :]]
        right = [place + edge for edge in part.right] + right[len(part.right) :]
    middle = (places[0] + places[-1]) / 2
    return _Subtree(
        [place - middle for place in places],
        [0.0, *(edge - middle for edge in left)],
        [0.0, *(edge - middle for edge in right)],
    )
