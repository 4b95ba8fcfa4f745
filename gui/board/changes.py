"""The contents of a board in a position, and the changes that a move makes."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.rules.board_view import BoardView, Line, Region
from engine.rules.contract import Game, Position, play


class Still(NamedTuple):
    """The picture of a position alone, without the last move."""

    cells: tuple[int | None, ...]
    """The player whose mark is on each square; None for an empty square."""
    winning: tuple[int, ...]
    """The squares of every completed line."""
    strokes: tuple[Line, ...]
    """The lines through them."""
    regions: tuple[Region, ...]


class Change(NamedTuple):
    """The change that a move made to a square."""

    square: int
    before: int | None
    """The player whose mark was there; None for an empty square."""


@lru_cache(maxsize=16)
def still(game: Game, position: Position) -> Still:
    """The Still of a position, from a cache: an animation asks for it sixty times a second."""
    notation, view = game.notation, game.view
    winning = notation.winning_line(position)
    return Still(notation.cells(position), winning, view.strokes(position, winning), view.regions(position))


def changes(game: Game, before: Position, after: Position, move: int) -> tuple[Change, ...]:
    """The squares in which two positions differ; the square of the move played in the first one comes first."""
    first = game.view.square_of(move)
    pairs = enumerate(zip(still(game, before).cells, still(game, after).cells, strict=True))
    found = [Change(square, was) for square, (was, is_now) in pairs if was != is_now]
    return tuple(sorted(found, key=lambda change: change.square != first))


def turning(game: Game, position: Position, move: int) -> frozenset[int]:
    """The squares of the marks that a move gives to the other player."""
    found = changes(game, position, play(position, move), move)
    return frozenset(change.square for change in found if change.before is not None)


def squares_of(view: BoardView, moves: Iterable[int]) -> frozenset[int]:
    """The squares on which these moves put something."""
    return frozenset(square for square in map(view.square_of, moves) if square is not None)
