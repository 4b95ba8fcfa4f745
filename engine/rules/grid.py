"""Functions shared by games on a grid of squares: lines, keys, symmetries.

All lines of k stones are found at once: `run = s & (s << step) & (s << 2 step) ...`, with k terms, has a bit exactly
where k stones end in that direction. A mask removes the bits whose k stones are not in adjacent columns, because the
run wraps round the board's edge.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.rules.bits import count, each, hashed
from engine.rules.contract import UNIT

EXACT_SQUARES = 31
"""The largest number of squares for which both players' stones fit one word without its sign."""

Permutation = tuple[int, ...]


def symmetries(columns: int, rows: int) -> tuple[Permutation, ...]:
    """The image of each square under each symmetry of a board: eight symmetries if it is square, else four, without
    duplicates."""
    found = []
    for swap in (False, True) if columns == rows else (False,):
        for right in (False, True):
            for down in (False, True):
                images = []
                for square in range(columns * rows):
                    row, column = divmod(square, columns)
                    column, row = columns - 1 - column if right else column, rows - 1 - row if down else row
                    images.append(column * columns + row if swap else row * columns + column)
                if tuple(images) not in found:
                    found.append(tuple(images))
    return tuple(found)


def symmetry_table(symmetries: tuple[Permutation, ...]) -> NDArray[np.int64]:
    """[symmetries, bytes, 256]: the image of each byte of a set of stones under each symmetry."""
    return by_bytes(words([[1 << image for image in symmetry] for symmetry in symmetries]))


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
    """Sets of up to 64 squares as signed int64 words."""
    return np.array(bits, np.uint64).view(np.int64)


def zobrist(squares: int) -> NDArray[np.int64]:
    """[2, bytes, 256]: the hash of each byte of the side to move's stones, and of the other side's. The same in every
    process.

    Source: A. Zobrist, A new hashing method with application for game playing, University of Wisconsin (1970).
    """
    return by_bytes(np.random.default_rng(1970).integers(0, 1 << 63, (2, squares)))


def lines_through(lines: tuple[int, ...], squares: int) -> tuple[int, ...]:
    """For each square, the number of winning lines through it: most for the centre."""
    counts = [0] * squares
    for line in lines:
        for square in each(line):
            counts[square] += 1
    return tuple(min(255, count) for count in counts)


def open_lines(lines: tuple[int, ...], squares: int) -> NDArray[np.int64]:
    """For each set of stones, the number of lines that it leaves open to the other side. The index is the set, so this
    is only for few squares."""
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
    """For each direction, the step between squares and the set of squares where a line can end."""

    def direction(step: int, first_column: int, last_column: int, fits: bool) -> tuple[int, int]:
        """The step and end squares of a direction. If no line fits, the step is one that is safe: a kernel must not
        shift by more than 63."""
        ends = sum(1 << (row * columns + column) for row in range(rows) for column in range(first_column, last_column))
        return (step, ends) if fits else (0, 0)

    return (
        direction(1, k - 1, columns, k <= columns),
        direction(columns, 0, columns, k <= rows),
        direction(columns + 1, k - 1, columns, k <= min(columns, rows)),
        direction(columns - 1, 0, columns - k + 1, k <= min(columns, rows)),
    )


def open_lines_by(columns: int, rows: int, k: int) -> Any:
    """The rule `evaluate` by open lines: runs of k squares without a stone of the other side, found as wins are."""
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
