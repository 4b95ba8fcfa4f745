"""One rank's part of the search: the slices, tasks and kernels of the thread backend, and the records it sends."""

import os
import queue
import time
from collections import deque
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from mpi4py import MPI
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends import serial, threads
from engine.backends.allocate import check_room, make_aids, memory
from engine.backends.dealing import busy, stages
from engine.backends.local import conclude, load_kernels
from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.messaging import Messages
from engine.backends.mpi_job.replica import Replica, to_pairs
from engine.backends.mpi_job.shared_window import DONE, SKIPPED, SharedWindow
from engine.backends.slicing import Slices, plies_above
from engine.backends.snapshot import path_below, root_moves, workers
from engine.backends.state import SearchState, new_state
from engine.backends.tapes import ranges, tasks
from engine.control import MIN_PACE, Control
from engine.job import Job
from engine.kernels import task_tree
from engine.kernels.task_tree import key_of
from engine.options.choices import Parallel, Schedule
from engine.prepare import prepare, split_of
from engine.result import End, RankState

COUNTERS_SECONDS, HEARTBEAT_SECONDS = 0.05, 0.5
"""Interval between two counters records with changes, and without."""
POLL_SECONDS = 0.002
"""Interval between two message checks of a rank that is paused or throttled."""
REST_SECONDS = 0.0005
"""Interval between two checks of a rank that waits for others to finish."""
ROWS_AT_ONCE = 50_000


class Rank:
    """One rank of a job. `search` is collective: all ranks must call it."""

    def __init__(self, comm: MPI.Intracomm, job: Job, commands: "queue.SimpleQueue[str]") -> None:
        """Raises JobError in all ranks if the job cannot run."""
        self._comm = comm
        self._prepared = prepared = prepare(replace(job, backend="mpi", workers=comm.size))
        self._messages = Messages(comm, commands)
        self._control = _RankControl(self._exchange)
        self._run_slice = serial.run_slice if job.threads == 1 else threads.run_slice
        if job.table:
            host = comm.Split_type(MPI.COMM_TYPE_SHARED)
            check_room(prepared, host.size)
            host.Free()
        self._state = new_state(prepared, split_of(job), memory(prepared, job.threads), make_aids(prepared))
        tree = self._state.tree
        self._stages = stages(prepared, tree)
        self._shared = SharedWindow(comm, len(self._stages), len(tree.tasks))
        self._slices = _Slices(self._shared, comm.size, job.limit, self._control, self._run_slice)
        self._open: deque[int] = deque()
        self._settled = np.zeros(len(tree.tasks), bool)
        self._results: list[protocol.Line] = []
        self._stage, self._is_all_dealt = 0, False
        self._nodes_before: int | None = None
        """`_nodes` before the last slice; None if no worker was active in it."""
        self._rank_state, self._seconds = RankState.SEARCHING, 0.0
        self._beat, self._shown = 0.0, ()

    def search(self) -> None:
        """Run this rank's part, from loading the kernels to the last record."""
        self._load()
        for command in self._messages.first_commands():
            self._obey(command)
        self._comm.Barrier()
        self._slices.begin(time.monotonic_ns())
        self._deal()
        for _ in self._slices.run(self._prepared, self._state, self):
            pass
        self._seconds = self._slices.seconds
        self._state.abandon(self._seconds)
        if self._slices.end is not End.COMPLETE:
            self._shared.leave()
        self._wait_for_all()
        result = self._gather()
        self._send_rows(result)
        self._messages.close()
        if result is not None:
            self._messages.say(result[0])
            self._messages.flush()
        self._shared.close()

    def _load(self) -> None:
        """Compile the kernels in one rank of each host. The others load them from the cache."""
        host = self._comm.Split_type(MPI.COMM_TYPE_SHARED)
        if host.rank == 0:
            load_kernels(self._prepared, self._run_slice, self._prepared.job.threads)
        others = host.Ibarrier()
        while not others.Test():
            time.sleep(POLL_SECONDS)
        if host.rank:
            load_kernels(self._prepared, self._run_slice, self._prepared.job.threads)
        host.Free()

    # Tasks

    def active(self) -> list[int] | None:
        """See `Dealing.active`. While ranks share bounds, a stage lasts until all its tasks are settled."""
        if self._nodes_before == self._nodes():
            self._rest()  # the tasks of its last slice wait for other ranks' tasks
        while not (workers := self._busy_now()) and self._is_all_dealt and self._is_over():
            if self._stage + 1 == len(self._stages):
                return None
            self._stage += 1
            self._deal()
        self._rank_state = RankState.SEARCHING if workers else RankState.WAITING
        self._nodes_before = self._nodes() if workers else None
        if not workers:
            self._rest()
        return workers

    def _busy_now(self) -> list[int]:
        """The workers with tasks, after messages, results and new tasks have been taken."""
        self._show_clock()
        self._settle_own()
        self._exchange()
        if self._prepared.algorithm.prunes:
            self._learn()
        idle = self._prepared.job.threads - len(busy(self._state))
        if idle and not self._is_all_dealt:
            self._take(idle)
        return busy(self._state)

    def _nodes(self) -> int:
        """The nodes that this rank has visited in its tasks."""
        return int(self._state.crew.state["nodes"].sum())

    def _rest(self) -> None:
        """Sleep for REST_SECONDS. In a throttled search, take the time of the ranks that search."""
        self._slices.count_time()
        time.sleep(REST_SECONDS)
        if self._control.held_back:
            self._slices.set_forward(self._shared.clock(self._slices.nanoseconds))

    def _show_clock(self) -> None:
        """Publish the time of a throttled search for idle ranks, before they see the results of this rank's tasks."""
        if self._control.held_back:
            self._slices.count_time()
            self._shared.clock(self._slices.nanoseconds)

    def _deal(self) -> None:
        """Deal this rank's share of the stage's tasks by the schedule. On demand, there is none at first."""
        first, last = self._stages[self._stage]
        rank, size, count = self._comm.rank, self._comm.size, last - first
        match self._prepared.job.schedule:
            case Schedule.STATIC:
                place = first + rank * count // size, first + (rank + 1) * count // size, 1
            case Schedule.CYCLIC:
                place = first + rank, last, size
            case Schedule.DYNAMIC:
                place = 0, 0, 1
        task_tree.hand_out(self._state.tree, 0, place)
        self._open.extend(range(*place))
        self._is_all_dealt = self._prepared.job.schedule is not Schedule.DYNAMIC

    def _take(self, tasks: int) -> None:
        """Take up to `tasks` more tasks of the stage."""
        first, last = self._stages[self._stage]
        place = first + self._shared.take(self._stage, tasks)
        mine = min(place, last), min(place + tasks, last), 1
        task_tree.hand_out(self._state.tree, 0, mine)
        self._state.tree.dealt[0]["younger"] = self._prepared.job.parallel is Parallel.YBW
        self._open.extend(range(*mine))
        self._is_all_dealt = place + tasks >= last

    def _is_over(self) -> bool:
        """Whether the stage is over. Without a bound to share, ranks do not wait for each other."""
        if not self._prepared.algorithm.prunes:
            return True
        first, last = self._stages[self._stage]
        return bool(self._settled[first:last].all()) or self._shared.over

    def _settle_own(self) -> None:
        """Send the results of this rank's tasks from the last slice, and publish them if ranks share bounds."""
        tasks, under_way = self._state.tree.tasks, []
        while self._open:
            task = self._open.popleft()
            row = tasks[task]
            if row["end"]:
                self._settle(task, int(row["value"]) * 4 + DONE, self._done(task))
            elif row["worker"] == task_tree.SKIPPED:
                ply = int(row["value"])
                self._settle(task, ply * 4 + SKIPPED, protocol.Skipped(task, ply, self._windows(task)))
            else:
                under_way.append(task)
                if row["worker"] < 0:
                    break
        self._open.extendleft(reversed(under_way))

    def _settle(self, task: int, entry: int, record: protocol.Line) -> None:
        self._settled[task] = True
        self._send(record)
        if self._prepared.algorithm.prunes:
            self._shared.put(task, entry)

    def _learn(self) -> None:
        """Read the other ranks' results of the stage's tasks."""
        first, last = self._stages[self._stage]
        tree, entries = self._state.tree, self._shared.entries(first, last)
        for task in first + np.flatnonzero((entries != 0) & ~self._settled[first:last]):
            node, entry = int(tree.tasks[task]["node"]), int(entries[task - first])
            self._settled[task] = True
            if entry & 3 == DONE:
                task_tree.enter(tree, node)
                task_tree.settle(tree, node, entry >> 2)
            else:
                task_tree.skip(tree, node, entry >> 2)

    # Records

    def _exchange(self) -> None:
        now = time.monotonic()
        if now - self._beat >= self._pace():
            self._beat, self._shown = now, self._progress()
            self._messages.say(self._counters())
        for command in self._messages.exchange():
            self._obey(command)

    def _obey(self, command: str) -> None:
        try:
            self._control.obey(command, 1 / self._comm.size)
        except ValueError as error:
            self._messages.say(protocol.Log(self._comm.rank, str(error)))

    def _pace(self) -> float:
        """Seconds between the last counters record and the next."""
        if self._shown == self._progress():
            return HEARTBEAT_SECONDS
        return MIN_PACE if self._control.held_back else COUNTERS_SECONDS

    def _progress(self) -> tuple[Any, ...]:
        """The state that a counters record shows. While it is unchanged, none needs to be sent."""
        return self._rank_state, self._control.paused, self._state.crew.state["nodes"].sum()

    def _counters(self) -> protocol.Counters:
        state, messages = self._state, self._messages
        is_paused = self._control.paused and self._rank_state is RankState.SEARCHING
        active = np.flatnonzero(state.crew.state["task"] >= 0)
        return protocol.Counters(
            rank=self._comm.rank,
            state=RankState.PAUSED if is_paused else self._rank_state,
            seconds=self._slices.seconds,
            sent=messages.sent,
            received=messages.received,
            one_sided=self._shared.operations,
            workers=workers(state, self._slices.seconds),
            path=path_below(state, int(active[0])) if active.size else (),
            windows=self._windows(int(state.crew.state[active[0]]["task"])) if active.size else (),
        )

    # Result

    def _wait_for_all(self) -> None:
        """Forward messages until no rank searches any more."""
        self._rank_state = RankState.WAITING
        self._messages.leave()
        while not self._messages.all_left():
            self._exchange()
            self._rest()

    def _gather(self) -> tuple[protocol.Finished, Replica] | None:
        """Gather all records at rank 0. Returns the result at rank 0, None at the others."""
        comm, prepared = self._comm, self._prepared
        self._rank_state = RankState.ENDED
        for task in self._open:
            if self._state.tree.tasks[task]["worker"] >= 0:
                self._send(self._started(task))
        self._send(self._counters())
        self._messages.flush()
        bests = self._bests()
        best = np.empty_like(bests)
        comm.Reduce([bests, MPI.INT_INT], [best, MPI.INT_INT], MPI.MAXLOC)
        results = comm.gather(self._results)
        places = comm.gather((MPI.Get_processor_name(), os.getpid()))
        ends = comm.gather(self._slices.end)
        seconds = comm.reduce(self._seconds, MPI.MAX)
        if results is None or places is None or ends is None:
            return None
        replica = Replica(prepared, *zip(*places, strict=True))
        replica.gather(list(chain.from_iterable(results)), best)
        end = End.COMPLETE if replica.is_complete else next(end for end in ends if end is not End.COMPLETE)
        end, info = conclude(prepared, self._control, self._run_slice, end, replica.snapshot(seconds))
        return protocol.Finished(info, root_moves(replica.state), tasks(replica.state), end), replica

    def _bests(self) -> NDArray[Any]:
        """[nodes], dtype PAIR: the best value and move of each split node among this rank's own tasks below it."""
        nodes, tasks = self._state.tree.nodes, self._state.tree.tasks
        keys = np.full(len(nodes), task_tree.NO_KEY)
        for done in self._results:
            if isinstance(done, protocol.Done):
                node = nodes[tasks[done.task]["node"]]
                keys[node["parent"]] = max(keys[node["parent"]], key_of(-done.value, int(node["move"])))
        return to_pairs(keys)

    def _send_rows(self, result: tuple[protocol.Finished, Replica] | None) -> None:
        """Send this rank's rows of the record, as far as the record has room."""
        records = self._state.records
        if records is None:
            return
        rows_of_tasks = self._comm.bcast(ranges(result[1].state) if result else None)
        first_worker = self._comm.rank * self._prepared.job.threads
        for task in self._results:
            if isinstance(task, protocol.Done | protocol.Started):
                tape, end = records[task.worker - first_worker], task.first + int(np.diff(rows_of_tasks[task.task])[0])
                for first in range(task.first, end, ROWS_AT_ONCE):
                    rows = tape[first : min(end, first + ROWS_AT_ONCE)]
                    self._messages.say(protocol.Rows(task.worker, first, rows.tobytes()))
                    self._messages.flush()

    def _send(self, record: protocol.Line) -> None:
        """Send a record now, and again when all records are gathered."""
        self._messages.say(record)
        self._results.append(record)

    def _done(self, task: int) -> protocol.Done:
        row = self._state.tree.tasks[task]
        return protocol.Done(
            task=task,
            worker=self._worker(row),
            start=int(row["start"]),
            end=int(row["end"]),
            value=int(row["value"]),
            line=int(row["line"]),
            first=int(row["first"]),
            last=int(row["last"]),
            windows=self._windows(task),
        )

    def _windows(self, task: int) -> tuple[tuple[int, int], ...]:
        """See `protocol.Done`."""
        nodes = self._state.tree.nodes
        way = task_tree.way_to(self._state.tree, int(self._state.tree.tasks[task]["node"]))
        return tuple((int(nodes[node]["alpha"]), int(nodes[node]["beta"])) for node in way)

    def _started(self, task: int) -> protocol.Started:
        row = self._state.tree.tasks[task]
        worker = int(row["worker"])
        return protocol.Started(
            task=task,
            worker=self._worker(row),
            start=int(row["start"]),
            left=int(row["left"]),
            first=int(row["first"]),
            last=int(self._state.crew.state[worker]["rows"]),
            windows=self._windows(task),
        )

    def _worker(self, row: Any) -> int:
        return self._comm.rank * self._prepared.job.threads + int(row["worker"])


class _RankControl(Control):
    """The control of a rank, which exchanges messages while it waits for a grant."""

    def __init__(self, exchange: Callable[[], None]) -> None:
        super().__init__()
        self._exchange = exchange

    def _wait(self, seconds: float | None) -> None:
        self._exchange()
        time.sleep(POLL_SECONDS if seconds is None else min(seconds, POLL_SECONDS))


class _Slices(Slices):
    """The slices of a rank. All ranks share the node limit: each reserves a part of it before each slice."""

    def __init__(self, shared: SharedWindow, ranks: int, *rest: Any) -> None:
        super().__init__(*rest)
        self._shared, self._ranks = shared, ranks
        self._reserved = self._visited = 0

    def _allowed(self, state: SearchState, granted: int, active: list[int], nodes: int) -> int:
        visited = state.counters().nodes
        unused = self._reserved - (visited - self._visited)
        self._visited = visited
        left = nodes - self._shared.reserve(-unused) + unused
        above = plies_above(state) * len(active)
        wanted = min(granted + above, max(left // self._ranks, above + 1))
        self._reserved = max(0, min(wanted, nodes - self._shared.reserve(wanted)))
        self._shared.reserve(self._reserved - wanted)
        return self._reserved - above
