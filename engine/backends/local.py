"""Runs a search in this process: yields its snapshots and its result.

The serial, the interpreted and the thread backend share this code. The first two have one task and one worker. They
differ in one function, `run_slice`, which runs every worker for a slice.
"""

import gc
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from engine.backends.allocate import check_room, keep_tapes, make_aids, memory, sizes
from engine.backends.exact_values import true_values
from engine.backends.iterations import Root
from engine.backends.slicing import RunSlice, Slices, busy, first_slice, turns
from engine.backends.state import SearchState
from engine.control import Control
from engine.kernels.task_tree import deal, split
from engine.kernels.worker_memory import SPARE_ROWS, crew_memory
from engine.options.choices import Parallel
from engine.prepare import Prepared
from engine.result import End, Info, Result
from engine.rules.contract import Position, is_over, play

ONE_ENTRY = 16 / (1 << 20)
"""MiB: the smallest table."""


def drive(
    prepared: Prepared, control: Control, run_slice: RunSlice, plies: int, workers: int
) -> Iterator[Info | Result]:
    """Search with `workers` workers; the tasks are `plies` plies below the root (0: the root is the only task).

    Yields an Info up to 60 times a second, or after each slice of a throttled search, then the Result.
    """
    check_room(prepared)
    load_kernels(prepared, run_slice, workers)
    aids = make_aids(prepared, true_values(prepared, control, run_slice))
    crew, tapes = memory(prepared, workers)
    root = Root(prepared, crew, tapes, aids, plies)
    slices = Slices(prepared.job.limit, control, run_slice)
    for report in root.passes():
        for _ in slices.run(root.prepared, report, turns(root.prepared, report)):
            yield root.info(slices.seconds)
        root.note(slices.end, slices.seconds)
        if slices.end is not End.COMPLETE:
            break
    end, info = conclude(root.prepared, control, run_slice, slices.end, root.info(slices.seconds))
    trace = root.report.trace()
    keep_tapes(tapes)
    yield Result(prepared.job, info, root.root_moves(), root.tasks(), end, trace)


def load_kernels(prepared: Prepared, run_slice: RunSlice, workers: int) -> None:
    """Compile or load the kernels and wake the threads before the clock starts, by an empty slice for all workers.

    Waking a sleeping core may take longer than a search of 3 x 3 on two cores. The garbage collector is off meanwhile:
    the compiler makes so many objects that it would take an eighth of the time.
    """
    tapes = np.empty((1, SPARE_ROWS), np.int64) if prepared.job.record else None
    aids = make_aids(prepared._replace(job=replace(prepared.job, table=min(prepared.job.table, ONE_ENTRY))))
    report = SearchState(prepared.position, split(prepared.position, 0, 1), crew_memory(1, [0]), tapes, aids)
    collects = gc.isenabled()
    gc.disable()
    try:
        run_slice(prepared, report, np.zeros(workers, np.int64))
    finally:
        if collects:
            gc.enable()


def conclude(prepared: Prepared, control: Control, run_slice: RunSlice, end: End, info: Info) -> tuple[End, Info]:
    """The reason why a search ended, and its last Info with the whole principal variation.

    The end of that line may need another search. A stop, or as many nodes as the search itself visited (at least one
    slice), ends it; the line then ends there.
    """
    if end is End.COMPLETE:
        deepest = [done.counters for done in info.iterations if done.depth == info.iterations[-1].depth]
        if any(counters.horizon for counters in deepest or [info.counters]):
            end = End.HORIZON
        # A null window proves the root move. For the moves below it, it proves only a bound.
        line = info.pv[:1] if prepared.algorithm.guesses else info.pv
        value = round((info.value or 0) * prepared.unit)
        nodes = max(first_slice(prepared), info.counters.nodes)
        info = replace(info, pv=_whole_line(prepared, control, run_slice, line, value, nodes))
    return end, info


def _whole_line(
    prepared: Prepared, control: Control, run_slice: RunSlice, line: tuple[int, ...], value: int, nodes: int
) -> tuple[int, ...]:
    """The principal variation of a finished search, extended by searches of at most `nodes` nodes from its last
    position: the recursion returns only its best move. These are short, because `value`, that of the root in the
    kernels' units, is known and allows a narrow window."""
    position: Position = prepared.position
    for ply, move in enumerate(line):
        if ply >= prepared.search.horizon:
            return line
        position = play(position, move)
    left = prepared.search.horizon - len(line)
    if not line or left <= 0 or is_over(position):
        return line
    search = prepared.search._replace(horizon=left)
    job = replace(prepared.job, deepen=False, aspiration=None, parallel=Parallel.SPLIT)
    below = prepared._replace(job=job, position=position, search=search)
    crew = crew_memory(1, sizes(below, search))
    tapes = np.empty((1, SPARE_ROWS), np.int64) if prepared.job.record else None  # the same kernel
    report = SearchState(position, split(position, 0, 1), crew, tapes, make_aids(below), horizon=left)
    worth = -value if len(line) % 2 else value
    whole = report.tree.nodes[0]
    whole["alpha"], whole["beta"] = worth - 1, worth + 1
    deal(report.tree, 0, 1, "dynamic", 1)
    while busy(report):
        if control.stopped or report.counters().nodes >= nodes:
            return line
        run_slice(below, report, np.array([first_slice(prepared)]))
    left_over = nodes - report.counters().nodes
    return line + _whole_line(below, control, run_slice, report.info(0.0).pv, worth, left_over)
