"""Squares by what is typed on a board: a name is begun, gone on with, or begun anew."""

from engine.rules.contract import Game, Position, is_over, legal


def names(game: Game, position: Position) -> dict[str, int]:
    """The squares by their names; where any click in a column makes one move, the column's letter and number lead to
    where that goes."""
    view = game.view
    squares, moves = range(len(view.squares)), 0 if is_over(position) else legal(position)
    found = {view.square_name(square).lower(): square for square in squares}
    for number, name in enumerate(view.column_names):
        made = {view.move_at(moves, square) for square in squares if view.column_of(square) == number}
        move = made.pop()
        if not made and move is not None and (square := view.square_of(move)) is not None:
            found |= {name: square, str(number + 1): square}
    return found


def spelt(typed: str, text: str, names: dict[str, int]) -> str:
    """How a name goes on with `text` after what was typed, or begins with it; empty where none does."""
    starts = (typed + text.lower(), text.lower()) if text else ()
    return next((start for start in starts if any(name.startswith(start) for name in names)), "")
