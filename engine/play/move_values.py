"""What each move of a position is worth: by a search of its own below each, since alpha-beta leaves bounds at the root.

Sooner is better here, so that of two won moves the sooner one is worth more.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.job import Job, Limit, Order, Scoring
from engine.measure.tree_size import expected_nodes
from engine.result import End, Result, Value, in_wins
from engine.rules.bits import each
from engine.rules.contract import (
    UNIT,
    Position,
    evaluate,
    is_over,
    legal,
    play,
    plies_bound,
    seen_from_parent,
    traits,
)

AT_ONCE = 100_000_000
"""Up to so many nodes, as far as that is known before, the whole tree is searched at once: less than a second."""
NODES = 40_000_000
"""What all searches together may visit where depth after depth is searched: some seconds."""

Solve = Callable[[Job], Result | None]
"""Runs a job; None where it was told to stop."""


class MoveValue(Struct, frozen=True):
    """What a move is worth to the side that makes it."""

    value: Value
    """By `engine.registry.soonest`, counted from the position of the move."""
    line: tuple[int, ...]
    """Best play from the move on, the move itself first."""
    proven: bool
    """Whether no deeper search can find another value."""


class Findings(Struct, frozen=True):
    """What is known of the moves of a position at a moment."""

    moves: Mapping[int, MoveValue]
    depth: int | None = None
    """Plies: how far all moves were searched; None: to the end of the game."""


def value_of(job: Job, move: int, depth: int | None, solve: Solve) -> MoveValue | None:
    """The value of a move in the position of a job, which says how to search below it, as seen from `depth` plies above
    the horizon. None where the search did not finish."""
    game = registry.game(job.game)
    child = play(game.notation.parse(job.position), move)
    if depth == 1 and not is_over(child):
        estimate = in_wins(-evaluate(child, registry.evaluation(game, job.evaluation)), UNIT) if job.evaluate else 0
        return MoveValue(estimate, (move,), False)
    limit, scoring = Limit(depth and max(1, depth - 1), job.limit.nodes), registry.soonest(job.game)
    found = solve(
        Job(
            game=job.game,
            position=game.notation.format(child),
            algorithm="alphabeta",
            scoring=scoring,
            evaluate=job.evaluate,
            evaluation=job.evaluation,
            order=job.order,
            limit=limit,
        )
    )
    if found is None or found.info.value is None or found.end not in (End.COMPLETE, End.HORIZON):
        return None
    value = -found.info.value
    if scoring is Scoring.SOONEST:
        value = seen_from_parent(value)
    return MoveValue(value, (move, *found.info.pv), found.complete or is_decisive(child, value))


def is_decisive(position: Position, value: Value) -> bool:
    """Whether a value is a win or a loss that no deeper search changes; none is where a win may be larger than 1."""
    return traits(position).utility == 1 and abs(value) >= 1


def look(job: Job, solve: Solve) -> Iterator[Findings]:
    """The moves of the position of a job, better and better known: one after the other where the tree is small, else
    all of them a ply deeper each time, until all is proven, or NODES are visited, or it is told to stop."""
    game = registry.game(job.game)
    position = game.notation.parse(job.position)
    job = Job(game=job.game, position=job.position, algorithm="alphabeta")
    moves: dict[int, MoveValue] = {}
    if expected_nodes(job) <= AT_ONCE:
        for move in each(legal(position)):
            found = value_of(job, move, None, solve)
            if found is None:
                return
            moves[move] = found
            yield Findings(dict(moves))
        return
    visited = 0

    def counted(asked: Job) -> Result | None:
        nonlocal visited
        result = solve(asked)
        visited += 0 if result is None else result.info.counters.nodes
        return result

    ordered = replace(job, order=(Order.KILLERS, Order.DOMAIN))
    for depth in range(1, plies_bound(position) + 1):
        deeper = {}
        for move in each(legal(position)):
            known = moves.get(move)
            if known is None or not known.proven:
                within = replace(ordered, limit=Limit(nodes=max(1, NODES - visited)))
                known = value_of(within, move, depth, counted)
            if known is None:
                return
            deeper[move] = known
        moves = deeper
        is_over = all(found.proven for found in moves.values())
        yield Findings(moves, None if is_over else depth)
        if is_over:
            return
