"""A value is exact or marked as a bound: every value that a search reports is compared with minimax."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends import run, solve
from engine.backends.iterations import merged
from engine.control import Control
from engine.job import RECORD_ROWS, Job, JobError
from engine.options.catalogue import Limit
from engine.options.choices import Fail, Order, Parallel, Schedule, Scoring
from engine.prepare import prepare
from engine.registry import algorithms, game
from engine.result import INFINITY, Bound, Leaf, Number, Result, RootMove, Snapshot, Value, bound_of, known_value
from engine.rules.contract import UNIT
from tests.engine import naive
from tests.engine.naive import TEXTBOOK, X_ON_A1

# Compiled are the kernels of other tests: a compilation takes as long as a hundred of these searches, interpreted.
SERIAL: list[dict[str, Any]] = [
    {},
    {"limit": Limit(depth=3)},
]
INTERPRETED: list[dict[str, Any]] = [
    {"fail": Fail.HARD},
    {"table": 0.001, "deepen": True},
    {"table": 1.0, "fold": True, "fail": Fail.HARD, "deepen": True},
    {"order": (Order.WORST,), "deepen": True},
    {"limit": Limit(depth=4), "table": 0.01, "order": (Order.TABLE, Order.KILLERS, Order.HISTORY)},
    {"deepen": True, "limit": Limit(depth=4), "table": 0.1, "aspiration": 0.01},
]
THREADS: list[dict[str, Any]] = [
    {"workers": 1, "split": 2},
    {"workers": 2, "split": 1},
    {"workers": 3, "split": 3, "schedule": Schedule.CYCLIC},
    {"workers": 3, "split": 3, "parallel": Parallel.YBW},
    {"workers": 2, "split": 2, "table": 1.0, "deepen": True, "algorithm": "alphabeta"},
    {"workers": 2, "split": 1, "parallel": Parallel.LAZY, "table": 1.0, "deepen": True, "algorithm": "alphabeta"},
]


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    """A search by any algorithm, with the options and in the mode that it allows."""
    root = draw(naive.positions("tictactoe", start=draw(st.sampled_from(["x../.o./...", X_ON_A1]))))
    modes = {"serial": SERIAL, "interpreted": INTERPRETED, "threads": THREADS}
    options = draw(st.sampled_from([{"backend": name} | mode for name, some in modes.items() for mode in some]))
    asked = {
        "position": game("tictactoe").notation.format(root),
        "algorithm": draw(st.sampled_from(sorted(algorithms()))),
        "scoring": draw(st.sampled_from(Scoring)),
        "record": RECORD_ROWS,
    }
    try:
        prepare(Job(**asked | options))
    except JobError:
        return Job(**asked)
    return Job(**asked | options)


@pytest.mark.parametrize(
    ("value", "window", "says"),
    [
        (0, (-INFINITY, INFINITY), Bound.EXACT),
        (0, (-1, 1), Bound.EXACT),
        (0, (0, 1), Bound.UPPER),
        (-1, (0, 1), Bound.UPPER),
        (1, (0, 1), Bound.LOWER),
        (0.5, (-0.5, 0.25), Bound.LOWER),
        (0, (0, 0), None),
        (1, (0, -1), Bound.LOWER),
        (0, (1, -1), None),
    ],
)
def test_a_value_inside_its_window_is_exact_and_a_leafs_always(
    value: Number, window: tuple[Number, Number], says: Bound | None
) -> None:
    low, high = window
    assert bound_of(value, low, high) is says
    assert bound_of(-value, -high, -low) == (says and -says), "the same, seen by the other side"
    assert bound_of(value, low, high, Leaf.TABLE) is says
    assert bound_of(value, low, high, Leaf.TERMINAL) is bound_of(value, low, high, Leaf.HORIZON) is Bound.EXACT
    assert bound_of(value, low, high, ended=False) is (Bound.LOWER if value > low else None)


def test_a_value_from_the_horizon_is_an_estimate_even_if_whole() -> None:
    """A margin may be estimated at two whole discs."""
    window = -INFINITY, INFINITY
    assert known_value(2 * UNIT, *window, UNIT, Leaf.HORIZON) == Value(2, is_estimate=True)
    assert known_value(2 * UNIT, *window, UNIT, Leaf.TERMINAL) == Value(2)
    assert known_value(UNIT // 2, 0, UNIT // 4, UNIT) == Value(0.5, Bound.LOWER, True)
    assert known_value(0, 0, 0, UNIT) is None
    assert -Value(0.5, Bound.LOWER, True) == Value(-0.5, Bound.UPPER, True)


@pytest.mark.parametrize("mode", [{}, {"backend": "threads", "workers": 2, "split": 2}], ids=str)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_after_x_on_a1_alpha_beta_knows_two_values_and_minimax_all(name: str, mode: dict[str, Any]) -> None:
    """c2, b3 and c3 looked as good as b2, which draws."""
    result = solve(Job(position=X_ON_A1, algorithm=name, record=RECORD_ROWS, **mode))
    assert result.trace is not None
    (root,) = result.trace.path_nodes(0)
    if name == "minimax":
        assert {child.value.bound for child in root.children} == {Bound.EXACT}
        assert [child.move for child in root.children if child.value.number == 0] == [4]
        return
    assert [child.value.bound for child in root.children if child.move in (1, 4)] == [Bound.EXACT, Bound.EXACT]
    for child in root.children:
        assert child.value.bound is Bound.UPPER or child.move in (1, 4)


def depths(job: Job, info: Snapshot) -> list[int]:
    """The possible depths, in plies, of the running or the last iteration."""
    if not job.deepen:
        return [job.limit.depth or naive.NO_HORIZON]
    done = info.iterations[-1].depth if info.iterations else 1
    return [done, done + 1]


@given(job=jobs())
def test_what_a_record_says_of_any_position(job: Job) -> None:
    result = solve(job)
    trace, depth = result.trace, depths(job, result.info)[0]
    assert trace is not None
    for row in range(0, len(trace), max(1, len(trace) // 30)):
        assert not naive.wrong(job, trace.path_nodes(row), depth)
    assert result.info.value.is_exact
    naive.assert_true(result)


@given(job=naive.interrupted())
def test_what_is_told_of_root_moves_is_so_of_the_depth_that_it_names(job: Job) -> None:
    result = solve(job)
    info, soonest = result.info, job.scoring is Scoring.SOONEST
    root = game(job.game).notation.parse(job.position)
    for found in result.root_moves:
        truth = naive.move_values(root, soonest, found.depth)[found.move]
        assert naive.holds(found.value, truth), found
    assert (info.value is None) == (info.value_depth is None)
    if info.value_depth is not None:
        assert naive.holds(info.value, naive.value(root, soonest, info.value_depth))
    if any(done.value.is_exact for done in info.iterations):
        assert [found.move for found in result.root_moves] == list(naive.move_values(root)), (
            "one iteration has seen all"
        )


def test_two_searches_of_a_depth_say_together_what_neither_does() -> None:
    """MTD(f) closes in from both sides."""
    below, above, worse = (
        RootMove(4, Value(0, Bound.LOWER), 5),
        RootMove(4, Value(0, Bound.UPPER), 5),
        RootMove(4, Value(1, Bound.UPPER), 5),
    )
    assert merged(merged({}, [below]), [above]) == {4: RootMove(4, Value(0, Bound.EXACT), 5)}
    assert merged({4: above}, [worse]) == {4: above}
    assert merged({4: worse}, [above]) == {4: above}
    deeper = RootMove(4, Value(1, Bound.UPPER), 6)
    assert merged({4: RootMove(4, Value(0, Bound.EXACT), 5)}, [deeper]) == {4: deeper}
    assert merged({4: deeper}, []) == {4: deeper}


@given(job=jobs(), steps=st.lists(st.integers(1, 60), min_size=1, max_size=10))
def test_what_a_running_search_says(job: Job, steps: list[int]) -> None:
    """Its steps become longer: a search of 60,000 nodes says what it knows some 150 times."""
    root, control = game(job.game).notation.parse(job.position), Control(paused=True)
    for number, said in enumerate(run(job, control)):
        info = said.info if isinstance(said, Result) else said
        control.step(steps[number % len(steps)] * (1 + number // 6))
        assert any(not naive.wrong(job, info.path, depth) for depth in depths(job, info))
        values = [naive.value(root, job.scoring is Scoring.SOONEST, depth) for depth in depths(job, info)]
        assert info.value is None or any(naive.holds(info.value, value) for value in values)
