"""The visits of a record's nodes, which PVS may enter more than once: what each of them left pruned.

A later visit may search moves that an earlier one pruned, or prune the same moves again: each of minimax's nodes is
pruned once, from a cutoff on and until it is visited.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.jit.kernel import kernel
from engine.kernels.worker_memory import WHY
from engine.trace.index import Index
from engine.trace.widths import Unsearched


class Visits(NamedTuple):
    """The visits of a record, a row each; all arrays have the shape [rows]."""

    before: NDArray[np.int32]
    """The row of the visit before this one of the same node, the one with the same moves; -1 if there is none."""
    unsearched: NDArray[np.float64]
    """The nodes of minimax below the moves that neither this visit nor one before it searched."""
    newly_searched: NDArray[np.float64]
    """The nodes of minimax below and with a row, if the visits of its parent before this one left it out; else 0."""


def visits(index: Index, place: NDArray[np.uint16], unsearched: Unsearched) -> Visits:
    """The visits of a record. `place` is its column of that name, of `ROW_TYPE`."""
    moves, before = place % WHY, np.full(len(place), -1, np.int32)
    left, new = unsearched.nodes.copy(), np.zeros(len(place))
    _follow(index.end, moves, _sizes(index.end, moves, unsearched.nodes), before, left, new)
    return Visits(before, left, new)


@kernel
def _sizes(end: Any, moves: Any, unsearched: Any) -> Any:
    """The nodes of minimax below and with each row, [rows]. `unsearched` are those below its unsearched moves."""
    sizes = np.zeros(len(end))
    for row in range(len(end) - 1, -1, -1):
        sizes[row] = 1 + unsearched[row]
        child, last = row + 1, -1
        while child < end[row]:
            if moves[child] != last:
                sizes[row] += sizes[child]
            child, last = end[child], moves[child]
    return sizes


@kernel
def _follow(end: Any, moves: Any, sizes: Any, before: Any, left: Any, new: Any) -> None:
    """Fill in `before`, `left` and `new`."""
    for row in range(len(end)):
        if before[row] >= 0:
            left[row] = left[before[row]]
        child, last = row + 1, -1
        while child < end[row]:
            if last >= 0 and moves[last] == moves[child]:
                before[child] = last
            elif before[row] >= 0:
                before[child] = _visit_in(before[row], moves[child], end, moves, before)
                if before[child] < 0:
                    new[child] = sizes[child]
                    left[row] = max(0.0, left[row] - sizes[child])
            child, last = end[child], child


@kernel
def _visit_in(row: int, move: int, end: Any, moves: Any, before: Any) -> int:
    """The last search of a move in a visit of a node, or in one before that; -1 if none searched it."""
    found = -1
    while row >= 0 and found < 0:
        child = row + 1
        while child < end[row]:
            if moves[child] == move:
                found = child
            child = end[child]
        row = before[row]
    return found
