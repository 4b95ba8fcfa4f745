"""Sets of moves: bits of one 64-bit word, bit i for move i. `engine.compiled` gives each helper its machine code."""

from collections.abc import Iterator
from typing import Any


def first(bits: int) -> int:
    """The lowest move of a set. The set must not be empty."""
    return (bits & -bits).bit_length() - 1


def rest(bits: int) -> int:
    """The set without its lowest move."""
    return bits & (bits - 1)


def count(bits: int) -> int:
    """How many moves the set holds."""
    return bits.bit_count()


def each(bits: int) -> Iterator[int]:
    """The moves of a set, ascending."""
    while bits:
        yield first(bits)
        bits = rest(bits)


def look_up(table: Any, bits: int) -> Any:
    """The entry of an array for a set; there must be one. Compiled, it is not asked whether the set is negative."""
    return table[bits].item()


def mapped(table: Any, turn: int, bits: int) -> int:
    """A set whose moves go elsewhere, as `engine.grid.turn_table` has it for each byte."""
    found = 0
    for i in range(table.shape[1]):
        found |= int(table[turn, i, bits >> 8 * i & 255])
    return found & (1 << 64) - 1


def hashed(table: Any, mine: int, theirs: int) -> int:
    """A number for two sets, by a table of `engine.grid.zobrist`."""
    found = 0
    for i in range(table.shape[1]):
        found ^= int(table[0, i, mine >> 8 * i & 255] ^ table[1, i, theirs >> 8 * i & 255])
    return found
