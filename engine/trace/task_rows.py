"""The tasks of a parallel search by the rows of its record: who searched a row, and when it was entered."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.result import Task
from engine.trace.widths import SHORTEST

ABOVE = -1
"""In place of a worker's number: a node above the tasks."""


class TaskRows:
    """The tasks of a search that have rows in its record."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        found = sorted(
            (it.first_row, it.end_row, it.worker, it.start, it.end, it.nodes)
            for it in tasks
            if it.first_row < it.end_row
        )
        columns = np.array(found or [(0, 0, 0, 0, 1, 1)], np.float64).T
        self._has_tasks = bool(found)
        self._first, self._end, self._worker = columns[:3].astype(np.int64)
        self._start, self._pace = columns[3], np.maximum(columns[4] - columns[3], SHORTEST) / columns[5]

    def workers(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """The worker that searched each row; ABOVE the tasks. Shaped as `rows`."""
        task = self._before(rows)
        return np.where(self._is_above(rows, task), ABOVE, self._worker[task])

    def shares_of_time(self, rows: NDArray[np.int32], ends: NDArray[np.int32]) -> NDArray[np.float64]:
        """The share of the time of the tasks, 0 to 1, after which each of `rows` was entered, interpolated; shaped as
        `rows`. A node above the tasks was entered with the first task below it.

        `ends` are the ends of all rows' subtrees. Without tasks, all rows have equal times, in their order.
        """
        if not self._has_tasks:
            return rows / len(ends)
        task, start, pace = self._before(rows), self._start, self._pace
        seconds = start[task] + (rows - self._first[task]) * pace[task]
        above = self._is_above(rows, task)
        if above.any():
            below = [self._first.searchsorted(edges) for edges in (rows[above], ends[rows[above]])]
            firsts = np.minimum.reduceat(np.append(start, np.inf), np.stack(below, axis=1).ravel())
            seconds[above] = firsts[::2]
        last = (start + (self._end - self._first) * pace).max()
        return np.clip((seconds - start.min()) / (last - start.min()), 0, 1)

    def _before(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """The last task that begins at or before each row; the first task where none does."""
        return np.maximum(self._first.searchsorted(rows, "right") - 1, 0)

    def _is_above(self, rows: NDArray[np.int32], task: NDArray[np.int64]) -> NDArray[np.bool_]:
        return (rows < self._first[task]) | (rows >= self._end[task])
