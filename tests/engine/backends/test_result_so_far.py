"""A running search that is asked answers with its result so far, and goes on as if it had not been asked."""

import queue
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from engine import backends
from engine.control import Control
from engine.job import Job
from engine.kernels.worker_memory import OPEN
from engine.result import End, Result
from engine.trace.record import Trace
from tests.engine import naive
from tests.engine.backends.test_events import SMALL, assert_all_are_replayed, records_of, short_jobs, stepped

SECONDS = 20
"""How long an answer is waited for: far more than it takes."""


def assert_begins(first: Trace, whole: Trace) -> None:
    """Check that a record is the first part of another: its rows, and the values of those that had ended."""
    ended = first.whys != OPEN
    assert np.array_equal(first.rows[ended], whole.rows[: len(first)][ended])
    assert [first.move(row) for row in range(len(first))] == [whole.move(row) for row in range(len(first))]
    assert first.index.parent.tolist() == whole.index.parent[: len(first)].tolist()


@given(job=short_jobs())
def test_each_answer_is_the_record_so_far_and_no_event_is_lost(job: Job) -> None:
    answers = list[Result]()

    def ask(control: Control) -> None:
        """Go on when the search has answered: it waits in the middle of its events too."""

        def answer(so_far: Result) -> None:
            answers.append(so_far)
            control.step_event()

        control.ask_result(answer)

    searches, result = stepped(job, ask)
    records = records_of(result)
    assert_all_are_replayed(searches, records)
    assert answers
    for answer in answers:
        assert answer.end is End.STOPPED
        assert answer.trace is not None
        if len(answer.trace):
            assert_begins(answer.trace, records[len(answer.info.iterations)])


@pytest.mark.parametrize(("held", "first"), [({"paused": True}, 0), ({"nodes_per_second": 1e-4}, 1)])
def test_a_search_that_waits_answers_at_once(held: dict[str, Any], first: int) -> None:
    """And goes on when it is told to, by as many nodes as if it had not been asked. One that is slow has entered its
    root when it waits."""
    control, answers = Control(**held), queue.SimpleQueue[Result]()
    job = Job(position=SMALL, backend="interpreted", record=10_000)
    search = threading.Thread(target=lambda: list(backends.run(job, control)))
    search.start()
    try:
        for steps in (0, 50, 7):
            if steps:
                control.step(steps)
            first, nodes = first + steps, -1
            while nodes < first:  # a question may come before the steps have been made
                control.ask_result(answers.put)
                answer = answers.get(timeout=SECONDS)
                nodes = answer.info.counters.nodes
                assert answer.trace is not None
                assert len(answer.trace) == nodes
            assert nodes == first
    finally:
        control.stop()
        search.join()


def test_tasks_that_are_under_way_are_in_the_answer() -> None:
    """Of two workers' records, each node has its rows and its true value, though later tasks have none yet."""
    control, answers, position = Control(paused=True), list[Result](), "x../.o./..."
    job = Job(position=position, backend="threads", workers=2, record=100_000)
    for message in backends.run(job, control):
        if isinstance(message, Result):
            naive.assert_times(message)
            break
        control.ask_result(answers.append)
        control.step(500)
        if len(answers) > 8:
            control.stop()
    assert len(answers) > 8
    for answer in answers:
        assert answer.trace is not None
        assert len(answer.trace) == answer.info.counters.nodes
        naive.assert_consistent(answer.trace, "minimax", split=1)
        naive.assert_rows_of_tasks(answer)
        naive.assert_times(answer)
    assert len({answer.trace.move(row) for row in answers[-1].trace.children(0)}) > 1  # both workers have begun
