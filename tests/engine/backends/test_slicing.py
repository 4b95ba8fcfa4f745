"""Time limits and speed, exact to the nanosecond, on a clock that only the test advances."""

import math
from functools import partial
from itertools import repeat
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import control as control_module
from engine.backends import slicing as slices_module
from engine.backends.dealing import Dealing
from engine.backends.slicing import Slices, first_slice
from engine.backends.state import SearchState
from engine.control import Control
from engine.job import Job
from engine.kernels.worker_memory import STATE_TYPE
from engine.options.catalogue import Limit
from engine.prepare import Prepared, prepare
from engine.result import Counters, End
from tests.engine.naive import EMPTY


def for_one_worker(slices: int | None = None) -> Dealing:
    """Tasks for so many slices of worker 0; None: without end."""
    active = repeat([0]) if slices is None else repeat([0], slices)
    return SimpleNamespace(active=partial(next, active, None))


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000_000_000
        time = SimpleNamespace(monotonic_ns=lambda: self.now, monotonic=lambda: self.now / 1e9)
        for module in (control_module, slices_module):
            monkeypatch.setattr(module, "time", time)

    def pass_by(self, seconds: float) -> None:
        self.now += math.ceil(seconds * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_limit_of_seconds_counts_what_slices_take_and_no_waiting(clock: Clock) -> None:
    class Waits(Control):
        def grant(self, slice_nodes: int) -> int:
            clock.pass_by(1.0)
            return slice_nodes

    state = SimpleNamespace(crew=SimpleNamespace(state=np.zeros(1, STATE_TYPE)), counters=Counters)
    slices = Slices(Limit(seconds=0.05), Waits(), lambda *_: clock.pass_by(0.01))
    assert sum(1 for _ in slices.run(prepare(Job(position=EMPTY)), state, for_one_worker())) == 6
    assert slices.end is End.SECONDS
    assert slices.seconds == pytest.approx(0.05)


def test_slices_stay_long_where_their_threads_wait_for_a_core(clock: Clock) -> None:
    """Each slice uses 1 ms of its core, and takes 15 ms because another program has it meanwhile."""
    worker, granted = np.zeros(1, STATE_TYPE), list[int]()

    def run_slice(_prepared: Prepared, _state: SearchState, budgets: NDArray[np.int64]) -> None:
        granted.append(int(budgets[0]))
        worker["nodes"] += budgets
        worker["cpu"] += 1_000_000
        clock.pass_by(0.015)

    state = SimpleNamespace(crew=SimpleNamespace(state=worker), counters=Counters)
    for _ in Slices(Limit(), Control(), run_slice).run(prepare(Job(position=EMPTY)), state, for_one_worker(4)):
        pass
    assert granted == [slices_module.PLAIN_NODES << number for number in range(4)]


def test_an_iteration_goes_on_with_slices_as_long_as_the_last(clock: Clock) -> None:
    """A slice that takes 20 ms is too long: the next has half its nodes, also in the next iteration."""
    worker, granted = np.zeros(1, STATE_TYPE), list[int]()

    def run_slice(_prepared: Prepared, _state: SearchState, budgets: NDArray[np.int64]) -> None:
        granted.append(int(budgets[0]))
        worker["cpu"] += 20_000_000

    state = SimpleNamespace(crew=SimpleNamespace(state=worker), counters=Counters)
    slices = Slices(Limit(), Control(), run_slice)
    for _ in range(2):
        for _ in slices.run(prepare(Job(position=EMPTY)), state, for_one_worker(2)):
            pass
    assert granted == [slices_module.PLAIN_NODES >> number for number in range(4)]


@pytest.mark.parametrize(
    ("job", "nodes"),
    [
        (Job(position=EMPTY), slices_module.PLAIN_NODES),
        (Job(position=EMPTY, table=1), slices_module.SLICE_NODES),
        (Job(game="connect-four:4,4", position=""), slices_module.SLICE_NODES),
        (Job(position=EMPTY, backend="interpreted"), slices_module.INTERPRETED_NODES),
    ],
)
def test_the_first_slice_is_shorter_where_nodes_take_longer(job: Job, nodes: int) -> None:
    assert first_slice(prepare(job)) == nodes


@pytest.mark.parametrize("speed", [1.0, 60.0, 600.0, 1e6])
def test_a_search_held_back_visits_so_many_nodes_a_second(clock: Clock, speed: float) -> None:
    class Sleeps(Control):
        def _wait(self, seconds: float | None) -> None:
            clock.pass_by(seconds or 0.0)

    control, began = Sleeps(speed), clock.now
    granted = [control.grant(1_000_000) for _ in range(100)]
    assert sum(granted[:-1]) / ((clock.now - began) / 1e9) == pytest.approx(speed, rel=0.02)
    began, events = clock.now, sum(control.grant_event() for _ in range(100))
    assert events == (100 if speed == 1 else 0)
    assert (clock.now - began) / 1e9 == pytest.approx(events / 2, rel=0.02), "A node is entered, and it is left."
