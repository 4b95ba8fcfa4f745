"""A pruned move, searched anyway."""

from msgspec.structs import replace

from engine import registry
from engine.job import Job, on_same_tree
from engine.kernels.node import turned
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
from engine.play.move_values import Solve, at_horizon
from engine.result import FINISHED, Value
from engine.rules.contract import is_over, moves_again, play, seen_from_parent
from engine.trace.record import Trace


def search_anyway(solve: Solve, job: Job, trace: Trace, row: int, move: int) -> Value | None:
    """The value of a pruned move of a cut row, for the side that makes it, by a search as deep as that of the record.

    `job` is the record's. None if the search did not finish.
    """
    rules, position = registry.game(job.game), trace.position(row)
    child = play(position, move)
    left = int(trace.index.left[row]) - 1
    if not left and not is_over(child):
        return at_horizon(job, position, child)
    text, limit = rules.notation.format(child), Limit(depth=max(1, left))
    found = solve(on_same_tree(job, position=text, algorithm="alphabeta", limit=limit))
    if found is None or found.info.value is None or found.end not in FINISHED:
        return None
    value = turned(found.info.value, moves_again(position, child))
    for _ in range(trace.index.ply(row) + 1 if job.scoring is Scoring.SOONEST else 0):
        value = replace(value, number=seen_from_parent(value.number))
    return value
