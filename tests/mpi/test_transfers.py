"""The times at which something came from one rank to another, of real jobs on this machine."""

import subprocess
import sys

import pytest
from msgspec.structs import replace

from engine.backends.mpi_job import launch
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Schedule
from engine.result import Result
from engine.transfer import Transfer, TransferKind
from tests.mpi.follow import MPIEXEC, launched

pytestmark = pytest.mark.mpi

JOB = Job(
    game="mnk:4,4,4",
    position="..../..../..../....",
    algorithm="alphabeta",
    backend="mpi",
    workers=3,
    split=2,
    schedule=Schedule.DYNAMIC,
    limit=Limit(depth=9),
)
COMPARE = """
from mpi4py import MPI
from engine.backends.mpi_job.common_clock import compared
comm = MPI.COMM_WORLD
found = comm.gather(compared(comm, asks=comm.rank > 0))
if found:
    print(*(abs(ahead) <= error < 10**9 for ahead, error in found[1:]), found[0] == (0, 0))
"""
CLOCK_STEP = 1e-9
"""Seconds: times are told in whole nanoseconds."""


FIXED = replace(JOB, workers=2, algorithm="minimax", limit=Limit(depth=5), schedule=Schedule.STATIC)
HELD_BACK = replace(JOB, workers=2, algorithm="minimax", limit=Limit(depth=4))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[Job, Result]:
    """The results of all the jobs above. The last one goes on in steps of a million nodes a rank."""
    jobs = {JOB: (), FIXED: (), HELD_BACK: ("pause", "step 1000000")}
    return {job: search.result for job, search in launched(jobs, tmp_path_factory.mktemp("jobs")).items()}


@pytest.fixture
def result(results: dict[Job, Result]) -> Result:
    return results[JOB]


def of_kind(result: Result, kind: TransferKind) -> list[Transfer]:
    return [transfer for transfer in result.transfers if transfer.kind is kind]


def test_times_are_in_order_and_inside_the_search(result: Result) -> None:
    assert {transfer.kind for transfer in result.transfers} == set(TransferKind)
    assert result.clock_error == 0, "all ranks read one clock"
    sent = [transfer.sent for transfer in result.transfers]
    assert sent == sorted(sent)
    for transfer in result.transfers:
        assert 0 <= transfer.sent < transfer.received
        assert transfer.sent <= result.info.seconds + CLOCK_STEP
        assert transfer.sender != transfer.receiver


def test_each_task_of_another_rank_is_dealt_before_and_sent_after_it(result: Result) -> None:
    for kind, is_after in ((TransferKind.DEAL, False), (TransferKind.RESULT, True)):
        found = {task: one for one in of_kind(result, kind) for task in one.tasks}
        assert sum(len(one.tasks) for one in of_kind(result, kind)) == len(found), "each task once"
        assert sorted(found) == [number for number, task in enumerate(result.tasks) if task.worker > 0]
        for number, transfer in found.items():
            task = result.tasks[number]
            if is_after:
                assert (transfer.sender, transfer.receiver) == (task.worker, 0)
                assert transfer.sent >= task.end - CLOCK_STEP
            else:
                assert (transfer.sender, transfer.receiver) == (0, task.worker)
                assert transfer.received <= task.start + CLOCK_STEP


def test_a_bound_is_read_after_the_end_of_its_task(result: Result) -> None:
    bounds = of_kind(result, TransferKind.BOUND)
    for bound in bounds:
        (task,) = (result.tasks[number] for number in bound.tasks)
        assert bound.sender == task.worker
        assert bound.sent >= task.end - CLOCK_STEP
    first = min(result.tasks, key=lambda task: task.start)
    readers = {bound.receiver for bound in bounds if bound.tasks == (result.tasks.index(first),)}
    assert readers == {0, 1, 2} - {first.worker}, "all wait for the eldest brother's value"


def test_nothing_is_dealt_by_a_fixed_schedule(results: dict[Job, Result]) -> None:
    assert {transfer.kind for transfer in results[FIXED].transfers} == {TransferKind.RESULT}


def test_a_search_held_back_has_no_times(results: dict[Job, Result]) -> None:
    """The clock of a rank that waits for others stands still, also where no rank waits for a grant of nodes."""
    slow = results[HELD_BACK]
    assert slow.tasks
    assert slow.transfers == ()


def test_clocks_of_other_hosts_are_compared_by_round_trips() -> None:
    """Here all ranks have one clock, so the difference that is found is its own error."""
    command = [*MPIEXEC, "2", sys.executable, "-P", "-m", "mpi4py", "-c", COMPARE]
    compared = subprocess.run(
        command,
        env=launch.environment(launch.find(launch.LaunchChoice())),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert compared.stdout.decode().split() == ["True", "True"]
