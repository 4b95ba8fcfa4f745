"""The tree above the tasks of a search: which positions are handed to workers, and how their values come together.

A search is split at a chosen ply. The positions above it are *split nodes*; those at it, and those above it where the
game is over, are *tasks*. Both are rows of `nodes` in preorder (row 0 is the root), so a node's children stand in
ascending order of their moves, and tasks in the order in which one worker alone would take them. A serial search is the
same thing with one task: the root.

    nodes  PARENT -1 at the root    OPEN     children not yet settled      ALPHA  its window: the narrowest that a task
           MOVE   that led here     KEY      best child so far (`key_of`)  BETA   below it was searched in, or cut off
           PLY                      VISITED  0 or 1                        VOID   1 if not all below was searched:
           TASK   -1 at split nodes CUTOFF   1 once its last moves are cut        it has no value
    tasks  NODE  WORKER (-1: none yet; SKIPPED: cut off, at the ply VALUE)  START END (ns, 0: not yet)
           LEFT  when it was left unfinished, in ns (0: it was not)
           CLAIM more than 0 once a worker has taken it, where younger brothers wait
           VALUE LINE (as in a frame)  FIRST LAST rows of the worker's tape, also where none is kept: LAST - FIRST nodes
           were visited

Times are those of the search's own clock, which stands still while the search is held back.
OPEN of a task is 1 until it is settled. Workers share the columns that change by atomic operations only.
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
"""Two cache lines, so that workers never share one."""

NO_KEY = -(1 << 40)
"""Less than any key."""

SKIPPED = -2
"""The worker of a task that nobody needs to search."""


class Split(NamedTuple):
    """The tables of one search. `dealt` is shared by all workers: how far the tasks are handed out."""

    nodes: NDArray[np.int64]
    """[nodes, the columns drawn above]"""
    frames: NDArray[np.int64]
    """[nodes, FRAME]: the positions, as in a frame; the rest of it is empty."""
    tasks: NDArray[np.int64]
    """[tasks, TASK_FIELDS]"""
    dealt: NDArray[np.int64]
    """[1 + workers, 16]: row 0 the next task for whoever is idle; row 1 + w the next of worker w; column 1 the end of
    that range, column 2 its stride. In row 0, column YOUNGER is 1 where younger brothers wait, and PATIENCE is for how
    many ns a worker waits for one that may be searched."""


def key_of(value: int, move: int) -> int:
    """A number that orders (value, move): the higher value first, of equal values the lower move."""
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
    """The tables for a search in which the root is the task of every worker. They are dealt already."""
    one = split(root, 0, workers)
    tasks = np.repeat(one.tasks, workers, axis=0)
    for worker in range(workers):
        one.dealt[1 + worker, :3] = worker, worker + 1, 1
    return one._replace(tasks=tasks)


def eldest_first(tree: Split) -> list[tuple[int, int]]:
    """The tasks in stages, [first, last), that are searched one after the other when a bound is to be shared: the
    leftmost task alone, then what is left of its parent, then of its grandparent, up to the root. So each position's
    eldest child has given it a bound before the others begin."""
    stages, done, node = [], 0, int(tree.tasks[0, NODE])
    while node >= 0:
        last = int(tree.nodes[node : end_of(tree, node), TASK].max()) + 1
        if last > done:
            stages.append((done, last))
            done = last
        node = int(tree.nodes[node, PARENT])
    return stages


def deal(tree: Split, first: int, last: int, schedule: str, workers: int) -> None:
    """Hand the tasks [first, last) out to the workers: see `engine.job.Schedule`."""
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
    """Hand the tasks [first, last) out on demand, but none whose elder brothers, or an ancestor's, are not settled."""
    tree.dealt[:] = 0
    tree.dealt[0, :5] = first, last, 1, 1, patience


def settle(tree: Split, node: int, value: int | None) -> None:
    """Give a node's parent the node's value, if it has one; a parent whose last child that was goes on with its own.

    For use between slices, when nobody else writes: `engine.backends.worker` does the same while others do.
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
    """Settle a task that its ancestor at `ply` cut off. For use between slices, as `settle`."""
    nodes, above = tree.nodes, node
    while nodes[nodes[above, PARENT], PLY] > ply:
        above = nodes[above, PARENT]
        nodes[above, VOID] = 1
    if not nodes[above, VISITED]:
        nodes[above, VOID] = nodes[nodes[above, PARENT], CUTOFF] = 1
    settle(tree, node, None)


def enter(tree: Split, node: int) -> None:
    """Note that a task is being searched: all positions above it are visited. For use between slices."""
    while node >= 0:
        tree.nodes[node, VISITED] = 1
        node = tree.nodes[node, PARENT]


def way_to(tree: Split, node: int) -> list[int]:
    """The nodes on the way to a node, from the root's child down to the node itself."""
    way = []
    while node > 0:
        way.append(node)
        node = int(tree.nodes[node, PARENT])
    return way[::-1]


def narrow(tree: Split, node: int, windows: Sequence[tuple[int, int]]) -> None:
    """Note that the nodes on the way to a node, as `way_to`, were searched in these windows. For use between slices."""
    for step, (alpha, beta) in zip(way_to(tree, node), windows, strict=True):
        tree.nodes[step, ALPHA] = max(tree.nodes[step, ALPHA], alpha)
        tree.nodes[step, BETA] = min(tree.nodes[step, BETA], beta)


def counters(tree: Split) -> Counters:
    """What was counted above the tasks; the workers count the rest."""
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
    """Whether a worker could take another task of those handed out, now or later."""
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
    """The first row that is not below `node`."""
    after = np.flatnonzero(tree.nodes[node + 1 :, PLY] <= tree.nodes[node, PLY])
    return node + 1 + int(after[0]) if after.size else len(tree.nodes)
