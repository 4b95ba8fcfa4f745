"""The tidy drawing of small trees: nothing overlaps, and each node is above the middle of its children."""

from collections import defaultdict
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.options.catalogue import Limit
from engine.registry import game
from engine.trace.record import Trace
from engine.trace.tidy_tree import SMALL, around, tidy_tree
from tests.engine import naive


def record(spec: str = "tictactoe", position: str = "", **asked: Any) -> Trace:
    found = game(spec)
    text = position or found.notation.format(found.start)
    trace = solve(Job(game=spec, position=text, backend="interpreted", record=RECORD_ROWS, **asked)).trace
    assert trace is not None
    return trace


def assert_tidy(trace: Trace, row: int) -> None:
    made, top = tidy_tree(trace, row), trace.index.ply(row)
    plies = defaultdict(list)
    for node, x in made.x.items():
        plies[trace.index.ply(node) - top].append(x)
        below = [made.x[child] for child in trace.children(node)]
        below += [made.stubs[node]] if node in made.stubs else []
        assert (node in made.stubs) == (trace.unsearched.moves[node] > 0)
        assert below == sorted(below), "in the order of the search"
        assert not below or x == pytest.approx((below[0] + below[-1]) / 2)
    for owner, x in made.stubs.items():
        plies[trace.index.ply(owner) + 1 - top].append(x)
    for places in plies.values():
        assert all(right - left > 1 - 1e-9 for left, right in pairwise(sorted(places)))
    everywhere = [x for places in plies.values() for x in places]
    assert (min(everywhere), max(everywhere)) == (pytest.approx(0), pytest.approx(made.width))
    assert (set(made.x), made.plies) == (set(range(row, trace.end(row))), max(plies))


@settings(max_examples=20)
@given(job=naive.interrupted())
def test_nodes_never_overlap_and_parents_stand_above_the_middle(job: Job) -> None:
    """Searches that were stopped, that prune, that search a move twice."""
    trace = solve(job).trace
    assert trace is not None
    if len(trace):  # a limit may end a search on threads before its first node
        assert_tidy(trace, around(trace, len(trace) - 1))


@pytest.mark.parametrize(
    ("spec", "algorithm", "depth"), [("mnk:4,4,4", "alphabeta", 3), ("random-turn:3,3,3", "expectiminimax", 4)]
)
def test_the_small_trees_of_other_games_are_tidy(spec: str, algorithm: str, depth: int) -> None:
    """Of games whose records other tests follow, too: the kernels for that are compiled for each game."""
    assert_tidy(record(spec, algorithm=algorithm, limit=Limit(depth=depth)), 0)


def test_subtrees_are_as_close_as_can_be() -> None:
    """Two leaves under each of two siblings: four places. A leaf beside a deep subtree takes one."""
    trace = record(position="xo./xo./..x", limit=Limit(depth=2))
    made = tidy_tree(trace, 0)
    deepest = [row for row in made.x if trace.index.ply(row) == made.plies]
    assert made.width == len(deepest) - 1


def test_of_a_larger_tree_the_subtree_around_a_row_is_drawn() -> None:
    trace = record(position="x../.o./...")
    assert trace.end(0) > SMALL
    with pytest.raises(ValueError, match="room for 2,000"):
        tidy_tree(trace, 0)
    for row in (0, 1, 500, len(trace) - 1):
        top = around(trace, row)
        assert top <= row < trace.end(top) or row == 0
        assert trace.end(trace.parent(top)) - trace.parent(top) > SMALL
