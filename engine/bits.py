"""Sets of moves: bits of one 64-bit word, bit i for move i. `engine.compiled` gives each helper its machine code."""

from collections.abc import Iterator


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
