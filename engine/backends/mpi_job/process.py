"""The launched job as a process: lines out, lines in, and an end whatever happens."""

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

log = logging.getLogger(__name__)

KEPT_WORDS = 60
MAX_LINE = 64 << 20
"""Bytes; the longest line of a job, its result, takes some."""
MAX_RECORDS = 100_000
"""So many records wait to be taken; who says more has to wait."""
TURN_SECONDS = 0.01
END_SECONDS = 1.0
"""How long a job may take to end by itself, and again after it was asked to."""


class RanksProcess:
    """Call `close` at the end: no process, rank or thread is left then."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        """Raises OSError if the launcher cannot be started."""
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl+C in a terminal is ours to answer
        )
        self._records: queue.Queue[protocol.Line | None] = queue.Queue(MAX_RECORDS)
        self.is_endless = False
        """Whether a line did not end within MAX_LINE; no more is read then."""
        self._writing = threading.Lock()
        self._words: deque[str] = deque(maxlen=KEPT_WORDS)
        self._hello: protocol.Hello | None = None
        self._open = [pipe for pipe in (self._process.stdout, self._process.stderr) if pipe is not None]
        self._readers = [
            threading.Thread(target=self._read, args=(pipe,), name="mpi reader", daemon=True) for pipe in self._open
        ]
        for reader in self._readers:
            reader.start()

    @property
    def words(self) -> str:
        """The last that was said besides records: banners and tracebacks."""
        return "\n".join(self._words)

    def say(self, line: str) -> None:
        """Give the ranks a line; one that comes too late is dropped."""
        with self._writing:
            try:
                if self._process.stdin is not None:
                    self._process.stdin.write(line.encode() + b"\n")
                    self._process.stdin.flush()
            except (OSError, ValueError):
                log.debug("The ranks are gone: %r was not said.", line)

    def next(self, seconds: float) -> protocol.Line | None:
        """The next record. Raises queue.Empty after so many seconds; None: there will be no more."""
        return self._records.get(timeout=seconds)

    def wait(self, seconds: float) -> int | None:
        """The exit code; None if the job runs on after so many seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """End the job: by the end of its input, then by force."""
        with self._writing, suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        if self.wait(END_SECONDS) is None:
            self.kill()
        # A process that the launcher left behind elsewhere may hold a pipe open; a reader may wait for room.
        end = time.monotonic() + END_SECONDS
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < end:
            with suppress(queue.Empty):
                self._records.get(timeout=TURN_SECONDS)

    def kill(self) -> None:
        """End the job by force: the launcher, which takes its ranks along, then what is left of them here."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            if self.wait(0) is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, how)
                self.wait(END_SECONDS)
        if self._hello is not None:
            for host, pid in zip(self._hello.hosts, self._hello.pids, strict=False):
                if host == platform.node() and _is_rank(pid):
                    os.kill(pid, signal.SIGKILL)

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(MAX_LINE):
                if len(line) == MAX_LINE:
                    self.is_endless = True
                    self._records.put(None)
                    break
                self._hear(line)
        self._open.remove(pipe)
        if not self._open:
            self._records.put(None)

    def _hear(self, line: bytes) -> None:
        record = protocol.decode(line)
        if isinstance(record, protocol.Hello):
            self._hello = record
        if record is not None:
            self._records.put(record)
        elif text := line.decode(errors="replace").strip():
            self._words.append(text)
            log.info("MPI: %s", text)


def _is_rank(pid: int) -> bool:
    """Whether there still is such a process, and it is one of ours."""
    try:
        return b"mpi_worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
