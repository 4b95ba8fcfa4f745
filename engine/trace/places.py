"""Where the nodes of a record stand in its picture: the horizontal extent of each, for three meanings of width.

A node's extent has those of all its moves, searched or not, in the order of the search; the unsearched moves are last.
"""

import itertools
from abc import ABC, abstractmethod
from enum import IntEnum, StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import WHY
from engine.trace.index import Index


class Gap(IntEnum):
    """The kind of a place without a node."""

    NONE = 0
    """There is no move."""
    PRUNED = 1
    UNVISITED = 2
    UNRECORDED = 3
    KNOWN = 4
    """Below a position whose value was in the table."""


class Unsearched(NamedTuple):
    """The unsearched moves of each node; both arrays have the shape [rows]."""

    moves: NDArray[np.uint8]
    """Their number; 0 at a leaf."""
    nodes: NDArray[np.float64]
    """The nodes of minimax below them."""
    exact: bool
    """Whether `nodes` are counted, not estimated."""


class Width(StrEnum):
    """The meaning of a node's width."""

    MINIMAX = "minimax"
    """The nodes that minimax visits below it: unsearched moves have their width too."""
    VISITED = "visited"
    """The nodes that the search visited below it."""
    EQUAL = "equal"
    """An equal share of its parent for every legal move."""


class Places(ABC):
    """The extents of a record's nodes, each from its left to its right edge."""

    def __init__(self, index: Index, whole: float, missing: NDArray[np.uint8]) -> None:
        self._index = index
        self.whole = whole
        """The width of the root, whose left edge is 0."""
        self.missing = missing
        """The number of unsearched moves of each row that have a width; [rows]."""

    @abstractmethod
    def find(self, ply: int, wanted: NDArray[np.float64]) -> NDArray[np.int64]:
        """For each place the number, within its ply, of the last node that begins there or before; -1 if none does."""

    @abstractmethod
    def edges(self, ply: int, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The left and right edges of these nodes of a ply."""

    def rows(self, ply: int) -> NDArray[np.int32]:
        """The rows of a ply, from left to right; a node's number is its place here."""
        return self._index.plies[ply]

    def numbers(self, ply: int, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """The numbers of rows of a ply."""
        return self.rows(ply).searchsorted(rows)

    def extent(self, row: int) -> tuple[float, float]:
        """The left and right edge of a row."""
        ply = self._index.ply(row)
        left, right = self.edges(ply, self.numbers(ply, np.array([row], np.int32)))
        return float(left[0]), float(right[0])

    def around(self, first: float, end: float) -> int:
        """The row of the deepest node whose extent holds that from `first` to `end`; 0 if there is none."""
        row = 0
        for ply in range(len(self._index.plies)):
            number = self.find(ply, np.array([first]))
            left, right = self.edges(ply, number)
            if number[0] < 0 or left[0] > first or right[0] < end:
                break
            row = int(self.rows(ply)[number[0]])
        return row


class Visited(Places):
    """Widths by visited nodes: a place is a row. Unsearched moves have none."""

    def __init__(self, index: Index) -> None:
        super().__init__(index, float(len(index.end)), np.broadcast_to(np.uint8(0), len(index.end)))

    def find(self, ply: int, wanted: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._index.plies[ply].searchsorted(wanted.astype(np.int32), "right") - 1

    def edges(self, ply: int, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rows = self._index.plies[ply][numbers]
        return rows.astype(np.float64), self._index.end[rows].astype(np.float64)


class Shared(Places):
    """Widths of which each node gives a share to each of its moves. 16 bytes a row."""

    def __init__(
        self,
        index: Index,
        whole: float,
        weight: NDArray[np.float64],
        total: NDArray[np.float64],
        missing: NDArray[np.uint8],
    ) -> None:
        """A node, [rows], has `weight` of the `total` of its parent."""
        super().__init__(index, whole, missing)
        self._left, self._right = [np.zeros(1)], [np.full(1, whole)]
        for above, rows in itertools.pairwise(index.plies):
            parents = above.searchsorted(index.parent[rows])
            left, width = self._left[-1][parents], (self._right[-1] - self._left[-1])[parents]
            weights = weight[rows]
            before = np.cumsum(weights) - weights
            begins = np.flatnonzero(np.diff(parents, prepend=-1))
            before -= np.repeat(before[begins], np.diff(begins, append=len(rows)))
            scale = width / total[index.parent[rows]]
            self._left.append(left + before * scale)
            self._right.append(self._left[-1] + weights * scale)

    def find(self, ply: int, wanted: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._left[ply].searchsorted(wanted, "right") - 1

    def edges(self, ply: int, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self._left[ply][numbers], self._right[ply][numbers]


def shared(width: Width, index: Index, place: NDArray[np.uint16], left_out: Unsearched) -> Shared:
    """The places of a record's nodes, EQUAL or by MINIMAX; `place` is its column of that name, of `ROW_TYPE`."""
    share = np.ones(len(place))
    for rows in index.plies[1:]:
        searches = np.diff(np.flatnonzero(~repeats(rows, index, place)), append=len(rows))
        share[rows] = np.repeat(1 / searches, searches)
    if width is Width.EQUAL:
        total = left_out.moves.astype(np.float64)
        for above, rows in itertools.pairwise(index.plies):
            total[above] += _sums(above, rows, index, share)
        return Shared(index, float(len(place)), share, total, left_out.moves)
    sizes = 1 + left_out.nodes
    for rows, above in itertools.pairwise(index.plies[::-1]):
        sizes[above] += _sums(above, rows, index, sizes * share)
    return Shared(index, float(sizes[0]), sizes * share, sizes - 1, left_out.moves)


def repeats(rows: NDArray[np.int32], index: Index, place: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Whether each of the rows of one ply is another search of the move of the row before it."""
    same = np.zeros(len(rows), np.bool_)
    parents, moves = index.parent[rows], place[rows] % WHY
    same[1:] = (parents[1:] == parents[:-1]) & (moves[1:] == moves[:-1])
    return same


def _sums(
    above: NDArray[np.int32], rows: NDArray[np.int32], index: Index, weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sum of `weight` over the children of each row of the ply `above`; `rows` are those of the next ply."""
    return np.bincount(above.searchsorted(index.parent[rows]), weight[rows], len(above)).astype(np.float64)
