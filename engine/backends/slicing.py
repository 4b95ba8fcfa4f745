"""Runs the workers of a search in slices until it is complete or a limit is reached.

Between slices no worker runs, so all memory can be read without a lock.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from engine.backends.state import SearchState
from engine.control import MIN_PACE, Control
from engine.kernels.task_tree import Split, deal, deal_in_order, eldest_first, has_tasks
from engine.options.catalogue import Limit
from engine.options.choices import Parallel
from engine.prepare import Prepared
from engine.result import End

SLICE_NODES, INTERPRETED_NODES = 1_000_000, 2_000
"""Nodes of a worker's first slice: some 10 ms. Shorter slices are slower: interpreted code runs and threads meet
between two slices."""
SHORT, LONG = 4_000_000, 12_000_000
"""Processor time in ns. After a slice shorter than SHORT the next is longer; after one longer than LONG it is shorter.
A stop waits for the end of a slice. Time by the clock would shorten all slices while other programs use the cores: each
then takes the 15 ms that its threads wait for a core, whatever its nodes."""

PATIENCE = 10_000_000
"""Time in ns that a worker waits for a younger brother that may be searched, if no other needs its core: about a
slice."""

RunSlice = Callable[[Prepared, SearchState, NDArray[np.int64]], None]
"""Runs each worker w for about `budgets[w]` nodes."""


class Slices:
    """The slices of a search, for all its passes. `end` is the reason of its end, `seconds` its duration."""

    def __init__(self, limit: Limit, control: Control, run_slice: RunSlice) -> None:
        self.end = End.COMPLETE
        self._limit, self._control, self._run_slice = limit, control, run_slice
        self._spent = self._since = 0

    def begin(self, now: int) -> None:
        """Start the clock at `now`, a monotonic time in ns. Without this call it starts at the first slice."""
        self._since = now

    @property
    def seconds(self) -> float:
        """The time spent searching. It does not include pauses and throttling."""
        return self._spent / 1e9

    @property
    def nanoseconds(self) -> int:
        """The search's own clock in ns, at the last `count_time`."""
        return self._spent

    def run(self, prepared: Prepared, report: SearchState, turns: Iterable[list[int]]) -> Iterator[None]:
        """Run a slice for each list of workers in `turns`; an empty list runs nobody. Yields between slices, at most 60
        times a second unless the search is throttled."""
        limit, workers = self._limit, len(report.crew.state)
        slice_nodes, told = first_slice(prepared), 0.0
        for turn, active in enumerate(turns):
            # 1. Yield for a snapshot, and wait for a grant of nodes.
            self.count_time()
            now = time.monotonic()
            if self._control.held_back or now - told >= MIN_PACE:
                told = now
                yield
            granted = self._control.grant(slice_nodes * len(active))
            self._since = time.monotonic_ns()
            # 2. Check the limits.
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
            # 3. Run the slice, and adjust the length of the next to SHORT ... LONG.
            before, used = _visited(report), report.crew.state["cpu"].copy()
            stepping = self._control.paused
            counted = report.counters().nodes if stepping else 0
            report.crew.state["epoch"] = self._since - self._spent
            report.crew.state["called"] = time.monotonic_ns()
            self._run_slice(prepared, report, _budgets(granted, active, turn, workers))
            visited = _visited(report) - before
            if stepping:
                self._control.give_back(max(0, granted - (report.counters().nodes - counted)))
            lasted = int((report.crew.state["cpu"] - used).max())
            if lasted < SHORT and visited >= slice_nodes * len(active):
                slice_nodes *= 2
            elif lasted > LONG:
                slice_nodes = max(1000, slice_nodes // 2)
        self.count_time()

    def count_time(self) -> None:
        """Add the time since the last count to the clock."""
        now = time.monotonic_ns()
        if self._since:
            self._spent += now - self._since
        self._since = now

    def go_on_from(self, moment: int) -> None:
        """Set the clock forward to `moment`, in ns, if that is later. The time since the last count is not added."""
        self._spent = max(self._spent, moment)
        self._since = time.monotonic_ns()

    def _allowed(self, report: SearchState, granted: int, active: list[int], nodes: int) -> int:
        """The part of a grant that the node limit allows. Taking a task may visit one node for each ply above it. If
        the limit has no room for that for all workers, only one that need not wait for others stays in `active`."""
        left, above = nodes - report.counters().nodes, plies_above(report)
        if left <= above * len(active):
            active[:] = [max(active, key=lambda worker: report.crew.state[worker]["task"] >= 0)]
        return min(granted, left - above * len(active))


def first_slice(prepared: Prepared) -> int:
    """The number of nodes of a worker's first slice."""
    return INTERPRETED_NODES if prepared.job.backend == "interpreted" else SLICE_NODES


def plies_above(report: SearchState) -> int:
    """The number of plies above the deepest task."""
    return int(report.tree.nodes[report.tree.tasks["node"]]["ply"].max())


def turns(prepared: Prepared, report: SearchState) -> Iterator[list[int]]:
    """The active workers of each slice, until none has a task. Algorithms that share a bound deal their tasks in
    stages, eldest brother first. The first lazy worker to finish ends the search."""
    tree, workers = report.tree, len(report.crew.state)
    if prepared.is_lazy:
        while not tree.tasks["end"].any():
            yield busy(report)
        tree.nodes[0]["task"] = np.flatnonzero(tree.tasks["end"])[0]
        return
    for first, last in stages(prepared, tree):
        if prepared.job.parallel is Parallel.YBW:
            deal_in_order(tree, first, last, PATIENCE if workers <= (os.cpu_count() or 1) else 0)
        else:
            deal(tree, first, last, prepared.job.schedule, workers)
        while active := busy(report):
            yield active


def stages(prepared: Prepared, tree: Split) -> list[tuple[int, int]]:
    """The stages of a search: ranges of tasks [first, last) that are dealt together."""
    in_stages = prepared.algorithm.prunes and prepared.job.parallel is not Parallel.YBW
    return eldest_first(tree) if in_stages else [(0, len(tree.tasks))]


def busy(report: SearchState) -> list[int]:
    """The workers that have a task, or could take one of those dealt."""
    tasks = report.crew.state["task"].tolist()
    return [worker for worker, task in enumerate(tasks) if task >= 0 or has_tasks(report.tree, worker)]


def _visited(report: SearchState) -> int:
    """The nodes visited in all tasks. For so few numbers the sum of a list is faster than that of an array."""
    return sum(report.crew.state["nodes"].tolist())


def _budgets(granted: int, active: list[int], turn: int, workers: int) -> NDArray[np.int64]:
    """The budget of each worker. A grant too small for all is given to another worker in each slice."""
    budgets = np.zeros(workers, np.int64)
    for place, worker in enumerate(active):
        budgets[worker] = (granted + (place + turn) % len(active)) // len(active)
    return budgets
