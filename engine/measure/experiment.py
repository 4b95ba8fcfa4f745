"""A measurement of parallel search: its runs, and the speedups that they give.

An Experiment holds every run. All other figures are computed from them, so that a file with the runs is enough.
"""

from collections.abc import Callable
from statistics import median
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from engine import registry
from engine.job import Job
from engine.measure.machine import Machine
from engine.measure.schedules import makespan, schedule_speedup
from engine.measure.statistics import Interval, fit_amdahl, fit_gustafson, gustafson_fraction, karp_flatt, median_of
from engine.messages import message
from engine.options.catalogue import MAX_INTEGER, MAX_WORKERS, Limit
from engine.registry import PARALLEL
from engine.result import Result

LONGEST_RUN = 10.0
"""Time limit of one run in seconds: all modes and rounds together would take minutes."""

Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
TaskNodes = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Workers = Annotated[int, Meta(ge=1, le=MAX_WORKERS)]
"""Ranges that a file is checked for."""

LEAST_ROUNDS = 5
"""Intervals of fewer rounds are unreliable."""

START_SHARE = 0.05
"""The greatest cost of starting threads as a share of the serial time. At 5 %, two threads with a perfect distribution
reach 1 / (0.5 + 0.05) = 1.82×. At a higher cost the chart shows the start instead of the search."""


class Mode(NamedTuple):
    """One way to run the search."""

    algorithm: str
    backend: str = "serial"
    workers: Workers = 1
    """Threads, or ranks."""
    threads: Workers = 1
    """Threads of each rank."""

    @property
    def all_workers(self) -> int:
        """The number of workers: the threads of all ranks."""
        return self.workers * self.threads

    @property
    def is_hybrid(self) -> bool:
        """Whether its ranks have several threads each."""
        return self.threads > 1

    @property
    def label(self) -> str:
        """The mode's text beside its algorithm: "serial", "1 thread", "2 ranks"."""
        if self.backend == "serial":
            return message("serial")
        if self.is_hybrid:
            return message("{ranks} × {threads} threads", ranks=self.workers, threads=self.threads)
        if self.workers == 1:
            return message("1 rank") if self.backend == "mpi" else message("1 thread")
        words = message("{workers} ranks") if self.backend == "mpi" else message("{workers} threads")
        return message(words, workers=self.workers)

    def job(self, job: Job, seconds: float | None = None) -> Job:
        """The same search in this mode: without a record, to its end or its depth, with a time limit: LONGEST_RUN if
        None."""
        return msgspec.structs.replace(
            job,
            algorithm=self.algorithm,
            backend=self.backend,
            workers=self.workers,
            threads=self.threads,
            record=0,
            limit=Limit(depth=job.limit.depth, seconds=LONGEST_RUN if seconds is None else seconds),
        )


class Run(Struct, frozen=True):
    """One run of one mode. Times are in seconds; those of all workers together are sums over the workers."""

    seconds: Positive
    """The search alone: its own time, `Snapshot.seconds`."""
    waited: NotNegative
    """From the call to the result: with preparation, and the launch of ranks."""
    nodes: Annotated[int, Meta(ge=1, le=MAX_INTEGER)]
    cpu: NotNegative = 0.0
    """Processor time of all workers."""
    kept_waiting: NotNegative = 0.0
    """Time of all workers in which they were to run and had no core."""
    idle_at_end: NotNegative = 0.0
    """Time of all workers after the end of their last tasks."""

    @property
    def rate(self) -> float:
        """Nodes in a second of the search alone, of all workers together."""
        return self.nodes / self.seconds

    @property
    def cores_taken(self) -> float:
        """The mean number of cores that the workers were to use and did not have: other programs used them, or
        workers beyond the number of cores."""
        return self.kept_waiting / self.seconds if self.seconds > 0 else 0.0


def run_of(result: Result, waited: float) -> Run:
    """The figures of a finished search that took `waited` seconds from the call to the result."""
    info = result.info
    ends = [0.0] * len(info.workers)
    for task in result.tasks:
        ends[task.worker] = max(ends[task.worker], task.end)
    return Run(
        seconds=info.seconds,
        waited=waited,
        nodes=info.counters.nodes,
        cpu=sum(worker.cpu for worker in info.workers),
        kept_waiting=sum(worker.kept_waiting for worker in info.workers),
        idle_at_end=sum(
            max(0.0, info.seconds - max(end, worker.ran)) for end, worker in zip(ends, info.workers, strict=True)
        ),
    )


class Timing(Struct, frozen=True):
    """The runs of one mode."""

    mode: Mode
    runs: tuple[Run, ...]
    """One in each round, in their order."""

    @property
    def seconds(self) -> tuple[float, ...]:
        """The search's own time in each round."""
        return tuple(run.seconds for run in self.runs)

    @property
    def nodes(self) -> int:
        """The median over the rounds: threads that share bounds visit different numbers of nodes each time."""
        return round(median(run.nodes for run in self.runs))

    @property
    def time(self) -> Interval:
        """The median of the search's own time."""
        return median_of(self.seconds)

    @property
    def waited(self) -> Interval:
        """The median of the time from the call to the result."""
        return median_of(tuple(run.waited for run in self.runs))

    @property
    def cores_taken(self) -> float:
        """The median of `Run.cores_taken`."""
        return median(run.cores_taken for run in self.runs)


class Speedup(Struct, frozen=True):
    """The speedup of one mode over the serial run of the same algorithm."""

    mode: Mode
    ratios: tuple[float, ...]
    """In each round the serial time divided by the mode's; if scaled, the mode's rate divided by the serial rate."""
    scaled: bool = False
    """Whether the runs had the same time, not the same work: the scaled speedup of Gustafson."""

    @property
    def paired(self) -> Interval:
        """The median of the ratios."""
        return median_of(self.ratios)

    @property
    def efficiency(self) -> Interval:
        """Speedup per worker; 1 is ideal."""
        return Interval(*(end / self.mode.all_workers for end in self.paired))

    @property
    def serial_fraction(self) -> Interval | None:
        """Karp and Flatt's serial fraction, or Gustafson's if scaled; None for one worker. The greatest speedup has the
        smallest fraction."""
        workers = self.mode.all_workers
        if workers == 1:
            return None
        fraction = gustafson_fraction if self.scaled else karp_flatt
        return Interval(*(fraction(end, workers) for end in reversed(self.paired)))


class Experiment(Struct, frozen=True):
    """The measurements of one position in several modes."""

    job: Job
    timings: tuple[Timing, ...]
    start: dict[str, NotNegative]
    """The cost in seconds of starting a parallel search, by algorithm: the time of a search to depth 1 on the most
    workers. Algorithms without a parallel mode are missing."""
    subtrees: dict[str, tuple[TaskNodes, ...]] = {}
    """Nodes of each task on one worker, in task order, by algorithm. Alpha-beta's have all bounds of those before."""
    unshared: dict[str, tuple[TaskNodes, ...]] = {}
    """The same where no task has a bound of another, of the algorithms that prune."""
    machine: Machine | None = None
    seed: int = 0
    """The seed of the order of the runs."""
    fixed_time: Positive | None = None
    """Weak scaling: the seconds after which each run ends, before it has searched the whole position, so that the work
    grows with the workers. None: strong scaling, each run searches the whole position."""
    expected: Positive | None = None
    """The speedup on the most workers that a person expected before the runs."""
    compared: "Experiment | None" = None
    """Another measurement that charts and report show beside this one; it has none itself."""

    @property
    def rounds(self) -> int:
        return len(self.timings[0].runs)

    @property
    def workers(self) -> int:
        """The greatest number of workers measured."""
        return max(timing.mode.all_workers for timing in self.timings)

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(timing.mode.algorithm for timing in self.timings))

    @property
    def has_mpi(self) -> bool:
        return any(timing.mode.backend == "mpi" for timing in self.timings)

    @property
    def has_hybrid(self) -> bool:
        return any(timing.mode.is_hybrid for timing in self.timings)

    def timing(self, mode: Mode) -> Timing | None:
        return next((timing for timing in self.timings if timing.mode == mode), None)

    def serial(self, algorithm: str) -> Timing | None:
        return self.timing(Mode(algorithm))

    def speedups(self, algorithm: str, backend: str) -> tuple[Speedup, ...]:
        """The speedups of an algorithm's modes on "threads" or "mpi", fewest workers first; empty if its serial run was
        not measured."""
        serial = self.serial(algorithm)
        if serial is None:
            return ()
        return tuple(
            Speedup(
                timing.mode,
                tuple(self._ratio(alone, together) for alone, together in zip(serial.runs, timing.runs, strict=True)),
                scaled=self.fixed_time is not None,
            )
            for timing in sorted(self.timings, key=lambda timing: (timing.mode.all_workers, timing.mode.threads))
            if timing.mode.algorithm == algorithm and timing.mode.backend == backend
        )

    def _ratio(self, alone: Run, together: Run) -> float:
        return alone.seconds / together.seconds if self.fixed_time is None else together.rate / alone.rate

    def all_speedups(self) -> tuple[Speedup, ...]:
        """The speedups of all algorithms and backends."""
        return tuple(
            speedup for name in self.algorithms for backend in PARALLEL for speedup in self.speedups(name, backend)
        )

    def amdahl(self, algorithm: str, backend: str) -> Interval | None:
        """The serial fraction of Amdahl's law that fits best to the speedups; None without several workers, or in a
        fixed time."""
        return self._fitted(fit_amdahl, algorithm, backend) if self.fixed_time is None else None

    def gustafson(self, algorithm: str, backend: str) -> Interval | None:
        """The serial fraction of Gustafson's law that fits best to the scaled speedups; None without several workers,
        or without a fixed time."""
        return None if self.fixed_time is None else self._fitted(fit_gustafson, algorithm, backend)

    def _fitted(self, fit: Callable[..., Interval], algorithm: str, backend: str) -> Interval | None:
        speedups = self.speedups(algorithm, backend)
        workers = [speedup.mode.all_workers for speedup in speedups]
        if max(workers, default=1) == 1:
            return None
        return fit(workers, list(zip(*(speedup.ratios for speedup in speedups), strict=True)))

    def is_too_small(self, algorithm: str) -> bool:
        """Whether starting threads costs more than START_SHARE of the serial search, by the least time of each.

        The cost (`start`) is measured in each experiment, because it varies: on one machine it was 0.1 ms with idle
        cores and 3 ms with cores used by other programs.
        """
        serial = self.serial(algorithm)
        return (
            serial is not None and algorithm in self.start and min(serial.seconds) * START_SHARE < self.start[algorithm]
        )

    @property
    def too_small(self) -> bool:
        """Whether any of the algorithms is too small for threads."""
        return any(self.is_too_small(algorithm) for algorithm in self.algorithms)

    def tasks_limit(self, workers: int) -> float | None:
        """An upper bound on the speedup of the tasks of minimax, or expectiminimax, on so many workers; None without
        tasks. It assumes an equal cost for every node and no cost for starting and controlling workers."""
        tasks = next((tasks for name, tasks in self.subtrees.items() if not registry.algorithm(name).prunes), None)
        return schedule_speedup(tasks, self.job.schedule, workers) if tasks else None

    def predicted(self, algorithm: str, workers: int, shares_bounds: bool = True) -> float | None:
        """The speedup of the tasks in the job's schedule, simulated (`engine.measure.schedules`), after the measured
        start; None without tasks. Every node costs what one of the serial search costs. An algorithm that prunes lies
        between all bounds shared at once and none."""
        serial, tasks = self.serial(algorithm), (self.subtrees if shares_bounds else self.unshared).get(algorithm)
        if serial is None or not tasks:
            return None
        seconds = median(serial.seconds)
        each = seconds / serial.nodes
        start = self.start.get(algorithm, 0.0)
        return seconds / (start + each * makespan(tasks, self.job.schedule, workers))
