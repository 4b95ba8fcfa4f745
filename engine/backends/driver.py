"""Drives a search that runs in this process: slices, limits, what is said meanwhile, and what comes out.

Serial and threads are the same search, with one task and one worker or with many; they differ in the one function that
lets every worker go on for a slice. Between slices nothing runs, so all memory can be read as it is.
"""

import mmap
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine import stack
from engine.backends.report import Report
from engine.control import MIN_PACE, Control
from engine.game import Position, play, remaining
from engine.job import End, Info, JobError, Result
from engine.registry import Prepared
from engine.split import Split, deal, eldest_first, has_tasks, split
from engine.stack import LINE_MOVES, ROW_TYPE, Memory, crew_memory

SLICE_NODES = 1_000_000
"""A worker's first slice: some 10 ms. Shorter ones cost: what stands between two is interpreted, and threads meet."""
SHORT, LONG = 0.004, 0.012
"""Seconds: a shorter slice is followed by a longer one, a longer by a shorter. A stop waits for the end of a slice."""

RunSlice = Callable[[Prepared, Report, NDArray[np.int64]], None]
"""Lets worker w visit about `budgets[w]` nodes."""


def drive(
    prepared: Prepared, control: Control, run_slice: RunSlice, plies: int, workers: int
) -> Iterator[Info | Result]:
    """Search with so many workers, split so many plies below the root (0: the root is the only task).

    Yields an Info at least 60 times a second, or after each slice where the search is held back, then the Result.
    """
    load_kernels(prepared, run_slice)
    crew, tapes = memory(prepared, workers)
    begun = time.monotonic_ns()
    tree = split(prepared.position, min(plies, prepared.search.horizon), workers)
    report = Report(prepared.position, tree, crew, tapes)
    slices = Slices(prepared, report, control, run_slice, plies)
    slices.begin(begun)
    for _ in slices.run(_turns(report, prepared)):
        yield report.info(slices.seconds)
    end, info = conclude(prepared, run_slice, slices.end, report.info(slices.seconds))
    trace = report.trace()
    if tapes is not None:
        _SPARE_TAPES.append(tapes)
    yield Result(
        job=prepared.job,
        info=info,
        root_moves=report.root_moves(prepared.algorithm.prunes),
        tasks=report.tasks(begun),
        end=end,
        trace=trace,
    )


class Slices:
    """A search in slices; `end` and `seconds` say what became of it."""

    def __init__(self, prepared: Prepared, report: Report, control: Control, run_slice: RunSlice, plies: int) -> None:
        """`plies` are split off above the tasks."""
        self.end = End.COMPLETE
        self._prepared, self._report, self._control = prepared, report, control
        self._run_slice, self._plies = run_slice, plies
        self._spent = self._since = 0

    def begin(self, now: int) -> None:
        """Time counts from now on, a monotonic time in ns."""
        self._since = now

    @property
    def seconds(self) -> float:
        """Spent searching so far. Waiting for leave to go on does not count."""
        return self._spent / 1e9

    def run(self, turns: Iterable[list[int]]) -> Iterator[None]:
        """Give the workers of each turn a slice; nobody's turn is a moment of rest. Yields when there is something to
        show."""
        limit, workers = self._prepared.job.limit, len(self._report.crew.state)
        slice_nodes, told = SLICE_NODES, 0.0
        for turn, active in enumerate(turns):
            # 1. Tell how far it is, and wait for leave to go on.
            self._count_time()
            now = time.monotonic()
            if self._control.held_back or now - told >= MIN_PACE:
                told = now
                yield
            granted = self._control.grant(slice_nodes * len(active))
            self._since = time.monotonic_ns()
            # 2. Mind the limits.
            if self._control.stopped:
                self.end = End.STOPPED
                return
            if limit.seconds is not None and self._spent >= limit.seconds * 1e9:
                self.end = End.SECONDS
                return
            if not active:
                continue
            if limit.nodes is not None:
                granted = self._allowed(granted, active, limit.nodes)
                if granted <= 0:
                    self.end = End.NODES
                    return
            # 3. Go on, and see that whole slices are neither short, which costs, nor long, which makes a stop wait.
            visited = self._report.crew.state[:, stack.NODES].sum()
            self._run_slice(self._prepared, self._report, _budgets(granted, active, turn, workers))
            visited = self._report.crew.state[:, stack.NODES].sum() - visited
            lasted = (time.monotonic_ns() - self._since) / 1e9
            if lasted < SHORT and visited >= slice_nodes * len(active):
                slice_nodes *= 2
            elif lasted > LONG:
                slice_nodes = max(1000, slice_nodes // 2)
        self._count_time()

    def _allowed(self, granted: int, active: list[int], nodes: int) -> int:
        """What the limit of nodes leaves of a grant. Taking a task may visit as many nodes above it as there are plies;
        where that is too much for all, only the first worker stays in `active`."""
        left = nodes - self._report.counters().nodes
        if left <= self._plies * len(active):
            del active[1:]
        return min(granted, left - self._plies * len(active))

    def _count_time(self) -> None:
        now = time.monotonic_ns()
        self._spent += now - self._since
        self._since = now


def _turns(report: Report, prepared: Prepared) -> Iterator[list[int]]:
    """The workers that have something to do, slice after slice until none has. With a bound to share, tasks are dealt
    in stages, eldest brother first."""
    tree, workers = report.tree, len(report.crew.state)
    for first, last in stages(prepared, tree):
        deal(tree, first, last, prepared.job.schedule, workers)
        while active := busy(report):
            yield active


def stages(prepared: Prepared, tree: Split) -> list[tuple[int, int]]:
    """The tasks that may be searched at the same time, [first, last), one stage after the other."""
    return eldest_first(tree) if prepared.algorithm.prunes else [(0, len(tree.tasks))]


def busy(report: Report) -> list[int]:
    """The workers that have a task, or could take one of those handed out."""
    task_of = report.crew.state[:, stack.TASK]
    return [worker for worker in range(len(task_of)) if task_of[worker] >= 0 or has_tasks(report.tree, worker)]


def _budgets(granted: int, active: list[int], turn: int, workers: int) -> NDArray[np.int64]:
    """Share out what was granted; where it is too little for all, another worker begins each time."""
    budgets = np.zeros(workers, np.int64)
    for place, worker in enumerate(active):
        budgets[worker] = (granted + (place + turn) % len(active)) // len(active)
    return budgets


def memory(prepared: Prepared, workers: int) -> tuple[Memory, NDArray[Any] | None]:
    """The workers' memory, and their tapes where the job records.

    A tape is kept for the next search: a page that is written for the first time costs as much as 1,000 nodes. It is
    mapped, for numpy would allocate huge pages, and clear the first for ten times as long as a small search takes.
    """
    rows = prepared.job.record
    crew = crew_memory(workers, min(prepared.search.horizon, remaining(prepared.position)))
    return crew, _tapes(workers, rows) if rows else None


def _tapes(workers: int, rows: int) -> NDArray[Any]:
    try:
        spare = _SPARE_TAPES.pop()
    except IndexError:
        spare = None
    if spare is not None and spare.shape == (workers, rows):
        return spare
    try:
        room = mmap.mmap(-1, workers * rows * ROW_TYPE.itemsize)
    except OSError as error:
        raise JobError(
            f"There is no memory for {workers} x {rows:,} rows of a record: choose a smaller one, or fewer workers."
        ) from error
    return np.frombuffer(room, ROW_TYPE).reshape(workers, rows)


_SPARE_TAPES: deque[NDArray[Any]] = deque(maxlen=1)


def load_kernels(prepared: Prepared, run_slice: RunSlice) -> None:
    """Have the kernels compiled or loaded before the clock runs: a slice of nothing."""
    crew, tapes = crew_memory(1, 1), np.empty((1, 1), ROW_TYPE) if prepared.job.record else None
    report = Report(prepared.position, split(prepared.position, 0, 1), crew, tapes)
    run_slice(prepared, report, np.zeros(1, np.int64))


def conclude(prepared: Prepared, run_slice: RunSlice, end: End, info: Info) -> tuple[End, Info]:
    """Why a search ended, and its last Info with the whole principal variation."""
    if end is End.COMPLETE:
        if info.counters.horizon:
            end = End.HORIZON
        info = replace(info, pv=_whole_line(prepared, run_slice, info.pv, info.counters.depth))
    return end, info


def _whole_line(prepared: Prepared, run_slice: RunSlice, line: tuple[int, ...], depth: int) -> tuple[int, ...]:
    """A line longer than a packed one, found by searching on from its end: that is short beside the search itself."""
    if len(line) < LINE_MOVES or len(line) >= depth:
        return line
    position: Position = prepared.position
    for move in line:
        position = play(position, move)
    search = prepared.search._replace(horizon=prepared.search.horizon - len(line))
    below = prepared._replace(job=replace(prepared.job, record=0), position=position, search=search)
    report = Report(position, split(position, 0, 1), *memory(below, 1))
    deal(report.tree, 0, 1, "dynamic", 1)
    run_slice(below, report, np.array([1 << 40]))
    more = report.info(0.0)
    return line + _whole_line(below, run_slice, more.pv, more.counters.depth)
