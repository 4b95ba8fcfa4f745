"""Minimax: visits every node. The value of a terminal node is its score, that of any other the best of its children.

The textbook recursion comes first, in its two forms; of equal moves the first is the best. The rules of the kernel
follow: minimax uses no window.
"""

from engine.kernels import depth_first
from engine.kernels.contract import Algorithm, DepthFirst, advance, prunes, repeats, window
from engine.result import INFINITY
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play, utility


def maximise(position: Position) -> tuple[int | None, int]:
    """The best move for MAX, who is to move, and its value to MAX. The move is None where the game is over."""
    if is_over(position):
        return None, utility(position)
    best_move, best = None, -INFINITY
    for move in each(legal(position)):
        _, value = minimise(play(position, move))
        if value > best:
            best_move, best = move, value
    return best_move, best


def minimise(position: Position) -> tuple[int | None, int]:
    """The best move for MIN, who is to move, and its value to MAX. The move is None where the game is over."""
    if is_over(position):
        return None, -utility(position)
    best_move, best = None, INFINITY
    for move in each(legal(position)):
        _, value = maximise(play(position, move))
        if value < best:
            best_move, best = move, value
    return best_move, best


def negamax(position: Position) -> int:
    """The value of a position for the side to move. One function serves both sides: their values are negatives."""
    if is_over(position):
        return utility(position)
    return max(-negamax(play(position, move)) for move in each(legal(position)))


class Minimax(DepthFirst):
    pass


advance.register(Minimax)(depth_first.advance)


@prunes.register
def _prunes(search: Minimax) -> bool:
    return False


@window.register
def _window(search: Minimax, alpha: int, beta: int, best: int, again: int) -> tuple[int, int]:
    return -INFINITY, INFINITY


@repeats.register
def _repeats(search: Minimax, value: int, high: int, beta: int) -> bool:
    return False


ALGORITHM = Algorithm(
    rank=1,
    name="minimax",
    title="Minimax",
    aliases=("min-max",),
    options=Minimax,
    prunes=False,
    summary="Visits every position down to the end of the game.",
)
