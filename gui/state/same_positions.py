"""The nodes of the record on display that have one position, grouped outside the window's thread when that is asked."""

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from gui.i18n.language import mark
from gui.state.analysis import Analysis
from gui.state.tree_shape import TreeShape
from gui.work.garbage import collected_later
from gui.work.kernels import Kernels
from gui.work.runner import Request, Runner

if TYPE_CHECKING:
    from engine.trace.record import Trace
    from engine.trace.transpositions import Transpositions

NO_ROWS = np.empty(0, np.int32)


class Same(StrEnum):
    """The nodes that are marked beside one node."""

    NONE = "none"
    EQUAL = "equal"
    """Those with its position."""
    SYMMETRIC = "symmetric"
    """Those with its position up to symmetry."""


class Marks(NamedTuple):
    """The rows of other nodes than one: with its position, and with one that is only symmetric to it."""

    equal: NDArray[np.int32] = NO_ROWS
    symmetric: NDArray[np.int32] = NO_ROWS


class SamePositions(QObject):
    """Groups the record of a shape by position when its search has ended, unless NONE is chosen. Call `close` before it
    is deleted."""

    changed = Signal()

    def __init__(self, analysis: Analysis, shape: TreeShape, kernels: Kernels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._analysis, self._shape = analysis, shape
        self._trace = shape.trace
        self.choice = Same.NONE
        self._found: Transpositions | None = None
        self._runner = Runner(mark("grouping of the tree's positions"), partial(_group, kernels), self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(lambda _: self._on_finished(None))
        shape.changed.connect(self._on_shape)

    def choose(self, choice: Same) -> None:
        """Choose the nodes that are marked."""
        is_grouped = self.choice is not Same.NONE
        self.choice = choice
        if not is_grouped or choice is Same.NONE:
            self._begin()
        self.changed.emit()

    def groups(self, trace: "Trace | None") -> "Transpositions | None":
        """The groups of a record; None unless it is on display, until they are known, and while NONE is chosen."""
        return self._found if trace is self._trace else None

    def marks(self, trace: "Trace | None", row: int | None, newest: int) -> Marks:
        """The rows of a record to be marked beside one row, of those up to `newest`."""
        found = self.groups(trace)
        if found is None or row is None:
            return Marks()
        equal = found.equal(row)
        symmetric = NO_ROWS
        if self.choice is Same.SYMMETRIC:
            symmetric = np.setdiff1d(found.symmetric(row), equal, assume_unique=True)
        return Marks(equal[(equal != row) & (equal <= newest)], symmetric[symmetric <= newest])

    def close(self) -> None:
        self._runner.close()

    def _on_shape(self) -> None:
        trace = None if self._analysis.is_running else self._shape.trace  # one that grows is not grouped
        if trace is not self._trace:
            self._trace, had_groups = trace, self._found is not None
            self._begin()
            if had_groups:
                self.changed.emit()

    def _begin(self) -> None:
        self._runner.drop()
        self._found = None
        if self._trace is not None and self.choice is not Same.NONE:
            self._runner.start((self._analysis.game, self._trace))

    def _on_finished(self, found: "Transpositions | None") -> None:
        self._found = found
        self.changed.emit()


def _group(kernels: Kernels, request: Request) -> "Transpositions | None":
    """The groups of a record, with the kernels of its game compiled first; None if it was stopped."""
    game, trace = request.asked
    if not kernels.get_tree_ready(game, request.control):
        return None
    with collected_later((_group, type(trace.root))):
        return trace.transpositions(len(game.symmetries))
