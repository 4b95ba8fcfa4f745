"""Sets of moves: bit i for move i. In Python a set is an integer of any size; in kernels it is one 64-bit word, or the
pair of words that `wide` makes. Each helper reads either: `engine.jit.intrinsics` has its machine code."""

from collections.abc import Iterator
from typing import Any

WORD = 64
WORD_MASK = (1 << WORD) - 1


def wide(low: int, high: int) -> int:
    """The set of two words: moves 0 to 63, and 64 on. A game that makes one set so makes all of them so."""
    return low & WORD_MASK | (high & WORD_MASK) << WORD


def first(bits: int) -> int:
    """The lowest move of a set. The set must not be empty."""
    return (bits & -bits).bit_length() - 1


def rest(bits: int) -> int:
    """The set without its lowest move."""
    return bits & (bits - 1)


def without(bits: int, move: int) -> int:
    """The set without one of its moves."""
    return bits & ~(1 << move)


def count(bits: int) -> int:
    """How many moves the set holds."""
    return bits.bit_count()


def is_empty(bits: int) -> bool:
    """Whether the set holds no move."""
    return bits == 0


def emptied(bits: int) -> int:
    """The empty set, of as many words."""
    return 0


def each(bits: int) -> Iterator[int]:
    """The moves of a set, ascending."""
    while bits:
        yield first(bits)
        bits = rest(bits)


def look_up(table: Any, bits: int) -> Any:
    """The entry of an array for a set; there must be one. Compiled, it is not asked whether the set is negative."""
    return table[bits].item()


def mapped(table: Any, turn: int, bits: int) -> int:
    """A set whose moves go elsewhere, as `engine.rules.grid.turn_table` has it for each byte."""
    found = 0
    for i in range(table.shape[1]):
        found |= int(table[turn, i, bits >> 8 * i & 255])
    return found & WORD_MASK


def hashed(table: Any, mine: int, theirs: int) -> int:
    """A number for two sets, by a table of `engine.rules.grid.zobrist`."""
    found = 0
    for i in range(table.shape[1]):
        found ^= int(table[0, i, mine >> 8 * i & 255] ^ table[1, i, theirs >> 8 * i & 255])
    return found
