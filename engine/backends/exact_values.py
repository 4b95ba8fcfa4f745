"""The exact value of every position, for the orders that use it: from a separate search that is not counted."""

import numpy as np
from numpy.typing import NDArray

from engine.backends.allocate import make_aids, unrecorded
from engine.backends.dealing import dealing
from engine.backends.slicing import RunSlice, Slices
from engine.backends.state import new_state
from engine.control import Control
from engine.job import Job
from engine.options.catalogue import Limit
from engine.prepare import Prepared
from engine.registry import algorithm

MEBIBYTES = 128.0
"""Size of the table of exact values: four entries for each position that `engine.prepare` allows, so that few are
lost."""


def true_values(prepared: Prepared, control: Control, run_slice: RunSlice) -> NDArray[np.int64] | None:
    """A transposition table with the values of a minimax search to the depth of the job; None if the move order does
    not need it. When `control` is stopped, the search ends early and the table is incomplete."""
    if not prepared.needs_true_values:
        return None
    minimax = algorithm("minimax")
    asked = prepared.job
    job = Job(game=asked.game, position=asked.position, backend=asked.backend, table=MEBIBYTES, fold=asked.fold)
    everything = prepared._replace(job=job, algorithm=minimax, search=minimax.options(*prepared.search))
    aids = make_aids(everything)
    state = new_state(everything, 0, unrecorded(everything), aids)
    for _ in Slices(Limit(), _StopOnly(control), run_slice).run(everything, state, dealing(everything, state)):
        pass
    return None if aids is None else aids.table


class _StopOnly(Control):
    """Stops when another control stops. It is never paused or throttled."""

    def __init__(self, other: Control) -> None:
        super().__init__()
        self._other = other

    @property
    def stopped(self) -> bool:
        return self._other.stopped
