"""Tic-tac-toe: three in a row on 3 x 3.

Two words, bit i for square i; `mine` are the stones of the side to move, `theirs` those of the player who just moved:

        a b c
    1   0 1 2
    2   3 4 5
    3   6 7 8
"""

from typing import NamedTuple

import numpy as np

from engine import grid
from engine.bits import count, look_up, mapped
from engine.game import ONGOING, UNIT, Game, evaluate, key, legal, outcome, play, remaining, turned, won
from engine.notation import GridNotation
from engine.said import said

NAME = "tictactoe"
ALIASES = ("noughts and crosses", "3,3,3")
SIZES = ""

BOARD = 0b111_111_111


class TicTacToe(NamedTuple):
    mine: int
    theirs: int


NOTATION = GridNotation(TicTacToe, columns=3, rows=3, k=3)

WINS = np.array([any(stones & line == line for line in NOTATION.lines) for stones in range(BOARD + 1)], np.int8)
"""WINS[stones]: whether a set of stones holds a line, 1 or 0. A look-up is faster than eight tests."""

OPEN_LINES = grid.open_lines(NOTATION.lines, 9)
PER_LINE = (UNIT - 1) // len(NOTATION.lines)

TURNS = grid.symmetries(3, 3)
TURN_TABLE = grid.turn_table(TURNS)


@legal.register
def _legal(position: TicTacToe) -> int:
    return BOARD & ~(position.mine | position.theirs)


@play.register
def _play(position: TicTacToe, move: int) -> TicTacToe:
    return TicTacToe(position.theirs, position.mine | (1 << move))


@won.register
def _won(position: TicTacToe) -> bool:
    return look_up(WINS, position.theirs)


@outcome.register
def _outcome(position: TicTacToe) -> int:
    if look_up(WINS, position.theirs):
        return -1
    if position.mine | position.theirs == BOARD:
        return 0
    return ONGOING


@remaining.register
def _remaining(position: TicTacToe) -> int:
    return count(BOARD & ~(position.mine | position.theirs))


@evaluate.register
def _evaluate(position: TicTacToe) -> int:
    """Nilsson's: the lines still open to the one less those still open to the other."""
    return (look_up(OPEN_LINES, position.theirs) - look_up(OPEN_LINES, position.mine)) * PER_LINE


@key.register
def _key(position: TicTacToe) -> int:
    return position.mine << 9 | position.theirs


@turned.register
def _turned(position: TicTacToe, turn: int) -> TicTacToe:
    return TicTacToe(mapped(TURN_TABLE, turn, position.mine), mapped(TURN_TABLE, turn, position.theirs))


def game(sizes: str = "") -> Game:
    """Tic-tac-toe, which has one size. Raises ValueError, with a sentence, for any other."""
    if sizes:
        raise ValueError(
            said("Tic-tac-toe is always 3 × 3: for another size, write {example}, for example.", example="7,7,5")
        )
    return Game(NAME, said("Tic-tac-toe"), TicTacToe(0, 0), NOTATION, TURNS, grid.lines_through(NOTATION.lines, 9))
