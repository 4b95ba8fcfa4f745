"""The side to move of each node of a record, for games whose sides do not alternate: the record does not tell it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit import lowering as lowering  # registers the rules with the compiler
from engine.jit.kernel import kernel
from engine.kernels.worker_memory import FRAME_TYPE, LEFT, WHY, kind_of, load, store
from engine.rules.contract import Position, play, to_move
from engine.trace.index import Index

FEW = 5_000
"""Rows that are followed without the compiler: those of one event, which must not wait for it."""


def sides(root: Position, place: NDArray[np.uint16], index: Index) -> NDArray[np.uint8]:
    """The side to move of each row, 0 or 1: see `engine.rules.contract.to_move`; [rows]. `place` is the record's column
    of that name, of `ROW_TYPE`."""
    found = np.zeros(len(place), np.uint8)
    frames = np.zeros(len(index.plies), FRAME_TYPE)
    store(root, frames[0])
    follow = _follow if len(place) > FEW else _follow.py_func
    follow(kind_of(root), np.ascontiguousarray(place), frames, found)
    return found


@kernel
def _follow(root: Position, place: Any, frames: Any, found: Any) -> None:
    """Fill in `found` by playing the record's moves."""
    deepest = int(place[0]) // LEFT
    for row in range(len(place)):
        ply = deepest - int(place[row]) // LEFT
        if ply > 0:
            store(play(load(root, frames[ply - 1]), int(place[row]) % WHY), frames[ply])
        found[row] = to_move(load(root, frames[ply]))
