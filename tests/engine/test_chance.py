"""Games with chance nodes: a coin, and a loaded die whose outcomes differ in weight and lead to nodes of every kind."""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import registry
from engine.backends import run, solve
from engine.control import Control
from engine.job import RECORD_ROWS, Job, JobError
from engine.kernels.node import mean
from engine.options.catalogue import Limit
from engine.options.choices import Order, Parallel, Scoring
from engine.play.chance import thrown
from engine.play.levels import LEAST_COST, LEVELS, answer, choose, question
from engine.play.move_values import look
from engine.play.recommended import recommended
from engine.play.review import review
from engine.prepare import prepare
from engine.registry import algorithms, examples, game, is_for, suited
from engine.result import Bound, End, Leaf, Result, Snapshot, State
from engine.rules.bits import each
from engine.rules.contract import CHANCE_UNIT, Position, at_chance, is_over, legal, outcomes, play, traits, weight
from engine.search.expectiminimax import negamax
from engine.text.line import goes_on
from engine.trace.raster import ValueKind
from engine.trace.record import Trace
from engine.trace.replay import EventKind, Replay
from engine.trace.widths import Width
from tests.engine import naive
from tests.engine.games.test_every_game import check_interpreted

pytestmark = pytest.mark.usefixtures("again")

BOARDS = {"random-turn:3,3,3": ("xo./.x./..o", "xo./.x./..o o"), "stakes": ("1 0 3 0 0", "0 2 4 3 1")}
"""Of each game a chance node and another node."""
CASES = [(spec, position) for spec, positions in BOARDS.items() for position in positions]
WHOLE = "random-turn:3,3,3"

each_case = pytest.mark.parametrize(("spec", "position"), CASES)


def search(spec: str, position: str, **way: object) -> Job:
    return Job(**{"game": spec, "position": position, "algorithm": "expectiminimax", "backend": "interpreted"} | way)


def interpreted(job: Job) -> Result:
    return solve(replace(job, backend="interpreted"))


def recorded(job: Job) -> Trace:
    trace = solve(replace(job, record=RECORD_ROWS)).trace
    assert trace is not None
    return trace


def error(position: Position) -> float:
    """How much the rounding of averages may change a value: less than a unit at each chance node on a path."""
    known = traits(position)
    return known.plies * known.utility / CHANCE_UNIT


# The search.


@pytest.mark.parametrize("spec", BOARDS)
@settings(max_examples=8)
@given(data=st.data())
def test_the_value_is_the_mean_of_the_outcomes(spec: str, data: st.DataObject) -> None:
    """Node by node in rounded averages, and the root in exact fractions, from positions of any kind."""
    start = BOARDS[spec][0] if spec == WHOLE else None
    position = data.draw(naive.positions(spec, start))
    check_interpreted(spec, position, Scoring.TEXTBOOK)
    found = solve(search(spec, game(spec).notation.format(position))).info.value
    assert found.number == pytest.approx(float(negamax(position)), abs=error(position))
    assert not found.is_estimate


def test_ten_coins_leave_no_remainder() -> None:
    position = game(WHOLE).notation.parse("x.o/.../..x")
    assert solve(search(WHOLE, "x.o/.../..x", table=1.0)).info.value.number == negamax(position)


SHARED = {"limit": Limit(depth=5)}
"""Options of one kernel, which test_speedup.py has too, with horizon leaves and ends of the game below chance nodes."""


def test_the_compiled_kernels_take_the_same_mean() -> None:
    """Of a coin they do in the test of every game, there also with a table."""
    for position in BOARDS["stakes"]:
        naive.assert_true(solve(search("stakes", position, backend="serial", **SHARED)))


@pytest.mark.parametrize(
    "way",
    [
        *({"split": split} for split in (1, 2, 3, 4)),
        {"split": 3, "workers": 3},
        {"split": 4, "parallel": Parallel.YBW},
    ],
    ids=str,
)
def test_threads_find_what_one_worker_finds(way: dict[str, object]) -> None:
    """Chance nodes above the tasks too: their outcomes come from several workers."""
    for position in BOARDS["stakes"]:
        whole = solve(search("stakes", position, **SHARED))
        found = solve(search("stakes", position, **SHARED | {"backend": "threads", "workers": 2} | way))
        assert found.info.value == whole.info.value
        assert (found.info.best, found.info.pv) == (whole.info.best, whole.info.pv)
        values = [[(known.move, known.value) for known in result.root_moves] for result in (whole, found)]
        assert values[0] == values[1]
        assert found.info.counters == whole.info.counters


@each_case
def test_a_table_and_deepening_change_no_value(spec: str, position: str) -> None:
    whole = solve(search(spec, position))
    for way in ({"table": 0.1}, {"table": 0.1, "fold": True}, {"deepen": True}, {"deepen": True, "table": 0.1}):
        found = solve(search(spec, position, **way))
        assert found.info.value == whole.info.value
        assert found.info.best == whole.info.best
        assert found.complete


@given(total=st.integers(-(10**6), 10**6), weights=st.integers(1, 100))
def test_a_mean_is_rounded_towards_zero(total: int, weights: int) -> None:
    assert mean(total, weights) == int(Fraction(total, weights)) == -mean(-total, weights)


def test_only_what_is_certain_counts_as_a_win() -> None:
    """Five of six outcomes win and one almost does: less than a win."""
    assert mean(5 * CHANCE_UNIT + CHANCE_UNIT - 1, 6) == CHANCE_UNIT - 1
    assert mean(6 * CHANCE_UNIT, 6) == CHANCE_UNIT


@each_case
def test_a_line_ends_where_chance_decides(spec: str, position: str) -> None:
    root = game(spec).notation.parse(position)
    for depth in (None, 1, 2, 3):
        info = solve(search(spec, position, limit=Limit(depth))).info
        assert bool(info.pv) == (not at_chance(root))
        last = reduce(play, info.pv, root)
        assert at_chance(last) or is_over(last) or len(info.pv) == depth
        assert not any(map(at_chance, [reduce(play, info.pv[:ply], root) for ply in range(len(info.pv))]))
        assert not goes_on(root, info.pv, info.value_depth)


# What is refused, and what is recommended.


def test_an_algorithm_that_takes_no_averages_is_refused() -> None:
    for name, kind in algorithms().items():
        if not kind.averages:
            with pytest.raises(
                JobError, match=r"takes no averages, which the chance nodes .*: choose Expectiminimax\."
            ):
                prepare(search(WHOLE, "xo./.x./...", algorithm=name))


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ({"scoring": Scoring.SOONEST}, "averages over chance, so sooner is not better"),
        ({"order": (Order.DOMAIN,)}, "Expectiminimax searches all moves, so their order has no effect"),
        ({"deepen": True, "aspiration": 0.5}, "Expectiminimax has no window"),
    ],
)
def test_options_that_mean_nothing_for_averages_are_refused(way: dict[str, object], reason: str) -> None:
    with pytest.raises(JobError, match=reason):
        prepare(search(WHOLE, "xo./.x./...", **way))


def test_every_game_has_an_algorithm_that_is_for_it() -> None:
    for spec in [*examples(), "stakes"]:
        fitting = {name for name in algorithms() if is_for(name, game(spec))}
        assert ("expectiminimax" in fitting) == bool(game(spec).chance) == traits(game(spec).start).chance
        assert {suited(name, game(spec)) for name in algorithms()} == fitting
        assert prepare(recommended(spec, game(spec).notation.format(game(spec).start)))


def test_without_chance_nodes_it_is_minimax() -> None:
    found, minimax = (
        solve(Job(position="x../.o./...", algorithm=name, backend="interpreted"))
        for name in ("expectiminimax", "minimax")
    )
    assert (found.info.value, found.info.pv, found.info.counters) == (
        minimax.info.value,
        minimax.info.pv,
        minimax.info.counters,
    )


# The record.


def nodes(trace: Trace) -> Iterator[tuple[int, Position]]:
    for row in range(len(trace)):
        yield row, reduce(play, trace.moves(row), trace.root)


@each_case
def test_a_record_knows_its_chance_nodes(spec: str, position: str) -> None:
    trace = recorded(search(spec, position, limit=Limit(4)))
    for row, here in nodes(trace):
        assert trace.at_chance(row) == bool(not is_over(here) and outcomes(here))
    assert not trace.unsearched.moves.any()


@each_case
def test_a_chance_node_has_no_best_before_it_has_its_value(spec: str, position: str) -> None:
    trace = recorded(search(spec, position, limit=Limit(4)))
    replay = Replay(trace)
    for moment in range(replay.last + 1):
        event = replay.event(moment)
        path = trace.path(replay.row(moment))
        for row, node in zip(path, replay.path_nodes(moment), strict=True):
            done = [child.value.number for child in node.children if child.value is not None]
            if trace.at_chance(row) and not node.ended:
                assert node.best is None
                assert trace.best(row, moment) is None
            elif done:
                assert node.best is not None
                assert node.best.number == (trace.found(row) or node.best).number or node.best.number == max(done)
        if event.kind is EventKind.LEFT and event.row and trace.at_chance(trace.parent(event.row)):
            assert not event.cut
    assert replay.cutoffs.size == 0
    if trace.at_chance(0):
        assert replay.root_changes.size == 0


@each_case
def test_the_path_of_a_running_search_has_no_best_at_a_chance_node(spec: str, position: str) -> None:
    """After each node, as the window shows a search at a low speed; the values of finished outcomes are known."""
    control, seen = Control(paused=True), 0
    root = game(spec).notation.parse(position)
    job = search(spec, position, limit=Limit(3), record=100)
    control.step(1)
    for news in run(job, control):
        if isinstance(news, Result):
            break
        here = root
        for node in news.path:
            if at_chance(here) and not node.ended:
                assert node.best is None
                seen += any(child.state is State.DONE for child in node.children)
            if node.move is not None:
                here = play(here, node.move)
        control.step(1)
    assert seen


@pytest.mark.parametrize("depth", [None, 4])
def test_an_average_is_exact_unless_estimates_are_in_it(depth: int | None) -> None:
    """In the record, in its picture, and in the answer."""
    result = solve(search(WHOLE, "xo./.x./..o o", limit=Limit(depth), record=RECORD_ROWS))
    trace = result.trace
    assert trace is not None
    found = [value for row in range(len(trace)) if (value := trace.found(row)) and isinstance(value.number, float)]
    assert found
    assert {value.is_estimate for value in found} == {depth is not None}
    kinds = trace.raster(trace.places(Width.VISITED), 0, len(trace), 400).kinds
    assert bool((kinds == ValueKind.ESTIMATE).any()) == (depth is not None)
    assert all(known.value.bound is Bound.EXACT for known in result.root_moves)


def test_a_deepened_search_to_the_end_has_averages_not_estimates() -> None:
    found = solve(search(WHOLE, "xo./.x./..o o", deepen=True)).info
    assert [done.value.is_estimate for done in found.iterations][-1] is False
    assert found.value == solve(search(WHOLE, "xo./.x./..o o")).info.value


# Playing.


def test_outcomes_fall_as_often_as_their_weights_say() -> None:
    start = game("stakes").start
    shares = outcomes(start)
    assert sum(shares.values()) == 1
    assert shares == {move: Fraction(weight(start, move), 6) for move in each(legal(start))}
    fallen = [thrown(start, seed, ()) for seed in range(6_000)]
    for move, share in shares.items():
        assert fallen.count(move) == pytest.approx(6_000 * share, abs=150)


def test_a_throw_depends_on_the_seed_and_the_moves_alone() -> None:
    start = game("stakes").start
    assert thrown(start, 5, (1, 2)) == thrown(start, 5, (1, 2))
    assert len({thrown(start, 5, (move,)) for move in range(50)}) == len(
        {thrown(start, seed, ()) for seed in range(50)}
    )


def test_a_position_without_chance_has_no_outcomes() -> None:
    assert outcomes(game("tictactoe").start) == {}
    assert outcomes(game(WHOLE).notation.parse("xo./.x./..o o")) == {}


def test_move_values_are_averages() -> None:
    job = search(WHOLE, "xo./.x./..o o")
    *_, found = look(job, interpreted)
    root = game(WHOLE).notation.parse(job.position)
    assert found.depth is None
    for move in each(legal(root)):
        child = play(root, move)
        worth = negamax(child) * (1 if is_over(child) or at_chance(child) else -1) * -1
        assert found.moves[move].value.number == float(worth)
        assert found.moves[move].proven
        assert found.moves[move].line == (move,)


def test_a_mistake_on_purpose_costs_something_on_average() -> None:
    job = search(WHOLE, "xo./.x./..o o")
    result = solve(job)
    worth = {known.move: known.value.number for known in result.root_moves}
    most = max(worth.values())
    beginner = LEVELS["Beginner"]
    chosen = [choose(beginner, result, Random(seed)) for seed in range(60)]
    mistakes = [choice for choice in chosen if choice.best is not None]
    assert mistakes
    assert len(mistakes) < len(chosen)
    assert all(LEAST_COST <= most - worth[choice.move] <= beginner.size for choice in mistakes)
    assert {worth[choice.move] for choice in chosen if choice.best is None} == {most}


def test_the_strongest_level_plays_a_best_move() -> None:
    result = interpreted(question(LEVELS["Strongest"], search(WHOLE, "xo./.x./..o o")))
    choice = answer(LEVELS["Strongest"], result, 1, interpreted)
    assert result.end is End.COMPLETE
    assert choice is not None
    assert (choice.move, choice.value) == (result.info.best, result.info.value)


def test_a_game_of_chance_has_no_decisive_mistake() -> None:
    """No move decides the outcome alone, so none is named."""
    played, moves, position = game(WHOLE), list[int](), game(WHOLE).start
    dice = Random(3)
    while not is_over(position):
        moves.append(dice.choice([*each(legal(position))]))
        position = play(position, moves[-1])
    assert review(played, played.start, moves, solve) is None


def test_the_numbers_of_a_chance_game_stay_within_a_row() -> None:
    for spec in ["stakes", *(spec for spec in examples() if registry.game(spec).chance)]:
        unit = prepare(search(spec, game(spec).notation.format(game(spec).start))).unit
        most = unit * traits(game(spec).start).utility
        assert unit * 300 >= most  # an estimate keeps its place
        assert np.iinfo(np.int16).max > most


def test_a_snapshot_of_a_chance_root_has_no_best_move() -> None:
    result = solve(search(WHOLE, "xo./.x./..o"))
    assert isinstance(result.info, Snapshot)
    assert (result.info.best, result.info.pv) == (None, ())
    assert [known.value.number for known in result.root_moves] == [0.5, -0.5]
    assert result.info.value.number == 0
    assert Leaf.TABLE not in {known.leaf for node in result.info.path for known in node.children}
