"""The figures that the search promises, each as a ratio of two times of one run.

Engine times are those that a search gives itself (`Info.seconds`), C times those around the call.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from unittest import mock

from msgspec.structs import replace

from engine.backends import driver, solve
from engine.backends.workers import work
from engine.experiment import PRESET, Spread, cores
from engine.game import remaining
from engine.job import RECORD_ROWS, Job, Limit, Result
from engine.registry import prepare
from engine.split import deal, split
from engine.stack import TASK, Memory, crew_memory
from tests.bench.reference import Reference
from tests.bench.timing import Subject, Times, interleave, timed

ROUNDS = 21
NODES_3X3 = 549_946
"""Positions of the whole 3 x 3 tree, the root counted: the sum over the plies, 1 + 9 + 72 + ... + 127,872."""

SMALL_SLICE = 50_000
ONE_SLICE = 1 << 40

FULL_3X3 = Job(position=".../.../...")
FULL_4X4 = Job(game="mnk:4,4,4", position="..../..../..../....", algorithm="alphabeta", limit=Limit(depth=10))


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    seconds: float | None
    """The median; None where it could not be measured."""
    ratio: Spread | None
    """In the direction of the goal."""
    goal: str
    is_met: bool | None
    """None where there is no goal, or nothing was measured."""
    note: str = ""


def rows(c: Reference | None, rounds: int = ROUNDS) -> list[Row]:
    """Every row, in its order. `c` is None where no C compiler is."""
    return [*_against_c(c, rounds), *_threads(rounds), *_recording(rounds), *_slices(rounds)]


def _against_c(c: Reference | None, rounds: int) -> list[Row]:
    names = "serial minimax 3x3 / C", "serial alpha-beta 4,4,4 to depth 10 / C"
    if c is None:
        return [Row(name, None, None, "", None, "no C compiler here") for name in names]
    counted, result = c.minimax_3x3(0, 0), solve(FULL_3X3)
    assert counted.nodes == result.info.counters.nodes == NODES_3X3
    assert counted.terminals == result.info.counters.terminals
    deep, found = c.alphabeta_4x4(0, 0, 10), solve(FULL_4X4)
    assert (deep.value, deep.nodes, deep.terminals) == (
        found.info.value,
        found.info.counters.nodes,
        found.info.counters.terminals,
    )
    times = interleave(
        {
            "engine": _search(FULL_3X3),
            "C": timed(lambda: c.minimax_3x3(0, 0)),
            "engine deep": _search(FULL_4X4),
            "C deep": timed(lambda: c.alphabeta_4x4(0, 0, 10)),
        },
        rounds,
    )
    return [
        _row(names[0], times, "engine", "C", "≤ 5", lambda ratio: ratio <= 5, _rate(times, "engine", result)),
        _row(names[1], times, "engine deep", "C deep", "", None, _rate(times, "engine deep", found)),
    ]


def _threads(rounds: int) -> list[Row]:
    if cores() < 2:
        return [Row("1 thread / 2 threads", None, None, "≥ 1.7", None, "one core here")]
    made = []
    for name, job in (("minimax 3x3", FULL_3X3), ("minimax 4,4,4", PRESET)):
        for plies in (1, 2):
            both = {
                str(workers): _search(replace(job, backend="threads", workers=workers, split=plies))
                for workers in (1, 2)
            }
            times = interleave(both, rounds)
            goal = "≥ 1.7" if plies == 1 else ""
            tasks = "root tasks" if plies == 1 else f"split {plies}"
            what = f"1 thread / 2 threads, {name}, {tasks}"
            made.append(_row(what, times, "1", "2", goal, (lambda ratio: ratio >= 1.7) if goal else None, of="2"))
    return made


def _recording(rounds: int) -> list[Row]:
    made = []
    for name, job in (("minimax 3x3", FULL_3X3), ("alpha-beta 4,4,4 to depth 10", FULL_4X4)):
        subjects = {"recorded": _search(replace(job, record=RECORD_ROWS)), "plain": _search(job)}
        times = interleave(subjects, rounds)
        made.append(_row(f"recorded / not, {name}", times, "recorded", "plain", "≤ 2", lambda ratio: ratio <= 2))
    return made


def _slices(rounds: int) -> list[Row]:
    """The kernel itself, called again and again; then what the driver adds, at its own slices and at small ones.

    A ratio so near to 1 is only seen on a short search in many rounds: a long one meets a disturbance in each.
    """
    kernel: Mapping[str, Subject] = {
        "kernel": _kernel(FULL_3X3, SMALL_SLICE),
        "kernel at once": _kernel(FULL_3X3, ONE_SLICE),
    }
    many = interleave(kernel, rounds * 15)
    subjects: Mapping[str, Subject] = {
        "own": _search(PRESET),
        "small": _sliced(PRESET, SMALL_SLICE),
        "one": _sliced(PRESET, ONE_SLICE),
    }
    times = interleave(subjects, rounds)

    def goal(ratio: float) -> bool:
        return ratio <= 1.02

    return [
        _row("kernel in slices of 50,000 nodes / in one, 3x3", many, "kernel", "kernel at once", "≤ 1.02", goal),
        _row("search in the driver's slices / in one, 4,4,4", times, "own", "one", "≤ 1.02", goal),
        _row("search in slices of 50,000 nodes / in one, 4,4,4", times, "small", "one", "", None),
    ]


def _kernel(job: Job, nodes: int) -> Subject:
    """The compiled kernel alone, in slices of so many nodes."""
    prepared = prepare(job)
    search, root = prepared.search, prepared.position

    def run() -> float:
        tree = split(root, 0, 1)
        deal(tree, 0, 1, job.schedule, 1)
        frames, values, state = crew_memory(1, remaining(root))
        memory = Memory(frames[0], values[0], state[0])
        begun = time.perf_counter()
        work(search, root, False, tree, memory, None, nodes, 0)
        while memory.state[TASK] >= 0:
            work(search, root, False, tree, memory, None, nodes, 0)
        return time.perf_counter() - begun

    return run


def _search(job: Job) -> Subject:
    return lambda: solve(job).info.seconds


def _sliced(job: Job, nodes: int) -> Subject:
    """A search whose slices all have that many nodes: the driver is told that every slice was of the right length."""

    def run() -> float:
        with mock.patch.multiple(driver, SLICE_NODES=nodes, SHORT=0.0, LONG=float("inf")):
            return solve(job).info.seconds

    return run


def _row(
    what: str,
    times: Times,
    subject: str,
    against: str,
    goal: str,
    is_met: Callable[[float], bool] | None,
    note: str = "",
    of: str | None = None,
) -> Row:
    ratio = times.ratio(subject, against)
    return Row(what, times.median(of or subject), ratio, goal, is_met(ratio.median) if is_met else None, note)


def _rate(times: Times, subject: str, result: Result) -> str:
    return f"{result.info.counters.nodes / times.median(subject) / 1e6:.0f} M nodes/s"
