"""One clock for all ranks of a job.

The ranks of one host read the same monotonic clock. That of another host is compared with rank 0's by round trips: rank
0 reads its clock between the question and the answer, most likely half way.

Source: F. Cristian, Probabilistic Clock Synchronization, Distributed Computing 3 (1989).
"""

import time

from mpi4py import MPI

ROUND_TRIPS = 20
"""The shortest of them counts."""
CLOCK = 4
"""MPI tag of questions and answers."""


class CommonClock:
    """The clock of rank 0, as one rank reads it."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        """Collective, as `begin`: all ranks must call it."""
        host = comm.Split_type(MPI.COMM_TYPE_SHARED)
        is_elsewhere = host.allreduce(comm.rank, MPI.MIN) > 0
        host.Free()
        self._comm, self._start = comm, 0
        self._ahead, self.error = compared(comm, is_elsewhere)

    def begin(self) -> int:
        """Set 0 at the moment when the last rank has come. Returns this rank's monotonic time of it, in ns."""
        come = self._comm.allreduce(time.monotonic_ns() - self._ahead, MPI.MAX)
        self._start = min(come + self._ahead, time.monotonic_ns())
        return self._start

    def at(self, monotonic: int) -> int:
        """The common time, in ns since `begin`, of a monotonic time of this rank."""
        return monotonic - self._start


def compared(comm: MPI.Intracomm, asks: bool) -> tuple[int, int]:
    """How far this rank's monotonic clock is ahead of rank 0's and the largest possible error of that, in ns; (0, 0)
    for a rank that does not ask. Collective."""
    asking = comm.gather(asks)
    if asking is not None:
        for rank in (rank for rank, is_asking in enumerate(asking) if is_asking):
            for _ in range(ROUND_TRIPS):
                comm.recv(source=rank, tag=CLOCK)
                comm.send(time.monotonic_ns(), rank, CLOCK)
        return 0, 0
    if not asks:
        return 0, 0
    trips = []
    for _ in range(ROUND_TRIPS):
        asked = time.monotonic_ns()
        comm.send(None, 0, CLOCK)
        read = comm.recv(source=0, tag=CLOCK)
        had = time.monotonic_ns()
        trips.append((had - asked, (asked + had) // 2 - read))
    length, ahead = min(trips)
    return ahead, length // 2 + 1
