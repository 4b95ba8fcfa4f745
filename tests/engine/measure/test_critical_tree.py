"""No search needs fewer leaves than Knuth and Moore's minimum, and the best order comes near to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.job import Job
from engine.measure.critical_tree import critical_leaves, minimal_leaves, regular_leaves
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
from engine.prepare import prepare
from engine.registry import game
from engine.rules.bits import count, each
from engine.rules.contract import is_over, legal, play, plies_bound
from tests.engine import naive


def test_a_regular_tree_has_the_formula_of_1975() -> None:
    """b^ceil(d/2) + b^floor(d/2) - 1: Knuth and Moore (1975), corollary to theorem 1."""
    for width in (1, 2, 3, 40):
        for depth in range(6):
            assert minimal_leaves([width] * depth) == width ** -(-depth // 2) + width ** (depth // 2) - 1


def test_until_somebody_wins_a_game_is_regular_by_ply() -> None:
    job = Job(game="mnk:4,4,4", position="..../..../..../....", limit=Limit(depth=3), evaluate=False)
    assert critical_leaves(prepare(job), 0) == minimal_leaves([16, 15, 14]) == 16 * 14 + 15 - 1


@given(data=st.data())
def test_the_widths_are_those_of_every_position_until_somebody_can_win(data: st.DataObject) -> None:
    """Against all positions of the next plies, none of which but the last may be won."""
    position = data.draw(naive.positions("mnk:4,3,3"))
    plies = data.draw(st.integers(0, min(3, plies_bound(position))))
    edge, widths = {position}, []
    for _ in range(plies):
        widths.append({count(legal(one)) if not is_over(one) else 0 for one in edge})
        edge = {play(one, move) for one in edge if not is_over(one) for move in each(legal(one))}
    found = game("mnk:4,3,3").notation.widths(position, plies)
    assert (found is not None) == all(len(ply) == 1 and ply != {0} for ply in widths)
    assert found is None or [{width} for width in found] == widths


@pytest.mark.parametrize(("spec", "depth"), [("mnk:4,4,4", 3), ("mnk:4,3,3", 4), ("mnk:4,3,3", 5)])
def test_a_regular_tree_needs_what_the_formula_says_and_no_other(spec: str, depth: int) -> None:
    """X can win 4,3,3 with its third stone, on ply 5: a tree of six plies is not regular."""
    start = game(spec).notation.format(game(spec).start)
    for plies in (depth, 6):
        prepared = prepare(Job(game=spec, position=start, limit=Limit(depth=plies), evaluate=False))
        found = regular_leaves(prepared)
        assert (found is None) == (spec == "mnk:4,3,3" and plies == 6)
        if found is not None and plies == depth:
            assert found == critical_leaves(prepared, 0)


@pytest.mark.parametrize(
    ("position", "value", "leaves"),
    [
        ("xox/xxo/o.o", 0, 1),  # one square is left
        ("xox/oxx/o..", 0, 2),  # O holds the draw with c3; that b3 gets no more takes a leaf as well
        ("xxo/oox/x..", 0, 2),  # both of O's moves draw: one is enough for the least, both are needed for the most
    ],
)
def test_small_trees_are_counted_by_hand(position: str, value: int, leaves: int) -> None:
    assert critical_leaves(prepare(Job(position=position)), value) == leaves


def test_the_whole_of_tic_tac_toe_needs_529_leaves() -> None:
    """The minimum is out of 255,168 leaves; alpha-beta in natural order visits 7,330."""
    assert critical_leaves(prepare(Job(position=".../.../...")), 0) == 529


def test_a_sooner_win_is_proved_too() -> None:
    job = Job(position="xx./oo./...", scoring=Scoring.SOONEST)
    assert critical_leaves(prepare(job), 99) is not None


def test_a_position_on_two_plies_has_a_proof_on_each() -> None:
    """Passes make lines to one position unequally long. A count without a memo finds 23 too."""
    job = Job(game="othello:4", position="..../xxx./oxo./.x.. o", limit=Limit(depth=9))
    assert critical_leaves(prepare(job), 300) == 23


def test_a_wrong_value_has_no_proof_and_a_large_tree_no_count() -> None:
    prepared = prepare(Job(position="x../.o./..."))
    assert critical_leaves(prepared, 1) is None
    assert critical_leaves(prepared, 0, most=10) is None
    assert critical_leaves(prepared, 0, stopped=lambda: True) is None
