"""MPI ranks, here or on the hosts of a cluster: launched, listened to and steered from here. mpi4py is not needed here.

    launch ─▶ hello ─▶ counters, tasks ... ─▶ result          what is said, and by whom:
    `engine.backends.mpi_job.protocol`

Whatever happens to the job, what it had finished by then is told, with the reason; and no process is left behind.
"""

import logging
import queue
import re
import signal
import time
from collections.abc import Iterator

from engine.backends.mpi_job import launch, protocol
from engine.backends.mpi_job.process import RanksProcess
from engine.backends.mpi_job.replica import Mirror
from engine.control import MIN_PACE, Control
from engine.job import JobError, job_to_json
from engine.messages import Message, message
from engine.registry import Prepared
from engine.result import End, Info, RankState, Result

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.05
"""Between two looks at the control and the clock where the ranks say nothing."""
START_SECONDS, LOAD_SECONDS = 30.0, 180.0
"""How long a launcher may take to start its ranks, and these to load or compile their kernels."""
SILENCE_SECONDS = 5.0
"""How long a rank that searches may say nothing: ten times what it allows itself."""
LAST_SECONDS = 30.0
"""How long all of them may then say nothing, while they bring everything together."""
STOP_SECONDS = 1.5
"""How long the ranks may take to stop."""

FOREIGN = "unsupported PMI version"
"""MPICH says so under Open MPI's launcher; under others it may say nothing, and each rank is alone."""
BUS_ERROR = 7
"""SIGBUS on Linux: a page of shared memory was touched that the machine has no room for. In its start MPICH may end by
SIGSEGV instead (5.0.2, with 16 MiB)."""
UNKNOWN_HOST = re.compile(r"ould not resolve hostname ([^\s:]+)")
UNREACHABLE_HOST = re.compile(r"ssh: connect to host (\S+) port \d+: (.+)")
"""What ssh says, by which launchers reach other hosts."""
LAUNCHERS_OWN = ("[mpiexec@", "[proxy:")
"""So lines begin in which MPICH's launcher tells of itself: what went wrong stands in others."""
NO_LIBRARY = ("cannot load MPI library", "No module named 'mpi4py'", "libmpi")


class _BrokenOff(Exception):
    """The job failed, for a reason that fits one sentence; perhaps one rank is to blame."""

    def __init__(self, reason: Message, rank: int | None = None) -> None:
        super().__init__(reason)
        self.rank = rank


def run(prepared: Prepared, control: Control) -> Iterator[Info | Result]:
    """Raises JobError where the ranks cannot be started; where they fail later, the Result says so."""
    chosen = launch.choice()
    launcher = launch.find(chosen)
    command = launch.command(launcher, chosen, prepared.job)
    try:
        process = RanksProcess(command, launch.environment(launcher))
    except OSError as error:
        raise JobError(message("The ranks cannot be started: {why}.", why=error)) from error
    try:
        process.say(job_to_json(prepared.job).decode())
        control.tell(process.say)
        yield from _Job(prepared, control, process, launcher).follow()
    finally:
        process.close()


class _Job:
    def __init__(self, prepared: Prepared, control: Control, process: RanksProcess, launcher: launch.Launcher) -> None:
        self._prepared, self._control, self._process, self._launcher = prepared, control, process, launcher
        self._hello: protocol.Hello | None = None
        self._mirror: Mirror | None = None
        self._listened, self._looked = 0.0, time.monotonic()
        self._heard: dict[int, float] = {}
        self._patience = SILENCE_SECONDS
        self._stopped = 0.0

    def follow(self) -> Iterator[Info | Result]:
        told = 0.0
        try:
            while True:
                record = self._next()
                if isinstance(record, protocol.Finished):
                    if self._mirror is None or not self._mirror.is_possible(record):
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
                if record is not None and self._heard and self._mirror is not None and now - told >= MIN_PACE:
                    told = now
                    yield self._mirror.info()
        except _BrokenOff as error:
            self._process.close()
            if self._mirror is None or not self._heard:
                raise JobError(str(error)) from error
            self._mirror.lose(error.rank)
            yield self._broken_off(End.FAILED, str(error))

    def _next(self) -> protocol.Line | None:
        """The next record, None if there is none for a moment. It also moves the clock of all that ranks may take, in
        seconds of listening: while this program is stopped (Ctrl+Z), or nobody asks for more, no rank is late."""
        try:
            record = self._process.next(LOOK_SECONDS)
        except queue.Empty:
            return None
        finally:
            now = time.monotonic()
            self._listened += min(now - self._looked, 2 * LOOK_SECONDS)
            self._looked = now
        if record is None:
            raise self._reason_of_end()
        return record

    def _take(self, record: protocol.Line) -> None:
        match record:
            case protocol.Hello():
                self._greet(record)
            case protocol.Error():
                raise self._reason_of(record)
            case protocol.Log():
                log.info("Rank %d: %s", record.rank, record.text)
            case _ if self._mirror is not None:
                if not self._mirror.is_possible(record):
                    raise _impossible(record)
                if isinstance(record, protocol.Counters):
                    self._heard[record.rank] = self._listened
                    if record.state is RankState.ENDED:
                        self._patience = LAST_SECONDS
                elif self._patience == LAST_SECONDS:
                    self._heard = dict.fromkeys(self._heard, self._listened)
                self._mirror.take(record)

    def _greet(self, hello: protocol.Hello) -> None:
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
        self._hello, self._mirror = hello, Mirror(self._prepared, hello.hosts, hello.pids)

    def _has_stopped(self) -> bool:
        """Whether there is nothing more to wait for after a stop."""
        if not self._control.stopped:
            return False
        self._stopped = self._stopped or self._listened
        return not self._heard or self._listened - self._stopped > STOP_SECONDS

    def _check_signs_of_life(self) -> None:
        now = self._listened
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
                if rank not in self._heard and now > LOAD_SECONDS:
                    name, seconds = self._name(rank), f"{LOAD_SECONDS:.0f}"
                    raise _BrokenOff(
                        message("{rank} was not ready within {seconds} s.", rank=name, seconds=seconds), rank
                    )
            silent = [rank for rank, heard in sorted(self._heard.items()) if now - heard > self._patience]
            if silent:
                name, seconds = self._name(silent[0]), f"{self._patience:.0f}"
                raise _BrokenOff(
                    message("{rank} has sent nothing for {seconds} s.", rank=name, seconds=seconds), silent[0]
                )

    def _reason_of(self, error: protocol.Error) -> _BrokenOff:
        """What a rank reports of MPI itself may come of another's death, in the middle of a message: the launcher knows
        who was killed."""
        own = _BrokenOff(message("{rank} failed: {why}", rank=self._name(error.rank), why=error.text), error.rank)
        if "MPI error" not in error.text:
            return own
        end = self._reason_of_end()
        return own if end.rank in (None, error.rank) else end

    def _reason_of_end(self) -> _BrokenOff:
        """Why there are no more records though there is no result."""
        if self._process.is_endless:
            return _BrokenOff(
                message(
                    "{launcher} prints a line without an end: correct the launch command.",
                    launcher=self._launcher.name,
                )
            )
        code, words = self._process.wait(STOP_SECONDS), self._process.words
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
        pids = {int(pid) for pid in re.findall(r"\bPID (\d+)", words)}
        rank = next((rank for rank, pid in enumerate(self._hello.pids if self._hello else ()) if pid in pids), None)
        if rank is None and (blamed := re.search(r"process rank (\d+)", words)):
            rank = int(blamed[1])
        killed = re.search(r"exited on signal (\d+)|EXIT CODE: (\d+)", words)
        number = int(killed[1] or killed[2]) if killed else None
        if rank is not None:
            return _BrokenOff(_ended(self._name(rank), number), rank)
        if {number, code} & {BUS_ERROR, signal.SIGSEGV}:
            return _BrokenOff(_ended(message("A rank that was starting"), BUS_ERROR))
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
        return Result(
            job=self._prepared.job,
            info=record.info,
            root_moves=record.root_moves,
            tasks=record.tasks,
            end=record.end,
            trace=self._mirror.report.trace() if self._mirror is not None else None,
        )

    def _broken_off(self, end: End, failure: str = "") -> Result:
        """What was finished before the job broke off."""
        if self._mirror is None:
            self._mirror = Mirror(self._prepared, (), ())
        return self._mirror.result(self._prepared, end, failure)


def _impossible(record: protocol.Line) -> _BrokenOff:
    log.warning("A record that cannot be true: %.300s", record)
    return _BrokenOff(
        message(
            "A rank sent a message that is not understood: all ranks must run this version of Plyscope, and "
            "print nothing else."
        )
    )


def _ended(name: str, number: int | None) -> Message:
    """That a rank is no more; the number is a signal's, or else its exit code."""
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
