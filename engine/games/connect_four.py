"""Connect Four: discs fall to the lowest free square of a column, and four in a row win ("connect-four:COLUMNS,ROWS").

Two words, bit i for square i, row by row from the top; `mine` are the discs of the side to move. The usual board:

        a  b  c  d  e  f  g
    6   0  1  2  3  4  5  6      A move is the square of the new disc: the lowest free one of its column.
    5   7  8  9 10 11 12 13      It is in the bottom row, or the square below it, `columns` bits higher, is not free.
    4  14 15 16 17 18 19 20
    3  21 22 23 24 25 26 27      Rows are numbered from the bottom, as usual: 35 is a1.
    2  28 29 30 31 32 33 34
    1  35 36 37 38 39 40 41

Each size has its own position type, made at its first use, as in `engine.games.mnk`.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, reduce
from operator import and_
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

import numpy as np

from engine.messages import message
from engine.rules import grid, k_in_a_row
from engine.rules.bits import count, each, look_up
from engine.rules.board_view import BoardView, Shape, Surface, column_name
from engine.rules.contract import UNIT, Evaluation, Game, Position, Traits, declare, is_over, legal, part, play, won
from engine.rules.notation import OPEN_LINES, GridNotation

NAME = "connect-four"
ALIASES = ("connect 4", "four in a row", "four in a line")
SIZES = ("7,6", "6,5", "5,4", "8,7")
USUAL_K = 4

THREATS = Evaluation(
    "threats",
    message("Threats by parity"),
    message(
        "Free squares that complete a line, worth more to the first player on odd rows and to the second on even rows: "
        "there each gets to play last (Allis)."
    ),
)
GOOD, BAD = 60, 20
"""Values of a threat on a row of the player's own parity, and on another row; UNIT is a win."""

MOST_HEIGHTS = 1000
"""Heights of the columns to look at, 10 ms at most, for an order in which the discs of a position fall."""


@cache
def position_type(columns: int, rows: int, k: int) -> Any:
    """The NamedTuple type of one size, with its rules registered. The size must be possible: see `game`."""
    size: Any = NamedTuple(f"ConnectFour_{columns}_{rows}_{k}", [("mine", int), ("theirs", int)])
    size.__module__ = __name__
    squares = columns * rows
    board = (1 << squares) - 1
    above_bottom = (1 << squares - columns) - 1
    declare(
        size,
        Traits(moves=squares, plies=squares, widest=columns),
        (_threats_by_parity(columns, rows, k), grid.open_lines_by(columns, rows, k)),
    )

    @legal.register(size)
    def legal_in_columns(position):
        free = board & ~(position.mine | position.theirs)
        return free & ~(free >> columns & above_bottom)

    won.register(size)(grid.won_by(columns, rows, k))
    k_in_a_row.give_rules(size, columns, rows, k, _symmetries(columns, rows))
    return size


def _threats_by_parity(columns: int, rows: int, k: int) -> Any:
    """The evaluation THREATS of one size.

    Source of the parity: L. V. Allis, A knowledge-based approach of Connect-Four, Vrije Universiteit (1988).
    """
    board = (1 << columns * rows) - 1
    odd_rows = sum(((1 << columns) - 1) << row * columns for row in range(rows - 1, -1, -2))
    directions = grid.directions(columns, rows, k)
    steps, ends = np.array([step for step, _ in directions]), grid.words([end for _, end in directions])
    unshifted = grid.words([board >> step * hole for step, _ in directions for hole in range(k)])

    @part
    def threats(stones, free):
        """The free squares that would complete a line of these stones."""
        found = 0
        for way in range(len(steps)):
            step = look_up(steps, way)
            for hole in range(k):
                run = look_up(ends, way) & board
                for i in range(k):
                    run &= (free if i == hole else stones) << (i * step)
                found |= run >> hole * step & look_up(unshifted, way * k + hole)
        return found

    def threats_by_parity(position):
        free = board & ~(position.mine | position.theirs)
        mine, theirs = threats(position.mine, free), threats(position.theirs, free)
        odd = count(mine & odd_rows) - count(theirs & odd_rows)
        even = count(mine & ~odd_rows) - count(theirs & ~odd_rows)
        is_first = count(position.mine) == count(position.theirs)
        worth = GOOD * odd + BAD * even if is_first else BAD * odd + GOOD * even
        return max(1 - UNIT, min(UNIT - 1, worth))

    return threats_by_parity


def _symmetries(columns: int, rows: int) -> tuple[grid.Permutation, ...]:
    """The identity and the reflection of left and right."""
    reflected = tuple(row * columns + columns - 1 - column for row in range(rows) for column in range(columns))
    return (tuple(range(columns * rows)), reflected) if columns > 1 else (reflected,)


@dataclass(frozen=True)
class Columns(GridNotation):
    """The notation of Connect Four. A square is "d1", with row 1 at the bottom. A position is its rows from the top, x
    for the first player's discs, or the columns played, "4455" or "ddee"."""

    players: tuple[str, str] = field(default=(message("Red"), message("Yellow")), kw_only=True)

    def move_name(self, move: int) -> str:
        row, column = divmod(move, self.columns)
        return f"{column_name(column)}{self.rows - row}"

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        return None

    def parse(self, text: str) -> Position:
        moves = self.transcript(text)
        return super().parse(text) if moves is None else reduce(play, moves, self.position(0, 0))

    def transcript(self, text: str) -> tuple[int, ...] | None:
        played = "".join(text.lower().split())
        square = rf"[a-z]{{1,{len(column_name(self.columns - 1))}}}\d+"
        if re.fullmatch(rf"({square})+", played):
            return self._moves(re.findall(square, played), self._move_to)
        if "/" in played or "." in played or (played and set(played) <= {"x", "o"}):
            return None
        return self._moves(played, partial(self._move_in, played))

    def _moves(self, written: Iterable[str], find: Callable[[Position, int, str], int]) -> tuple[int, ...]:
        """The moves of a game: each is found from the position before it, its number from 1, and its text."""
        position: Position = self.position(0, 0)
        moves = list[int]()
        for number, text in enumerate(written, 1):
            move = find(position, number, text)
            position = play(position, move)
            moves.append(move)
        return tuple(moves)

    def _move_to(self, position: Position, number: int, name: str) -> int:
        """The move with that name. Raises ValueError, with a sentence, if no disc falls to that square."""
        fits = [] if is_over(position) else [move for move in each(legal(position)) if self.move_name(move) == name]
        if not fits:
            raise ValueError(
                message("Move {number}, {name}, is no square that a disc falls to there.", number=number, name=name)
            )
        return fits[0]

    def _move_in(self, played: str, position: Position, number: int, sign: str) -> int:
        """The move in the column with that sign, of all `played`. Raises ValueError, with a sentence, if there is no
        such column, or no disc can be played in it."""
        column = int(sign) - 1 if sign in digits else ascii_lowercase.find(sign)
        if not 0 <= column < self.columns:
            raise ValueError(
                message(
                    "The columns {text} contain {strange}: write each as a number from 1 to {most} or a letter "
                    "from a to {last}, as in 4455.",
                    text=repr(played),
                    strange=repr(sign),
                    most=min(self.columns, 9),
                    last=column_name(min(self.columns, 26) - 1),
                )
            )
        fits = [move for move in each(legal(position)) if move % self.columns == column]
        if not fits or is_over(position):
            raise ValueError(
                message(
                    "The columns {text} are no game: disc {number} cannot be played{why}.",
                    text=repr(played),
                    number=number,
                    why=message(", for the game is over") if is_over(position) else message(", for its column is full"),
                )
            )
        return fits[0]

    def from_stones(self, x: int, o: int) -> Position:
        free = ~(x | o)
        floating = (x | o) & (free >> self.columns) & (1 << self.columns * (self.rows - 1)) - 1
        if floating:
            raise ValueError(
                message(
                    "The position is impossible: the disc on {square} has none below it.",
                    square=self.move_name(next(each(floating))),
                )
            )
        position = super().from_stones(x, o)
        lines = [line for line in self.lines if position.theirs & line == line]
        if lines:
            last = reduce(and_, lines)
            covered = (x | o) << self.columns
            ends = {square % self.columns for square in each(last) if not covered >> square & 1}
            if not ends:
                raise ValueError(message("The position is impossible: a disc lies on the line that ended the game."))
        else:
            ends = {*range(self.columns)}
        if not self._falls_by_turns(x, o, ends):
            raise ValueError(message("The position is impossible: the discs cannot have fallen so by turns."))
        return position

    def _falls_by_turns(self, x: int, o: int, ends: Collection[int]) -> bool:
        """Whether these discs can have fallen one by one, x first, the last of them into one of the columns `ends`;
        true where MOST_HEIGHTS do not decide it."""
        bottom_up = [range(column, self.columns * self.rows, self.columns)[::-1] for column in range(self.columns)]
        stacks = [[o >> square & 1 for square in squares if (x | o) >> square & 1] for squares in bottom_up]
        total = count(x | o)
        waiting = [(0,) * self.columns]  # heights of the columns that may be reached, in a depth-first search
        seen = {*waiting}
        while waiting and len(seen) < MOST_HEIGHTS:
            heights = waiting.pop()
            placed = sum(heights)
            if placed == total:
                return True
            for column, height in enumerate(heights):
                is_next = stacks[column][height : height + 1] == [placed % 2]
                after = (*heights[:column], height + 1, *heights[column + 1 :])
                if is_next and after not in seen and (placed + 1 < total or column in ends):
                    seen.add(after)
                    waiting.append(after)
        return bool(waiting)


@dataclass(frozen=True)
class Rack(BoardView):
    """A plate with holes and discs. A click anywhere in a column drops a disc there."""

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        return tuple(str(self.rows - row) for row in range(self.rows))

    def move_at(self, moves: int, square: int) -> int | None:
        return next((move for move in each(moves) if move % self.columns == square % self.columns), None)


def __getattr__(name: str) -> Any:
    """The position type of a size, by its name."""
    return k_in_a_row.position_type_named(name, __name__, "ConnectFour", position_type)


def game(sizes: str = "") -> Game:
    """The game of one size, "COLUMNS,ROWS", by default 7,6. A third number replaces four as the length of a winning
    line. Raises ValueError, with a sentence, if there is no such board."""
    columns, rows, k = k_in_a_row.size(sizes, SIZES[0], USUAL_K)
    kind = position_type(columns, rows, k)
    shown = {"columns": columns, "rows": rows, "k": k}
    return Game(
        spec=f"{NAME}:{columns},{rows}" + (f",{k}" if k != USUAL_K else ""),
        title=message("Connect Four, {columns} × {rows}", **shown)
        if k == USUAL_K
        else message("Connect Four, {columns} × {rows}, {k} in a row", **shown),
        start=kind(0, 0),
        notation=Columns(kind, columns, rows, k),
        view=Rack(columns, rows, (Shape.DISC, Shape.DISC), ("red", "yellow"), Surface.RACK, shows_moves=True),
        symmetries=_symmetries(columns, rows),
        evaluations=(THREATS, OPEN_LINES),
        summary=message("Drop discs into columns; four in a row win."),
    )
