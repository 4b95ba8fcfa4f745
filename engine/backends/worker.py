"""One worker's slice, shared by all backends: take a task, search it, back up its value, take the next.

The split nodes above the tasks share bounds between workers. When a worker takes a task, its window is computed from
the best children so far on the path from the root. A move with a lower number than the best so far would win a tie, so
it is searched with alpha one lower. Every mode and timing therefore ends with the same value and the same move, the
lowest of the best.
"""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from engine.jit import lowering as lowering  # registers the rules with the compiler
from engine.jit.intrinsics import atomic_add, atomic_max, atomic_min, nanoseconds
from engine.jit.kernel import kernel, part
from engine.kernels import task_tree, worker_memory
from engine.kernels.contract import advance
from engine.kernels.depth_first import begin
from engine.kernels.ordering import LAZY, MIRRORED
from engine.kernels.raw_words import address
from engine.kernels.task_tree import Split, key_of, move_of, value_of
from engine.kernels.transposition import SearchAids, as_record
from engine.kernels.worker_memory import Memory, Tape, load
from engine.result import INFINITY
from engine.rules.contract import Position

NO_VALUE: Any = np.int64(2 * INFINITY)
"""A numpy integer: for a Python literal, numba would compile the callees again."""

for _helper in (key_of, value_of, move_of):
    register_jitable(_helper)


def _tape(rows: Any) -> Any: ...


@overload(_tape, strict=False)
def _tape_of(rows: Any) -> Any:
    """The tape of compiled code, with the address of `rows`; None without rows."""
    if isinstance(rows, types.NoneType):
        return lambda rows: None
    return lambda rows: Tape(address(rows), len(rows) - worker_memory.SPARE_ROWS)


def _own(aids: Any, memory: Memory, worker: int) -> Any: ...


@overload(_own, strict=False)
def _own_aids(aids: Any, memory: Any, worker: Any) -> Any:
    """The aids of one worker in compiled code; None without aids."""
    return _no_aids if isinstance(aids, types.NoneType) else _aids_of


def _no_aids(aids: Any, memory: Memory, worker: int) -> None:
    return None


def _aids_of(aids: SearchAids, memory: Memory, worker: int) -> SearchAids:
    """The aids of one worker. Every other lazy worker takes equal moves in reverse order."""
    order = aids.order & ~LAZY
    if aids.order & LAZY != 0 and worker & 1 != 0:
        order |= MIRRORED
    return SearchAids(
        address(aids.table),
        aids.mask,
        aids.age,
        aids.keeps,
        aids.turns,
        address(aids.turned_moves),
        aids.root_move,
        order,
        aids.seed,
        aids.evaluation,
        address(aids.oracle),
        aids.oracle_mask,
        address(memory.history),
        address(memory.killers),
        address(memory.state),
    )


@kernel
def work(
    search: Any,
    root: Position,
    prunes: bool,
    tree: Split,
    memory: Memory,
    rows: Any,
    all_aids: Any,
    budget: int,
    worker: int,
) -> None:
    """Search tasks until `budget` nodes are visited or no task is left for this worker. The excess is at most the
    number of plies above a task. `memory.state["task"]` is then the current task, or -1.

    `memory` counts the nodes of tasks; `task_tree.counters` counts those above them. `rows` is the worker's tape, or
    None; `all_aids` the aids of all workers, or None."""
    state, tape, aids = memory.state[0], _tape(rows), as_record(_own(all_aids, memory, worker))
    limit = state["nodes"] + budget
    while state["nodes"] < limit:
        if state["task"] >= 0:
            advance(search, root, memory, tape, aids, limit - state["nodes"])
            if state["ply"] < state["base"]:
                finish(tree, memory)
                state["task"] = -1
        else:
            state["task"] = next_task(tree, worker)
            if state["task"] < 0:
                return
            entered = start(search, root, prunes, tree, memory, tape, aids, worker)
            if entered < 0:
                state["task"] = -1
            limit -= max(0, entered)


@part
def next_task(tree: Split, worker: int) -> int:
    """The next task dealt to this worker, or -1."""
    anyone, own = tree.dealt[0], tree.dealt[1 + worker]
    if anyone["younger"] != 0:
        return _next_in_order(tree)
    task = atomic_add(anyone, "next", anyone["stride"])
    if task < anyone["end"]:
        return task
    if own["next"] < own["end"]:
        own["next"] += own["stride"]
        return own["next"] - own["stride"]
    return -1


@part
def _next_in_order(tree: Split) -> int:
    """The first free task that may be searched. Waits for one up to the time given to `deal_in_order`, then returns
    -1."""
    dealt = tree.dealt[0]
    end = nanoseconds() + dealt["patience"]
    while True:
        is_left = False
        for number in range(dealt["next"], dealt["end"]):
            task = tree.tasks[number]
            if task["claim"] == 0 and task["worker"] == -1:
                is_left = True
                if _may_begin(tree.nodes, task["node"]) and atomic_add(task, "claim", 1) == 0:
                    return number
        if not is_left or nanoseconds() >= end:
            return -1


@part
def _may_begin(nodes: Any, node: int) -> bool:
    """Whether at each node above this one the eldest child is settled or is on the path to this node."""
    while nodes[node]["parent"] >= 0:
        eldest = nodes[node]["parent"] + 1
        if eldest != node and nodes[eldest]["open"] > 0:
            return False
        node = nodes[node]["parent"]
    return True


@part
def start(
    search: Any, root: Position, prunes: bool, tree: Split, memory: Memory, tape: Any, aids: Any, worker: int
) -> int:
    """Set up the search of the worker's task. Returns the number of nodes above it that this visits for the first time.
    If the task is cut off, it is settled instead, and -1 returned."""
    state = memory.state[0]
    row = tree.tasks[state["task"]]
    alpha, beta, entered = _enter(prunes, tree, row, worker)
    if entered < 0:
        return -1
    row["first"] = state["rows"]
    row["start"] = _now(state)
    node = row["node"]
    move, base = tree.nodes[node]["move"], tree.nodes[node]["ply"]
    begin(search, load(root, tree.frames[node]), move, alpha, beta, base, memory, tape, aids)
    return entered


@part
def _now(state: Any) -> int:
    """The time of the search's own clock, in ns."""
    return nanoseconds() - state["epoch"]


@part
def _enter(prunes: bool, tree: Split, row: Any, worker: int) -> tuple[int, int, int]:
    """The window of a task, and the number of nodes above it that this visits for the first time. If the task is cut
    off, it is settled instead, and that number is -1."""
    nodes, node = tree.nodes, row["node"]
    base = nodes[node]["ply"]

    # 1. The window, from the root down. It depends only on the ancestors' values.
    alpha, beta, entered = nodes[0]["alpha"], nodes[0]["beta"], 0
    for ply in range(base):
        ancestor, child = _ancestor(nodes, node, ply), _ancestor(nodes, node, ply + 1)
        if prunes:
            key = atomic_add(nodes[ancestor], "key", 0)
            if key != task_tree.NO_KEY:
                best = value_of(key)
                if best >= beta:
                    row["worker"], row["value"] = task_tree.SKIPPED, ply
                    _skip(nodes, node, ancestor, child)
                    return 0, 0, -1
                alpha = max(alpha, best - (1 if nodes[child]["move"] < move_of(key) else 0))
        if nodes[ancestor]["visited"] == 0:
            nodes[ancestor]["visited"] = 1
            entered += 1
        alpha, beta = -beta, -alpha
        if prunes:
            atomic_max(nodes[child], "alpha", alpha)
            atomic_min(nodes[child], "beta", beta)

    # 2. The task.
    nodes[node]["visited"] = 1
    row["worker"] = worker
    return alpha, beta, entered


@part
def _ancestor(nodes: Any, node: int, ply: int) -> int:
    """The ancestor of `node` at `ply`."""
    while nodes[node]["ply"] > ply:
        node = nodes[node]["parent"]
    return node


@part
def _skip(nodes: Any, node: int, cut: int, child: int) -> None:
    """Settle a task that is cut off: `cut` is the ancestor with a value of beta or more, `child` its child on the
    path."""
    if nodes[child]["visited"] == 0:
        nodes[child]["void"] = nodes[cut]["cutoff"] = 1
    inner = nodes[node]["parent"]
    while inner != cut:
        nodes[inner]["void"] = 1
        inner = nodes[inner]["parent"]
    _settle(nodes, node, NO_VALUE)


@part
def finish(tree: Split, memory: Memory) -> None:
    """Store the result of the worker's task, and back up its value."""
    state = memory.state[0]
    frame = memory.frames[state["base"]]
    row = tree.tasks[state["task"]]
    row["value"], row["line"] = frame["best"], frame["line"]
    row["last"] = state["rows"]
    row["end"] = _now(state)
    state["busy"] += row["end"] - row["start"]
    _settle(tree.nodes, row["node"], row["value"])


@part
def _settle(nodes: Any, node: int, value: int) -> None:
    """Back a child's value up to its parent, unless it is NO_VALUE. The worker that settles the last child continues
    with the parent."""
    while nodes[node]["parent"] >= 0:
        parent = nodes[node]["parent"]
        if value != NO_VALUE:
            atomic_max(nodes[parent], "key", key_of(-value, nodes[node]["move"]))
        nodes[node]["open"] = 0
        if atomic_add(nodes[parent], "open", -1) != 1:
            return
        node = parent
        value = value_of(nodes[node]["key"]) if nodes[node]["void"] == 0 else NO_VALUE
