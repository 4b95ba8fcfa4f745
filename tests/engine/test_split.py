"""The tree above the tasks, as Python keeps it between slices, is the tree that the kernels keep among workers."""

from itertools import product

import numpy as np
import pytest

from engine import split
from engine.backends import threads
from engine.backends.memory import memory
from engine.backends.report import Report
from engine.backends.slices import busy, stages
from engine.job import Job, Schedule
from engine.registry import Prepared, prepare
from engine.split import CUTOFF, KEY, OPEN, SKIPPED, VISITED, VOID, WORKER, Split
from tests.engine.naive import EMPTY, TEXTBOOK, X_ON_A1


def searched(prepared: Prepared) -> Report:
    """What threads leave behind."""
    job = prepared.job
    tree = split.split(prepared.position, job.split, job.workers)
    report = Report(prepared.position, tree, *memory(prepared, job.workers))
    for first, last in stages(prepared, tree):
        split.deal(tree, first, last, job.schedule, job.workers)
        while busy(report):
            threads.run_slice(prepared, report, np.full(job.workers, 10_000))
    return report


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("workers", [1, 3])
def test_tasks_that_are_settled_in_python_leave_what_the_kernels_leave(workers: int, plies: int, name: str) -> None:
    """In the order in which they ended; one worker skips a task before it takes the next."""
    for position, schedule in product((EMPTY, X_ON_A1), Schedule):
        job = Job(position=position, algorithm=name, backend="threads", workers=workers, split=plies, schedule=schedule)
        prepared = prepare(job)
        kernels = searched(prepared).tree
        python = split.split(prepared.position, plies, workers)
        replay(kernels, python)
        columns = [KEY, OPEN, VISITED, VOID, CUTOFF] if workers == 1 else [KEY, OPEN, VISITED]
        assert python.nodes[:, columns].tolist() == kernels.nodes[:, columns].tolist()
        assert split.counters(python) == split.counters(kernels)
        assert not python.nodes[:, OPEN].any()


def replay(kernels: Split, python: Split) -> None:
    for task, row in enumerate(kernels.tasks):
        node = int(python.tasks[task, split.NODE])
        if row[WORKER] == SKIPPED:
            split.skip(python, node, int(row[split.VALUE]))
        else:
            split.enter(python, node)
            split.settle(python, node, int(row[split.VALUE]))
