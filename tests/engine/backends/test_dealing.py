"""Which workers are active in the next slice of a pass, and which tasks they have."""

import os

import pytest

from engine.backends.allocate import memory
from engine.backends.dealing import dealing
from engine.backends.state import new_state
from engine.job import Job
from engine.options.choices import Parallel
from engine.prepare import prepare
from tests.engine.naive import EMPTY


def test_a_stage_is_dealt_when_the_last_is_over() -> None:
    prepared = prepare(Job(position=EMPTY, algorithm="alphabeta", backend="threads", workers=2))
    state = new_state(prepared, 1, memory(prepared, 2))
    tasks, dealt = dealing(prepared, state), state.tree.dealt[0]
    for first, end in ((0, 1), (1, 9)):
        for _ in range(2):
            assert tasks.active() == [0, 1]
            assert (dealt["next"], dealt["end"]) == (first, end)
        dealt["next"] = end
    state.crew.state["task"][1] = 8
    assert tasks.active() == [1], "the one that still searches"
    state.crew.state["task"][1] = -1
    assert tasks.active() is None


@pytest.mark.parametrize(("cores", "waits"), [(1, False), (2, True)])
def test_workers_wait_for_an_elder_brother_only_where_each_has_a_core(
    cores: int, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may use fewer cores than the machine has."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    asked = Job(position=EMPTY, algorithm="alphabeta", backend="threads", workers=2, parallel=Parallel.YBW)
    prepared = prepare(asked)
    state = new_state(prepared, 1, memory(prepared, 2))
    dealing(prepared, state).active()
    assert bool(state.tree.dealt[0]["patience"]) is waits


def test_the_first_lazy_worker_to_finish_ends_the_pass() -> None:
    asked = Job(position=EMPTY, algorithm="alphabeta", backend="threads", workers=2, parallel=Parallel.LAZY, table=1.0)
    prepared = prepare(asked)
    state = new_state(prepared, 1, memory(prepared, 2))
    tasks = dealing(prepared, state)
    assert tasks.active() == tasks.active() == [0, 1]
    state.tree.tasks["end"][1] = 1
    assert tasks.active() is None
    assert state.tree.nodes[0]["task"] == 1, "its result is that of the search"
