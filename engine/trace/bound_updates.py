"""When the tasks of a search changed the bounds of the nodes above them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.kernels.worker_memory import CUTOFF
from engine.result import Task
from engine.trace.record import Trace


class BoundUpdate(NamedTuple):
    """The end of a task whose value raised the lower bound of the node above it, in the view of its side to move."""

    task: Task
    is_cutoff: bool
    """Whether it is the last one of a node that was cut off: its other moves are pruned."""


def bound_updates(trace: Trace, tasks: Sequence[Task]) -> list[BoundUpdate]:
    """The updates in the order of time, of a search that prunes. Tasks that were not finished, have no row or are the
    whole tree make none."""
    best: dict[int, int] = {}
    last: dict[int, int] = {}
    made: list[BoundUpdate] = []
    ended = [task for task in tasks if task.finished and task.first_row < task.end_row and task.moves]
    ended.sort(key=lambda task: task.end)
    first = np.array([task.first_row for task in ended], np.int64)
    parents = trace.index.parent[first]
    again = trace.of_root(first) == trace.of_root(parents)
    values, alphas, betas = (trace.rows[name][first].astype(int) for name in ("value", "alpha", "beta"))
    values, alphas = np.where(again, values, -values), np.where(again, alphas, -betas)
    for task, parent, value, alpha in zip(ended, parents.tolist(), values.tolist(), alphas.tolist(), strict=True):
        if value > best.get(parent, alpha):
            best[parent], last[parent] = value, len(made)
            made.append(BoundUpdate(task, False))
    for parent, number in last.items():
        if trace.why(parent) == CUTOFF:
            made[number] = made[number]._replace(is_cutoff=True)
    return made
