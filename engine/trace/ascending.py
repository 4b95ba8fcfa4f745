"""Counts in ascending arrays, in logarithmic time.

`searchsorted` with a number of another type first copies the whole array: 7 ms for five million numbers, not 1 µs.
"""

from typing import Any

from numpy.typing import NDArray


def count_below(ascending: NDArray[Any], number: int) -> int:
    """How many are less than `number`, which fits the array's type."""
    return int(ascending.searchsorted(ascending.dtype.type(number)))


def count_up_to(ascending: NDArray[Any], number: int) -> int:
    """How many are at most `number`, which fits the array's type."""
    return int(ascending.searchsorted(ascending.dtype.type(number), "right"))
