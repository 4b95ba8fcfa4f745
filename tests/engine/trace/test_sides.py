"""Records of games whose sides do not alternate: who is to move at each row, and whose values its pictures show."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.options.catalogue import Limit
from engine.options.choices import Parallel, Scoring
from engine.prewarm import background
from engine.registry import game
from engine.result import INFINITY
from engine.rules.contract import to_move
from engine.trace import sides as module
from engine.trace.bound_updates import bound_updates
from engine.trace.raster import ValueKind
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.sides import sides
from engine.trace.widths import Width
from tests.engine import naive

pytestmark = pytest.mark.usefixtures("again")

BOARDS = {"connect6:3,3,3": "xoo/.../...", "again": "x../.o./... x"}
"""In the second game the side to move differs among the children of one node."""
ALGORITHMS = "minimax", "alphabeta", "pvs"

each_board = pytest.mark.parametrize("spec", BOARDS)


def search(spec: str, algorithm: str = "minimax", position: str = "") -> Job:
    text = position or BOARDS[spec]
    return Job(game=spec, position=text, algorithm=algorithm, backend="interpreted", record=RECORD_ROWS)


def recorded(job: Job) -> Trace:
    trace = solve(job).trace
    assert trace is not None
    return trace


@each_board
def test_the_side_to_move_is_that_of_the_position(spec: str) -> None:
    """Followed with the compiler and without."""
    trace = recorded(search(spec, "alphabeta"))
    place, rows = trace.rows["place"], np.arange(len(trace), dtype=np.int32)
    found = sides(trace.root, place).tolist()
    assert sides(trace.root, place, few=0).tolist() == found
    of_root = trace.of_root(rows).tolist()
    for row in rows.tolist():
        here, above = (to_move(trace.position(one)) for one in (row, trace.parent(row)))
        assert found[row] == here
        assert of_root[row] == trace.is_of_root(row) == (here == to_move(trace.root))
        assert trace.again(row) == (row > 0 and here == above)
        assert trace.above(row, 5) == (5 if trace.again(row) else -5)


def test_the_kernel_that_follows_a_record_is_compiled_with_the_others() -> None:
    """The window asks for the sides of a long record; it must not wait for the compiler."""
    spec = "connect6:8,8"
    start = game(spec).notation.format(game(spec).start)
    asked: dict[str, Any] = {"table": 0.1, "record": 10_000, "limit": Limit(2)}  # as test_every_game searches it
    background._compile(Job(game=spec, position=start, algorithm="alphabeta", **asked))
    assert any("Connect6_8_8" in str(types) for types in module._compiled().signatures)


@each_board
@settings(max_examples=30)
@given(data=st.data())
def test_every_path_of_a_record_says_what_is_true(spec: str, data: st.DataObject) -> None:
    root = data.draw(naive.positions(spec, BOARDS[spec]))
    scoring, algorithm = data.draw(st.sampled_from(Scoring)), data.draw(st.sampled_from(ALGORITHMS))
    job = replace(search(spec, algorithm, game(spec).notation.format(root)), scoring=scoring)
    trace = recorded(job)
    naive.assert_consistent(trace, algorithm)
    replay = Replay(trace)
    for moment in data.draw(st.lists(st.integers(0, replay.last), max_size=5)):
        assert not naive.wrong(job, replay.path_nodes(moment), naive.NO_HORIZON)
    row = data.draw(st.integers(0, len(trace) - 1))
    assert not naive.wrong(job, trace.path_nodes(row), naive.NO_HORIZON)


@each_board
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_picture_has_all_values_for_one_side(spec: str, algorithm: str) -> None:
    trace = recorded(search(spec, algorithm))
    places, seen = trace.places(Width.VISITED), set()
    picture = trace.raster(places, 0, places.whole, len(trace))
    for ply, column in np.argwhere(picture.kinds != ValueKind.NONE).tolist():
        row = int(picture.rows[ply, column])
        own = to_move(trace.position(row)) == to_move(trace.root)
        assert picture.values[ply, column] == (trace.raw(row).value if own else -trace.raw(row).value)
        seen.add((own, ply % 2))
    assert len(seen) == 4, "the parity of the ply tells nothing"


@each_board
def test_equal_positions_have_equal_sides(spec: str) -> None:
    trace = recorded(search(spec))
    found = trace.transpositions(len(game(spec).symmetries))
    positions = [trace.position(row) for row in range(len(trace))]
    assert found.positions == len(set(positions))
    row = positions.index(max(positions, key=positions.count))
    assert [positions[other] for other in found.equal(row)] == [positions[row]] * positions.count(positions[row])


@pytest.mark.parametrize("split", [1, 2, 3])
@pytest.mark.parametrize("parallel", [Parallel.SPLIT, Parallel.YBW])
def test_a_search_on_threads_is_right(split: int, parallel: Parallel) -> None:
    """The bounds that workers share are turned where the side changes, and only there."""
    job = replace(search("again", "alphabeta"), backend="threads", workers=2, split=split, parallel=parallel)
    result = solve(job)
    trace = result.trace
    assert trace is not None
    naive.assert_true(result)
    naive.assert_consistent(trace, "alphabeta", split)
    last: dict[int, int] = {}
    for update in bound_updates(trace, result.tasks):
        first = update.task.first_row
        parent, after = trace.position(trace.parent(first)), trace.position(first)
        worth = naive.above(parent, after, trace.raw(first).value)
        assert worth > last.get(trace.parent(first), -INFINITY), "it raises the bound"
        last[trace.parent(first)] = worth
    assert all(trace.raw(parent).value == worth for parent, worth in last.items())
    assert last
