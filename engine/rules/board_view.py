"""The appearance of a board as data. One painter draws the large board, small boards, thumbnails and files from it.

Squares are numbered row by row from the top left. A move that puts a mark on a square has that square's number.
Lengths are in units of the board's longer side; (0, 0) is its top left corner.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from typing import Any, NamedTuple

Position = Any


class Rectangle(NamedTuple):
    """A rectangle in the unit square of the board; `top` counts downward from its upper edge."""

    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside."""
        return 0 <= x - self.left <= self.width and 0 <= y - self.top <= self.height


class Line(NamedTuple):
    """A line between two points. A weight of 1 is a hairline between squares."""

    x1: float
    y1: float
    x2: float
    y2: float
    weight: float = 1.0


class Shape(StrEnum):
    """The shape of a player's mark."""

    CROSS = "cross"
    RING = "ring"
    DISC = "disc"


class Surface(StrEnum):
    """The surface below the marks."""

    PAPER = "paper"
    """Lines on the window's background."""
    RACK = "rack"
    """A plate with a round hole for each square: discs fall in from above."""
    FELT = "felt"
    """A coloured background with lines."""


class RegionState(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    ACTIVE = "active"
    """The next move must be made there."""


class Region(NamedTuple):
    """A part of the board with a state of its own: a small board of Ultimate tic-tac-toe."""

    rectangle: Rectangle
    state: RegionState
    player: int | None = None
    """The player who has won it, or None."""


@dataclass(frozen=True)
class BoardView:
    """A grid of equal squares. A game with another appearance overrides the methods that differ."""

    columns: int
    rows: int
    shapes: tuple[Shape, Shape] = (Shape.CROSS, Shape.RING)
    """The shapes of the two players' marks."""
    colours: tuple[str, str] = ("x", "o")
    """Their names in the theme."""
    surface: Surface = Surface.PAPER
    shows_moves: bool = False
    """Whether legal moves are marked, for games in which not every empty square is one."""
    counts: bool = False
    """Whether the numbers of marks are shown, for games in which the player with most marks wins."""
    writes_mover: bool = False
    """Whether a written position names the side to move, "x" or "o", after its rows, because the marks do not give
    it; a chance node names none."""
    writes_region: bool = False
    """Whether a written position names the region of the next move after its rows: a number from 1, or "any"."""

    @property
    def side(self) -> float:
        """The side of a square."""
        return 1 / max(self.columns, self.rows)

    @cached_property
    def squares(self) -> tuple[Rectangle, ...]:
        side = self.side
        return tuple(
            Rectangle(column * side, row * side, side, side)
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The width and height of all squares together."""
        right = max(square.left + square.width for square in self.squares)
        return right, max(square.top + square.height for square in self.squares)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines between squares, and heavier lines if there are any."""
        side, right, bottom = self.side, self.columns * self.side, self.rows * self.side
        down = tuple(Line(column * side, 0, column * side, bottom) for column in range(1, self.columns))
        across = tuple(Line(0, row * side, right, row * side) for row in range(1, self.rows))
        return down + across

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """The names along the top edge, from the left."""
        return tuple(column_name(column) for column in range(self.columns))

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        """The names along the left edge, from the top."""
        return tuple(str(row + 1) for row in range(self.rows))

    @cached_property
    def by_column(self) -> tuple[tuple[int, ...], ...]:
        """The squares of each column."""
        columns = [self.column_of(square) for square in range(len(self.squares))]
        return tuple(
            tuple(square for square, column in enumerate(columns) if column == number) for number in range(self.columns)
        )

    def column_of(self, square: int) -> int:
        """The column of a square, from 0 at the left."""
        return int(self.squares[square].centre[0] / self.side)

    def row_of(self, square: int) -> int:
        """The row of a square, from 0 at the top."""
        return int(self.squares[square].centre[1] / self.side)

    def region_of(self, square: int) -> int | None:
        """The index of a square's region among the numbered regions of a written position; None if it has none."""
        return None

    def beside(self, square: int, right: int, down: int) -> int:
        """The square so many squares to the right and down, or the last one in that direction."""
        for step, axis in ((right, 0), (down, 1)):
            here = self.squares[square].centre
            along = [
                (abs(spot.centre[axis] - here[axis]), other)
                for other, spot in enumerate(self.squares)
                if abs(spot.centre[1 - axis] - here[1 - axis]) < self.side / 2
                and (other == square or (spot.centre[axis] - here[axis]) * step > 0)
            ]
            square = sorted(along)[min(abs(step), len(along) - 1)][1]
        return square

    def square_name(self, square: int) -> str:
        row, column = divmod(square, self.columns)
        return f"{self.column_names[column]}{self.row_names[row]}"

    def square_of(self, move: int) -> int | None:
        """The square on which a move puts a mark; None for a pass."""
        return move if move < self.columns * self.rows else None

    def move_at(self, moves: int, square: int) -> int | None:
        """The legal move made by a click on a square; None if there is none."""
        return square if moves >> square & 1 else None

    def regions(self, position: Position) -> tuple[Region, ...]:
        """The regions that are won, drawn, or allowed for the next move."""
        return ()

    def strokes(self, position: Position, winning: tuple[int, ...]) -> tuple[Line, ...]:
        """The strokes through the squares `winning` of `engine.rules.contract.Notation.winning_line`."""
        return tuple(
            Line(*self.squares[first].centre, *self.squares[last].centre) for first, last in runs(winning, self.columns)
        )


@cache
def column_name(column: int) -> str:
    """a ... z, then aa, ab ..."""
    high, low = divmod(column, 26)
    return (chr(ord("a") + high - 1) if high else "") + chr(ord("a") + low)


def runs(squares: tuple[int, ...], columns: int) -> list[tuple[int, int]]:
    """The first and last square of each straight line that together make up `squares`, the longest first.

    Lines completed by one move cross only in its square, so a shorter run that adds no square is not a separate line.
    """
    spots = {divmod(square, columns) for square in squares}
    found: list[list[tuple[int, int]]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in sorted(spots):
            if (row - down, column - right) not in spots:
                run = [(row, column)]
                while (further := (run[-1][0] + down, run[-1][1] + right)) in spots:
                    run.append(further)
                found.append(run)
    lines: list[tuple[int, int]] = []
    for run in sorted(found, key=len, reverse=True):
        if spots & set(run):
            spots -= set(run)
            (top, left), (bottom, right) = run[0], run[-1]
            lines.append((top * columns + left, bottom * columns + right))
    return lines
