"""MTD(f): finds the value by a sequence of null-window searches.

Each returns a bound on the value, below or above its window. The next window is placed at that bound, until the lower
and upper bounds meet. One null-window search is cheaper than one with an open window, but they visit the same positions
repeatedly: MTD(f) needs a transposition table to be faster. The textbook form comes first; the engine runs the passes
of `engine.kernels.iteration` with the kernel of alpha-beta. MTD(f) needs fail-soft values; of fail-hard ones each moves
a bound by one point only, so the engine places their windows by bisection.

Source: A. Plaat et al., Best-first fixed-depth minimax algorithms, Artificial Intelligence 87 (1996).
"""

from engine.kernels.contract import Algorithm
from engine.result import INFINITY
from engine.rules.contract import Position
from engine.search import alphabeta


def mtdf(position: Position, guess: int = 0) -> int:
    """The value of a position for the side to move. A guess close to it saves searches."""
    value, lower, upper = guess, -INFINITY, INFINITY
    while lower < upper:
        beta = max(value, lower + 1)
        value = alphabeta.negamax(position, beta - 1, beta)
        if value < beta:
            upper = value
        else:
            lower = value
    return value


ALGORITHM = Algorithm(
    rank=4,
    name="mtdf",
    title="MTD(f)",
    aliases=("mtd",),
    options=alphabeta.AlphaBeta,
    prunes=True,
    guesses=True,
    null_windows=True,
    summary="Finds the value by null-window searches, each from a better guess; use it with a table.",
)
