"""The record as a picture: which node each pixel shows on each ply. The cost depends on the pixels, not on the nodes.

x        the place of `engine.trace.widths`: each node has an extent, with those of its moves in it
column   the node of each ply whose extent contains the column's middle; where an unsearched move is there, a node that
         begins in the column, so that thin nodes stay visible
"""

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.worker_memory import AT_HORIZON, OPEN, TERMINAL
from engine.result import Bound
from engine.trace.index import Index
from engine.trace.totals import Totals
from engine.trace.widths import Places

EDGE = 1e-6
"""The share of a column by which it ends before the next one."""
BOUNDS = "", Bound.EXACT, Bound.LOWER, Bound.UPPER
"""What a value says; first: nothing."""


class ValueKind(IntEnum):
    """The meaning of a node's value."""

    NONE = 0
    """The node has no value, or one that says nothing."""
    BOUND = 1
    ESTIMATE = 2
    """A value with estimates of the horizon in it, or that of a position at the horizon. A 0 with the horizon below it
    counts as one: it may be a draw, or an estimate that is 0."""
    EXACT = 3


class Raster(NamedTuple):
    """The nodes under a picture's columns; every array has the shape [plies, width]."""

    rows: NDArray[np.int32]
    """-1 where a ply has no node."""
    values: NDArray[np.float32]
    """In wins, for the side to move at the root."""
    kinds: NDArray[np.uint8]
    """A ValueKind; NONE where a ply has no node."""
    why: NDArray[np.uint8]
    """The reason why the node has ended: TERMINAL, AT_HORIZON ... of `engine.kernels.worker_memory`."""
    owners: NDArray[np.int32]
    """Where a ply has no node because a move was not searched: the row of the node whose move that is; else -1."""


def raster(
    record: NDArray[np.void],
    whys: NDArray[np.uint8],
    totals: Totals,
    index: Index,
    places: Places,
    unit: int,
    estimates: bool,
    first: float,
    end: float,
    width: int,
    of_root: Callable[[NDArray[np.int32]], NDArray[np.bool_]],
) -> Raster:
    """The picture, `width` pixels wide, of the extents from `first` to `end`; both may lie inside a node.

    `record` is of ROW_TYPE, and a win has the value `unit` in it; `whys` are the ends of its rows. `estimates`: see
    `engine.result.known_value`; `of_root`: `engine.trace.record.Trace.of_root`.
    """
    edges = np.linspace(first, end, width + 1)
    middles = np.clip((edges[1:] + edges[:-1]) / 2, 0, np.nextafter(places.whole, 0))
    shown = np.full((len(index.plies), width), -1, np.int32)
    owners = np.full_like(shown, -1)
    for ply in range(len(index.plies)):
        begins = _last_begun(places, ply, middles)
        covers = (begins.left <= middles) & (middles < begins.right)
        shown[ply, covers] = places.rows(ply)[begins.numbers[covers]]
        if ply:
            above = shown[ply - 1]
            missing = (above >= 0) & (places.missing[above] > 0)
            owners[ply] = np.where(covers, -1, np.where(missing, above, owners[ply - 1]))
    for ply in np.flatnonzero((owners >= 0).any(axis=1)).tolist():
        begins = _last_begun(places, ply, edges[1:] - EDGE * (edges[1] - edges[0]))
        thin = (owners[ply] >= 0) & (begins.left >= edges[:-1]) & (begins.left < edges[1:])
        shown[ply, thin] = places.rows(ply)[begins.numbers[thin]]
        owners[ply, thin] = -1
    node, why = record[shown], whys[shown]
    sign = np.where(of_root(shown), 1, -1)
    is_estimate = (estimates & (node["value"] % unit != 0)) | (why == AT_HORIZON)
    zeros = shown[is_zero := (node["value"] == 0) & ~is_estimate]
    is_estimate[is_zero] = totals.counts(AT_HORIZON, index.end[zeros]) > totals.counts(AT_HORIZON, zeros)
    kinds = np.where(shown < 0, ValueKind.NONE, _kinds(node, why, is_estimate)).astype(np.uint8)
    return Raster(shown, (sign * node["value"] / unit).astype(np.float32), kinds, why, owners)


class _Begun(NamedTuple):
    """For each place, the last node of a ply that begins there or before: its number in the ply and its edges."""

    numbers: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]


def _last_begun(places: Places, ply: int, wanted: NDArray[np.float64]) -> _Begun:
    numbers = np.maximum(places.find(ply, wanted), 0)
    return _Begun(numbers, *places.edges(ply, numbers))


def bounds(node: NDArray[np.void], why: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What each node's value says, as an index of BOUNDS; see `engine.result.bound_of`."""
    fails_low, fails_high = node["value"] <= node["alpha"], node["value"] >= node["beta"]
    said = np.select([fails_low & fails_high, fails_low, fails_high], [0, 3, 2], 1)
    return np.select([why == OPEN, (why == TERMINAL) | (why == AT_HORIZON)], [0, 1], said).astype(np.uint8)


def _kinds(node: NDArray[np.void], why: NDArray[np.uint8], is_estimate: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The kind of each node's value."""
    exact = np.where(is_estimate, ValueKind.ESTIMATE, ValueKind.EXACT)
    said = bounds(node, why)
    return np.where(said == 0, ValueKind.NONE, np.where(said == 1, exact, ValueKind.BOUND))
