"""m,n,k games: k in a row on any board of up to 64 squares ("mnk:COLUMNS,ROWS,K").

The words are those of tic-tac-toe, bit i for square i, row by row. Each size has its own position type, made at its
first use, so that a kernel has the size's masks as constants. The type is an attribute of this module ("Mnk_4_4_4"), by
which numba's cache finds it in another process.

All lines are found at once (see `engine.rules.grid`). On up to 16 squares a table of all sets of stones is faster.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.messages import message
from engine.rules import grid, k_in_a_row
from engine.rules.bits import look_up
from engine.rules.board_view import BoardView
from engine.rules.contract import UNIT, Game, Traits, declare, legal, won
from engine.rules.notation import OPEN_LINES, GridNotation

NAME = "mnk"
ALIASES = ("mnk game",)
SIZES = ("4,4,4", "4,3,3", "4,4,3", "5,4,4", "5,5,4", "7,6,4", "8,8,5")

TABLE_SQUARES = 16
"""The largest number of squares for which a win is looked up in a table: its 64 KiB stay in the second-level cache."""


@cache
def position_type(columns: int, rows: int, k: int) -> Any:
    """The NamedTuple type of one size, with its rules registered. The size must be possible: see `game`."""
    name = f"Mnk_{columns}_{rows}_{k}"
    size: Any = NamedTuple(name, [("mine", int), ("theirs", int)])
    size.__module__ = __name__
    squares = columns * rows
    board = (1 << squares) - 1
    has_tables = squares <= TABLE_SQUARES
    open_lines_by = _open_lines_by_table if has_tables else grid.open_lines_by
    declare(
        size,
        Traits(moves=squares, plies=squares, widest=squares, free_placement=True),
        (open_lines_by(columns, rows, k),),
    )

    @legal.register(size)
    def legal_here(position):
        return board & ~(position.mine | position.theirs)

    won.register(size)((_won_by_table if has_tables else grid.won_by)(columns, rows, k))
    k_in_a_row.give_rules(size, columns, rows, k, grid.symmetries(columns, rows))
    return size


def _won_by_table(columns: int, rows: int, k: int) -> Any:
    stones = np.arange(1 << columns * rows)
    wins = np.zeros(len(stones), np.int8)
    for line in grid.line_masks(columns, rows, k):
        wins |= stones & line == line

    def won_by_table(position):
        return look_up(wins, position.theirs)

    return won_by_table


def _open_lines_by_table(columns: int, rows: int, k: int) -> Any:
    lines = grid.line_masks(columns, rows, k)
    open_lines, per_line = grid.open_lines(lines, columns * rows), (UNIT - 1) // len(lines)

    def open_lines_by_table(position):
        return (look_up(open_lines, position.theirs) - look_up(open_lines, position.mine)) * per_line

    return open_lines_by_table


def __getattr__(name: str) -> Any:
    """The position type of a size, by its name."""
    return k_in_a_row.position_type_named(name, __name__, "Mnk", position_type)


def usual(columns: int, rows: int) -> str:
    """The sizes "COLUMNS,ROWS,K" of the usual game on a board. K is 4, or 5 if both sides are 7 or longer, and at most
    the shorter side; but at least 3, if the longer side allows it."""
    shorter, longer = sorted((columns, rows))
    k = min(longer, max(3, min(shorter, 5 if shorter >= 7 else 4)))
    return f"{columns},{rows},{k}"


def game(sizes: str = "") -> Game:
    """The game of one size, "COLUMNS,ROWS,K". Raises ValueError, with a sentence, if there is no such board."""
    numbers = k_in_a_row.numbers(sizes)
    if numbers is None:
        raise ValueError(
            message("A size is COLUMNS,ROWS,K, with K in a row to win: write {example}, for example.", example="7,7,5")
        )
    columns, rows, k = (*numbers, 1)[:3]
    k_in_a_row.check(columns, rows, k)
    if len(numbers) == 2:
        raise ValueError(
            message(
                "How many in a row win on {columns} × {rows}? Write {example}, for example.",
                columns=columns,
                rows=rows,
                example=usual(columns, rows),
            )
        )
    size = position_type(columns, rows, k)
    notation = GridNotation(size, columns, rows, k)
    return Game(
        spec=f"{NAME}:{columns},{rows},{k}",
        title=message("{columns} × {rows}, {k} in a row", columns=columns, rows=rows, k=k),
        start=size(0, 0),
        notation=notation,
        view=BoardView(columns, rows),
        symmetries=grid.symmetries(columns, rows),
        evaluations=(OPEN_LINES,),
        summary=message("{k} in a row on a board of {columns} × {rows}.", k=k, columns=columns, rows=rows),
    )
