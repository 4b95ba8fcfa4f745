"""Deals the tasks of a root search to its workers."""

from collections import deque
from typing import Protocol

import numpy as np

from engine.backends.state import SearchState
from engine.cores import cores
from engine.kernels.task_tree import Split, deal, deal_in_order, eldest_first, has_tasks
from engine.options.choices import Parallel
from engine.prepare import Prepared

PATIENCE = 10_000_000
"""Time in ns that a worker waits for a younger brother that may be searched, if no other needs its core: about a
slice."""


class Dealing(Protocol):
    """The order in which the tasks of a root search are dealt."""

    def active(self) -> list[int] | None:
        """The workers of the next slice, after tasks have been dealt to them; empty if all wait for other processes.
        None: the root search is over."""
        ...


class InStages:
    """Deals the tasks of one stage after the other. A stage begins when no worker has a task of the last."""

    def __init__(self, prepared: Prepared, state: SearchState) -> None:
        self._job, self._state = prepared.job, state
        self._left = deque(stages(prepared, state.tree))

    def active(self) -> list[int] | None:
        if self._state.is_settled:
            return None
        while not (workers := busy(self._state)):
            if not self._left:
                return None
            self._deal(*self._left.popleft())
        return workers

    def _deal(self, first: int, last: int) -> None:
        tree, workers = self._state.tree, len(self._state.crew.state)
        if self._job.parallel is Parallel.YBW:
            deal_in_order(tree, first, last, PATIENCE if workers <= cores() else 0)
        else:
            deal(tree, first, last, self._job.schedule, workers)


class ToEveryWorker:
    """Of a lazy search: every worker has the whole tree, and the first that has finished it ends the search."""

    def __init__(self, state: SearchState) -> None:
        self._state = state

    def active(self) -> list[int] | None:
        tree = self._state.tree
        finished = np.flatnonzero(tree.tasks["end"])
        if not finished.size:
            return busy(self._state)
        tree.nodes[0]["task"] = finished[0]
        return None


def dealing(prepared: Prepared, state: SearchState) -> Dealing:
    """The dealing of a root search in this process."""
    return ToEveryWorker(state) if prepared.is_lazy else InStages(prepared, state)


def stages(prepared: Prepared, tree: Split) -> list[tuple[int, int]]:
    """The stages of a root search: ranges of tasks [first, last) that are dealt together. Where tasks share a bound,
    the eldest brother is a stage of its own."""
    in_stages = prepared.algorithm.prunes and prepared.job.parallel is not Parallel.YBW
    return eldest_first(tree) if in_stages else [(0, len(tree.tasks))]


def busy(state: SearchState) -> list[int]:
    """The workers that have a task, or could take one of those dealt."""
    tasks = state.crew.state["task"].tolist()
    return [worker for worker, task in enumerate(tasks) if task >= 0 or has_tasks(state.tree, worker)]
