"""The nodes of a record with one position, by any order of moves, and those whose positions are symmetric.

Two nodes have one position if the board and the side to move are the same. The positions are told apart by their keys,
which are exact on small boards and hashes of 64 bits on large ones.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit import lowering as lowering  # registers the rules with the compiler
from engine.jit.kernel import kernel
from engine.kernels.worker_memory import FRAME_TYPE, LEFT, WHY, kind_of, load, store
from engine.rules.contract import Position, key, play, transformed
from engine.trace.index import Index


class Transpositions:
    """The rows of a record, grouped by position. 8 bytes a row, and 8 a position."""

    def __init__(
        self,
        root: Position,
        place: NDArray[np.uint16],
        index: Index,
        symmetries: int,
        of_root: Callable[[NDArray[np.int32]], NDArray[np.bool_]],
    ) -> None:
        """`place` is the record's column of that name, of `ROW_TYPE`; `symmetries` is the number of the game's;
        `of_root`: see `engine.trace.record.Trace.of_root`."""
        keys, least = np.zeros(len(place), np.int64), np.zeros(len(place), np.int64)
        frames = np.zeros(len(index.plies), FRAME_TYPE)
        store(root, frames[0])
        _keys(kind_of(root), np.ascontiguousarray(place), symmetries, frames, keys, least)
        side = of_root(np.arange(len(place), dtype=np.int32))
        order = np.lexsort((keys, least, side)).astype(np.int32)
        is_new = np.ones(len(order), np.bool_)
        is_new[1:] = (np.diff(least[order]) != 0) | (np.diff(side[order]) != 0)
        self._symmetric = np.append(np.flatnonzero(is_new), len(order))
        is_new[1:] |= np.diff(keys[order]) != 0
        self._equal = np.append(np.flatnonzero(is_new), len(order))
        self._order = order
        self._numbers = np.empty_like(order)
        self._numbers[order] = np.arange(len(order), dtype=np.int32)

    @property
    def positions(self) -> int:
        """The number of distinct positions."""
        return len(self._equal) - 1

    @property
    def classes(self) -> int:
        """The number of positions that are distinct up to symmetry."""
        return len(self._symmetric) - 1

    def equal(self, row: int) -> NDArray[np.int32]:
        """The rows with the position of `row`, itself among them, ascending."""
        return self._group(self._equal, row)

    def symmetric(self, row: int) -> NDArray[np.int32]:
        """The rows with a position that is equal to that of `row` up to symmetry, itself among them; position by
        position."""
        return self._group(self._symmetric, row)

    def _group(self, begins: NDArray[np.int64], row: int) -> NDArray[np.int32]:
        group = int(begins.searchsorted(self._numbers[row], "right"))
        return self._order[begins[group - 1] : begins[group]]


@kernel
def _keys(root: Position, place: Any, symmetries: int, frames: Any, keys: Any, least: Any) -> None:
    """Fill in the key of each row's position, and the least key among its symmetric forms."""
    deepest = int(place[0]) // LEFT
    for row in range(len(place)):
        ply = deepest - int(place[row]) // LEFT
        if ply > 0:
            store(play(load(root, frames[ply - 1]), int(place[row]) % WHY), frames[ply])
        position = load(root, frames[ply])
        keys[row] = least[row] = key(position)
        for symmetry in range(1, symmetries):
            least[row] = min(least[row], key(transformed(position, symmetry)))
