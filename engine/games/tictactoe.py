"""Tic-tac-toe: three in a row on 3 x 3.

Two words, bit i for square i; `mine` are the stones of the side to move, `theirs` those of the player who just moved:

        a b c
    1   0 1 2
    2   3 4 5
    3   6 7 8
"""

from typing import NamedTuple

import numpy as np

from engine.messages import message
from engine.rules import grid
from engine.rules.bits import count, look_up, mapped
from engine.rules.board_view import BoardView
from engine.rules.contract import (
    UNIT,
    Game,
    Traits,
    declare,
    is_over,
    key,
    legal,
    move_promise,
    play,
    plies_bound,
    transformed,
    utility,
    won,
)
from engine.rules.notation import OPEN_LINES, GridNotation

NAME = "tictactoe"
ALIASES = ("noughts and crosses", "3,3,3")
SIZES = ()

BOARD = 0b111_111_111


class TicTacToe(NamedTuple):
    mine: int
    theirs: int


NOTATION = GridNotation(TicTacToe, columns=3, rows=3, k=3)

WINS = np.array([any(stones & line == line for line in NOTATION.lines) for stones in range(BOARD + 1)], np.int8)
"""WINS[stones]: 1 if a set of stones contains a line, else 0. A look-up is faster than eight tests."""

LINES_LEFT_OPEN = grid.open_lines(NOTATION.lines, 9)
PER_LINE = (UNIT - 1) // len(NOTATION.lines)

LINES_THROUGH = np.array(grid.lines_through(NOTATION.lines, 9))

SYMMETRIES = grid.symmetries(3, 3)
SYMMETRY_TABLE = grid.symmetry_table(SYMMETRIES)


@legal.register
def _legal(position: TicTacToe) -> int:
    return BOARD & ~(position.mine | position.theirs)


@play.register
def _play(position: TicTacToe, move: int) -> TicTacToe:
    return TicTacToe(position.theirs, position.mine | (1 << move))


@won.register
def _won(position: TicTacToe) -> bool:
    return look_up(WINS, position.theirs)


@is_over.register
def _is_over(position: TicTacToe) -> bool:
    return look_up(WINS, position.theirs) != 0 or position.mine | position.theirs == BOARD


@utility.register
def _utility(position: TicTacToe) -> int:
    return -look_up(WINS, position.theirs)


@plies_bound.register
def _plies_bound(position: TicTacToe) -> int:
    return count(BOARD & ~(position.mine | position.theirs))


def _open_lines(position: TicTacToe) -> int:
    return (look_up(LINES_LEFT_OPEN, position.theirs) - look_up(LINES_LEFT_OPEN, position.mine)) * PER_LINE


declare(TicTacToe, Traits(moves=9, plies=9, widest=9, free_placement=True), (_open_lines,))


@move_promise.register
def _move_promise(position: TicTacToe, move: int) -> int:
    return look_up(LINES_THROUGH, move)


@key.register
def _key(position: TicTacToe) -> int:
    return position.mine << 9 | position.theirs


@transformed.register
def _transformed(position: TicTacToe, symmetry: int) -> TicTacToe:
    return TicTacToe(mapped(SYMMETRY_TABLE, symmetry, position.mine), mapped(SYMMETRY_TABLE, symmetry, position.theirs))


def game(sizes: str = "") -> Game:
    """Tic-tac-toe, which has one size. Raises ValueError, with a sentence, for any other."""
    if sizes:
        raise ValueError(
            message("Tic-tac-toe is always 3 × 3: for another size, write {example}, for example.", example="7,7,5")
        )
    return Game(
        spec=NAME,
        title=message("Tic-tac-toe"),
        start=TicTacToe(0, 0),
        notation=NOTATION,
        view=BoardView(3, 3),
        symmetries=SYMMETRIES,
        evaluations=(OPEN_LINES,),
        summary=message("Three in a row on 3 × 3 squares."),
    )
