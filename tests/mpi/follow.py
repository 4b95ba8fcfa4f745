"""Shared by the tests of MPI: a long search, functions that follow one, a launch of many, and a decorator of tests that
end one."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.backends import mpi, tapes
from engine.backends.mpi_job import launch, protocol
from engine.backends.mpi_job.replica import Replica
from engine.job import Job
from engine.options.catalogue import Limit
from engine.prepare import Prepared, prepare
from engine.result import Result, Snapshot

MPIEXEC = launch.find(launch.LaunchChoice()).words[:-1]
"""The launcher's command up to the number of ranks."""

HANGS = 60.0
"""Seconds after which a test gives up."""

ENDLESS: dict[str, Any] = {
    "game": "mnk:4,4,4",
    "position": "..../..../..../....",
    "backend": "mpi",
    "workers": 2,
    "limit": Limit(depth=15, seconds=HANGS),
}
"""Minimax would take days: 16! is 2 x 10^13. With a horizon it has the kernels of other tests."""


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


@contextmanager
def when_they_start(do: Callable[[Sequence[int]], object]) -> Iterator[list[int]]:
    """Calls a function with the processes of the ranks when they have said hello, before they import the compiler,
    which takes most of their start. Yields those processes."""
    replica, processes = mpi.Replica, list[int]()

    def made(prepared: Prepared, hosts: Sequence[str], pids: Sequence[int]) -> Replica:
        processes[:] = pids
        do(pids)
        return replica(prepared, hosts, pids)

    mpi.Replica = made  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield processes
    finally:
        mpi.Replica = replica


class Search(NamedTuple):
    said: list[protocol.Line]
    """All lines but the last."""
    result: Result


def launched(jobs: Mapping[Job, tuple[str, ...]], folder: Path) -> dict[Job, Search]:
    """The jobs, each with the first commands to its ranks, searched in one launch of three ranks."""
    file = folder / "jobs.json"
    file.write_bytes(b"\n".join("\t".join((msgspec.json.encode(job).decode(), *jobs[job])).encode() for job in jobs))
    ended = subprocess.run(
        [*MPIEXEC, "3", sys.executable, "-P", "-m", "mpi4py", "-m", "tests.mpi.many", str(file)],
        env=launch.environment(launch.find(launch.LaunchChoice())),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=200,
        check=True,
    )
    assert ended.stderr == b""
    said = map(protocol.decode, ended.stdout.splitlines())
    return {job: _search(job, said) for job in jobs}


def _search(job: Job, said: Iterator[protocol.Line | None]) -> Search:
    """The lines up to the next result."""
    replica, lines = replica_of(job), []
    for line in said:
        if isinstance(line, protocol.Finished):
            found = line.info, line.root_moves, line.tasks, line.end, tapes.trace(replica.state)
            return Search(lines, Result(job, *found, transfers=line.transfers, clock_error=line.clock_error))
        assert line is not None
        replica.take(line)
        lines.append(line)
    raise AssertionError(f"No result of {job}.")


def replica_of(job: Job) -> Replica:
    """The replica of a job of at most three ranks, before they have said anything."""
    return Replica(prepare(job), "abc"[: job.workers], range(job.workers))


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
