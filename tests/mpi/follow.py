"""Shared by the tests of MPI: a long search, and functions that follow one."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from engine.options.catalogue import Limit
from engine.result import Result, Snapshot

HANGS = 60.0
"""Seconds after which a test gives up."""

ENDLESS: dict[str, Any] = {
    "game": "mnk:4,4,4",
    "position": "..../..../..../....",
    "backend": "mpi",
    "workers": 2,
    "limit": Limit(seconds=HANGS),
}
"""Minimax would take days: 16! is 2 x 10^13."""


def begun(search: Iterator[Snapshot | Result]) -> Snapshot:
    """The first snapshot in which all workers have searched."""
    return until(search, lambda info: all(worker.counters.nodes for worker in info.workers))


def until(search: Iterator[Snapshot | Result], holds: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot with a property."""
    end = time.monotonic() + HANGS
    for said in search:
        assert isinstance(said, Snapshot), f"It ended: {said.end}, {said.failure}"
        assert time.monotonic() < end
        if holds(said):
            return said
    raise AssertionError("It ended without a result.")


def ending(search: Iterator[Snapshot | Result]) -> Result:
    """The result, which must be the last item."""
    *moments, result = search
    assert isinstance(result, Result)
    assert all(isinstance(moment, Snapshot) for moment in moments)
    return result
