"""A principal variation as text."""

from functools import reduce

from engine.result import Snapshot
from engine.rules.contract import Game, Position, at_chance, is_over, play

GOES_ON = " …"


def line_in_words(game: Game, position: Position, info: Snapshot) -> str:
    """The names of the moves of a search's principal variation from a position, with an ellipsis where it goes on."""
    names = " ".join(map(game.notation.move_name, info.pv))
    return f"{names}{GOES_ON}" if goes_on(position, info) else names


def goes_on(position: Position, info: Snapshot) -> bool:
    """Whether the search has looked farther ahead than its line: a kernel returns nine moves, and a position in the
    table has none. A line ends at a chance node."""
    if not info.pv or info.value_depth is None or len(info.pv) >= info.value_depth:
        return False
    last = reduce(play, info.pv, position)
    return not is_over(last) and not at_chance(last)
