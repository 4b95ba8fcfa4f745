"""The side to move of each node of a record, for games whose sides do not alternate: the record does not tell it."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import FRAME_TYPE, LEFT, WHY, kind_of, load, store
from engine.rules.contract import Position, play, to_move

FEW = 20_000
"""Rows that are followed without the compiler: those of one event, and of a search that did not wait for it either."""


def sides(root: Position, place: NDArray[np.uint16], few: int = FEW) -> NDArray[np.uint8]:
    """The side to move of each row, 0 or 1: see `engine.rules.contract.to_move`; [rows]. `place` is the record's column
    of that name, of `ROW_TYPE`. Up to `few` rows are followed without the compiler."""
    found = np.zeros(len(place), np.uint8)
    left = place // LEFT
    frames = np.zeros(1 + int(np.ptp(left)) if len(place) else 1, FRAME_TYPE)
    store(root, frames[0])
    follow = _follow if len(place) <= few else _compiled()
    follow(kind_of(root), np.ascontiguousarray(place), frames, found)
    return found


@cache
def _compiled() -> Any:
    from engine.jit import lowering as lowering  # here: numba is slow to import. It registers the rules
    from engine.jit.kernel import kernel

    return kernel(_follow)


def _follow(root: Position, place: Any, frames: Any, found: Any) -> None:
    """Fill in `found` by playing the record's moves."""
    for row in range(len(place)):
        ply = int(place[0]) // LEFT - int(place[row]) // LEFT
        if ply > 0:
            store(play(load(root, frames[ply - 1]), int(place[row]) % WHY), frames[ply])
        found[row] = to_move(load(root, frames[ply]))
