"""Estimates the nodes of a search before it begins, so that the user can be warned of one that is too long."""

from engine import registry
from engine.job import Job
from engine.prepare import prepare
from engine.rules.contract import MAX_PLIES, plies_bound, traits
from engine.rules.random_games import most_positions, nodes_by_ply

PRUNED = 0.65
"""Alpha-beta visits about the number of minimax's nodes to this power: 0.53 to 0.78 on boards of 3 x 3 to 8 x 8."""


def expected_nodes(job: Job, depth: int | None = None) -> float:
    """The estimate for a job, to its own depth limit or `depth`; its other limits are ignored."""
    game, position = registry.root_of(job)
    left = plies_bound(position)
    plies = min(left, depth or job.limit.depth or left, MAX_PLIES)
    nodes = sum(nodes_by_ply(position)[: plies + 1])
    if registry.algorithm(job.algorithm).prunes:
        nodes **= PRUNED
    if job.table and traits(position).free_placement:
        symmetries = len(game.symmetries) if job.fold else 1
        nodes = min(nodes, sum(most_positions(left, ply) for ply in range(plies + 1)) / symmetries)
    return nodes


def depth_within(job: Job, nodes: float) -> int:
    """The greatest depth, from 1 to the job's own limit, at which the estimate is at most `nodes`."""
    depth = min(plies_bound(registry.root_of(job)[1]), job.limit.depth or MAX_PLIES)
    while depth > 1 and expected_nodes(job, depth) > nodes:
        depth -= 1
    return max(1, depth)


FREE, FREE_PRUNED, OTHER, AIDED = 500e6, 200e6, 40e6, 15e6
"""Approximate nodes per second: of minimax with free placement (measured: 350 to 700 M), the same of algorithms that
prune (60 to 370 M), of any other game (16 to 97 M), and with a table or a move order (6 to 39 M)."""
INTERPRETED, INTERPRETED_SLOWLY = 150e3, 15e3
"""The same by the interpreter: of a search to the end of a game with free placement, which tests little at each node;
of any other."""
LONG_SECONDS = 60.0


def is_long(job: Job) -> bool:
    """Whether a search is expected to take longer than a minute on one core. False with a limit of nodes or time."""
    if job.limit.nodes is not None or job.limit.seconds is not None:
        return False
    return expected_seconds(job) > LONG_SECONDS


def expected_seconds(job: Job) -> float:
    """The estimate in seconds of a job on one core, without compiling; its limits except the depth are ignored."""
    return expected_nodes(job) / _rate(job, job.limit.depth)


def depth_in(job: Job, seconds: float) -> int:
    """The greatest depth that a search is expected to reach within `seconds`."""
    return depth_within(job, seconds * _rate(job, 1))


def _rate(job: Job, depth: int | None) -> float:
    if job.backend == "interpreted":
        prepared = prepare(job)
        is_plain = depth is None and not prepared.has_aids and not prepared.search.searches_again
        return INTERPRETED if is_plain and traits(prepared.position).free_placement else INTERPRETED_SLOWLY
    if job.table or job.order:
        return AIDED
    if not traits(registry.game(job.game).start).free_placement:
        return OTHER
    return FREE_PRUNED if registry.algorithm(job.algorithm).prunes else FREE
