"""The memory of one root search. Kernels write it; between slices `engine.backends.snapshot` and
`engine.backends.tapes` read it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.backends.allocate import WorkersMemory
from engine.kernels import task_tree
from engine.kernels.task_tree import Split, children, everywhere, move_of, split, value_of
from engine.kernels.transposition import SearchAids
from engine.kernels.worker_memory import SPARE_ROWS, Memory, counters, kind_of, load, moves_in, unpack_line, was_cut
from engine.prepare import Prepared
from engine.result import INFINITY, Counters, Leaf, Value, known_value
from engine.rules.bits import count
from engine.rules.contract import Position, is_over

NO_NODES = Counters()


class SearchState(NamedTuple):
    """All memory of one root search. Values are in the kernels' units."""

    root: Position
    tree: Split
    crew: Memory
    tapes: NDArray[np.int64] | None
    """[workers, rows]"""
    aids: SearchAids | None
    """Shared by all workers; `history`, `killers` and `state` are empty."""
    unit: int
    """The value +1 in the kernels' units."""
    estimates: bool
    """See `engine.result.known_value`."""
    horizon: int
    """Depth of the search in plies."""
    above: Counters
    """The counters of the nodes above the tasks, from earlier root searches."""

    @property
    def kind(self) -> Position:
        """See `kind_of`."""
        return kind_of(self.root)

    @property
    def records(self) -> NDArray[np.int64] | None:
        """[workers, rows]: the tapes without their spare rows."""
        return None if self.tapes is None else self.tapes[:, :-SPARE_ROWS]

    @property
    def is_settled(self) -> bool:
        """Whether every child of the root has its final value, where the root is no task itself."""
        return not self.tree.nodes["open"][0]

    @property
    def value(self) -> int | None:
        """The value of the root so far; None if it has none yet."""
        return self.value_and_line(0)[0]

    def counters(self) -> Counters:
        """The counters of all workers and of the nodes above their tasks."""
        return sum((counters(state) for state in self.crew.state), self.counters_above())

    def counters_above(self) -> Counters:
        """The counters of the nodes above the tasks."""
        return self.above + task_tree.counters(self.tree)

    def copied(self) -> "SearchState":
        """A copy of the tasks' and the workers' records. It shares the other arrays."""
        tree = self.tree._replace(tasks=self.tree.tasks.copy())
        return self._replace(tree=tree, crew=self.crew._replace(state=self.crew.state.copy()))

    def abandon(self, seconds: float) -> None:
        """Mark the tasks under way as abandoned, `seconds` after the start. A node that was cut, but not yet left, is
        open in the record, and its cutoff is not counted."""
        for state, frames in zip(self.crew.state, self.crew.frames, strict=True):
            if state["task"] >= 0:
                task = self.tree.tasks[state["task"]]
                task["left"] = round(seconds * 1e9)
                state["busy"] += task["left"] - task["start"]
                frame = frames[max(state["ply"], state["base"])]
                state["cutoffs"] -= was_cut(frame)
                state["pruned"] -= count(moves_in(self.root, frame["cut"]))

    def value_and_line(self, node: int) -> tuple[int | None, tuple[int, ...]]:
        """The value of a node so far, for its side to move, and its principal variation."""
        row = self.tree.nodes[node]
        if row["task"] >= 0:
            task = self.tree.tasks[row["task"]]
            if task["end"]:
                return int(task["value"]), unpack_line(int(task["line"]))
            if task["worker"] < 0:
                return None, ()
            frame = self.crew.frames[task["worker"], row["ply"]]
            if frame["best"] == -INFINITY:
                return None, ()
            return int(frame["best"]), unpack_line(int(frame["line"]))
        if row["key"] == task_tree.NO_KEY:
            return None, ()
        move = move_of(int(row["key"]))
        if move == task_tree.NO_MOVE:
            return value_of(int(row["key"])), ()
        child = next(child for child in children(self.tree, node) if self.tree.nodes[child]["move"] == move)
        return value_of(int(row["key"])), (move, *self.value_and_line(child)[1])

    def settled_value(self, node: int) -> int | None:
        """The value of a node for its side to move if its subtree is settled, else None."""
        row = self.tree.nodes[node]
        if row["task"] >= 0:
            task = self.tree.tasks[row["task"]]
            return int(task["value"]) if task["end"] else None
        return None if row["open"] or row["void"] else value_of(int(row["key"]))

    def known_value(self, node: int, value: int, ended: bool = True) -> Value | None:
        """What a node's value says, for its side to move; None: nothing."""
        row, leaf = self.tree.nodes[node], self.leaf(node)
        return known_value(value, int(row["alpha"]), int(row["beta"]), self.unit, leaf, ended, self.estimates)

    def leaf(self, node: int) -> Leaf | None:
        """The kind of leaf that a node is, if it is a task and a leaf; else None."""
        row = self.tree.nodes[node]
        if row["task"] < 0:
            return None
        if is_over(load(self.root, self.tree.frames[node])):
            return Leaf.TERMINAL
        return Leaf.HORIZON if row["ply"] == self.horizon else None


def new_state(
    prepared: Prepared,
    plies: int,
    memory: WorkersMemory,
    aids: SearchAids | None = None,
    window: tuple[int, int] = (-INFINITY, INFINITY),
    above: Counters = NO_NODES,
) -> SearchState:
    """The state of a root search before its first slice. The tasks are `plies` plies below the root, or at the horizon.
    In a lazy search the root is the task of every worker.

    `window` is that of the root, in the kernels' units; `above` counts the nodes above earlier tasks.
    """
    workers, horizon = len(memory.crew.state), prepared.search.horizon
    if prepared.is_lazy:
        tree = everywhere(prepared.position, workers)
    else:
        tree = split(prepared.position, min(plies, horizon), workers)
    tree.nodes[0]["alpha"], tree.nodes[0]["beta"] = window
    scale = prepared.unit, prepared.has_estimates
    return SearchState(prepared.position, tree, memory.crew, memory.tapes, aids, *scale, horizon, above)
