"""The record of a search: a row a node, in preorder.

What can be derived is not stored: the children of row r begin at r + 1, and each one's `end` is the next; legal moves
that have no row were pruned (or not reached, where the search was stopped). `engine.stack.ROW_TYPE` draws a row.
"""

from collections import Counter
from typing import Any

from numpy.typing import NDArray

from engine.bits import each
from engine.game import Position, legal, play
from engine.job import Child, Leaf, Level, State, in_wins
from engine.stack import AT_HORIZON, BY_TABLE, CUTOFF, OPEN, TERMINAL

LEAVES = {TERMINAL: Leaf.TERMINAL, AT_HORIZON: Leaf.HORIZON, BY_TABLE: Leaf.TABLE}
"""Why a row ends that has none below it."""


class Trace:
    """What a search visited. Values and windows are those of the side to move in the row's position."""

    def __init__(self, root: Position, rows: NDArray[Any], visited: int, unit: int = 1) -> None:
        """`rows` of ROW_TYPE are the first of the `visited` nodes; a win counts `unit` in them."""
        self.root = root
        self.rows = rows
        self.visited = visited
        self.unit = unit

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def truncated(self) -> bool:
        """Whether nodes were visited that the record had no room for."""
        return self.visited > len(self.rows)

    def end(self, row: int) -> int:
        """The first row that is not below `row`."""
        return min(int(self.rows["end"][row]), len(self))

    def children(self, row: int) -> list[int]:
        """The rows of the children that were visited, in the order of the search."""
        found, child, end = [], row + 1, self.end(row)
        while child < end:
            found.append(child)
            child = self.end(child)
        return found

    def child_row(self, row: int, move: int) -> int | None:
        """The row of one child, its last where it was searched more than once; None if it was not visited."""
        return next((child for child in reversed(self.children(row)) if self.rows["move"][child] == move), None)

    def path(self, row: int) -> list[int]:
        """The rows from the root down to `row`. Raises IndexError if there is no such row."""
        if not 0 <= row < len(self):
            raise IndexError(f"The trace has no row {row}.")
        path = [0]
        while path[-1] != row:
            path.append(next(child for child in self.children(path[-1]) if row < self.end(child)))
        return path

    def parent(self, row: int) -> int:
        """The row above; the root's is the root."""
        path = self.path(row)
        return path[-2] if len(path) > 1 else row

    def moves(self, row: int) -> tuple[int, ...]:
        """The moves from the root to `row`."""
        return tuple(int(self.rows["move"][step]) for step in self.path(row)[1:])

    def levels(self, row: int) -> tuple[Level, ...]:
        """The positions from the root to `row`, each with all its moves and what became of them in the end."""
        path = self.path(row)
        position, levels = self.root, []
        for depth, step in enumerate(path):
            below = path[depth + 1] if depth + 1 < len(path) else None
            levels.append(self._level(position, step, below))
            if below is not None:
                position = play(position, int(self.rows["move"][below]))
        return tuple(levels)

    def _level(self, position: Position, row: int, below: int | None) -> Level:
        record = self.rows[row]
        why, children = int(record["why"]), self.children(row)
        by_move = {int(self.rows["move"][child]): child for child in children}
        unseen = State.UNVISITED if why == OPEN or self.end(row) < int(record["end"]) else State.PRUNED
        moves = () if why in LEAVES else each(legal(position))
        visits = Counter(int(self.rows["move"][child]) for child in children)
        shown = tuple(
            self._child(move, by_move[move], visits[move]) if move in by_move else Child(move, unseen) for move in moves
        )
        values = [child.value for child in shown if child.value is not None]
        alpha, beta, value = (in_wins(int(record[name]), self.unit) for name in ("alpha", "beta", "value"))
        best = max(values) if values else value if why in LEAVES else None
        return Level(
            alpha=max(alpha, max(values, default=alpha)),
            beta=beta,
            best=best,
            move=None if below is None else int(self.rows["move"][below]),
            children=shown,
            cut=why == CUTOFF,
        )

    def _child(self, move: int, row: int, visits: int) -> Child:
        why = int(self.rows["why"][row])
        if why == OPEN:
            return Child(move, State.OPEN)
        return Child(move, State.DONE, in_wins(-int(self.rows["value"][row]), self.unit), LEAVES.get(why), visits)
