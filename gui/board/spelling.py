"""Squares by their typed names: a key begins a name, continues it, or begins another."""

from engine.rules.contract import Game, Position, is_over, legal


def names(game: Game, position: Position) -> dict[str, int]:
    """The squares by their names. Where a move is made by choosing a column, the column's letter and number lead to the
    square of its move."""
    view = game.view
    moves = 0 if is_over(position) else legal(position)
    found = {view.square_name(square).lower(): square for square in range(len(view.squares))}
    for number, name in enumerate(view.column_names):
        made = {view.move_at(moves, square) for square in view.by_column[number]}
        move = made.pop()
        if not made and move is not None and (square := view.square_of(move)) is not None:
            found |= {name: square, str(number + 1): square}
    return found


def spelt(typed: str, text: str, names: dict[str, int]) -> str:
    """The typed text continued by `text`, or `text` alone as the beginning of a name; empty where no name begins so."""
    starts = (typed + text.lower(), text.lower()) if text else ()
    return next((start for start in starts if any(name.startswith(start) for name in names)), "")
