"""Tic-tac-toe: three in a row on 3 x 3.

Two words, bit i for square i; `mine` are the stones of the side to move, `theirs` those of the player who just moved:

        a b c
    1   0 1 2
    2   3 4 5
    3   6 7 8
"""

from typing import NamedTuple

import numpy as np

from engine.bits import count
from engine.game import ONGOING, Game, legal, outcome, play, remaining, won
from engine.notation import GridNotation

NAME = "tictactoe"
SIZES = ""

BOARD = 0b111_111_111


class TicTacToe(NamedTuple):
    mine: int
    theirs: int


NOTATION = GridNotation(TicTacToe, columns=3, rows=3, k=3)

WINS = np.array([any(stones & line == line for line in NOTATION.lines) for stones in range(BOARD + 1)])
"""WINS[stones]: whether a set of stones holds a line. A look-up is faster than eight tests."""


@legal.register
def _legal(position: TicTacToe) -> int:
    return BOARD & ~(position.mine | position.theirs)


@play.register
def _play(position: TicTacToe, move: int) -> TicTacToe:
    return TicTacToe(position.theirs, position.mine | (1 << move))


@won.register
def _won(position: TicTacToe) -> bool:
    return WINS[position.theirs]


@outcome.register
def _outcome(position: TicTacToe) -> int:
    if WINS[position.theirs]:
        return -1
    if position.mine | position.theirs == BOARD:
        return 0
    return ONGOING


@remaining.register
def _remaining(position: TicTacToe) -> int:
    return count(BOARD & ~(position.mine | position.theirs))


def game(sizes: str = "") -> Game:
    """Tic-tac-toe, which has one size. Raises ValueError, with a sentence, for any other."""
    if sizes:
        raise ValueError(f"Tic-tac-toe has one size, not {sizes!r}: say tictactoe, or mnk:{sizes}.")
    return Game(NAME, "Tic-tac-toe", TicTacToe(0, 0), NOTATION)
