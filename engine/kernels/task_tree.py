"""The tree above the tasks of a search: the assignment of tasks to workers, and the backup of their values.

A search is split at a chosen ply. The nodes above it are *split nodes*. The nodes at it, and terminal nodes above it,
are *tasks*. Both are rows of `nodes` in preorder; row 0 is the root. A node's children are therefore in ascending order
of their moves, and tasks in the order of a serial search. A serial search has one task: the root.

Times are those of the search's own clock, which stops while the search is paused or throttled.
Workers change shared fields by atomic operations only.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.kernels.atomic import atomic_add, atomic_max
from engine.kernels.node import mean, turned
from engine.kernels.worker_memory import FRAME_TYPE, LINE_BYTES, words_of, zeros
from engine.result import INFINITY, Counters
from engine.rules.bits import each
from engine.rules.contract import MAX_MOVES, Position, is_over, legal, moves_again, play, weight_of

NODE_TYPE = np.dtype(
    [
        ("parent", np.int64),  # -1 at the root
        ("move", np.int64),  # the move that led here
        ("ply", np.int64),
        ("task", np.int64),  # -1 at split nodes
        ("open", np.int64),  # children not yet settled; of a task 1 until it is settled
        ("key", np.int64),  # of the best child so far: see `key_of`; of a chance node at its end
        ("visited", np.int64),  # 0 or 1
        ("alpha", np.int64),  # the narrowest window in which a task below it was searched or cut off
        ("beta", np.int64),
        ("void", np.int64),  # 1 if its subtree is incomplete: it has no value
        ("again", np.int64),  # 1 if the side to move is that of its parent
        ("weight", np.int64),  # of the outcome that led here; 0: a side made the move
        ("weights", np.int64),  # of all outcomes together; 0: it is no chance node
        ("sum", np.int64),  # the values of its settled outcomes, each times its weight
    ],
    align=True,
)
TASK_TYPE = np.dtype(
    [
        ("node", np.int64),
        ("worker", np.int64),  # -1: none yet; SKIPPED: cut off, at the ply `value`
        ("start", np.int64),  # in ns; 0: not yet
        ("end", np.int64),  # in ns; 0: not yet
        ("left", np.int64),  # time at which it was left unfinished, in ns; 0: it was not
        ("claim", np.int64),  # more than 0 once a worker has taken it; used where younger brothers wait
        ("value", np.int64),  # as in a frame
        ("line", np.int64),
        ("first", np.int64),  # rows of the worker's tape, also without a record:
        ("last", np.int64),  # last - first nodes were visited
        ("unused", np.int64, 6),
    ],
    align=True,
)
DEALT_TYPE = np.dtype(
    [
        ("next", np.int64),  # the next task
        ("end", np.int64),  # the end of the range
        ("stride", np.int64),
        ("younger", np.int64),  # 1 where younger brothers wait
        ("patience", np.int64),  # the time in ns that a worker waits for a task that may be searched
        ("unused", np.int64, 11),
    ],
    align=True,
)
"""A range of tasks that are dealt. Only the first record of `Split.dealt` uses `younger` and `patience`."""
assert TASK_TYPE.itemsize % LINE_BYTES == DEALT_TYPE.itemsize % LINE_BYTES == 0, (
    "whole cache lines: no two records share one"
)

NO_KEY = -(1 << 40)
"""Less than any key."""

NO_MOVE = 127
"""The move in the key of a chance node."""
assert NO_MOVE >= MAX_MOVES

NO_VALUE: Any = np.int64(2 * INFINITY)
"""The value of a node that has none. A numpy integer: for a Python literal, numba would compile the callees again."""

SKIPPED = -2
"""The worker of a task that nobody needs to search."""


class Split(NamedTuple):
    """The tables of one search, shared by all workers."""

    nodes: Any
    """NODE_TYPE[nodes]"""
    frames: Any
    """FRAME_TYPE[nodes]: the positions, stored as in a frame; the other fields are 0."""
    tasks: Any
    """TASK_TYPE[tasks]"""
    dealt: Any
    """DEALT_TYPE[1 + workers]. Record 0: the tasks for any idle worker; record 1 + w: those of worker w."""


T = TypeVar("T", int, NDArray[np.int64])


def key_of(value: T, move: T) -> T:
    """A number that orders (value, move): greater for a higher value, then for a lower move."""
    return value * 128 + (127 - move)


def value_of(key: T) -> T:
    """The value of a `key_of`."""
    return key // 128


def move_of(key: T) -> T:
    """The move of a `key_of`."""
    return 127 - key % 128


def split(root: Position, plies: int, workers: int) -> Split:
    """The tables for a search of `root` split `plies` below it."""
    nodes: list[tuple[int, ...]] = []
    positions: list[Position] = []
    tasks: list[int] = []

    def grow(position: Position, parent: int, move: int, ply: int, again: bool, weight: int) -> None:
        number = len(nodes)
        is_task = ply == plies or is_over(position)
        moves = [] if is_task else [*each(legal(position))]
        weights = [weight_of(position, played) for played in moves]
        task, unsettled = (len(tasks), 1) if is_task else (-1, len(moves))
        opened = (NO_KEY, 0, -INFINITY, INFINITY, 0)
        nodes.append((parent, move, ply, task, unsettled, *opened, again, weight, sum(weights), 0))
        positions.append(position)
        if is_task:
            tasks.append(number)
        for played, share in zip(moves, weights, strict=True):
            child = play(position, played)
            grow(child, number, played, ply + 1, moves_again(position, child), share)

    grow(root, -1, -1, 0, False, 0)
    frames = zeros(len(nodes), dtype=FRAME_TYPE)
    frames["words"][:, : len(root)] = [words_of(position) for position in positions]
    table = zeros(len(tasks), dtype=TASK_TYPE)
    table["node"] = tasks
    table["worker"] = -1
    return Split(np.array(nodes, NODE_TYPE), frames, table, zeros(1 + workers, dtype=DEALT_TYPE))


def everywhere(root: Position, workers: int) -> Split:
    """The tables for a search in which the root is the task of every worker, already dealt."""
    one = split(root, 0, workers)
    tasks = np.repeat(one.tasks, workers)
    for worker in range(workers):
        hand_out(one, 1 + worker, (worker, worker + 1, 1))
    return one._replace(tasks=tasks)


def eldest_first(tree: Split) -> list[tuple[int, int]]:
    """The tasks in stages [first, last), searched one after the other so that a bound can be shared.

    The first stage is the leftmost task; the next are the other tasks below its parent, its grandparent, up to the
    root. On that path each node has a bound from its eldest child before its other children begin.
    """
    stages, done, node = [], 0, int(tree.tasks[0]["node"])
    while node >= 0:
        last = int(tree.nodes[node : end_of(tree, node)]["task"].max()) + 1
        if last > done:
            stages.append((done, last))
            done = last
        node = int(tree.nodes[node]["parent"])
    return stages


def hand_out(tree: Split, place: int, tasks: tuple[int, int, int]) -> None:
    """Store the next task, the end and the stride of a range in a record of `Split.dealt`."""
    dealt = tree.dealt[place]
    dealt["next"], dealt["end"], dealt["stride"] = tasks


def deal(tree: Split, first: int, last: int, schedule: str, workers: int) -> None:
    """Assign the tasks [first, last) to the workers by a schedule: see `engine.options.choices.Schedule`."""
    count = last - first
    tree.dealt[:] = 0
    if schedule == "dynamic":
        hand_out(tree, 0, (first, last, 1))
        return
    for worker in range(workers):
        if schedule == "static":
            place = first + worker * count // workers, first + (worker + 1) * count // workers, 1
        else:
            place = first + worker, last, workers
        hand_out(tree, 1 + worker, place)


def deal_in_order(tree: Split, first: int, last: int, patience: int) -> None:
    """Assign the tasks [first, last) on demand. A task waits until its eldest brother and its ancestors' are settled.
    Idle workers wait up to `patience` ns for one."""
    tree.dealt[:] = 0
    hand_out(tree, 0, (first, last, 1))
    tree.dealt[0]["younger"], tree.dealt[0]["patience"] = 1, patience


def settle(nodes: Any, node: int, value: int) -> None:
    """Settle a node: back its value up, unless it is NO_VALUE, and settle each ancestor whose last open child this
    was. The worker that settles the last child continues with the parent."""
    while nodes[node]["parent"] >= 0:
        parent = nodes[node]["parent"]
        if value != NO_VALUE:
            back_up(nodes, node, turned(value, nodes[node]["again"] != 0))
        nodes[node]["open"] = 0
        if atomic_add(nodes[parent], "open", -1) != 1:
            return
        node = parent
        if nodes[node]["weights"] > 0:
            nodes[node]["key"] = key_of(mean(nodes[node]["sum"], nodes[node]["weights"]), NO_MOVE)
        value = value_of(nodes[node]["key"]) if nodes[node]["void"] == 0 else NO_VALUE


def back_up(nodes: Any, node: int, value: int) -> None:
    """Back the value of a move or an outcome up to the node above it, whose side to move it is for."""
    parent = nodes[nodes[node]["parent"]]
    if nodes[node]["weight"] > 0:
        atomic_add(parent, "sum", nodes[node]["weight"] * value)
    else:
        atomic_max(parent, "key", key_of(value, nodes[node]["move"]))


def skip(nodes: Any, node: int, ply: int) -> None:
    """Settle a task that its ancestor at `ply` cut off."""
    above = node
    while nodes[nodes[above]["parent"]]["ply"] > ply:
        above = nodes[above]["parent"]
        nodes[above]["void"] = 1
    if nodes[above]["visited"] == 0:
        nodes[above]["void"] = 1
    settle(nodes, node, NO_VALUE)


def enter(tree: Split, node: int) -> None:
    """Mark all nodes above a task as visited. Only for use between slices."""
    while node >= 0:
        tree.nodes[node]["visited"] = 1
        node = tree.nodes[node]["parent"]


def way_to(tree: Split, node: int) -> list[int]:
    """The nodes on the path to a node, from the root's child to the node itself."""
    way = []
    while node > 0:
        way.append(node)
        node = int(tree.nodes[node]["parent"])
    return way[::-1]


def narrow(tree: Split, node: int, windows: Sequence[tuple[int, int]]) -> None:
    """Narrow the windows of the nodes that `way_to` returns to these windows. Only for use between slices."""
    for step, (alpha, beta) in zip(way_to(tree, node), windows, strict=True):
        tree.nodes[step]["alpha"] = max(tree.nodes[step]["alpha"], alpha)
        tree.nodes[step]["beta"] = min(tree.nodes[step]["beta"], beta)


def counters(tree: Split) -> Counters:
    """The counters of the split nodes. Each worker counts the nodes of its tasks."""
    if len(tree.nodes) == 1:
        return Counters()
    return Counters(
        nodes=int(np.count_nonzero(tree.nodes["visited"] * (tree.nodes["task"] < 0))),
        cutoffs=int(np.count_nonzero(are_cut(tree))),
        pruned=int(np.count_nonzero(_are_pruned(tree))),
    )


def are_cut(tree: Split) -> NDArray[np.bool_]:
    """[nodes]: whether each is a split node with a cutoff."""
    cut = np.zeros(len(tree.nodes), np.bool_)
    cut[tree.nodes["parent"][_are_pruned(tree)]] = True
    return cut


def _are_pruned(tree: Split) -> NDArray[np.bool_]:
    """[nodes]: whether each was pruned at its parent. A worker may enter a node that another has just cut off: that
    node is not pruned. Nothing is pruned at a node that an ancestor cut off, which has no value."""
    nodes = tree.nodes
    at_parent = nodes["void"][nodes["parent"]] == 0  # the root has none, and is never void
    return (nodes["void"] > 0) & (nodes["visited"] == 0) & at_parent


def has_tasks(tree: Split, worker: int) -> bool:
    """Whether the tasks dealt so far include another for this worker, now or later."""
    anyone, own = tree.dealt[0], tree.dealt[1 + worker]
    if anyone["younger"]:
        rows = tree.tasks[anyone["next"] : anyone["end"]]
        return bool(((rows["claim"] == 0) & (rows["worker"] == -1)).any())
    return bool(anyone["next"] < anyone["end"] or own["next"] < own["end"])


def children(tree: Split, node: int) -> list[int]:
    """The rows of a split node's children, ascending."""
    return [int(row) for row in np.flatnonzero(tree.nodes["parent"] == node)]


def moves_to(tree: Split, node: int) -> tuple[int, ...]:
    """The moves from the root to a node."""
    return tuple(int(tree.nodes[step]["move"]) for step in way_to(tree, node))


def end_of(tree: Split, node: int) -> int:
    """The first row after `node` that is not in its subtree."""
    after = np.flatnonzero(tree.nodes[node + 1 :]["ply"] <= tree.nodes[node]["ply"])
    return node + 1 + int(after[0]) if after.size else len(tree.nodes)
