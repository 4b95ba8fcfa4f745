"""The process of a launched job: lines to it, lines from it, and its end in every case."""

import errno
import logging
import os
import platform
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO

from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.first_ended import FirstEnded

log = logging.getLogger(__name__)

MAX_OUTPUT_LINES = 60
"""The last lines of output that are no records: so many are stored, for the reason of a failure."""
MAX_LINE = 64 << 20
"""Bytes. The longest line of a job, its result, must fit."""
MAX_RECORDS = 100_000
"""The capacity of the queue of records. When it is full, the reader waits."""
PIPE_BYTES = 1 << 16
"""The capacity of a pipe. Long lines read in smaller parts take half as long again."""
POLL_SECONDS = 0.01
"""The wait for one record while the queue is emptied."""
END_SECONDS = 1.0
"""Time limit for a job to end by itself, and again after it was asked to."""


class RanksProcess:
    """The launcher's process and its ranks. `close` ends every process, rank and thread."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        """Start the launcher. Raises OSError if it cannot be started."""
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=PIPE_BYTES,
            start_new_session=True,  # Ctrl+C in a terminal reaches only this process
            cwd=None if os.access(os.curdir, os.X_OK) else os.sep,  # launchers enter the working folder
        )
        self._records: queue.Queue[protocol.Line | None] = queue.Queue(MAX_RECORDS)
        self.is_endless = False
        """Whether a line was longer than MAX_LINE. Nothing is read after it."""
        self._writing = threading.Lock()
        self._output: deque[str] = deque(maxlen=MAX_OUTPUT_LINES)
        self._hello: protocol.Hello | None = None
        self._first_ended: FirstEnded | None = None
        self._open = [pipe for pipe in (self._process.stdout, self._process.stderr) if pipe is not None]
        self._readers = [
            threading.Thread(target=self._read, args=(pipe,), name="mpi reader", daemon=True) for pipe in self._open
        ]
        try:
            for reader in self._readers:
                reader.start()
        except RuntimeError as error:
            self.kill()
            raise OSError(errno.EAGAIN, str(error)) from error

    @property
    def output(self) -> str:
        """The last output that is no record: banners and tracebacks."""
        return "\n".join(self._output)

    @property
    def first_ended(self) -> int | None:
        """The rank that ended first. None if none has ended, or if that is not known."""
        return None if self._first_ended is None else self._first_ended.rank

    def send(self, line: str) -> None:
        """Send a line to rank 0. It is dropped if a rank has ended: MPICH's launcher fails at a line for a rank that
        has, and then does not say how the first one ended."""
        if self.first_ended is not None:
            log.debug("A rank has ended: %r was not sent.", line)
            return
        with self._writing:
            try:
                if self._process.stdin is not None:
                    self._process.stdin.write(line.encode() + b"\n")
                    self._process.stdin.flush()
            except (OSError, ValueError):
                log.debug("The ranks are gone: %r was not sent.", line)

    def next(self, seconds: float) -> protocol.Line | None:
        """The next record; None if the output has ended. Raises queue.Empty after `seconds`."""
        return self._records.get(timeout=seconds)

    def wait(self, seconds: float) -> int | None:
        """The exit code; None if the job still runs after `seconds`."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """End the job: first by closing its input, then by force."""
        with self._writing, suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        if self.wait(END_SECONDS) is None:
            self.kill()
        # A remaining process of the launcher may hold a pipe open; a reader may wait for room in the queue.
        end = time.monotonic() + END_SECONDS
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < end:
            with suppress(queue.Empty):
                self._records.get(timeout=POLL_SECONDS)
        if self._first_ended is not None:
            self._first_ended.close()

    def kill(self) -> None:
        """End the job by force: first the launcher, which ends its ranks, then the remaining ranks on this machine."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            if self.wait(0) is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, how)
                self.wait(END_SECONDS)
        if self._hello is not None:
            for host, pid in zip(self._hello.hosts, self._hello.pids, strict=False):
                if host == platform.node() and _is_rank(pid):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(MAX_LINE):
                if len(line) == MAX_LINE:
                    self.is_endless = True
                    self._records.put(None)
                    break
                self._receive(line)
        self._open.remove(pipe)
        if not self._open:
            self._records.put(None)

    def _receive(self, line: bytes) -> None:
        """Queue a record; store and log any other line of output."""
        record = protocol.decode(line)
        if isinstance(record, protocol.Hello):
            self._hello, self._first_ended = record, FirstEnded(record)
        if record is not None:
            self._records.put(record)
        elif line.startswith(protocol.BEGINNING):
            log.info("MPI: a record was cut off, or is not understood: %.80s", line)
        elif text := line.decode(errors="replace").strip():
            self._output.append(text)
            log.info("MPI: %s", text)


def _is_rank(pid: int) -> bool:
    """Whether this process exists and is a rank of Plyscope."""
    try:
        return b"mpi_worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
