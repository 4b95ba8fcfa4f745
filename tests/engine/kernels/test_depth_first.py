"""Every kernel against its textbook twin, node by node, and the known counts of 3 x 3."""

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.kernels.subtree import subtree_sizes
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Scoring
from engine.prepare import prepare
from engine.registry import algorithms, game
from engine.result import Counters, Result, in_wins
from engine.rules.contract import plies_bound
from engine.search import alphabeta, minimax
from tests.engine import naive
from tests.engine.naive import EMPTY, X_ON_A1

NODES = 5_000
"""About the number of nodes that the twin may visit in one example."""


def rows_of(result: Result) -> list[naive.Row]:
    assert result.trace is not None
    return naive.rows_of(result.trace)


def recorded(**asked: Any) -> Result:
    return solve(Job(record=RECORD_ROWS, **asked))


def assert_same_nodes(result: Result) -> None:
    """Compare node by node: move, reason of the end, window, value, end of the subtree. Of several iterations the
    last."""
    _, root, soonest, depth = naive.prepared(result)
    job = result.job
    searched = naive.passes(root, job.algorithm, soonest, depth, job.fail is Fail.HARD)
    assert rows_of(result) == searched[-1]
    assert result.info.counters == sum((naive.counted(root, rows) for rows in searched), Counters())
    assert result.info.value.number == in_wins(searched[-1][0].value, naive.unit_of(root, depth))


def depths(spec: str, root: Any) -> list[int]:
    """The depth limits at which plain minimax visits about NODES."""
    found, nodes = [1], plies_bound(root)
    while len(found) < plies_bound(root) and nodes * (plies_bound(root) - len(found)) <= NODES:
        nodes *= plies_bound(root) - len(found)
        found.append(found[-1] + 1)
    return found


@pytest.mark.parametrize("name", algorithms())
def test_a_whole_tree_node_by_node(name: str) -> None:
    """That of the empty board; without pruning, where the twin takes seconds, that after two moves."""
    assert_same_nodes(recorded(position=EMPTY if algorithms()[name].prunes else "x../.o./...", algorithm=name))


def test_the_empty_board_node_by_node_where_sooner_is_better() -> None:
    assert_same_nodes(recorded(position=EMPTY, algorithm="alphabeta", scoring=Scoring.SOONEST))


@pytest.mark.parametrize(("name", "spec"), [*product(algorithms(), ["tictactoe"]), ("alphabeta", "mnk:4,4,4")])
@given(data=st.data())
def test_any_position_to_any_depth_node_by_node(name: str, spec: str, data: st.DataObject) -> None:
    """4 x 4 always with a horizon: no other test has the kernel of whole trees."""
    root = data.draw(naive.positions(spec))
    within = depths(spec, root)
    if spec != "tictactoe":
        assume(plies_bound(root) > 1)
        within = [depth for depth in within if depth < plies_bound(root)]
    depth = data.draw(st.sampled_from(within))
    result = recorded(
        game=spec,
        position=game(spec).notation.format(root),
        algorithm=name,
        scoring=data.draw(st.sampled_from(Scoring)),
        limit=Limit(depth=depth),
    )
    assert_same_nodes(result)
    naive.assert_true(result)


def test_the_textbook_forms_agree_with_each_other_and_with_the_kernels(reachable: list[Any]) -> None:
    for root in reachable[200::150]:
        text = game("tictactoe").notation.format(root)
        for module in (minimax, alphabeta):
            info = solve(Job(position=text, algorithm=module.ALGORITHM.name)).info
            assert module.maximise(root) == (info.best, info.value.number)
            assert module.negamax(root) == info.value.number
            move, value = module.minimise(root)
            assert (move, -value) == (info.best, info.value.number)


def test_alphabeta_in_a_window_bounds_the_value(reachable: list[Any]) -> None:
    """The textbook's promise: inside the window the value is exact, outside it is a bound."""
    for root in reachable[::7]:
        truth = naive.value(root)
        for alpha, beta in ((-1, 0), (0, 1), (-1, 1)):
            value = alphabeta.negamax(root, alpha, beta)
            assert value == truth if alpha < value < beta else value >= truth if value <= alpha else value <= truth
            assert alphabeta.maximise(root, alpha, beta)[1] == value
            assert -alphabeta.minimise(root, -beta, -alpha)[1] == value


@pytest.mark.parametrize(
    ("position", "name", "expected"),
    [
        # nodes, terminals, horizon, cutoffs, moves pruned, depth: the counts of issue 3.
        (EMPTY, "minimax", Counters(549_946, 255_168, 0, 0, 0, 9)),
        (EMPTY, "alphabeta", Counters(18_297, 7_330, 0, 4_237, 6_930, 9)),
        (X_ON_A1, "alphabeta", Counters(2_338, 929, 0, 624, 1_126, 8)),
    ],
)
def test_the_known_counts(position: str, name: str, expected: Counters) -> None:
    """Those of the same board as a size of mnk: tests/engine/cli/test_cli.py."""
    assert solve(Job(position=position, algorithm=name)).info.counters == expected


def test_minimax_visits_59705_nodes_after_x_on_a1() -> None:
    """The count of issue 3."""
    assert solve(Job(position=X_ON_A1)).info.counters.nodes == 59_705


@pytest.mark.parametrize(("depth", "begins"), [(5, None), (8, 4)])
def test_a_subtree_has_no_more_leaves_than_the_packed_counts_hold(depth: int, begins: int | None) -> None:
    """Four plies below 20 empty squares have 116,280 leaves, below 17 there are 57,120. In 16 bits the horizon leaves
    of the first became cutoffs."""
    prepared = prepare(Job(game="mnk:5,5,4", position="x..../...../.o..x/...../....o", limit=Limit(depth=depth)))
    sizes = subtree_sizes(prepared.search, prepared.position, records=False, aided=False)
    small = {ply: nodes for ply, nodes in enumerate(sizes) if nodes < 1 << 60}
    assert small == ({} if begins is None else {begins: 17 + 17 * 16 + 17 * 16 * 15 + 17 * 16 * 15 * 14})
