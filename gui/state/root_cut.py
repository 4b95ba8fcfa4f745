"""What is shown of a cut of the root. Only a search that guesses windows cuts it, such as MTD(f) in an iteration that
fails high: the move that was searched last is then the best one.

While results are hidden, such a root looks like one that is not cut, with moves that are not visited. Nor is it shown
then which tasks raised a bound: the last move that raised that of the root is the best one.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.trace.ascending import count_below
from engine.trace.widths import Gap

if TYPE_CHECKING:
    from engine.trace.bound_updates import BoundUpdate
    from engine.trace.record import Trace
    from engine.trace.replay import Replay


def hides_cut(row: int, hidden: bool) -> bool:
    """Whether a cut of a row, or at a ply, is not to be shown."""
    return hidden and row == 0


def cutoffs_shown(replay: "Replay", hidden: bool) -> NDArray[np.int32]:
    """The moments of the cutoffs that are shown, ascending; the root is cut one moment before it is left."""
    cutoffs = replay.cutoffs
    return cutoffs[: count_below(cutoffs, replay.left(0) - 1)] if hidden else cutoffs


def gap_shown(trace: "Trace", row: int, hidden: bool) -> Gap:
    """The Gap of a row's unsearched moves, as it is shown."""
    return Gap(int(gaps_shown(trace, np.array([row], np.int32), hidden)[0]))


def gaps_shown(trace: "Trace", owners: NDArray[np.int32], hidden: bool) -> NDArray[np.uint8]:
    """The same of several rows, shaped as they are; NONE for a row of -1."""
    gaps = trace.gaps(owners)
    if hidden:
        gaps[(owners == 0) & (gaps == Gap.PRUNED)] = Gap.UNVISITED
    return gaps


def bounds_shown(updates: Iterable["BoundUpdate"], hidden: bool) -> "list[BoundUpdate]":
    """The updates of bounds that are shown: while results are hidden, the cuts of nodes other than the root."""
    return [update for update in updates if not hidden or (update.is_cutoff and len(update.task.moves) > 1)]
