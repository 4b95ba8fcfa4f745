"""Move ordering: good orders visit fewer leaves, and none fewer than Knuth and Moore's minimum."""

import subprocess
import sys
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.backends.allocate import make_aids
from engine.job import Job, JobError
from engine.kernels.ordering import MIRRORED, choose, note_cutoff
from engine.kernels.transposition import SearchAids
from engine.kernels.worker_memory import crew_memory, memory_of
from engine.options.catalogue import Limit
from engine.options.choices import Order
from engine.prepare import prepare
from engine.registry import game
from engine.result import Counters
from engine.rules.bits import each
from engine.rules.contract import legal
from tests.engine.naive import EMPTY

ROOT = Path(__file__).parents[3]


def counted(*order: Order, depth: int = 4, position: str = EMPTY, seed: int = 0) -> Counters:
    asked = Job(position=position, algorithm="alphabeta", order=order, seed=seed, limit=Limit(depth=depth))
    job = replace(asked, record=int(asked.order != ()))  # with the kernels of others
    return solve(job).info.counters


def least_leaves(widths: Sequence[int]) -> int:
    """The minimum of leaves of a tree in which all positions of a ply have the same number of moves.

    Source: D. Knuth and R. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975).
    """
    return prod(widths[::2]) + prod(widths[1::2]) - 1


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_best_first_visits_just_the_minimum(depth: int) -> None:
    """Nobody can win within four plies, so the tree is as wide everywhere."""
    least = least_leaves(range(9, 9 - depth, -1))
    assert counted(Order.BEST, depth=depth).horizon == least
    for order in (Order.DOMAIN, Order.RANDOM, Order.WORST, Order.KILLERS, Order.HISTORY):
        assert counted(order, depth=depth).horizon >= least


@pytest.mark.parametrize("depth", [4, 6, 8])
@pytest.mark.parametrize("position", [EMPTY, "x../.o./...", "xo./.../..."])
def test_worst_first_visits_most_and_best_first_least(position: str, depth: int) -> None:
    best, worst = (counted(order, depth=min(depth, 6), position=position).nodes for order in (Order.BEST, Order.WORST))
    natural = solve(Job(position=position, algorithm="alphabeta", limit=Limit(depth=min(depth, 6)))).info.counters.nodes
    assert best <= natural <= worst


def test_a_random_order_follows_from_its_seed() -> None:
    assert counted(Order.RANDOM, seed=3) == counted(Order.RANDOM, seed=3)
    assert len({counted(Order.RANDOM, seed=seed).nodes for seed in range(6)}) > 1


def test_natural_is_what_is_searched_where_nothing_is_said() -> None:
    assert counted(Order.NATURAL) == counted()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"order": (Order.DOMAIN, Order.RANDOM)}, "only one base order"),
        ({"algorithm": "minimax", "order": (Order.DOMAIN,)}, "searches all moves"),
        ({"order": (Order.TABLE,)}, "needs a transposition table"),
        ({"aspiration": 0.5}, "needs the value of a shallower search"),
        ({"algorithm": "minimax", "deepen": True, "aspiration": 0.5}, "has no window"),
        ({"backend": "threads", "parallel": "lazy"}, "share only the table"),
        ({"backend": "mpi", "deepen": True}, "search the root only once"),
        ({"backend": "mpi", "order": (Order.BEST,)}, "do not have the true values"),
        ({"game": "mnk:5,5,4", "position": "/".join(["....."] * 5), "order": (Order.BEST,)}, "choose a lower depth"),
    ],
    ids=str,
)
def test_what_does_not_fit_together_is_refused_with_one_sentence(asked: dict[str, object], reason: str) -> None:
    with pytest.raises(JobError, match=reason) as refused:
        solve(Job(**({"position": EMPTY, "algorithm": "alphabeta"} | asked)))  # type: ignore[arg-type]
    assert str(refused.value).endswith(".")


def test_the_killers_of_64_plies_have_room() -> None:
    """In a process of its own: a write past the killers changed the table's address, and the process crashed. The
    kernel is that of test_every_game.py."""
    options = "--game connect6:8,8 --algorithm mtdf --table 1 --order killers,history --deepen --nodes 50000 --record 1"
    command = [sys.executable, "-m", "main", "solve", *options.split()]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_a_killer_beyond_the_plies_left_is_beyond_its_array() -> None:
    """In an earlier layout the table's address lay behind the killers, and no check saw the write."""
    aids = aids_of(Order.KILLERS)
    note_cutoff(aids, 9, 3)
    with pytest.raises(IndexError):
        note_cutoff(aids, 10, 3)


def aids_of(*order: Order, **asked: Any) -> SearchAids:
    """The search aids of a search with this order, for the interpreter; without any cutoff so far."""
    aids = make_aids(prepare(Job(position=EMPTY, algorithm="alphabeta", order=order, **asked)))
    assert aids is not None
    own = memory_of(crew_memory(1, [0] * 10), 0)
    return aids._replace(history=own.history, killers=own.killers)


def order_of(aids: SearchAids, left: int = 4, hint: int = -1, position: str = EMPTY) -> list[int]:
    """All moves of a position, in search order."""
    at = game("tictactoe").notation.parse(position)
    todo, found = legal(at), []
    while todo:
        found.append(choose(aids, at, todo, left, hint))
        todo &= ~(1 << found[-1])
    return found


def test_of_equal_moves_the_lowest_comes_first_or_if_mirrored_last() -> None:
    aids = aids_of(Order.KILLERS)
    assert order_of(aids) == [*range(9)]
    assert order_of(aids._replace(order=aids.order | MIRRORED)) == [*reversed(range(9))]
    assert order_of(aids_of(Order.DOMAIN)) == [4, 0, 2, 6, 8, 1, 3, 5, 7], "on 4, 3 and 2 lines"


def test_the_last_two_moves_that_cut_with_as_many_plies_left_come_first() -> None:
    aids = aids_of(Order.KILLERS)
    for move, first in ((7, [7, 0, 1]), (2, [2, 7, 0]), (2, [2, 7, 0]), (5, [5, 2, 0]), (2, [2, 5, 0])):
        note_cutoff(aids, 4, move)
        assert order_of(aids)[:3] == first
        assert order_of(aids, left=3) == order_of(aids, left=5) == [*range(9)]


def test_history_counts_each_cutoff_by_the_square_of_the_plies_left() -> None:
    """Two cutoffs with two plies left weigh less than one with three; three weigh more."""
    aids = aids_of(Order.HISTORY)
    for left, move in ((2, 5), (2, 5), (3, 7)):
        note_cutoff(aids, left, move)
    assert order_of(aids)[:3] == [7, 5, 0]
    note_cutoff(aids, 2, 5)
    assert order_of(aids)[:3] == [5, 7, 0]


def test_the_tables_move_comes_first_and_the_killers_second() -> None:
    aids = aids_of(Order.DOMAIN, Order.TABLE, Order.KILLERS, Order.HISTORY, table=1.0)
    for left, move in ((8, 1), (4, 3), (4, 5)):
        note_cutoff(aids, left, move)
    assert order_of(aids, hint=7) == [7, 5, 3, 1, 4, 0, 2, 6, 8]


def test_a_move_that_wins_is_best_first_and_worst_last() -> None:
    """Where the oracle has no value, too."""
    position = "xx./oo./..."
    assert order_of(aids_of(Order.BEST), position=position)[0] == 2
    assert order_of(aids_of(Order.WORST), position=position)[-1] == 2


def test_another_seed_is_another_order() -> None:
    orders = [tuple(order_of(aids_of(Order.RANDOM, seed=seed))) for seed in range(20)]
    assert len({*orders}) > 15
    assert orders[3] == tuple(order_of(aids_of(Order.RANDOM, seed=3)))
    assert {*map(tuple, map(sorted, orders))} == {tuple(each((1 << 9) - 1))}
