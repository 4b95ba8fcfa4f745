"""A window of rank 0's memory that all ranks read and write by MPI's one-sided communication, without its help.

    next      for each stage, the next task on demand
    reserved  nodes of the node limit that ranks have reserved, and HOLDER for each rank that may return some
    over      1 once a rank has left before the search was complete
    clock     the latest time of any rank on the search's own clock, in ns; used in a throttled search
    entries   the result of each task: 0 none yet, else value * 4 + DONE, or ply * 4 + SKIPPED
    visited   1 for each node of the split that a rank has visited; used with a node limit

Why not messages: taking a task from the window takes some 30 us even while rank 0 searches; a message and its answer
take half a slice, 5 ms. The effect of sharing bounds: alpha-beta of the empty 4 x 4 to depth 14, split 2, visits 562
million nodes on two ranks that share nothing and 272 million on two that read the window, whether with each task or
between slices as here; on one rank 146 million (medians of `python -m tests.bench.bench_mpi`).
"""

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

DONE, SKIPPED = 2, 1

HOLDER = 1 << 48
"""One rank in the word of the reserved nodes, above the bits of their number."""

WORD_BYTES = 8


class SharedWindow:
    """The shared window. Operations are atomic for each number."""

    def __init__(self, comm: MPI.Intracomm, stages: int, tasks: int, nodes: int) -> None:
        """`nodes`: those of the split. Collective, as `close`: all ranks must call it."""
        self._reserved, self._over, self._clock, self._entries = range(stages, stages + 4)
        self._visited = self._entries + tasks
        self.operations = 0
        """The number of operations of this rank."""
        size = self._visited + nodes
        self._window = MPI.Win.Allocate(size * WORD_BYTES if comm.rank == 0 else 0, WORD_BYTES, comm=comm)
        self._one, self._old = np.zeros(1, np.int64), np.zeros(1, np.int64)
        if comm.rank == 0:
            np.asarray(self._window.tomemory())[:] = 0
        comm.Barrier()
        self._window.Lock_all()

    def close(self) -> None:
        self._window.Unlock_all()
        self._window.Free()

    def take(self, stage: int, tasks: int) -> int:
        """Take the next `tasks` tasks of a stage. Returns the number of the first, which may exceed the last task's."""
        return self._add(stage, tasks)

    def reserve(self, nodes: int, holders: int = 0) -> tuple[int, int]:
        """Reserve nodes, or return them if negative, and add to the number of holders. Returns what all ranks had
        reserved before, and how many held some of it."""
        holders, nodes = divmod(self._add(self._reserved, nodes + holders * HOLDER), HOLDER)
        return nodes, holders

    def visit(self, visited: NDArray[np.int64]) -> int:
        """Mark the nodes of the split for which `visited` is 1. Returns how many of them no rank had marked."""
        found = np.empty_like(visited)
        self._window.Get_accumulate(visited, found, 0, self._visited, MPI.MAX)
        self._flush()
        return int((visited > found).sum())

    def leave(self) -> None:
        """Set `over`: the search will not be complete."""
        self._add(self._over, 1)

    @property
    def over(self) -> bool:
        """Whether a rank has left before the search was complete."""
        return self._add(self._over, 0) > 0

    def clock(self, nanoseconds: int) -> int:
        """Publish this rank's time. Returns the latest time of any rank."""
        return max(nanoseconds, self._fetch(self._clock, nanoseconds, MPI.MAX))

    def put(self, task: int, entry: int) -> None:
        """Publish the result of a task."""
        self._one[0] = entry
        self._window.Accumulate(self._one, 0, self._entries + task, MPI.REPLACE)
        self._flush()

    def entries(self, first: int, last: int) -> NDArray[np.int64]:
        """int64[last - first]: the results of the tasks [first, last)."""
        found = np.empty(last - first, np.int64)
        self._window.Get_accumulate(found, found, 0, self._entries + first, MPI.NO_OP)
        self._flush()
        return found

    def _add(self, place: int, number: int) -> int:
        return self._fetch(place, number, MPI.SUM)

    def _fetch(self, place: int, number: int, operation: MPI.Op) -> int:
        """Combine a number with the one at `place` by an MPI operation. Returns the number that was there."""
        self._one[0] = number
        self._window.Fetch_and_op(self._one, self._old, 0, place, operation)
        self._flush()
        return int(self._old[0])

    def _flush(self) -> None:
        self._window.Flush(0)
        self.operations += 1
