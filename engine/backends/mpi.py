"""The MPI backend: launches ranks on this machine or on the hosts of a cluster, reads their records and controls them.

    launch ─▶ hello ─▶ counters, tasks ... ─▶ result          the protocol: `engine.backends.mpi_job.protocol`

This process does not need mpi4py. If the job fails, its Result holds the finished part and the reason. No process
remains after the end.
"""

import logging
import queue
import re
import signal
import time
from collections.abc import Iterator, Sequence

import numpy as np

from engine.backends.mpi_job import launch, protocol
from engine.backends.mpi_job.process import RanksProcess
from engine.backends.mpi_job.replica import Replica
from engine.backends.tapes import trace
from engine.control import MIN_PACE, Control
from engine.job import JobError, job_to_json
from engine.messages import Message, message
from engine.prepare import Prepared
from engine.result import End, RankState, Result, Snapshot

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.05
"""Interval between two checks of the control and the clock while the ranks send nothing."""
START_SECONDS, LOAD_SECONDS = 30.0, 180.0
"""Time limits for a launcher to start its ranks, and for the ranks to load or compile their kernels."""
SILENCE_SECONDS = 5.0
"""Time limit between two records of a searching rank: ten times its own interval."""
LAST_SECONDS = 30.0
"""Time limit without a record from any rank, while they gather the result."""
STOP_SECONDS = 1.5
"""Time limit for the ranks to stop."""

FOREIGN = "unsupported PMI version"
"""MPICH's message under Open MPI's launcher. Under others it may print nothing, and each rank is a job of its own."""
BUS_ERROR = 7
"""SIGBUS on Linux: no memory for a page of shared memory. While it starts, MPICH may end with SIGSEGV instead (5.0.2,
with 16 MiB)."""
CRASHES = {BUS_ERROR, int(signal.SIGSEGV)}
"""Signals of which the end of another rank is never the cause."""
UNKNOWN_HOST = re.compile(r"ould not resolve hostname ([^\s:]+)")
UNREACHABLE_HOST = re.compile(r"ssh: connect to host (\S+) port \d+: (.+)")
"""Error messages of ssh, which launchers use to reach other hosts."""
LAUNCHERS_OWN = ("[mpiexec@", "[proxy:")
"""Beginnings of lines in which MPICH's launcher names itself. Other lines give the reason of a failure."""
NO_LIBRARY = ("cannot load MPI library", "No module named 'mpi4py'", "libmpi")


class _BrokenOff(Exception):
    """The job failed, for a reason of one sentence. `rank` is the rank that caused it, or None."""

    def __init__(self, reason: Message, rank: int | None = None) -> None:
        super().__init__(reason)
        self.rank = rank


def run(prepared: Prepared, control: Control) -> Iterator[Snapshot | Result]:
    """Run a job on MPI ranks. Raises JobError if the ranks cannot be started. A later failure is in the Result."""
    chosen = launch.choice()
    launcher = launch.find(chosen)
    command = launch.command(launcher, chosen, prepared.job)
    try:
        process = RanksProcess(command, launch.environment(launcher))
    except OSError as error:
        raise JobError(message("The ranks cannot be started: {why}.", why=error)) from error
    try:
        process.send(job_to_json(prepared.job).decode())
        control.forward_to(process.send)
        yield from _Job(prepared, control, process, launcher).follow()
    finally:
        process.close()


class _Job:
    def __init__(self, prepared: Prepared, control: Control, process: RanksProcess, launcher: launch.Launcher) -> None:
        self._prepared, self._control, self._process, self._launcher = prepared, control, process, launcher
        self._hello: protocol.Hello | None = None
        self._replica: Replica | None = None
        self._clock, self._clock_read = 0.0, time.monotonic()
        """The seconds spent listening (`_next`), and the monotonic time up to which they are counted."""
        self._heartbeats: dict[int, float] = {}
        """The time of each rank's last counters, by that clock."""
        self._answered: dict[int, int] = {}
        """The ranks that have sent their part of the result so far, while others have not, with the number of rows."""
        self._later: list[protocol.Line] = []
        """What they have sent since."""
        self._patience = SILENCE_SECONDS
        self._stopped = 0.0

    def follow(self) -> Iterator[Snapshot | Result]:
        shown = 0.0
        try:
            while True:
                record = self._next()
                if isinstance(record, protocol.Finished):
                    if self._replica is None or not self._replica.is_possible(record):
                        raise _impossible(record)
                    yield self._finished(record)
                    return
                if record is not None:
                    self._take(record)
                if self._has_stopped():
                    self._process.kill()
                    yield self._broken_off(End.STOPPED)
                    return
                self._check_signs_of_life()
                now = time.monotonic()
                if record is not None and self._heartbeats and self._replica is not None and now - shown >= MIN_PACE:
                    shown = now
                    yield self._replica.snapshot()
        except _BrokenOff as error:
            self._process.close()
            if self._replica is None or not self._heartbeats:
                raise JobError(str(error)) from error
            self._catch_up(self._replica)
            self._replica.lose(error.rank)
            yield self._broken_off(End.FAILED, str(error))

    def _next(self) -> protocol.Line | None:
        """The next record, or None if none comes within LOOK_SECONDS. It also advances the clock of the time limits.

        That clock counts only seconds of listening: no rank is late because this program was suspended (Ctrl+Z) or its
        caller did not ask for more.
        """
        try:
            record = self._process.next(LOOK_SECONDS)
        except queue.Empty:
            return None
        finally:
            now = time.monotonic()
            self._clock += min(now - self._clock_read, 2 * LOOK_SECONDS)
            self._clock_read = now
        if record is None:
            raise self._reason_of_end()
        return record

    def _take(self, record: protocol.Line) -> None:
        match record:
            case protocol.Hello():
                self._check_hello(record)
            case protocol.Error():
                raise self._reason_of(record)
            case protocol.Log():
                log.info("Rank %d: %s", record.rank, record.text)
            case _ if self._replica is not None:
                if not self._replica.is_possible(record):
                    raise _impossible(record)
                if isinstance(record, protocol.RankCounters):
                    self._heartbeats[record.rank] = self._clock
                    if record.state is RankState.ENDED:
                        self._patience = LAST_SECONDS
                elif self._patience == LAST_SECONDS:
                    self._heartbeats = dict.fromkeys(self._heartbeats, self._clock)
                self._store(record, self._replica)

    def _store(self, record: protocol.Line, replica: Replica) -> None:
        """Store a record. Those of a rank that has answered are held back until all ranks have: the result so far is
        made of what each has sent before its answer."""
        rank = replica.rank_of(record)
        if rank in self._answered:
            self._later.append(record)
        elif isinstance(record, protocol.Answered):
            self._answered[rank] = record.rows
            if len(self._answered) == self._prepared.job.workers:
                self._answer(replica)
        else:
            replica.take(record)

    def _answer(self, replica: Replica) -> None:
        """Send the result so far to the caller that asked for it."""
        so_far = _whole(replica.so_far(min(self._answered.values())))
        question = self._control.take_question()
        if question is not None:
            question(so_far)
        self._catch_up(replica)

    def _catch_up(self, replica: Replica) -> None:
        """Store what ranks have sent since they answered."""
        later, self._later = self._later, []
        self._answered.clear()
        for record in later:
            self._store(record, replica)

    def _check_hello(self, hello: protocol.Hello) -> None:
        """Raise _BrokenOff if the launcher started other ranks than the job's; else make their replica."""
        wanted, found = self._prepared.job.workers, len(hello.hosts)
        if self._hello is not None or len(hello.pids) != found:
            raise _impossible(hello)
        if found != wanted:
            raise _BrokenOff(
                message(
                    "Instead of one job of {wanted} ranks there are several of {found}: the launcher, {launcher}, and "
                    "mpi4py's library, {library}, are of different kinds: use the mpiexec that belongs to the library.",
                    wanted=wanted,
                    found=found,
                    launcher=self._launcher.name,
                    library=hello.library,
                )
            )
        log.info("%d ranks, launched by %s, on %s.", found, self._launcher.name, hello.library)
        self._hello, self._replica = hello, Replica(self._prepared, hello.hosts, hello.pids)

    def _has_stopped(self) -> bool:
        """Whether a stop was asked for and the wait for the ranks is over."""
        if not self._control.stopped:
            return False
        self._stopped = self._stopped or self._clock
        return not self._heartbeats or self._clock - self._stopped > STOP_SECONDS

    def _check_signs_of_life(self) -> None:
        now = self._clock
        if self._hello is None and now > START_SECONDS:
            raise _BrokenOff(
                message(
                    "{launcher} started no rank within {seconds} s.",
                    launcher=self._launcher.name,
                    seconds=f"{START_SECONDS:.0f}",
                )
            )
        if self._hello is not None:
            for rank in range(len(self._hello.hosts)):
                if rank not in self._heartbeats and now > LOAD_SECONDS:
                    name, seconds = self._name(rank), f"{LOAD_SECONDS:.0f}"
                    raise _BrokenOff(
                        message("{rank} was not ready within {seconds} s.", rank=name, seconds=seconds), rank
                    )
            silent = [rank for rank, heartbeat in sorted(self._heartbeats.items()) if now - heartbeat > self._patience]
            if silent:
                name, seconds = self._name(silent[0]), f"{self._patience:.0f}"
                raise _BrokenOff(
                    message("{rank} has sent nothing for {seconds} s.", rank=name, seconds=seconds), silent[0]
                )

    def _reason_of(self, error: protocol.Error) -> _BrokenOff:
        """The reason of the failure behind an error record. An MPI error may be the effect of another rank's death."""
        own = _BrokenOff(message("{rank} failed: {why}", rank=self._name(error.rank), why=error.text), error.rank)
        if "MPI error" not in error.text:
            return own
        end = self._reason_of_end()
        return own if end.rank in (None, error.rank) else end

    def _reason_of_end(self) -> _BrokenOff:
        """The reason why the records ended without a result."""
        if self._process.is_endless:
            return _BrokenOff(
                message(
                    "{launcher} prints a line without an end: correct the launch command.",
                    launcher=self._launcher.name,
                )
            )
        code, words = self._process.wait(STOP_SECONDS), self._process.output
        if any(sign in words for sign in NO_LIBRARY):
            return _BrokenOff(launch.INSTALL)
        if FOREIGN in words:
            return _BrokenOff(
                message(
                    "The launcher, {launcher}, and mpi4py's library are of different kinds: use the mpiexec that "
                    "belongs to the library.",
                    launcher=self._launcher.name,
                )
            )
        if unknown := UNKNOWN_HOST.search(words):
            return _BrokenOff(message("There is no host {host}: correct the names of the hosts.", host=unknown[1]))
        if unreachable := UNREACHABLE_HOST.search(words):
            host, why = unreachable.groups()
            return _BrokenOff(message("The host {host} cannot be reached: {why}.", host=host, why=why.strip(" .")))
        blamed = blamed_rank(words, self._hello.pids if self._hello else ())
        first = None if code is not None and code < 0 else self._process.first_ended  # a killed launcher ends its ranks
        killed = re.search(r"exited on signal (\d+)|EXIT CODE: (\d+)", words)
        number = int(killed[1] or killed[2]) if killed else None
        has_crashed = blamed is not None and number in CRASHES
        rank = blamed if first is None or has_crashed else first
        if rank is not None:
            return _BrokenOff(_ended(self._name(rank), number if rank == blamed else None), rank)
        if {number, code} & CRASHES:
            return _BrokenOff(_ended(message("A rank that was starting"), BUS_ERROR))
        if code is None:
            return _BrokenOff(message("{launcher} closed its output and runs on.", launcher=self._launcher.name))
        lines = [line for line in words.splitlines() if any(map(str.isalpha, line))] or [
            message("there was no other message")
        ]
        lines = [line for line in lines if not line.startswith(LAUNCHERS_OWN)] or lines
        last = next((line for line in lines if "error" in line.lower()), lines[-1])
        return _BrokenOff(message("The MPI job ended early, with exit code {code}: {last}", code=code, last=last))

    def _name(self, rank: int) -> str:
        if self._hello is None or rank >= len(self._hello.hosts):
            return message("Rank {rank}", rank=rank)
        pid, host = self._hello.pids[rank], self._hello.hosts[rank]
        return message("Rank {rank} (process {pid} on {host})", rank=rank, pid=pid, host=host)

    def _finished(self, record: protocol.Finished) -> Result:
        return _whole(
            Result(
                job=self._prepared.job,
                info=record.info,
                root_moves=record.root_moves,
                tasks=record.tasks,
                end=record.end,
                transfers=record.transfers,
                clock_error=record.clock_error,
                trace=trace(self._replica.state) if self._replica is not None else None,
            )
        )

    def _broken_off(self, end: End, failure: str = "") -> Result:
        """The Result of a job that broke off: its finished part."""
        if self._replica is None:
            self._replica = Replica(self._prepared, (), ())
        return self._replica.broken_off(end, failure)


def blamed_rank(words: str, pids: Sequence[int]) -> int | None:
    """The rank that a launcher's output names first, by the process of that rank or by its number; None where it names
    none. After the first rank that ended, a launcher may name those that it has ended itself."""
    named = [int(pid) for pid in re.findall(r"\bPID (\d+)", words)]
    rank = next((pids.index(pid) for pid in named if pid in pids), None)
    if rank is None and (blamed := re.search(r"process rank (\d+)", words)):
        rank = int(blamed[1])
    return rank


def _whole(result: Result) -> Result:
    """The result. Raises _BrokenOff if a row of its record has not come from the ranks: no row is 0."""
    if result.trace is not None and not result.trace.rows.view(np.int64).all():
        raise _BrokenOff(message("A part of the record was lost on its way from the ranks: search again."))
    return result


def _impossible(record: protocol.Line) -> _BrokenOff:
    log.warning("A record that cannot be true: %.300s", record)
    return _BrokenOff(
        message(
            "A rank sent a message that is not understood: all ranks must run this version of Plyscope, and "
            "print nothing else."
        )
    )


def _ended(name: str, number: int | None) -> Message:
    """The message that a rank has ended. `number` is a signal, or else an exit code; None if unknown."""
    if number is None:
        return message("{rank} ended.", rank=name)
    if number == BUS_ERROR:
        return message(
            "{rank} ended, probably because shared memory ran out: make /dev/shm larger, or choose fewer ranks.",
            rank=name,
        )
    try:
        return message("{rank} ended, killed by {signal}.", rank=name, signal=signal.Signals(number).name)
    except ValueError:
        return message("{rank} ended with exit code {code}.", rank=name, code=number)
