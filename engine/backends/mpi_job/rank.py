"""One rank's part of the search: the slices and kernels of a search in one process, and the records that it sends."""

import os
import queue
import time
from itertools import chain
from typing import Any

import numpy as np
from mpi4py import MPI
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends import serial, threads
from engine.backends.allocate import check_room, make_aids, memory
from engine.backends.dealing import stages
from engine.backends.local import conclude, load_kernels
from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.barrier import sleeping_barrier
from engine.backends.mpi_job.common_clock import CommonClock
from engine.backends.mpi_job.messaging import Messages
from engine.backends.mpi_job.rank_dealing import RankDealing
from engine.backends.mpi_job.rank_rows import RankRows
from engine.backends.mpi_job.rank_slices import RankControl, RankSlices
from engine.backends.mpi_job.replica import Replica, to_pairs
from engine.backends.mpi_job.shared_window import SharedWindow
from engine.backends.mpi_job.task_records import started, windows
from engine.backends.mpi_job.transfer_log import TransferLog, transfers
from engine.backends.snapshot import path_below, root_moves, workers
from engine.backends.state import SearchState, new_state
from engine.backends.tapes import begun, ranges, tasks
from engine.control import MIN_PACE
from engine.job import Job
from engine.kernels import task_tree
from engine.kernels.node import turned
from engine.kernels.task_tree import key_of
from engine.prepare import Prepared, prepare, split_of
from engine.result import End, RankState

COUNTERS_SECONDS, HEARTBEAT_SECONDS = 0.05, 0.5
"""Interval between two counters records with changes, and without."""


class Rank:
    """One rank of a job. `search` is collective: all ranks must call it."""

    def __init__(self, comm: MPI.Intracomm, job: Job, commands: "queue.SimpleQueue[str]") -> None:
        """Raises JobError in all ranks if the job cannot run."""
        self._comm, self._first_worker = comm, comm.rank * job.threads
        self._prepared = prepared = prepare(replace(job, backend="mpi", workers=comm.size))
        self._log = TransferLog()
        self._messages = Messages(comm, commands, self._log)
        self._control = RankControl(self._exchange, self._answer)
        self._run_slice = serial.run_slice if job.threads == 1 else threads.run_slice
        if job.table:
            host = comm.Split_type(MPI.COMM_TYPE_SHARED)
            check_room(prepared, host.size)
            host.Free()
        self._state = new_state(prepared, split_of(job), memory(prepared, job.threads), make_aids(prepared))
        self._rows = RankRows(self._state, comm.size, self._first_worker, self._messages)
        tree = self._state.tree
        self._shared = SharedWindow(comm, len(stages(prepared, tree)), len(tree.tasks), len(tree.nodes))
        self._slices = RankSlices(self._shared, comm.size, job.limit, self._control, self._run_slice)
        self._dealing = RankDealing(
            prepared, self._state, comm, self._shared, self._slices, self._exchange, self._send, self._log
        )
        self._clock = CommonClock(comm)
        self._results: list[protocol.Line] = []
        self._left: RankState | None = None
        """The state after the search; None before its end."""
        self._seconds = 0.0
        self._beat, self._shown = 0.0, ()

    def search(self) -> None:
        """Run this rank's part, from loading the kernels to the last record."""
        self._load()
        for command in self._messages.first_commands():
            self._obey(command)
        self._slices.begin(self._clock.begin())
        for _ in self._slices.run(self._prepared, self._state, self._dealing):
            pass
        self._slices.release(self._state)
        self._seconds = self._slices.seconds
        self._state.abandon(self._seconds)
        if self._slices.end is not End.COMPLETE:
            self._shared.leave()
        self._wait_for_all()
        result = self._gather()
        self._send_rows(result)
        self._messages.close()
        if result is not None:
            self._messages.add(result[0])
            self._messages.flush()
        self._shared.close()

    def _load(self) -> None:
        """Compile the kernels in one rank of each host. The others load them from the cache."""
        host = self._comm.Split_type(MPI.COMM_TYPE_SHARED)
        if host.rank == 0:
            load_kernels(self._prepared, self._run_slice, self._prepared.job.threads)
        sleeping_barrier(host)
        if host.rank:
            load_kernels(self._prepared, self._run_slice, self._prepared.job.threads)
        host.Free()
        sleeping_barrier(self._comm)

    # Records

    def _exchange(self) -> None:
        now = time.monotonic()
        if now - self._beat >= self._pace():
            self._beat, self._shown = now, self._progress()
            self._messages.add(self._counters())
        for command in self._messages.exchange():
            self._obey(command)

    def _obey(self, command: str) -> None:
        try:
            self._control.obey(command, 1 / self._comm.size)
        except ValueError as error:
            self._messages.add(protocol.Log(self._comm.rank, str(error)))

    def _pace(self) -> float:
        """Seconds between the last counters record and the next."""
        if self._shown == self._progress():
            return HEARTBEAT_SECONDS
        return MIN_PACE if self._control.held_back else COUNTERS_SECONDS

    def _progress(self) -> tuple[Any, ...]:
        """The state that a counters record shows. While it is unchanged, none needs to be sent."""
        return self._rank_state, self._state.crew.state["nodes"].sum()

    @property
    def _rank_state(self) -> RankState:
        if self._left is not None:
            return self._left
        if self._dealing.is_waiting:
            return RankState.WAITING
        return RankState.PAUSED if self._control.paused else RankState.SEARCHING

    def _counters(self) -> protocol.RankCounters:
        state, messages = self._state, self._messages
        active = np.flatnonzero(state.crew.state["task"] >= 0)
        return protocol.RankCounters(
            rank=self._comm.rank,
            state=self._rank_state,
            seconds=self._slices.seconds,
            sent=messages.sent,
            received=messages.received,
            one_sided=self._shared.operations,
            workers=workers(state, self._slices.seconds),
            path=path_below(state, int(active[0])) if active.size else (),
            windows=windows(state, int(state.crew.state[active[0]]["task"])) if active.size else (),
        )

    def _answer(self) -> None:
        """Send this rank's part of the result so far. No slice runs, and all tasks that have ended are settled."""
        state = self._state
        if self._left is None:
            state = state.copied()
            state.abandon(self._slices.seconds)
        for record in self._unfinished(state):
            self._messages.add(record)
        rows = self._rows.send_so_far(self._clock.at(time.monotonic_ns()) / 1e9)
        self._messages.add(protocol.Answered(self._comm.rank, rows))
        self._messages.flush()

    def _unfinished(self, state: SearchState) -> list[protocol.Line]:
        """The records of the abandoned tasks of a state, and the counters."""
        begun = (task for task in self._dealing.open if state.tree.tasks[task]["worker"] >= 0)
        return [*(started(state, task, self._first_worker) for task in begun), self._counters()]

    # Result

    def _wait_for_all(self) -> None:
        """Forward messages until no rank searches any more."""
        self._left = RankState.WAITING
        self._messages.leave()
        while not self._messages.all_left():
            self._exchange()
            self._slices.rest()

    def _gather(self) -> tuple[protocol.Finished, Replica] | None:
        """Gather all records at rank 0. Returns the result at rank 0, None at the others."""
        comm, prepared = self._comm, self._prepared
        self._left = RankState.ENDED
        for record in self._unfinished(self._state):
            self._send(record)
        self._messages.flush()
        bests = self._bests()
        best = np.empty_like(bests)
        comm.Reduce([bests, MPI.INT_INT], [best, MPI.INT_INT], MPI.MAXLOC)
        results = comm.gather(self._results)
        processes = comm.gather((MPI.Get_processor_name(), os.getpid()))
        ends = comm.gather(self._slices.end)
        logs, error = self._gather_logs()
        seconds = comm.reduce(self._seconds, MPI.MAX)
        if results is None or processes is None or ends is None:
            return None
        replica = Replica(prepared, *zip(*processes, strict=True))
        replica.gather(list(chain.from_iterable(results)), best)
        end = End.COMPLETE if replica.is_complete else next(end for end in ends if end is not End.COMPLETE)
        end, info = conclude(prepared, self._control, self._run_last_slice, end, replica.snapshot(seconds))
        found = tasks(replica.state)
        places = {task: place for place, task in enumerate(begun(replica.state))}
        came = transfers(logs, places)
        return protocol.Finished(info, root_moves(replica.state), found, end, came, error), replica

    def _run_last_slice(self, prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
        """Run a slice of the search that completes the principal variation, at rank 0 alone. A stop ends that search;
        other commands come too late."""
        if "stop" in self._messages.arrived():
            self._control.stop()
        self._run_slice(prepared, state, budgets)

    def _gather_logs(self) -> tuple[list[TransferLog], float]:
        """At rank 0: what all ranks have measured of the transfers, empty if the search was held back, and the largest
        error of their clocks in seconds."""
        comm = self._comm
        sent, was_held_back = comm.gather(len(self._log.sent)), comm.allreduce(self._control.was_held_back, MPI.LOR)
        if sent is not None:
            self._messages.receive_all(sent)
        logs, error = comm.gather(self._log.to_common(self._clock)), comm.allreduce(self._clock.error, MPI.MAX)
        return ([] if was_held_back or logs is None else logs), error / 1e9

    def _bests(self) -> NDArray[Any]:
        """[nodes], dtype PAIR: the best value and move of each split node among this rank's own tasks below it. At a
        chance node there is none."""
        nodes, tasks = self._state.tree.nodes, self._state.tree.tasks
        keys = np.full(len(nodes), task_tree.NO_KEY)
        for done in self._results:
            if isinstance(done, protocol.Done):
                node = nodes[tasks[done.task]["node"]]
                if node["weight"] > 0:
                    continue
                value = turned(done.value, node["again"] != 0)
                keys[node["parent"]] = max(keys[node["parent"]], key_of(value, int(node["move"])))
        return to_pairs(keys)

    def _send_rows(self, result: tuple[protocol.Finished, Replica] | None) -> None:
        """Send this rank's rows of the record, as far as the record has room."""
        if self._state.records is None:
            return
        rows_of_tasks = self._comm.bcast(ranges(result[1].state) if result else None)
        for task in self._results:
            if isinstance(task, protocol.Done | protocol.Started):
                end = task.first + int(np.diff(rows_of_tasks[task.task])[0])
                self._rows.send(task.worker - self._first_worker, task.first, end)

    def _send(self, record: protocol.Line) -> None:
        """Send a record now, and again when all records are gathered."""
        self._messages.add(record)
        self._results.append(record)
