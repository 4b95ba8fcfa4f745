"""The strongest search of a position that takes no longer than a second or two: what people play against, and what
`solve` does where nothing else is asked for."""

from msgspec.structs import replace

from engine.job import Job, Limit, Order
from engine.measure.tree_size import expected_nodes

WHOLE_TREE = 500_000_000
"""A whole tree of so many nodes, as far as that is known before, is searched: 1 to 2 s."""
DEEPENED = 5_000_000
"""What iterative deepening with a table and an order of moves may visit: 1 s."""
TABLE = 16.0
"""MiB."""


def recommended(game: str, position: str) -> Job:
    """The whole tree, by the simplest algorithm with which it is small enough; else principal variation search, a ply
    deeper each time, with a table, all that orders moves, and the game's first evaluation at the horizon."""
    plain = Job(game=game, position=position)
    for algorithm in ("minimax", "alphabeta"):
        job = replace(plain, algorithm=algorithm)
        if expected_nodes(job) <= WHOLE_TREE:
            return job
    return replace(
        plain,
        algorithm="pvs",
        deepen=True,
        table=TABLE,
        order=(Order.DOMAIN, Order.TABLE, Order.KILLERS, Order.HISTORY),
        limit=Limit(nodes=DEEPENED),
    )
