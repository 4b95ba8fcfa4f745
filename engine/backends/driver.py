"""Drives a search that runs in this process: slices, limits, what is said meanwhile, and what comes out.

Serial and threads are the same search, with one task and one worker or with many; they differ in the one function that
lets every worker go on for a slice. Between slices nothing runs, so all memory can be read as it is.
"""

import mmap
import time
from collections import deque
from collections.abc import Callable, Iterator
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
from engine.split import deal, eldest_first, has_tasks, split
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
    limit = prepared.job.limit
    # 1. Everything that is not the search itself, before the clock runs.
    _compile(prepared, run_slice)
    crew, tapes = _memory(prepared, workers)
    begun = mark = time.monotonic_ns()
    tree = split(prepared.position, min(plies, prepared.search.horizon), workers)
    report = Report(prepared.position, tree, crew, tapes)
    slice_nodes, spent, told, end = SLICE_NODES, 0, 0.0, End.COMPLETE
    for turn, active in enumerate(_turns(report, prepared)):
        # 2. Tell how far it is, and wait for leave to go on; neither counts as searching.
        spent += time.monotonic_ns() - mark
        now = time.monotonic()
        if control.held_back or now - told >= MIN_PACE:
            told = now
            yield report.info(spent / 1e9)
        granted = control.grant(slice_nodes * len(active))
        mark = time.monotonic_ns()
        # 3. Mind the limits.
        if not granted:
            end = End.STOPPED
        elif limit.seconds is not None and spent >= limit.seconds * 1e9:
            end = End.SECONDS
        elif limit.nodes is not None:
            left = limit.nodes - int(crew.state[:, stack.NODES].sum())
            # Taking a task may visit as many nodes above it as there are plies.
            if left <= plies * len(active):
                active = active[:1]
            granted = min(granted, left - plies * len(active))
            if granted <= 0:
                end = End.NODES
        if end is not End.COMPLETE:
            break
        # 4. Go on, and see that whole slices are neither short, which costs, nor long, which makes a stop wait.
        run_slice(prepared, report, _budgets(granted, active, turn, workers))
        lasted = (time.monotonic_ns() - mark) / 1e9
        if granted < slice_nodes * len(active):
            continue
        if lasted < SHORT:
            slice_nodes *= 2
        elif lasted > LONG:
            slice_nodes = max(1000, slice_nodes // 2)
    spent += time.monotonic_ns() - mark
    yield _result(prepared, report, run_slice, end, begun, spent / 1e9)


def _turns(report: Report, prepared: Prepared) -> Iterator[list[int]]:
    """The workers that have something to do, slice after slice until none has. With a bound to share, tasks are dealt
    in stages, eldest brother first."""
    tree, workers = report.tree, len(report.crew.state)
    stages = eldest_first(tree) if prepared.algorithm.prunes else [(0, len(tree.tasks))]
    task_of = report.crew.state[:, stack.TASK]
    for first, last in stages:
        deal(tree, first, last, prepared.job.schedule, workers)
        while active := [worker for worker in range(workers) if task_of[worker] >= 0 or has_tasks(tree, worker)]:
            yield active


def _budgets(granted: int, active: list[int], turn: int, workers: int) -> NDArray[np.int64]:
    """Share out what was granted; where it is too little for all, another worker begins each time."""
    budgets = np.zeros(workers, np.int64)
    for place, worker in enumerate(active):
        budgets[worker] = (granted + (place + turn) % len(active)) // len(active)
    return budgets


def _memory(prepared: Prepared, workers: int) -> tuple[Memory, NDArray[Any] | None]:
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


def _compile(prepared: Prepared, run_slice: RunSlice) -> None:
    """Have the kernels compiled or loaded before the clock runs: a slice of nothing."""
    crew, tapes = crew_memory(1, 1), np.empty((1, 1), ROW_TYPE) if prepared.job.record else None
    report = Report(prepared.position, split(prepared.position, 0, 1), crew, tapes)
    run_slice(prepared, report, np.zeros(1, np.int64))


def _result(prepared: Prepared, report: Report, run_slice: RunSlice, end: End, begun: int, seconds: float) -> Result:
    info = report.info(seconds)
    if end is End.COMPLETE:
        if info.counters.horizon:
            end = End.HORIZON
        info = replace(info, pv=_whole_line(prepared, run_slice, info.pv, info.counters.depth))
    trace = report.trace()
    if report.tapes is not None:
        _SPARE_TAPES.append(report.tapes)
    return Result(
        job=prepared.job,
        info=info,
        root_moves=report.root_moves(prepared.algorithm.prunes),
        tasks=report.tasks(begun),
        end=end,
        trace=trace,
    )


def _whole_line(prepared: Prepared, run_slice: RunSlice, line: tuple[int, ...], depth: int) -> tuple[int, ...]:
    """A line longer than a packed one, found by searching on from its end: that is short beside the search itself."""
    if len(line) < LINE_MOVES or len(line) >= depth:
        return line
    position: Position = prepared.position
    for move in line:
        position = play(position, move)
    search = prepared.search._replace(horizon=prepared.search.horizon - len(line))
    below = prepared._replace(job=replace(prepared.job, record=0), position=position, search=search)
    report = Report(position, split(position, 0, 1), *_memory(below, 1))
    deal(report.tree, 0, 1, "dynamic", 1)
    run_slice(below, report, np.array([1 << 40]))
    more = report.info(0.0)
    return line + _whole_line(below, run_slice, more.pv, more.counters.depth)
