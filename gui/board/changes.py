"""What is on a board in a position, and what a move changes there."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.rules.board_view import BoardView, Line, Region
from engine.rules.contract import Game, Position, play


class Still(NamedTuple):
    """What is seen of a position alone."""

    cells: tuple[int | None, ...]
    """Whose mark is on each square."""
    winning: tuple[int, ...]
    """The squares of every completed line."""
    strokes: tuple[Line, ...]
    """The lines through them."""
    regions: tuple[Region, ...]


class Change(NamedTuple):
    """What a move did to a square."""

    square: int
    before: int | None
    """Whose mark was there."""


@lru_cache(maxsize=16)
def still(game: Game, position: Position) -> Still:
    """From a cache: while a mark is being drawn it is asked for sixty times a second."""
    notation, view = game.notation, game.view
    winning = notation.winning_line(position)
    return Still(notation.cells(position), winning, view.strokes(position, winning), view.regions(position))


def changes(game: Game, before: Position, after: Position, move: int) -> tuple[Change, ...]:
    """The squares that two positions differ in; that of the move which was played in the first one comes first."""
    first = game.view.square_of(move)
    pairs = enumerate(zip(still(game, before).cells, still(game, after).cells, strict=True))
    found = [Change(square, was) for square, (was, is_now) in pairs if was != is_now]
    return tuple(sorted(found, key=lambda change: change.square != first))


def turning(game: Game, position: Position, move: int) -> frozenset[int]:
    """The marks that a move makes the other player's."""
    found = changes(game, position, play(position, move), move)
    return frozenset(change.square for change in found if change.before is not None)


def squares_of(view: BoardView, moves: Iterable[int]) -> frozenset[int]:
    """Where these moves put something."""
    return frozenset(square for square in map(view.square_of, moves) if square is not None)
