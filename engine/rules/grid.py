"""What games on a grid of squares have in common beside their rules: lines, keys, symmetries.

Lines of k stones are seen without looking at each: of `run = s & (s << step) & (s << 2 step) ...`, k terms, a bit is
left exactly where k stones end in that direction. A mask keeps the bits whose k stones lie in columns side by side, so
that no run goes round the board's edge.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.rules.bits import count, each, hashed
from engine.rules.contract import UNIT

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
    return by_bytes(words([[1 << target for target in turn] for turn in turns]))


def by_bytes(squares: NDArray[np.int64]) -> NDArray[np.int64]:
    """[tables, bytes, 256]: what the squares in a byte of a set give together, by exclusive or. `squares` is what each
    of them gives, [tables, squares]."""
    tables, number = squares.shape
    bits = np.pad(squares, ((0, 0), (0, -number % 8))).reshape(tables, -1, 8, 1)
    table = np.zeros((*bits.shape[:2], 256), np.int64)
    for bit in range(8):
        table[..., 1 << bit : 2 << bit] = table[..., : 1 << bit] ^ bits[:, :, bit]
    return table


def words(bits: Sequence[int] | Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Sets of up to 64 squares as the signed words of kernels."""
    return np.array(bits, np.uint64).view(np.int64)


def zobrist(squares: int) -> NDArray[np.int64]:
    """[2, bytes, 256]: what each byte of the side to move's stones, and of the other's, gives to a key. The same in
    every process.

    Source: A. Zobrist, A new hashing method with application for game playing, University of Wisconsin (1970).
    """
    return by_bytes(np.random.default_rng(1970).integers(0, 1 << 63, (2, squares)))


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


def line_masks(columns: int, rows: int, k: int) -> tuple[int, ...]:
    """Every line of k squares on a board, as a set of squares."""
    return tuple(
        sum(1 << ((row + i * down) * columns + column + i * right) for i in range(k))
        for row in range(rows)
        for column in range(columns)
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
        if 0 <= column + (k - 1) * right < columns and row + (k - 1) * down < rows
    )


def won_by(columns: int, rows: int, k: int) -> Any:
    """The rule `won` of a board with k in a row: whether `theirs` hold a line."""
    right, down, falling, rising = directions(columns, rows, k)

    def won_by_shifts(position):
        across = along = fall = rise = position.theirs
        for i in range(1, k):
            across &= position.theirs << (i * right[0])
            along &= position.theirs << (i * down[0])
            fall &= position.theirs << (i * falling[0])
            rise &= position.theirs << (i * rising[0])
        return (across & right[1]) | (along & down[1]) | (fall & falling[1]) | (rise & rising[1]) != 0

    return won_by_shifts


def directions(columns: int, rows: int, k: int) -> tuple[tuple[int, int], ...]:
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


def open_lines_by(columns: int, rows: int, k: int) -> Any:
    """The rule `evaluate` by open lines, runs of k squares without a stone of the other side's: seen as a win is."""
    board = (1 << columns * rows) - 1
    per_line = (UNIT - 1) // max(1, len(line_masks(columns, rows, k)))
    right, down, falling, rising = directions(columns, rows, k)

    def open_lines_by_shifts(position):
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

    return open_lines_by_shifts


def key_of(squares: int) -> Any:
    """The rule `key` of two sets of stones: exact where both fit one word."""
    if squares > EXACT_SQUARES:
        return _hashed_key(squares)

    def exact_key(position):
        return position.mine << squares | position.theirs

    return exact_key


def _hashed_key(squares: int) -> Any:
    table = zobrist(squares)

    def hashed_key(position):
        return hashed(table, position.mine, position.theirs)

    return hashed_key
