"""The certificate of every cutoff, checked by full search: whatever a pruned move is worth, the root's value stays."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.kernels.worker_memory import CUTOFF
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Schedule, Scoring
from engine.play.pruned_move import search_anyway
from engine.registry import game, soonest
from engine.result import Bound, Number, Result, Value
from engine.rules.bits import each
from engine.rules.contract import UNIT, Position, legal, play
from engine.trace.record import Trace
from engine.trace.why import Certificate, Origin, certificate, pruned_by, to_json, whatever
from engine.trace.widths import Gap
from tests.engine import naive

GAMES = {
    "tictactoe": ("x../o../..x", None),
    "connect-four:7,6": (None, 4),
    "othello": (None, 3),
    "ultimate": (None, 2),
    "mnk:4,4,4": (None, 3),
    "connect6:4,4,4": (None, 4),
    "connect6:3,3,3": ("xoo/.../...", None),
}
"""Games with the position that random ones come from and the depth of the search."""


def interpreted(job: Job) -> Result:
    """Searches without compiled kernels: these trees are small, and no kernel need be compiled for them."""
    return solve(replace(job, backend="interpreted"))


def recorded(root: Position, spec: str, depth: int | None, **asked: Any) -> Trace:
    text, backend = game(spec).notation.format(root), asked.pop("backend", "interpreted")
    job = Job(game=spec, position=text, record=RECORD_ROWS, limit=Limit(depth=depth), **asked)
    result = solve(replace(job, backend=backend))
    assert result.trace is not None
    return result.trace


def cut_rows(trace: Trace) -> list[int]:
    return [row for row in range(len(trace)) if trace.why(row) == CUTOFF]


def value_with(position: Position, line: tuple[int, ...], worth: int, depth: int, ply: int, soonest: bool) -> int:
    """The minimax value of a position, in units, with the subtree at the end of a line replaced by `worth`, its value
    for the side that makes the line's last move."""
    values = []
    for move in each(legal(position)):
        child = play(position, move)
        if (move,) == line:
            values.append(worth)
        elif move == line[0]:
            below = value_with(child, line[1:], worth, depth - 1, ply + 1, soonest)
            values.append(naive.above(position, child, below))
        else:
            below = round(naive.value(child, soonest, depth - 1, ply + 1) * UNIT)
            values.append(naive.above(position, child, below))
    return max(values)


def true_worth(trace: Trace, row: int, sooner: bool, depth: int) -> Number:
    """The value of the move to a row, for the side that makes it."""
    before, after, ply = trace.position(trace.parent(row)), trace.position(row), len(trace.moves(row))
    return naive.above(before, after, naive.value(after, sooner, depth - ply, ply))


def assert_certified(spec: str, trace: Trace, row: int, sooner: bool) -> Certificate:
    """Check that the bound is one, that the proof reaches it, and that no value of a pruned move changes the root's."""
    found, depth = certificate(trace, row), trace.depth or 0
    searched = {trace.move(child) for child in trace.children(row)}
    assert {*found.pruned} == {*each(legal(trace.position(row)))} - searched
    assert found.proof.value.number >= found.beta
    assert found.proof.value.proves_a_move
    if found.holder is not None:
        held, mover = found.holder, game(spec).notation.mover
        assert trace.parent(held.row) == found.ancestor
        by_other = mover(trace.position(trace.parent(held.row))) != mover(trace.position(row))
        assert by_other, "It is a move of the other side."
        assert true_worth(trace, held.row, sooner, depth) >= held.value.number >= -found.beta
    root, before = trace.found(0), naive.value(trace.root, sooner, depth)
    for move in found.pruned:
        for worth in (-100, -1, 0, 1, 100):
            after = value_with(trace.root, (*found.moves, move), worth * UNIT, depth, 0, sooner) / UNIT
            if found.origin is Origin.MOVE:
                assert after == before
            elif found.origin is Origin.ROOT_WINDOW and root is not None:
                assert root.bound is not Bound.LOWER or after >= root.number
                assert root.bound is not Bound.UPPER or after <= root.number
            elif found.again is None:
                assert after == before
    if found.again is None:
        assert whatever(trace, row) == root
    return found


@pytest.mark.parametrize("spec", GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_no_value_of_a_pruned_move_changes_the_root(spec: str, data: st.DataObject) -> None:
    start, depth = GAMES[spec]
    root = data.draw(naive.positions(spec, start))
    name = data.draw(st.sampled_from(["alphabeta", "pvs", "mtdf"]))
    scoring = data.draw(st.sampled_from([soonest(spec), Scoring.TEXTBOOK]))
    fails = [Fail.SOFT] if name == "mtdf" else [*Fail]  # fail-hard MTD(f) comes nearer by one point a pass
    how = {"fail": data.draw(st.sampled_from(fails)), "table": data.draw(st.sampled_from([0.0, 0.01]))}
    trace = recorded(root, spec, depth, algorithm=name, scoring=scoring, **how)
    cut = cut_rows(trace)
    if not cut:
        return
    found = assert_certified(spec, trace, data.draw(st.sampled_from(cut)), scoring is Scoring.SOONEST)
    assert found.origin is not Origin.WORKER
    if name == "alphabeta":
        assert found.origin is Origin.MOVE
        assert pruned_by(trace, (*found.moves, found.pruned[0])) == (found.row, found.pruned[0])


def test_no_bound_comes_from_another_search_of_the_same_move() -> None:
    """The root's b2 is worth 0 in a null window, and is searched again. Below it, a test whether c2 is better than
    -1 cuts a node at 0, which is a guess."""
    root = game("tictactoe").notation.parse("x../o../..x")
    trace = recorded(root, "tictactoe", None, algorithm="pvs", fail=Fail.HARD, table=0.01)
    for row in cut_rows(trace):
        found = assert_certified("tictactoe", trace, row, sooner=False)
        assert found.holder is None or found.holder.move != found.moves[found.ancestor_ply or 0]
    found = certificate(trace, 113)
    assert (found.origin, found.ancestor, found.again) == (Origin.NULL_WINDOW, 92, 129)


@pytest.mark.parametrize("schedule", [Schedule.DYNAMIC, Schedule.CYCLIC])
@pytest.mark.parametrize("split", [1, 2, 3])
def test_bounds_of_several_workers_are_certified(split: int, schedule: Schedule) -> None:
    """With cyclic tasks at ply 3, some cut nodes have moves with a value of beta that is an upper bound."""
    root, how = game("tictactoe").notation.parse(naive.X_ON_A1), {"backend": "threads", "workers": 2, "split": split}
    trace = recorded(root, "tictactoe", None, algorithm="alphabeta", schedule=schedule, **how)
    cut = cut_rows(trace)
    assert all(certificate(trace, row).proof.value.proves_a_move for row in cut)
    assert all(whatever(trace, row) == trace.found(0) for row in cut)
    for row in cut[::37]:
        assert_certified("tictactoe", trace, row, sooner=False)


@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "mtdf"])
def test_a_cutoff_by_a_move_that_is_not_recorded_has_no_certificate(algorithm: str) -> None:
    """Seen in the window at the last row of a full record: a traceback. Of a record of any size, each row on the path
    to its end has a certificate or is told to have none."""
    root = game("tictactoe").notation.parse("X../.O./..X")
    whole, refused = recorded(root, "tictactoe", None, algorithm=algorithm), 0
    for size in range(2, len(whole), 11):
        job = Job(position="X../.O./..X", backend="interpreted", algorithm=algorithm, record=size)
        trace = solve(job).trace
        assert trace is not None
        for row in trace.path(len(trace) - 1):
            if trace.gap(row) is Gap.PRUNED:
                assert certificate(trace, row).proof.value.proves_a_move
            elif trace.why(row) == CUTOFF:
                refused += 1
                with pytest.raises(ValueError, match="is not recorded"):
                    certificate(trace, row)
    assert refused > 10


def test_known_certificates() -> None:
    """The cutoff of the sketch: a3 b1 c1 after a1, by b2 of the root."""
    rules = game("tictactoe")
    name = rules.notation.move_name
    trace = recorded(rules.notation.parse(naive.X_ON_A1), "tictactoe", None, algorithm="alphabeta")
    line = [next(move for move in range(9) if name(move) == word) for word in ("a3", "b1", "c1", "c2")]
    row, move = pruned_by(trace, line)
    found = certificate(trace, row)
    assert [*map(name, found.pruned)] == ["c2", "b3", "c3"]
    assert (name(found.proof.move), found.proof.value) == ("b2", Value(1, Bound.LOWER))
    assert found.holder is not None
    assert (found.ancestor, name(found.holder.move)) == (0, "b2")
    assert (found.holder.value, found.holder.moment) == (Value(0), 3814)
    assert found.is_deep
    assert name(move) == "c2"
    told = json.loads(to_json(found, rules.notation))
    assert (told["pruned"], told["origin"], told["deep"]) == (["c2", "b3", "c3"], "move", True)
    assert (told["holder"]["move"], told["holder"]["value"], told["proof"]["bound"]) == ("b2", 0, "lower")
    assert (told["holder"]["moment"], told["proof"]["moment"]) == (3815, 4148)  # as in the window
    searched = search_anyway(interpreted, Job(position=naive.X_ON_A1, algorithm="alphabeta"), trace, row, move)
    assert searched.number == -naive.value(play(trace.position(row), move))
    for wrong in ([], line[:3], [*line[:3], line[0]]):
        with pytest.raises(ValueError, match="This line"):
            pruned_by(trace, wrong)
    with pytest.raises(ValueError, match="No move is pruned at node 1"):
        certificate(trace, 1)


@pytest.mark.parametrize("scoring", Scoring)
def test_a_pruned_move_is_searched_as_the_rest_was(scoring: Scoring) -> None:
    sooner, seen = scoring is Scoring.SOONEST, set()
    for spec, text, depth in (
        ("connect-four:7,6", "112233", 4),
        ("tictactoe", "x../o../..x", 4),
        ("mnk:3,3,3", "", 5),
        ("connect6:3,3,3", "xoo/.../...", 4),
    ):
        root = game(spec).notation.parse(text) if text else game(spec).start
        trace = recorded(root, spec, depth, algorithm="alphabeta", scoring=scoring)
        job = Job(game=spec, position=game(spec).notation.format(root), limit=Limit(depth=depth), scoring=scoring)
        for row in cut_rows(trace)[::29]:
            ply = len(trace.moves(row)) + 1
            for move in certificate(trace, row).pruned[:2]:
                position = trace.position(row)
                child = play(position, move)
                true = naive.above(position, child, naive.value(child, sooner, depth - ply, ply))
                assert search_anyway(interpreted, job, trace, row, move).number == true
                seen.add(true)
    assert min(seen) < 0 < max(seen)
