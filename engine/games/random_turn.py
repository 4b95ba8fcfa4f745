"""Random-turn m,n,k: before each move a fair coin decides which side makes it ("random-turn:COLUMNS,ROWS,K").

K in a row win. Y. Peres, O. Schramm, S. Sheffield and D. Wilson, Random-turn Hex and other selection games, American
Mathematical Monthly 114 (2007), describe such games.

A ply is a throw of the coin or a stone, so a game has two plies a square. The words are those of m,n,k, bit i for
square i, row by row, and who is next:

    turn    0  x places a stone      1  o places a stone      2  the coin is thrown; values are those of x

After a throw a position has the same stones, those of the side to move first. Moves 0, 1 ... are squares; the last two
are the outcomes of the coin. Each size has its own position type, made at its first use, as in `engine.games.mnk`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.messages import message
from engine.rules import grid, k_in_a_row
from engine.rules.bits import count, look_up, mapped
from engine.rules.board_view import BoardView
from engine.rules.contract import (
    Game,
    Position,
    Traits,
    declare,
    is_over,
    key,
    legal,
    move_promise,
    part,
    play,
    plies_bound,
    to_move,
    transformed,
    utility,
    weight,
)
from engine.rules.notation import OPEN_LINES, GridNotation

NAME = "random-turn"
ALIASES = ("random turn", "coin")
SIZES = ("3,3,3", "4,3,3", "4,4,3", "4,4,4", "5,5,4")
MOST = 30
"""Squares of the largest board, whose key fits one word."""

THROW = 2
"""The turn of a position in which the coin is thrown."""
WORDS = {THROW: "", 0: "x", 1: "o"}
"""What is written after the rows, by the turn."""


@cache
def position_type(columns: int, rows: int, k: int) -> Any:
    """The NamedTuple type of one size, with its rules registered. The size must be possible: see `game`."""
    size: Any = NamedTuple(f"RandomTurn_{columns}_{rows}_{k}", [("mine", int), ("theirs", int), ("turn", int)])
    size.__module__ = __name__
    squares = columns * rows
    board = (1 << squares) - 1
    coin = 0b11 << squares
    has_line = part(grid.won_by(columns, rows, k))
    symmetry_table = grid.symmetry_table(grid.symmetries(columns, rows))
    lines_through = np.array((*grid.lines_through(grid.line_masks(columns, rows, k), squares), 0, 0))
    declare(
        size,
        Traits(
            moves=squares + 2,
            plies=2 * squares,
            widest=max(squares, 2),
            alternates=False,
            chance=True,
        ),
        (grid.open_lines_by(columns, rows, k),),
    )

    # The names are unique: see `engine.rules.k_in_a_row.give_rules`.
    @legal.register(size)
    def legal_in_turn(position):
        return coin if position.turn == THROW else board & ~(position.mine | position.theirs)

    @weight.register(size)
    def weight_of_side(position, move):
        return 1 if position.turn == THROW else 0

    @to_move.register(size)
    def to_move_by_coin(position):
        return 1 if position.turn == 1 else 0

    @play.register(size)
    def play_in_turn(position, move):
        if position.turn == THROW:
            if move == squares:
                return size(position.mine, position.theirs, 0)
            return size(position.theirs, position.mine, 1)
        mine = position.mine | (1 << move)
        if position.turn == 0:
            return size(mine, position.theirs, THROW)
        return size(position.theirs, mine, THROW)

    @is_over.register(size)
    def is_over_after_stone(position):
        if position.turn != THROW:
            return False
        return board & ~(position.mine | position.theirs) == 0 or utility(position) != 0

    @utility.register(size)
    def utility_for_x(position):
        if has_line(size(0, position.mine, THROW)):
            return 1
        return -1 if has_line(size(0, position.theirs, THROW)) else 0

    @plies_bound.register(size)
    def plies_bound_with_throws(position):
        free = count(board & ~(position.mine | position.theirs))
        return 2 * free if position.turn == THROW else 2 * free - 1

    @move_promise.register(size)
    def move_promise_by_lines(position, move):
        return look_up(lines_through, move)

    @transformed.register(size)
    def transformed_with_turn(position, symmetry):
        mine, theirs, turn = position
        return size(mapped(symmetry_table, symmetry, mine), mapped(symmetry_table, symmetry, theirs), turn)

    @key.register(size)
    def key_with_turn(position):
        return (position.mine << squares | position.theirs) << 2 | position.turn

    return size


@dataclass(frozen=True)
class CoinNotation(GridNotation):
    """Rows of stones, then x or o where the coin has decided: "x../.../... o"."""

    def mover(self, position: Position) -> int:
        return 1 if position.turn == 1 else 0

    def stones(self, position: Position) -> tuple[int, int]:
        mine, theirs, turn = position
        return (theirs, mine) if turn == 1 else (mine, theirs)

    def winning_line(self, position: Position) -> tuple[int, ...]:
        return super().winning_line(position[:2])

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        return None

    def move_name(self, move: int) -> str:
        """An outcome of the coin names the player who then moves: ">X"."""
        side = move - self.columns * self.rows
        return super().move_name(move) if side < 0 else f">{self.players[side]}"

    def format(self, position: Position) -> str:
        return f"{super().format(position)} {WORDS[position.turn]}".rstrip()

    def position_of(self, rows: str, word: str) -> Position:
        turns = [turn for turn, written in WORDS.items() if written == word]
        if not turns:
            raise ValueError(
                message(
                    "The position {text} ends in {word}: end it with x or o, who is to move, or with nothing before "
                    "the coin is thrown.",
                    text=repr(f"{rows} {word}"),
                    word=repr(word),
                )
            )
        thrown = self.from_stones(*self.read(rows))
        if turns == [THROW]:
            return thrown
        if is_over(thrown):
            raise ValueError(message("The game is over: give the rows alone, without who is to move."))
        return play(thrown, self.columns * self.rows + turns[0])

    def from_stones(self, x: int, o: int) -> Position:
        self.check_lines(x, o, (0, 1))
        return self.position(x, o, THROW)


def __getattr__(name: str) -> Any:
    """The position type of a size, by its name."""
    return k_in_a_row.position_type_named(name, __name__, "RandomTurn", position_type)


def game(sizes: str = "") -> Game:
    """The game of one size, "COLUMNS,ROWS,K", by default 3,3,3. Raises ValueError, with a sentence, if there is no such
    board."""
    columns, rows, k = k_in_a_row.size(sizes, SIZES[0], 3)
    if columns * rows > MOST:
        raise ValueError(
            message(
                "A board of {columns} × {rows} squares is too large here: choose at most {most} squares.",
                columns=columns,
                rows=rows,
                most=MOST,
            )
        )
    kind = position_type(columns, rows, k)
    squares = columns * rows
    return Game(
        spec=f"{NAME}:{columns},{rows},{k}",
        title=message("Random turn, {columns} × {rows}, {k} in a row", columns=columns, rows=rows, k=k),
        start=kind(0, 0, THROW),
        notation=CoinNotation(kind, columns, rows, k),
        view=BoardView(columns, rows, writes_mover=True),
        symmetries=tuple((*image, squares, squares + 1) for image in grid.symmetries(columns, rows)),
        evaluations=(OPEN_LINES,),
        summary=message("A coin decides who moves; {k} in a row win.", k=k),
        chance=message("The coin"),
    )
