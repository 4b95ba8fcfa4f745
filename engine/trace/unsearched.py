"""The moves that a search left out, node by node, and how many nodes minimax would have visited for them.

The nodes are counted where that takes at most MOST_COUNTED positions; else they are estimated by the mean number of
moves of the recorded nodes of each ply.

Source: D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit import lowering as lowering  # registers the rules with the compiler
from engine.jit.kernel import kernel
from engine.kernels.worker_memory import FRAME_TYPE, LEFT, WHY, kind_of, load, moves_in, put_moves, store
from engine.rules.bits import count, first, is_empty, rest, without
from engine.rules.contract import Position, is_over, legal, play
from engine.trace.index import Index
from engine.trace.widths import Unsearched, repeats

MOST_COUNTED = 20_000_000
"""Some 0.3 s on one core."""


def unsearched(root: Position, place: NDArray[np.uint16], index: Index) -> Unsearched:
    """The unsearched moves of a record with that root. `place` is its column of that name, of `ROW_TYPE`."""
    moves, nodes = np.zeros(len(place), np.uint8), np.zeros(len(place))
    frames = np.zeros(len(index.plies), FRAME_TYPE)
    store(root, frames[0])
    exact = bool(_walk(kind_of(root), np.ascontiguousarray(place), frames, moves, nodes, MOST_COUNTED))
    if not exact:
        below = 1.0
        for rows in reversed(index.plies):
            nodes[rows] = moves[rows] * below
            below = 1 + below * _width(rows, index, place, moves)
    return Unsearched(moves, nodes, exact)


def _width(rows: NDArray[np.int32], index: Index, place: NDArray[np.uint16], moves: NDArray[np.uint8]) -> float:
    """The mean number of moves of the nodes of one ply, searched or not; a leaf has none."""
    ply, searched = index.ply(int(rows[0])) + 1, 0
    if ply < len(index.plies):
        searched = np.count_nonzero(~repeats(index.plies[ply], index, place))
    return (int(moves[rows].sum()) + searched) / len(rows)


@kernel
def _walk(root: Position, place: Any, frames: Any, moves: Any, nodes: Any, most: int) -> bool:
    """Fill in `moves` and `nodes` by following the record. Returns whether the nodes were at most `most`; from then on
    only moves are counted."""
    budget, top, deepest = np.full(1, most, np.int64), -1, int(place[0]) // LEFT
    for row in range(len(place) + 1):
        ply = deepest - int(place[row]) // LEFT if row < len(place) else 0
        while top >= ply:
            done = frames[top]
            todo, position = moves_in(root, done["todo"]), load(root, done)
            moves[done["row"]] = count(todo)
            while not is_empty(todo) and budget[0] >= 0:
                child = play(position, first(todo))
                nodes[done["row"]] += _minimax_nodes(child, deepest - top - 1, budget)
                todo = rest(todo)
            top -= 1
        if row == len(place):
            break
        if ply > 0:
            above, move = frames[ply - 1], int(place[row]) % WHY
            put_moves(above["todo"], without(moves_in(root, above["todo"]), move))
            store(play(load(root, above), move), frames[ply])
        position = load(root, frames[ply])
        put_moves(frames[ply]["todo"], legal(position))
        if ply == deepest or is_over(position):
            frames[ply]["todo"][:] = 0
        frames[ply]["row"] = row
        top = ply
    return budget[0] >= 0


@kernel
def _minimax_nodes(position: Position, left: int, budget: Any) -> int:
    """The nodes of minimax's tree below and with a position, `left` plies deep; ends early when the budget is spent."""
    budget[0] -= 1
    if left == 0 or budget[0] < 0 or is_over(position):
        return 1
    total, todo = 1, legal(position)
    while not is_empty(todo):
        total += _minimax_nodes(play(position, first(todo)), left - 1, budget)
        todo = rest(todo)
    return total
