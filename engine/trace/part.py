"""The part of a record that tells the newest events of a search, while the search still writes it.

Of the nodes that have ended, an event's path shows only the children of open nodes. The part holds the open nodes and
those children: a few hundred rows, whatever the length of the record. Its moments are those of the whole record.
"""

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import CUTOFF, LEFT
from engine.result import Snapshot
from engine.rules.contract import Position
from engine.trace.index import Index
from engine.trace.record import Trace
from engine.trace.replay import Replay


class EventSnapshot(Snapshot, frozen=True, gc=False, kw_only=True):
    """A snapshot of a running search at one event. `path` and the counters are those of that moment."""

    replay: "Part"
    moment: int


class Part(Replay):
    """The newest moments of a record of `rows` rows, from the entry of the last row but one in the part to `last`."""

    def __init__(
        self,
        root: Position,
        words: NDArray[np.int64],
        numbers: NDArray[np.int64],
        rows: int,
        unit: int,
        estimates: bool = True,
    ) -> None:
        """`words` are the rows with these numbers, ascending. `unit` and `estimates` are those of the record."""
        trace = Trace(root, words, len(words), unit, estimates)
        trace.index = _Index((trace.rows["place"] // LEFT).astype(np.int8), np.append(numbers, rows))
        super().__init__(trace)
        self.last += 2 * (rows - len(words))

    def newest(self, moment: int) -> int:
        return bisect_right(range(len(self.trace)), moment, key=self.entered) - 1

    @property
    def cutoffs(self) -> NDArray[np.int32]:
        cut = np.flatnonzero(self.trace.whys == CUTOFF).tolist()
        return np.array(sorted(self.left(row) - 1 for row in cut), np.int32)


def shown(words: NDArray[np.int64], root: Position) -> NDArray[np.int64]:
    """The indices of the rows whose parent is open when the last row is entered: no later row has a smaller ply."""
    left = Trace(root, words, len(words)).rows["place"] // LEFT
    return np.flatnonzero(np.maximum.accumulate(left[::-1])[::-1] == left)


class _Index(Index):
    """The index of the part, with the moments of the whole record."""

    def __init__(self, left: NDArray[np.int8], numbers: NDArray[np.int64]) -> None:
        """`numbers` are the rows' numbers in the whole record, and the number of its rows."""
        super().__init__(left)
        self._numbers = numbers

    def entered(self, row: int) -> int:
        return 2 * int(self._numbers[row]) - self.ply(row)

    def left_at(self, row: int) -> int:
        return 2 * int(self._numbers[self.end[row]]) - self.ply(row) - 1
