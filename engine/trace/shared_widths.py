"""The horizontal extents of a record's nodes where a node's width is shared among its moves, computed by kernels.

A move that was searched several times in a row has one share, which its searches have in equal parts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit.kernel import kernel
from engine.kernels.worker_memory import WHY
from engine.trace.index import Index


def extents(
    index: Index, place: NDArray[np.uint16], unsearched: NDArray[np.float64], own: int
) -> tuple[float, NDArray[np.float64], NDArray[np.float32]]:
    """The width of the root, and each node's left edge and width as parts of it; both [rows], ply by ply.

    A node gives its moves shares in proportion to their weights. The weight of a row is 1 if `own` is 0; else it is
    `own` more than the sum of those of its moves. `unsearched` is the weight of a row's unsearched moves together,
    [rows]; `place` is the record's column of that name, of `ROW_TYPE`.
    """
    moves = place % WHY
    weights = np.ones(len(place))
    totals = _totals(index.end, moves, unsearched, own, weights)
    begins = np.cumsum([0, *map(len, index.plies)])
    whole = float(weights[0]) if own else float(len(place))
    left, width = np.zeros(len(place)), np.zeros(len(place), np.float32)
    _lay_out(index.left, index.end, weights, totals, begins, left, width)
    return whole, left, width


@kernel
def _totals(end: Any, moves: Any, unsearched: Any, own: int, weights: Any) -> Any:
    """The sum of the weights of each row's moves, [rows]. Divides `weights` by the searches of the row's move; where
    `own` is not 0 it fills them in first."""
    totals = np.zeros(len(end))
    for row in range(len(end) - 1, -1, -1):
        total, child = unsearched[row], row + 1
        while child < end[row]:
            after, searches = end[child], 1
            while after < end[row] and moves[after] == moves[child]:
                after, searches = end[after], searches + 1
            while child < after:
                weights[child] /= searches
                total += weights[child]
                child = end[child]
        totals[row] = total
        if own != 0:
            weights[row] = own + total
    return totals


@kernel
def _lay_out(left: Any, end: Any, weights: Any, totals: Any, begins: Any, edges: Any, widths: Any) -> None:
    """Fill in `edges` and `widths`: a node's moves stand side by side from its left edge on, in the order of the rows.
    `begins` are the numbers of the first nodes of the plies."""
    numbers, free, scale = begins.copy(), np.zeros(len(begins)), np.zeros(len(begins))
    for row in range(len(end)):
        ply = left[0] - left[row]
        edge, width = 0.0, 1.0
        if ply > 0:
            edge, width = free[ply - 1], weights[row] * scale[ply - 1]
            free[ply - 1] += width
        edges[numbers[ply]], widths[numbers[ply]] = edge, width
        numbers[ply] += 1
        free[ply], scale[ply] = edge, width / totals[row] if totals[row] > 0 else 0.0
