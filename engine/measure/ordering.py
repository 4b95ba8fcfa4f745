"""The effect of the move order on alpha-beta: the leaves that it visits in each order, between minimax's and the
minimum of the same tree.

A leaf is a position where the game is over or the horizon is reached.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from msgspec.structs import replace

from engine.backends import solve
from engine.control import Control
from engine.job import Job, JobError, on_same_tree
from engine.measure.critical_tree import critical_leaves, regular_leaves
from engine.measure.tree_size import expected_seconds
from engine.messages import message
from engine.options.catalogue import Limit
from engine.options.choices import Order
from engine.prepare import prepare
from engine.result import FINISHED

MAX_SECONDS = 5.0
"""The greatest expected time of minimax's search; alpha-beta's searches are shorter."""
SEEDS = 1, 2, 3
"""The seeds of the random order."""


class Detent(StrEnum):
    """The orders on the dial, from the most leaves to the fewest."""

    WORST = Order.WORST
    NATURAL = Order.NATURAL
    RANDOM = Order.RANDOM
    BEST = Order.BEST


@dataclass(frozen=True)
class Bounds:
    """The leaves of one tree."""

    minimax: int
    """All leaves, each of which minimax visits."""
    minimum: int | None
    """Knuth and Moore's minimum; None where the tree is too large to count it."""


def plain(job: Job) -> Job:
    """Minimax on the tree of a job: the same position, values and depth, on one thread, without aids; interpreted if
    the job is."""
    backend = job.backend if job.backend == "interpreted" else "serial"
    return on_same_tree(job, limit=Limit(depth=job.limit.depth), backend=backend)


def ordered(job: Job, detent: Detent, seed: int = 0) -> Job:
    """Alpha-beta on the tree of a job, in an order."""
    order = () if detent is Detent.NATURAL else (Order(detent.value),)
    return replace(plain(job), algorithm="alphabeta", order=order, seed=seed)


def searches(job: Job, detent: Detent) -> tuple[Job, ...]:
    """The searches of an order: one, or one of each seed."""
    seeds = SEEDS if detent is Detent.RANDOM else (0,)
    return tuple(ordered(job, detent, seed) for seed in seeds)


def check(job: Job, detent: Detent) -> None:
    """Raise JobError, with a sentence, if a job's tree is too large for the dial, or for this order."""
    if (seconds := expected_seconds(plain(job))) > MAX_SECONDS:
        raise JobError(
            message(
                "The tree is too large to compare orders: minimax would take about {seconds} s, by an estimate from "
                "random games. Choose a lower depth limit, or a position with fewer empty squares.",
                seconds=f"{seconds:,.0f}",
            )
        )
    prepare(ordered(job, detent))


def measure(job: Job, detent: Detent, control: Control | None = None) -> tuple[int, ...] | None:
    """The leaves that alpha-beta visits on a job's tree in an order, for each of its `searches`; None if stopped.

    Raises JobError if the tree is too large.
    """
    check(job, detent)
    leaves = [_leaves(one, control) for one in searches(job, detent)]
    counted = tuple(one for one in leaves if one is not None)
    return counted if len(counted) == len(leaves) else None


def bounds(job: Job, control: Control | None = None, stopped: Callable[[], bool] | None = None) -> Bounds | None:
    """The leaves that minimax visits on a job's tree, and the minimum; None if stopped. `stopped` is asked at each
    position of the minimum, instead of `control`. Raises JobError if the tree is too large."""
    check(job, Detent.NATURAL)
    control, minimax = control or Control(), plain(job)
    result = solve(minimax, control)
    value, counters = result.info.value, result.info.counters
    if control.stopped or value is None:
        return None
    prepared = prepare(minimax)
    exact = round(value.number * prepared.unit)
    minimum = regular_leaves(prepared) or critical_leaves(prepared, exact, stopped=stopped or (lambda: control.stopped))
    return None if control.stopped else Bounds(counters.terminals + counters.horizon, minimum)


def _leaves(job: Job, control: Control | None) -> int | None:
    result = solve(job, control)
    if result.end not in FINISHED:
        return None
    return result.info.counters.terminals + result.info.counters.horizon
