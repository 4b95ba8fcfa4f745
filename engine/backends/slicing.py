"""Lets the workers of a search go on, slice after slice, until it has ended or a limit is reached.

Between slices nothing runs, so all memory can be read as it is.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from engine.backends.state import SearchState
from engine.control import MIN_PACE, Control
from engine.job import Limit, Parallel
from engine.kernels import worker_memory
from engine.kernels.task_tree import END, NODE, PLY, TASK, Split, deal, deal_in_order, eldest_first, has_tasks
from engine.registry import Prepared
from engine.result import End

SLICE_NODES = 1_000_000
"""A worker's first slice: some 10 ms. Shorter ones cost: what stands between two is interpreted, and threads meet."""
SHORT, LONG = 0.004, 0.012
"""Seconds: a shorter slice is followed by a longer one, a longer by a shorter. A stop waits for the end of a slice."""

PATIENCE = 10_000_000
"""For how many ns a worker waits for a younger brother's turn, if no other needs its core: about a slice."""

RunSlice = Callable[[Prepared, SearchState, NDArray[np.int64]], None]
"""Lets worker w visit about `budgets[w]` nodes."""


class Slices:
    """A search in slices, one pass after another; `end` and `seconds` say what became of it."""

    def __init__(self, limit: Limit, control: Control, run_slice: RunSlice) -> None:
        self.end = End.COMPLETE
        self._limit, self._control, self._run_slice = limit, control, run_slice
        self._spent = self._since = 0

    def begin(self, now: int) -> None:
        """Time counts from now on, a monotonic time in ns; where this is not called, from the first slice on."""
        self._since = now

    @property
    def seconds(self) -> float:
        """Spent searching so far. Waiting for leave to go on does not count."""
        return self._spent / 1e9

    @property
    def nanoseconds(self) -> int:
        """The same, to the last count: the search's own clock."""
        return self._spent

    def run(self, prepared: Prepared, report: SearchState, turns: Iterable[list[int]]) -> Iterator[None]:
        """Give the workers of each turn a slice; nobody's turn is a moment of rest. Yields when there is something to
        show."""
        limit, workers = self._limit, len(report.crew.state)
        slice_nodes, told = SLICE_NODES, 0.0
        for turn, active in enumerate(turns):
            # 1. Tell how far it is, and wait for leave to go on.
            self.count_time()
            now = time.monotonic()
            if self._control.held_back or now - told >= MIN_PACE:
                told = now
                yield
            granted = self._control.grant(slice_nodes * len(active))
            self._since = time.monotonic_ns()
            # 2. Mind the limits.
            if self._control.stopped:
                self.end = End.STOPPED
                return
            if limit.seconds is not None and self._spent >= limit.seconds * 1e9:
                self.end = End.SECONDS
                return
            if not active:
                continue
            if limit.nodes is not None:
                granted = self._allowed(report, granted, active, limit.nodes)
                if granted <= 0:
                    self.end = End.NODES
                    return
            # 3. Go on, and see that whole slices are neither short, which costs, nor long, which makes a stop wait.
            before = _visited(report)
            stepping = self._control.paused
            counted = report.counters().nodes if stepping else 0
            report.crew.state[:, worker_memory.EPOCH] = self._since - self._spent
            self._run_slice(prepared, report, _budgets(granted, active, turn, workers))
            visited = _visited(report) - before
            if stepping:
                self._control.give_back(max(0, granted - (report.counters().nodes - counted)))
            lasted = (time.monotonic_ns() - self._since) / 1e9
            if lasted < SHORT and visited >= slice_nodes * len(active):
                slice_nodes *= 2
            elif lasted > LONG:
                slice_nodes = max(1000, slice_nodes // 2)
        self.count_time()

    def count_time(self) -> None:
        """Count what has passed since the last count."""
        now = time.monotonic_ns()
        if self._since:
            self._spent += now - self._since
        self._since = now

    def go_on_from(self, moment: int) -> None:
        """Set the clock forward to a moment, in ns, if it is later; what passed since the last count is left out."""
        self._spent = max(self._spent, moment)
        self._since = time.monotonic_ns()

    def _allowed(self, report: SearchState, granted: int, active: list[int], nodes: int) -> int:
        """What the limit of nodes leaves of a grant. Taking a task may visit as many nodes as there are plies above
        it; where that is too much for all, only one worker stays in `active`: one that need not wait for others."""
        left, above = nodes - report.counters().nodes, plies_above(report)
        if left <= above * len(active):
            active[:] = [max(active, key=lambda worker: report.crew.state[worker, worker_memory.TASK] >= 0)]
        return min(granted, left - above * len(active))


def plies_above(report: SearchState) -> int:
    """Above the deepest task."""
    return int(report.tree.nodes[report.tree.tasks[:, NODE], PLY].max())


def turns(prepared: Prepared, report: SearchState) -> Iterator[list[int]]:
    """The workers that have something to do, slice after slice until none has. With a bound to share, tasks are dealt
    in stages, eldest brother first. Of lazy workers the first to come to an end ends the search."""
    tree, workers = report.tree, len(report.crew.state)
    if prepared.is_lazy:
        while not tree.tasks[:, END].any():
            yield busy(report)
        tree.nodes[0, TASK] = np.flatnonzero(tree.tasks[:, END])[0]
        return
    for first, last in stages(prepared, tree):
        if prepared.job.parallel is Parallel.YBW:
            deal_in_order(tree, first, last, PATIENCE if workers <= (os.cpu_count() or 1) else 0)
        else:
            deal(tree, first, last, prepared.job.schedule, workers)
        while active := busy(report):
            yield active


def stages(prepared: Prepared, tree: Split) -> list[tuple[int, int]]:
    """The tasks that are handed out at the same time, [first, last), one stage after the other."""
    in_stages = prepared.algorithm.prunes and prepared.job.parallel is not Parallel.YBW
    return eldest_first(tree) if in_stages else [(0, len(tree.tasks))]


def busy(report: SearchState) -> list[int]:
    """The workers that have a task, or could take one of those handed out."""
    tasks = report.crew.state[:, worker_memory.TASK].tolist()
    return [worker for worker, task in enumerate(tasks) if task >= 0 or has_tasks(report.tree, worker)]


def _visited(report: SearchState) -> int:
    """Below the tasks. A list is summed sooner than an array of so few."""
    return sum(report.crew.state[:, worker_memory.NODES].tolist())


def _budgets(granted: int, active: list[int], turn: int, workers: int) -> NDArray[np.int64]:
    """Share out what was granted; where it is too little for all, another worker begins each time."""
    budgets = np.zeros(workers, np.int64)
    for place, worker in enumerate(active):
        budgets[worker] = (granted + (place + turn) % len(active)) // len(active)
    return budgets
