"""Runs a search in this process: yields its snapshots and its result.

The serial, the interpreted and the thread backend share this code. The first two have one task and one worker. They
differ in one function, `run_slice`, which runs every worker for a slice.
"""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from engine.backends.allocate import check_room, keep_tapes, make_aids, unrecorded
from engine.backends.dealing import dealing
from engine.backends.events import Events
from engine.backends.exact_values import true_values
from engine.backends.iterations import Iterations
from engine.backends.slicing import RunSlice, Slices, first_slice
from engine.backends.state import new_state
from engine.control import Control
from engine.kernels.node import turned
from engine.options.choices import Parallel
from engine.prepare import Prepared
from engine.result import End, Iteration, Result, Snapshot
from engine.rules.contract import Position, at_chance, is_over, moves_again, play

ONE_ENTRY = 16 / (1 << 20)
"""MiB: the smallest table."""


def drive(
    prepared: Prepared, control: Control, run_slice: RunSlice, plies: int, workers: int
) -> Iterator[Snapshot | Result]:
    """Search with `workers` workers; the tasks are `plies` plies below the root (0: the root is the only task).

    Yields a Snapshot up to 60 times a second, or after each slice of a throttled search, then the Result.
    """
    check_room(prepared)
    with control.preparing():
        load_kernels(prepared, run_slice, workers)
    aids = make_aids(prepared, true_values(prepared, control, run_slice))
    iterations = Iterations(prepared, workers, aids, plies)
    slices = Slices(prepared.job.limit, control, run_slice)

    def answer() -> bool:
        """Send the result so far to the caller that asked for it; returns whether one had asked."""
        question = control.take_question()
        if question is not None:
            question(iterations.so_far(slices.seconds))
        return question is not None

    events = Events(control, answer)
    for state in iterations.states():
        events.begin(state)
        for due in slices.run(iterations.prepared, state, dealing(iterations.prepared, state), events.wait):
            answer()
            yield from events.snapshots(iterations.snapshot(due.seconds))
        if slices.end is End.COMPLETE:
            yield from events.last(lambda: iterations.snapshot(slices.seconds))
        iterations.close(slices.end, slices.seconds)
        if slices.end is not End.COMPLETE:
            break
    end, info = conclude(iterations.prepared, control, run_slice, slices.end, iterations.snapshot(slices.seconds))
    result = iterations.result(info, end)
    keep_tapes(iterations.state.tapes)
    yield result


def load_kernels(prepared: Prepared, run_slice: RunSlice, workers: int) -> None:
    """Compile or load the kernels and wake the threads before the clock starts, by an empty slice for all workers.

    Waking a sleeping core may take longer than a search of 3 x 3 on two cores. One worker has none to wake, and needs a
    slice only for the first search with these kernels.
    """
    if workers == 1 and prepared.kernels in _LOADED:
        return
    aids = make_aids(prepared._replace(job=replace(prepared.job, table=min(prepared.job.table, ONE_ENTRY))))
    state = new_state(prepared, 0, unrecorded(prepared.to(0)), aids)
    run_slice(prepared, state, np.zeros(workers, np.int64))
    _LOADED.add(prepared.kernels)


_LOADED = set[str]()
"""The kernels that this process has compiled or loaded: see `Prepared.kernels`."""


def conclude(
    prepared: Prepared, control: Control, run_slice: RunSlice, end: End, info: Snapshot
) -> tuple[End, Snapshot]:
    """The reason why a search ended, and its last snapshot with the whole principal variation.

    The end of that line may need another search. A stop, or as many nodes as the search itself visited (at least ten
    slices), ends it; the line then ends there.
    """
    if end is End.COMPLETE:
        deepest = [done.counters for done in info.iterations if done.depth == info.iterations[-1].depth]
        if any(counters.horizon for counters in deepest or [info.counters]):
            end = End.HORIZON
        # A null window proves the root move. For the moves below it, it proves only a bound.
        line = info.pv[:1] if prepared.algorithm.guesses else info.pv
        value = round((0 if info.value is None else info.value.number) * prepared.unit)
        nodes = max(10 * first_slice(prepared), info.counters.nodes)
        whole = _whole_line(prepared, control, run_slice, line, value, nodes)
        info = replace(info, pv=whole, iterations=_with_line(info.iterations, line, whole))
    return end, info


def _with_line(done: tuple[Iteration, ...], line: tuple[int, ...], whole: tuple[int, ...]) -> tuple[Iteration, ...]:
    """The iterations, where the last of the deepest ones that proves a move has the `whole` of the line that it began.
    The last of MTD(f) may prove none."""
    for number in reversed(range(len(done))):
        one = done[number]
        if one.depth == done[-1].depth and one.value.proves_a_move and one.pv[: len(line)] == line:
            return *done[:number], replace(one, pv=whole), *done[number + 1 :]
    return done


def _whole_line(
    prepared: Prepared, control: Control, run_slice: RunSlice, line: tuple[int, ...], value: int, nodes: int
) -> tuple[int, ...]:
    """The principal variation of a finished search, extended by searches of at most `nodes` nodes from its last
    position: the recursion returns only its best move. These are short, because `value`, that of the root in the
    kernels' units, is known and allows a narrow window. The line ends at a chance node, which has no best move."""
    position: Position = prepared.position
    end_value = value
    for ply, move in enumerate(line):
        if ply >= prepared.search.horizon:
            return line
        before, position = position, play(position, move)
        end_value = turned(end_value, moves_again(before, position))
    left = prepared.search.horizon - len(line)
    if not line or left <= 0 or is_over(position) or at_chance(position):
        return line
    search = prepared.search._replace(horizon=left)
    job = replace(prepared.job, deepen=False, aspiration=None, parallel=Parallel.SPLIT)
    rest = prepared._replace(job=job, position=position, search=search)
    state = new_state(rest, 0, unrecorded(rest), make_aids(rest), (end_value - 1, end_value + 1))
    tasks = dealing(rest, state)
    while tasks.active():
        if control.stopped or state.counters().nodes >= nodes:
            return line
        run_slice(rest, state, np.array([first_slice(prepared)]))
    left_over = nodes - state.counters().nodes
    return line + _whole_line(rest, control, run_slice, state.value_and_line(0)[1], end_value, left_over)
