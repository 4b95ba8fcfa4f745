"""The tree above the tasks of a search: the assignment of tasks to workers, and the backup of their values.

A search is split at a chosen ply. The nodes above it are *split nodes*. The nodes at it, and terminal nodes above it,
are *tasks*. Both are rows of `nodes` in preorder; row 0 is the root. A node's children are therefore in ascending order
of their moves, and tasks in the order of a serial search. A serial search has one task: the root.

    nodes  PARENT -1 at the root    OPEN     children not yet settled      ALPHA  its window: the narrowest that a task
           MOVE   that led here     KEY      best child so far (`key_of`)  BETA   below it was searched in, or cut off
           PLY                      VISITED  0 or 1                        VOID   1 if its subtree is incomplete:
           TASK   -1 at split nodes CUTOFF   1 once its last moves are cut        it has no value
    tasks  NODE  WORKER (-1: none yet; SKIPPED: cut off, at the ply VALUE)  START END (ns, 0: not yet)
           LEFT  time at which it was left unfinished, in ns (0: it was not)
           CLAIM more than 0 once a worker has taken it; used where younger brothers wait
           VALUE LINE (as in a frame)  FIRST LAST rows of the worker's tape, also without a record: LAST - FIRST nodes
           were visited

Times are those of the search's own clock, which stops while the search is paused or throttled.
OPEN of a task is 1 until it is settled. Workers change shared columns by atomic operations only.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import FRAME, WORDS, words_of
from engine.result import INFINITY, Counters
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play

PARENT, MOVE, PLY, TASK, OPEN, KEY, VISITED, CUTOFF, ALPHA, BETA, VOID = range(11)

NODE, WORKER, START, END, VALUE, LINE, FIRST, LAST, CLAIM, LEFT = range(10)
YOUNGER, PATIENCE = 3, 4
"""Columns of `Split.dealt`."""
TASK_FIELDS = 16
"""Two cache lines: no two tasks share one."""

NO_KEY = -(1 << 40)
"""Less than any key."""

SKIPPED = -2
"""The worker of a task that nobody needs to search."""


class Split(NamedTuple):
    """The tables of one search, shared by all workers."""

    nodes: NDArray[np.int64]
    """[nodes, the columns drawn above]"""
    frames: NDArray[np.int64]
    """[nodes, FRAME]: the positions, stored as in a frame; the other words are 0."""
    tasks: NDArray[np.int64]
    """[tasks, TASK_FIELDS]"""
    dealt: NDArray[np.int64]
    """[1 + workers, 16]. Row 0: the next task for any idle worker; row 1 + w: the next task of worker w. Column 1: the
    end of that range; column 2: its stride. In row 0, YOUNGER is 1 where younger brothers wait, and PATIENCE is the
    time in ns that a worker waits for a task that may be searched."""


def key_of(value: int, move: int) -> int:
    """A number that orders (value, move): greater for a higher value, then for a lower move."""
    return value * 128 + (127 - move)


def value_of(key: int) -> int:
    return key // 128


def move_of(key: int) -> int:
    return 127 - key % 128


def split(root: Position, plies: int, workers: int) -> Split:
    """The tables for a search of `root` split `plies` below it."""
    nodes: list[list[int]] = []
    positions: list[Position] = []
    tasks: list[int] = []

    def grow(position: Position, parent: int, move: int, ply: int) -> None:
        number = len(nodes)
        is_task = ply == plies or is_over(position)
        unsettled = 1 if is_task else legal(position).bit_count()
        task = len(tasks) if is_task else -1
        nodes.append([parent, move, ply, task, unsettled, NO_KEY, 0, 0, -INFINITY, INFINITY, 0])
        positions.append(position)
        if is_task:
            tasks.append(number)
            return
        for child in each(legal(position)):
            grow(play(position, child), number, child, ply + 1)

    grow(root, -1, -1, 0)
    frames = np.zeros((len(nodes), FRAME), np.int64)
    frames[:, WORDS : WORDS + len(root)] = [words_of(position) for position in positions]
    table = np.zeros((len(tasks), TASK_FIELDS), np.int64)
    table[:, NODE] = tasks
    table[:, WORKER] = -1
    return Split(np.array(nodes, np.int64), frames, table, np.zeros((1 + workers, 16), np.int64))


def everywhere(root: Position, workers: int) -> Split:
    """The tables for a search in which the root is the task of every worker, already dealt."""
    one = split(root, 0, workers)
    tasks = np.repeat(one.tasks, workers, axis=0)
    for worker in range(workers):
        one.dealt[1 + worker, :3] = worker, worker + 1, 1
    return one._replace(tasks=tasks)


def eldest_first(tree: Split) -> list[tuple[int, int]]:
    """The tasks in stages [first, last), searched one after the other so that a bound can be shared.

    The first stage is the leftmost task; the next are the other tasks below its parent, its grandparent, up to the
    root. On that path each node has a bound from its eldest child before its other children begin.
    """
    stages, done, node = [], 0, int(tree.tasks[0, NODE])
    while node >= 0:
        last = int(tree.nodes[node : end_of(tree, node), TASK].max()) + 1
        if last > done:
            stages.append((done, last))
            done = last
        node = int(tree.nodes[node, PARENT])
    return stages


def deal(tree: Split, first: int, last: int, schedule: str, workers: int) -> None:
    """Assign the tasks [first, last) to the workers by a schedule: see `engine.job.Schedule`."""
    count = last - first
    tree.dealt[:] = 0
    if schedule == "dynamic":
        tree.dealt[0, :3] = first, last, 1
        return
    for worker in range(workers):
        if schedule == "static":
            place = first + worker * count // workers, first + (worker + 1) * count // workers, 1
        else:
            place = first + worker, last, workers
        tree.dealt[1 + worker, :3] = place


def deal_in_order(tree: Split, first: int, last: int, patience: int) -> None:
    """Assign the tasks [first, last) on demand. A task waits until its eldest brother and its ancestors' are settled.
    Idle workers wait up to `patience` ns for one."""
    tree.dealt[:] = 0
    tree.dealt[0, :5] = first, last, 1, 1, patience


def settle(tree: Split, node: int, value: int | None) -> None:
    """Settle a node: back its value up, if it has one, and settle each ancestor whose last open child this was.

    Only for use between slices, when no worker writes. `engine.backends.worker` does the same during a slice.
    """
    nodes = tree.nodes
    nodes[node, OPEN] = 0
    while nodes[node, PARENT] >= 0:
        parent = nodes[node, PARENT]
        if value is not None:
            nodes[parent, KEY] = max(nodes[parent, KEY], key_of(-value, nodes[node, MOVE]))
        nodes[parent, OPEN] -= 1
        if nodes[parent, OPEN]:
            return
        node = parent
        value = None if nodes[node, VOID] else value_of(int(nodes[node, KEY]))


def skip(tree: Split, node: int, ply: int) -> None:
    """Settle a task that its ancestor at `ply` cut off. Only for use between slices."""
    nodes, above = tree.nodes, node
    while nodes[nodes[above, PARENT], PLY] > ply:
        above = nodes[above, PARENT]
        nodes[above, VOID] = 1
    if not nodes[above, VISITED]:
        nodes[above, VOID] = nodes[nodes[above, PARENT], CUTOFF] = 1
    settle(tree, node, None)


def enter(tree: Split, node: int) -> None:
    """Mark all nodes above a task as visited. Only for use between slices."""
    while node >= 0:
        tree.nodes[node, VISITED] = 1
        node = tree.nodes[node, PARENT]


def way_to(tree: Split, node: int) -> list[int]:
    """The nodes on the path to a node, from the root's child to the node itself."""
    way = []
    while node > 0:
        way.append(node)
        node = int(tree.nodes[node, PARENT])
    return way[::-1]


def narrow(tree: Split, node: int, windows: Sequence[tuple[int, int]]) -> None:
    """Narrow the windows of the nodes that `way_to` returns to these windows. Only for use between slices."""
    for step, (alpha, beta) in zip(way_to(tree, node), windows, strict=True):
        tree.nodes[step, ALPHA] = max(tree.nodes[step, ALPHA], alpha)
        tree.nodes[step, BETA] = min(tree.nodes[step, BETA], beta)


def counters(tree: Split) -> Counters:
    """The counters of the split nodes. Each worker counts the nodes of its tasks."""
    nodes = tree.nodes
    above = nodes[:, TASK] < 0
    parents = nodes[1:, PARENT]
    pruned = (nodes[1:, VOID] > 0) & (nodes[1:, VISITED] == 0) & (nodes[parents, CUTOFF] > 0)
    return Counters(
        nodes=int(np.count_nonzero(nodes[above, VISITED])),
        cutoffs=len(np.unique(parents[pruned])),
        pruned=int(np.count_nonzero(pruned)),
    )


def has_tasks(tree: Split, worker: int) -> bool:
    """Whether the tasks dealt so far include another for this worker, now or later."""
    if tree.dealt[0, YOUNGER]:
        rows = tree.tasks[tree.dealt[0, 0] : tree.dealt[0, 1]]
        return bool(((rows[:, CLAIM] == 0) & (rows[:, WORKER] == -1)).any())
    return bool(tree.dealt[0, 0] < tree.dealt[0, 1] or tree.dealt[1 + worker, 0] < tree.dealt[1 + worker, 1])


def children(tree: Split, node: int) -> list[int]:
    """The rows of a split node's children, ascending."""
    return [int(row) for row in np.flatnonzero(tree.nodes[:, PARENT] == node)]


def moves_to(tree: Split, node: int) -> tuple[int, ...]:
    """The moves from the root to a node."""
    return tuple(int(tree.nodes[step, MOVE]) for step in way_to(tree, node))


def end_of(tree: Split, node: int) -> int:
    """The first row after `node` that is not in its subtree."""
    after = np.flatnonzero(tree.nodes[node + 1 :, PLY] <= tree.nodes[node, PLY])
    return node + 1 + int(after[0]) if after.size else len(tree.nodes)
