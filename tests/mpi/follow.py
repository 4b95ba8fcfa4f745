"""Shared by the tests of MPI: a long search, functions that follow one, and a decorator of tests that end one."""

import time
from collections.abc import Callable, Iterator
from functools import wraps
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


def names_a_rank(test: Callable[..., None]) -> Callable[..., None]:
    """The test. If it fails it must pass twice more: a busy machine may hide which rank ended first (`FirstEnded`)."""

    @wraps(test)
    def attempts(*arguments: Any, **named: Any) -> None:
        try:
            test(*arguments, **named)
        except AssertionError:
            for _ in range(2):
                test(*arguments, **named)

    return attempts
