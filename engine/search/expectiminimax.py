"""Expectiminimax: minimax for games with dice or a coin. The value of a chance node is the mean of its outcomes, each
weighted by its probability; that of any other is the best of its moves.

The textbook recursion comes first. The kernel is that of minimax: it visits every node, for an average needs the true
value of each outcome, and a bound does not do. Without chance nodes it is minimax.

Source: D. Michie, Game-playing and game-learning automata, in: Advances in Programming and Non-Numerical Computation
(1966).
"""

from fractions import Fraction

from engine.kernels.contract import Algorithm
from engine.rules.bits import each
from engine.rules.contract import Position, at_chance, is_over, legal, moves_again, outcomes, play, utility
from engine.search.minimax import Minimax


def negamax(position: Position) -> Fraction:
    """The value of a position for the side to move."""
    if is_over(position):
        return Fraction(utility(position))
    values = {}
    for move in each(legal(position)):
        child = play(position, move)
        value = negamax(child)
        same = moves_again(position, child)
        values[move] = value if same else -value
    result = max(values.values())
    if at_chance(position):
        chance = outcomes(position)
        shares = (chance[move] * values[move] for move in chance)
        result = sum(shares, Fraction())
    return result


ALGORITHM = Algorithm(
    rank=5,
    name="expectiminimax",
    title="Expectiminimax",
    aliases=("expectimax", "expectimin"),
    options=Minimax,
    prunes=False,
    averages=True,
    summary="Visits every position; the value of a chance node is the mean of its outcomes.",
)
