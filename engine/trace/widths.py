"""Where the nodes of a record stand in its picture: the horizontal extent of each, for four meanings of width.

A node's extent has those of all its moves, searched or not, in the order of the search; the unsearched moves are last.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import WHY
from engine.trace.index import Index

if TYPE_CHECKING:
    from engine.result import Task


class Gap(IntEnum):
    """The kind of a place without a node."""

    NONE = 0
    """There is no move."""
    PRUNED = 1
    UNVISITED = 2
    UNRECORDED = 3
    KNOWN = 4
    """Below a position whose value was in the table."""


SHORTEST = 1e-9
"""Seconds: the least time of a task, so that each node has a width, and of a record."""


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
    TIME = "time"
    """The time of the workers below it. Each node of a task has an equal share of the task's time; the nodes above the
    tasks have none of their own."""
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
    def edges(self, ply: int, numbers: NDArray[np.int64] | np.int64) -> tuple[Any, Any]:
        """The left and right edges of these nodes of a ply, or of one."""

    def rows(self, ply: int) -> NDArray[np.int32]:
        """The rows of a ply, from left to right; a node's number is its place here."""
        return self._index.plies[ply]

    def numbers(self, ply: int, rows: NDArray[np.int32] | np.int32) -> Any:
        """The numbers of rows of a ply, or of one."""
        return self.rows(ply).searchsorted(rows)

    def extent(self, row: int) -> tuple[float, float]:
        """The left and right edge of a row."""
        ply = self._index.ply(row)
        left, right = self.edges(ply, self.numbers(ply, np.int32(row)))
        return float(left), float(right)

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

    def edges(self, ply: int, numbers: NDArray[np.int64] | np.int64) -> tuple[Any, Any]:
        rows = self._index.plies[ply][numbers]
        return rows.astype(np.float64), self._index.end[rows].astype(np.float64)


class Timed(Places):
    """Widths by TIME, as if the tasks had been searched in the order of the record. Unsearched moves have none. The
    unit of a place is the mean time of a row. 16 bytes a row."""

    def __init__(self, index: Index, tasks: Iterable["Task"]) -> None:
        """`tasks` are those of the record; one without rows in it does not count."""
        rows = len(index.end)
        begins = np.zeros(rows + 1)
        for task in tasks:
            if task.first_row < task.end_row:
                begins[task.first_row + 1 : task.end_row + 1] = max(task.end - task.start, SHORTEST) / task.nodes
        np.cumsum(begins, out=begins)
        begins[-1] = max(begins[-1], SHORTEST)  # all rows may be above the tasks
        begins *= rows / begins[-1]
        super().__init__(index, float(begins[-1]), np.broadcast_to(np.uint8(0), rows))
        self._begins, self._left = begins, [begins[rows] for rows in index.plies]

    def find(self, ply: int, wanted: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._left[ply].searchsorted(wanted, "right") - 1

    def edges(self, ply: int, numbers: NDArray[np.int64] | np.int64) -> tuple[Any, Any]:
        return self._left[ply][numbers], self._begins[self._index.end[self._index.plies[ply][numbers]]]


class Shared(Places):
    """Widths that each node divides among its moves. 12 bytes a row."""

    def __init__(
        self,
        index: Index,
        whole: float,
        left: NDArray[np.float64],
        width: NDArray[np.float32],
        missing: NDArray[np.uint8],
    ) -> None:
        """`left` and `width` are those of the nodes ply by ply, as parts of `whole`; both [rows]."""
        super().__init__(index, whole, missing)
        ends = np.cumsum([len(rows) for rows in index.plies])[:-1]
        self._left, self._width = np.split(left, ends), np.split(width, ends)

    def find(self, ply: int, wanted: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._left[ply].searchsorted(wanted / self.whole, "right") - 1

    def edges(self, ply: int, numbers: NDArray[np.int64] | np.int64) -> tuple[Any, Any]:
        left = self._left[ply][numbers]
        return left * self.whole, (left + self._width[ply][numbers]) * self.whole


def shared(width: Width, index: Index, place: NDArray[np.uint16], left_out: Unsearched) -> Shared:
    """The places of a record's nodes, EQUAL or by MINIMAX; `place` is its column of that name, of `ROW_TYPE`."""
    from engine.trace.shared_widths import extents  # here: numba is slow to import

    by_nodes = width is Width.MINIMAX
    unsearched = left_out.nodes if by_nodes else left_out.moves.astype(np.float64)
    return Shared(index, *extents(index, place, unsearched, int(by_nodes)), left_out.moves)


def repeats(rows: NDArray[np.int32], index: Index, place: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Whether each of the rows of one ply is another search of the move of the row before it."""
    same = np.zeros(len(rows), np.bool_)
    parents, moves = index.parent[rows], place[rows] % WHY
    same[1:] = (parents[1:] == parents[:-1]) & (moves[1:] == moves[:-1])
    return same
