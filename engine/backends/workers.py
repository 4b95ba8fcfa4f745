"""What one worker does in a slice: take a task, search it, hand its value up, take the next. All backends share it.

A bound that one worker found helps the others through the split nodes above the tasks: when a task is taken, its window
is worked out on the way down to it from the best children so far. A move with a smaller number than the best so far
would win a tie, so it is searched with alpha one lower. Hence every mode, however its workers are timed, ends with the
same value and the same move, the lowest of the best.
"""

from typing import Any

from numba.extending import register_jitable

from engine import split, stack
from engine.algorithm import advance
from engine.compiled import atomic_add, atomic_max, kernel, nanoseconds
from engine.game import Position
from engine.job import INFINITY
from engine.split import Split, key_of, move_of, value_of
from engine.stack import Memory, begin, load

for _helper in (key_of, value_of, move_of):
    register_jitable(_helper)


@kernel
def work(
    search: Any, root: Position, prunes: bool, tree: Split, memory: Memory, tape: Any, budget: int, worker: int
) -> None:
    """Search tasks until `budget` nodes are visited (at most as many more as there are plies above a task) or no task
    is left for this worker. `memory.state[TASK]` is then the task under way, or -1.

    `memory` counts what is below the tasks; what is above them `split.counters` finds in the tree."""
    state = memory.state
    limit = state[stack.NODES] + budget
    while state[stack.NODES] < limit:
        if state[stack.TASK] < 0:
            state[stack.TASK] = _next_task(tree.dealt, worker)
            if state[stack.TASK] < 0:
                return
            entered = _start(search, root, prunes, tree, memory, tape, worker)
            if entered < 0:
                state[stack.TASK] = -1
                continue
            limit -= entered
        advance(search, root, memory, tape, limit - state[stack.NODES])
        if state[stack.PLY] < state[stack.BASE]:
            _finish(tree, memory)
            state[stack.TASK] = -1


@kernel
def _next_task(dealt: Any, worker: int) -> int:
    """The next task handed out to this worker, or -1."""
    task = atomic_add(dealt, 0, 0, dealt[0, 2])
    if task < dealt[0, 1]:
        return task
    own = dealt[1 + worker]
    if own[0] < own[1]:
        own[0] += own[2]
        return own[0] - own[2]
    return -1


@kernel
def _start(search: Any, root: Position, prunes: bool, tree: Split, memory: Memory, tape: Any, worker: int) -> int:
    """Set up the search of the worker's task, and give the number of positions above it that were not visited before;
    or find that it is cut off: then it is settled, and -1 returned."""
    nodes, state = tree.nodes, memory.state
    row = tree.tasks[state[stack.TASK]]
    node = row[split.NODE]
    base = nodes[node, split.PLY]

    # 1. The window, from the root down. Only the values at the ancestors are of use to it.
    alpha, beta, entered = -INFINITY, INFINITY, 0
    for ply in range(base):
        ancestor, child = _ancestor(nodes, node, ply), _ancestor(nodes, node, ply + 1)
        if prunes:
            key = atomic_add(nodes, ancestor, split.KEY, 0)
            if key != split.NO_KEY:
                best = value_of(key)
                if best >= beta:
                    row[split.WORKER], row[split.VALUE] = split.SKIPPED, ply
                    _skip(nodes, node, ancestor, child)
                    return -1
                alpha = max(alpha, best - (1 if nodes[child, split.MOVE] < move_of(key) else 0))
            if ply == 0:
                atomic_max(nodes, child, split.USED, alpha)
        if nodes[ancestor, split.VISITED] == 0:
            nodes[ancestor, split.VISITED] = 1
            entered += 1
        alpha, beta = -beta, -alpha
        if nodes[child, split.VISITED] == 0:
            nodes[child, split.ALPHA], nodes[child, split.BETA] = alpha, beta

    # 2. The task.
    nodes[node, split.VISITED] = 1
    row[split.WORKER] = worker
    row[split.FIRST] = state[stack.ROWS]
    row[split.START] = nanoseconds(state[stack.CLOCK : stack.CLOCK + 2])
    begin(search, load(root, tree.frames[node]), nodes[node, split.MOVE], alpha, beta, base, memory, tape)
    return entered


@kernel
def _ancestor(nodes: Any, node: int, ply: int) -> int:
    """The node at `ply` on the way from the root to `node`."""
    while nodes[node, split.PLY] > ply:
        node = nodes[node, split.PARENT]
    return node


@kernel
def _skip(nodes: Any, node: int, cut: int, child: int) -> None:
    """Settle a task that is cut off: `cut` is the ancestor that is worth beta or more, `child` the way from it."""
    if nodes[child, split.VISITED] == 0:
        nodes[child, split.VOID] = nodes[cut, split.CUTOFF] = 1
    inner = nodes[node, split.PARENT]
    while inner != cut:
        nodes[inner, split.VOID] = 1
        inner = nodes[inner, split.PARENT]
    _settle(nodes, node, False, 0)


@kernel
def _finish(tree: Split, memory: Memory) -> None:
    """Note what the worker's task came to, and hand its value up."""
    state = memory.state
    frame = memory.frames[state[stack.BASE]]
    row = tree.tasks[state[stack.TASK]]
    row[split.VALUE], row[split.LINE] = frame[stack.BEST], frame[stack.LINE]
    row[split.LAST] = state[stack.ROWS]
    row[split.END] = nanoseconds(state[stack.CLOCK : stack.CLOCK + 2])
    _settle(tree.nodes, row[split.NODE], True, row[split.VALUE])


@kernel
def _settle(nodes: Any, node: int, has_value: bool, value: int) -> None:
    """Give the parent a child's value, if it has one; who settles the last child goes on with the parent."""
    while nodes[node, split.PARENT] >= 0:
        parent = nodes[node, split.PARENT]
        if has_value:
            atomic_max(nodes, parent, split.KEY, key_of(-value, nodes[node, split.MOVE]))
        if atomic_add(nodes, parent, split.OPEN, -1) != 1:
            return
        node = parent
        has_value = nodes[node, split.VOID] == 0
        value = value_of(nodes[node, split.KEY])
