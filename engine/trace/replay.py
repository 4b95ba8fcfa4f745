"""The replay of a record: any moment of the search, by arithmetic.

A moment is an event: a node is entered, or it is left and its value comes up. Moment 0 enters the root. In preorder,
row i on ply d is entered at moment 2 i - d: i rows were entered before it, and all but the d above it were left. It is
left at moment 2 end(i) - d - 1, after every row of its subtree was entered and left.

A stopped search, or a full record, leaves rows of the last path without an end: they have no such moment. A record of
several workers is in the order of a serial search, and so are its moments.
"""

from bisect import bisect_right
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import AT_HORIZON, BY_TABLE, CUTOFF, OPEN, TERMINAL
from engine.result import PathNode, Value
from engine.trace.ascending import count_below, count_up_to
from engine.trace.leaves import LEAVES
from engine.trace.record import Trace

MOST = 1 << 16
"""The nodes of a ply that `Replay.cut_plies` looks at one by one."""


class EventKind(StrEnum):
    """What happens at a moment."""

    ENTERED = "entered"
    LEFT = "left"


class Event(NamedTuple):
    """One moment of a search."""

    moment: int
    row: int
    kind: EventKind
    value: Value | None = None
    """The value that comes up, for the side to move in the row; None if it is entered, or left without a value."""
    cut: bool = False
    """Whether `value` reaches the parent's beta, so that the parent's remaining moves are pruned."""


class Replay:
    """The moments of one record that is not empty, from 0 to `last`."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        unended = 0
        for row in trace.path(len(trace) - 1):
            why = trace.why(row)
            if why in LEAVES or (why != OPEN and not trace.truncated):
                break
            unended += 1
        self.last = 2 * len(trace) - 1 - unended
        """The last moment of the record."""

    def entered(self, row: int) -> int:
        """The moment at which a row is entered."""
        return self.trace.index.entered(row)

    def left(self, row: int) -> int:
        """The moment at which a row is left; greater than `last` if it never is."""
        return self.trace.index.left_at(row)

    def newest(self, moment: int) -> int:
        """The row that was entered last, up to a moment. Rows are entered in their order."""
        first = moment // 2
        rows = range(first, min(first + len(self.trace.index.plies) + 1, len(self.trace)))
        return first + bisect_right(rows, moment, key=self.entered) - 1

    def event(self, moment: int) -> Event:
        """The event of a moment. Raises IndexError if there is no such moment."""
        if not 0 <= moment <= self.last:
            raise IndexError(f"The replay has no moment {moment}.")
        trace, row = self.trace, self.newest(moment)
        since = moment - self.entered(row)
        if not since:
            return Event(moment, row, EventKind.ENTERED)
        for _ in range(since - 1):  # the row itself is left first, then those above it
            row = trace.parent(row)
        return Event(moment, row, EventKind.LEFT, trace.found(row), self._is_at(self.cutoffs, moment))

    def row(self, moment: int) -> int:
        """The end of the path at a moment: the row entered, or the parent of the row left."""
        event = self.event(moment)
        return event.row if event.kind is EventKind.ENTERED else self.trace.parent(event.row)

    def path_nodes(self, moment: int) -> tuple[PathNode, ...]:
        """The path nodes from the root to `row(moment)`, with their states, values and windows at that moment."""
        return self.trace.path_nodes(self.row(moment), moment)

    def counters(self, moment: int) -> dict[str, int]:
        """The counters at a moment, by their names in `engine.result.Counters`; those that the record cannot tell are
        missing."""
        totals, rows = self.trace.totals, self.newest(moment) + 1
        first = [int(of_ply[0]) for of_ply in self.trace.index.plies]
        return {
            "nodes": rows,
            "terminals": totals.count(TERMINAL, rows),
            "horizon": totals.count(AT_HORIZON, rows),
            "cutoffs": count_up_to(totals.cutoffs, moment),
            "depth": sum(row < rows for row in first) - 1,
            "table_cutoffs": totals.count(BY_TABLE, rows),
        }

    @property
    def cutoffs(self) -> NDArray[np.int32]:
        """The moments of the cutoffs, ascending."""
        return self.trace.totals.cutoffs

    def cut_plies(self, width: int, last: int) -> NDArray[np.int8]:
        """The least ply of a node that is cut in each of `width` equal parts of the moments 0 to `last`, or -1.

        int8[width]. From the first ply with more than MOST nodes on, all plies count as that one: the cost does not
        depend on the number of nodes."""
        index, whys = self.trace.index, self.trace.whys
        edges = np.ceil(np.arange(width + 1) * (last + 1) / width).astype(np.int32)
        found = np.full(width, -1, np.int8)
        few = list(takewhile(lambda of_ply: len(of_ply) <= MOST, index.plies))
        cut = np.diff(self.cutoffs.searchsorted(edges)) > 0
        found[cut] = len(few)
        for ply, of_ply in reversed(list(enumerate(few))):
            ends = index.end[of_ply[whys[of_ply] == CUTOFF]].astype(np.int64)
            moments = 2 * ends - ply - 2
            columns = (moments[moments <= last] * width // (last + 1)).astype(np.int64)
            found[columns[cut[columns]]] = ply
        return found

    @cached_property
    def root_changes(self) -> NDArray[np.int32]:
        """The moments at which the root's best value becomes another, ascending; few, for the root has few children,
        and none at a chance node. Values up to alpha are upper bounds, which give the root its value when all moves
        have one."""
        trace, moments = self.trace, list[int]()
        if trace.at_chance(0):
            return np.array([], np.int32)
        best = trace.raw(0).alpha
        for child in trace.children(0):
            value = None if trace.why(child) == OPEN else trace.above(child, trace.raw(child).value)
            if value is not None and trace.next_search(child) is None and value > best:
                best = value
                moments.append(self.left(child))
        if not (moments or trace.truncated or trace.why(0) in (OPEN, *LEAVES)):
            moments.append(self.left(0) - 1)  # the last move comes back
        return np.array([moment for moment in moments if moment <= self.last], np.int32)

    def over(self, moment: int) -> int:
        """The moment that leaves the node entered now or, else, next; without one, the next moment."""
        for then in (moment, min(self.last, moment + 1)):
            event = self.event(then)
            if event.kind is EventKind.ENTERED:
                return min(self.last, self.left(event.row))
        return then

    def back_over(self, moment: int) -> int:
        """The moment at which the node was entered that is left now, or else before; where none is, the moment
        before."""
        for then in (moment, max(0, moment - 1)):
            event = self.event(then)
            if event.kind is EventKind.LEFT:
                return self.entered(event.row)
        return then

    @staticmethod
    def _is_at(moments: NDArray[np.int32], moment: int) -> bool:
        place = count_below(moments, moment)
        return place < len(moments) and int(moments[place]) == moment
