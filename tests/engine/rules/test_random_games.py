"""The size of a game's tree, estimated from random games."""

from collections import Counter
from random import Random

import pytest

from engine.registry import game
from engine.rules import random_games
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play
from engine.rules.random_games import most_positions, nodes_by_ply

MOST = 2_000
"""Nodes of a tree that a test counts."""


def counted(position: Position) -> list[int]:
    """The nodes of each ply below a position; empty if the tree has more than MOST."""
    ply, counts = [position], list[int]()
    while ply:
        counts.append(len(ply))
        if sum(counts) > MOST:
            return []
        ply = [play(one, move) for one in ply if not is_over(one) for move in each(legal(one))]
    return counts


def late(spec: str, seed: int) -> tuple[Position, list[int]]:
    """The first position of a random game below which all trees have at most MOST nodes, with its counts."""
    dice, positions = Random(seed), [game(spec).start]
    while not is_over(positions[-1]):
        positions.append(play(positions[-1], dice.choice([*each(legal(positions[-1]))])))
    found = positions[-1], [1]
    while counts := counted(position := positions.pop()):
        found = position, counts
    return found


@pytest.mark.parametrize(
    "spec", ["othello", "connect-four:4,4", "ultimate", "connect6:4,3,3", "random-turn", "mnk:4,4,4"]
)
def test_a_tree_has_about_as_many_nodes_as_random_games_suggest(spec: str) -> None:
    for seed in range(3):
        position, counts = late(spec, seed)
        assert sum(counts) / 3 < sum(nodes_by_ply(position)) < 3 * sum(counts)


def test_with_many_games_the_estimate_comes_near_every_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "PLIES", 20_000)
    position, counts = late("othello", 0)
    assert nodes_by_ply.__wrapped__(position) == pytest.approx(counts, rel=0.2)


def test_plies_without_an_end_are_counted_exactly() -> None:
    assert nodes_by_ply(game("tictactoe").start)[:5] == (1, 9, 72, 504, 3024)
    assert nodes_by_ply(game("connect-four").start)[:4] == (1, 7, 49, 343)


def test_a_finished_game_has_one_node() -> None:
    assert nodes_by_ply(game("tictactoe").notation.parse("xxx/oo./...")) == (1,)


def test_games_with_equal_stones_have_trees_of_their_own() -> None:
    three, four = game("mnk:4,4,3").start, game("mnk:4,4,4").start
    assert tuple(three) == tuple(four)
    assert sum(nodes_by_ply(three)) < sum(nodes_by_ply(four))


def test_no_ply_has_more_positions_than_its_bound(reachable: list[Position]) -> None:
    stones = Counter(game("tictactoe").notation.format(position).count(".") for position in reachable)
    bounds = {empty: most_positions(9, 9 - empty) for empty in range(10)}
    assert all(stones[empty] <= bounds[empty] for empty in bounds)
    assert [stones[empty] for empty in (9, 8, 7, 6, 5)] == [bounds[empty] for empty in (9, 8, 7, 6, 5)]
