"""Measures parallel speedup: searches one position repeatedly in several modes.

    measure(job, modes, control) ─▶ Progress, Progress, ... ─▶ Experiment

Runs are *interleaved*: a round runs every mode once, in an order that changes from round to round. The reasons are the
drift of a machine's clock rate, and warm caches and branch predictors of a kernel that runs twice in succession (1.3 to
1.4 times as fast). Speedups therefore divide times of one round; medians and quartiles are taken over the rounds.
Compilation is never timed: each mode runs once before the first round. Searches have no record.
"""

import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from statistics import median, quantiles
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from engine import backends, registry
from engine.control import Control
from engine.job import Job, JobError
from engine.messages import message
from engine.options.catalogue import Limit
from engine.options.choices import Schedule
from engine.result import End, Result
from engine.rules.contract import legal

T = TypeVar("T")

ALGORITHMS = ("minimax", "alphabeta")
PARALLEL = ("threads", "mpi")
"""The backends that have several workers."""

LEAST_ROUNDS, MOST_ROUNDS = 5, 31
"""Quartiles of fewer than five rounds are unreliable; those of more than thirty hardly change."""

SECONDS = 8.0
"""Time limit of all rounds of a measurement together, unless LEAST_ROUNDS take longer."""

LONGEST_RUN = 10.0
"""Time limit of one run in seconds: all modes and rounds together would take minutes."""

START_SHARE = 0.05
"""The greatest cost of starting threads as a share of the serial time. At 5 %, two threads with a perfect distribution
reach 1 / (0.5 + 0.05) = 1.82×. At a higher cost the chart shows the start instead of the search."""

START_RUNS = 9

SHORT_NODES = 30_000_000
"""Nodes of minimax, about a tenth of a second: measured within seconds, and large enough for threads."""


class TooLarge(JobError):
    """One run takes longer than LONGEST_RUN."""

    def __init__(self, mode: "Mode") -> None:
        super().__init__(
            message(
                "This position is too large to measure: {algorithm} ({mode}) takes longer than {seconds} s. Play "
                "a few moves, or set a depth limit.",
                algorithm=message(registry.algorithm(mode.algorithm).title),
                mode=mode.label,
                seconds=f"{LONGEST_RUN:.0f}",
            )
        )
        self.mode = mode


class Mode(NamedTuple):
    """One way to run the search."""

    algorithm: str
    backend: str = "serial"
    workers: int = 1

    @property
    def label(self) -> str:
        """The mode's text beside its algorithm: "serial", "1 thread", "2 ranks"."""
        if self.backend == "serial":
            return message("serial")
        if self.workers == 1:
            return message("1 rank") if self.backend == "mpi" else message("1 thread")
        words = message("{workers} ranks") if self.backend == "mpi" else message("{workers} threads")
        return message(words, workers=self.workers)

    def job(self, job: Job) -> Job:
        """The same search in this mode: without a record, to its end or its depth, with the time limit LONGEST_RUN."""
        return msgspec.structs.replace(
            job,
            algorithm=self.algorithm,
            backend=self.backend,
            workers=self.workers,
            record=0,
            limit=Limit(depth=job.limit.depth, seconds=LONGEST_RUN),
        )


class Spread(NamedTuple):
    """A median with the quartiles around it."""

    lower: float
    median: float
    upper: float

    @property
    def half(self) -> float:
        """Half the distance between the quartiles: the "±" after a median."""
        return (self.upper - self.lower) / 2


class Timing(Struct, frozen=True):
    """The measurements of one mode."""

    mode: Mode
    seconds: tuple[float, ...]
    """The search's own time (`Snapshot.seconds`) in each round, in their order."""
    nodes: int
    """The median over the rounds: threads that share bounds visit different numbers of nodes each time."""

    @property
    def spread(self) -> Spread:
        return spread(self.seconds)


class Speedup(Struct, frozen=True):
    """The speedup of one mode over the serial run of the same algorithm."""

    mode: Mode
    of_medians: float
    """The serial median divided by the mode's."""
    paired: Spread
    """The spread of the ratios of two runs of one round."""

    @property
    def efficiency(self) -> float:
        """Speedup per worker; 1 is ideal."""
        return self.paired.median / self.mode.workers


class Experiment(Struct, frozen=True):
    """The measurements of one position in several modes."""

    job: Job
    timings: tuple[Timing, ...]
    start: dict[str, float]
    """The cost in seconds of starting a parallel search, by algorithm: the time of a search to depth 1 on the most
    workers. Algorithms without a parallel mode are missing."""
    subtrees: tuple[int, ...] = ()
    """Nodes of each task of the parallel minimax, in task order; empty if it was not measured."""

    @property
    def rounds(self) -> int:
        return len(self.timings[0].seconds)

    @property
    def workers(self) -> int:
        """The greatest number of workers measured."""
        return max(timing.mode.workers for timing in self.timings)

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(timing.mode.algorithm for timing in self.timings))

    @property
    def has_mpi(self) -> bool:
        return any(timing.mode.backend == "mpi" for timing in self.timings)

    def serial(self, algorithm: str) -> Timing | None:
        return next((timing for timing in self.timings if timing.mode == Mode(algorithm)), None)

    def speedups(self, algorithm: str, backend: str) -> tuple[Speedup, ...]:
        """The speedups of an algorithm's modes on "threads" or "mpi", fewest workers first; empty if its serial run was
        not measured."""
        serial = self.serial(algorithm)
        if serial is None:
            return ()
        return tuple(
            Speedup(
                timing.mode,
                serial.spread.median / timing.spread.median,
                spread([alone / together for alone, together in zip(serial.seconds, timing.seconds, strict=True)]),
            )
            for timing in sorted(self.timings, key=lambda timing: timing.mode.workers)
            if timing.mode.algorithm == algorithm and timing.mode.backend == backend
        )

    def is_too_small(self, algorithm: str) -> bool:
        """Whether starting threads costs more than START_SHARE of the serial search.

        The cost (`start`) is measured in each experiment, because it varies: on one machine it was 0.1 ms with idle
        cores and 3 ms with cores used by other programs.
        """
        serial = self.serial(algorithm)
        return (
            serial is not None
            and algorithm in self.start
            and serial.spread.median * START_SHARE < self.start[algorithm]
        )

    @property
    def too_small(self) -> bool:
        """Whether any of the algorithms is too small for threads."""
        return any(self.is_too_small(algorithm) for algorithm in self.algorithms)

    def tasks_limit(self, workers: int) -> float | None:
        """An upper bound on the speedup of minimax's tasks on so many workers; None without tasks. It assumes an equal
        cost for every node and no cost for starting and controlling workers."""
        return schedule_speedup(self.subtrees, self.job.schedule, workers) if self.subtrees else None


class Progress(NamedTuple):
    """The progress of a measurement."""

    done: int
    total: int
    """The number of all runs; 0 during the warm-up, when the duration of a run is unknown."""
    mode: Mode
    """The mode of the next run."""


PRESET = Job(game="mnk:4,4,4", position="...x/..x./.x../.oo.")
"""A position large enough for threads: minimax visits 38,458,454 positions, alpha-beta in natural order 6,328,640. O is
to move and must stop the diagonal on a4, which threatens a row of its own. Its eleven tasks were the best for 2 threads
among 120 random positions: the dynamic schedule allows 1.995× on 2 threads and 3.28× on 4."""


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def modes(workers: int, algorithms: Sequence[str] = ALGORITHMS, ranks: Sequence[int] = ()) -> tuple[Mode, ...]:
    """The modes of each algorithm: serial, 1 to `workers` threads (beyond eight doubled each time, and `workers`
    itself), and these numbers of MPI ranks."""
    counts = [threads for threads in range(1, workers + 1) if threads <= 8 or threads & (threads - 1) == 0]
    if counts[-1:] != [workers]:
        counts.append(workers)
    parallel = [("threads", threads) for threads in counts] + [("mpi", number) for number in ranks]
    return tuple(Mode(algorithm, *where) for algorithm in algorithms for where in [("serial", 1), *parallel])


def plan(chosen: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Endless rounds: alternately forwards and backwards, each pair starting one place later."""
    for number in count():
        first = number // 2 % len(chosen)
        order = (*chosen[first:], *chosen[:first])
        yield order[::-1] if number % 2 else order


def measure(
    job: Job,
    chosen: Sequence[Mode],
    control: Control,
    repeats: int | None = None,
    seconds: float = SECONDS,
    least: int = LEAST_ROUNDS,
) -> Iterator[Progress | Experiment]:
    """Measure a job's position in the chosen modes, in `repeats` rounds or as many as fit into `seconds`.

    Yields a Progress before each run and the Experiment last. `control.stop()` drops the current round; the Experiment
    then follows only if `least` (or `repeats`) rounds are complete. Raises JobError if the job cannot run, TooLarge if
    one run takes longer than LONGEST_RUN.
    """
    if not chosen:
        raise JobError(message("There is nothing to measure: choose at least one mode."))

    # 1. Run every mode once, to load kernels and start threads. The sizes of the tasks bound the speedup.
    warm: dict[Mode, Result] = {}
    round_seconds = 0.0
    for mode in chosen:
        yield Progress(0, 0, mode)
        begun = time.monotonic()
        result = _run(mode, mode.job(job), control)
        if result is None:
            return
        warm[mode] = result
        # Launching ranks takes longer than most searches, and is not part of the search's own time.
        round_seconds += time.monotonic() - begun if mode.backend == "mpi" else result.info.seconds
    start = {}
    for algorithm in dict.fromkeys(mode.algorithm for mode in chosen):
        on_threads = [mode for mode in chosen if (mode.algorithm, mode.backend) == (algorithm, "threads")]
        if on_threads:
            widest = max(on_threads, key=lambda mode: mode.workers)
            yield Progress(0, 0, widest)
            cost = _start_cost(job, widest, control)
            if cost is None:
                return
            start[algorithm] = cost

    # 2. Run as many rounds as fit.
    if repeats is None:
        repeats = max(LEAST_ROUNDS, min(MOST_ROUNDS, int(seconds / max(round_seconds, 1e-9))))
    whole: list[dict[Mode, Result]] = []
    for number, order in zip(range(repeats), plan(chosen), strict=False):
        results: dict[Mode, Result] = {}
        for place, mode in enumerate(order):
            yield Progress(number * len(chosen) + place, repeats * len(chosen), mode)
            result = _run(mode, mode.job(job), control)
            if result is None:
                break
            results[mode] = result
        if len(results) < len(chosen):
            break
        whole.append(results)

    # 3. Yield the experiment.
    if len(whole) >= min(least, repeats):
        timings = tuple(
            Timing(
                mode,
                tuple(results[mode].info.seconds for results in whole),
                round(median(results[mode].info.counters.nodes for results in whole)),
            )
            for mode in chosen
        )
        yield Experiment(job, timings, start, _subtrees(warm.values()))


def short_depth(job: Job) -> int:
    """The greatest depth, at least 1, to which minimax visits at most SHORT_NODES positions, if the number of moves
    never grows."""
    chosen = registry.game(job.game)
    moves = legal(chosen.notation.parse(job.position)).bit_count()
    return max(1, int(math.log(SHORT_NODES, max(2, moves))))


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of at least one value."""
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    lower, middle, upper = quantiles(values, n=4, method="inclusive")
    return Spread(lower, middle, upper)


def schedule_speedup(nodes: Sequence[int], schedule: Schedule, workers: int) -> float:
    """An upper bound on the speedup of these tasks: the nodes of all tasks divided by those of the busiest worker under
    `schedule`. It takes a worker's nodes for its time."""
    loads = [0] * workers
    for task, size in enumerate(nodes):
        match schedule:
            case Schedule.STATIC:
                worker = ((task + 1) * workers - 1) // len(nodes)
            case Schedule.CYCLIC:
                worker = task % workers
            case Schedule.DYNAMIC:
                worker = loads.index(min(loads))
        loads[worker] += size
    return sum(nodes) / max(loads)


def _run(mode: Mode, job: Job, control: Control) -> Result | None:
    """Run a mode's job to its end; None if it was stopped. Raises JobError if it took too long."""
    result = None
    for news in backends.run(job, control):
        if isinstance(news, Result):
            result = news
    if result is None or result.end is End.STOPPED:
        return None
    if result.end is End.FAILED:
        raise JobError(result.failure)
    if result.end is End.SECONDS:
        raise TooLarge(mode)
    return result


def _start_cost(job: Job, mode: Mode, control: Control) -> float | None:
    """Seconds that the mode takes to search to depth 1, the least of START_RUNS; None if it was stopped. Other programs
    only add to this time: medians rose from 0.1 to 8 ms while threads waited for a core."""
    shallow = msgspec.structs.replace(mode.job(job), limit=Limit(depth=1), split=1)
    times = []
    for _ in range(START_RUNS):
        result = _run(mode, shallow, control)
        if result is None:
            return None
        times.append(result.info.seconds)
    return min(times)


def _subtrees(results: Iterable[Result]) -> tuple[int, ...]:
    """Nodes of each task of a parallel minimax among the results, in the order of their moves."""
    for result in results:
        if result.job.algorithm == "minimax" and result.job.backend != "serial":
            return tuple(task.nodes for task in sorted(result.tasks, key=lambda task: task.moves))
    return ()
