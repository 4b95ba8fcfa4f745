"""The record of a search: one row per node, in preorder.

Derived facts are not stored; `engine.trace.index` computes where subtrees end. A node's legal moves without a row were
pruned, or not reached because the search was stopped or the record is full.
`engine.kernels.worker_memory.ROW_TYPE` describes a row.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.node import T, turned
from engine.kernels.worker_memory import ALL_SEEN, AT_HORIZON, BY_TABLE, CUTOFF, LEFT, OPEN, ROW_TYPE, TERMINAL, WHY
from engine.result import Leaf, Number, PathNode, State, Value, in_wins, known_value
from engine.rules.contract import Position, at_chance, play, traits
from engine.trace.ascending import count_below
from engine.trace.at_moment import AFTERWARDS, AtMoment
from engine.trace.index import Index
from engine.trace.leaves import LEAVES
from engine.trace.raster import Raster, raster
from engine.trace.sides import sides
from engine.trace.totals import Totals
from engine.trace.widths import Gap, Places, Timed, Unsearched, Visited, Width, repeats, shared

if TYPE_CHECKING:
    from engine.result import Task
    from engine.trace.transpositions import Transpositions
    from engine.trace.visits import Visits

BLOCK = 4096
"""The rows whose pruned moves are counted together: the rest of a count looks at fewer rows than that."""

GAPS = np.zeros(6, np.uint8)
GAPS[[OPEN, ALL_SEEN, CUTOFF, BY_TABLE]] = Gap.UNVISITED, Gap.UNRECORDED, Gap.PRUNED, Gap.KNOWN
"""The Gap of a node's unsearched moves by the reason in its row, in a whole record."""


class Raw(NamedTuple):
    """The window and the value of a row, for its side to move, in the kernel's units."""

    alpha: int
    beta: int
    value: int


class Trace:
    """The nodes that a search visited. Values and windows are for the side to move in the row's position."""

    def __init__(
        self,
        root: Position,
        words: NDArray[np.int64],
        visited: int,
        unit: int = 1,
        estimates: bool = True,
        split: int = 0,
    ) -> None:
        """`words` are the rows of the first nodes of `visited`; a win has the value `unit` in them. `estimates`: see
        `engine.result.known_value`. The moves of the nodes on the first `split` plies are tasks, or have tasks below
        them: several workers may have searched them at the same time."""
        self.root = root
        self.rows = words.view(ROW_TYPE)
        columns = (self.rows[name].data for name in ("place", "alpha", "beta", "value"))
        self._place, self._alpha, self._beta, self._value = columns
        """The columns, for single rows: see `engine.trace.index`."""
        self.visited = visited
        self.unit = unit
        self.estimates = estimates
        self.split = split
        self._chances: dict[int, bool] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def depth(self) -> int | None:
        """The depth in plies of the recorded iteration; None if the record is empty."""
        return self._place[0] // LEFT if len(self) else None

    @property
    def truncated(self) -> bool:
        """Whether the record had no room for some visited nodes."""
        return self.visited > len(self.rows)

    def move(self, row: int) -> int:
        """The move that led to a row; -1 at the root."""
        return self._place[row] % WHY if row else -1

    def why(self, row: int) -> int:
        """The reason why a row ended: TERMINAL, AT_HORIZON ... of `engine.kernels.worker_memory`."""
        return self._place[row] % LEFT // WHY

    @cached_property
    def whys(self) -> NDArray[np.uint8]:
        """`why` of every row; [rows]. Computed when first needed."""
        return (self.rows["place"] % LEFT // WHY).astype(np.uint8)

    @cached_property
    def index(self) -> Index:
        """The subtrees, parents and plies: computed when first needed, 0.1 s for a million rows."""
        return Index((self.rows["place"] // LEFT).astype(np.int8))

    @cached_property
    def totals(self) -> Totals:
        """The moments of the cutoffs, and counts of leaves: computed when first needed."""
        return Totals(self.whys, self.index, self.truncated)

    def prepare(self) -> None:
        """Compute the index, the totals and the kinds of leaves now, so that no later question waits for them."""
        _ = self.totals, self.leaves, self._sides

    @cached_property
    def _has_chance(self) -> bool:
        """Whether nodes may be chance nodes."""
        return traits(self.root).chance

    @cached_property
    def _sides(self) -> NDArray[np.uint8] | None:
        """The side to move of each row, as `engine.rules.contract.to_move`; None if the sides alternate."""
        if traits(self.root).alternates:
            return None
        return sides(self.root, self.rows["place"])

    def of_root(self, rows: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether the side to move at the root is to move at each of these rows; shaped as they are."""
        if self._sides is None:
            return (self.index.left[rows] - self.index.left[:1]) % 2 == 0
        return self._sides[rows] == self._sides[:1]

    def is_of_root(self, row: int) -> bool:
        """The same of one row."""
        return self.index.ply(row) % 2 == 0 if self._sides is None else bool(self._sides[row] == self._sides[0])

    def again(self, row: int) -> bool:
        """Whether the side to move is that of the row's parent, so that a value is the same for both rows."""
        return self._sides is not None and row > 0 and bool(self._sides[row] == self._sides[self.parent(row)])

    def at_chance(self, row: int) -> bool:
        """Whether a row is a chance node, so that its value is the mean of its moves' values, not the best."""
        if not self._has_chance:
            return False
        if row not in self._chances:
            self._chances[row] = at_chance(self.position(row))
        return self._chances[row]

    def above(self, row: int, value: T) -> T:
        """A value for the side to move in a row, for the side to move in its parent."""
        return turned(value, self.again(row))

    @property
    def is_exhaustive(self) -> bool:
        """Whether every legal move of every node has a row."""
        return not self.truncated and sum(self._ended[why] for why in (TERMINAL, AT_HORIZON, ALL_SEEN)) == len(self)

    @cached_property
    def _ended(self) -> NDArray[np.int64]:
        """How many rows ended for each reason."""
        return np.bincount(self.whys, minlength=1 + max(*LEAVES, ALL_SEEN))

    @cached_property
    def unsearched(self) -> Unsearched:
        """The moves without a row: computed when first needed, by a kernel unless the record is exhaustive."""
        if self.is_exhaustive:
            return Unsearched(np.zeros(len(self), np.uint8), np.zeros(len(self)), True)
        from engine.trace.unsearched import unsearched  # here: numba is slow to import

        return unsearched(self.root, self.rows["place"], self.index)

    def gaps(self, owners: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The Gap of the unsearched moves of these rows, shaped as they are; NONE for a row of -1."""
        codes = np.where(owners < 0, Gap.NONE, GAPS[self.whys[owners]]).astype(np.uint8)
        for row in self._unrecorded:
            codes[owners == row] = Gap.UNRECORDED
        return codes

    @cached_property
    def _unrecorded(self) -> tuple[int, ...]:
        """The rows below which the record ends."""
        last = self.path(len(self) - 1) if self.truncated else ()
        return tuple(row for row in last if self.unseen_state(row) is State.UNRECORDED)

    def gap(self, row: int) -> Gap:
        """The Gap of the unsearched moves of a row."""
        return Gap(int(self.gaps(np.array([row], np.int32))[0]))

    @property
    def _with_unsearched(self) -> NDArray[np.int32]:
        """The rows with moves that have no row, ascending."""
        return np.flatnonzero(self.unsearched.moves).astype(np.int32)

    @cached_property
    def visits(self) -> "Visits":
        """What each visit of a node left pruned: computed when first needed, for a record that `has_repeats`."""
        from engine.trace.visits import visits  # here: numba is slow to import

        return visits(self.index, self.rows["place"], self.unsearched)

    @cached_property
    def has_repeats(self) -> bool:
        """Whether a node was entered more than once, as PVS may do, in a record with moves that were not searched: only
        for their places does it matter."""
        return not self.is_exhaustive and any(
            repeats(rows, self.index, self.rows["place"]).any() for rows in self.index.plies
        )

    @cached_property
    def in_gaps(self) -> dict[Gap, float]:
        """The nodes of minimax below the unsearched moves, by their kind: each once, as the last visit left it."""
        owners, left = self._with_unsearched, self.unsearched.nodes
        if self.has_repeats:
            is_last = np.ones(len(self), np.bool_)
            is_last[self.visits.before[self.visits.before >= 0]] = False
            owners, left = owners[is_last[owners]], self.visits.unsearched
        nodes = np.bincount(self.gaps(owners), left[owners], len(Gap))
        return {gap: float(nodes[gap]) for gap in Gap if nodes[gap]}

    def pruned_before(self, row: int) -> float:
        """The nodes of minimax that are pruned after all rows before `row`, which may be the number of rows."""
        whole = row // BLOCK
        return float(
            self._pruned_blocks[whole] + self._more_pruned(np.arange(whole * BLOCK, row, dtype=np.int32)).sum()
        )

    @cached_property
    def _pruned_blocks(self) -> NDArray[np.float64]:
        """`pruned_before` of the first row of each BLOCK: the sums of all rows would take 8 bytes a row."""
        rows = np.arange(len(self), dtype=np.int32) if self.has_repeats else self._with_unsearched
        return np.cumsum([0, *np.bincount(rows // BLOCK, self._more_pruned(rows), -(-len(self) // BLOCK))])

    def pruned_at(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """The nodes of minimax that the end of each of the rows prunes, and that were not pruned before; [rows]."""
        if not self.has_repeats:
            return np.where(self.gaps(rows) == Gap.PRUNED, self.unsearched.nodes[rows], 0)
        was, now = (self.gaps(those) == Gap.PRUNED for those in (self.visits.before[rows], rows))
        return self.visits.unsearched[rows] * (now.astype(np.int8) - was)

    def _more_pruned(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """`pruned_at` minus the row's own subtree of minimax, if an earlier visit of its parent pruned it; [rows]."""
        pruned = self.pruned_at(rows)
        if not self.has_repeats:
            return pruned
        before = self.visits.before[self.index.parent[rows]]
        return pruned - np.where(self.gaps(before) == Gap.PRUNED, self.visits.newly_searched[rows], 0)

    @cached_property
    def leaves(self) -> frozenset[Leaf]:
        """The kinds of leaves in the record."""
        return frozenset(leaf for why, leaf in LEAVES.items() if self._ended[why])

    def places(self, width: Width, tasks: Iterable["Task"] = ()) -> Places:
        """The extents of all nodes in a picture. Widths by time need the tasks of the record."""
        if width is Width.VISITED:
            return Visited(self.index)
        if width is Width.TIME:
            return Timed(self.index, tasks)
        return shared(width, self.index, self.rows["place"], self.unsearched)

    def transpositions(self, symmetries: int) -> "Transpositions":
        """The rows grouped by position, and by position up to that many symmetries of the game: 0.2 s for 600,000."""
        from engine.trace.transpositions import Transpositions  # here: numba is slow to import

        return Transpositions(self.root, self.rows["place"], self.index, symmetries, self.of_root)

    def raster(self, places: Places, first: float, end: float, width: int) -> Raster:
        """The picture of the extents from `first` to `end`, that many pixels wide."""
        scale, part = (self.unit, self.estimates), (first, end, width)
        return raster(self.rows, self.whys, self.totals, self.index, places, *scale, *part, self.of_root)

    def end(self, row: int) -> int:
        """The first row after `row` that is not in its subtree."""
        return self.index.end_of(row)

    def children(self, row: int) -> list[int]:
        """The rows of the visited children, in the order of the search."""
        return self.index.children(row)

    def earlier(self, row: int) -> list[int]:
        """The rows of its parent's children that were searched before a row, in the order of the search."""
        return self.index.siblings_before(row)

    def row_along(self, moves: Iterable[int]) -> int:
        """The last row along a line of moves from the root, as far as the record holds it."""
        row = 0
        for move in moves:
            below = self.child_row(row, move)
            if below is None:
                break
            row = below
        return row

    def child_row(self, row: int, move: int) -> int | None:
        """The row of one child, the last if it was searched more than once; None if it was not visited."""
        return next((child for child in reversed(self.children(row)) if self.move(child) == move), None)

    def next_search(self, row: int) -> int | None:
        """The row of the next search of the same move, for PVS and MTD(f) may search a child twice; None: no other."""
        after = self.end(row)
        is_sibling = row > 0 and after < len(self) and self.parent(after) == self.parent(row)
        return after if is_sibling and self.move(after) == self.move(row) else None

    def is_repeat(self, row: int) -> bool:
        """Whether a row is another search of a move that was searched before it."""
        of_ply = self.index.plies[self.index.ply(row)]
        number = count_below(of_ply, row)
        return number > 0 and self.next_search(int(of_ply[number - 1])) == row

    def path(self, row: int) -> list[int]:
        """The rows from the root down to `row`. Raises IndexError if there is no such row."""
        if not 0 <= row < len(self):
            raise IndexError(f"The trace has no row {row}.")
        return self.index.path(row)

    def parent(self, row: int) -> int:
        """The row of the parent; for the root, the root."""
        return self.index.parent_of(row)

    def moves(self, row: int) -> tuple[int, ...]:
        """The moves from the root to `row`."""
        return tuple(self.move(step) for step in self.path(row)[1:])

    def position(self, row: int) -> Position:
        """The position of a row."""
        return reduce(play, self.moves(row), self.root)

    def path_nodes(self, row: int, moment: int = AFTERWARDS) -> tuple[PathNode, ...]:
        """The path nodes from the root to `row`, each with all its moves in their state at that moment."""
        return AtMoment(self, moment).path_nodes(row)

    def raw(self, row: int) -> Raw:
        """The window and the value of a row, in the kernel's units."""
        return Raw(self._alpha[row], self._beta[row], self._value[row])

    def window(self, row: int) -> tuple[Number, Number]:
        """The window that a row was searched in."""
        alpha, beta, _ = self.raw(row)
        return in_wins(alpha, self.unit), in_wins(beta, self.unit)

    def found(self, row: int) -> Value | None:
        """The value of a row; None if it has not ended, or if its value says nothing."""
        why, (alpha, beta, value) = self.why(row), self.raw(row)
        if why == OPEN:
            return None
        return known_value(value, alpha, beta, self.unit, LEAVES.get(why), estimates=self.estimates)

    def unseen_state(self, row: int) -> State:
        """The state of the moves of a node that have no row. In a full record, those of a cut node are pruned if it has
        the row of the move that cut it, unless another worker may have searched them meanwhile."""
        why = self.why(row)
        if self.truncated and self.end(row) == len(self):
            is_shared = self.index.ply(row) < self.split
            if why != CUTOFF or is_shared or not any(self.proven(row, self.raw(row).beta)):
                return State.UNRECORDED
        return State.UNVISITED if why == OPEN else State.PRUNED

    def proven(self, row: int, least: int) -> Iterator[tuple[int, Value]]:
        """The children of a row whose moves are known to be worth this or more, in the kernel's units, to the side that
        makes them, and what they are worth to it. Where workers share their bounds, a move may have a value as great
        and be worth less: one of them has found no more than an upper bound."""
        for child in self.children(row):
            found = self.found(child)
            if found is None:
                continue
            worth = self.above(child, found)
            if worth.proves_a_move and self.above(child, self.raw(child).value) >= least:
                yield child, worth

    def best(self, row: int, moment: int = AFTERWARDS) -> Number | None:
        """The best value that has come up in a row until a moment, for its side to move; None if none has, and at a
        chance node until it has its own. It is the recursion's variable: unlike the value of a path node, it may say
        nothing of the true value."""
        return AtMoment(self, moment).best(row)
