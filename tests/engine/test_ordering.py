"""Move ordering: good orders visit less, and none less than Knuth and Moore's minimum."""

import subprocess
import sys
from collections.abc import Sequence
from math import prod
from pathlib import Path

import pytest

from engine.backends import solve
from engine.job import Job, JobError, Limit, Order
from engine.result import Counters
from tests.engine.naive import EMPTY

ROOT = Path(__file__).parents[2]


def counted(*order: Order, depth: int = 4, position: str = EMPTY, seed: int = 0) -> Counters:
    job = Job(position=position, algorithm="alphabeta", order=order, seed=seed, limit=Limit(depth=depth))
    return solve(job).info.counters


def least_leaves(widths: Sequence[int]) -> int:
    """Of a tree in which all positions of a ply have as many moves.

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


@pytest.mark.parametrize(
    "options",
    [
        ["--game", "mnk:8,8,1", "--order", "killers"],
        ["--game", "mnk:8,8,2", "--order", "killers,history", "--deepen", "--nodes", "2000000"],
    ],
)
def test_the_killers_of_64_plies_have_room(options: list[str]) -> None:
    """In a process of its own: a write beyond them changed an address of the table's, and the process ended."""
    command = [sys.executable, "-m", "main", "solve", "--algorithm", "mtdf", "--table", "1", *options]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
