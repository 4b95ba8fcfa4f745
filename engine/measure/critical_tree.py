r"""The least number of leaves that any search must visit: Knuth and Moore's minimum.

A proof that a position has value v consists of two strategies: one of the side to move that guarantees at least v, and
one of the other side that allows at most v. A strategy has one move at its owner's nodes and all moves at the other
side's. Its number of leaves is therefore the product of the widths of every second ply. The two strategies share
exactly one leaf. Alpha-beta visits no more leaves if it always tries a best move first.

         o            2 wide, 3 deep: the mover's strategy has 1 x 2 x 1 leaves, the other's 2 x 1 x 2,
       /   \          so 5 of the 8 leaves are needed
      o     o

Source: D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975).
"""

import math
from collections.abc import Callable, Sequence

from engine.kernels.depth_first import leaf
from engine.kernels.worker_memory import OPEN
from engine.prepare import Prepared
from engine.rules.bits import each
from engine.rules.contract import Position, legal, moves_again, play, traits

MAX_POSITIONS = 100_000


def minimal_leaves(widths: Sequence[int]) -> int:
    """The minimum of a tree in which all nodes of a ply have the same number of moves and the sides alternate; `widths`
    begins at the root.

    >>> minimal_leaves([2, 2, 2]), minimal_leaves([40] * 4), minimal_leaves([9, 8]), minimal_leaves([])
    (5, 3199, 16, 1)
    """
    return math.prod(widths[::2]) + math.prod(widths[1::2]) - 1


def critical_leaves(
    prepared: Prepared, value: int, most: int = MAX_POSITIONS, stopped: Callable[[], bool] = lambda: False
) -> int | None:
    """The minimum of a job's tree, whose root has `value` in the kernels' units for the side to move.

    None if that takes more than `most` positions, if `stopped` returns true, or if the value is wrong.
    """
    proof = _Proof(prepared, most, stopped)
    try:
        leaves = proof.at_least(prepared.position, value, 0) + proof.at_most(prepared.position, value, 0) - 1
    except _TooManyError:
        return None
    return None if leaves == math.inf else int(leaves)


def regular_leaves(prepared: Prepared) -> int | None:
    """The minimum of a job's tree by the formula, for any value of the root; None if the tree is not regular, or if the
    sides do not alternate."""
    if not traits(prepared.position).alternates:
        return None
    widths = prepared.game.notation.widths(prepared.position, prepared.search.horizon)
    return None if widths is None else minimal_leaves(widths)


class _TooManyError(Exception):
    pass


class _Proof:
    """The least number of leaves that prove a bound on a position's value for its side to move; infinity if the bound
    is false."""

    def __init__(self, prepared: Prepared, most: int, stopped: Callable[[], bool]) -> None:
        self._search, self._most, self._stopped = prepared.search, most, stopped
        self._known: dict[tuple[Position, int, int, bool], float] = {}

    def at_least(self, position: Position, value: int, ply: int) -> float:
        """The leaves that prove a lower bound: one move suffices, the one with the smallest proof."""
        return self._leaves(position, value, ply, True, min)

    def at_most(self, position: Position, value: int, ply: int) -> float:
        """The leaves that prove an upper bound: a proof for every move."""
        return self._leaves(position, value, ply, False, sum)

    def _leaves(
        self, position: Position, value: int, ply: int, is_lower: bool, taken: Callable[[list[float]], float]
    ) -> float:
        claim = position, ply, value, is_lower
        if claim in self._known:
            return self._known[claim]
        if len(self._known) >= 2 * self._most or self._stopped():
            raise _TooManyError
        leaf_value, why = leaf(self._search, position, ply)
        if why != OPEN:
            found: float = 1 if (leaf_value >= value if is_lower else leaf_value <= value) else math.inf
        else:
            found = taken([self._below(position, move, value, ply, is_lower) for move in each(legal(position))])
        self._known[claim] = found
        return found

    def _below(self, position: Position, move: int, value: int, ply: int, is_lower: bool) -> float:
        """The leaves that prove the bound for one move."""
        child = play(position, move)
        if moves_again(position, child):
            return (self.at_least if is_lower else self.at_most)(child, value, ply + 1)
        return (self.at_most if is_lower else self.at_least)(child, -value, ply + 1)
