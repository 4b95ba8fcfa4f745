"""Two records of one position: aligned by moves, counted, in one picture, at the same moments."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.options.catalogue import Limit
from engine.trace.compare import Comparison, Seen
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.widths import Width
from tests.engine import naive

Moves = tuple[int, ...]

ROUNDING = 1e-6
"""The error of an edge as a share of the whole picture: widths are stored in single precision."""


@cache
def recorded(algorithm: str, position: str = naive.X_ON_A1) -> Trace:
    trace = solve(Job(position=position, algorithm=algorithm, record=RECORD_ROWS)).trace
    assert trace is not None
    return trace


@cache
def lines_of(algorithm: str) -> set[Moves]:
    """All lines of moves in its record."""
    trace = recorded(algorithm)
    return set(map(trace.moves, range(len(trace))))


def last_rows(trace: Trace) -> dict[Moves, int]:
    """The last row of each line of moves."""
    return {trace.moves(row): row for row in range(len(trace))}


@settings(deadline=None, max_examples=30)
@given(job=naive.interrupted(), other=naive.interrupted(), data=st.data())
def test_rows_match_by_their_moves_and_share_a_picture(job: Job, other: Job, data: st.DataObject) -> None:
    first, second = (solve(one).trace for one in (job, replace(other, position=job.position)))
    assert first is not None
    assert second is not None
    if not len(first) or not len(second):
        return
    found, rows = Comparison(first, second), (last_rows(first), last_rows(second))
    for trace, matches, there in zip((first, second), found.matches, rows[::-1], strict=True):
        assert [there.get(trace.moves(row), -1) for row in range(len(trace))] == matches.tolist()
    both = rows[0].keys() & rows[1].keys()
    alone = [sum(found.counts.of(side)[seen] for seen in (Seen.ONE, Seen.UNKNOWN)) for side in (0, 1)]
    assert (found.counts.both, *alone) == (len(both), len(rows[0]) - len(both), len(rows[1]) - len(both))
    moves = [found.union.moves(row) for row in range(len(found.union))]
    assert len(moves) == len(set(moves))
    assert set(moves) == rows[0].keys() | rows[1].keys()
    assert [moves[node] for node in found.nodes[0]] == list(map(first.moves, range(len(first))))
    places = found.places(data.draw(st.sampled_from([one for one in Width if one is not Width.TIME])))
    for line in both:
        extents = [pair[0].extent(pair[1][line]) for pair in zip(places, rows, strict=True)]
        assert extents[0] == extents[1]
    for trace, there, lines in zip((first, second), places, rows, strict=True):
        line = data.draw(st.sampled_from(sorted(lines)))
        begin, end = there.extent(lines[line])
        shown = trace.raster(there, begin, end, 4)
        assert shown.rows[len(line)].tolist() == [lines[line]] * 4, "of several searches the last"
        for ply in range(len(line)):
            outer = there.extent(lines[line[:ply]])
            assert outer[0] <= begin + ROUNDING * there.whole
            assert end <= outer[1] + ROUNDING * there.whole


def test_children_have_the_order_of_the_first_search() -> None:
    by_killers = solve(Job(position=naive.X_ON_A1, algorithm="alphabeta", order=("killers",), record=RECORD_ROWS)).trace
    assert by_killers is not None
    first, second = by_killers, recorded("pvs")
    found = Comparison(first, second)
    rows = last_rows(first), last_rows(second)
    for row in range(len(found.union)):
        line, union = found.union.moves(row), list(map(found.union.move, found.union.children(row)))
        own = [
            list(dict.fromkeys(map(trace.move, trace.children(there[line])))) if line in there else []
            for trace, there in zip((first, second), rows, strict=True)
        ]
        assert set(own[0]) | set(own[1]) <= set(union), "all searches of the node count"
        assert [move for move in union if move in own[0]] == own[0]
    at = {found.union.moves(row): row for row in range(len(found.union))}
    for trace, there, places in zip((first, second), rows, found.places(Width.VISITED), strict=True):
        of_ply = [there[line] for line in sorted(there, key=lambda line: at[line]) if len(line) == 2]
        assert places.rows(2).tolist() == of_ply, "of several searches of a move the last is drawn"
        assert trace is first or len(of_ply) < len(trace.index.plies[2])
        drawn = [places.extent(there[trace.moves(row)]) for row in trace.index.plies[2].tolist()]
        assert [places.extent(row) for row in trace.index.plies[2].tolist()] == drawn
        edges = [places.extent(row) for row in of_ply]
        assert edges == sorted(edges)


def test_the_second_search_is_where_the_first_one_is() -> None:
    minimax, alphabeta = recorded("minimax"), recorded("alphabeta")
    found, replay, second = Comparison(minimax, alphabeta), Replay(minimax), Replay(alphabeta)
    before = 0
    for moment in range(0, replay.last + 1, 7):
        event = replay.event(moment)
        here = second.event(found.moment(event, second))
        line = minimax.moves(event.row)
        if found.matches[0][event.row] >= 0:
            assert (alphabeta.moves(here.row), here.kind) == (line, event.kind)
        else:
            path = alphabeta.moves(second.row(here.moment))
            assert line[: len(path)] == path
            assert here.cut, "minimax goes on where alpha-beta has cut"
        assert here.moment >= before, "both search in the same order"
        before = here.moment


def test_records_of_different_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="different positions"):
        Comparison(recorded("alphabeta"), recorded("alphabeta", "x../.o./..."))
    with pytest.raises(ValueError, match="no recorded node"):
        Comparison(recorded("alphabeta"), Trace(recorded("alphabeta").root, recorded("minimax").rows[:0], 0))


@settings(deadline=None, max_examples=12)
@given(
    rooms=st.tuples(st.integers(1, 2_000), st.integers(1, 2_000)),
    algorithms=st.tuples(*2 * [st.sampled_from(["minimax", "alphabeta", "pvs"])]),
)
def test_what_a_full_record_may_hide_is_unknown(rooms: tuple[int, int], algorithms: tuple[str, str]) -> None:
    """A node is visited by one search only, or by both, where the whole records say so."""
    whole, lines = [recorded(algorithm) for algorithm in algorithms], [*map(lines_of, algorithms)]
    short = [
        Trace(trace.root, trace.rows[:room].view(np.int64), trace.visited)
        for trace, room in zip(whole, rooms, strict=True)
    ]
    found = Comparison(*short, again=(algorithms[0] == "pvs", algorithms[1] == "pvs"))
    for trace, other, seen in zip(short, lines[::-1], found.seen, strict=True):
        for row in range(len(trace)):
            assert seen[row] == Seen.UNKNOWN or (seen[row] == Seen.BOTH) == (trace.moves(row) in other)
    if rooms[1] >= len(whole[1]):
        assert not found.counts.unknown_first, "nothing is hidden"


def test_what_pvs_has_not_yet_searched_again_is_unknown() -> None:
    """Its record is full before it has a node twice."""
    alphabeta, pvs = recorded("alphabeta"), recorded("pvs")
    short = Trace(pvs.root, pvs.rows[:73].view(np.int64), pvs.visited)
    assert not short.has_repeats
    assert alphabeta.moves(75) in set(map(pvs.moves, range(len(pvs))))
    assert Comparison(alphabeta, short, (False, True)).seen[0][75] == Seen.UNKNOWN


def test_the_first_search_of_the_move_that_the_record_ends_in_is_no_proof() -> None:
    """The second search of a root move goes on to moves that only the first search had pruned."""
    job = Job(position=".../..x/...", algorithm="pvs", backend="interpreted", limit=Limit(depth=4), record=RECORD_ROWS)
    minimax, pvs, short = (
        solve(one).trace for one in (replace(job, algorithm="minimax"), job, replace(job, record=313))
    )
    assert minimax is not None
    assert pvs is not None
    assert short is not None
    again = short.children(0)[-1]
    assert short.move(again) == short.move(short.children(0)[-2]), "it ends inside a second search"
    seen = Comparison(short, minimax, (True, False)).seen[1]
    whole = set(map(pvs.moves, range(len(pvs))))
    assert not [row for row in np.flatnonzero(seen == Seen.ONE).tolist() if minimax.moves(row) in whole]


def test_what_is_below_an_ended_node_is_known_of_a_full_record() -> None:
    minimax, alphabeta = recorded("minimax"), recorded("alphabeta")
    short = Trace(alphabeta.root, alphabeta.rows[: len(alphabeta) // 2].view(np.int64), alphabeta.visited)
    counts = Comparison(minimax, short).counts
    assert counts.both == len(short)
    assert counts.only_first > len(minimax) // 4
    assert 0 < counts.unknown_first < len(minimax) * 3 // 4
    assert counts.unknown_second == 0


def test_what_pvs_may_search_again_is_unknown_of_a_full_record() -> None:
    """Its first search of a node prunes moves that the second one visits. The record ends between the two."""
    minimax, pvs = recorded("minimax"), recorded("pvs")
    later = np.flatnonzero(pvs.visits.newly_searched > 0).tolist()
    for row in later[10:100:20]:
        short = Trace(pvs.root, pvs.rows[: pvs.parent(row)].view(np.int64), pvs.visited)
        assert short.has_repeats
        seen = Comparison(minimax, short, (False, True)).seen[0]
        assert seen[minimax.row_along(pvs.moves(row))] == Seen.UNKNOWN
