"""Makes a snapshot of a search from its state, between two slices."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from engine.backends.state import SearchState
from engine.kernels import task_tree
from engine.kernels.node import turned
from engine.kernels.task_tree import children, moves_to
from engine.kernels.transposition import estimated_fill
from engine.kernels.worker_memory import counters, load, moves_in, unpack_child
from engine.result import (
    INFINITY,
    Child,
    Counters,
    PathNode,
    RankInfo,
    RootMove,
    Snapshot,
    State,
    WorkerInfo,
    in_wins,
    known_value,
)
from engine.rules.bits import each
from engine.rules.contract import at_chance, legal
from engine.trace.leaves import LEAVES


def snapshot(state: SearchState, seconds: float) -> Snapshot:
    """The snapshot of a search in this process, `seconds` after the start."""
    busy = np.flatnonzero(state.crew.state["task"] >= 0)
    path = _path(state, int(busy[0])) if busy.size else ()
    return combined(state, seconds, workers(state, seconds), path)


def combined(
    state: SearchState,
    seconds: float,
    workers: Sequence[WorkerInfo],
    path: tuple[PathNode, ...],
    ranks: Sequence[RankInfo] = (),
) -> Snapshot:
    """A snapshot with these workers. Nodes above the task roots are counted for worker 0."""
    value, pv = state.value_and_line(0)
    known = None if value is None else state.known_value(0, value, state.settled_value(0) is not None)
    if known is None:
        pv = ()
    first = replace(workers[0], counters=workers[0].counters + state.counters_above())
    workers = (first, *workers[1:])
    return Snapshot(
        counters=sum((worker.counters for worker in workers), Counters()),
        value=known,
        best=pv[0] if pv else None,
        pv=pv,
        path=path,
        workers=workers,
        seconds=seconds,
        tasks_done=int(np.count_nonzero(state.tree.tasks["end"])),
        tasks=len(state.tree.tasks),
        ranks=tuple(ranks),
        table_fill=None if state.aids is None or state.aids.mask < 0 else estimated_fill(state.aids.table),
        value_depth=None if known is None else state.horizon,
    )


def workers(state: SearchState, seconds: float) -> tuple[WorkerInfo, ...]:
    """The task and counters of each worker, `seconds` after the start. Nodes above the tasks are not counted."""
    return tuple(_worker(state, worker, seconds) for worker in range(len(state.crew.state)))


def path_to(state: SearchState, task: int) -> tuple[PathNode, ...]:
    """The path from the root to the parent of a task."""
    path, node = [], int(state.tree.tasks[task]["node"])
    while node > 0:
        parent = int(state.tree.nodes[node]["parent"])
        path.append(_split_node(state, parent, int(state.tree.nodes[node]["move"])))
        node = parent
    return tuple(reversed(path))


def path_below(state: SearchState, worker: int) -> tuple[PathNode, ...]:
    """The path from the root of a worker's task to its current node."""
    own = state.crew.state[worker]
    return tuple(_frame_node(state, worker, ply) for ply in range(own["base"], own["ply"] + 1))


def root_moves(state: SearchState) -> tuple[RootMove, ...]:
    """The finished root moves, in ascending order."""
    tree = state.tree
    if tree.nodes[0]["task"] < 0:
        found = [_split_child(state, node) for node in children(tree, 0)]
    else:
        worker = int(tree.tasks[tree.nodes[0]["task"]]["worker"])
        found = _frame_node(state, worker, 0).children if worker >= 0 and _has_frames(state, worker) else ()
    done = (child for child in found if child.state is State.DONE)
    return tuple(RootMove(child.move, child.value, state.horizon) for child in done if child.value is not None)


def _has_frames(state: SearchState, worker: int) -> bool:
    """Whether this process has a worker's frames: false for a remote search, and if the root is a leaf."""
    frame = state.crew.frames[worker, 0]
    return bool(frame["best"] == -INFINITY or frame["line"] or at_chance(state.root))


def _worker(state: SearchState, worker: int, seconds: float) -> WorkerInfo:
    own = state.crew.state[worker]
    task, busy = int(own["task"]), int(own["busy"]) / 1e9
    ran, cpu = int(own["ran"]) / 1e9, int(own["cpu"]) / 1e9
    if task < 0:
        return WorkerInfo(counters(own), None, (), busy, ran, cpu)
    row = state.tree.tasks[task]
    if not row["left"]:
        busy += max(0.0, seconds - int(row["start"]) / 1e9)
    above = moves_to(state.tree, int(row["node"]))
    frames = state.crew.frames[worker, own["base"] : own["ply"] + 1]
    below = tuple(int(frame["move"]) for frame in frames if frame["move"] >= 0)
    return WorkerInfo(counters(own), task, above + below, busy, ran, cpu)


def _path(state: SearchState, worker: int) -> tuple[PathNode, ...]:
    return path_to(state, int(state.crew.state[worker]["task"])) + path_below(state, worker)


def _split_node(state: SearchState, node: int, move: int) -> PathNode:
    row = state.tree.nodes[node]
    best = None if row["key"] == task_tree.NO_KEY else task_tree.value_of(int(row["key"]))
    return PathNode(
        alpha=in_wins(max(int(row["alpha"]), -INFINITY if best is None else best), state.unit),
        beta=in_wins(int(row["beta"]), state.unit),
        best=None if best is None else state.known_value(node, best, ended=False),
        move=move,
        children=tuple(_split_child(state, child) for child in children(state.tree, node)),
        cut=bool(task_tree.are_cut(state.tree)[node]),
    )


def _split_child(state: SearchState, node: int) -> Child:
    row, value = state.tree.nodes[node], state.settled_value(node)
    move = int(row["move"])
    if value is not None:
        known = state.known_value(node, value)
        worth = None if known is None else turned(known, row["again"] != 0)
        return Child(move, State.DONE, worth, state.leaf(node))
    if row["visited"]:
        return Child(move, State.OPEN)
    return Child(move, State.PRUNED if row["void"] else State.UNVISITED)


def _frame_node(state: SearchState, worker: int, ply: int) -> PathNode:
    frame, values = state.crew.frames[worker, ply], state.crew.values[worker, ply]
    todo, cut = moves_in(state.root, frame["todo"]), moves_in(state.root, frame["cut"])
    current = int(frame["move"])
    alpha, beta, best = int(frame["alpha"]), int(frame["beta"]), int(frame["best"])
    is_open = bool(ply < state.crew.state[worker]["ply"] or frame["again"])

    def child(move: int) -> Child:
        if cut & (1 << move):
            return Child(move, State.PRUNED)
        if todo & (1 << move):
            return Child(move, State.UNVISITED)
        if is_open and move == current:
            return Child(move, State.OPEN)
        value, low, why = unpack_child(int(values[move]))
        leaf = LEAVES.get(why)
        return Child(move, State.DONE, known_value(value, low, beta, state.unit, leaf, True, state.estimates), leaf)

    ended = not is_open and todo == 0
    return PathNode(
        alpha=in_wins(max(alpha, best), state.unit),
        beta=in_wins(beta, state.unit),
        best=None if best == -INFINITY else known_value(best, alpha, beta, state.unit, None, ended, state.estimates),
        move=None if current < 0 else current,
        children=tuple(child(move) for move in each(legal(load(state.root, frame)))),
        cut=cut != 0,
        ended=ended,
    )
