"""Where each worker was: on real searches by two threads, and on tasks made by hand."""

from typing import Any

import numpy as np
import pytest

from engine.backends import solve
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Parallel
from engine.result import Task
from engine.trace.task_rows import TaskRows
from engine.trace.workers import Place, Workers

MODES: list[dict[str, Any]] = [
    {"algorithm": "minimax", "split": 1, "position": "x../.o./..."},
    {"algorithm": "alphabeta", "split": 2},
    {"algorithm": "pvs", "split": 2, "parallel": Parallel.YBW},
    {"algorithm": "alphabeta", "split": 2, "deepen": True, "limit": Limit(depth=5)},
    {"algorithm": "alphabeta", "split": 2, "limit": Limit(nodes=1_000)},
    {"algorithm": "minimax", "split": 2, "record": 9_000},
]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_each_row_is_claimed_by_the_worker_of_its_task(mode: dict[str, Any]) -> None:
    asked = {"position": "x../.../...", "backend": "threads", "workers": 2, "record": 100_000} | mode
    result = solve(Job(**asked))
    assert result.trace is not None
    workers, owners = Workers(result.tasks, len(result.info.workers)), {}
    for task in result.tasks:
        owners |= dict.fromkeys(range(task.first_row, task.end_row), task)
    assert owners
    for row in range(len(result.trace)):
        task, seconds, places = owners.get(row), workers.seconds(row), workers.places(row)
        if task is None:
            assert (seconds, places) == (None, ()), "above the tasks"
            continue
        assert task.start <= (seconds or 0) < task.end
        assert places[task.worker] == Place(task.worker, task, row, is_own=True)
        assert workers.at(seconds or 0)[task.worker].row == row, "the time of a row gives the row"
        work = workers.work(seconds or 0)
        before = [each.nodes for each in result.tasks if each.worker == task.worker and each.end <= (seconds or 0)]
        assert work[task.worker].nodes == sum(before) + row - task.first_row + 1, "the row itself has been visited"
        assert all(0 <= done.busy <= done.seconds + 1e-9 and done.seconds == seconds for done in work)
        other = places[1 - task.worker]
        assert not other.is_own
        running = [each for each in result.tasks if each.worker == other.worker and each.start <= seconds < each.end]
        assert [other.task] == (running or [None])
        assert other.row is None or owners[other.row] is other.task
        ends = [each.end for each in result.tasks if each.worker == other.worker]
        assert other.is_done == (bool(ends) and max(ends) <= seconds)
    times = [workers.seconds(row) for row in range(len(result.trace))]
    ends = [result.trace.end(row) for row in range(len(times))]
    entered = [min(filter(None, times[row:end]), default=np.inf) for row, end in enumerate(ends)]
    shares = TaskRows(result.tasks).shares_of_time(np.arange(len(times), dtype=np.int32), result.trace.index.end)
    early = np.argsort(entered, kind="stable")
    assert shares.min() == 0 <= shares.max() <= 1
    assert (np.diff(shares[early]) >= -1e-9).all(), "in the order of time, not of the record"
    for worker, done in enumerate(workers.work(result.info.seconds)):
        own = [task for task in result.tasks if task.worker == worker]
        assert done.nodes == sum(task.nodes for task in own)
        assert done.busy == pytest.approx(sum(task.end - task.start for task in own))


def test_a_row_is_at_the_share_of_the_time_of_its_task() -> None:
    first, copy, second = (
        Task((4,), 0, 1.0, 2.0, 100, True, 10, 110),
        Task((4,), 1, 1.5, 2.5, 100),
        Task((5,), 0, 3.0, 5.0, 100, False, 110, 150),
    )
    workers = Workers([second, first, copy], 3)
    idle, done = Place(0, None), Place(0, None, is_done=True)
    wanted = {0.5: idle, 1.0: Place(0, first, 10), 1.25: Place(0, first, 35), 2.0: idle, 2.5: idle}
    wanted |= {3.5: Place(0, second, 135), 4.0: Place(0, second, None), 5.0: done}
    assert {seconds: workers.at(seconds)[0] for seconds in wanted} == wanted, "40 of the second's 100 rows are recorded"
    done = {seconds: workers.work(seconds)[0] for seconds in (0.0, 0.5, 1.25, 2.5, 4.0, 5.0)}
    assert [work[:2] for work in done.values()] == [(0, 0), (0, 0), (26, 0.25), (100, 1), (151, 2), (200, 3)]
    assert (done[0.0].idle, done[0.0].rate) == (None, None)
    assert (done[4.0].idle, done[4.0].rate) == (0.5, 37.75)
    assert workers.at(2.25)[1:] == (Place(1, copy, None), Place(2, None)), "one has no rows, one no task"
    assert workers.places(109) == (
        Place(0, first, 109, is_own=True),
        Place(1, copy, None),
        Place(2, None),
    )
    assert (workers.places(9), workers.places(150)) == ((), ())
