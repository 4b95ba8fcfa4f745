"""A search that shares its core with another program, which really runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.backends import solve
from engine.control import Control
from engine.measure.experiment import LEAST_ROUNDS, Experiment, Mode
from engine.measure.speedup import PRESET, measure
from engine.measure.verdict import doubt

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no program can be bound to a core here")


@contextmanager
def one_core_shared() -> Iterator[None]:
    """Binds this thread and a program that only counts to one core: each has about half of it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        burner.kill()
        burner.wait()
        os.sched_setaffinity(0, before)


def test_a_worker_that_shares_its_core_was_kept_waiting() -> None:
    solve(PRESET)  # loads the kernels
    with one_core_shared():
        infos = [solve(PRESET).info for _ in range(5)]
    assert sum(info.workers[0].kept_waiting for info in infos) > 0.1 * sum(info.seconds for info in infos)


def test_a_measurement_on_a_shared_core_gives_no_verdict() -> None:
    modes = Mode("minimax"), Mode("minimax", "threads", 1)
    with one_core_shared():
        *_, experiment = measure(PRESET, modes, Control(), repeats=LEAST_ROUNDS)
    assert isinstance(experiment, Experiment)
    (speedup,) = experiment.all_speedups()
    assert str(doubt(experiment, speedup)).startswith("another program used 0.")
