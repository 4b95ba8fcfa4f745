"""The index and the picture of a record agree with a naive walk through its rows."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backends import solve
from engine.job import Job
from engine.kernels.worker_memory import AT_HORIZON
from engine.trace.index import INDEX_BYTES, TAPE_BYTES, Index
from engine.trace.raster import Raster, ValueKind
from engine.trace.record import Trace
from engine.trace.widths import Width
from tests.engine import naive

BYTES_A_ROW = 24
"""The goal for a record with its index."""


@st.composite
def shapes(draw: st.DrawFn) -> list[int]:
    """The plies left of the nodes of any tree, in preorder; cut short anywhere, it still is such a list."""
    depth, left = draw(st.integers(0, 6)), [0] * draw(st.integers(0, 1))
    if left:
        left[0] = depth
        for _ in range(draw(st.integers(0, 60)) if depth else 0):
            left.append(draw(st.integers(max(0, left[-1] - 1), depth - 1)))
    return left


def walked(left: list[int]) -> tuple[list[int], list[int]]:
    """The end of each row's subtree and its parent, by looking through the rows."""
    count = len(left)
    ends = [next((n for n in range(row + 1, count) if left[n] >= left[row]), count) for row in range(count)]
    parents = [next((n for n in range(row - 1, -1, -1) if left[n] > left[row]), 0) for row in range(count)]
    return ends, parents


@given(left=shapes())
def test_the_index_of_any_tree(left: list[int]) -> None:
    made = Index(np.array(left, np.int8))
    ends, parents = walked(left)
    assert made.end.tolist() == ends
    assert made.parent.tolist() == parents
    assert sorted(row for rows in made.plies for row in rows.tolist()) == list(range(len(left)))
    for row in range(len(left)):
        assert row in made.plies[made.ply(row)]
        assert made.children(row) == [n for n in range(1, len(left)) if parents[n] == row]
    columns = made.left, made.end, made.parent, *made.plies
    assert sum(column.nbytes for column in columns) == INDEX_BYTES * len(left)
    assert TAPE_BYTES + INDEX_BYTES <= BYTES_A_ROW


@settings(deadline=None, derandomize=True)
@given(job=naive.interrupted(), data=st.data())
def test_the_index_and_the_picture_of_any_search(job: Job, data: st.DataObject) -> None:
    trace = solve(job).trace
    assert trace is not None
    rows = naive.rows_of(trace)
    assert trace.index.end.tolist() == [row.end for row in rows]
    for row in range(0, len(rows), max(1, len(rows) // 20)):
        below = naive.children(rows, row)
        assert trace.children(row) == below
        assert all(trace.parent(child) == row for child in below)
    if not rows:
        return
    first = data.draw(st.floats(0, len(rows) - 0.5))
    end = data.draw(st.floats(first + 0.25, len(rows)))
    width = data.draw(st.sampled_from([1, 7, 64]))
    assert_shows(trace, trace.raster(trace.places(Width.VISITED), first, end, width), first, end)


def assert_shows(trace: Trace, shown: Raster, first: float, end: float) -> None:
    """Check that each pixel shows the nodes that contain its middle, with their values."""
    width = shown.rows.shape[1]
    for column in range(width):
        path = trace.path(min(len(trace) - 1, int(first + (column + 0.5) * ((end - first) / width))))
        assert shown.rows[:, column].tolist() == [*path, *[-1] * (len(shown.rows) - len(path))]
        for ply, row in enumerate(path):
            found, kind = trace.found(row), shown.kinds[ply, column]
            assert shown.why[ply, column] == trace.why(row)
            assert (found is None) == (kind == ValueKind.NONE)
            if found is not None:
                value = found.number
                assert (not found.is_exact) == (kind == ValueKind.BOUND)
                over_horizon = value == 0 and AT_HORIZON in map(trace.why, range(row, trace.end(row)))
                is_estimate = found.is_estimate or over_horizon
                assert kind in (ValueKind.BOUND, ValueKind.ESTIMATE if is_estimate else ValueKind.EXACT)
                assert shown.values[ply, column] == np.float32(-value if ply % 2 else value)
