"""The serial backend: one worker and one task, as in a textbook."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.backends.compiled import work
from engine.backends.local import drive
from engine.backends.state import SearchState
from engine.control import Control
from engine.kernels.worker_memory import memory_of
from engine.prepare import Prepared
from engine.result import Result, Snapshot


def run(prepared: Prepared, control: Control) -> Iterator[Snapshot | Result]:
    """Search on this thread, with compiled kernels. Yields Snapshots, then the Result."""
    return drive(prepared, control, run_slice, plies=0, workers=1)


def run_slice(prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
    """Run the only worker for about `budgets[0]` nodes."""
    rows: Any = None if state.tapes is None else state.tapes[0]
    work(
        prepared.search,
        state.kind,
        prepared.algorithm.prunes,
        state.tree,
        memory_of(state.crew, 0),
        rows,
        state.aids,
        int(budgets[0]),
        0,
    )
