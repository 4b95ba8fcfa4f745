"""Reads the memory of a search between slices: its snapshot, tasks, root moves and record."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, overload

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.kernels import task_tree, worker_memory
from engine.kernels.task_tree import Split, children, move_of, moves_to, value_of
from engine.kernels.transposition import SearchAids, fill
from engine.kernels.worker_memory import Memory, counters, kind_of, load, moves_in, unpack_child, unpack_line
from engine.result import (
    INFINITY,
    Bound,
    Child,
    Counters,
    Info,
    Leaf,
    PathNode,
    RankInfo,
    RootMove,
    State,
    Task,
    Value,
    WorkerInfo,
    bound_of,
    in_wins,
)
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal
from engine.trace.record import LEAVES, Trace, done_child


class SearchState(NamedTuple):
    """All memory of one pass of a search."""

    root: Position
    tree: Split
    crew: Memory
    tapes: NDArray[np.int64] | None
    """[workers, rows]"""
    aids: SearchAids | None = None
    """Shared by all workers; `history`, `killers` and `state` are empty."""
    unit: int = 1
    """The value +1 in the kernels' units."""
    horizon: int = 0
    """Depth of the search in plies."""
    above: Counters = Counters()
    """The counters of the nodes above the tasks, from earlier passes."""

    @property
    def kind(self) -> Position:
        """See `kind_of`."""
        return kind_of(self.root)

    @property
    def records(self) -> NDArray[np.int64] | None:
        """[workers, rows]: the tapes without their spare rows."""
        return None if self.tapes is None else self.tapes[:, : -worker_memory.SPARE_ROWS]

    def info(self, seconds: float) -> Info:
        """A snapshot between two slices, `seconds` after the start."""
        busy = [worker for worker, task in enumerate(self.crew.state["task"]) if task >= 0]
        return self.moment(seconds, self.workers(seconds), self._path(busy[0]) if busy else ())

    def moment(
        self, seconds: float, workers: Sequence[WorkerInfo], path: tuple[PathNode, ...], ranks: Sequence[RankInfo] = ()
    ) -> Info:
        """A snapshot with these workers. Nodes above the task roots are counted for worker 0."""
        value, pv = self._value_and_line(0)
        bound = None if value is None else self._bound_of(0, value, self._settled_value(0) is not None)
        if bound is None:
            value, pv = None, ()
        above = self.above + task_tree.counters(self.tree)
        first = replace(workers[0], counters=workers[0].counters + above)
        workers = (first, *workers[1:])
        return Info(
            counters=sum((worker.counters for worker in workers), Counters()),
            value=self._told(value),
            best=pv[0] if pv else None,
            pv=pv,
            path=path,
            workers=workers,
            seconds=seconds,
            tasks_done=int(np.count_nonzero(self.tree.tasks["end"])),
            tasks=len(self.tree.tasks),
            ranks=tuple(ranks),
            table_fill=None if self.aids is None or self.aids.mask < 0 else fill(self.aids.table),
            bound=bound or Bound.EXACT,
            value_depth=None if value is None else self.horizon,
        )

    @property
    def value(self) -> int | None:
        """The value of the root so far, in the kernels' units; None if it has none yet."""
        return self._value_and_line(0)[0]

    @overload
    def _told(self, value: int) -> Value: ...
    @overload
    def _told(self, value: None) -> None: ...
    def _told(self, value: int | None) -> Value | None:
        return None if value is None else in_wins(value, self.unit)

    def workers(self, seconds: float) -> tuple[WorkerInfo, ...]:
        """The task and counters of each worker, `seconds` after the start. Nodes above the tasks are not counted."""
        return tuple(self._worker(worker, seconds) for worker in range(len(self.crew.state)))

    def counters(self) -> Counters:
        """The counters of all workers and of the nodes above their tasks."""
        return sum((counters(state) for state in self.crew.state), self.above + task_tree.counters(self.tree))

    def root_moves(self) -> tuple[RootMove, ...]:
        """The finished root moves, in ascending order."""
        if self.tree.nodes[0]["task"] < 0:
            found = [self._split_child(node) for node in children(self.tree, 0)]
        else:
            worker = int(self.tree.tasks[self.tree.nodes[0]["task"]]["worker"])
            found = self._frame_level(worker, 0).children if worker >= 0 and self._keeps_frames(worker) else ()
        done = (child for child in found if child.state is State.DONE)
        return tuple(
            RootMove(child.move, child.value, child.bound, self.horizon) for child in done if child.value is not None
        )

    def _keeps_frames(self, worker: int) -> bool:
        """Whether this process has a worker's frames: false for a remote search, and if the root is a leaf."""
        return bool(self.crew.frames[worker, 0]["best"] == -INFINITY or self.crew.frames[worker, 0]["line"])

    def _bound_of(self, node: int, value: int, ended: bool = True) -> Bound | None:
        """The bound of a node's value, for its side to move."""
        row = self.tree.nodes[node]
        return bound_of(value, int(row["alpha"]), int(row["beta"]), self._leaf(node), ended)

    def _leaf(self, node: int) -> Leaf | None:
        """The kind of leaf that a node is, if it is a task and a leaf; else None."""
        row = self.tree.nodes[node]
        if row["task"] < 0:
            return None
        if is_over(load(self.root, self.tree.frames[node])):
            return Leaf.TERMINAL
        return Leaf.HORIZON if row["ply"] == self.horizon else None

    def tasks(self) -> tuple[Task, ...]:
        """The finished and the abandoned tasks, each with its rows of the record."""
        rows = zip(self.tree.tasks, self._nodes_of_tasks().tolist(), self.ranges().tolist(), strict=True)
        return tuple(
            Task(
                moves=moves_to(self.tree, int(task["node"])),
                worker=int(task["worker"]),
                start=int(task["start"]) / 1e9,
                end=int(task["end"] or task["left"]) / 1e9,
                nodes=nodes,
                finished=bool(task["end"]),
                first_row=first,
                end_row=end,
            )
            for task, nodes, (first, end) in rows
            if task["end"] or task["left"]
        )

    def leave(self, seconds: float) -> None:
        """Mark the tasks under way as abandoned, `seconds` after the start."""
        for state in self.crew.state:
            if state["task"] >= 0:
                task = self.tree.tasks[state["task"]]
                task["left"] = round(seconds * 1e9)
                state["busy"] += task["left"] - task["start"]

    def trace(self) -> Trace | None:
        """A copy of the record in preorder, the order of a serial search; None if the job has no record."""
        records = self.records
        if records is None:
            return None
        nodes, tasks, places = self.tree.nodes, self.tree.tasks, self._places()
        rows = np.zeros(int(places[-1]), np.int64)
        for node, (place, end) in enumerate(pairwise(places.tolist())):
            if place == end:
                continue
            if nodes[node]["task"] < 0:
                rows[place] = self._split_row(node)
            else:
                task = tasks[nodes[node]["task"]]
                rows[place:end] = records[task["worker"], task["first"] : task["first"] + end - place]
        return Trace(self.root, rows, int(self._sizes().sum()), self.unit)

    def ranges(self) -> NDArray[np.int64]:
        """[tasks, 2]: the first row of each task in the record and the row after its last; equal if it has none."""
        places, nodes = self._places(), self.tree.tasks["node"]
        ranges = np.stack([places[nodes], places[nodes + 1]], axis=1)
        ranges[self.tree.nodes[nodes]["task"] != np.arange(len(nodes))] = 0  # another worker had the same task
        return ranges

    def _places(self) -> NDArray[np.int64]:
        """[nodes + 1]: the first row of each node in the record, and the end of the record. The record ends before the
        first row that has no room in it or on a worker's tape."""
        room, sizes = 0 if self.records is None else self.records.shape[1], self._sizes()
        places, numbers = np.concatenate([[0], np.cumsum(sizes)]), self.tree.nodes["task"]
        first = np.where(numbers < 0, 0, self.tree.tasks[numbers]["first"])
        ends = places[:-1] + np.clip(room - first, 0, sizes)
        return np.minimum(places, ends.min(where=ends < places[1:], initial=room))

    def _sizes(self) -> NDArray[np.int64]:
        """[nodes]: the number of rows of each node alone; for a task, the rows of its whole subtree."""
        numbers = self.tree.nodes["task"]
        return np.where(numbers < 0, self.tree.nodes["visited"], self._nodes_of_tasks()[numbers])

    def _nodes_of_tasks(self) -> NDArray[np.int64]:
        """[tasks]: the number of visited nodes of each task, which is the number of its rows."""
        tasks, workers = self.tree.tasks, self.tree.tasks["worker"]
        rows = self.crew.state[np.maximum(0, workers)]["rows"]
        last = np.where(tasks["end"] != 0, tasks["last"], rows)
        return np.where(workers < 0, 0, last - tasks["first"])

    def _split_row(self, node: int) -> int:
        row, value = self.tree.nodes[node], self._settled_value(node)
        why = worker_memory.OPEN if value is None else worker_memory.CUTOFF if row["cutoff"] else worker_memory.ALL_SEEN
        move, ply, alpha, beta = (int(row[name]) for name in ("move", "ply", "alpha", "beta"))
        opened = worker_memory.entered(move, self.horizon - ply, alpha, beta)
        return opened + worker_memory.ended(why, value or 0)

    def _settled_value(self, node: int) -> int | None:
        """The value of a node for its side to move if its subtree is settled, else None."""
        row = self.tree.nodes[node]
        if row["task"] >= 0:
            task = self.tree.tasks[row["task"]]
            return int(task["value"]) if task["end"] else None
        return None if row["open"] or row["void"] else value_of(int(row["key"]))

    def _value_and_line(self, node: int) -> tuple[int | None, tuple[int, ...]]:
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
        child = next(child for child in children(self.tree, node) if self.tree.nodes[child]["move"] == move)
        return value_of(int(row["key"])), (move, *self._value_and_line(child)[1])

    def _worker(self, worker: int, seconds: float) -> WorkerInfo:
        state = self.crew.state[worker]
        task, busy = int(state["task"]), int(state["busy"]) / 1e9
        ran, cpu = int(state["ran"]) / 1e9, int(state["cpu"]) / 1e9
        if task < 0:
            return WorkerInfo(counters(state), None, (), busy, ran, cpu)
        row = self.tree.tasks[task]
        if not row["left"]:
            busy += max(0.0, seconds - int(row["start"]) / 1e9)
        above = moves_to(self.tree, int(row["node"]))
        frames = self.crew.frames[worker, state["base"] : state["ply"] + 1]
        below = tuple(int(frame["move"]) for frame in frames if frame["move"] >= 0)
        return WorkerInfo(counters(state), task, above + below, busy, ran, cpu)

    def _path(self, worker: int) -> tuple[PathNode, ...]:
        return self.path_to(int(self.crew.state[worker]["task"])) + self.path_below(worker)

    def path_to(self, task: int) -> tuple[PathNode, ...]:
        """The path from the root to the parent of a task."""
        levels, node = [], int(self.tree.tasks[task]["node"])
        while node > 0:
            parent = int(self.tree.nodes[node]["parent"])
            levels.append(self._split_level(parent, int(self.tree.nodes[node]["move"])))
            node = parent
        return tuple(reversed(levels))

    def path_below(self, worker: int) -> tuple[PathNode, ...]:
        """The path from the root of a worker's task to its current node."""
        state = self.crew.state[worker]
        return tuple(self._frame_level(worker, ply) for ply in range(state["base"], state["ply"] + 1))

    def _split_level(self, node: int, move: int) -> PathNode:
        row = self.tree.nodes[node]
        best = None if row["key"] == task_tree.NO_KEY else value_of(int(row["key"]))
        return PathNode(
            alpha=self._told(max(int(row["alpha"]), -INFINITY if best is None else best)),
            beta=self._told(int(row["beta"])),
            best=self._told(best),
            move=move,
            children=tuple(self._split_child(child) for child in children(self.tree, node)),
            cut=bool(row["cutoff"]),
            bound=None if best is None else self._bound_of(node, best, ended=False),
        )

    def _split_child(self, node: int) -> Child:
        row, value = self.tree.nodes[node], self._settled_value(node)
        move = int(row["move"])
        if value is not None:
            bound = self._bound_of(node, value)
            return done_child(move, -value, bound and -bound, self._leaf(node), self.unit)
        if row["visited"]:
            return Child(move, State.OPEN)
        return Child(move, State.PRUNED if row["void"] else State.UNVISITED)

    def _frame_level(self, worker: int, ply: int) -> PathNode:
        frame, values = self.crew.frames[worker, ply], self.crew.values[worker, ply]
        todo, cut = moves_in(self.root, frame["todo"]), moves_in(self.root, frame["cut"])
        current = int(frame["move"])
        alpha, beta, best = int(frame["alpha"]), int(frame["beta"]), int(frame["best"])
        is_open = bool(ply < self.crew.state[worker]["ply"] or frame["again"])

        def child(move: int) -> Child:
            if cut & (1 << move):
                return Child(move, State.PRUNED)
            if todo & (1 << move):
                return Child(move, State.UNVISITED)
            if is_open and move == current:
                return Child(move, State.OPEN)
            value, low, why = unpack_child(int(values[move]))
            leaf = LEAVES.get(why)
            return done_child(move, value, bound_of(value, low, beta, leaf), leaf, self.unit)

        ended = not is_open and todo == 0
        return PathNode(
            alpha=self._told(max(alpha, best)),
            beta=self._told(beta),
            best=None if best == -INFINITY else self._told(best),
            move=None if current < 0 else current,
            children=tuple(child(move) for move in each(legal(load(self.root, frame)))),
            cut=cut != 0,
            bound=None if best == -INFINITY else bound_of(best, alpha, beta, ended=ended),
            ended=ended,
        )
