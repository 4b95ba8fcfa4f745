"""About how many nodes a search will visit, before it begins: so that none that cannot end begins without a word.

Nobody is taken to win before the board is full, so it is too many rather than too few where somebody does. Where not
every empty square is a move, it rests on the number of moves that the game's positions typically have.
"""

import math
from itertools import accumulate
from operator import mul

from engine import registry
from engine.job import Job
from engine.rules.contract import MAX_PLIES, expected_widths, plies_bound, traits

PRUNED = 0.65
"""Alpha-beta visits about the number of minimax's nodes to this power: 0.53 to 0.78 on boards of 3 x 3 to 8 x 8."""


def expected_nodes(job: Job, depth: int | None = None) -> float:
    """The estimate for a job, to its own depth limit or another; its other limits do not count.

    >>> round(expected_nodes(Job(position=".../.../...")))
    986410
    """
    game = registry.game(job.game)
    position = game.notation.parse(job.position)
    left = plies_bound(position)
    plies = min(left, depth or job.limit.depth or left, MAX_PLIES)
    nodes = float(sum(accumulate(expected_widths(position, plies), mul, initial=1)))
    if registry.algorithm(job.algorithm).prunes:
        nodes **= PRUNED
    if job.table and traits(position).free_placement:
        symmetries = len(game.symmetries) if job.fold else 1
        nodes = min(nodes, sum(_positions(left, ply) for ply in range(plies + 1)) / symmetries)
    return nodes


def depth_within(job: Job, nodes: float) -> int:
    """The greatest depth, at least 1, to which a job is expected to visit no more nodes; its own limit is the most."""
    depth = min(plies_bound(registry.game(job.game).notation.parse(job.position)), job.limit.depth or MAX_PLIES)
    while depth > 1 and expected_nodes(job, depth) > nodes:
        depth -= 1
    return max(1, depth)


def _positions(left: int, ply: int) -> int:
    """How many positions there are so many plies on, with so many squares left: those that stones fill, by turns."""
    return math.comb(left, ply) * math.comb(ply, ply // 2)


PLAIN, LIMITED, AIDED = 200e6, 50e6, 5e6
"""Nodes a second, about: of a search to the end of the game, of one to a horizon, of one with a table or an order."""
LONG_SECONDS = 60.0


def is_long(job: Job) -> bool:
    """Whether a search will take longer than a minute on one core, as far as that is known before. One that has a limit
    of nodes or time is not."""
    if job.limit.nodes is not None or job.limit.seconds is not None:
        return False
    return expected_nodes(job) > LONG_SECONDS * _rate(job, job.limit.depth)


def depth_in(job: Job, seconds: float) -> int:
    """The greatest depth that a search reaches in so many seconds, about."""
    return depth_within(job, seconds * _rate(job, 1))


def _rate(job: Job, depth: int | None) -> float:
    return AIDED if job.table or job.order else PLAIN if depth is None else LIMITED
