"""Two records of one position, aligned by the moves that lead to each node.

The union is the tree of the nodes that either search visited; a node's moves have the order of the first search, and
then, of those that only the second searched, that of the second. A row's node in it is that of its moves: the searches
of a move that was searched several times have one node.

A search goes on after its record is full. Its later visits are unknown; so is whether it visited the other record's
nodes below a node that was still open at the end.
"""

from enum import IntEnum
from functools import cached_property
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import ALL_SEEN, AT_HORIZON, BY_TABLE, CUTOFF, LEFT, OPEN, ROW_TYPE, TERMINAL, WHY
from engine.messages import message
from engine.trace.record import Trace
from engine.trace.replay import Event, EventKind, Replay
from engine.trace.widths import Gap, Places, Width

NONE = np.empty(0, np.int32)
WEAKEST_FIRST = (TERMINAL, AT_HORIZON), (OPEN, CUTOFF, BY_TABLE), (ALL_SEEN,)
"""The ends of a node's rows; the last of them is that of the node in the union."""


class Seen(IntEnum):
    """Whether the other search visited a node too."""

    BOTH = 0
    ONE = 1
    UNKNOWN = 2
    """The other record ends before."""


class Counts(NamedTuple):
    """Nodes, each counted once however often a search visited it."""

    both: int
    only_first: int
    only_second: int
    unknown_first: int
    """Nodes of the first record of which it is unknown whether the second search visited them."""
    unknown_second: int

    @property
    def is_known(self) -> bool:
        """Whether it is known of each node which searches visited it."""
        return not self.unknown_first and not self.unknown_second

    def of(self, side: int) -> dict[Seen, int]:
        """Those of one record: 0 is the first."""
        return dict(zip(Seen, (self.both, *self[1 + side :: 2]), strict=True))


class Aligned(Places):
    """The extents of one record's nodes in a picture of the union. Of several searches of a move the last is drawn."""

    def __init__(self, trace: Trace, nodes: NDArray[np.int32], union: Places) -> None:
        """`nodes` are those of the rows of `trace` in the union, which has the extents `union`."""
        super().__init__(trace.index, union.whole, trace.unsearched.moves)
        self._rows: list[NDArray[np.int32]] = []
        self._nodes: list[NDArray[np.int32]] = []
        self._edges: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        self._node_of = nodes
        for ply, rows in enumerate(trace.index.plies):
            order = np.argsort(nodes[rows], kind="stable")
            inside = nodes[rows][order]
            is_last = np.append(inside[1:] != inside[:-1], True)
            self._rows.append(rows[order][is_last])
            self._nodes.append(inside[is_last])
            self._edges.append(union.edges(ply, union.numbers(ply, self._nodes[-1])))

    def rows(self, ply: int) -> NDArray[np.int32]:
        return self._rows[ply]

    def find(self, ply: int, wanted: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._edges[ply][0].searchsorted(wanted, "right") - 1

    def edges(self, ply: int, numbers: NDArray[np.int64] | np.int64) -> tuple[Any, Any]:
        left, right = self._edges[ply]
        return left[numbers], right[numbers]

    def numbers(self, ply: int, rows: NDArray[np.int32] | np.int32) -> Any:
        return self._nodes[ply].searchsorted(self._node_of[rows])


class Comparison:
    """What two searches of one position visited. Built in 0.2 s for 600,000 rows."""

    def __init__(self, first: Trace, second: Trace, again: tuple[bool, bool] = (False, False)) -> None:
        """`again`: whether each search may search a node again, within its record or after it was full, as PVS does.

        Raises ValueError, with a sentence, if the records are not of one position, or if one is empty.
        """
        if first.root != second.root:
            raise ValueError(message("The two searches are of different positions: choose two of the same position."))
        if not len(first) or not len(second):
            raise ValueError(message("One of the two searches has no recorded node."))
        self.traces = first, second
        self._again = again
        self.nodes, self.union = _united(first, second)
        """The node of each row of the first and of the second record, int32[rows]; and the union, a row a node."""

    @cached_property
    def matches(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """For each row of the first record the row of the second with the same moves, the last if it has several, or
        -1; and for each row of the second that of the first."""
        rows = [np.full(len(self.union), -1, np.int32) for _ in self.nodes]
        for found, nodes in zip(rows, self.nodes, strict=True):
            found[nodes] = np.arange(len(nodes), dtype=np.int32)
        return rows[1][self.nodes[0]], rows[0][self.nodes[1]]

    @cached_property
    def seen(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Whether the other search visited the node of each row too, a `Seen`, uint8[rows]; of both records."""
        first, second = (self._seen(side) for side in (0, 1))
        return first, second

    def _seen(self, side: int) -> NDArray[np.uint8]:
        matches, trace, other = self.matches[side], self.traces[side], self.traces[1 - side]
        seen = np.where(matches < 0, Seen.ONE, Seen.BOTH).astype(np.uint8)
        if other.truncated:
            nearest = matches.copy()
            for rows in trace.index.plies[1:]:
                above = nearest[trace.index.parent[rows]]
                nearest[rows] = np.where(matches[rows] < 0, above, matches[rows])
            seen[(matches < 0) & self._may_go_on(1 - side)[nearest]] = Seen.UNKNOWN
        return seen

    def _may_go_on(self, side: int) -> NDArray[np.bool_]:
        """Whether a search may have visited more of each row's moves after its record was full; [rows]."""
        trace = self.traces[side]
        rows = np.arange(len(trace), dtype=np.int32)
        may = trace.gaps(rows) == Gap.UNRECORDED
        if self._again[side]:  # the move that the record ends in, with all that is below it, in all its searches
            last = trace.moves(len(trace) - 1)[:1]
            searches = (row for row in trace.children(0) if trace.moves(row) == last)
            may[1:] |= rows[1:] >= min(searches, default=len(trace))
        return may

    @cached_property
    def counts(self) -> Counts:
        """The nodes of the union by the searches that visited them."""
        found = np.zeros((2, len(Seen)), np.int64)
        for counted, nodes, seen in zip(found, self.nodes, self.seen, strict=True):
            of_node = np.full(len(self.union), len(Seen), np.uint8)
            of_node[nodes] = seen
            counted += np.bincount(of_node, minlength=len(Seen) + 1)[: len(Seen)]
        return Counts(int(found[0, 0]), *(int(count) for count in found[:, 1:].T.ravel()))

    def places(self, width: Width) -> tuple[Places, Places]:
        """The extents of both records' nodes in one picture: equal nodes stand below each other."""
        union = self.union.places(width)
        first, second = (Aligned(trace, nodes, union) for trace, nodes in zip(self.traces, self.nodes, strict=True))
        return first, second

    def counterpart(self, row: int, side: int = 0) -> int:
        """The row of the other record with the moves of a row, or of the nearest row above it that the other has.

        `side` is 0 for a row of the first record, 1 for one of the second.
        """
        while self.matches[side][row] < 0:
            row = self.traces[side].parent(row)
        return int(self.matches[side][row])

    def moment(self, event: Event, replay: Replay) -> int:
        """The moment of the second record, in its `replay`, that belongs to an event of the first.

        The node that is entered or left there is entered or left here. Where the second search did not visit it, all
        moves of the nearest node above it are known here.
        """
        row = self.counterpart(event.row)
        if self.matches[0][event.row] < 0:
            moment = replay.left(row) - 1
        else:
            moment = replay.entered(row) if event.kind is EventKind.ENTERED else replay.left(row)
        return min(replay.last, moment)


def _united(first: Trace, second: Trace) -> tuple[tuple[NDArray[np.int32], NDArray[np.int32]], Trace]:
    """The node of each row of both records in their union, and the union as a record, whose values are 0."""
    traces = first, second
    numbers, parents, moves = _by_plies(traces)
    places = _in_preorder(parents)
    union = np.zeros(sum(map(len, places)), ROW_TYPE)
    deepest = max(trace.depth or 0 for trace in traces)
    for ply, (of_ply, names) in enumerate(zip(places, moves, strict=True)):
        union["place"][of_ply] = names + LEFT * (deepest - ply)
    nodes = np.zeros(len(first), np.int32), np.zeros(len(second), np.int32)
    for trace, found, of_plies in zip(traces, nodes, numbers, strict=True):
        for rows, of_ply, where in zip(trace.index.plies, of_plies, places, strict=False):
            found[rows] = where[of_ply]
    why = np.zeros(len(union), np.uint16)
    for kinds in WEAKEST_FIRST:
        for trace, found in zip(traces, nodes, strict=True):
            is_such = np.isin(trace.whys, kinds)
            why[found[is_such]] = trace.whys[is_such]
    union["place"] += WHY * why
    unrecorded = sum(trace.visited - len(trace) for trace in traces)
    return nodes, Trace(first.root, union.view(np.int64), len(union) + unrecorded)


def _by_plies(
    traces: tuple[Trace, Trace],
) -> tuple[tuple[list[NDArray[np.int64]], ...], list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """Of both records the numbers, within its ply, of each row's node, a ply each; and the parent's number and the move
    of each node, a ply each. The nodes of a ply are in the order of their parents."""
    numbers: tuple[list[NDArray[np.int64]], ...] = [], []
    parents: list[NDArray[np.int64]] = []
    moves: list[NDArray[np.int64]] = []
    for ply, pair in enumerate(zip_longest(*(trace.index.plies for trace in traces), fillvalue=NONE)):
        keys = [
            _keys(trace, rows, trace.index.plies[ply - 1], of_plies[-1]) if ply and len(rows) else np.zeros(len(rows))
            for trace, rows, of_plies in zip(traces, pair, numbers, strict=True)
        ]
        unique, begins, node = np.unique(np.concatenate(keys).astype(np.int64), return_index=True, return_inverse=True)
        order = np.lexsort((begins, unique // WHY))
        number = np.empty(len(order), np.int64)
        number[order] = np.arange(len(order))
        for of_plies, of_ply in zip(numbers, np.split(number[node], [len(keys[0])]), strict=True):
            of_plies.append(of_ply)
        parents.append(unique[order] // WHY)
        moves.append(unique[order] % WHY)
    return numbers, parents, moves


def _keys(
    trace: Trace, rows: NDArray[np.int32], above: NDArray[np.int32], numbers: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The parent's number and the move of each row of a ply, as one integer; `numbers` are those of `above`."""
    parent = numbers[above.searchsorted(trace.index.parent[rows])]
    return parent * WHY + trace.rows["place"][rows] % WHY


def _in_preorder(parents: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """The place in preorder of each node, a ply each."""
    sizes = [np.ones(len(of_ply), np.int64) for of_ply in parents]
    for ply in range(len(parents) - 1, 0, -1):
        sizes[ply - 1] += np.bincount(parents[ply], sizes[ply], len(sizes[ply - 1])).astype(np.int64)
    places = [np.zeros(1, np.int64)]
    for size, parent in zip(sizes[1:], parents[1:], strict=True):
        before = np.cumsum(size) - size
        begins = np.flatnonzero(np.diff(parent, prepend=-1))
        before -= np.repeat(before[begins], np.diff(begins, append=len(parent)))
        places.append(places[-1][parent] + 1 + before)
    return places
