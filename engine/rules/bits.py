"""Sets of moves: bit i for move i. In Python a set is an integer of any size; in kernels it is one 64-bit word, or the
pair of words that `wide` returns. Each helper takes either form; its machine code is in `engine.jit.intrinsics`."""

from collections.abc import Iterator
from typing import Any

WORD = 64
WORD_MASK = (1 << WORD) - 1


def wide(low: int, high: int) -> int:
    """The set of two words: moves 0 to 63, and 64 on. A game must make all its sets by `wide`, or none."""
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
    """The number of moves in the set."""
    return bits.bit_count()


def is_empty(bits: int) -> bool:
    """Whether the set has no moves."""
    return bits == 0


def emptied(bits: int) -> int:
    """The empty set with the same number of words."""
    return 0


def each(bits: int) -> Iterator[int]:
    """The moves of a set, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def nth(bits: int, place: int) -> int:
    """The move at a place of a set, in ascending order; the lowest is at 0. The set must have more moves than that."""
    for _ in range(place):
        bits &= bits - 1
    return first(bits)


def look_up(table: Any, bits: int) -> Any:
    """The entry of an array indexed by a set, which must be in range. Compiled code does not test for negatives."""
    return table.item(bits)


def mapped(table: Any, symmetry: int, bits: int) -> int:
    """The image of a set under a symmetry, by a table of `engine.rules.grid.symmetry_table`."""
    found = 0
    for i in range(table.shape[1]):
        found |= int(table[symmetry, i, bits >> 8 * i & 255])
    return found & WORD_MASK


def hashed(table: Any, mine: int, theirs: int) -> int:
    """The Zobrist hash of two sets, by a table of `engine.rules.grid.zobrist`."""
    found = 0
    for i in range(table.shape[1]):
        found ^= int(table[0, i, mine >> 8 * i & 255] ^ table[1, i, theirs >> 8 * i & 255])
    return found
