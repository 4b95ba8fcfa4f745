"""The throws of a game that is played: what falls at a chance node.

It depends only on the game's seed and the moves before: a move that is taken back and played again meets the same
throw.
"""

from collections.abc import Sequence
from random import Random

from engine.rules.contract import Position, outcomes


def thrown(position: Position, seed: int, moves: Sequence[int]) -> int:
    """The outcome that falls at a chance node after these moves, by the probabilities of all."""
    chances = outcomes(position)
    dice = Random(f"{seed} {' '.join(map(str, moves))}")
    return dice.choices([*chances], [*map(float, chances.values())])[0]
