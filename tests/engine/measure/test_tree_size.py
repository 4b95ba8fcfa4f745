"""The expected cost of a search, before it begins."""

import math

import pytest

from engine.job import Job
from engine.measure.tree_size import depth_in, depth_within, expected_nodes, is_long
from engine.options.catalogue import Limit
from engine.options.choices import Order
from tests.engine.naive import EMPTY, X_ON_A1

LARGE = Job(game="mnk:7,7,5", position="/".join(["......."] * 7), algorithm="alphabeta")


def test_minimax_is_expected_to_visit_the_whole_tree() -> None:
    assert expected_nodes(Job(position=EMPTY)) == pytest.approx(549_946, rel=0.2)
    assert expected_nodes(Job(position=X_ON_A1)) == pytest.approx(59_705, rel=0.2)
    assert expected_nodes(Job(position=EMPTY, limit=Limit(depth=2))) == 1 + 9 + 72
    assert expected_nodes(Job(position=EMPTY), depth=1) == 1 + 9


def test_pruning_a_table_and_symmetries_each_make_it_less() -> None:
    minimax, alphabeta = Job(position=EMPTY), Job(position=EMPTY, algorithm="alphabeta")
    assert expected_nodes(alphabeta) == pytest.approx(expected_nodes(minimax) ** 0.65)
    positions = sum(math.comb(9, ply) * math.comb(ply, ply // 2) for ply in range(10))
    assert expected_nodes(Job(position=EMPTY, table=1.0)) == positions
    assert expected_nodes(Job(position=EMPTY, table=1.0, fold=True)) == positions / 8


def test_what_has_a_limit_of_nodes_or_time_is_never_long() -> None:
    assert is_long(LARGE)
    assert is_long(Job(game=LARGE.game, position=LARGE.position, algorithm="alphabeta", limit=Limit(depth=20)))
    for limit in (Limit(nodes=1000), Limit(seconds=1.0), Limit(depth=4)):
        assert not is_long(Job(game=LARGE.game, position=LARGE.position, algorithm="alphabeta", limit=limit))
    assert not is_long(Job(position=EMPTY))


def test_the_depth_offered_is_the_greatest_expected_to_fit() -> None:
    depth = depth_within(LARGE, 1e6)
    assert expected_nodes(LARGE, depth) <= 1e6 < expected_nodes(LARGE, depth + 1)
    assert depth_within(LARGE, 0) == 1
    assert depth_within(Job(position=EMPTY), math.inf) == 9
    aided = Job(game=LARGE.game, position=LARGE.position, algorithm="alphabeta", order=(Order.KILLERS,))
    assert depth_in(aided, 10) < depth_in(LARGE, 10), "what is looked up at each node takes longer"
