"""The record of a search: every row is true, on every backend, and in a record of any size."""

import random
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.backends import run, solve, threads
from engine.backends.local import drive
from engine.backends.state import SearchState
from engine.control import Control
from engine.jit import lowering as lowering
from engine.job import RECORD_ROWS, Job
from engine.kernels.worker_memory import AT_HORIZON, CUTOFF, OPEN, ROW_TYPE, TERMINAL
from engine.options.catalogue import Limit
from engine.options.choices import Parallel, Schedule, Scoring
from engine.prepare import Prepared, prepare, split_of
from engine.registry import game
from engine.result import Leaf, Result, Snapshot, State
from engine.rules.contract import legal, play
from engine.trace.index import Index
from engine.trace.record import Trace
from engine.trace.totals import Totals
from tests.engine import naive
from tests.engine.naive import EMPTY, TEXTBOOK, X_ON_A1

DEALS = [
    {"workers": workers, "schedule": schedule, "split": 1 + (place + number) % 3}
    for (place, workers), (number, schedule) in product(enumerate((1, 2, 5)), enumerate(Schedule))
]
"""Every pair of a number of workers, a schedule and a split."""


def recorded(**asked: Any) -> tuple[Result, Trace]:
    result = solve(Job(**{"record": RECORD_ROWS, **asked}))
    assert result.trace is not None
    return result, result.trace


def test_a_prepared_record_has_what_a_window_asks_at_once() -> None:
    """Each takes milliseconds for half a million rows."""
    _, trace = recorded(position=X_ON_A1, algorithm="alphabeta")
    trace.prepare()
    assert {"index", "totals", "leaves"} <= vars(trace).keys()


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("name", TEXTBOOK)
@given(data=st.data())
def test_the_levels_of_any_row(name: str, scoring: Scoring, data: st.DataObject) -> None:
    root = data.draw(naive.positions("tictactoe", start="x../o../..x"))
    text = game("tictactoe").notation.format(root)
    _, trace = recorded(position=text, algorithm=name, scoring=scoring)
    rows = naive.rows_of(trace)
    row = data.draw(st.integers(0, len(trace) - 1))
    path_nodes, path, position = trace.path_nodes(row), trace.path(row), root
    assert path[-1] == row
    assert [node.move for node in path_nodes[:-1]] == list(trace.moves(row))
    assert path_nodes[-1].move is None
    assert trace.parent(row) == (path[-2] if row else 0)
    for node, number in zip(path_nodes, path, strict=True):
        record, below = rows[number], naive.children(rows, number)
        assert trace.children(number) == below
        assert trace.end(number) == record.end
        assert node.cut == (record.why == CUTOFF)
        assert node.beta == record.beta
        assert node.best.number == record.value
        if record.why in (TERMINAL, AT_HORIZON):
            assert node.children == ()
            continue
        assert node.alpha == max(record.alpha, record.value)
        assert [child.move for child in node.children] == [m for m in range(9) if legal(position) >> m & 1]
        states = {child.move: (child.state, child.value and child.value.number) for child in node.children}
        assert {move for move in states if states[move][0] is State.DONE} == {rows[child].move for child in below}
        assert all(states[rows[child].move] == (State.DONE, -rows[child].value) for child in below)
        assert {state for state, _ in states.values()} <= {State.DONE, *([State.PRUNED] if node.cut else [])}
        for child in below:
            assert trace.child_row(number, rows[child].move) == child
        if node.move is not None:
            position = play(position, node.move)


@pytest.mark.parametrize("name", [*TEXTBOOK, "pvs"])
def test_a_serial_record_is_consistent(name: str) -> None:
    _, trace = recorded(position=X_ON_A1, algorithm=name)
    naive.assert_consistent(trace, name)


def test_the_pieces_of_threads_make_the_record_of_serial() -> None:
    """Minimax, every field of every row."""
    for position, scoring, depth in ((X_ON_A1, Scoring.TEXTBOOK, None), (EMPTY, Scoring.SOONEST, 5)):
        asked: dict[str, Any] = {"position": position, "scoring": scoring, "limit": Limit(depth=depth)}
        _, serial = recorded(**asked)
        for deal in DEALS:
            _, dealt = recorded(backend="threads", **asked, **deal)
            assert np.array_equal(dealt.rows, serial.rows), deal


@pytest.mark.parametrize("split", [1, 2, 3, 4])
def test_one_worker_with_alphabeta_writes_the_record_of_serial(split: int) -> None:
    for position, scoring in product((EMPTY, X_ON_A1), Scoring):
        asked = {"position": position, "algorithm": "alphabeta", "scoring": scoring}
        _, serial = recorded(**asked)
        _, dealt = recorded(backend="threads", split=split, **asked)
        assert dealt.rows.tolist() == serial.rows.tolist()


@pytest.mark.parametrize("deal", DEALS, ids=str)
def test_a_record_of_threads_that_share_a_bound_is_consistent(deal: dict[str, Any]) -> None:
    for scoring in Scoring:
        result, trace = recorded(position=X_ON_A1, algorithm="alphabeta", backend="threads", scoring=scoring, **deal)
        assert len(trace) == result.info.counters.nodes
        naive.assert_consistent(trace, "alphabeta", deal["split"])
        rows = naive.rows_of(trace)
        counted = naive.counted(trace.root, rows)
        assert (counted.terminals, counted.horizon) == (result.info.counters.terminals, 0)
        assert rows[0].value == result.info.value.number


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_record_that_is_full_says_so_and_the_counters_go_on(name: str) -> None:
    whole, full = recorded(position=X_ON_A1, algorithm=name)
    assert not full.truncated
    for room, mode in product((1, 2, 100, 929, 2_337), ({}, {"backend": "threads", "workers": 2, "split": 2})):
        result, trace = recorded(position=X_ON_A1, algorithm=name, record=room, **mode)
        assert trace.truncated
        assert 1 <= len(trace) <= room
        assert trace.visited == result.info.counters.nodes
        if not mode:
            assert result.info.counters == whole.info.counters
            assert trace.rows.tolist() == full.rows[:room].tolist()
        for row in random.Random(room).sample(range(len(trace)), min(len(trace), 50)):
            position = trace.root
            for node in trace.path_nodes(row):
                for child in node.children:
                    assert legal(position) >> child.move & 1
                    assert child.state is not State.PRUNED or node.cut
                if node.move is not None:
                    position = play(position, node.move)


def test_the_second_search_of_a_move_is_known_from_both() -> None:
    _, trace = recorded(position="xo./.../...", algorithm="pvs")
    rows, numbers = naive.rows_of(trace), range(len(trace))
    pairs = [pair for row in numbers for pair in pairwise(naive.children(rows, row))]
    twice = sorted(pair for pair in pairs if rows[pair[0]].move == rows[pair[1]].move)
    assert twice
    assert [(row, after) for row in numbers if (after := trace.next_search(row)) is not None] == twice
    assert [row for row in numbers if trace.is_repeat(row)] == sorted(second for _, second in twice)


@pytest.mark.parametrize("name", [*TEXTBOOK, "pvs"])
def test_what_a_full_record_lacks_is_neither_pruned_nor_unvisited(name: str) -> None:
    """Moves known to be pruned are: the cutoff's move is in the record."""
    _, full = recorded(position=X_ON_A1, algorithm=name)
    for room in (1, 2, 100, 929, 2_000):
        _, short = recorded(position=X_ON_A1, algorithm=name, record=room)
        for row in range(max(0, room - 20), room):
            for node, true in zip(short.path_nodes(row), full.path_nodes(row), strict=True):
                assert (node.best, node.alpha, node.cut) == (true.best, true.alpha, true.cut)
                for child, other in zip(node.children, true.children, strict=True):
                    if child.state is State.UNRECORDED:
                        assert other.state is State.DONE or node.cut
                    else:
                        assert child == other or child.visits < other.visits, "it was searched once more later"


def test_what_another_worker_searched_meanwhile_is_not_pruned_in_a_full_record() -> None:
    """The workers take turns: one is at the later moves of a node while the other finds the move that cuts it."""
    tasks = {"backend": "threads", "workers": 2, "split": 3, "schedule": Schedule.CYCLIC}
    job, control = Job(position="x../.o./..x", algorithm="alphabeta", record=RECORD_ROWS, **tasks), Control(paused=True)
    for message in run(job, control):
        if isinstance(message, Result):
            break
        control.step(60)
    whole = message.trace
    assert whole is not None
    assert whole.split == 3
    pruned = 0
    for room in range(1, len(whole), 5):
        short = Trace(
            whole.root, whole.rows[:room].view(np.int64), len(whole), whole.unit, whole.estimates, whole.split
        )
        for row, node in zip(short.path(room - 1), short.path_nodes(room - 1), strict=True):
            named = {child.move for child in node.children if child.state is State.PRUNED}
            assert not named & set(map(whole.move, whole.children(row)))
            pruned += len(named)
    assert pruned, "below the tasks one worker searches alone"


TASKS: list[dict[str, Any]] = [
    {"workers": 1},
    *({"workers": 3, "split": split, "schedule": schedule} for split, schedule in product((1, 2, 3), Schedule)),
    *({"workers": 3, "split": split, "parallel": Parallel.YBW} for split in (1, 3)),
    {"workers": 2, "parallel": Parallel.LAZY, "table": 1.0},
]


@pytest.mark.parametrize("tasks", TASKS, ids=str)
def test_a_task_knows_its_worker_and_its_rows(tasks: dict[str, Any]) -> None:
    """On the tape of a worker its tasks stand one after the other, as it searched them."""
    asked = Job(position=X_ON_A1, algorithm="alphabeta", backend="threads", **tasks)
    for room, nodes in product((1, 100, 929, RECORD_ROWS), (None, 700)):
        result, tapes = with_tapes(replace(asked, record=room, limit=Limit(depth=7, nodes=nodes)))
        assert result.trace is not None
        naive.assert_rows_of_tasks(result)
        for worker, tape in enumerate(tapes):
            place, own = 0, [task for task in result.tasks if task.worker == worker]
            for task in sorted(own, key=lambda task: (task.start, task.end)):
                rows = result.trace.rows[task.first_row : task.end_row]
                assert rows.tolist() == tape[place : place + len(rows)].tolist()
                place += task.nodes


def with_tapes(job: Job) -> tuple[Result, NDArray[Any]]:
    """The result of a search on threads, and the rows of each worker."""
    searched: list[SearchState] = []

    def run_slice(prepared: Prepared, state: SearchState, budgets: NDArray[np.int64]) -> None:
        searched.append(state)
        threads.run_slice(prepared, state, budgets)

    *_, result = drive(prepare(job), Control(), run_slice, split_of(job), job.workers)
    assert isinstance(result, Result)
    tapes = [state.records for state in searched if state.records is not None and state.records.size]
    return result, tapes[-1].view(ROW_TYPE)


def test_the_last_iteration_alone_has_its_tasks_in_the_record() -> None:
    result, trace = recorded(position=X_ON_A1, backend="threads", workers=2, split=2, deepen=True, limit=Limit(depth=4))
    naive.assert_rows_of_tasks(result)
    newest = {task.moves: task for task in result.tasks if len(task.moves) == 2}
    assert len(result.tasks) > len(newest)
    assert [task for task in result.tasks if task.end_row] == [task for task in newest.values() if task.nodes]
    assert trace.depth == 4


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_record_with_room_for_just_all_is_not_truncated(name: str) -> None:
    nodes = solve(Job(position=X_ON_A1, algorithm=name)).info.counters.nodes
    _, trace = recorded(position=X_ON_A1, algorithm=name, record=nodes)
    assert not trace.truncated
    assert len(trace) == nodes


@pytest.mark.parametrize("position", ["xxx/oo./...", "xox/oxo/ox."])
def test_a_record_of_one_or_two_nodes(position: str) -> None:
    for backend, name in product(("serial", "threads"), TEXTBOOK):
        result, trace = recorded(position=position, algorithm=name, backend=backend)
        assert len(trace) == result.info.counters.nodes
        naive.assert_consistent(trace, name)
        assert len(trace.path_nodes(0)) == 1


def test_a_row_that_is_not_there_is_refused() -> None:
    _, trace = recorded(position=X_ON_A1, record=10)
    for row in (-1, 10):
        with pytest.raises(IndexError, match=f"no row {row}"):
            trace.path(row)


@pytest.mark.parametrize(
    "mode", [{}, *({"backend": "threads", "workers": 3, "split": split} for split in (1, 2, 3))], ids=str
)
@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_record_of_a_stopped_search_holds_what_was_visited(name: str, mode: dict[str, Any]) -> None:
    """Positions that were then open are marked; their subtrees end where the next begins."""
    result: Snapshot | Result | None = None
    control = Control(paused=True)
    for said in run(Job(position=X_ON_A1, algorithm=name, record=RECORD_ROWS, **mode), control):
        result = said
        if isinstance(said, Snapshot) and said.counters.nodes < 700:
            control.step(50)
        else:
            control.stop()
    assert isinstance(result, Result)
    assert result.trace is not None
    assert len(result.trace) == result.info.counters.nodes
    rows = naive.rows_of(result.trace)
    assert OPEN in [row.why for row in rows]
    naive.assert_consistent(result.trace, name, mode.get("split", 0))
    for row in random.Random(3).sample(range(len(rows)), 100):
        for node in result.trace.path_nodes(row):
            assert all(child.state is not State.PRUNED or node.cut for child in node.children)


@pytest.mark.parametrize("record", [0, RECORD_ROWS])
def test_a_running_search_tells_of_its_leaves_what_a_record_will(record: int) -> None:
    """Also that the table knew a position."""
    job = Job(position="x../.o./...", algorithm="alphabeta", backend="interpreted", table=1.0)
    control, live = Control(paused=True), {}
    control.step()
    for said in run(replace(job, record=record), control):
        if isinstance(said, Result):
            break
        control.step(2)
        moves: tuple[int, ...] = ()
        for node in said.path:
            live.update({(*moves, child.move): child for child in node.children if child.state is State.DONE})
            moves = moves if node.move is None else (*moves, node.move)
    trace = solve(replace(job, record=RECORD_ROWS)).trace
    assert trace is not None
    recorded = {
        (*trace.moves(row), child.move): child
        for row in range(len(trace))
        for child in trace.path_nodes(row)[-1].children
        if child.state is State.DONE
    }
    assert all(child == recorded[moves] for moves, child in live.items())
    assert {child.leaf for child in live.values()} == {None, Leaf.TERMINAL, Leaf.TABLE}


@given(reasons=st.lists(st.sampled_from([TERMINAL, AT_HORIZON, CUTOFF]), max_size=200), data=st.data())
def test_the_ends_of_any_number_of_rows_are_counted(reasons: list[int], data: st.DataObject) -> None:
    totals = Totals(np.array(reasons, np.uint8), Index(np.zeros(len(reasons), np.int8)), full=False)
    rows = data.draw(st.lists(st.integers(0, len(reasons)), min_size=1))
    for reason in (TERMINAL, AT_HORIZON):
        expected = [reasons[:count].count(reason) for count in rows]
        assert totals.counts(reason, np.array(rows)).tolist() == expected
        assert [totals.count(reason, count) for count in rows] == expected
