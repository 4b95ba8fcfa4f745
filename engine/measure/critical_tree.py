r"""How few leaves any search must look at: Knuth and Moore's minimum.

To know that a position is worth v, one needs a strategy of the mover's that gets v at least, and one of the other
side's that lets through v at most. A strategy has one move where its owner moves and all moves where the other does, so
the leaves of the first are counted by multiplying the widths of every second ply, those of the second by the others'.
The two have just one leaf in common. Alpha-beta looks at no more if it always tries a best move first.

         o            2 wide, 3 deep: the mover's strategy has 1 x 2 x 1 leaves, the other's 2 x 1 x 2,
       /   \          so 5 of the 8 leaves are needed
      o     o

Source: D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975).
"""

import math
from collections.abc import Callable, Sequence

from engine.kernels.depth_first import leaf
from engine.kernels.worker_memory import OPEN
from engine.registry import Prepared
from engine.rules.bits import each
from engine.rules.contract import Position, legal, play

MAX_POSITIONS = 100_000


def minimal_leaves(widths: Sequence[int]) -> int:
    """The minimum of a tree in which all positions of a ply have as many moves; `widths` begins at the root.

    >>> minimal_leaves([2, 2, 2]), minimal_leaves([40] * 4), minimal_leaves([9, 8]), minimal_leaves([])
    (5, 3199, 16, 1)
    """
    return math.prod(widths[::2]) + math.prod(widths[1::2]) - 1


def critical_leaves(
    prepared: Prepared, value: int, most: int = MAX_POSITIONS, stopped: Callable[[], bool] = lambda: False
) -> int | None:
    """The minimum of a job's own tree, whose root is worth `value` in the kernels' units to the side to move.

    None where that takes more than so many positions, where somebody has `stopped` it, or where the value is wrong.
    """
    least = _Proof(prepared, most, stopped)
    try:
        leaves = least.at_least(prepared.position, value, 0) + least.at_most(prepared.position, value, 0) - 1
    except _TooManyError:
        return None
    return None if leaves == math.inf else int(leaves)


def regular_leaves(prepared: Prepared) -> int | None:
    """The same by the formula, whatever the value, where the tree is so regular; None where it is not."""
    widths = prepared.game.notation.widths(prepared.position, prepared.search.horizon)
    return None if widths is None else minimal_leaves(widths)


class _TooManyError(Exception):
    pass


class _Proof:
    """The least leaves that prove a bound of a position's value to its side to move; infinitely many prove it where it
    is not so."""

    def __init__(self, prepared: Prepared, most: int, stopped: Callable[[], bool]) -> None:
        self._search, self._most, self._stopped = prepared.search, most, stopped
        self._known: dict[tuple[Position, int, bool], float] = {}

    def at_least(self, position: Position, value: int, ply: int) -> float:
        """One move that gets as much is enough: the cheapest to prove."""
        return self._leaves(position, value, ply, True, min)

    def at_most(self, position: Position, value: int, ply: int) -> float:
        """No move may get more."""
        return self._leaves(position, value, ply, False, sum)

    def _leaves(
        self, position: Position, value: int, ply: int, least: bool, taken: Callable[[list[float]], float]
    ) -> float:
        asked = position, value, least
        if asked in self._known:
            return self._known[asked]
        if len(self._known) >= 2 * self._most or self._stopped():
            raise _TooManyError
        worth, why = leaf(self._search, position, ply)
        if why != OPEN:
            found: float = 1 if (worth >= value if least else worth <= value) else math.inf
        else:
            below = self.at_most if least else self.at_least
            found = taken([below(play(position, move), -value, ply + 1) for move in each(legal(position))])
        self._known[asked] = found
        return found
