"""The record as a picture: which node each pixel shows on each ply. The cost depends on the pixels, not on the nodes.

x        the place in preorder: a node is as wide as its subtree has nodes
column   the node of each ply whose subtree contains the row in the middle of the column
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import AT_HORIZON, LEFT, OPEN, TERMINAL, WHY
from engine.result import Bound
from engine.trace.index import Index

BOUNDS = "", Bound.EXACT, Bound.LOWER, Bound.UPPER
"""What a value says; first: nothing."""


class Kind(IntEnum):
    """The meaning of a node's value."""

    NONE = 0
    """The node has no value, or one that says nothing."""
    BOUND = 1
    ESTIMATE = 2
    """A value with estimates of the horizon in it, or that of a position at the horizon."""
    EXACT = 3


class Raster(NamedTuple):
    """The nodes under a picture's columns; every array has the shape [plies, width]."""

    rows: NDArray[np.int32]
    """-1 where a ply has no node."""
    values: NDArray[np.float32]
    """In wins, for the side to move at the root."""
    kinds: NDArray[np.uint8]
    """A Kind; NONE where a ply has no node."""
    why: NDArray[np.uint8]
    """The reason why the node has ended: TERMINAL, AT_HORIZON ... of `engine.kernels.worker_memory`."""


def raster(record: NDArray[np.void], index: Index, unit: int, first: float, end: float, width: int) -> Raster:
    """The picture, `width` pixels wide, of the rows from `first` to `end` of a record; both may lie inside a row.

    `record` is of ROW_TYPE, and a win has the value `unit` in it.
    """
    places = np.clip(first + (np.arange(width) + 0.5) * ((end - first) / width), 0, len(record) - 1).astype(np.int32)
    shown = np.full((len(index.plies), width), -1, np.int32)
    for ply, rows in enumerate(index.plies):
        found = rows[rows.searchsorted(places, "right") - 1]
        covers = (found <= places) & (places < index.end[found])
        shown[ply, covers] = found[covers]
    node = record[shown]
    why = (node["place"] % LEFT // WHY).astype(np.uint8)
    sign = np.where(np.arange(len(shown)) % 2, -1, 1)[:, None]
    kinds = np.where(shown < 0, Kind.NONE, _kinds(node, why, unit)).astype(np.uint8)
    return Raster(shown, (sign * node["value"] / unit).astype(np.float32), kinds, why)


def bounds(node: NDArray[np.void], why: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What each node's value says, as an index of BOUNDS; see `engine.result.bound_of`."""
    fails_low, fails_high = node["value"] <= node["alpha"], node["value"] >= node["beta"]
    said = np.select([fails_low & fails_high, fails_low, fails_high], [0, 3, 2], 1)
    return np.select([why == OPEN, (why == TERMINAL) | (why == AT_HORIZON)], [0, 1], said).astype(np.uint8)


def _kinds(node: NDArray[np.void], why: NDArray[np.uint8], unit: int) -> NDArray[np.int64]:
    """The kind of each node's value."""
    is_estimate = (node["value"] % unit != 0) | (why == AT_HORIZON)
    exact = np.where(is_estimate, Kind.ESTIMATE, Kind.EXACT)
    said = bounds(node, why)
    return np.where(said == 0, Kind.NONE, np.where(said == 1, exact, Kind.BOUND))
