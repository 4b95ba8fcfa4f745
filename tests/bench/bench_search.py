"""The search's promised figures, each as a ratio of two times of one run.

Engine times are measured by the search itself (`Snapshot.seconds`), C times around the call.
"""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import ge, le
from statistics import median
from unittest import mock

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends import slicing, solve
from engine.backends.compiled import work
from engine.cores import cores
from engine.job import RECORD_ROWS, Job
from engine.kernels.task_tree import deal, split
from engine.kernels.transposition import new_table
from engine.kernels.worker_memory import crew_memory, memory_of
from engine.measure.speedup import PRESET
from engine.options.catalogue import Limit
from engine.options.choices import Parallel
from engine.prepare import prepare
from engine.registry import game
from engine.result import Result, in_wins
from engine.rules.contract import UNIT
from tests.bench.reference import Count, Reference
from tests.bench.timing import Spread, Subject, Times, interleave, spread, timed

ROUNDS = 21
NODES_3X3 = 549_946
"""Positions of the whole 3 x 3 tree, the root counted: the sum over the plies, 1 + 9 + 72 + ... + 127,872."""

SMALL_SLICE = 50_000
ONE_SLICE = 1 << 40

TABLE_MIB = 64

SEARCHES_IN_C = 20
"""Some 10 ms."""

FULL_3X3 = Job(position=".../.../...")
FULL_4X4 = Job(
    game="mnk:4,4,4",
    position="..../..../..../....",
    algorithm="alphabeta",
    limit=Limit(depth=10),
    evaluate=False,
)
SOLVED_4X4 = Job(game="mnk:4,4,4", position="..../..../..../....", algorithm="alphabeta", table=TABLE_MIB)
"""Horizon leaves are worth 0 and moves are in natural order, as in the C reference."""


def _from_start(spec: str, evaluation: str, depth: int) -> Job:
    played = game(spec)
    return Job(
        game=spec,
        position=played.notation.format(played.start),
        algorithm="alphabeta",
        evaluation=evaluation,
        limit=Limit(depth=depth),
    )


OTHELLO = _from_start("othello:8", "discs", 11)
ULTIMATE = _from_start("ultimate", "boards", 9)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    seconds: float | None
    """The median; None where it could not be measured."""
    ratio: Spread | None
    """The ratio, in the direction of the goal."""
    goal: str
    is_met: bool | None
    """None where there is no goal, or nothing was measured."""
    note: str = ""


def rows(c: Reference | None, rounds: int = ROUNDS) -> list[Row]:
    """All rows, in their order. `c` is None without a C compiler."""
    made = [*_against_c(c, rounds), *_games(c, rounds)]
    machine = _machine(c, rounds)
    made += [
        *machine,
        *_threads(rounds, *machine),
        *_skewed(rounds),
        *_lazy(rounds),
    ]
    return [*made, *_recording(rounds), *_slices(rounds)]


def _against_c(c: Reference | None, rounds: int) -> list[Row]:
    names = (
        "serial minimax 3x3 / best C",
        "serial minimax 3x3 / plain C",
        "serial alpha-beta 4,4,4 to depth 10 / best C",
        f"4,4,4 solved with a table of {TABLE_MIB} MiB / C",
        f"4,4,4 solved with a table of {TABLE_MIB} MiB, no page of it new / C",
    )
    if c is None:
        return [Row(name, None, None, "", None, "no C compiler here") for name in names]
    entries = TABLE_MIB << 20 >> 4
    for counted, job in (
        (c.minimax_3x3(0, 0), FULL_3X3),
        (c.best_minimax_3x3(0, 0), FULL_3X3),
        (c.best_alphabeta_4x4(0, 0, 10), FULL_4X4),
        (c.solve_4x4(0, 0, entries), SOLVED_4X4),
    ):
        info = solve(job).info
        assert counted == (info.value.number, info.counters.nodes, info.counters.terminals)
    assert solve(FULL_3X3).info.counters.nodes == NODES_3X3
    times = interleave(
        {
            "engine": _search(FULL_3X3),
            "best C": timed(lambda: c.best_minimax_3x3(0, 0)),
            "plain C": timed(lambda: c.minimax_3x3(0, 0)),
            "engine deep": _search(FULL_4X4),
            "C deep": timed(lambda: c.best_alphabeta_4x4(0, 0, 10)),
        },
        rounds * 3,
    )
    solving = interleave(
        {"engine": _search(SOLVED_4X4), "C": timed(lambda: c.solve_4x4(0, 0, entries))}, max(3, rounds // 2)
    )
    again = interleave(_in_one_table(c), max(3, rounds // 2))
    full, deep, solved = solve(FULL_3X3), solve(FULL_4X4), solve(SOLVED_4X4)
    return [
        _row(names[0], times, "engine", "best C", "≤ 1.2", lambda ratio: ratio <= 1.2, _rate(times, "engine", full)),
        _row(names[1], times, "engine", "plain C", "", None),
        _row(names[2], times, "engine deep", "C deep", "≤ 1", lambda r: r <= 1, _rate(times, "engine deep", deep)),
        _row(names[3], solving, "engine", "C", "≤ 1", lambda ratio: ratio <= 1, _rate(solving, "engine", solved)),
        _row(names[4], again, "engine", "C", "≤ 1", lambda ratio: ratio <= 1, _rate(again, "engine", solved)),
    ]


def _in_one_table(c: Reference) -> Mapping[str, Subject]:
    """Both solve 4,4,4 in the same memory, cleared before. Otherwise each page of a table is new to the search: the
    system determines its size and the time to get it."""
    table = new_table(TABLE_MIB)

    def cleared(_mebibytes: float = TABLE_MIB) -> NDArray[np.int64]:
        table[:] = 0
        return table

    def in_c() -> float:
        cleared()
        return timed(lambda: c.solve_4x4_in(table, 0, 0))()

    def engine() -> float:
        with mock.patch("engine.backends.allocate.new_table", cleared):
            return solve(SOLVED_4X4).info.seconds

    return {"engine": engine, "C": in_c}


def _games(c: Reference | None, rounds: int) -> list[Row]:
    """Games whose rules take longer than their search, against C for any machine of this kind and for this one."""
    names = (
        f"Othello, alpha-beta to depth {OTHELLO.limit.depth} / C",
        f"Ultimate, alpha-beta to depth {ULTIMATE.limit.depth} / C",
    )
    if c is None:
        return [Row(name, None, None, "≤ 1.2", None, "no C compiler here") for name in names]

    def othello(c: Reference) -> Count:
        start = game(OTHELLO.game).start
        return c.alphabeta_othello(start.mine, start.theirs, OTHELLO.limit.depth or 0)

    def ultimate(c: Reference) -> Count:
        return c.alphabeta_ultimate(game(ULTIMATE.game).start, ULTIMATE.limit.depth or 0)

    made = []
    for name, job, in_c in zip(names, (OTHELLO, ULTIMATE), (othello, ultimate), strict=True):
        result, counted = solve(job), in_c(c)
        counters = result.info.counters
        assert in_wins(counted.value, UNIT) == result.info.value.number
        assert counted[1:] == (counters.nodes, counters.terminals)
        subjects = {"engine": _search(job), "C": timed(partial(in_c, c)), "native": timed(partial(in_c, c.native))}
        times = interleave(subjects, rounds)
        made.append(_row(name, times, "engine", "C", "≤ 1.2", partial(ge, 1.2), _rate(times, "engine", result)))
        made.append(_row(f"{name} for this machine", times, "engine", "native", "", None))
    return made


def _machine(c: Reference | None, rounds: int) -> list[Row]:
    """The speedup of two independent threads on this machine at present."""
    if c is None or cores() < 2:
        return []

    def work(reference: Reference) -> None:
        for _ in range(SEARCHES_IN_C):
            reference.best_minimax_3x3(0, 0)

    with ThreadPoolExecutor(2) as pool:
        subjects = {
            "in turn": timed(lambda: [work(c), work(c.twin)]),
            "at once": timed(lambda: [*pool.map(work, (c, c.twin))]),
        }
        times = interleave(subjects, rounds)
    return [
        _row("two searches in C, one after the other / at once", times, "in turn", "at once", "", None, of="at once")
    ]


def _threads(rounds: int, machine: Row | None = None) -> list[Row]:
    """The speedup on two threads. `machine` is that of two searches in C, the most that two threads can have here. The
    search of 3 x 3 takes less than a millisecond: to start the threads, and the last task, are some 3 % of it."""
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
            least = 1.7 if plies == 1 else 1.9
            goal = f"≥ {least}"
            if plies == 2 and job is FULL_3X3 and machine is not None and machine.ratio is not None:
                least, goal = 0.95 * machine.ratio.median, "≥ 0.95 of C's"
            tasks = "root tasks" if plies == 1 else f"split {plies}"
            what = f"1 thread / 2 threads, {name}, {tasks}"
            is_met = partial(le, least)
            made.append(_row(what, times, "1", "2", goal, is_met, of="2"))
    return made


def _skewed(rounds: int) -> list[Row]:
    """Tasks of very different sizes, dealt dynamically, against their ideal makespan: half of the total on each of two
    threads, but never less than the longest task."""
    if cores() < 2:
        return []
    job = Job(
        game="mnk:4,4,4", position="x.../.o../..x./...o", backend="threads", workers=2, split=2, algorithm="minimax"
    )
    ratios, seconds = [], []
    for _ in range(rounds):
        result = solve(job)
        spent = [task.end - task.start for task in result.tasks]
        seconds.append(max(task.end for task in result.tasks) - min(task.start for task in result.tasks))
        ratios.append(seconds[-1] / max(sum(spent) / 2, max(spent)))
    what = f"{len(spent)} tasks on 2 threads, dynamic / their ideal makespan"
    ratio = spread(ratios)
    return [Row(what, median(seconds), ratio, "≤ 1.05", ratio.median <= 1.05)]


def _lazy(rounds: int) -> list[Row]:
    """Schemes for alpha-beta on two threads, against one thread of the same settings."""
    if cores() < 2:
        return []
    plain = replace(FULL_4X4, limit=Limit(depth=12), table=TABLE_MIB)
    both = replace(plain, backend="threads", workers=2)
    subjects = {
        "serial": _search(plain),
        "split 2": _search(replace(both, split=2)),
        "young brothers wait, split 2": _search(replace(both, split=2, parallel=Parallel.YBW)),
        "lazy SMP": _search(replace(both, parallel=Parallel.LAZY)),
    }
    times = interleave(subjects, max(3, rounds // 2))
    return [
        _row(
            f"serial / 2 threads, alpha-beta 4,4,4 to depth 12, table: {name}", times, "serial", name, "", None, of=name
        )
        for name in [*subjects][1:]
    ]


def _recording(rounds: int) -> list[Row]:
    made = []
    for name, job in (("minimax 3x3", FULL_3X3), ("alpha-beta 4,4,4 to depth 10", FULL_4X4)):
        subjects = {"recorded": _search(replace(job, record=RECORD_ROWS)), "plain": _search(job)}
        times = interleave(subjects, rounds)
        most = 2.3 if job is FULL_3X3 else 1.8
        is_met = partial(ge, most)
        made.append(_row(f"recorded / not, {name}", times, "recorded", "plain", f"≤ {most}", is_met))
    return made


def _slices(rounds: int) -> list[Row]:
    """The cost of slices: in the kernel alone, then with the driver, at its own slices and at small ones.

    A ratio so near to 1 is only clear on a short search in many rounds: a long one has disturbances in each.
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
        _row(
            "kernel on the stack alone, slices of 50,000 / one, 3x3", many, "kernel", "kernel at once", "≤ 1.02", goal
        ),
        _row("search in the driver's slices / in one, 4,4,4", times, "own", "one", "≤ 1.02", goal),
        _row("search in slices of 50,000 nodes / in one, 4,4,4", times, "small", "one", "", None),
    ]


def _kernel(job: Job, nodes: int) -> Subject:
    """The compiled kernel alone, in slices of that many nodes, and on its stack alone: no subtree is small enough for
    its recursion."""
    prepared = prepare(job)
    search, root = prepared.search, prepared.position

    def run() -> float:
        tree = split(root, 0, 1)
        deal(tree, 0, 1, job.schedule, 1)
        memory = memory_of(crew_memory(1, [2 * ONE_SLICE] * (search.horizon + 1)), 0)
        begun = time.perf_counter()
        work(search, root, False, tree, memory, None, None, nodes, 0)
        while memory.state[0]["task"] >= 0:
            work(search, root, False, tree, memory, None, None, nodes, 0)
        return time.perf_counter() - begun

    return run


def _search(job: Job) -> Subject:
    return lambda: solve(job).info.seconds


def _sliced(job: Job, nodes: int) -> Subject:
    """A search with slices of that many nodes: the driver is told that every slice had the right length."""

    def run() -> float:
        with mock.patch.multiple(slicing, first_slice=lambda _: nodes, SHORT=0.0, LONG=float("inf")):
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
