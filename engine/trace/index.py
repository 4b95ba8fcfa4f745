"""The shape of a record, computed once: where each subtree ends, each node's parent, and the nodes of each ply.

Without it a question about one node would look through its subtree.
"""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

TAPE_BYTES, INDEX_BYTES = 8, 13
"""Bytes a node: of the record itself, which each worker of a search writes in memory of its own, and of its index."""


class Index:
    """The derived columns of a record in preorder."""

    def __init__(self, left: NDArray[np.int8]) -> None:
        """`left` is the number of plies left to the horizon, of each row; a child has one less than its parent."""
        self.left = left
        self._top = int(left[0]) if len(left) else 0
        self.end = np.full(len(left), len(left), np.int32)
        """The first row after each row's subtree."""
        self.parent = np.zeros(len(left), np.int32)
        """The row of each row's parent; 0 for the root."""
        self.plies: list[NDArray[np.int32]] = []
        """The rows of each ply, ascending; the root is ply 0."""
        for plies_left in range(self._top, -1, -1) if len(left) else ():
            rows = np.flatnonzero(left == plies_left).astype(np.int32)
            if not len(rows):
                break
            self._add(rows)
        self._left, self._end, self._parent = self.left.data, self.end.data, self.parent.data
        """The same, for single rows: a memoryview gives a Python number, in a fifth of an array's time."""

    def children(self, row: int) -> list[int]:
        """The rows of a node's recorded children, ascending: each begins where the subtree before it ends."""
        found, child, end = list[int](), row + 1, self._end[row]
        while child < end:
            found.append(child)
            child = self._end[child]
        return found

    def path(self, row: int) -> list[int]:
        """The rows from the root down to a row."""
        path = [row]
        while row:
            row = self._parent[row]
            path.append(row)
        return path[::-1]

    def siblings_before(self, row: int) -> list[int]:
        """The rows of its parent's children before a row, ascending; none for the root."""
        siblings = self.children(self._parent[row])
        return siblings[: bisect_left(siblings, row)]

    def ply(self, row: int) -> int:
        """The ply of a row."""
        return self._top - self._left[row]

    def end_of(self, row: int) -> int:
        """The first row after a row's subtree."""
        return self._end[row]

    def parent_of(self, row: int) -> int:
        """The row of a row's parent; 0 for the root."""
        return self._parent[row]

    def entered(self, row: int) -> int:
        """The moment at which a row is entered: see `engine.trace.replay`."""
        return 2 * row - self._top + self._left[row]

    def left_at(self, row: int) -> int:
        """The moment at which a row is left."""
        return 2 * self._end[row] - self._top + self._left[row] - 1

    def _add(self, rows: NDArray[np.int32]) -> None:
        """Add the rows of the next ply. A subtree ends at the next row of its ply, or with its parent's."""
        ends = np.append(rows[1:], np.int32(len(self.left)))
        if self.plies:
            above = self.plies[-1]
            children = np.diff(rows.searchsorted(above), append=len(rows))
            self.parent[rows] = np.repeat(above, children)
            np.minimum(ends, np.repeat(self.end[above], children), out=ends)
        self.end[rows] = ends
        self.plies.append(rows)
