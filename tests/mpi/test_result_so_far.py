"""MPI ranks that are asked answer with the result so far, and go on as if they had not been asked."""

import os
import signal
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine.backends import run, solve
from engine.backends.mpi_job.rank_rows import FIRST_ROWS, ROWS_A_SECOND
from engine.control import Control
from engine.job import Job
from engine.kernels.worker_memory import OPEN
from engine.options.catalogue import Limit
from engine.result import End, RankState, Result, Snapshot
from tests.engine import naive
from tests.engine.backends.test_result_so_far import assert_begins
from tests.mpi.follow import ENDLESS, HANGS, begun, ending, names_a_rank, until

pytestmark = pytest.mark.mpi

SHORT: dict[str, Any] = {"position": "xo./.../...", "backend": "mpi", "workers": 2, "record": 10_000}
"""Minimax visits 8,232 nodes, alpha-beta 749."""
WITHOUT_HORIZON = Limit(seconds=HANGS)
"""With a record, this has the kernels of other tests."""


def asked(job: Job, nodes_per_second: float) -> tuple[list[Result], Result]:
    """The answers of a search that is asked again with each of them, also with the last; and its result. It is slower
    until each worker's part has grown from answer to answer, however late they come."""
    control, answers = Control(nodes_per_second / 5), list[Result]()
    few = True

    def answer(so_far: Result) -> None:
        nonlocal few
        answers.append(so_far)
        if few and have_grown(answers):
            few = False
            control.set_speed(nodes_per_second)
        control.ask_result(answer)

    control.ask_result(answer)
    return answers, ending(run(job, control))


def assert_tasks_begin(so_far: Result, result: Result) -> None:
    """Check that the rows of each task are the first of those that it has in the end."""
    assert so_far.trace is not None
    assert result.trace is not None
    in_the_end = {task.moves: task for task in result.tasks}
    for task in so_far.tasks:
        first = in_the_end[task.moves].first_row
        rows = so_far.trace.rows[task.first_row : task.end_row]
        later = result.trace.rows[first : first + len(rows)]
        ended = so_far.trace.whys[task.first_row : task.end_row] != OPEN
        assert np.array_equal(rows[ended], later[ended])
        assert (rows["place"] % 128).tolist() == (later["place"] % 128).tolist()
        assert task.nodes == len(rows)


def have_grown(answers: list[Result]) -> bool:
    """Whether the part of each worker was larger than before more than three times."""
    parts = [
        [sum(task.nodes for task in so_far.tasks if task.worker == worker) for so_far in answers]
        for worker in range(len(answers[0].info.workers))
    ]
    return all(sum(later > before for before, later in pairwise(nodes)) > 3 for nodes in parts)


@pytest.mark.parametrize("options", [{"threads": 2}, {"algorithm": "alphabeta"}], ids=str)
def test_each_answer_of_ranks_begins_their_record_and_nothing_is_lost(options: dict[str, Any]) -> None:
    """A question is open when the search ends, and stays without an answer."""
    job = Job(**SHORT | {"split": 2} | options)
    answers, result = asked(job, 8_000 if job.algorithm == "minimax" else 800)
    naive.assert_true(result)
    naive.assert_rows_of_tasks(result)
    for number, so_far in enumerate(answers):
        assert so_far.end is End.STOPPED
        assert so_far.trace is not None
        assert len(so_far.trace) == so_far.info.counters.nodes
        assert_tasks_begin(so_far, result)
        if len(so_far.trace) and number % 16 == 0:
            naive.assert_times(so_far)
            naive.assert_rows_of_tasks(so_far)
            naive.assert_consistent(so_far.trace, job.algorithm, job.split)
    assert have_grown(answers)
    if job.algorithm == "minimax":
        unasked = solve(Job(position=job.position, record=job.record))
        assert result.trace is not None
        assert unasked.trace is not None
        assert result.trace.rows.tolist() == unasked.trace.rows.tolist()
        assert (result.info.counters, result.info.value) == (unasked.info.counters, unasked.info.value)
        assert (result.info.pv, result.root_moves) == (unasked.info.pv, unasked.root_moves)


def test_ranks_that_are_paused_answer_what_a_stop_would_give() -> None:
    """The later of two questions at once is answered; and a stop gives the same."""
    control, answers, dropped = Control(paused=True), list[Result](), list[Result]()
    search = run(Job(**SHORT), control)
    waiting = until(search, lambda info: {rank.state for rank in info.ranks} == {RankState.PAUSED})
    assert waiting.counters.nodes == 0
    for steps, nodes in ((300, 599), (1_000, 2_599)):  # of each rank; both visit the root
        control.step(steps)
        until(search, lambda info, nodes=nodes: info.counters.nodes == nodes)
        answers.clear()
        control.ask_result(dropped.append)
        control.ask_result(answers.append)
        until(search, lambda _: bool(answers))
        assert answers[0].info.counters.nodes == nodes
    control.stop()
    result = ending(search)
    assert dropped == []
    assert result.end is End.STOPPED
    assert known(answers[0]) == known(result)


def known(result: Result) -> tuple[Any, ...]:
    """What is known of a search, without the ranks' messages."""
    assert result.trace is not None
    return result.trace.rows.tolist(), result.root_moves, result.tasks, result.info.counters, result.info.value


def test_answers_at_full_speed_have_more_rows_each_time() -> None:
    """They are limited by time, so that the search loses little of it. The rest comes at the end. Their times include
    the last slice, in which several tasks may have ended."""
    most = 400_000
    job = Job(**ENDLESS | {"record": most, "split": 3, "limit": WITHOUT_HORIZON})
    control, answers = Control(), list[Result]()
    search = run(job, control)
    begun(search)
    for number in range(1, 5):
        control.ask_result(answers.append)
        until(search, lambda _, number=number: len(answers) == number)
    control.stop()
    traces = [answer.trace for answer in (*answers, ending(search)) if answer.trace is not None]
    for answer in answers:
        naive.assert_times(answer)
    for answer, (first, whole) in zip(answers, pairwise(traces), strict=True):
        assert first.truncated
        assert 0 < len(first) <= FIRST_ROWS + ROWS_A_SECOND * answer.info.seconds
        assert len(first) < len(whole) or len(first) == most, "the machine was busy for half a second"
        assert_begins(first, whole)
    assert len(traces[-1]) == most
    for trace in traces:
        assert_is_a_part(trace.rows["place"] // 768)


def assert_is_a_part(left: np.ndarray[Any, Any]) -> None:
    """Check that rows with these plies left nest: a row is at most one ply below the one before."""
    assert (np.diff(left.astype(int)) >= -1).all()


@names_a_rank
def test_a_rank_that_is_killed_while_a_question_is_open_is_named() -> None:
    """What the others found after they had answered is not lost."""
    control, answers = Control(nodes_per_second=10_000), list[Result]()
    search = run(Job(**ENDLESS | {"record": 1_000, "limit": WITHOUT_HORIZON}), control)
    info = begun(search)
    os.kill(info.ranks[1].pid, signal.SIGSTOP)
    control.ask_result(answers.append)
    before = last_of_several(search)
    os.kill(info.ranks[1].pid, signal.SIGKILL)
    result = ending(search)
    assert result.end is End.FAILED
    assert result.failure.startswith(f"Rank 1 (process {info.ranks[1].pid} on {info.ranks[1].host}) ended")
    assert answers == []
    assert result.info.workers[0].counters.nodes > before.workers[0].counters.nodes


def last_of_several(search: Iterator[Snapshot | Result]) -> Snapshot:
    """A snapshot that is some half a second later: a rank that is held back tells its counters 60 times a second."""
    for _ in range(29):
        next(search)
    info = next(search)
    assert isinstance(info, Snapshot)
    return info
