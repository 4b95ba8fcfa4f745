"""The values of moves, from searches whose results the test gives."""

from engine.job import Job
from engine.play import move_values
from engine.play.move_values import Findings, MoveValue, look, value_of
from engine.registry import game
from engine.result import Counters, End, Number, Result, Snapshot, Value, WorkerInfo
from engine.rules.bits import each
from engine.rules.contract import legal
from tests.engine.naive import EMPTY

LARGE = Job(game="mnk:7,7,5", position="/".join(["......."] * 7))


def found(job: Job, number: Number, end: End = End.COMPLETE, nodes: int = 10) -> Result:
    counters = Counters(nodes=nodes)
    info = Snapshot(counters, Value(number), 4, (4, 8), (), (WorkerInfo(counters, None, ()),), 0.1)
    return Result(job, info, (), (), end)


def test_a_moves_value_is_the_negative_of_what_the_other_side_gets() -> None:
    """A win that is three plies from there is four plies from here. A margin has no plies."""
    job, margin = Job(position=EMPTY), Job(game="othello:8,discs", position="f5")
    assert value_of(job, 0, None, lambda asked: found(asked, 97)) == MoveValue(Value(-96), (0, 4, 8), True)
    assert value_of(job, 0, None, lambda asked: found(asked, -97)) == MoveValue(Value(96), (0, 4, 8), True)
    assert value_of(margin, 18, None, lambda asked: found(asked, 12)) == MoveValue(Value(-12), (18, 4, 8), True)
    assert value_of(job, 0, None, lambda asked: None) is None
    assert value_of(job, 0, None, lambda asked: found(asked, 0, End.NODES)) is None, "it did not finish"


def test_before_a_horizon_only_a_win_or_a_loss_is_proven() -> None:
    job = Job(position=EMPTY)
    values = (0, 0.25, -0.9, 99, -98)
    made = [value_of(job, 0, 4, lambda asked, value=value: found(asked, value, End.HORIZON)) for value in values]
    assert [one is not None and one.proven for one in made] == [False, False, False, True, True]


def test_before_a_horizon_no_margin_is_proven() -> None:
    """By discs, an estimate of 1.76 or 2 is no win."""
    start = game("othello:4,discs").start
    job = Job(game="othello:4,discs", position=game("othello:4,discs").notation.format(start))
    for value in (1.76, 2, -3):
        made = value_of(job, next(each(legal(start))), 4, lambda asked, value=value: found(asked, value, End.HORIZON))
        assert made is not None
        assert not made.proven


def test_the_search_below_a_move_looks_a_ply_less_far() -> None:
    asked: list[Job] = []
    value_of(Job(position=EMPTY), 0, 4, lambda job: asked.append(job))
    assert (asked[0].position, asked[0].limit.depth) == ("x../.../...", 3)


def test_all_searches_together_visit_no_more_than_they_may() -> None:
    """On a board too large for an exact search; a ply ahead there is nothing to search."""
    nodes, limits = 1_000_000, list[int]()

    def solve(job: Job) -> Result:
        limit = job.limit.nodes or 0
        limits.append(limit)
        return found(job, 0, End.HORIZON if limit >= nodes else End.NODES, nodes)

    assert [findings.depth for findings in look(LARGE, solve)] == [1]
    assert limits == [*range(move_values.NODES, 0, -nodes), 1]


def test_a_small_tree_is_searched_to_its_end_move_by_move() -> None:
    moves = [2, 3, 5, 6, 7]
    findings = [*look(Job(position="xo./.x./..o"), lambda job: found(job, 0))]
    assert [[*one.moves] for one in findings] == [moves[: number + 1] for number in range(len(moves))]
    assert findings[-1] == Findings({move: MoveValue(Value(0), (move, 4, 8), True) for move in moves})
