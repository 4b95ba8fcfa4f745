"""Connect6: the first player begins with one stone, then each side places two a turn ("connect6:COLUMNS,ROWS").

Six in a row win; a third number replaces six. It is Connect(m, n, k, 2, 1) of I-C. Wu and D.-Y. Huang, A New Family of
k-in-a-row Games, Advances in Computer Games 11 (2005), on boards that fit one word; the usual one has 19 x 19 squares.

A ply is one stone, so a side moves twice in a row. The words are those of m,n,k, bit i for square i, row by row. The
number of stones tells who is to move:

    stones     0   1   2   3   4   5   6   7   8
    to move    x   o   o   x   x   o   o   x   x

Each size has its own position type, made at its first use, as in `engine.games.mnk`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from engine.messages import message
from engine.rules import grid, k_in_a_row
from engine.rules.bits import count
from engine.rules.board_view import BoardView
from engine.rules.contract import Game, Position, Traits, declare, legal, part, play, to_move, utility, won
from engine.rules.notation import OPEN_LINES, GridNotation

NAME = "connect6"
ALIASES = ("connect 6", "connect six", "six in a row")
SIZES = ("8,8", "8,8,5", "6,6,5", "5,5,4", "4,4,4")
USUAL_K = 6


@part
def side_after(stones: int) -> int:
    """The side to move when that many stones are on the board."""
    return (stones + 1 >> 1) & 1


@part
def moves_again_after(stones: int) -> bool:
    """Whether the side that placed the last of that many stones is to move."""
    return stones & 1 == 0


@cache
def position_type(columns: int, rows: int, k: int) -> Any:
    """The NamedTuple type of one size, with its rules registered. The size must be possible: see `game`."""
    size: Any = NamedTuple(f"Connect6_{columns}_{rows}_{k}", [("mine", int), ("theirs", int)])
    size.__module__ = __name__
    squares = columns * rows
    board = (1 << squares) - 1
    has_line = part(grid.won_by(columns, rows, k))
    declare(
        size,
        Traits(moves=squares, plies=squares, widest=squares, alternates=False),
        (grid.open_lines_by(columns, rows, k),),
    )
    k_in_a_row.give_rules(size, columns, rows, k, grid.symmetries(columns, rows))

    @legal.register(size)
    def legal_squares(position):
        return board & ~(position.mine | position.theirs)

    @to_move.register(size)
    def to_move_by_stones(position):
        return side_after(count(position.mine) + count(position.theirs))

    @play.register(size)
    def play_one_of_two(position, move):
        mine = position.mine | (1 << move)
        if moves_again_after(count(mine) + count(position.theirs)):
            return size(mine, position.theirs)
        return size(position.theirs, mine)

    @won.register(size)
    def won_by_last_stone(position):
        is_own = moves_again_after(count(position.mine) + count(position.theirs))
        return has_line(size(0, position.mine if is_own else position.theirs))

    @utility.register(size)
    def utility_of_last_stone(position):
        if not won(position):
            return 0
        return 1 if moves_again_after(count(position.mine) + count(position.theirs)) else -1

    return size


@dataclass(frozen=True)
class TwoStones(GridNotation):
    """Rows of stones, as of m,n,k. The numbers of stones tell who is to move."""

    def side_after(self, stones: int) -> int:
        return side_after(stones)

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        return None

    def check_stones(self, x: int, o: int) -> None:
        placed = [side_after(stones) for stones in range(count(x) + count(o))]
        if placed.count(0) != count(x):
            raise ValueError(
                message(
                    "The position is impossible: {x} x and {o} o; x begins with one stone, then each side places two.",
                    x=count(x),
                    o=count(o),
                )
            )


def __getattr__(name: str) -> Any:
    """The position type of a size, by its name."""
    return k_in_a_row.position_type_named(name, __name__, "Connect6", position_type)


def game(sizes: str = "") -> Game:
    """The game of one size, "COLUMNS,ROWS", by default 8,8. A third number replaces six as the length of a winning
    line. Raises ValueError, with a sentence, if there is no such board."""
    columns, rows, k = k_in_a_row.size(sizes, SIZES[0], USUAL_K)
    kind = position_type(columns, rows, k)
    shown = {"columns": columns, "rows": rows, "k": k}
    return Game(
        spec=f"{NAME}:{columns},{rows}" + (f",{k}" if k != USUAL_K else ""),
        title=message("Connect6, {columns} × {rows}", **shown)
        if k == USUAL_K
        else message("Connect6, {columns} × {rows}, {k} in a row", **shown),
        start=kind(0, 0),
        notation=TwoStones(kind, columns, rows, k),
        view=BoardView(columns, rows),
        symmetries=grid.symmetries(columns, rows),
        evaluations=(OPEN_LINES,),
        summary=message("One stone, then two a turn; {k} in a row win.", k=k),
    )
