"""Deals the tasks of a job to its ranks. Where tasks share a bound, or wait for an eldest brother, a rank reads the
results of the others from the shared window."""

import time
from collections import deque
from collections.abc import Callable

import numpy as np
from mpi4py import MPI

from engine.backends.dealing import busy, stages
from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.rank_slices import RankSlices
from engine.backends.mpi_job.shared_window import DONE, SKIPPED, SharedWindow
from engine.backends.mpi_job.task_records import done, skipped
from engine.backends.mpi_job.transfer_log import TransferLog
from engine.backends.state import SearchState
from engine.kernels import task_tree
from engine.kernels.node import turned
from engine.options.choices import Parallel, Schedule
from engine.prepare import Prepared


class RankDealing:
    """One rank's part of the dealing, in stages. Where ranks need each other's results, a stage lasts until all its
    tasks are settled."""

    def __init__(
        self,
        prepared: Prepared,
        state: SearchState,
        comm: MPI.Intracomm,
        shared: SharedWindow,
        slices: RankSlices,
        exchange: Callable[[], None],
        send: Callable[[protocol.Line], None],
        log: TransferLog,
    ) -> None:
        """`exchange` exchanges messages between two slices; `send` sends the record of a task; `log` takes the times of
        what comes from other ranks or goes to them."""
        self._job, self._shares_bounds = prepared.job, prepared.algorithm.prunes
        self._needs_others = self._shares_bounds or self._job.parallel is Parallel.YBW
        self._state, self._comm, self._shared, self._slices = state, comm, shared, slices
        self._exchange, self._send, self._log = exchange, send, log
        self._stages, self._stage = stages(prepared, state.tree), 0
        self._is_all_dealt = False
        self._settled = np.zeros(len(state.tree.tasks), bool)
        self._nodes_before: int | None = None
        """`_nodes` before the last slice; None if no worker was active in it."""
        self.open: deque[int] = deque()
        """This rank's tasks that are not settled, ascending."""
        self.is_waiting = False
        """Whether this rank waits for the tasks of others."""
        self._deal()

    def active(self) -> list[int] | None:
        """See `Dealing.active`. A task that another rank has left unfinished is not waited for."""
        waits = self._nodes_before == self._nodes()  # the tasks of the last slice wait for other ranks' tasks or nodes
        if waits:
            self._rest()
        while not (workers := self._busy_now()) and self._is_all_dealt and self._is_over():
            if self._stage + 1 == len(self._stages):
                return None
            self._stage += 1
            self._deal()
        if waits and self._shared.over:
            return None
        self._nodes_before = self._nodes() if workers else None
        self.is_waiting = not workers
        if self.is_waiting:
            self._rest()
        return workers

    def _rest(self) -> None:
        """Leave unused nodes of the node limit to other ranks, and sleep."""
        self._slices.release(self._state)
        self._slices.rest()

    def _busy_now(self) -> list[int]:
        """The workers with tasks, after results are exchanged and new tasks taken."""
        self._slices.publish_clock()
        self._settle_own()
        self._exchange()
        if self._needs_others:
            self._learn()
        idle = self._job.threads - len(busy(self._state))
        if idle and not self._is_all_dealt:
            self._take(idle)
        return busy(self._state)

    def _nodes(self) -> int:
        """The nodes that this rank has visited in its tasks."""
        return int(self._state.crew.state["nodes"].sum())

    def _deal(self) -> None:
        """Deal this rank's share of the stage's tasks by the schedule. On demand, there is none at first."""
        first, last = self._stages[self._stage]
        rank, size, count = self._comm.rank, self._comm.size, last - first
        match self._job.schedule:
            case Schedule.STATIC:
                place = first + rank * count // size, first + (rank + 1) * count // size, 1
            case Schedule.CYCLIC:
                place = first + rank, last, size
            case Schedule.DYNAMIC:
                place = 0, 0, 1
        task_tree.hand_out(self._state.tree, 0, place)
        self.open.extend(range(*place))
        self._is_all_dealt = self._job.schedule is not Schedule.DYNAMIC

    def _take(self, tasks: int) -> None:
        """Take up to `tasks` more tasks of the stage."""
        first, last = self._stages[self._stage]
        asked = time.monotonic_ns()
        place = first + self._shared.take(self._stage, tasks)
        mine = min(place, last), min(place + tasks, last), 1
        self._log.deals.append((asked, time.monotonic_ns(), range(*mine)))
        task_tree.hand_out(self._state.tree, 0, mine)
        self._state.tree.dealt[0]["younger"] = self._job.parallel is Parallel.YBW
        self.open.extend(range(*mine))
        self._is_all_dealt = place + tasks >= last

    def _is_over(self) -> bool:
        """Whether the stage is over. Ranks that need no results of others do not wait for them."""
        first, last = self._stages[self._stage]
        return not self._needs_others or bool(self._settled[first:last].all()) or self._shared.over

    def _settle_own(self) -> None:
        """Send the results of this rank's tasks from the last slice, and publish them if other ranks need them."""
        under_way = []
        while self.open:
            task = self.open.popleft()
            row = self._state.tree.tasks[task]
            if row["end"]:
                record = done(self._state, task, self._comm.rank * self._job.threads)
                self._settle(task, record.value * 4 + DONE, record)
            elif row["worker"] == task_tree.SKIPPED:
                record = skipped(self._state, task, self._comm.rank)
                self._settle(task, record.ply * 4 + SKIPPED, record)
            else:
                under_way.append(task)
                if row["worker"] < 0:
                    break
        self.open.extendleft(reversed(under_way))

    def _settle(self, task: int, entry: int, record: protocol.Line) -> None:
        self._settled[task] = True
        self._log.carriers[task] = len(self._log.sent)
        self._send(record)
        if self._needs_others:
            self._log.puts[task] = time.monotonic_ns()
            self._shared.put(task, entry)

    def _learn(self) -> None:
        """Read the other ranks' results of the stage's tasks."""
        first, last = self._stages[self._stage]
        tree, entries, read = self._state.tree, self._shared.entries(first, last), time.monotonic_ns()
        for task in first + np.flatnonzero((entries != 0) & ~self._settled[first:last]):
            node, entry = int(tree.tasks[task]["node"]), int(entries[task - first])
            self._settled[task] = True
            if entry & 3 == DONE:
                if self._shares_bounds and self._raises_bound(node, entry >> 2):
                    self._log.reads[int(task)] = read
                task_tree.enter(tree, node)
                task_tree.settle(tree.nodes, node, entry >> 2)
            else:
                task_tree.skip(tree.nodes, node, entry >> 2)

    def _raises_bound(self, node: int, value: int) -> bool:
        """Whether the value of a task's root raises the lower bound of the node above, as far as this rank knows it."""
        nodes = self._state.tree.nodes
        parent, value = int(nodes[node]["parent"]), turned(value, nodes[node]["again"] != 0)
        return parent >= 0 and value > max(nodes[parent]["alpha"], task_tree.value_of(int(nodes[parent]["key"])))
