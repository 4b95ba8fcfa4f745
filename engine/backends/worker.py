"""One worker's slice, shared by all backends: take a task, search it, back up its value, take the next.

It is plain Python; `engine.backends.compiled` compiles it.

The split nodes above the tasks share bounds between workers. When a worker takes a task, its window is computed from
the best children so far on the path from the root. A move with a lower number than the best so far would win a tie, so
it is searched with alpha one lower. Every mode and timing therefore ends with the same value. It ends with the same
move too, the lowest of the best, if the search has no move order, is not lazy and does not end with a null window at
the root. A serial search in a move order ends with the best move that is first in that order. A lazy search ends with
the best move of the first worker to finish, and MTD(f) on several workers with that of the first task to reach beta.
"""

from time import monotonic_ns, thread_time_ns
from typing import Any

from engine.kernels import task_tree, worker_memory
from engine.kernels.atomic import atomic_add, atomic_max, atomic_min
from engine.kernels.contract import advance
from engine.kernels.depth_first import begin
from engine.kernels.ordering import LAZY, MIRRORED
from engine.kernels.raw_words import address
from engine.kernels.task_tree import Split, move_of, settle, skip, value_of
from engine.kernels.transposition import SearchAids, as_record
from engine.kernels.worker_memory import Memory, Tape, load
from engine.rules.contract import Position


def own_tape(rows: Any) -> Tape | None:
    """The tape of a worker with these rows; None without rows."""
    return None if rows is None else tape_of(rows)


def tape_of(rows: Any) -> Tape:
    """The tape with these rows, of which the spare ones do not count as its size."""
    return Tape(address(rows), len(rows) - worker_memory.SPARE_ROWS)


def own_aids(aids: SearchAids | None, memory: Memory, worker: int) -> Any:
    """The aids of one worker; None without aids."""
    return None if aids is None else aids_of(aids, memory, worker)


def aids_of(aids: SearchAids, memory: Memory, worker: int) -> SearchAids:
    """One worker's aids by the addresses of its memory. Every other lazy worker takes equal moves in reverse order."""
    order = aids.order & ~LAZY
    if aids.order & LAZY != 0 and worker & 1 != 0:
        order |= MIRRORED
    return SearchAids(
        address(aids.table),
        aids.mask,
        aids.depth,
        aids.depth_preferred,
        aids.symmetries,
        address(aids.transformed_moves),
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
    number of plies above a task and the `slack` of its state. `memory.state["task"]` is then the current task, or -1.

    `memory` counts the nodes of tasks; `task_tree.counters` counts those above them. `rows` is the worker's tape, or
    None; `all_aids` the aids of all workers, or None."""
    used = thread_time_ns()
    state, tape, aids = memory.state[0], own_tape(rows), as_record(own_aids(all_aids, memory, worker))
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
                break
            entered = start(search, root, prunes, tree, memory, tape, aids, worker)
            if entered < 0:
                state["task"] = -1
            limit -= max(0, entered)
    state["ran"] += monotonic_ns() - state["called"]
    state["cpu"] += thread_time_ns() - used


def next_task(tree: Split, worker: int) -> int:
    """The next task dealt to this worker, or -1."""
    anyone, own = tree.dealt[0], tree.dealt[1 + worker]
    if anyone["younger"] != 0:
        return next_in_order(tree)
    task = atomic_add(anyone, "next", anyone["stride"])
    if task < anyone["end"]:
        return task
    if own["next"] < own["end"]:
        own["next"] += own["stride"]
        return own["next"] - own["stride"]
    return -1


def next_in_order(tree: Split) -> int:
    """The first free task that may be searched. Waits for one up to the time given to `deal_in_order`, then returns
    -1."""
    dealt = tree.dealt[0]
    end = monotonic_ns() + dealt["patience"]
    while True:
        is_left = False
        for number in range(dealt["next"], dealt["end"]):
            task = tree.tasks[number]
            if task["claim"] == 0 and task["worker"] == -1:
                is_left = True
                if may_begin(tree.nodes, task["node"]) and atomic_add(task, "claim", 1) == 0:
                    return number
        if not is_left or monotonic_ns() >= end:
            return -1


def may_begin(nodes: Any, node: int) -> bool:
    """Whether at each node above this one the eldest child is settled or is on the path to this node."""
    while nodes[node]["parent"] >= 0:
        eldest = nodes[node]["parent"] + 1
        if eldest != node and nodes[eldest]["open"] > 0:
            return False
        node = nodes[node]["parent"]
    return True


def start(
    search: Any, root: Position, prunes: bool, tree: Split, memory: Memory, tape: Any, aids: Any, worker: int
) -> int:
    """Set up the search of the worker's task. Returns the number of nodes above it that this visits for the first time.
    If the task is cut off, it is settled instead, and -1 returned."""
    state = memory.state[0]
    row = tree.tasks[state["task"]]
    alpha, beta, entered = enter(prunes, tree, row, worker)
    if entered < 0:
        return -1
    row["first"] = state["rows"]
    row["start"] = now(state)
    node = row["node"]
    move, base = tree.nodes[node]["move"], tree.nodes[node]["ply"]
    begin(search, load(root, tree.frames[node]), move, alpha, beta, base, memory, tape, aids)
    return entered


def now(state: Any) -> int:
    """The time of the search's own clock, in ns."""
    return monotonic_ns() - state["epoch"]


def enter(prunes: bool, tree: Split, row: Any, worker: int) -> tuple[int, int, int]:
    """The window of a task, and the number of nodes above it that this visits for the first time. If the task is cut
    off, it is settled instead, and that number is -1."""
    nodes, node = tree.nodes, row["node"]
    base = nodes[node]["ply"]

    # 1. The window, from the root down. It depends only on the ancestors' values.
    alpha, beta, entered = nodes[0]["alpha"], nodes[0]["beta"], 0
    for ply in range(base):
        above, child = ancestor(nodes, node, ply), ancestor(nodes, node, ply + 1)
        if prunes:
            key = atomic_add(nodes[above], "key", 0)
            if key != task_tree.NO_KEY:
                best = value_of(key)
                if best >= beta:
                    row["worker"], row["value"] = task_tree.SKIPPED, ply
                    skip(nodes, node, ply)
                    return 0, 0, -1
                alpha = max(alpha, best - (1 if nodes[child]["move"] < move_of(key) else 0))
        if nodes[above]["visited"] == 0:
            nodes[above]["visited"] = 1
            entered += 1
        if nodes[child]["again"] == 0:
            alpha, beta = -beta, -alpha
        if prunes:
            atomic_max(nodes[child], "alpha", alpha)
            atomic_min(nodes[child], "beta", beta)

    # 2. The task.
    nodes[node]["visited"] = 1
    row["worker"] = worker
    return alpha, beta, entered


def ancestor(nodes: Any, node: int, ply: int) -> int:
    """The ancestor of `node` at `ply`."""
    while nodes[node]["ply"] > ply:
        node = nodes[node]["parent"]
    return node


def finish(tree: Split, memory: Memory) -> None:
    """Store the result of the worker's task, and back up its value."""
    state = memory.state[0]
    frame = memory.frames[state["base"]]
    row = tree.tasks[state["task"]]
    row["value"], row["line"] = frame["best"], frame["line"]
    row["last"] = state["rows"]
    row["end"] = now(state)
    state["busy"] += row["end"] - row["start"]
    settle(tree.nodes, row["node"], row["value"])
