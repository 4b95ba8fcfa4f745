"""What the recursion of `engine.kernels.subtree` passes from ply to ply.

Cursor and counts of a `Tally` are packed, because numba returns each number through memory:

    cursor   bits 0 to 47    rows of the tape used so far, one a node
             from bit 48 on  bit 48 + p: a leaf was visited with p plies left; the lowest bit gives the depth
    counts   four times 16 bits: terminals, horizon leaves, cutoffs, moves pruned
"""

from typing import NamedTuple, TypeVar

from engine.result import Value
from engine.rules.contract import Position

T = TypeVar("T", int, Value)

ONE_TERMINAL, ONE_HORIZON, ONE_CUTOFF, ONE_PRUNED = 1, 1 << 16, 1 << 32, 1 << 48
ROWS_MASK = (1 << 48) - 1
DEEP = 48


class Node(NamedTuple):
    """A position and the window that it is searched in, for its side to move."""

    position: Position
    opened: int
    """The first part of its row: see `engine.kernels.worker_memory.entered`."""
    alpha: int
    beta: int


def turned(value: T, again: bool) -> T:
    """A value for the side to move in a child, a number or a `Value`, for the side to move in its parent; `again`: they
    are the same side."""
    return value if again else -value


def mean(total: int, weights: int) -> int:
    """A sum divided by its weights, rounded towards 0, so that only what is certain has the value of a win."""
    return total // weights if total >= 0 else -(-total // weights)


class Tally(NamedTuple):
    """The nodes visited so far, packed."""

    cursor: int
    counts: int
