"""Alpha-beta: minimax that leaves a node as soon as its value cannot affect the root.

The window (alpha, beta) holds the values that the two sides already have guaranteed. If a node has a value of beta or
more for the side to move, the opponent avoids it, and its remaining moves are cut off. Fail-soft: the value returned
may lie outside the window, and is then a bound. The textbook recursion comes first, in its two forms; children are
visited in ascending order.
"""

from engine.kernels import depth_first
from engine.kernels.contract import Algorithm, DepthFirst, advance, prunes, repeats, window
from engine.result import INFINITY
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play, utility


def maximise(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> tuple[int | None, int]:
    """The best move for MAX, who is to move, and its value to MAX; a bound if it is not inside (alpha, beta)."""
    if is_over(position):
        return None, utility(position)
    best_move, best = None, -INFINITY
    for move in each(legal(position)):
        _, value = minimise(play(position, move), max(alpha, best), beta)
        if value > best:
            best_move, best = move, value
        if best >= beta:
            break
    return best_move, best


def minimise(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> tuple[int | None, int]:
    """The best move for MIN, who is to move, and its value to MAX; a bound if it is not inside (alpha, beta)."""
    if is_over(position):
        return None, -utility(position)
    best_move, best = None, INFINITY
    for move in each(legal(position)):
        _, value = maximise(play(position, move), alpha, min(beta, best))
        if value < best:
            best_move, best = move, value
        if best <= alpha:
            break
    return best_move, best


def negamax(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
    """The value of a position to the side to move; a bound if it is not inside (alpha, beta)."""
    if is_over(position):
        return utility(position)
    best = -INFINITY
    for move in each(legal(position)):
        best = max(best, -negamax(play(position, move), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


class AlphaBeta(DepthFirst):
    pass


advance.register(AlphaBeta)(depth_first.advance)


@prunes.register
def _prunes(search: AlphaBeta) -> bool:
    return True


@window.register
def _window(search: AlphaBeta, alpha: int, beta: int, best: int, again: int) -> tuple[int, int]:
    return max(alpha, best), beta


@repeats.register
def _repeats(search: AlphaBeta, value: int, high: int, beta: int) -> bool:
    return False


ALGORITHM = Algorithm(
    rank=2,
    name="alphabeta",
    title="Alpha-beta",
    aliases=("alpha-beta pruning", "α-β"),
    options=AlphaBeta,
    prunes=True,
    summary="Finds the value of minimax, but leaves a position as soon as its value cannot matter.",
)
