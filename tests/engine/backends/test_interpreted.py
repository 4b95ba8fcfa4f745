"""The interpreted backend does what the compiled kernels do, without the compiler."""

import subprocess
import sys
from functools import reduce
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace

from engine import backends
from engine.backends import allocate, solve
from engine.backends.local import ONE_ENTRY
from engine.control import Control
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Order, Replacement, Scoring
from engine.registry import algorithms, game
from engine.result import End, Result, Snapshot
from engine.rules.contract import Position, play
from tests.engine import naive
from tests.engine.naive import EMPTY, X_ON_A1, rows_of

ROOT = Path(__file__).parents[3]


def interpreted(job: Job) -> Result:
    return solve(replace(job, backend="interpreted"))


def on_the_stack(job: Job) -> Result:
    """The result by the stack alone, without the recursion below it."""
    with mock.patch.object(allocate, "subtree_sizes", lambda search, *_: [1 << 60] * (search.horizon + 1)):
        return interpreted(job)


def in_slices(job: Job, nodes: int) -> Result:
    """The result of a search in slices of that many nodes."""
    control = Control(paused=True)
    for message in backends.run(replace(job, backend="interpreted"), control):
        if isinstance(message, Result):
            return message
        control.step(nodes)
    raise AssertionError("no result")


def assert_same(found: Result, compiled: Result) -> None:
    assert found.trace is not None
    assert compiled.trace is not None
    assert rows_of(found.trace) == rows_of(compiled.trace)
    assert found.info.counters == compiled.info.counters
    assert (found.info.value, found.info.pv) == (
        compiled.info.value,
        compiled.info.pv,
    )
    assert (found.root_moves, found.end) == (compiled.root_moves, compiled.end)


@pytest.mark.parametrize("slices", [1, 100, 10_000])
@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("name", ["minimax", "alphabeta", "pvs"])
def test_the_interpreter_visits_the_same_nodes(
    name: str, scoring: Scoring, slices: int, reachable: list[Position]
) -> None:
    for root in reachable[1500::800]:
        text = game("tictactoe").notation.format(root)
        job = Job(position=text, algorithm=name, scoring=scoring, record=10_000)
        found, kind = in_slices(job, slices), algorithms()[name]
        assert found.trace is not None
        again = kind.options.searches_again
        assert rows_of(found.trace) == naive.record(root, kind.prunes, scoring is Scoring.SOONEST, repeats=again)
        assert_same(found, solve(job))


@pytest.mark.parametrize("name", ["alphabeta", "pvs"])
@pytest.mark.parametrize(
    "aids",
    [
        {"table": ONE_ENTRY, "order": (Order.DOMAIN, Order.KILLERS)},
        {"table": 0.01, "fold": True, "order": (Order.TABLE, Order.HISTORY), "replacement": Replacement.DEEPER},
        {"order": (Order.RANDOM,), "seed": 7},
    ],
    ids=str,
)
def test_the_interpreter_searches_with_a_table_and_an_order(
    aids: dict[str, Any], name: str, reachable: list[Position]
) -> None:
    for root in reachable[400:1000:150]:
        text = game("tictactoe").notation.format(root)
        job = Job(position=text, algorithm=name, record=10_000, limit=Limit(depth=4), **aids)
        compiled = solve(job)
        assert_same(interpreted(job), compiled)
        assert_same(on_the_stack(job), compiled)


@pytest.mark.parametrize(
    ("spec", "moves", "asked"),
    [
        ("mnk:8,8,5", (63, 62, 61, 60), {"table": 0.1, "limit": Limit(depth=2)}),  # bit 63 of a set
        ("mnk:8,4,4", (31, 30), {"table": 0.1, "limit": Limit(depth=2)}),  # bit 63 of a key
        ("connect-four:2,6", (), {}),  # a line longer than a word
    ],
)
def test_the_interpreter_has_the_words_of_the_kernels(spec: str, moves: tuple[int, ...], asked: dict[str, Any]) -> None:
    root = reduce(play, moves, game(spec).start)
    job = Job(game=spec, position=game(spec).notation.format(root), algorithm="alphabeta", record=10_000, **asked)
    naive.assert_true(on_the_stack(job))


def test_it_does_not_load_the_compiler() -> None:
    code = f"""
import sys
from engine.backends import solve
from engine.job import Job
print(solve(Job(position="{X_ON_A1}", algorithm="alphabeta", backend="interpreted")).info.counters.nodes)
assert "numba" not in sys.modules
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout == "2338\n"


def test_its_counters_are_live_and_it_stops_soon() -> None:
    control, counted = Control(), []
    for message in backends.run(Job(position=EMPTY, backend="interpreted"), control):
        if isinstance(message, Snapshot):
            counted.append(message.counters.nodes)
            if len(counted) == 4:
                control.stop()
        else:
            assert message.end is End.STOPPED
            assert message.info.counters.nodes == counted[-1] < 100_000
    assert counted == sorted({*counted})
