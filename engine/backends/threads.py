"""The thread backend: workers on the cores of this machine by numba's prange, each with its own memory.

prange divides its range into fixed chunks. It therefore runs over workers, not tasks; a worker takes its next task by
the job's schedule.
"""

import threading
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import overload
from numba.np.ufunc.parallel import threading_layer
from numpy.typing import NDArray

from engine.backends.compiled import work
from engine.backends.local import drive
from engine.backends.state import SearchState
from engine.control import Control
from engine.jit.cache import settings
from engine.jit.kernel import kernel
from engine.job import JobError
from engine.kernels.task_tree import Split
from engine.kernels.worker_memory import Memory, memory_of
from engine.messages import message
from engine.prepare import Prepared, split_of
from engine.result import Result, Snapshot
from engine.rules.contract import Position

_PRANGE = threading.Lock()
"""Held during prange: with the layer workqueue, two threads in prange at once end the process."""


_TEAM = threading.local()
"""`size`: the number of threads of this thread's last prange on several. OpenMP keeps them, also during one on a
single thread."""


def layer() -> str | None:
    """The threading layer of numba: "omp", "tbb" or "workqueue"; None before the first search on threads."""
    try:
        return threading_layer()
    except ValueError:
        return None


def run(prepared: Prepared, control: Control) -> Iterator[Snapshot | Result]:
    """Search on the job's number of threads. Yields Snapshots, then the Result."""
    return drive(prepared, control, run_slice, plies=split_of(prepared.job), workers=prepared.job.workers)


def run_slice(prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
    """Run each worker w for about `budgets[w]` nodes, all at once."""
    with _PRANGE:
        _launch(min(len(budgets), settings.NUMBA_NUM_THREADS))
        _work_all(
            prepared.search,
            state.kind,
            prepared.algorithm.prunes,
            state.tree,
            state.crew,
            state.tapes,
            state.aids,
            budgets,
        )


def _launch(threads: int) -> None:
    """Set the number of threads. Raises JobError if numba has no threading layer, or the system starts no more."""
    if threads > getattr(_TEAM, "size", 1):
        _try_threads(threads)
    if threads > 1:
        _TEAM.size = threads
    try:
        numba.set_num_threads(threads)
    except ValueError as error:
        raise JobError(
            message(
                "numba cannot start threads ({why}): unset NUMBA_THREADING_LAYER and NUMBA_THREADING_LAYER_PRIORITY.",
                why=str(error).partition("\n")[0].rstrip("."),
            )
        ) from error


def _try_threads(count: int) -> None:
    """Raise JobError if the system starts fewer threads than `count`: OpenMP would end the process."""
    ending = threading.Event()
    tried = [threading.Thread(target=ending.wait) for _ in range(count)]
    try:
        for thread in tried:
            thread.start()
    except RuntimeError as error:
        raise JobError(message("The system starts no more threads: choose fewer workers.")) from error
    finally:
        ending.set()
        for thread in tried:
            if thread.ident is not None:
                thread.join()


def _tape_of(tapes: Any, worker: int) -> Any:
    """A worker's tape; None where nothing is recorded."""
    return None if tapes is None else tapes[worker]


@overload(_tape_of, strict=False)
def _tape_by_type(tapes: Any, worker: Any) -> Any:
    """The rule of `_tape_of`, chosen by the type of `tapes`: a test for None at run time would make the result
    optional, and a kernel of its own of `work`."""
    return _no_tape if isinstance(tapes, types.NoneType) else _row


def _no_tape(tapes: Any, worker: Any) -> None:
    return None


def _row(tapes: Any, worker: Any) -> Any:
    return tapes[worker]


def _body(
    search: Any,
    root: Position,
    prunes: bool,
    tree: Split,
    crew: Memory,
    tapes: Any,
    aids: Any,
    budgets: NDArray[np.int64],
) -> None:
    for index in numba.prange(len(budgets)):
        worker: Any = np.int64(index)  # numba's index is unsigned: it would compile `work` again
        if budgets[worker] > 0:
            memory, tape = memory_of(crew, worker), _tape_of(tapes, worker)
            work(search, root, prunes, tree, memory, tape, aids, budgets[worker], worker)


_work_all = kernel(_body, parallel=True)
