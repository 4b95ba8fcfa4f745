"""Access to words of arrays that compiled kernels share or pass down a recursion.

In kernels (`engine.jit.intrinsics`) these functions take addresses: passing an array costs five times as much as the
search itself. In Python, and where bounds are checked, they take the arrays.
"""

from typing import Any


def address(array: Any) -> Any:
    """The argument of the functions below for an array. It does not keep the array alive."""
    return array


def load_word(words: Any, place: int) -> int:
    """The word at an index of an int64 array."""
    return int(words[place])


def store_word(words: Any, place: int, word: int) -> None:
    """Store a word at an index of an int64 array."""
    words[place] = word
