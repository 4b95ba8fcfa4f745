"""The messages between ranks: records go to rank 0, which writes them to the launcher; commands come from rank 0.

No rank waits for a message: between two slices, `exchange` receives those that have arrived.
"""

import queue
import time
from collections.abc import Iterator, Sequence

from mpi4py import MPI

from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.transfer_log import TransferLog

LINES, COMMAND, OUT = 1, 2, 3
"""MPI tags: lines for rank 0, a command from rank 0, and the notice that a rank has left the search."""

END = "end"
"""Rank 0's command when all ranks have left the search. Only collective operations follow."""


class Messages:
    """The messages of one rank."""

    def __init__(self, comm: MPI.Intracomm, commands: "queue.SimpleQueue[str]", log: TransferLog) -> None:
        """`commands` holds the launcher's lines to rank 0; `log` takes the times of messages of lines."""
        self._comm, self._commands, self._log = comm, commands, log
        self._lines: list[bytes] = []
        self._under_way: list[MPI.Request] = []
        self._out, self._ended = 0, False
        self.sent = self.received = 0

    def add(self, record: protocol.Line) -> None:
        """Add a record to the next message."""
        self._lines.append(protocol.encode(record))

    def first_commands(self) -> list[str]:
        """The commands received before the search begins. Collective: all ranks must call it."""
        return self._comm.bcast(self.arrived())

    def exchange(self) -> Iterator[str]:
        """Send pending records and receive messages. Yields the commands received, for the caller to obey."""
        self.flush()
        if self._comm.rank == 0:
            while self._comm.Iprobe(tag=LINES):
                protocol.write(self._receive(MPI.ANY_SOURCE, LINES))
            for command in self.arrived():
                yield self._pass_on(command)
        else:
            while self._comm.Iprobe(0, COMMAND):
                command = self._receive(0, COMMAND).decode()
                if command == END:
                    self._ended = True
                else:
                    yield command

    def arrived(self) -> list[str]:
        """Take the launcher's commands that have arrived, without passing them on; only rank 0 has any."""
        found = []
        while not self._commands.empty():
            found.append(self._commands.get())
        return found

    def leave(self) -> None:
        """Notify rank 0 that this rank has left the search. `exchange` must be called until `all_left`."""
        if self._comm.rank:
            self.flush()
            self._send(b"", 0, OUT)

    def all_left(self) -> bool:
        """Whether all ranks have left the search. Only collective operations follow."""
        if self._comm.rank == 0:
            while self._comm.Iprobe(tag=OUT):
                self._receive(MPI.ANY_SOURCE, OUT)
                self._out += 1
            if self._out == self._comm.size - 1:
                self._pass_on(END)
                self._ended = True
        return self._ended

    def receive_all(self, sent: Sequence[int]) -> None:
        """Receive the first `sent[rank]` messages of lines of each rank. Only for rank 0."""
        for rank, count in enumerate(sent[1:], 1):
            while len(self._log.received[rank]) < count:
                protocol.write(self._receive(rank, LINES))

    def close(self) -> None:
        """Send the last lines to rank 0. Collective: all ranks must call it."""
        self.flush()
        if self._comm.rank:
            self._send(b"", 0, LINES)
        else:
            talking = self._comm.size - 1
            while talking:
                lines = self._receive(MPI.ANY_SOURCE, LINES)
                protocol.write(lines)
                talking -= not lines
        MPI.Request.Waitall(self._under_way)

    def _pass_on(self, command: str) -> str:
        for rank in range(1, self._comm.size):
            self._send(command.encode(), rank, COMMAND)
        return command

    def flush(self) -> None:
        """Send the pending records."""
        if self._lines:
            lines = b"".join(self._lines)
            self._lines.clear()
            if self._comm.rank == 0:
                protocol.write(lines)
            else:
                self._send(lines, 0, LINES)

    def _send(self, message: bytes, rank: int, tag: int) -> None:
        self._under_way = [request for request in self._under_way if not request.Test()]
        if tag == LINES:
            self._log.sent.append(time.monotonic_ns())
        self._under_way.append(self._comm.Isend([message, MPI.BYTE], rank, tag))
        self.sent += 1

    def _receive(self, source: int, tag: int) -> bytes:
        status = MPI.Status()
        self._comm.Probe(source, tag, status)
        message = bytearray(status.Get_count(MPI.BYTE))
        self._comm.Recv([message, MPI.BYTE], status.Get_source(), tag)
        self.received += 1
        if tag == LINES:
            self._log.received[status.Get_source()].append(time.monotonic_ns())
        return bytes(message)
