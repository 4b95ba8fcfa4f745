"""The sums over a record, computed once: the moments of its cutoffs, and its leaves up to each row.

4 bytes a cutoff. `engine.trace.replay` says what a moment is.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import CUTOFF
from engine.trace.index import Index

BLOCK = 4096
"""The rows whose leaves are counted together: the rest of a count looks at fewer rows than that."""


class Totals:
    """The derived sums of a record in preorder."""

    def __init__(self, reasons: NDArray[np.uint8], index: Index, full: bool) -> None:
        """`reasons` are the ends of the rows: OPEN, TERMINAL ... of `engine.kernels.worker_memory`.

        `full`: the record ends before the search. No cutoff is known then of a node whose subtree reaches its end.
        """
        self._reasons = reasons
        cut = np.flatnonzero(reasons == CUTOFF)
        if full:
            cut = cut[index.end[cut] < len(reasons)]
        moments = 2 * index.end[cut].astype(np.int64) - (int(index.left[0]) - index.left[cut] if len(cut) else 0) - 2
        self.cutoffs = np.sort(moments).astype(np.int32)
        """The moments of the cutoffs, ascending: the value has just come up that reaches beta."""
        self._blocks: dict[int, NDArray[np.int64]] = {}

    def count(self, reason: int, rows: int) -> int:
        """How many of the first `rows` rows have ended for this reason."""
        if reason not in self._blocks:
            starts = np.arange(0, len(self._reasons), BLOCK)
            sums = np.add.reduceat(self._reasons == reason, starts, dtype=np.int64)
            self._blocks[reason] = np.concatenate([[0], np.cumsum(sums)])
        whole = rows // BLOCK
        return int(self._blocks[reason][whole]) + int(np.count_nonzero(self._reasons[whole * BLOCK : rows] == reason))
