"""The exact value of every position, for the orders that use it: from a separate search that is not counted."""

import numpy as np
from numpy.typing import NDArray

from engine.backends.allocate import make_aids, sizes
from engine.backends.slicing import RunSlice, Slices, turns
from engine.backends.state import SearchState
from engine.control import Control
from engine.job import Job
from engine.kernels.task_tree import deal, split
from engine.kernels.worker_memory import crew_memory
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
    crew = crew_memory(1, sizes(everything, everything.search))
    tree = split(prepared.position, 0, 1)
    report = SearchState(prepared.position, tree, crew, None, aids)
    deal(tree, 0, 1, job.schedule, 1)
    for _ in Slices(Limit(), _Unheld(control), run_slice).run(everything, report, turns(everything, report)):
        pass
    return None if aids is None else aids.table


class _Unheld(Control):
    """Stops when another control stops. It is never paused or throttled."""

    def __init__(self, other: Control) -> None:
        super().__init__()
        self._other = other

    @property
    def stopped(self) -> bool:
        return self._other.stopped
