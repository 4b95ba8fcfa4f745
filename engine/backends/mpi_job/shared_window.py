"""Memory that rank 0 lends to all ranks: they read and write it without its help (MPI's one-sided communication).

    next      for each stage, the next task on demand
    reserved  nodes that ranks have set aside of a limit of nodes
    over      1 once a rank has left before the search was complete
    clock     how far the search's own clock is, in ns, by the rank whose is farthest; used while it is held back
    entries   for each task, what came of it: 0 nothing yet, else value * 4 + DONE, or ply * 4 + SKIPPED

Why not messages: a task from the board takes some 30 us even while rank 0 searches, a message and its answer half a
slice, 5 ms. What sharing the bound is worth: alpha-beta of the empty 4 x 4 to depth 14, split 2, visits 562 million
nodes on two ranks that share nothing and 272 million on two that look at the board, whether with each task or between
slices as here; on one rank 146 million (medians of `python -m tests.bench.bench_mpi`).
"""

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

DONE, SKIPPED = 2, 1

WORD = 8


class Board:
    """All operations are atomic for each number."""

    def __init__(self, comm: MPI.Intracomm, stages: int, tasks: int) -> None:
        """Called by all ranks together, as `close`."""
        self._reserved, self._over, self._clock, self._entries = range(stages, stages + 4)
        self.operations = 0
        """How many this rank has made."""
        size = self._entries + tasks
        self._window = MPI.Win.Allocate(size * WORD if comm.rank == 0 else 0, WORD, comm=comm)
        self._one, self._old = np.zeros(1, np.int64), np.zeros(1, np.int64)
        if comm.rank == 0:
            np.asarray(self._window.tomemory())[:] = 0
        comm.Barrier()
        self._window.Lock_all()

    def close(self) -> None:
        self._window.Unlock_all()
        self._window.Free()

    def take(self, stage: int, tasks: int) -> int:
        """The first of so many tasks, which are now this rank's; it may lie beyond the last task there is."""
        return self._add(stage, tasks)

    def reserve(self, nodes: int) -> int:
        """Set so many nodes aside (or give back, if negative). Gives how many were set aside before."""
        return self._add(self._reserved, nodes)

    def leave(self) -> None:
        """Tell the others that the search will not be complete."""
        self._add(self._over, 1)

    @property
    def over(self) -> bool:
        """Whether a rank has left so."""
        return self._add(self._over, 0) > 0

    def clock(self, moment: int) -> int:
        """How far the clock of any rank is, now that this one's is so far."""
        return max(moment, self._fetch(self._clock, moment, MPI.MAX))

    def put(self, task: int, entry: int) -> None:
        """Make known what came of a task."""
        self._one[0] = entry
        self._window.Accumulate(self._one, 0, self._entries + task, MPI.REPLACE)
        self._flush()

    def entries(self, first: int, last: int) -> NDArray[np.int64]:
        """What came of the tasks [first, last)."""
        found = np.empty(last - first, np.int64)
        self._window.Get_accumulate(found, found, 0, self._entries + first, MPI.NO_OP)
        self._flush()
        return found

    def _add(self, place: int, number: int) -> int:
        return self._fetch(place, number, MPI.SUM)

    def _fetch(self, place: int, number: int, operation: MPI.Op) -> int:
        """What a place held before this number was joined to it."""
        self._one[0] = number
        self._window.Fetch_and_op(self._one, self._old, 0, place, operation)
        self._flush()
        return int(self._old[0])

    def _flush(self) -> None:
        self._window.Flush(0)
        self.operations += 1
