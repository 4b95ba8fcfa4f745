"""Principal variation search: alpha-beta that assumes that the first move is the best.

Only the first child is searched in the full window. Every other child is first searched in a null window, which is
cheap and only tests whether it is better. If it is, a second search finds its value. This is faster than alpha-beta
with a move order whose first move is mostly the best. Fail-soft. The textbook recursion comes first.

Source: T. Marsland and M. Campbell, Parallel search of strongly ordered game trees, Computing Surveys 14 (1982).
"""

from engine.kernels import depth_first
from engine.kernels.contract import Algorithm, DepthFirst, advance, prunes, repeats, window
from engine.result import INFINITY
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play, utility


def negamax(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
    """The value of a position to the side to move; a bound if it is not inside (alpha, beta)."""
    if is_over(position):
        return utility(position)
    best = -INFINITY
    for move in each(legal(position)):
        child, low = play(position, move), max(alpha, best)
        high = beta if best == -INFINITY else low + 1
        value = -negamax(child, -high, -low)
        if high <= value < beta:
            value = -negamax(child, -beta, -low)
        best = max(best, value)
        if best >= beta:
            break
    return best


class Pvs(DepthFirst):
    searches_again = True


advance.register(Pvs)(depth_first.advance)


@prunes.register
def _prunes(search: Pvs) -> bool:
    return True


@window.register
def _window(search: Pvs, alpha: int, beta: int, best: int, again: int) -> tuple[int, int]:
    low = max(alpha, best)
    return low, beta if best == -INFINITY or again != 0 else low + 1


@repeats.register
def _repeats(search: Pvs, value: int, high: int, beta: int) -> bool:
    return value >= high and value < beta


ALGORITHM = Algorithm(
    rank=3,
    name="pvs",
    title="PVS",
    aliases=("principal variation search", "negascout"),
    options=Pvs,
    prunes=True,
    summary="Alpha-beta that tests with a null window whether any later move is better than the first.",
    null_windows=True,
)
