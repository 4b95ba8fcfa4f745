"""The types of nodes in the order of a search, after Knuth and Moore.

Had the first move of every node been the best, alpha-beta would visit the nodes with a type and no other: type 1, on
the first line (PV); type 2, cut off after their first move (CUT); type 3, of which every move is needed (ALL).

Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6 (1975), section 6.
"""

import numpy as np
from numpy.typing import NDArray

from engine.trace.record import Trace

OF_CHILDREN = np.array([[[0, 0], [2, 1], [0, 3], [2, 2]], [[0, 0], [3, 1], [0, 2], [3, 3]]], np.uint8)
"""The type of a child by whether the same side is to move, its parent's type and whether it is the first; 0 is no type.
A second move of the same side is no part of the source: what a node needs, such a child needs too."""


def node_types(trace: Trace, rows: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The types of rows, shaped as they are: 1, 2, 3, or 0 for a node that needed no visit. A row of -1 has 0."""
    parents, above, firsts = trace.index.parent, np.maximum(rows, 0), list[NDArray[np.uint8]]()
    again, below_root = list[NDArray[np.uint8]](), []
    while above.any():
        parent = parents[above]
        firsts.append((above == parent + 1).astype(np.uint8))
        again.append((trace.of_root(above) == trace.of_root(parent)).astype(np.uint8))
        below_root.append(above > 0)
        above = parent
    types = np.ones(rows.shape, np.uint8)
    for same, first, is_below in zip(reversed(again), reversed(firsts), reversed(below_root), strict=True):
        types = np.where(is_below, OF_CHILDREN[same, types, first], types)
    return np.where(rows < 0, 0, types).astype(np.uint8)
