"""The nodes with one position agree with a grouping of positions that are played one by one."""

from collections import defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.registry import game
from engine.rules.contract import Position, play, transformed
from engine.trace.record import Trace
from engine.trace.transpositions import Transpositions
from tests.engine import naive


def grouped(job: Job, trace: Trace) -> Transpositions:
    return trace.transpositions(len(game(job.game).symmetries))


@settings(deadline=None)
@given(job=naive.interrupted(), data=st.data())
def test_the_nodes_of_a_position_are_those_that_play_finds(job: Job, data: st.DataObject) -> None:
    trace = solve(job).trace
    assert trace is not None
    if not len(trace):
        return
    found, symmetries = grouped(job, trace), range(len(game(job.game).symmetries))
    equal: dict[tuple[Position, int], list[int]] = defaultdict(list)
    symmetric: dict[tuple[frozenset[Position], int], list[int]] = defaultdict(list)
    names = []
    for row in range(len(trace)):
        position, moves = trace.root, trace.moves(row)
        for move in moves:
            position = play(position, move)
        forms = frozenset(transformed(position, symmetry) for symmetry in symmetries)
        names.append(((position, len(moves) % 2), (forms, len(moves) % 2)))
        equal[names[-1][0]].append(row)
        symmetric[names[-1][1]].append(row)
    assert (found.positions, found.classes) == (len(equal), len(symmetric))
    row = data.draw(st.integers(0, len(trace) - 1))
    assert found.equal(row).tolist() == equal[names[row][0]]
    assert sorted(found.symmetric(row).tolist()) == symmetric[names[row][1]]


def test_tictactoe_has_5478_positions_765_up_to_symmetry() -> None:
    job = Job(position=naive.EMPTY, algorithm="minimax", record=RECORD_ROWS)
    trace = solve(job).trace
    assert trace is not None
    assert len(trace) == 549_946
    found = grouped(job, trace)
    assert (found.positions, found.classes) == (5478, 765)
    corner = trace.row_along((0, 4, 8))
    assert {frozenset(trace.moves(row)[::2]) for row in found.equal(corner)} == {frozenset((0, 8))}
    assert len(found.equal(corner)) == 2, "either corner first"
    assert len(found.symmetric(corner)) == 4, "and on the other diagonal"
    assert np.unique(found.symmetric(0)).tolist() == [0]
