"""The sums over a record, computed once: the moments of its cutoffs, and its leaves up to each row.

4 bytes a cutoff, and a fifth of a byte a row for each reason that is counted. `engine.trace.replay` says what a moment
is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import CUTOFF
from engine.rules.bits import WORD
from engine.trace.index import Index


class _Ended(NamedTuple):
    """The rows that have ended for a reason."""

    words: NDArray[np.uint64]
    """A bit a row, the lowest of a word first."""
    before: NDArray[np.int32]
    """Their number before each word."""


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
        self._ended: dict[int, _Ended] = {}

    def count(self, reason: int, rows: int) -> int:
        """How many of the first `rows` rows have ended for this reason."""
        return int(self.counts(reason, np.array([rows]))[0])

    def counts(self, reason: int, rows: NDArray[np.integer]) -> NDArray[np.int32]:
        """The same of each number of rows; shaped as `rows`."""
        if reason not in self._ended:
            self._ended[reason] = _ended(self._reasons == reason)
        ended, (word, bits) = self._ended[reason], np.divmod(rows, WORD)
        below = (np.uint64(1) << bits.astype(np.uint64)) - np.uint64(1)
        return ended.before[word] + np.bitwise_count(ended.words[word] & below)


def _ended(have_ended: NDArray[np.bool_]) -> _Ended:
    """`have_ended`: whether each row has ended for the reason."""
    words = np.zeros(len(have_ended) // WORD + 1, "<u8")
    packed = np.packbits(have_ended, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    counts = np.bitwise_count(words)
    return _Ended(words, np.cumsum(counts, dtype=np.int32) - counts)
