"""Words in arrays that compiled kernels share or hand down a recursion: `engine.jit.kernel` has them use addresses, for
an array as an argument costs five times as much as the search itself. In Python, and where bounds are to be checked,
they are the arrays themselves.
"""

from typing import Any


def address(array: Any) -> Any:
    """What the functions below take for an array; nothing keeps the array alive."""
    return array


def peek(words: Any, place: int) -> int:
    """The word at a place of an int64 array."""
    return int(words[place])


def poke(words: Any, place: int, word: int) -> None:
    """Put a word there."""
    words[place] = word


def bump(words: Any, place: int) -> None:
    """Add 1 to the word there."""
    words[place] += 1
