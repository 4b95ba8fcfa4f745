"""Iterative deepening: each iteration is a search to that depth, and an interrupted search still has a good move."""

import re
import threading
from importlib.resources import files
from itertools import cycle, pairwise
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from engine.backends import run, solve
from engine.backends.dealing import dealing
from engine.backends.iterations import Iterations
from engine.backends.local import conclude
from engine.backends.serial import run_slice
from engine.backends.slicing import Slices
from engine.backends.snapshot import snapshot
from engine.control import Control
from engine.job import Job
from engine.kernels import task_tree
from engine.options.catalogue import Limit
from engine.options.choices import Order, Scoring
from engine.prepare import prepare
from engine.registry import algorithms, game
from engine.result import INFINITY, Bound, End, Result, Snapshot, Value
from engine.rules.bits import each
from engine.rules.contract import WIN, Position, is_over, legal, play, plies_bound
from tests.engine import naive

PRUNING = [name for name, kind in algorithms().items() if kind.prunes]
WAYS: list[dict[str, Any]] = [
    {"order": (Order.DOMAIN,)},
    {"table": 1.0, "order": (Order.TABLE,), "aspiration": 0.1},
    {"table": 1.0, "fold": True, "order": (Order.TABLE, Order.KILLERS, Order.HISTORY)},
]
POSITIONS = ["x../.../...", "x../.o./...", "xo./.../.x."]


def jobs(name: str) -> list[Job]:
    """Jobs for three positions, each with other options. MTD(f) has windows of its own."""
    found = [
        Job(position=position, algorithm=name, deepen=True, record=1, **way)
        for position, way in zip(POSITIONS, WAYS, strict=True)
    ]
    return [replace(job, aspiration=None) for job in found] if algorithms()[name].guesses else found


def parsed(job: Job) -> Position:
    return game(job.game).notation.parse(job.position)


@pytest.mark.parametrize("name", PRUNING)
def test_iterations_are_searches_of_depth_1_2_3_and_so_on(name: str) -> None:
    for job in jobs(name):
        result, root = solve(job), parsed(job)
        naive.assert_true(result)
        found = result.info.iterations
        assert [*dict.fromkeys(done.depth for done in found)] == [*range(1, plies_bound(root) + 1)]
        assert all(after.depth - before.depth in (0, 1) for before, after in pairwise(found))
        for done in found:
            truth = naive.value(root, depth=done.depth)
            if done.value.is_exact:
                assert done.value.number == truth
            else:
                assert done.value.number >= truth if done.value.number <= done.alpha else done.value.number <= truth
        last = {done.depth: done for done in found}
        assert all(done.value.number == naive.value(root, depth=depth) for depth, done in last.items())


@pytest.mark.parametrize("name", PRUNING)
@pytest.mark.parametrize("scoring", Scoring)
def test_a_proven_win_or_loss_is_the_last_iteration(name: str, scoring: Scoring) -> None:
    """Deeper iterations could not change the value."""
    for position, plies, sign in (("xx./oo./...", 1, 1), ("x.x/.o./o.x", 2, -1), ("x.o/.../x..", 4, -1)):
        job = Job(position=position, algorithm=name, deepen=True, scoring=scoring, record=1)
        result = solve(job)
        assert result.info.iterations[-1].depth == plies
        assert result.info.value.number == (sign if scoring is Scoring.TEXTBOOK else sign * (WIN - plies))
        assert (result.info.value.bound, result.end) == (Bound.EXACT, End.HORIZON)


@pytest.mark.parametrize("name", PRUNING)
def test_an_iteration_says_its_window(name: str) -> None:
    """The window is open, or this wide around the last value, or null for MTD(f)."""
    for job in jobs(name):
        for done in solve(job).info.iterations:
            assert -INFINITY <= done.alpha < done.beta <= INFINITY
            if algorithms()[name].guesses:
                assert done.beta - done.alpha == pytest.approx(1 / naive.UNIT)
            elif job.aspiration is None:
                assert (done.alpha, done.beta) == (-INFINITY, INFINITY)


@pytest.mark.parametrize("name", PRUNING)
def test_the_effective_branching_factor_solves_its_equation(name: str) -> None:
    for done in solve(jobs(name)[0]).info.iterations:
        width = done.branching
        assert sum(width**ply for ply in range(done.depth + 1)) == pytest.approx(done.counters.nodes)


def assert_as_good(result: Result, name: str) -> None:
    """Check that the move is legal, and no worse than that of the last finished iteration, at the unfinished one's
    depth."""
    root, info = parsed(result.job), result.info
    finished = [done for done in info.iterations if done.pv and (done.value.is_exact or algorithms()[name].guesses)]
    if info.best is None:
        assert not finished
        return
    assert legal(root) >> info.best & 1
    if finished and info.best != finished[-1].pv[0]:
        depth = min(plies_bound(root), info.iterations[-1].depth + 1)
        truths = [naive.move_values(root, depth=seen) for seen in (depth, depth - 1) if seen]
        assert any(truth[info.best] >= truth[finished[-1].pv[0]] for truth in truths)


@pytest.mark.parametrize("name", PRUNING)
def test_a_deepening_cut_short_plays_no_worse_than_its_last_iteration(name: str) -> None:
    for job in jobs(name):
        total = solve(job).info.counters.nodes
        for nodes in (*range(1, 60, 7), *range(60, total, max(1, total // 8))):
            result = solve(replace(job, limit=Limit(nodes=nodes)))
            assert result.end is End.NODES
            assert result.info.counters.nodes == nodes
            assert_as_good(result, name)


@pytest.mark.parametrize("name", PRUNING)
def test_a_deepening_stopped_plays_no_worse_than_its_last_iteration(name: str) -> None:
    """In steps of any size, which continue across the ends of iterations."""
    for job, step in zip(jobs(name), cycle((7, 40, 111)), strict=False):
        for stop_after in (1, 5, 20, 50):
            control, result, asked = Control(paused=True), None, 0
            for said in run(job, control):
                result = said
                if isinstance(said, Snapshot):
                    assert said.counters.nodes <= asked
                    if asked < step * stop_after:
                        asked += step
                        control.step(step)
                    else:
                        control.stop()
            assert isinstance(result, Result)
            assert_as_good(result, name)


def test_a_pass_that_failed_low_does_not_replace_the_best_move() -> None:
    """It has only upper bounds, and may have another move with the highest of them."""
    prepared = prepare(Job(position=".../.../.x.", algorithm="alphabeta", deepen=True, aspiration=0.1))
    iterations, slices = Iterations(prepared, 1, None, plies=1), Slices(Limit(), Control(), run_slice)
    others = []
    for state in iterations.states():
        known = iterations.snapshot(0.0).best
        for _ in slices.run(iterations.prepared, state, dealing(iterations.prepared, state)):
            pass
        found = snapshot(state, 0.0)
        if found.value is not None and not found.value.proves_a_move:
            assert iterations.snapshot(0.0).best == known
            others.append(found.best != known)
        iterations.close(slices.end, 0.0)
    assert any(others)


def test_a_value_met_by_two_bounds_is_exact_whichever_pass_has_the_move() -> None:
    """Two moves win at once. The first pass ends with the second of them, as a second worker may let it; the next fails
    low, and has the first."""
    prepared = prepare(Job(position="xx./xo./.oo", algorithm="mtdf", scoring=Scoring.SOONEST))
    iterations = Iterations(prepared, 1, None, plies=1)
    wins = [move for move in each(legal(prepared.position)) if is_over(play(prepared.position, move))]
    late = [*each(legal(prepared.position))].index(wins[1])
    for state in iterations.states():
        count = len(state.tree.tasks)
        for first, last in ((late, late + 1), (0, late), (late + 1, count)):
            task_tree.hand_out(state.tree, 0, (first, last, 1))
            run_slice(iterations.prepared, state, np.array([10_000]))
        iterations.close(End.COMPLETE, 0.0)
    info = iterations.snapshot(0.0)
    assert [done.pv[0] for done in info.iterations] == wins[::-1]
    assert [done.value.bound for done in info.iterations] == [Bound.LOWER, Bound.UPPER]
    assert (info.best, info.value) == (wins[0], Value((WIN - 1) / prepared.unit, Bound.EXACT))


def test_seconds_end_a_deepening_with_the_move_of_an_iteration() -> None:
    job = Job(
        game="mnk:4,4,4", position="..../..../..../....", algorithm="alphabeta", deepen=True, order=(Order.DOMAIN,)
    )
    result = solve(replace(job, limit=Limit(seconds=0.05)))
    assert result.end is End.SECONDS
    assert result.info.iterations
    assert result.info.best is not None
    assert legal(parsed(job)) >> result.info.best & 1


def test_the_last_iteration_says_whether_all_was_seen() -> None:
    for depth, end in ((4, End.HORIZON), (None, End.COMPLETE)):
        for name in PRUNING:
            job = Job(
                position="x../.o./...", algorithm=name, deepen=True, table=1.0, limit=Limit(depth=depth), record=1
            )
            assert solve(job).end is end


def test_a_step_goes_on_in_the_next_iteration() -> None:
    """A step of 50 nodes visits 50, though the iteration ends within it."""
    control, reached, ended = Control(paused=True), 0, None
    watch = threading.Timer(30, control.stop)  # a step that is too short would wait for ever
    watch.start()
    control.step(50)
    for said in run(Job(position="x../.../...", algorithm="alphabeta", deepen=True), control):
        if isinstance(said, Result):
            ended = said
        elif said.counters.nodes == reached + 50:
            reached += 50
            control.step(50)
        else:
            assert said.counters.nodes < reached + 50
    watch.cancel()
    assert ended is not None
    assert ended.complete
    assert len(ended.info.iterations) > 3
    assert 0 <= ended.info.counters.nodes - reached <= 50


def test_the_horizon_effect_is_there_where_the_help_page_says() -> None:
    page = (files("resources") / "help.md").read_text(encoding="utf-8")
    (position,) = re.findall(r"^([xo.]+(?:/[xo.]+)+)$", page, re.MULTILINE)
    assert "4 × 4, 3 in a row" in page
    assert "a depth limit of 4" in page
    shown = Job(game="mnk:4,4,3", position=position, algorithm="alphabeta", backend="interpreted")

    def searched(root: str, depth: int) -> Snapshot:
        return solve(replace(shown, position=root, limit=Limit(depth=depth))).info

    found = [searched(position, depth) for depth in (4, 5)]
    notation = game("mnk:4,4,3").notation
    roots = [notation.format(play(notation.parse(position), info.best or 0)) for info in found]
    assert [searched(root, 10).value.number for root in roots] == [+1, -1], "the opponent wins, then loses"
    assert [info.value.number == 1 for info in found] == [False, True]


@pytest.mark.parametrize("name", PRUNING)
def test_an_iteration_without_a_horizon_leaf_is_the_last(name: str) -> None:
    """O wins on either of two squares: depth 1 sees all of it."""
    result = solve(Job(position="oo./xox/xx.", algorithm=name, deepen=True, record=1))
    assert result.end is End.COMPLETE
    assert {done.depth for done in result.info.iterations} == {1}
    assert result.info.value.number == 1


def test_the_end_of_a_line_is_searched_for_no_longer_than_it_may_be() -> None:
    """X on a1 is a draw, so the whole line of 14 has to be searched for: a packed line has nine moves."""
    start, limit = "x.../..../..../....", Limit(depth=14)
    way: dict[str, Any] = {"table": 4.0, "order": (Order.TABLE,), "evaluate": False}
    job = Job(game="mnk:4,4,4", position=start, algorithm="alphabeta", limit=limit, **way)
    info, prepared, control = solve(job).info, prepare(job), Control()
    assert len(info.pv) == 14
    short = replace(info, pv=info.pv[:1])
    assert conclude(prepared, control, run_slice, End.COMPLETE, short)[1].pv == info.pv
    control.stop()
    assert conclude(prepared, control, run_slice, End.COMPLETE, short)[1].pv == short.pv


RECORDED = Job(position="x../.../...", algorithm="alphabeta", deepen=True, record=100_000, limit=Limit(depth=5))


@pytest.mark.parametrize("way", [{"backend": "interpreted"}, {"backend": "threads", "workers": 2}])
def test_each_iteration_has_the_record_of_a_search_to_its_depth(way: dict[str, Any]) -> None:
    """Minimax: without windows, threads visit the same nodes as one worker."""
    job = replace(RECORDED, algorithm="minimax", **way)
    whole = solve(job)
    assert [found and found.iteration for found in whole.earlier] == [1, 2, 3, 4]
    for found in (*whole.earlier, whole):
        assert found is not None
        depth = len(found.info.iterations)
        alone = solve(replace(job, deepen=False, limit=Limit(depth=depth)))
        assert found.info.iterations == whole.info.iterations[:depth]
        assert (found.info.value, found.info.best, found.end) == (alone.info.value, alone.info.best, alone.end)
        assert found.trace is not None
        assert alone.trace is not None
        assert found.trace.rows.tolist() == alone.trace.rows.tolist()
        assert found.info.counters.nodes == sum(done.counters.nodes for done in found.info.iterations)
        rows = sum(task.end_row - task.first_row for task in found.tasks)
        assert rows == sum(task.end_row - task.first_row for task in alone.tasks) > 0


def test_the_oldest_iterations_have_no_record_where_there_is_no_room() -> None:
    sizes = [done.counters.nodes for done in solve(replace(RECORDED, record=0)).info.iterations]
    assert solve(replace(RECORDED, record=0)).earlier == ()
    room = sum(sizes[2:4])
    found = solve(replace(RECORDED, record=room))
    assert [None if each is None or each.trace is None else len(each.trace) for each in found.earlier] == [
        None,
        None,
        *sizes[2:4],
    ]
    assert found.trace is not None
    assert len(found.trace) == min(room, sizes[4])


def test_a_stopped_iteration_leaves_the_earlier_ones_their_records() -> None:
    sizes = [done.counters.nodes for done in solve(RECORDED).info.iterations]
    found = solve(replace(RECORDED, limit=Limit(depth=5, nodes=sum(sizes[:3]) + 5)))
    assert [each and each.iteration for each in found.earlier] == [1, 2, 3]
    assert found.trace is not None
    assert (found.end, found.trace.depth) == (End.NODES, 4)


@pytest.mark.parametrize("name", ["alphabeta", "pvs", "mtdf"])
@pytest.mark.parametrize("depth", [3, 4])
def test_the_last_iteration_that_proves_a_move_has_the_line_of_the_search(name: str, depth: int) -> None:
    """Its own ends a ply early, and in MTD(f) proves no more than its first move."""
    job = Job(game="mnk:4,4,4", position="..../..../..../....", algorithm=name, backend="interpreted", deepen=True)
    info = solve(replace(job, limit=Limit(depth))).info
    proving = [done for done in info.iterations if done.depth == depth and done.value.proves_a_move]
    assert len(info.pv) == depth
    assert proving[-1].pv == info.pv
    assert all(len(done.pv) <= done.depth for done in info.iterations)
