"""A replica of a remote search, made from its records. The launcher of an MPI job takes its snapshots from it, and rank
0 the result after all records are gathered."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends.allocate import memory
from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.validation import is_possible
from engine.backends.snapshot import combined, path_to, root_moves
from engine.backends.state import SearchState, new_state
from engine.backends.tapes import ALL, tasks, trace
from engine.kernels import task_tree, worker_memory
from engine.kernels.task_tree import key_of, move_of, value_of
from engine.prepare import Prepared, split_of
from engine.result import INFINITY, Counters, End, PathNode, RankInfo, RankState, Result, Snapshot, WorkerInfo

PAIR = np.dtype([("value", np.int32), ("move", np.int32)])
"""The operands of MPI's MAXLOC: it takes the greater value, of equal values the lower move. A negative move: none."""


def to_pairs(keys: NDArray[np.int64]) -> NDArray[Any]:
    """The pairs (PAIR) of keys of `engine.kernels.task_tree`."""
    pairs = np.empty(len(keys), PAIR)
    none = keys == task_tree.NO_KEY
    pairs["value"], pairs["move"] = np.where(none, -2 * INFINITY, value_of(keys)), np.where(none, -1, move_of(keys))
    return pairs


def from_pairs(pairs: NDArray[Any]) -> NDArray[np.int64]:
    """The keys of `engine.kernels.task_tree` of pairs."""
    value, move = pairs["value"].astype(np.int64), pairs["move"].astype(np.int64)
    return np.where(move < 0, task_tree.NO_KEY, key_of(value, move))


class Replica:
    """The tables of a search, filled from its records. The order of the records does not matter."""

    def __init__(self, prepared: Prepared, hosts: Sequence[str], pids: Sequence[int]) -> None:
        """`hosts` and `pids`: those of the job's ranks."""
        job = prepared.job
        self._prepared, self._threads = prepared, job.threads
        workers = job.workers * job.threads
        self.state = new_state(prepared, split_of(job), memory(prepared, workers))
        self.state.crew.frames["best"] = -INFINITY
        self._ranks = [RankInfo(*where) for where in zip(hosts, pids, strict=True)]
        self._workers = [WorkerInfo(Counters(), None, ())] * workers
        self._paths: dict[int, tuple[PathNode, ...]] = {}

    def is_possible(self, record: protocol.Line) -> bool:
        """Whether a rank of this job can have sent a record. Only such records may be passed to `take`."""
        rows = 0 if self.state.records is None else self.state.records.shape[1]
        return is_possible(record, self._prepared, self.state.tree, rows)

    def take(self, record: protocol.Line) -> None:
        """Store the contents of one record."""
        match record:
            case protocol.RankCounters():
                self._count(record)
            case protocol.Started():
                self._start(record)
            case protocol.Done():
                self._note(record)
                task_tree.settle(self.state.tree.nodes, self._node(record.task), record.value)
            case protocol.Skipped():
                self.state.tree.tasks[record.task]["worker"] = task_tree.SKIPPED
                task_tree.narrow(self.state.tree, self._node(record.task), record.windows)
                task_tree.skip(self.state.tree.nodes, self._node(record.task), record.ply)
            case protocol.Rows() if self.state.records is not None:
                rows = np.frombuffer(record.rows, np.int64)
                self.state.records[record.worker, record.first : record.first + len(rows)] = rows

    def rank_of(self, record: protocol.Line) -> int:
        """The rank that has sent a record about itself or its tasks."""
        match record:
            case protocol.RankCounters() | protocol.Skipped() | protocol.Answered():
                return record.rank
            case protocol.Started() | protocol.Done() | protocol.Rows():
                return record.worker // self._threads
        raise TypeError(f"No rank of the search sends this: {record}")

    def gather(self, records: Sequence[protocol.Line], bests: NDArray[Any]) -> None:
        """Store the records of all ranks at the end. `bests`: [nodes], dtype PAIR, the best value of each split node
        over all ranks and its move (negative: none)."""
        self.state.tree.nodes["key"] = from_pairs(bests)
        done = [record for record in records if isinstance(record, protocol.Done)]
        for record in done:
            self._note(record)
        for record in records:
            if not isinstance(record, protocol.Done):
                self.take(record)
        for record in done:
            node = self._node(record.task)
            is_outcome = self.state.tree.nodes[node]["weight"] > 0
            task_tree.settle(self.state.tree.nodes, node, record.value if is_outcome else task_tree.NO_VALUE)

    def _note(self, done: protocol.Done) -> None:
        """Store a finished task without backing up its value."""
        tree, node = self.state.tree, self._node(done.task)
        row = tree.tasks[done.task]
        row["worker"], row["start"], row["end"] = done.worker, done.start, done.end
        row["value"], row["line"] = done.value, done.line
        row["first"], row["last"] = done.first, done.last
        task_tree.enter(tree, node)
        task_tree.narrow(tree, node, done.windows)
        if node == 0:
            self.state.crew.frames[done.worker, 0]["best"] = done.value

    @property
    def is_complete(self) -> bool:
        """Whether all tasks are settled."""
        tasks = self.state.tree.tasks
        return bool(((tasks["end"] > 0) | (tasks["worker"] == task_tree.SKIPPED)).all())

    def lose(self, rank: int | None) -> None:
        """Mark the job as broken off because of one rank (None: unknown)."""
        self._leave()
        self._workers = [replace(worker, task=None, path=()) for worker in self._workers]
        self._ranks = [
            replace(info, state=RankState.LOST if number == rank else RankState.ENDED)
            for number, info in enumerate(self._ranks)
        ]

    def snapshot(self, seconds: float | None = None) -> Snapshot:
        """The snapshot of the newest records. `seconds`, if given, is the duration of the search."""
        if seconds is None:
            seconds = max((rank.seconds for rank in self._ranks), default=0.0)
        else:
            self._ranks = [replace(rank, seconds=seconds) for rank in self._ranks]
        busy = [worker for worker, info in enumerate(self._workers) if info.task is not None]
        return combined(self.state, seconds, self._workers, self._path(busy[0]) if busy else (), self._ranks)

    def so_far(self, known: int) -> Result:
        """The Result of a search that would be stopped now, when all ranks have answered. The first `known` rows of
        each worker have come."""
        return self._result(self.state, End.STOPPED, known=known)

    def broken_off(self, end: End, failure: str = "") -> Result:
        """The Result of a search that did not finish, without a record."""
        self._leave()
        return self._result(self.state._replace(tapes=None), end, failure)

    def _result(self, state: SearchState, end: End, failure: str = "", known: int = ALL) -> Result:
        return Result(
            job=self._prepared.job,
            info=self.snapshot(),
            root_moves=root_moves(state),
            tasks=tasks(state, known),
            end=end,
            trace=trace(state, known),
            failure=failure,
        )

    def _leave(self) -> None:
        """Mark the tasks under way as abandoned. A worker's counters beyond its finished tasks belong to them."""
        tasks = self.state.tree.tasks
        for number, worker in enumerate(self._workers):
            if worker.task is None or tasks[worker.task]["end"]:
                continue
            done = tasks[(tasks["worker"] == number) & (tasks["end"] > 0)]
            row, left = tasks[worker.task], round(self._ranks[number // self._threads].seconds * 1e9)
            busy = round(worker.busy * 1e9) - (done["end"] - done["start"]).sum()
            row["worker"], row["start"], row["left"] = number, left - busy, left
            nodes = worker.counters.nodes - (done["last"] - done["first"]).sum()
            self.state.crew.state[number]["rows"] = row["first"] + nodes

    def _path(self, worker: int) -> tuple[PathNode, ...]:
        task = self._workers[worker].task
        return () if task is None else path_to(self.state, task) + self._paths[worker // self._threads]

    def _count(self, record: protocol.RankCounters) -> None:
        first, last = record.rank * self._threads, (record.rank + 1) * self._threads
        self._workers[first:last] = record.workers
        for state, worker in zip(self.state.crew.state[first:last], record.workers, strict=True):
            for name in worker_memory.COUNTED:
                state[name] = getattr(worker.counters, name)
        self._paths[record.rank] = record.path
        under_way = [worker.task for worker in record.workers if worker.task is not None]
        for task in under_way:
            task_tree.enter(self.state.tree, self._node(task))
        for task in under_way[:1]:
            task_tree.narrow(self.state.tree, self._node(task), record.windows)
        self._ranks[record.rank] = replace(
            self._ranks[record.rank],
            **{name: getattr(record, name) for name in ("state", "seconds", "sent", "received", "one_sided")},
        )

    def _start(self, started: protocol.Started) -> None:
        row = self.state.tree.tasks[started.task]
        row["worker"], row["start"], row["left"] = started.worker, started.start, started.left
        row["first"] = started.first
        self.state.crew.state[started.worker]["rows"] = started.last
        task_tree.enter(self.state.tree, self._node(started.task))
        task_tree.narrow(self.state.tree, self._node(started.task), started.windows)

    def _node(self, task: int) -> int:
        return int(self.state.tree.tasks[task]["node"])
