"""What games of k in a row have in common beside their rules: open lines, keys, symmetries."""

import numpy as np
from numpy.typing import NDArray

from engine.bits import each

EXACT_SQUARES = 32
"""Up to so many squares, both players' stones fit one word."""

Permutation = tuple[int, ...]


def symmetries(columns: int, rows: int) -> tuple[Permutation, ...]:
    """Where each square goes under the symmetries of a board: eight where it is square, else four, each once."""
    found = []
    for swap in (False, True) if columns == rows else (False,):
        for right in (False, True):
            for down in (False, True):
                turn = []
                for square in range(columns * rows):
                    row, column = divmod(square, columns)
                    column, row = columns - 1 - column if right else column, rows - 1 - row if down else row
                    turn.append(column * columns + row if swap else row * columns + column)
                if tuple(turn) not in found:
                    found.append(tuple(turn))
    return tuple(found)


def turn_table(turns: tuple[Permutation, ...]) -> NDArray[np.int64]:
    """[turns, bytes, 256]: where the stones of one byte of a word go."""
    squares = len(turns[0])
    table = np.zeros((len(turns), (squares + 7) // 8, 256), np.uint64)
    for turn, permutation in enumerate(turns):
        for square, target in enumerate(permutation):
            stones = np.arange(256) >> square % 8 & 1 == 1
            table[turn, square // 8, stones] |= np.uint64(1 << target)
    return table.view(np.int64)


def zobrist(squares: int) -> NDArray[np.int64]:
    """[2, bytes, 256]: what each byte of the side to move's stones, and of the other's, gives to a key. The same in
    every process.

    Source: A. Zobrist, A new hashing method with application for game playing, University of Wisconsin (1970).
    """
    words = np.random.default_rng(1970).integers(0, 1 << 63, (2, squares))
    table = np.zeros((2, (squares + 7) // 8, 256), np.int64)
    for square in range(squares):
        stones = np.arange(256) >> square % 8 & 1 == 1
        table[:, square // 8, stones] ^= words[:, square, None]
    return table


def lines_through(lines: tuple[int, ...], squares: int) -> tuple[int, ...]:
    """For each square, on how many winning lines it is: the centre on most."""
    counts = [0] * squares
    for line in lines:
        for square in each(line):
            counts[square] += 1
    return tuple(min(255, count) for count in counts)


def open_lines(lines: tuple[int, ...], squares: int) -> NDArray[np.int64]:
    """For each set of stones, how many lines it leaves open to the other side. For few squares: a set is an index."""
    stones = np.arange(1 << squares)
    return sum((stones & line == 0 for line in lines), np.zeros(len(stones), np.int64))
