"""The values of chance nodes in a search. For a game without chance nodes `engine.jit.lowering` compiles them to
the plain maximum over the moves.
"""

from typing import Any

from engine.kernels.node import mean
from engine.rules.bits import first, is_empty, rest
from engine.rules.contract import Position, at_chance, legal, weight_of


def improves(position: Position, move: int, value: int, best: int) -> bool:
    """Whether a move's value is above the best so far. Of outcomes there is no best."""
    return value > best and weight_of(position, move) == 0


def weighted(position: Position, move: int, value: int) -> int:
    """The value of an outcome times its weight; 0 if a side makes the move."""
    return weight_of(position, move) * value


def averaged(position: Position, best: int, total: int) -> int:
    """The value of a node for its side to move: the best of its moves, but of a chance node the mean of its outcomes,
    whose `weighted` values are `total` together."""
    if not at_chance(position):
        return best
    weights, todo = 0, legal(position)
    while not is_empty(todo):
        weights += weight_of(position, first(todo))
        todo = rest(todo)
    return mean(total, weights)


def averaged_words(position: Position, best: int, values: Any) -> int:
    """`averaged`, with the words of the node's moves in `engine.kernels.worker_memory.Memory.values`."""
    if not at_chance(position):
        return best
    total, todo = 0, legal(position)
    while not is_empty(todo):
        move = first(todo)
        total += weighted(position, move, values[move] >> 24)
        todo = rest(todo)
    return averaged(position, best, total)
