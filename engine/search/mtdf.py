"""MTD(f): the value is found by guessing.

A null-window search says whether the value is below its window or above, and by how much at least. The next one is
placed there, until the two bounds meet. Each is cheaper than one search in an open window, but they search the same
positions again and again: without a transposition table that does not pay. The textbook stands first; in the engine the
passes are those of `engine.kernels.iteration`, over the kernel of alpha-beta.

Source: A. Plaat et al., Best-first fixed-depth minimax algorithms, Artificial Intelligence 87 (1996).
"""

from engine.kernels.contract import Algorithm
from engine.result import INFINITY
from engine.rules.contract import Position
from engine.search import alphabeta


def mtdf(position: Position, guess: int = 0) -> int:
    """The value of a position to the side to move; a guess near to it saves searches."""
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
