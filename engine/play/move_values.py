"""The value of each move of a position, by a separate search below each, because alpha-beta leaves bounds at the root.

The scoring is that of `engine.registry.soonest`: of two winning moves the one that wins sooner has the higher value.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.job import Job, on_same_tree
from engine.kernels.node import turned
from engine.measure.tree_size import expected_seconds
from engine.options.catalogue import Limit
from engine.options.choices import Order, Scoring
from engine.play.recommended import TABLE
from engine.result import FINISHED, Result, Value, in_wins
from engine.rules.bits import each
from engine.rules.contract import (
    UNIT,
    Position,
    evaluate,
    is_decisive,
    is_over,
    legal,
    moves_again,
    play,
    plies_bound,
    seen_from_parent,
)

AT_ONCE = 0.5
"""The expected seconds up to which the whole tree is searched at once."""
NODES = 40_000_000
"""Node limit of all searches together with increasing depth: some seconds."""

Solve = Callable[[Job], Result | None]
"""Runs a job; returns None if it was stopped."""


class MoveValue(Struct, frozen=True):
    """The value of a move for the side that makes it."""

    value: Value
    """In the scoring of `engine.registry.soonest`, counted from the position before the move."""
    line: tuple[int, ...]
    """The principal variation, beginning with the move itself."""
    proven: bool
    """Whether no deeper search can find another value."""


class Findings(Struct, frozen=True):
    """The known values of a position's moves at one time."""

    moves: Mapping[int, MoveValue]
    depth: int | None = None
    """The depth in plies to which all moves were searched; None: to the end of the game."""


def value_of(job: Job, move: int, depth: int | None, solve: Solve) -> MoveValue | None:
    """The value of a move in the position of a job, by a search with the job's algorithm and options to `depth` plies
    below that position. None if the search did not finish."""
    game, position = registry.root_of(job)
    child = play(position, move)
    if depth == 1 and not is_over(child):
        return MoveValue(at_horizon(job, position, child), (move,), False)
    limit, scoring = Limit(depth and max(1, depth - 1), job.limit.nodes), registry.soonest(job.game)
    same = {"algorithm": job.algorithm, "order": job.order, "table": job.table}
    found = solve(on_same_tree(job, position=game.notation.format(child), scoring=scoring, limit=limit, **same))
    if found is None or found.info.value is None or found.end not in FINISHED:
        return None
    value = turned(found.info.value, moves_again(position, child))
    if scoring is Scoring.SOONEST:
        value = replace(value, number=seen_from_parent(value.number))
    return MoveValue(value, (move, *found.info.pv), found.complete or is_decisive(child, value.number))


def at_horizon(job: Job, position: Position, child: Position) -> Value:
    """The value of the move from a position to one at the horizon: an estimate, or 0 in a search without evaluation."""
    estimate = evaluate(child, registry.evaluation(registry.game(job.game), job.evaluation)) if job.evaluate else 0
    return Value(in_wins(turned(estimate, moves_again(position, child)), UNIT), is_estimate=True)


def look(job: Job, solve: Solve) -> Iterator[Findings]:
    """Yield ever better findings about the moves of a job's position. In a small tree the moves are searched one after
    the other; otherwise all are searched one ply deeper each time, until all values are proven, NODES are visited or
    `solve` returns None."""
    game, position = registry.root_of(job)
    job = Job(game=job.game, position=job.position, algorithm=registry.suited("alphabeta", game))
    moves: dict[int, MoveValue] = {}
    if expected_seconds(job) <= AT_ONCE:
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

    if registry.algorithm(job.algorithm).prunes:
        aided = replace(job, order=(Order.KILLERS, Order.DOMAIN))
    else:
        aided = replace(job, table=TABLE)
    for depth in range(1, plies_bound(position) + 1):
        deeper = {}
        for move in each(legal(position)):
            known = moves.get(move)
            if known is None or not known.proven:
                within = replace(aided, limit=Limit(nodes=max(1, NODES - visited)))
                known = value_of(within, move, depth, counted)
            if known is None:
                return
            deeper[move] = known
        moves = deeper
        is_over = all(found.proven for found in moves.values())
        yield Findings(moves, None if is_over else depth)
        if is_over:
            return
