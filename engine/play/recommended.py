"""The strongest search of a position that takes at most a second or two: the default of the computer player and of the
command `solve`."""

from msgspec.structs import replace

from engine import registry
from engine.job import Job
from engine.measure.tree_size import expected_seconds
from engine.options.catalogue import Limit
from engine.options.choices import Order

WHOLE_TREE = 2.0
"""The expected seconds up to which a whole tree is searched."""
DEEPENED = 5_000_000
"""Node limit of iterative deepening with a transposition table and move ordering: 1 s."""
TABLE = 16.0
"""MiB."""


def recommended(game: str, position: str) -> Job:
    """The recommended job: the whole tree, by the simplest algorithm for which it is small enough; otherwise iterative
    deepening with a transposition table and the game's first evaluation: by principal variation search with move
    ordering or, in a game with chance nodes, by expectiminimax."""
    plain, rules = Job(game=game, position=position), registry.game(game)
    for algorithm in (registry.suited(name, rules) for name in ("minimax", "alphabeta")):
        job = replace(plain, algorithm=algorithm)
        if expected_seconds(job) <= WHOLE_TREE:
            return job
    algorithm = registry.suited("pvs", rules)
    orders = (Order.DOMAIN, Order.TABLE, Order.KILLERS, Order.HISTORY)
    return replace(
        plain,
        algorithm=algorithm,
        deepen=True,
        table=TABLE,
        order=orders if registry.algorithm(algorithm).prunes else (),
        limit=Limit(nodes=DEEPENED),
    )
