"""Node types against their definition, and against alpha-beta where the first move is always the best."""

import numpy as np
import pytest
from msgspec.structs import replace

from engine.backends import solve
from engine.job import RECORD_ROWS, Job
from engine.measure.ordering import Detent, ordered
from engine.registry import game
from engine.trace.node_types import node_types

BOARDS = [("tictactoe", "x../.o./..."), ("connect6:3,3,3", "xo./o../...")]
"""The second has sides that move twice in a row."""


@pytest.mark.parametrize(("spec", "position"), BOARDS)
def test_the_types_are_those_of_the_definition(spec: str, position: str) -> None:
    job = Job(game=spec, position=position, algorithm="alphabeta", backend="interpreted", record=RECORD_ROWS)
    trace, notation = solve(job).trace, game(spec).notation
    assert trace is not None
    types = node_types(trace, np.arange(len(trace), dtype=np.int32))
    assert types[0] == 1
    for row in range(len(trace)):
        for place, child in enumerate(trace.children(row)):
            again = notation.mover(trace.position(row)) == notation.mover(trace.position(child))
            match int(types[row]), place == 0:
                case 1, True:
                    expected = 1
                case 1, False:
                    expected = 3 if again else 2
                case 2, True:
                    expected = 2 if again else 3
                case 3, _:
                    expected = 3 if again else 2
                case _:
                    expected = 0
            assert types[child] == expected
    assert set(types.tolist()) == {0, 1, 2, 3}
    shuffled = np.array([[5, -1, 0], [len(trace) - 1, 7, -1]], np.int32)
    assert node_types(trace, shuffled).tolist() == [[types[5], 0, 1], [types[-1], types[7], 0]]


@pytest.mark.parametrize(("spec", "position"), [*BOARDS, ("tictactoe", "xo./.../..."), ("tictactoe", "xox/.o./x..")])
def test_in_the_best_order_every_visited_node_has_a_type(spec: str, position: str) -> None:
    """In worse orders some have none."""
    shares, job = {}, Job(game=spec, position=position, backend="interpreted")
    for detent in (Detent.BEST, Detent.WORST):
        trace = solve(replace(ordered(job, detent), record=RECORD_ROWS)).trace
        assert trace is not None
        shares[detent] = (node_types(trace, np.arange(len(trace), dtype=np.int32)) > 0).mean()
    assert shares[Detent.BEST] == 1
    assert shares[Detent.WORST] < 1
