"""Measures parallel speedup: searches one position repeatedly in several modes.

    measure(job, modes, control) ─▶ Progress, Progress, ... ─▶ Experiment

Runs are *interleaved*: a round runs every mode once, in an order drawn anew for each round. The reasons are the drift
of a machine's clock rate, and warm caches and branch predictors of a kernel that runs twice in succession (1.3 to 1.4
times as fast). Speedups therefore divide times of one round; medians and their intervals are taken over the rounds.
Compilation is never timed: each mode runs once before the first round. Searches have no record.

*Strong* scaling: every run searches the whole position. *Weak* scaling: every run has the same time, too short for the
whole position, so that more workers visit more nodes. For minimax a node is a unit of work, in whatever order.

Source of weak scaling in a fixed time: J. L. Gustafson, G. R. Montry, R. E. Benner, Development of parallel methods for
a 1024-processor hypercube, SIAM Journal on Scientific and Statistical Computing 9 (1988).
"""

import math
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

import msgspec

from engine import backends, registry
from engine.control import Control
from engine.job import Job, JobError
from engine.measure import machine
from engine.measure.experiment import LEAST_ROUNDS, LONGEST_RUN, Experiment, Mode, Run, Timing, run_of
from engine.measure.tree_size import expected_seconds
from engine.messages import message
from engine.options.catalogue import MAX_WORKERS, Limit
from engine.prepare import prepare, split_of
from engine.result import End, Result
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play

T = TypeVar("T")

ALGORITHMS = ("minimax", "alphabeta")

MOST_ROUNDS = 31
"""Intervals of more rounds hardly change."""

SECONDS = 8.0
"""Time limit of all rounds of a measurement together, unless LEAST_ROUNDS take longer."""

LAUNCH_SECONDS, CALL_SECONDS = 1.0, 0.005
"""About the time of a launch of two ranks, and of any call of a search besides the search itself."""

START_RUNS = 9
"""Starts before the first round; each round has one more, because a busy spell may last longer than these."""

MOST_UNSHARED = 100
"""The greatest number of tasks that are searched alone, each without a bound."""

SHORT_NODES = 30_000_000
"""Nodes of minimax, about a tenth of a second: measured within seconds, and large enough for threads."""


class TooLarge(JobError):
    """One run takes longer than LONGEST_RUN."""

    def __init__(self, mode: Mode) -> None:
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


class TooSmall(JobError):
    """A run of weak scaling has searched the whole position before its time is over."""

    def __init__(self, mode: Mode, seconds: float) -> None:
        super().__init__(
            message(
                "This position is too small for weak scaling: {algorithm} ({mode}) has searched all of it in less than "
                "{seconds} s. Choose a position with more moves left.",
                algorithm=message(registry.algorithm(mode.algorithm).title),
                mode=mode.label,
                seconds=f"{seconds:g}",
            )
        )
        self.mode = mode


class Progress(NamedTuple):
    """The progress of a measurement."""

    done: int
    total: int
    """The number of all runs; 0 during the warm-up, when the duration of a run is unknown."""
    mode: Mode
    """The mode of the next run."""
    left: float | None = None
    """The expected seconds to the end; None while unknown."""


PRESET = Job(game="mnk:4,4,4", position="...x/..x./.x../.oo.")
"""A position large enough for threads: minimax visits 38,458,454 positions, alpha-beta in natural order 6,328,640. O is
to move and must stop the diagonal on a4, which threatens a row of its own. Its eleven tasks were the best for 2 threads
among 120 random positions: the dynamic schedule allows 1.995× on 2 threads and 3.28× on 4."""

WEAK_PRESET = Job(game="mnk:4,4,4", position="..../..../..../....")
"""A position that nothing searches in WEAK_SECONDS, with sixteen tasks."""

WEAK_SECONDS = 0.5
"""The time of a run of weak scaling: long against the start of threads, short enough for many rounds."""


SURELY_LONGER = 100
"""How many times LONGEST_RUN the estimate of a search that prunes nothing must be, so that it need not be tried: most
estimates are within a factor of 3. How much alpha-beta prunes is not known."""


def usual_algorithms(job: Job, weak: bool) -> tuple[str, ...]:
    """The names of the algorithms that are usually measured in a job's game; for `weak` scaling without those that
    prune."""
    game = registry.game(job.game)
    return tuple(dict.fromkeys(registry.suited(name, game) for name in ALGORITHMS[: 1 if weak else None]))


def modes(
    workers: int,
    algorithms: Sequence[str] = ALGORITHMS,
    ranks: Sequence[int] = (),
    threads: int = 1,
    most: int = MAX_WORKERS,
) -> tuple[Mode, ...]:
    """The modes of each algorithm: serial, 1 to `workers` threads (beyond eight doubled each time, and `workers`
    itself), these numbers of MPI ranks, and hybrid the same ranks with 2 to `threads` threads each, as far as these
    are at most `most` workers."""
    hybrid = [(number, each) for each in _counts(threads)[1:] for number in ranks if number * each <= most]
    return tuple(
        Mode(algorithm, *where)
        for algorithm in algorithms
        for where in (
            ("serial", 1, 1),
            *(("threads", number, 1) for number in _counts(workers)),
            *(("mpi", number, each) for number, each in [*((number, 1) for number in ranks), *hybrid]),
        )
    )


def _counts(last: int) -> list[int]:
    """The numbers from 1 to `last`, beyond eight only doubled ones and `last` itself."""
    return [number for number in range(1, last + 1) if number <= 8 or number & (number - 1) == 0 or number == last]


def plan(chosen: Sequence[T], seed: int) -> Iterator[tuple[T, ...]]:
    """Endless rounds, each in a random order of its own."""
    draw = random.Random(seed)
    while True:
        yield tuple(draw.sample(chosen, len(chosen)))


def measure(
    job: Job,
    chosen: Sequence[Mode],
    control: Control,
    repeats: int | None = None,
    seconds: float = SECONDS,
    least: int = LEAST_ROUNDS,
    seed: int = 0,
    fixed_time: float | None = None,
) -> Iterator[Progress | Experiment]:
    """Measure a job's position in the chosen modes, in `repeats` rounds or as many as fit into `seconds`. With a
    `fixed_time` each run takes so many seconds (weak scaling).

    Yields a Progress before each run and the Experiment last. `control.stop()` drops the current round; the Experiment
    then follows only if `least` (or `repeats`) rounds are complete. Raises JobError if the job cannot run or its nodes
    are no measure of work, TooLarge if one run takes longer than LONGEST_RUN, TooSmall if one ends before `fixed_time`.
    """
    check(job, chosen, fixed_time)
    measurement = _Measurement(job, chosen, control, fixed_time)
    try:
        yield from measurement.warm_up()
    except _Stopped:
        return
    rounds = repeats or _rounds(measurement.one_round, seconds)
    with suppress(_Stopped):
        yield from measurement.run_rounds(rounds, seed)
    if len(measurement.runs) >= min(least, rounds):
        yield measurement.experiment(seed)


def check(job: Job, chosen: Sequence[Mode], fixed_time: float | None) -> None:
    """Raise JobError if a job cannot be measured, TooLarge if that is known before the first run."""
    if not chosen:
        raise JobError(message("There is nothing to measure: choose at least one mode."))
    if is_over(prepare(job).position):
        raise JobError(message("The game is over: choose a position in which there is something to search."))
    if fixed_time is not None and any(registry.algorithm(mode.algorithm).prunes for mode in chosen):
        raise JobError(message("Weak scaling counts nodes as work: choose minimax. Other algorithms prune."))
    for mode in chosen:
        searches_all = fixed_time is None and not registry.algorithm(mode.algorithm).prunes
        if searches_all and expected_seconds(mode.job(job)) > SURELY_LONGER * LONGEST_RUN * mode.all_workers:
            raise TooLarge(mode)


class _Stopped(Exception):
    """The measurement was stopped."""


class _Measurement:
    """The runs of a measurement. Its methods raise _Stopped once `control.stop()` was called."""

    def __init__(self, job: Job, chosen: Sequence[Mode], control: Control, fixed_time: float | None) -> None:
        self._job, self._chosen, self._control, self._fixed_time = job, chosen, control, fixed_time
        self._start = dict[str, float]()
        self._subtrees, self._unshared = dict[str, tuple[int, ...]](), dict[str, tuple[int, ...]]()
        self._widest = dict[str, Mode]()
        """By algorithm, its mode with the most threads, which is started alone to measure what a start takes."""
        self._load = machine.mean_load()
        self.one_round = 0.0
        """The seconds of one run in every mode."""
        self.runs: list[dict[Mode, Run]] = []
        """Of each complete round."""

    def warm_up(self) -> Iterator[Progress]:
        """Run every mode once, to load kernels and start threads, and what predictions need: searches on one thread,
        starts, and tasks without a shared bound."""
        for mode in self._chosen:
            yield Progress(0, 0, mode)
            begun = time.monotonic()
            result = _run(mode, self._job, self._control, self._fixed_time)
            # Launching ranks takes longer than most searches, and is not part of the search's own time.
            self.one_round += time.monotonic() - begun if mode.backend == "mpi" else result.info.seconds
            if (mode.backend, mode.workers) == ("threads", 1) and self._fixed_time is None:
                self._subtrees[mode.algorithm] = _nodes_of_tasks(result)
        for algorithm in dict.fromkeys(mode.algorithm for mode in self._chosen if mode.backend != "serial"):
            if self._fixed_time is None and algorithm not in self._subtrees:
                one_thread = Mode(algorithm, "threads", 1)
                yield Progress(0, 0, one_thread)
                self._subtrees[algorithm] = _nodes_of_tasks(_run(one_thread, self._job, self._control))
            on_threads = [mode for mode in self._chosen if (mode.algorithm, mode.backend) == (algorithm, "threads")]
            if on_threads:
                widest = self._widest[algorithm] = max(on_threads, key=lambda mode: mode.workers)
                yield Progress(0, 0, widest)
                self._start[algorithm] = _start_cost(self._job, widest, self._control)
                if registry.algorithm(algorithm).prunes and (tasks := _unshared(self._job, algorithm, self._control)):
                    self._unshared[algorithm] = tasks

    def run_rounds(self, rounds: int, seed: int) -> Iterator[Progress]:
        """Run every mode once a round. A round that is stopped leaves nothing behind."""
        begun = time.monotonic()
        for number, order in zip(range(rounds), plan(self._chosen, seed), strict=False):
            for name, mode in self._widest.items():
                self._start[name] = min(self._start[name], _start_cost(self._job, mode, self._control, 1))
            runs: dict[Mode, Run] = {}
            for place, mode in enumerate(order):
                done, total = number * len(order) + place, rounds * len(order)
                left = (time.monotonic() - begun) / done * (total - done) if number else None
                yield Progress(done, total, mode, left)
                called = time.monotonic()
                result = _run(mode, self._job, self._control, self._fixed_time)
                runs[mode] = run_of(result, time.monotonic() - called)
            self.runs.append(runs)

    def experiment(self, seed: int) -> Experiment:
        """The experiment of the complete rounds."""
        timings = tuple(Timing(mode, tuple(runs[mode] for runs in self.runs)) for mode in self._chosen)
        found = machine.this_machine(
            _layer(self._chosen), any(mode.backend == "mpi" for mode in self._chosen), self._load
        )
        predicted = self._start, self._subtrees, self._unshared
        return Experiment(self._job, timings, *predicted, found, seed, self._fixed_time)


def expected_duration(
    job: Job,
    chosen: Sequence[Mode],
    cores: int,
    repeats: int | None = None,
    weak: bool = False,
    seconds: float | None = None,
) -> float:
    """The estimate in seconds of a measurement without compiling, with the errors of `tree_size.expected_seconds`; on
    so many cores no search is expected to gain from more workers. `seconds` are those of serial minimax, if known."""

    def one_run(mode: Mode) -> float:
        prunes = registry.algorithm(mode.algorithm).prunes
        serial = expected_seconds(mode.job(job)) if seconds is None or prunes else seconds
        alone = WEAK_SECONDS if weak else serial / min(mode.all_workers, cores)
        return alone + (LAUNCH_SECONDS if mode.backend == "mpi" else 0.0)

    one_round = sum(map(one_run, chosen))
    rounds = repeats or _rounds(one_round)
    on_threads = len({mode.algorithm for mode in chosen if mode.backend == "threads"})
    on_one = {Mode(mode.algorithm, "threads", 1) for mode in chosen if mode.backend != "serial" and not weak}
    calls = len(chosen) * (1 + rounds) + on_threads * (START_RUNS + rounds)
    return one_round * (1 + rounds) + sum(map(one_run, on_one - {*chosen})) + CALL_SECONDS * calls


def _rounds(one_round: float, seconds: float = SECONDS) -> int:
    """The number of rounds that fit, where one takes so many seconds."""
    return max(LEAST_ROUNDS, min(MOST_ROUNDS, int(seconds / max(one_round, 1e-9))))


def short_depth(job: Job) -> int:
    """The greatest depth, at least 1, to which minimax visits at most SHORT_NODES positions, if the number of moves
    never grows."""
    _, root = registry.root_of(job)
    return max(1, int(math.log(SHORT_NODES, max(2, legal(root).bit_count()))))


def _run(mode: Mode, job: Job, control: Control, fixed_time: float | None = None) -> Result:
    """Run a job in a mode, to its end or for a fixed time. Raises JobError if it took too long, or less than the fixed
    time, _Stopped if it was stopped."""
    result = None
    for news in backends.run(mode.job(job, fixed_time), control):
        if isinstance(news, Result):
            result = news
    if result is None or result.end is End.STOPPED:
        raise _Stopped
    if result.end is End.FAILED:
        raise JobError(result.failure)
    if fixed_time is None and result.end is End.SECONDS:
        raise TooLarge(mode)
    if fixed_time is not None and result.end is not End.SECONDS:
        raise TooSmall(mode, fixed_time)
    return result


def _start_cost(job: Job, mode: Mode, control: Control, runs: int = START_RUNS) -> float:
    """Seconds that the mode takes to search to depth 1, the least of so many runs, without the time for which a worker
    had no core. With that time, medians rose from 0.1 to 8 ms on a busy machine."""
    shallow = msgspec.structs.replace(job, limit=Limit(depth=1), split=1)
    times = []
    for _ in range(runs):
        info = _run(mode, shallow, control).info
        times.append(max(0.0, info.seconds - max((worker.kept_waiting for worker in info.workers), default=0.0)))
    return min(times)


def _nodes_of_tasks(result: Result) -> tuple[int, ...]:
    """The nodes of each task, in the order of the moves that lead to them."""
    return tuple(task.nodes for task in sorted(result.tasks, key=lambda task: task.moves))


def _unshared(job: Job, algorithm: str, control: Control) -> tuple[int, ...]:
    """Nodes of each task searched alone, in an open window; empty if there are too many."""
    mode, nodes = Mode(algorithm), list[int]()
    root = prepare(mode.job(job))
    plies = min(split_of(job), root.search.horizon)
    depth = job.limit.depth
    positions = _below(root.position, plies)
    if len(positions) > MOST_UNSHARED or depth == plies:
        return ()
    for position in positions:
        limit = Limit(depth=None if depth is None else depth - plies)
        alone = msgspec.structs.replace(job, position=root.game.notation.format(position), limit=limit)
        nodes.append(_run(mode, alone, control).info.counters.nodes)
    return tuple(nodes)


def _below(position: Position, plies: int) -> list[Position]:
    """The positions that many plies later, in task order, and the finished ones before."""
    if plies == 0 or is_over(position):
        return [position]
    return [found for move in each(legal(position)) for found in _below(play(position, move), plies - 1)]


def _layer(chosen: Sequence[Mode]) -> str:
    """numba's threading layer, once a mode with threads has run; else empty."""
    has_threads = any(mode.backend == "threads" for mode in chosen)
    return backends.load("threads").layer() or "" if has_threads else ""
