"""A principal variation as text."""

from functools import reduce

from engine.rules.contract import Game, Position, at_chance, is_over, play

GOES_ON = " …"


def line_in_words(game: Game, position: Position, line: tuple[int, ...], depth: int | None) -> str:
    """The names of the moves of a principal variation from a position, with an ellipsis where it goes on. `depth`: see
    `goes_on`."""
    names = " ".join(map(game.notation.move_name, line))
    return f"{names}{GOES_ON}" if goes_on(position, line, depth) else names


def goes_on(position: Position, line: tuple[int, ...], depth: int | None) -> bool:
    """Whether a search has looked farther ahead than its line: a kernel returns nine moves, and a position in the table
    has none. A line ends at a chance node. `depth` is that of the search in plies; None if it is not known."""
    if not line or depth is None or len(line) >= depth:
        return False
    last = reduce(play, line, position)
    return not is_over(last) and not at_chance(last)
