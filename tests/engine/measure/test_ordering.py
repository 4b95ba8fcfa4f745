"""The order of the moves decides how far alpha-beta lies between minimax and the minimum."""

import pytest
from msgspec.structs import replace

from engine.control import Control
from engine.job import Job, JobError
from engine.measure.ordering import SEEDS, Bounds, Detent, bounds, check, measure
from engine.options.catalogue import Limit
from engine.registry import game
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play

TREES = [
    replace(tree, backend="interpreted")
    for tree in (
        Job(position="xo./.x./..o"),
        Job(position="x.o/.../..."),
        Job(position=".../.x./...", limit=Limit(depth=3), evaluate=True),
        Job(game="mnk:4,4,4", position="..../..../..../....", limit=Limit(depth=3), evaluate=False),
        Job(game="connect-four:7,6", position="/".join(["......."] * 6), limit=Limit(depth=3)),
    )
]


def leaves_below(position: Position, plies: int) -> int:
    """A naive count."""
    if is_over(position) or plies == 0:
        return 1
    return sum(leaves_below(play(position, move), plies - 1) for move in each(legal(position)))


@pytest.mark.parametrize("job", TREES)
def test_all_orders_lie_between_the_minimum_and_minimax(job: Job) -> None:
    found = bounds(job)
    assert found is not None
    assert found.minimum is not None
    assert found.minimax == leaves_below(game(job.game).notation.parse(job.position), job.limit.depth or 9)
    visited = {detent: measure(job, detent) for detent in Detent}
    for detent, leaves in visited.items():
        assert leaves is not None
        assert len(leaves) == (len(SEEDS) if detent is Detent.RANDOM else 1)
        assert all(found.minimum <= one <= found.minimax for one in leaves)
    best, worst = visited[Detent.BEST], visited[Detent.WORST]
    assert best is not None
    assert worst is not None
    assert best <= worst


def test_the_best_order_needs_exactly_the_minimum_of_a_regular_tree() -> None:
    """No order of moves by value chooses among equal moves the one with the smallest proof: here all proofs are
    equal."""
    assert measure(TREES[3], Detent.BEST) == (16 * 14 + 15 - 1,)
    assert bounds(TREES[3]) == Bounds(16 * 15 * 14, 16 * 14 + 15 - 1)


def test_a_stopped_measurement_has_no_figures() -> None:
    control = Control()
    control.stop()
    assert measure(TREES[0], Detent.NATURAL, control) is None
    assert bounds(TREES[0], control) is None


def test_a_tree_that_is_too_large_is_refused_with_an_estimate() -> None:
    job = Job(game="mnk:5,5,4", position="/".join(["....."] * 5), limit=Limit(depth=7))
    with pytest.raises(JobError, match=r"minimax would take about [\d,]+ s"):
        check(job, Detent.NATURAL)
