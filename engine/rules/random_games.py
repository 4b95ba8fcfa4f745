"""The size of a game's tree, estimated from random games before it is searched.

Source: D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
"""

import math
from functools import lru_cache
from random import Random

from engine.rules.bits import count, nth
from engine.rules.contract import Position, is_over, legal, play

PLIES = 300
"""The plies of all random games together, some milliseconds. Near the end of a game these are many games, and most
estimates are within a factor of 3: see `tests/engine/rules/test_random_games.py`."""


@lru_cache(maxsize=64, typed=True)
def nodes_by_ply(position: Position) -> tuple[float, ...]:
    """The expected number of nodes 0, 1, 2 ... plies below a position, as far as the longest random game goes; the same
    at every call.

    At each ply a game multiplies the numbers of moves so far. Over many games the mean of that product is the number of
    nodes of that ply. Over few games it is usually less: games that end late are rare, and most nodes are there.
    """
    dice, games, left, totals = Random(0), 0, PLIES, [0.0]
    while left > 0:
        here, nodes, ply = position, 1.0, 0
        totals[0] += nodes
        while not is_over(here):
            moves = legal(here)
            width = count(moves)
            here, nodes, ply = play(here, nth(moves, dice.randrange(width))), nodes * width, ply + 1
            if ply == len(totals):
                totals.append(0.0)
            totals[ply] += nodes
        games, left = games + 1, left - max(1, ply)
    return tuple(total / games for total in totals)


def most_positions(squares: int, ply: int) -> int:
    """An upper bound on the positions `ply` plies below one with that many empty squares, in a game with free
    placement: the two sides fill the squares by turns."""
    return math.comb(squares, ply) * math.comb(ply, ply // 2)
