"""Gains and costs of MPI, as ratios within one run: `python -m tests.bench.bench_mpi [ROUNDS]`.

A program of its own, for it launches some hundred jobs and takes minutes. Times of searches are those that they give
themselves (`Snapshot.seconds`), the slowest rank's; those of the textbook's scheme are from its broadcast to its
reduction.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import random
from statistics import median
from typing import Any, NamedTuple
from unittest import mock

import msgspec
from msgspec.structs import replace
from rich.table import Table

from engine.backends import run, solve
from engine.backends.mpi_job import launch, protocol
from engine.backends.mpi_job.process import RanksProcess
from engine.control import Control
from engine.job import Job, JobError
from engine.measure.schedules import schedule_speedup
from engine.options.catalogue import Limit
from engine.options.choices import Schedule
from engine.prepare import prepare
from engine.result import End, Result
from tests.bench.reference import launched, mpi_minimax_4x4, mpi_reference
from tests.bench.timing import Times, console, interleave, spread, timed

ROUNDS = 11
STOPS = 20

FULL_4X4 = Job(game="mnk:4,4,4", position="...o/.x../..x./o...")
"""Minimax of 538,476,525 positions, the fewest below four stones. Its twelve tasks allow 1.98× on 2 ranks."""
ENDLESS = Job(game="mnk:4,4,4", position="..../..../..../....", backend="mpi", workers=2)
"""Minimax of the whole tree: hours."""
SKEWED = Job(game="mnk:4,4,3", position="..../..x./ox../....", backend="mpi", workers=2)
"""Minimax of 235,044,414 positions in thirteen tasks, of which every other one is small: the largest has four times the
nodes of the smallest."""
BOUND = Job(
    game="mnk:4,4,4", position="..../..../..../....", algorithm="alphabeta", backend="mpi", limit=Limit(depth=14)
)
"""Alpha-beta of 145,774,719 positions."""
SMALL = Job(position=".../.../...", backend="mpi", workers=2)

SLICE_SECONDS = 0.01
"""The time between a rank's checks for messages."""
LOOKS = 200


class Row(NamedTuple):
    """One line of the table, as text."""

    what: str
    median: str
    figure: str = "–"
    quartiles: str = "–"
    goal: str = ""
    met: str = "–"
    note: str = ""


def rows(rounds: int) -> Iterator[Row]:
    """All rows, in their order."""
    yield from _speedup(rounds)
    yield from _start(rounds)
    yield from _talking(2 * rounds)
    yield _stop()
    yield from _schedules(rounds)
    yield from _bounds(max(3, rounds // 2))
    yield from _latency()


def _speedup(rounds: int) -> Iterator[Row]:
    """The whole tree: serial, threads, one and two ranks, and the textbook's own scheme."""
    searches = {
        "serial": _Search(FULL_4X4),
        "2 threads": _Search(replace(FULL_4X4, backend="threads", workers=2)),
        "1 rank": _Search(replace(FULL_4X4, backend="mpi")),
        "2 ranks": _Search(replace(FULL_4X4, backend="mpi", workers=2)),
    }
    with mpi_reference() as program:
        if program is not None:
            searches |= {f"C {ranks}": _Textbook(program, ranks) for ranks in (1, 2)}
        times = interleave(searches, rounds)
    found = {search.found for search in searches.values()}
    assert len(found) == 1, found
    yield _ratio("serial / 2 threads", times, "serial", "2 threads", of="2 threads")
    yield _ratio("1 rank / serial", times, "1 rank", "serial", "≤ 1.02", lambda ratio: ratio <= 1.02)
    yield _ratio("1 rank / 2 ranks", times, "1 rank", "2 ranks", "≥ 1.8", lambda ratio: ratio >= 1.8, of="2 ranks")
    if program is None:
        yield Row("the textbook's scheme in C", "–", note="no mpicc here that makes programs for this launcher")
    else:
        yield _ratio("the textbook's scheme in C: 1 rank / 2 ranks", times, "C 1", "C 2", of="C 2")
        yield _ratio("ours / the textbook's in C, 2 ranks", times, "2 ranks", "C 2")


def _start(rounds: int) -> Iterator[Row]:
    bare = "mpiexec -n 2 true"
    times = interleave(
        {
            bare: timed(lambda: launched(2, "true")),
            "hello": _until(protocol.Hello),
            "counters": _until(protocol.RankCounters),
        },
        rounds,
    )
    yield Row(bare, _milliseconds(times.median(bare)))
    for name, goal in ("hello", 0.5), ("counters", None):
        more = spread([mine - less for mine, less in zip(times.seconds[name], times.seconds[bare], strict=True)])
        yield Row(
            f"launch to first {name}, beyond that",
            _milliseconds(times.median(name)),
            f"+ {_milliseconds(more.median)}",
            f"{more.lower * 1e3:.0f} … {more.upper * 1e3:.0f}",
            f"≤ {_milliseconds(goal)}" if goal else "",
            _met(more.median <= goal) if goal else "–",
        )


def _talking(rounds: int) -> Iterator[Row]:
    """The cost of messages and lines: a ratio so near to 1 is clearer in many rounds of a shorter search."""
    times = interleave(
        {
            "serial": _Search(replace(SKEWED, backend="serial", workers=1)),
            "1 rank": _Search(replace(SKEWED, workers=1)),
            "2 ranks": _Search(SKEWED),
            "silent": _Search(SKEWED, silent),
        },
        rounds,
    )
    for what, subject, against in (
        ("1 rank / serial, shorter search", "1 rank", "serial"),
        ("2 ranks: 20 lines of counters a second / one", "2 ranks", "silent"),
    ):
        yield _ratio(what, times, subject, against, "≤ 1.02", lambda ratio: ratio <= 1.02)


def _stop() -> Row:
    """The time from `stop` to the Result, at various moments of a search."""
    seconds = []
    for number in range(STOPS):
        control, told = Control(), 0.0
        for message in run(ENDLESS, control):
            if isinstance(message, Result):
                seconds.append(time.perf_counter() - told)
                assert message.end is End.STOPPED
            elif not told and message.seconds > 0.1 + number / 80:
                told = time.perf_counter()
                control.stop()
    lower, middle, upper = spread(seconds)
    return Row(
        f"stop to result, 2 ranks, {STOPS} times",
        _milliseconds(middle),
        f"worst {_milliseconds(max(seconds))}",
        f"{lower * 1e3:.0f} … {upper * 1e3:.0f}",
        "≤ 200 ms",
        _met(max(seconds) <= 0.2),
    )


def _schedules(rounds: int) -> Iterator[Row]:
    searches: dict[str, _Search] = {schedule: _Search(replace(SKEWED, schedule=schedule)) for schedule in Schedule}
    times = interleave(searches, rounds)
    tasks = sorted(searches[Schedule.DYNAMIC].result.tasks, key=lambda task: task.moves)
    ideal = {schedule: schedule_speedup([task.nodes for task in tasks], schedule, 2) for schedule in Schedule}
    for schedule in (Schedule.CYCLIC, Schedule.STATIC):
        what = f"skewed tasks, 2 ranks: {schedule} / on demand"
        row = _ratio(what, times, schedule, Schedule.DYNAMIC, "≥ 1", lambda ratio: ratio >= 1)
        yield row._replace(note=f"ideal {ideal[Schedule.DYNAMIC] / ideal[schedule]:.2f}")


def _bounds(rounds: int) -> Iterator[Row]:
    """Alpha-beta with its bounds shared in several ways."""
    for plies in (1, 2):
        two = replace(BOUND, workers=2, split=plies)
        searches = {
            "one": _Search(replace(BOUND, split=plies)),
            "never": _Search(two, never_learning),
            "with a task": _Search(two, learning_with_a_task),
            "between slices": _Search(two),
        }
        times = interleave(searches, rounds)
        assert len({search.result.info.value for search in searches.values()}) == 1
        for name in ("never", "with a task", "between slices"):
            row = _ratio(f"alpha-beta, split {plies}: 1 rank / 2, bound shared {name}", times, "one", name, of=name)
            one, own = (median(searches[each].nodes) / 1e6 for each in ("one", name))
            yield row._replace(note=f"{own:.1f} M nodes; 1 rank {one:.1f} M")


def _latency() -> Iterator[Row]:
    for what, seconds in json.loads(launched(2, *_words(latency))).items():
        lower, middle, upper = spread(seconds)
        quartiles = f"{lower * 1e6:.1f} … {upper * 1e6:.1f}"
        yield Row(what, f"{middle * 1e6:.1f} μs", quartiles=quartiles, note=f"worst {max(seconds) * 1e3:.2f} ms")


class _Search:
    """A subject: a search on ranks that run `worker`, if given, instead of the engine's worker."""

    def __init__(self, job: Job, worker: Callable[[], None] | None = None) -> None:
        self._job, self._worker = job, worker
        self.nodes: list[int] = []

    def __call__(self) -> float:
        with _ranks_running(self._worker) if self._worker else nullcontext():
            self.result = solve(self._job)
        assert self.result.end is not End.FAILED, self.result.failure
        self.nodes.append(self.result.info.counters.nodes)
        return self.result.info.seconds

    @property
    def found(self) -> tuple[int | None, int | None, int]:
        """The value, the move, and the nodes."""
        info = self.result.info
        return info.value and info.value.number, info.best, info.counters.nodes


class _Textbook:
    """A subject: the textbook's scheme on FULL_4X4."""

    def __init__(self, program: Path, ranks: int) -> None:
        mine, theirs = prepare(FULL_4X4).position
        self._call = lambda: mpi_minimax_4x4(program, mine, theirs, ranks)

    def __call__(self) -> float:
        self._count = self._call()
        return self._count.seconds

    @property
    def found(self) -> tuple[int, int, int]:
        return self._count.value, self._count.move, self._count.nodes


def _until(wanted: type[protocol.Line]) -> Callable[[], float]:
    """A subject: a launch, up to the first record of this type."""
    chosen = launch.choice()
    launcher = launch.find(chosen)

    def start() -> float:
        begun = time.perf_counter()
        process = RanksProcess(launch.command(launcher, chosen, SMALL), launch.environment(launcher))
        try:
            process.send(msgspec.json.encode(SMALL).decode())
            while not isinstance(process.next(60), wanted):
                pass
            return time.perf_counter() - begun
        finally:
            process.close()

    return start


# Replacements for the engine's worker; each rank imports its own


def silent() -> None:
    """The worker, with almost no messages during the search."""
    from engine.backends.mpi_job import rank

    with mock.patch.object(rank, "COUNTERS_SECONDS", 3600.0):
        _work()


def never_learning() -> None:
    """The worker without shared bounds: nobody waits for them either."""
    from engine.backends.mpi_job.rank_dealing import RankDealing

    with mock.patch.multiple(RankDealing, _learn=lambda *_: None, _is_over=lambda *_: True):
        _work()


def learning_with_a_task() -> None:
    """The worker, which reads shared bounds only before it takes a task."""
    from engine.backends.dealing import busy
    from engine.backends.mpi_job.rank_dealing import RankDealing

    learn = RankDealing._learn
    with mock.patch.object(RankDealing, "_learn", lambda self: None if busy(self._state) else learn(self)):
        _work()


def latency() -> None:
    """Rank 1 measures the latency of its requests to rank 0, which searches and reads messages only between slices."""
    from mpi4py import MPI

    from engine.backends.mpi_job.shared_window import SharedWindow

    comm, tasks = MPI.COMM_WORLD, 100
    shared = SharedWindow(comm, 1, tasks, nodes=0)
    if comm.rank:

        def ask() -> None:
            comm.send(True, 0)
            comm.recv()

        wishes = {
            "a task taken from the shared window (Fetch_and_op)": lambda: shared.take(0, 1),
            f"{tasks} entries of the shared window (Get_accumulate)": lambda: shared.entries(0, tasks),
            f"a message and its answer, slices of {_milliseconds(SLICE_SECONDS)}": ask,
        }
        print(json.dumps({what: [timed(wish)() for _ in _random_moments()] for what, wish in wishes.items()}))
        comm.send(False, 0)
    else:
        asked = True
        while asked:
            end = time.perf_counter() + SLICE_SECONDS
            while time.perf_counter() < end:
                pass
            if comm.Iprobe() or comm.Iprobe():  # in MPICH, a first probe finds only messages from before the last one
                asked = comm.recv()
                comm.send(None, 1)
    shared.close()


def _random_moments() -> Iterator[None]:
    for _ in range(LOOKS):
        time.sleep(random() * SLICE_SECONDS)
        yield


def _work() -> None:
    from engine.backends.mpi_worker import main

    sys.exit(main())


def _words(worker: Callable[[], None]) -> list[str]:
    """The command that runs a function of this module in a rank, without the launcher."""
    name = worker.__name__
    return [sys.executable, "-P", "-m", "mpi4py", "-c", f"from tests.bench.bench_mpi import {name}; {name}()"]


@contextmanager
def _ranks_running(worker: Callable[[], None]) -> Iterator[None]:
    ordinary = launch.command

    def command(*given: Any) -> list[str]:
        words = ordinary(*given)
        return [*words[: words.index(sys.executable)], *_words(worker)]

    with mock.patch.object(launch, "command", command):
        yield


# The table


def _ratio(
    what: str,
    times: Times,
    subject: str,
    against: str,
    goal: str = "",
    is_met: Callable[[float], bool] | None = None,
    of: str | None = None,
) -> Row:
    lower, middle, upper = times.ratio(subject, against)
    return Row(
        what,
        _milliseconds(times.median(of or subject)),
        f"{middle:.3f}",
        f"{lower:.3f} … {upper:.3f}",
        goal,
        _met(is_met(middle)) if is_met else "–",
    )


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms"


def _met(is_met: bool) -> str:
    return "yes" if is_met else "NO"


def main() -> None:
    paper = console()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    try:
        found = launch.usable(launch.choice())
    except JobError as error:
        paper.print(f"MPI is not measured: {error}")
        return
    title = f"{found}: medians of {rounds} interleaved rounds, ratios paired within a round"
    table = Table("what", title=title, title_justify="left")
    for name in ("median", "figure", "quartiles", "goal", "met"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("note")
    for row in rows(rounds):
        table.add_row(*row)
    paper.print(table)


if __name__ == "__main__":
    main()
