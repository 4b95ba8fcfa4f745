"""A search can be cut into slices, limited, slowed and stopped, and its values stay correct."""

import math
import threading
import time
from collections.abc import Iterator
from itertools import islice, pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends import run, slicing, solve
from engine.control import FULL_SPEED, MIN_PACE, Control
from engine.job import Job, JobError
from engine.options.catalogue import Limit
from engine.options.choices import Parallel, Schedule, Scoring
from engine.registry import algorithms, game
from engine.result import Counters, End, PathNode, Result, Snapshot, State
from engine.rules.contract import play
from tests.engine import naive
from tests.engine.backends.test_backends import DEALS
from tests.engine.naive import EMPTY, TEXTBOOK, X_ON_A1

MODES = [
    {"backend": "serial"},
    {"backend": "threads", "workers": 2},
    {"backend": "threads", "workers": 3, "split": 3, "schedule": Schedule.CYCLIC},
]

ENDLESS = {"game": "mnk:4,4,4", "position": "..../..../..../....", "limit": Limit(depth=15)}
"""Minimax would take days: 16! is 2 x 10^13. Alpha-beta takes some tenths of a second. With a limit of depth the
kernels are those of other tests."""

BUSY = "x.../.o../..../...."
SMALL = "xo./.../.x."
"""A position with six plies left: a few hundred nodes."""


def in_slices(job: Job, sizes: Iterator[int]) -> Iterator[tuple[int, Snapshot | Result]]:
    """Run a job in steps; yields the nodes granted since the last item, and the item."""
    control = Control(paused=True)
    granted = 0
    for said in run(job, control):
        yield granted, said
        if isinstance(said, Snapshot):
            granted = next(sizes)
            control.step(granted)


def without_times(result: Result) -> tuple[Any, ...]:
    info = result.info
    rows = None if result.trace is None else result.trace.rows.tolist()
    return (info.counters, info.value, info.best, info.pv, result.root_moves, result.end, rows)


@pytest.mark.parametrize("name", algorithms())
@given(
    root=naive.positions("tictactoe", start="x../.o./..."),
    sizes=st.lists(st.integers(1, 700), min_size=1, max_size=12),
    depth=st.sampled_from([None, 1, 2, 4]),
)
def test_any_slicing_gives_the_same(name: str, root: Any, sizes: list[int], depth: int | None) -> None:
    job = Job(position=game("tictactoe").notation.format(root), algorithm=name, limit=Limit(depth=depth), record=20_000)

    def in_turn() -> Iterator[int]:
        while True:
            yield from sizes[:-1]
            yield sizes[-1] + 3000

    *_, (_, result) = in_slices(job, in_turn())
    assert isinstance(result, Result)
    assert without_times(result) == without_times(solve(job))


@pytest.mark.parametrize("slice_nodes", [3, 40, 5_000])
def test_a_slice_may_have_any_size(slice_nodes: int) -> None:
    """With slices that never grow. Threads that share a bound may visit other nodes, but report the same result."""
    for name, mode in product(TEXTBOOK, MODES):
        job = Job(position=SMALL, algorithm=name, record=20_000, **mode)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(slicing, "first_slice", lambda _: slice_nodes)
            patch.setattr(slicing, "SHORT", 0.0)
            result = solve(job)
        naive.assert_true(result)
        if mode["backend"] == "serial" or not algorithms()[name].prunes:
            assert without_times(result) == without_times(solve(job)), job


@pytest.mark.parametrize("name", [*TEXTBOOK, "pvs"])
@given(sizes=st.lists(st.integers(1, 30_000), min_size=1, max_size=6))
def test_a_step_on_serial_visits_exactly_so_many_nodes(name: str, sizes: list[int]) -> None:
    """A step may end with the last node; the result then comes with the next. PVS has a record, for other tests have
    that kernel."""
    job = Job(position=X_ON_A1, algorithm=name, record=int(name == "pvs"))
    total = solve(job).info.counters.nodes
    asked = 0
    for granted, said in in_slices(job, iter([*sizes, 10**6])):
        asked += granted
        if isinstance(said, Snapshot):
            assert said.counters.nodes == asked <= total
        else:
            assert said.info.counters.nodes == total <= asked


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_limit_of_nodes_is_reached_and_never_exceeded(name: str) -> None:
    """2,338 nodes: alpha-beta's count after x on a1, by issue 3. A limit of so many stops it before its last value."""
    for nodes in (1, 2, 3, 10, 100, 1_000, 2_337, 2_338, 2_339):
        result = solve(Job(position=X_ON_A1, algorithm=name, limit=Limit(nodes=nodes)))
        enough = name == "alphabeta" and nodes > 2_338
        assert result.info.counters.nodes == (2_338 if enough else nodes), nodes
        assert result.end is (End.COMPLETE if enough else End.NODES), nodes


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_limit_of_nodes_holds_for_all_workers_together(name: str) -> None:
    """Taking a task may visit the positions above it, so up to that many nodes may be left over."""
    for nodes, deal in product((1, 2, 3, 10, 11, 12, 100, 1_001, 50_000), DEALS):
        job = Job(
            position=X_ON_A1,
            algorithm=name,
            backend="threads",
            limit=Limit(nodes=nodes),
            **deal,
        )
        result = solve(job)
        visited = result.info.counters.nodes
        assert visited <= nodes
        assert result.end is (End.COMPLETE if visited < nodes - job.split else End.NODES) or result.complete
        assert sum((worker.counters for worker in result.info.workers), Counters()) == result.info.counters


@pytest.mark.parametrize("mode", [{"backend": "serial"}, {"backend": "threads", "workers": 2, "split": 1}], ids=str)
def test_an_unfinished_search_counts_the_cutoffs_of_its_record(mode: dict[str, Any]) -> None:
    """The last slice may end at a node that is cut, but not yet left, and so is open in the record."""
    for nodes in range(1, 100):
        result = solve(Job(position=SMALL, algorithm="alphabeta", record=1_000, limit=Limit(nodes=nodes), **mode))
        assert result.trace is not None
        assert len(result.trace) == result.info.counters.nodes
        found = naive.counted(result.trace.root, naive.rows_of(result.trace))
        assert (found.cutoffs, found.pruned) == (result.info.counters.cutoffs, result.info.counters.pruned)


@pytest.mark.parametrize("workers", [2, 3])
def test_a_limit_of_nodes_ends_a_search_whose_workers_wait(workers: int) -> None:
    """The last nodes go to the worker for which the others wait. A search without an end tells so 60 times a second."""
    asked: dict[str, Any] = {"backend": "threads", "workers": workers, "parallel": Parallel.YBW, "split": 1}
    job = Job(position=X_ON_A1, algorithm="alphabeta", limit=Limit(nodes=700), **asked)
    for _ in range(6):
        *_, said = islice(run(job), 300)
        assert isinstance(said, Result)
        assert said.end is End.NODES


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_limit_of_seconds_ends_the_search(name: str, mode: dict[str, Any]) -> None:
    *moments, result = run(Job(**ENDLESS | {"limit": Limit(depth=15, seconds=0.05)}, algorithm=name, **mode))
    assert isinstance(result, Result)
    assert result.end is End.SECONDS
    assert not result.complete
    assert result.info.seconds >= 0.05
    beyond = [moment for moment in moments if isinstance(moment, Snapshot) and moment.seconds >= 0.05]
    assert len(beyond) <= 1, "after the slice that comes to the limit there is no other"
    assert result.info.counters.nodes > 0


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_limit_of_depth_leaves_a_horizon_worth_nothing(name: str, mode: dict[str, Any]) -> None:
    """From the empty board the first win can be five plies away, and the last ply is the ninth."""
    paths, earlier = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872], 0
    for depth in range(1, 10):
        result = solve(Job(position=EMPTY, algorithm=name, limit=Limit(depth=depth), **mode))
        naive.assert_true(result)
        counters = result.info.counters
        assert counters.depth == depth
        assert (result.end is End.HORIZON) == (counters.horizon > 0) == (depth < 9), depth
        if name == "minimax":
            assert counters.nodes == sum(paths[: depth + 1]), depth
            assert counters.horizon == paths[depth] - (counters.terminals - earlier), depth
            earlier = counters.terminals


def test_a_depth_beyond_any_game_is_no_limit() -> None:
    for depth in (10, 1 << 20, 1 << 40, 1 << 70):
        assert solve(Job(position=X_ON_A1, algorithm="alphabeta", limit=Limit(depth=depth))).complete


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_stop_from_another_thread(name: str, mode: dict[str, Any]) -> None:
    control, running = Control(), threading.Event()

    def stop() -> None:
        running.wait()
        control.stop()

    other = threading.Thread(target=stop)
    other.start()
    said = []
    for moment in run(Job(algorithm=name, **ENDLESS, **mode), control):
        said.append(moment)
        if isinstance(moment, Snapshot) and moment.counters.nodes > 0:
            running.set()
    other.join()
    result = said[-1]
    assert isinstance(result, Result)
    assert result.end is End.STOPPED
    assert not result.complete
    assert [moment for moment in said if isinstance(moment, Result)] == [result]
    assert sum((worker.counters for worker in result.info.workers), Counters()) == result.info.counters
    counts = [moment.counters.nodes for moment in said if isinstance(moment, Snapshot)]
    assert counts == sorted(counts)
    assert result.info.counters.nodes >= counts[-1]


@pytest.mark.parametrize("record", [0, 200_000])
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_stopped_search_has_its_best_finished_root_move(name: str, mode: dict[str, Any], record: int) -> None:
    """O answers x on a1; three quarters of the tree are searched, then the search, which waits, is stopped."""
    most = solve(Job(position=X_ON_A1, algorithm=name)).info.counters.nodes * 3 // 4
    control, result = Control(paused=True), None
    other = threading.Thread(target=control.stop)
    for said in run(Job(position=X_ON_A1, algorithm=name, record=record, **mode), control):
        result = said
        if isinstance(said, Snapshot) and said.counters.nodes < most:
            control.step(most // 40)
        elif isinstance(said, Snapshot):
            other.start()
    other.join()
    assert isinstance(result, Result)
    assert result.end is End.STOPPED
    assert most <= result.info.counters.nodes < most + most // 20
    truth = naive.move_values(game("tictactoe").notation.parse(X_ON_A1))
    assert 0 < len(result.root_moves) < len(truth)
    for found in result.root_moves:
        assert found.value.number >= truth[found.move]
        assert not found.value.is_exact or found.value.number == truth[found.move]
    exact = {found.move: found.value.number for found in result.root_moves if found.value.is_exact}
    assert result.info.value.number == max(exact.values())
    assert result.info.best == min(move for move in exact if exact[move] == result.info.value.number)
    assert (result.trace is not None) == (record > 0)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_search_that_is_stopped_before_it_begins(mode: dict[str, Any]) -> None:
    control = Control()
    control.stop()
    control.stop()
    result = solve(Job(position=EMPTY, record=100, **mode), control)
    assert result.end is End.STOPPED
    assert result.info.counters == Counters()
    assert (result.info.value, result.info.best, result.info.pv, result.root_moves) == (None, None, (), ())
    assert result.trace is not None
    assert len(result.trace) == 0


@pytest.mark.parametrize("mode", MODES, ids=str)
@given(orders=st.lists(st.sampled_from(["pause", "resume", "step", "slow", "fast"]), max_size=8))
def test_pause_resume_and_step_in_any_order(mode: dict[str, Any], orders: list[str]) -> None:
    """Commands given between any two slices change when the nodes are visited, and nothing else."""
    control = Control()
    waiting = iter(orders)
    result = None
    for said in run(Job(position=SMALL, algorithm="minimax", **mode), control):
        result = said
        order = next(waiting, "resume")
        for _ in range(2):
            if order == "slow":
                control.set_speed(1e5)
            elif order == "fast":
                control.set_speed(math.inf)
            elif order == "step":
                control.step(5)
            else:
                getattr(control, order)()
        if control.paused and order != "step":
            control.step()
    assert isinstance(result, Result)
    naive.assert_true(result)


def test_a_control_grants_what_it_was_told() -> None:
    control = Control()
    assert (control.grant(10), control.held_back, control.paused) == (10, False, False)
    control.step(7)
    control.step(6)
    assert (control.paused, control.held_back) == (True, True)
    assert [control.grant(10), control.grant(10)] == [10, 3]
    control.step(5)
    control.pause()
    control.step(2)
    assert control.grant(10) == 2
    control.resume()
    assert control.grant(10) == 10
    control.step(4)
    control.resume()
    control.resume()
    assert control.grant(10) == 10
    control.stop()
    control.resume()
    control.step(5)
    assert control.grant(10) == 0
    assert control.stopped


@pytest.mark.parametrize("before", ["step", "run"])
@pytest.mark.parametrize(("orders", "left"), [((), 4), (("pause",), 0), (("resume", "pause"), 0)], ids=str)
def test_a_pause_ends_a_step_though_its_slice_visits_fewer_nodes(
    before: str, orders: tuple[str, ...], left: int
) -> None:
    """Six of ten granted nodes are visited. Only a step continues with the other four."""
    control = Control()
    if before == "step":
        control.step(10)
    assert control.grant(10) == 10
    for order in orders:
        getattr(control, order)()
    control.step(3)
    control.give_back(4)
    assert control.grant(10) == 3 + (left if before == "step" else 0)


@pytest.mark.parametrize("order", ["stop", "resume", "step"])
def test_a_search_that_waits_wakes_at_once(order: str) -> None:
    control, granted = Control(paused=True), []
    waiter = threading.Thread(target=lambda: granted.append(control.grant(10)))
    waiter.start()
    getattr(control, order)()
    waiter.join()
    assert granted == [{"stop": 0, "resume": 10, "step": 1}[order]]


def test_a_search_that_is_held_back_for_long_can_be_stopped() -> None:
    """One node in three hours: the second must wait, and the stop must not."""
    control = Control(nodes_per_second=1e-4)
    assert control.grant(10) == 1
    waiter = threading.Thread(target=lambda: control.grant(10))
    waiter.start()
    control.stop()
    waiter.join()
    assert control.grant(10) == 0


class Waiting(Control):
    """Measures the seconds for which the search waits."""

    waited = 0.0

    def _wait(self, seconds: float | None) -> None:
        begun = time.monotonic()
        super()._wait(seconds)
        self.waited += time.monotonic() - begun


def test_the_speed_is_kept_and_pauses_do_not_count_as_searching() -> None:
    """Of a search at 600 nodes a second, ten may be visited sixty times a second: 100 nodes take at least 9 paces."""
    control, job = Waiting(nodes_per_second=600), Job(position=SMALL, limit=Limit(nodes=100))
    solve(job)  # loads the kernels
    begun = time.monotonic()
    infos = [said for said in run(job, control) if isinstance(said, Snapshot)]
    passed = time.monotonic() - begun
    assert [info.counters.nodes for info in infos] == list(range(0, 101, 10))
    assert passed >= 9 * MIN_PACE
    assert infos[-1].seconds <= passed - control.waited


@pytest.mark.parametrize("mode", [{}, {"backend": "threads", "workers": 2}])
def test_the_clock_of_tasks_stands_while_a_search_is_held_back(mode: dict[str, Any]) -> None:
    """2,338 nodes at 20,000 a second: eight slices, and seven times a pace between them. The threads of a busy machine
    begin a slice late, so that a slice may take longer than a pace."""
    job, control = Job(position=X_ON_A1, algorithm="alphabeta", **mode), Waiting(nodes_per_second=20_000)
    solve(job)  # loads the kernels
    begun = time.monotonic()
    result = solve(job, control)
    passed = time.monotonic() - begun
    naive.assert_true(result)
    assert max(task.end for task in result.tasks) <= passed - control.waited


@pytest.mark.parametrize("mode", [{}, {"backend": "threads", "workers": 2}])
def test_the_tasks_of_an_unfinished_search_end_where_they_were_left(mode: dict[str, Any]) -> None:
    result = solve(Job(position=EMPTY, limit=Limit(nodes=70_000), **mode))
    assert not all(task.finished for task in result.tasks)
    naive.assert_adds_up(result)


def test_lazy_threads_are_busy_with_the_whole_tree_in_every_iteration() -> None:
    asked: dict[str, Any] = {"backend": "threads", "workers": 2, "parallel": Parallel.LAZY, "table": 1, "deepen": True}
    result = solve(Job(position=X_ON_A1, algorithm="alphabeta", record=1, **asked))
    assert {task.worker for task in result.tasks} == {0, 1}
    naive.assert_adds_up(result)


@pytest.mark.parametrize("name", [*TEXTBOOK, "pvs"])
@pytest.mark.parametrize(
    ("position", "scoring"),
    [(SMALL, Scoring.TEXTBOOK), ("xo./ox./...", Scoring.SOONEST), ("xox/o../.x.", Scoring.TEXTBOOK)],
)
def test_at_every_node_the_path_is_what_the_record_says_of_that_moment(
    position: str, name: str, scoring: Scoring
) -> None:
    """Every path node after each single step: its window, its best value, and the state and value of every move. PVS
    has a record, for other tests have that kernel."""
    root = game("tictactoe").notation.parse(position)
    rows = naive.record(
        root, algorithms()[name].prunes, scoring is Scoring.SOONEST, repeats=algorithms()[name].options.searches_again
    )
    job = Job(position=position, algorithm=name, scoring=scoring, record=int(name == "pvs"))
    for visited, (_, said) in enumerate(in_slices(job, iter(lambda: 1, 0))):
        if isinstance(said, Result):
            assert visited == len(rows) + 1
        elif visited:
            assert said.path == naive.moment(root, rows, visited)
            best = said.path[0].best
            assert (best and best.number) == (said.value and said.value.number)
            (worker,) = said.workers
            assert worker.path == tuple(level.move for level in said.path if level.move is not None)
            assert worker.counters == said.counters


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_at_a_low_speed_the_path_is_consistent(name: str, mode: dict[str, Any]) -> None:
    job = Job(position=SMALL, algorithm=name, **mode)
    truth = Truth(job)
    control = Control(paused=True)
    paths = 0
    for said in run(job, control):
        control.step(7)
        if isinstance(said, Snapshot) and said.path:
            paths += 1
            truth.assert_consistent(said.path)
    assert paths > 5


class Truth:
    """Checks a path against the rules and the true values."""

    def __init__(self, job: Job) -> None:
        self.root = game(job.game).notation.parse(job.position)
        self.prunes = algorithms()[job.algorithm].prunes

    def assert_consistent(self, path: tuple[PathNode, ...]) -> None:
        position = self.root
        for level, below in pairwise([*path, None]):
            assert level is not None
            truth = naive.move_values(position)
            assert [child.move for child in level.children] == sorted(truth)
            states = [child.state for child in level.children]
            assert states.count(State.OPEN) <= 1 or level is not path[-1]
            assert level.cut == (State.PRUNED in states)
            for child in level.children:
                assert (child.value is not None) == (child.state is State.DONE)
                if not self.prunes and child.value is not None:
                    assert child.value.number == truth[child.move]
            done = [child.value.number for child in level.children if child.value is not None]
            if level.best is None:  # of moves that are no better than alpha so far, none is known to be the best
                assert max(done, default=level.alpha) <= level.alpha
            else:
                assert level.best.number == max(done)
            assert level.alpha >= (max(done, default=level.alpha))
            if below is not None:
                assert level.move is not None
                assert next(child for child in level.children if child.move == level.move).state is State.OPEN
                assert not self.prunes or below.beta == naive.INFINITY or below.beta >= -level.alpha
                position = play(position, level.move)


def test_a_split_that_makes_too_many_tasks_is_refused_with_one_sentence() -> None:
    with pytest.raises(JobError, match="more than 20,000 tasks: choose a smaller one"):
        solve(Job(backend="threads", split=8, **ENDLESS))


@pytest.mark.parametrize("mode", MODES[:2])
def test_a_search_held_back_for_long_can_be_stopped_at_full_speed(mode: dict[str, Any]) -> None:
    """A hundred short slices must not make the next one endless."""
    control = Control(nodes_per_second=100_000.0)
    result = None
    for told, said in enumerate(run(Job(**ENDLESS, **mode), control)):
        if told == 100:
            control.set_speed(FULL_SPEED)
        if told == 102:
            control.stop()
        result = said
    assert isinstance(result, Result)
    assert result.end is End.STOPPED


ORDERS = st.one_of(
    st.sampled_from([("stop",), ("pause",), ("resume",)]),
    st.tuples(st.just("step"), st.integers(1, 1_000)),
    st.tuples(st.just("set_speed"), st.sampled_from([1.0, 600.0, 250_000.0, FULL_SPEED, 3e9])),
)


@given(before=st.lists(ORDERS, max_size=4), after=st.lists(ORDERS, max_size=6))
def test_a_control_that_obeys_another_stands_as_that_does(before: list[Any], after: list[Any]) -> None:
    """At any start of listening."""
    control, other = Control(), Control()
    for order, *amount in before:
        getattr(control, order)(*amount)
    control.forward_to(other.obey)
    for order, *amount in after:
        getattr(control, order)(*amount)
    assert (other.stopped, other.paused, other.held_back) == (control.stopped, control.paused, control.held_back)
    control.step(7)
    assert other.grant(10**9) == control.grant(10**9)
    control.step_event()
    assert other.grant(10**9) == control.grant(10**9) == int(not control.stopped)
    control.resume()
    assert other.grant(10**9) == control.grant(10**9)


def test_a_question_is_passed_on_once_until_it_is_answered() -> None:
    """It is also the first line of a search that is started later."""
    control, lines, later = Control(), list[str](), list[str]()
    control.forward_to(lines.append)
    for _ in range(2):
        control.ask_result(lambda so_far: None)
        control.ask_result(answer := lambda so_far: None)
        assert control.take_question() is answer
    assert lines[1:] == ["result"] * 2
    control.ask_result(answer)
    control.forward_to(later.append)
    assert later[1:] == ["result"]


def test_of_several_searches_each_takes_its_share_of_the_speed() -> None:
    control = Control()
    control.obey("speed 6000", 1 / 4)
    assert control.grant(10**9) == 6_000 / 4 / 60
    control.obey(f"speed {FULL_SPEED:g}", 1 / 4)
    assert not control.held_back


@pytest.mark.parametrize("line", ["", "jump", "step", "step -1", "step x", "speed 0", "speed nan", "speed", "stop now"])
def test_a_line_that_is_no_command_is_refused_with_a_sentence(line: str) -> None:
    with pytest.raises(ValueError, match="is not a command: the commands are stop, pause, resume, step N and speed N"):
        Control().obey(line)


def test_a_running_search_says_how_long_its_worker_was_busy() -> None:
    control, moments = Control(paused=True), 0
    for said in run(Job(position=EMPTY), control):
        control.step(50_000)
        if isinstance(said, Snapshot) and said.counters.nodes:
            moments += 1
            (worker,) = said.workers
            assert said.seconds >= worker.busy > 0
    assert moments > 5
