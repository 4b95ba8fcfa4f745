"""All algorithms, on all backends and with every schedule, find the same, true value."""

import random
import threading
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends import local, serial, solve, threads
from engine.backends.allocate import memory
from engine.backends.dealing import InStages
from engine.backends.local import drive, load_kernels
from engine.backends.slicing import Slices
from engine.backends.state import SearchState, new_state
from engine.control import Control
from engine.job import Job, JobError
from engine.options.catalogue import Limit
from engine.options.choices import Order, Schedule, Scoring
from engine.prepare import Prepared, prepare
from engine.registry import algorithms, game
from engine.result import End, Result
from engine.rules.contract import Position, is_over, legal, plies_bound
from tests.conftest import no_threads
from tests.engine import naive
from tests.engine.naive import EMPTY, TEXTBOOK, X_ON_A1

MODES = [
    {"backend": "serial"},
    {"backend": "threads", "workers": 2},
]
DEALS = [
    {"workers": workers, "schedule": schedule, "split": 1 + (place + number) % 3}
    for (place, workers), (number, schedule) in product(enumerate((1, 2, 3, 8)), enumerate(Schedule))
]
"""Every pair of a number of workers, a schedule and a split. More workers than this machine has cores, and than there
are tasks, are included."""


def text_of(position: Position) -> str:
    return game("tictactoe").notation.format(position)


def sample(positions: list[Position], size: int) -> Iterator[str]:
    """The empty board and a fixed sample of the other positions."""
    yield EMPTY
    yield from map(text_of, random.Random(3).sample(positions, size))


@pytest.mark.parametrize(("mode", "every"), [(MODES[0], 5), (MODES[1], 10)], ids=str)
@pytest.mark.parametrize("name", algorithms())
def test_every_distinct_position(name: str, mode: dict[str, Any], every: int, distinct: list[Position]) -> None:
    """One of each class of symmetric positions: every fifth serially, and every tenth on threads, which take longer
    for so small a search; others for each algorithm. PVS has a record, for other tests have that kernel."""
    mode = mode | {"record": int(name == "pvs")}
    for position in distinct[[*algorithms()].index(name) % every :: every]:
        naive.assert_true(solve(Job(position=text_of(position), algorithm=name, **mode)))


@pytest.mark.parametrize(("mode", "every"), [(MODES[0], 4), (MODES[1], 8)], ids=str)
def test_many_positions_where_sooner_is_better(mode: dict[str, Any], every: int, distinct: list[Position]) -> None:
    for position in distinct[::every]:
        naive.assert_true(
            solve(Job(position=text_of(position), algorithm="alphabeta", scoring=Scoring.SOONEST, **mode))
        )


@pytest.mark.parametrize("name", TEXTBOOK)
def test_however_the_tasks_are_dealt_out(name: str, reachable: list[Position]) -> None:
    for deal, position, scoring in product(DEALS, sample(reachable, 10), Scoring):
        naive.assert_true(solve(Job(position=position, algorithm=name, backend="threads", scoring=scoring, **deal)))


@pytest.mark.parametrize("name", TEXTBOOK)
def test_however_deep_the_search_may_look(name: str, reachable: list[Position]) -> None:
    for position, mode, depth in product(sample(reachable, 12), MODES, range(1, 10)):
        naive.assert_true(solve(Job(position=position, algorithm=name, limit=Limit(depth=depth), split=2, **mode)))


@pytest.mark.parametrize("split", [1, 2, 3])
@pytest.mark.parametrize("schedule", Schedule)
def test_the_lowest_of_the_best_moves_wins_the_tie(schedule: Schedule, split: int) -> None:
    """On the empty board all nine moves draw: a1 is the lowest. Many workers on few tasks meet in every order."""
    for _ in range(15):
        job = Job(position=EMPTY, algorithm="alphabeta", backend="threads", workers=12, schedule=schedule, split=split)
        naive.assert_true(solve(job))


def test_only_in_a_move_order_may_serial_and_parallel_moves_differ() -> None:
    """All nine moves draw; the domain's order begins with the centre. Tasks are in the order of their moves. Each with
    the kernels of others."""
    a1, b2 = 0, 4
    for order, best in (((), a1), ((Order.DOMAIN,), b2)):
        with_order = bool(order)
        job = Job(position=EMPTY, algorithm="alphabeta", order=order, deepen=with_order, record=int(with_order))
        assert solve(job).info.best == best
        assert solve(replace(job, backend="threads", workers=2)).info.best == a1


@pytest.mark.parametrize("split", [1, 2, 3, 4])
def test_one_worker_with_alphabeta_visits_what_serial_visits(split: int, reachable: list[Position]) -> None:
    """Tasks come in the order of the search, and each is given the window that it has there."""
    for position in sample(reachable, 20):
        serial = solve(Job(position=position, algorithm="alphabeta"))
        dealt = solve(Job(position=position, algorithm="alphabeta", backend="threads", split=split))
        assert dealt.info.counters == serial.info.counters
        assert dealt.info.pv == serial.info.pv
        assert dealt.root_moves == serial.root_moves


def test_minimax_visits_the_same_nodes_however_it_is_dealt_out() -> None:
    """549,946: the figure of issue 3."""
    for deal in DEALS:
        info = solve(Job(position=EMPTY, backend="threads", **deal)).info
        assert (info.counters.nodes, info.counters.terminals, info.counters.depth) == (549_946, 255_168, 9), deal


@pytest.mark.parametrize("position", ["xxx/oo./...", "xox/xox/oxo", "xx./ooo/x.."])
def test_a_position_in_which_the_game_is_over(position: str) -> None:
    for name, mode in product(TEXTBOOK, MODES):
        result = solve(Job(position=position, algorithm=name, **mode))
        naive.assert_true(result)
        assert result.complete, result.job
        assert (result.info.best, result.info.pv, result.root_moves) == (None, (), ()), result.job
        assert (result.info.counters.nodes, result.info.counters.terminals) == (1, 1), result.job


def test_a_position_with_one_move() -> None:
    for name, deal in product(TEXTBOOK, DEALS):
        result = solve(Job(position="xox/oxo/ox.", algorithm=name, backend="threads", **deal))
        naive.assert_true(result)
        assert (result.info.best, result.info.counters.nodes) == (8, 2), deal


@pytest.mark.parametrize("split", [1, 2, 3])
def test_a_static_schedule_gives_blocks_and_a_cyclic_one_every_other_task(split: int) -> None:
    def workers(schedule: Schedule) -> list[int]:
        result = solve(Job(position=X_ON_A1, backend="threads", workers=3, schedule=schedule, split=split))
        return [task.worker for task in result.tasks]

    tasks = len(workers(Schedule.STATIC))
    assert tasks == (8, 8 * 7, 8 * 7 * 6)[split - 1]
    assert workers(Schedule.CYCLIC) == [task % 3 for task in range(tasks)]
    assert workers(Schedule.STATIC) == sorted(workers(Schedule.STATIC))
    assert {workers(Schedule.STATIC).count(worker) for worker in range(3)} <= {tasks // 3, tasks // 3 + 1}


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_line_of_play_may_be_longer_than_a_frame_holds(mode: dict[str, Any]) -> None:
    """Nine moves are packed in a frame; here the horizon is twelve plies away."""
    job = Job(game="mnk:4,4,4", position="..../..../..../....", algorithm="alphabeta", limit=Limit(depth=12), **mode)
    result = solve(job)
    assert result.end is End.HORIZON
    assert len(result.info.pv) == 12
    naive.assert_line_is_worth(game(job.game).start, result.info.pv, result.info.value.number, False, 12)
    naive.assert_adds_up(result)


def test_a_line_of_play_of_ten_plies() -> None:
    """More than a search itself tells: it ends where four in a row are blocked."""
    result = solve(Job(game="mnk:4,4,4", position="x..x/.o../..x./o...", algorithm="alphabeta", limit=Limit(depth=10)))
    assert result.end is End.HORIZON
    naive.assert_line_is_worth(naive.prepared(result)[1], result.info.pv, result.info.value.number, False, 10)
    assert len(result.info.pv) == 10


@pytest.mark.parametrize("name", ["alphabeta", "mtdf"])
def test_the_line_of_a_won_game_is_searched_for_its_winner(name: str) -> None:
    """The search of the line's end has the value of the side that moves there."""
    result = solve(Job(position="xo./.../...", algorithm=name))
    assert result.info.value.number == 1
    naive.assert_line_is_worth(naive.prepared(result)[1], result.info.pv, 1, False, 5)


def test_the_random_positions_hold_some_of_every_kind(reachable: list[Position]) -> None:
    """The samples above would say little if all of them were over, or had one move."""
    chosen = [game("tictactoe").notation.parse(text) for text in sample(reachable, 20)]
    assert any(is_over(position) for position in chosen)
    assert any(not is_over(position) and plies_bound(position) >= 4 for position in chosen)
    assert len({legal(position) for position in chosen}) > 10


def test_a_result_belongs_to_its_job() -> None:
    job = Job(position=EMPTY, algorithm="alphabeta", backend="threads", workers=2)
    result: Result = solve(job)
    assert result.job == job
    assert result.info.tasks == result.info.tasks_done == len(result.tasks) == 9
    assert result.info.path == ()
    assert all(worker.task is None and worker.path == () for worker in result.info.workers)


def test_a_stone_on_the_last_of_64_squares_is_like_any_other() -> None:
    """Bit 63 of a word: numba would give it another type than the word of the search before. The kernel is that of
    test_every_game.py."""
    asked: dict[str, Any] = {"table": 1.0, "record": 1, "limit": Limit(depth=1)}
    for position in ("/".join(["." * 8] * 8), "/".join(["." * 8] * 7 + ["." * 7 + "x"])):
        job = Job(game="connect6:8,8", position=position, algorithm="alphabeta", **asked)
        result = solve(job)
        assert result.info.counters.nodes == 1 + position.count(".")


def test_all_threads_are_called_before_the_clock_runs() -> None:
    """A sleeping core may take longer to wake up than the search takes."""
    called: list[list[int]] = []

    def run_slice(prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
        called.append(budgets.tolist())
        threads.run_slice(prepared, state, budgets)

    prepared = prepare(Job(position=X_ON_A1, backend="threads", workers=3))
    *_, result = drive(prepared, Control(), run_slice, plies=1, workers=3)
    assert called[0] == [0, 0, 0]
    assert all(called[1])
    assert isinstance(result, Result)
    assert result.info.counters.nodes == 59_705


def test_one_worker_loads_its_kernels_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_LOADED", set())
    called: list[int] = []

    def run_slice(prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
        called.append(int(budgets[0]))
        serial.run_slice(prepared, state, budgets)

    for asked, empty in (({}, 1), ({}, 0), ({"record": 1}, 1)):
        called.clear()
        *_, result = drive(prepare(Job(position=X_ON_A1, **asked)), Control(), run_slice, plies=0, workers=1)
        assert called.count(0) == empty
        assert isinstance(result, Result)
        assert result.info.counters.nodes == 59_705


def test_what_is_done_before_the_first_slice_takes_none_of_its_time() -> None:
    prepared = prepare(Job(position=X_ON_A1))
    state = new_state(prepared, 0, memory(prepared, 1))
    waited = 0.3

    class Slowly(InStages):
        def _deal(self, first: int, last: int) -> None:
            threading.Event().wait(waited)
            super()._deal(first, last)

    load_kernels(prepared, serial.run_slice, 1)
    slices = Slices(prepared.job.limit, Control(), serial.run_slice)
    begun = time.monotonic()
    for _ in slices.run(prepared, state, Slowly(prepared, state)):
        pass
    assert 0 < slices.seconds <= time.monotonic() - begun - waited


@pytest.mark.parametrize(("backend", "workers"), [("interpreted", 1), ("serial", 1), ("threads", 2)])
def test_each_worker_tells_the_processor_time_of_its_slices(backend: str, workers: int) -> None:
    info = solve(Job(position=X_ON_A1, backend=backend, workers=workers)).info
    for worker in info.workers:
        assert 0 < worker.cpu <= worker.ran + 1e-5 <= info.seconds + 1e-5, "two clocks, read one after the other"
        assert 0 <= worker.kept_waiting < worker.ran


def test_threads_that_the_system_does_not_start_are_refused() -> None:
    """OpenMP would end the process. The search is made on a new thread: OpenMP has started none for that."""
    errors = list[JobError]()

    def search() -> None:
        with no_threads(), pytest.raises(JobError) as refused:
            solve(Job(position=X_ON_A1, backend="threads", workers=2))
        errors.append(refused.value)
        assert solve(Job(position=X_ON_A1, backend="threads", workers=2)).end is End.COMPLETE

    asker = threading.Thread(target=search)
    asker.start()
    asker.join()
    assert [str(error) for error in errors] == ["The system starts no more threads: choose fewer workers."]


def test_threads_that_run_already_are_not_tried_again() -> None:
    """OpenMP keeps them, though one worker alone searches the end of the line."""
    result = solve(Job(position=X_ON_A1, backend="threads", workers=2))
    with no_threads():
        assert solve(result.job).info.pv == result.info.pv
