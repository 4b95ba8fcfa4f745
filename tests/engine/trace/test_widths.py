"""The extents of nodes in a picture: those of minimax's tree, whatever of it was searched."""

from functools import cache
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.kernels.worker_memory import ALL_SEEN
from engine.options.catalogue import Limit
from engine.result import State
from engine.rules.bits import each
from engine.rules.contract import Position, is_over, legal, play
from engine.trace import record, unsearched
from engine.trace.raster import ValueKind
from engine.trace.widths import Gap, Width
from tests.engine import naive


@cache
def minimax_nodes(position: Position, left: int) -> int:
    if is_over(position) or not left:
        return 1
    return 1 + sum(minimax_nodes(play(position, move), left - 1) for move in each(legal(position)))


@settings(deadline=None)
@given(job=naive.interrupted(), place=st.integers(0, 3_000))
@example(job=naive.SEARCHED_TWICE, place=0)
def test_each_node_is_as_wide_as_minimax_below_it(job: Job, place: int) -> None:
    trace = solve(job).trace
    assert trace is not None
    if not len(trace):
        return
    left_out, places, equal = trace.unsearched, trace.places(Width.MINIMAX), trace.places(Width.EQUAL)
    assert left_out.exact
    assert places.whole == minimax_nodes(trace.root, trace.depth or 0)
    row = place % len(trace)
    position, left = trace.root, trace.depth or 0
    for move in trace.moves(row):
        position, left = play(position, move), left - 1
    moves = [] if is_over(position) or not left else list(each(legal(position)))
    children = trace.children(row)
    missing = set(moves) - set(map(trace.move, children))
    assert left_out.moves[row] == len(missing)
    assert left_out.nodes[row] == sum(minimax_nodes(play(position, move), left - 1) for move in missing)
    unseen = [
        child.move for child in trace.path_nodes(row)[-1].children if child.state in (State.PRUNED, State.UNVISITED)
    ]
    assert set(unseen) <= missing
    begin, end = places.extent(row)
    place = begin
    for child in children:
        child_begin, child_end = places.extent(child)
        searches = [trace.move(other) for other in children].count(trace.move(child))
        size = minimax_nodes(play(position, trace.move(child)), left - 1)
        share = size / searches / (minimax_nodes(position, left) - 1)
        assert child_begin == pytest.approx(place)
        assert child_end - child_begin == pytest.approx(share * (end - begin))
        even = np.subtract(*equal.extent(child)[::-1]) / np.subtract(*equal.extent(row)[::-1])
        assert even == pytest.approx(1 / searches / len(moves))
        place = child_end


@settings(deadline=None)
@given(job=naive.interrupted(), data=st.data())
def test_a_picture_shows_nodes_and_what_was_not_searched(job: Job, data: st.DataObject) -> None:
    trace = solve(job).trace
    assert trace is not None
    if not len(trace):
        return
    places = trace.places(data.draw(st.sampled_from([Width.MINIMAX, Width.EQUAL])))
    first = data.draw(st.floats(0, 0.9)) * places.whole
    end = first + data.draw(st.floats(0.05, 1)) * (places.whole - first)
    width = 24
    shown, step = trace.raster(places, first, end, width), (end - first) / width
    for column in range(width):
        place, row, owner = first + (column + 0.5) * step, 0, -1
        for ply in range(len(trace.index.plies)):
            if ply:
                extents = [(child, *places.extent(child)) for child in trace.children(row)] if row >= 0 else []
                here = [child for child, begin, stop in extents if begin <= place < stop]
                owner = row if row >= 0 and not here and trace.unsearched.moves[row] else owner
                row = here[0] if here else -1
            found = int(shown.rows[ply, column])
            either = [edge for node in {found, row} - {-1} for edge in places.extent(node)]
            if found != row and any(abs(place - edge) < 1e-6 * step for edge in either):
                break  # on the edge of two nodes, which is rounded
            if row < 0 and owner >= 0 and found >= 0:
                assert first + column * step <= places.extent(found)[0] < first + (column + 1) * step
                assert shown.owners[ply, column] == -1
            else:
                assert found == row
                assert shown.owners[ply, column] == (owner if row < 0 else -1)


@pytest.mark.parametrize(("plies", "kind"), [(3, ValueKind.ESTIMATE), (None, ValueKind.EXACT)])
def test_a_zero_with_the_horizon_below_it_is_an_estimate(plies: int | None, kind: ValueKind) -> None:
    """It may be an estimate that is 0; one with ends of the game below it is a draw."""
    limit = Limit(depth=plies)
    job = Job(position="x../.o./..x", limit=limit, evaluate=False, record=RECORD_ROWS, backend="interpreted")
    trace = solve(job).trace
    assert trace is not None
    places = trace.places(Width.EQUAL)
    shown = trace.raster(places, 0, places.whole, 400)
    found = dict(zip(shown.rows.ravel().tolist(), shown.kinds.ravel().tolist(), strict=True))
    zeros = [row for row in found if row >= 0 and trace.raw(row).value == 0 and trace.why(row) == ALL_SEEN]
    assert zeros
    assert {found[row] for row in zeros} == {kind}


def test_pruned_nodes_are_summed_up_to_any_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "BLOCK", 16)
    trace = solve(
        Job(position=naive.EMPTY, algorithm="alphabeta", record=200, limit=Limit(depth=4), backend="interpreted")
    ).trace
    assert trace is not None
    assert trace.truncated
    rows = range(len(trace))
    nodes = [float(trace.unsearched.nodes[row]) * (trace.gap(row) is Gap.PRUNED) for row in rows]
    assert sum(nodes)
    assert [trace.pruned_before(row) for row in [*rows, len(trace)]] == [0, *accumulate(nodes)]
    assert trace.in_gaps[Gap.PRUNED] == sum(nodes)


@pytest.mark.parametrize("position", ["x../.o./.x.", "xo./.../.x."])
def test_a_node_of_minimax_is_pruned_once_until_it_is_visited(position: str) -> None:
    """PVS may prune in two visits of a node, and may visit what it pruned before. Looked at before every ninth row."""
    trace = solve(Job(position=position, algorithm="pvs", record=RECORD_ROWS, backend="interpreted")).trace
    assert trace is not None
    assert trace.has_repeats
    assert (trace.visits.newly_searched > 0).any(), "a visit searches what one before it pruned"
    ended, entered = dict[tuple[int, ...], int](), set[tuple[int, ...]]()
    for row in range(len(trace)):
        if row % 9 == 0:
            ended |= {trace.moves(before): before for before in range(row) if trace.end(before) <= row}
            ahead = float(trace.pruned_at(np.array(trace.path(row)[:-1], np.int32)).sum())
            assert trace.pruned_before(row) - ahead == _pruned(trace, ended, entered)
        entered.add(trace.moves(row))
    ended |= {trace.moves(row): row for row in range(len(trace))}
    assert trace.pruned_before(len(trace)) == trace.in_gaps.get(Gap.PRUNED, 0) == _pruned(trace, ended, entered)
    assert trace.in_gaps.get(Gap.PRUNED, 0) + len(entered) == minimax_nodes(trace.root, trace.depth or 0)


def _pruned(trace: record.Trace, ended: dict[tuple[int, ...], int], entered: set[tuple[int, ...]]) -> int:
    """The nodes of minimax below the moves that nobody has entered, of nodes that ended last with a cutoff."""
    total = 0
    for line, row in ended.items():
        if trace.gap(row) is Gap.PRUNED:
            position, left = trace.root, (trace.depth or 0) - len(line) - 1
            for move in line:
                position = play(position, move)
            unseen = (move for move in each(legal(position)) if (*line, move) not in entered)
            total += sum(minimax_nodes(play(position, move), left) for move in unseen)
    return total


def test_what_is_too_large_to_count_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsearched, "MOST_COUNTED", 100)
    job = Job(
        position=naive.EMPTY, algorithm="alphabeta", record=RECORD_ROWS, limit=Limit(depth=3), backend="interpreted"
    )
    trace = solve(job).trace
    assert trace is not None
    assert len(trace) < 586
    assert not trace.unsearched.exact
    assert trace.places(Width.MINIMAX).whole == 1 + 9 + 9 * 8 + 9 * 8 * 7, "nobody can have won yet"


@pytest.mark.parametrize("split", [1, 2])
def test_a_node_is_as_wide_as_the_time_of_the_tasks_below_it(split: int) -> None:
    """Of a record that is full, as far as it goes. One of nodes above the tasks alone has a width too: a picture of a
    width of 0 ended the program. The unit is a node, as in the other widths: in seconds, nothing could be zoomed."""
    for room in (100_000, 400, 1):
        job = Job(position=naive.EMPTY, algorithm="alphabeta", backend="threads", workers=2, split=split, record=room)
        result = solve(job)
        trace = result.trace
        assert trace is not None
        places = trace.places(Width.TIME, result.tasks)
        recorded = [task for task in result.tasks if task.first_row < task.end_row]
        lengths = [(task.end - task.start) * (task.end_row - task.first_row) / task.nodes for task in recorded]
        assert places.whole == pytest.approx(len(trace))
        assert places.extent(0) == pytest.approx((0, places.whole))
        for task, seconds in zip(recorded, lengths, strict=True):
            left, right = places.extent(task.first_row)
            assert right - left == pytest.approx(seconds / sum(lengths) * len(trace))
            middle = (left + right) / 2
            deepest = places.around(middle, middle)
            assert task.first_row <= deepest < task.end_row
        for first, second in pairwise(trace.children(0)):
            assert places.extent(first)[1] == pytest.approx(places.extent(second)[0])
        picture = trace.raster(places, 0, places.whole, 50)
        assert (picture.rows[0] == 0).all()
        assert (picture.rows[1:2] >= 1).all()
        assert (np.diff(picture.rows[1:2]) >= 0).all()
