"""A record as it was at a moment of its search: the values so far, and the states of the moves.

See `engine.trace.replay` for moments.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.kernels.worker_memory import CUTOFF, OPEN
from engine.result import Child, Number, PathNode, State, in_wins, known_value
from engine.rules.bits import each
from engine.rules.contract import Position, legal, play
from engine.trace.leaves import LEAVES

if TYPE_CHECKING:
    from engine.trace.record import Trace

AFTERWARDS = 1 << 62
"""The moment after the search."""


@lru_cache(maxsize=512)
def _without_row(move: int, state: State) -> Child:
    """A move that has no row: a path has a hundred."""
    return Child(move, state)


@lru_cache(maxsize=512)
def _without_rows(moves: int, state: State) -> dict[int, Child]:
    """A set of moves that have no rows, ascending: most sets on a path are those of the path before."""
    return {move: _without_row(move, state) for move in each(moves)}


@dataclass(frozen=True)
class AtMoment:
    """The nodes of a record at one moment."""

    trace: "Trace"
    moment: int

    def path_nodes(self, row: int) -> tuple[PathNode, ...]:
        """The path nodes from the root to `row`."""
        path = self.trace.path(row)
        position, path_nodes = self.trace.root, []
        for depth, step in enumerate(path):
            below = path[depth + 1] if depth + 1 < len(path) else None
            path_nodes.append(self._path_node(position, step, below))
            if below is not None:
                position = play(position, self.trace.move(below))
        return tuple(path_nodes)

    def best(self, row: int) -> Number | None:
        """See `Trace.best`."""
        why, value = self.trace.why(row), self.trace.raw(row).value
        best = self._best(row, why, value, self._has_ended(row, why), self._returned(*self._visited(row)))
        return None if best is None else in_wins(best, self.trace.unit)

    def _path_node(self, position: Position, row: int, below: int | None) -> PathNode:
        trace, afterwards = self.trace, self.moment == AFTERWARDS
        why, (alpha, beta, value) = trace.why(row), trace.raw(row)
        ended, (visited, moves, valued) = self._has_ended(row, why), self._visited(row)
        returned = self._returned(visited, moves, valued)
        best = self._best(row, why, value, ended, returned)
        searched: dict[int, Child] = {}
        for child, made, has_value in zip(visited, moves, valued, strict=False):
            visits = searched[made].visits + 1 if made in searched else 1
            searched[made] = self._child(made, child, visits) if has_value else Child(made, State.OPEN)
        unseen = trace.unseen_state(row) if afterwards else State.PRUNED if ended else State.UNVISITED
        leaf = LEAVES.get(why)
        children = () if leaf else tuple((_without_rows(legal(position), unseen) | searched).values())
        move = below if below is not None or afterwards or not visited else visited[-1]
        scale = trace.unit, leaf, ended, trace.estimates
        return PathNode(
            alpha=in_wins(max([alpha, *returned, *([] if best is None or leaf else [best])]), trace.unit),
            beta=in_wins(beta, trace.unit),
            best=None if best is None else known_value(best, alpha, beta, *scale),
            move=None if move is None else trace.move(move),
            children=children,
            cut=ended and why == CUTOFF,
            ended=ended,
        )

    def _child(self, move: int, row: int, visits: int) -> Child:
        """The move to a row that has been left with a value."""
        value = self.trace.found(row)
        worth = None if value is None else self.trace.above(row, value)
        return Child(move, State.DONE, worth, LEAVES.get(self.trace.why(row)), visits)

    def _visited(self, row: int) -> tuple[list[int], list[int], list[bool]]:
        """Those of a row's children that have been entered, the moves to them and to the next one, if any, and whether
        they have been left with a value."""
        trace, index = self.trace, self.trace.index
        children = index.children(row)
        count = bisect_right(children, self.moment, key=index.entered)
        visited, moves = children[:count], [*map(trace.move, children[: count + 1])]
        valued = [trace.why(child) != OPEN for child in visited]
        if visited and index.left_at(visited[-1]) > self.moment:  # all before it have been left
            valued[-1] = False
        return visited, moves, valued

    def _returned(self, visited: list[int], moves: list[int], valued: list[bool]) -> list[int]:
        """The values of the moves to a row's visited children, in the kernel's units; of a move that is searched
        twice, the second. The lists are those of `_visited`."""
        return [
            self.trace.above(child, self.trace.raw(child).value)
            for child, move, after, has_value in zip(visited, moves, [*moves[1:], -1], valued, strict=False)
            if has_value and move != after
        ]

    def _best(self, row: int, why: int, value: int, ended: bool, returned: list[int]) -> int | None:
        is_chance = self.trace.at_chance(row)
        if ended and (is_chance or why in LEAVES or self.trace.index.left_at(row) <= self.moment):
            return value
        return None if is_chance else max(returned, default=None)

    def _has_ended(self, row: int, why: int) -> bool:
        """Whether a row has all its values: the last child is left one moment before it; a leaf has its own."""
        trace = self.trace
        if why == OPEN or trace.index.left_at(row) - 1 > self.moment:
            return False
        at_end = trace.truncated and trace.end(row) == len(trace)
        return self.moment == AFTERWARDS or not at_end or why in LEAVES
