"""Where each worker of a parallel search was at a moment of the replay: the real time of the moment gives the task of
each worker, and the share of the task's time the row in it.

The record has the time at which each task began and ended, but no time of a row. A row inside a task is therefore
interpolated and not measured: each node of a task counts as much of its time. The rows of a record have the order of a
serial search, so that later moments may have earlier times.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple, Self

from engine.result import Result, Task

ROUNDING = 1e-3
"""The share of a node that a row may lack after its time was computed from it."""


class Place(NamedTuple):
    """Where one worker was."""

    worker: int
    task: Task | None
    """None between two tasks, before the first and after the last."""
    row: int | None = None
    """The row that it entered last, interpolated; None without a task, and where the record does not have it."""
    is_done: bool = False
    """Whether its last task had ended; false for a worker that never has a task."""
    is_own: bool = False
    """Whether it is the worker that the moment belongs to."""


class Work(NamedTuple):
    """What one worker had done until a time."""

    nodes: int
    """The nodes of its tasks, those of an unfinished one interpolated."""
    busy: float
    """The seconds in which it had a task."""
    seconds: float
    """The time, since the start of the search."""

    @property
    def idle(self) -> float | None:
        """The share of the time, 0 to 1, in which it had no task; None if no time had passed."""
        return max(0.0, 1 - self.busy / self.seconds) if self.seconds > 0 else None

    @property
    def rate(self) -> float | None:
        """Nodes a second, idle or not; None if no time had passed."""
        return self.nodes / self.seconds if self.seconds > 0 else None


class Workers:
    """The workers of one search of a root, each with its tasks in the order of time."""

    def __init__(self, tasks: Iterable[Task], count: int) -> None:
        """`tasks` are those of all workers, of which there are `count`."""
        found = list(tasks)
        by_worker = defaultdict[int, list[Task]](list)
        for task in sorted(found, key=lambda task: (task.start, task.end)):
            by_worker[task.worker].append(task)
        self._own = [by_worker[worker] for worker in range(count)]
        self._nodes = [[0, *accumulate(task.nodes for task in own)] for own in self._own]
        self._busy = [[0.0, *accumulate(task.end - task.start for task in own)] for own in self._own]
        """The sums over the first tasks of each worker."""
        self.recorded = sorted(
            (task for task in found if task.first_row < task.end_row), key=lambda task: task.first_row
        )
        """The tasks with rows in the record, in their order there."""

    @classmethod
    def of(cls, result: Result) -> Self:
        """The workers of a result."""
        return cls(result.tasks, len(result.info.workers))

    def __len__(self) -> int:
        return len(self._own)

    def task_of(self, row: int) -> Task | None:
        """The task that a row belongs to; None above the tasks."""
        place = bisect_right(self.recorded, row, key=lambda task: task.first_row) - 1
        return self.recorded[place] if place >= 0 and row < self.recorded[place].end_row else None

    def seconds(self, row: int) -> float | None:
        """The time at which a row was entered, in seconds since the start of the search, interpolated; None above the
        tasks."""
        task = self.task_of(row)
        return None if task is None else task.start + (task.end - task.start) * (row - task.first_row) / task.nodes

    def at(self, seconds: float) -> tuple[Place, ...]:
        """Where each worker was at a time, in seconds since the start of the search."""
        return tuple(self._at(worker, seconds) for worker in range(len(self._own)))

    def places(self, row: int) -> tuple[Place, ...]:
        """Where each worker was when a row was entered; none above the tasks, which have no time."""
        seconds, own = self.seconds(row), self.task_of(row)
        if seconds is None or own is None:
            return ()
        return tuple(
            Place(place.worker, own, row, is_own=True) if place.worker == own.worker else place
            for place in self.at(seconds)
        )

    def work(self, seconds: float) -> tuple[Work, ...]:
        """What each worker had done until a time, in seconds since the start of the search."""
        return tuple(self._work(worker, seconds) for worker in range(len(self._own)))

    def _at(self, worker: int, seconds: float) -> Place:
        ended, task = self._tasks_at(worker, seconds)
        if task is None:
            return Place(worker, None, is_done=0 < ended == len(self._own[worker]))
        row = task.first_row + _nodes_before(task, seconds)
        return Place(worker, task, row if row < task.end_row else None)

    def _work(self, worker: int, seconds: float) -> Work:
        ended, task = self._tasks_at(worker, seconds)
        nodes, busy = self._nodes[worker][ended], self._busy[worker][ended]
        if task is not None:
            nodes, busy = nodes + min(task.nodes, _nodes_before(task, seconds) + 1), busy + seconds - task.start
        return Work(nodes, busy, seconds)

    def _tasks_at(self, worker: int, seconds: float) -> tuple[int, Task | None]:
        """How many of a worker's tasks had ended, and the one that it had."""
        begun = bisect_right(self._own[worker], seconds, key=lambda task: task.start)
        task = self._own[worker][begun - 1] if begun else None
        return (begun, None) if task is None or seconds >= task.end else (begun - 1, task)


def _nodes_before(task: Task, seconds: float) -> int:
    """The nodes of a task before the one that it had at a time, interpolated."""
    return int((seconds - task.start) / (task.end - task.start) * task.nodes + ROUNDING)
