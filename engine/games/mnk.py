"""m,n,k games: k in a row on any board of up to 64 squares ("mnk:COLUMNS,ROWS,K").

The words are those of tic-tac-toe, bit i for square i, row by row. Each size is a position type of its own, made when
it is first asked for, so that a kernel is compiled with the size's masks as constants. A type made so is an attribute
of this module ("Mnk_4_4_4"): that is how numba's cache finds it again in another process.

A line is seen without looking at each: of `run = s & (s << step) & (s << 2 step) ...`, k terms, a bit is left exactly
where k stones end in that direction. `ends` keeps the bits whose k stones lie in columns side by side, so that no
run goes round the board's edge. On up to 16 squares a table of all sets of stones is faster still.
"""

from functools import cache
from string import digits
from typing import Any, NamedTuple

import numpy as np

from engine import grid
from engine.bits import count, hashed, look_up, mapped
from engine.game import (
    MAX_SQUARES,
    ONGOING,
    UNIT,
    Game,
    evaluate,
    key,
    legal,
    outcome,
    play,
    remaining,
    turned,
    won,
)
from engine.notation import GridNotation, line_masks
from engine.said import said

NAME = "mnk"
ALIASES = ("mnk game",)
SIZES = "4,4,4"

TABLE_SQUARES = 16
"""Up to so many squares a win is one look-up: the table's 64 KiB stay in the second-level cache."""


@cache
def position_type(columns: int, rows: int, k: int) -> Any:
    """The NamedTuple type of one size, with its rules registered. The size must be possible: see `game`."""
    name = f"Mnk_{columns}_{rows}_{k}"
    size: Any = NamedTuple(name, [("mine", int), ("theirs", int)])
    size.__module__ = __name__
    squares = columns * rows
    board = (1 << squares) - 1
    turn_table = grid.turn_table(grid.symmetries(columns, rows))

    # Each has a name of its own: numba tells apart by name and number what two processes compile, and the numbers may
    # be the same.
    @legal.register(size)
    def legal_here(position):
        return board & ~(position.mine | position.theirs)

    @play.register(size)
    def play_here(position, move):
        return size(position.theirs, position.mine | (1 << move))

    @outcome.register(size)
    def outcome_here(position):
        if won(position):
            return -1
        if board & ~(position.mine | position.theirs) == 0:
            return 0
        return ONGOING

    @remaining.register(size)
    def remaining_here(position):
        return count(board & ~(position.mine | position.theirs))

    @turned.register(size)
    def turned_here(position, turn):
        return size(mapped(turn_table, turn, position.mine), mapped(turn_table, turn, position.theirs))

    key.register(size)(_exact_key(squares) if squares <= grid.EXACT_SQUARES else _hashed_key(squares))
    has_tables = squares <= TABLE_SQUARES
    won.register(size)(_won_by_table(columns, rows, k) if has_tables else _won(columns, rows, k))
    evaluate.register(size)(_evaluate_by_table(columns, rows, k) if has_tables else _evaluate(columns, rows, k))
    return size


def _won_by_table(columns: int, rows: int, k: int) -> Any:
    stones = np.arange(1 << columns * rows)
    wins = np.zeros(len(stones), np.int8)
    for line in line_masks(columns, rows, k):
        wins |= stones & line == line

    def won_by_table(position):
        return look_up(wins, position.theirs)

    return won_by_table


def _won(columns: int, rows: int, k: int) -> Any:
    """See the head of this file: per direction, the step from square to square and the squares where a line can end."""
    right, down, falling, rising = _directions(columns, rows, k)

    def won_by_shifts(position):
        across = along = fall = rise = position.theirs
        for i in range(1, k):
            across &= position.theirs << (i * right[0])
            along &= position.theirs << (i * down[0])
            fall &= position.theirs << (i * falling[0])
            rise &= position.theirs << (i * rising[0])
        return (across & right[1]) | (along & down[1]) | (fall & falling[1]) | (rise & rising[1]) != 0

    return won_by_shifts


def _directions(columns: int, rows: int, k: int) -> tuple[tuple[int, int], ...]:
    """For each direction, the step from square to square and the squares where a line can end."""

    def direction(step: int, first_column: int, last_column: int, fits: bool) -> tuple[int, int]:
        """Where no line fits, a step that is harmless: a kernel must not shift by more than 63."""
        ends = sum(1 << (row * columns + column) for row in range(rows) for column in range(first_column, last_column))
        return (step, ends) if fits else (0, 0)

    return (
        direction(1, k - 1, columns, k <= columns),
        direction(columns, 0, columns, k <= rows),
        direction(columns + 1, k - 1, columns, k <= min(columns, rows)),
        direction(columns - 1, 0, columns - k + 1, k <= min(columns, rows)),
    )


def _evaluate_by_table(columns: int, rows: int, k: int) -> Any:
    lines = line_masks(columns, rows, k)
    open_lines, per_line = grid.open_lines(lines, columns * rows), (UNIT - 1) // len(lines)

    def evaluate_by_table(position):
        return (look_up(open_lines, position.theirs) - look_up(open_lines, position.mine)) * per_line

    return evaluate_by_table


def _evaluate(columns: int, rows: int, k: int) -> Any:
    """Open lines are runs of k squares without a stone of the other's: seen as a win is."""
    board = (1 << columns * rows) - 1
    per_line = (UNIT - 1) // len(line_masks(columns, rows, k))
    right, down, falling, rising = _directions(columns, rows, k)

    def evaluate_by_shifts(position):
        open_lines = 0
        for side in (0, 1):
            free = board & ~position.theirs if side == 0 else board & ~position.mine
            across = along = fall = rise = free
            for i in range(1, k):
                across &= free << (i * right[0])
                along &= free << (i * down[0])
                fall &= free << (i * falling[0])
                rise &= free << (i * rising[0])
            found = count(across & right[1]) + count(along & down[1])
            found += count(fall & falling[1]) + count(rise & rising[1])
            open_lines += found if side == 0 else -found
        return open_lines * per_line

    return evaluate_by_shifts


def _exact_key(squares: int) -> Any:
    def exact_key(position):
        return position.mine << squares | position.theirs

    return exact_key


def _hashed_key(squares: int) -> Any:
    table = grid.zobrist(squares)

    def hashed_key(position):
        return hashed(table, position.mine, position.theirs)

    return hashed_key


def __getattr__(name: str) -> Any:
    """A size by its type's name."""
    prefix, *size = name.split("_")
    if prefix != "Mnk" or len(size) != 3 or any(set(number) - set(digits) for number in size):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return position_type(*map(int, size))


def usual(columns: int, rows: int) -> str:
    """The sizes of the game that a board of so many squares is usually for: 4 in a row, 5 where both sides are 7 or
    longer, and as many as fit the shorter side, but 3 wherever these fit at all."""
    shorter, longer = sorted((columns, rows))
    k = min(longer, max(3, min(shorter, 5 if shorter >= 7 else 4)))
    return f"{columns},{rows},{k}"


def game(sizes: str = "") -> Game:
    """The game of one size, "COLUMNS,ROWS,K". Raises ValueError, with a sentence, if there is no such board."""
    numbers = [number.strip() for number in sizes.split(",")]
    if len(numbers) not in (2, 3) or not all(number.isdecimal() and len(number) < 10 for number in numbers):
        raise ValueError(
            said("A size is COLUMNS,ROWS,K, with K in a row to win: write {example}, for example.", example="7,7,5")
        )
    columns, rows, *given = map(int, numbers)
    if columns < 1 or rows < 1 or columns * rows > MAX_SQUARES:
        raise ValueError(
            said(
                "A board of {columns} × {rows} squares is not possible: choose 1 to {most} squares in all.",
                columns=columns,
                rows=rows,
                most=MAX_SQUARES,
            )
        )
    if not given:
        raise ValueError(
            said(
                "How many in a row win on {columns} × {rows}? Write {example}, for example.",
                columns=columns,
                rows=rows,
                example=usual(columns, rows),
            )
        )
    k, longest = given[0], max(columns, rows)
    if not 1 <= k <= longest:
        raise ValueError(
            said(
                "{k} in a row do not fit on {columns} × {rows}: choose 1 to {most}.",
                k=k,
                columns=columns,
                rows=rows,
                most=longest,
            )
        )
    size = position_type(columns, rows, k)
    notation = GridNotation(size, columns, rows, k)
    return Game(
        f"{NAME}:{columns},{rows},{k}",
        said("{columns} × {rows}, {k} in a row", columns=columns, rows=rows, k=k),
        size(0, 0),
        notation,
        grid.symmetries(columns, rows),
        grid.lines_through(notation.lines, columns * rows),
    )
