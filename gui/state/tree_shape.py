"""The extents of the nodes in the picture of the whole tree, computed outside the window's thread."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.prewarm.background import compile_beside, is_warm
from engine.rules.contract import Game
from engine.trace.places import Places, Width
from gui.i18n.language import mark
from gui.state.analysis import Analysis
from gui.work.load_numba import collected_later, load_compiler
from gui.work.prewarm import kernels_of
from gui.work.runner import Runner, Task

if TYPE_CHECKING:
    from engine.trace.record import Trace


class TreeShape(QObject):
    """The extents for the record of the newest search; by visited nodes until those asked for are known. Call `close`
    before it is deleted."""

    changed = Signal()

    def __init__(self, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._analysis = analysis
        self._width = Width.MINIMAX
        self._trace: Trace | None = None
        self._places: Places | None = None
        self._runner = Runner(mark("layout of the whole tree"), _lay_out, self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(lambda number, _: self._on_finished(number, None))  # the visited nodes' stay
        self._is_computing = False
        for event in (analysis.started, analysis.shown):
            event.connect(self._on_search)

    @property
    def width(self) -> Width:
        """The meaning of a node's width, as it was asked for."""
        return self._width

    @property
    def is_computing(self) -> bool:
        """Whether the extents asked for are not yet known."""
        return self._is_computing

    @property
    def places(self) -> Places | None:
        """None without a record."""
        return self._places

    @property
    def trace(self) -> "Trace | None":
        """The record with these extents; None if there is none."""
        return self._trace

    def choose(self, width: Width) -> None:
        """Choose the meaning of a node's width."""
        if width is not self._width:
            self._width = width
            self._begin()

    def close(self) -> None:
        self._runner.close()

    def _on_search(self) -> None:
        result = self._analysis.result
        trace = None if result is None or result.trace is None or not len(result.trace) else result.trace
        if trace is not self._trace:
            self._trace = trace
            self._begin()

    def _begin(self) -> None:
        self._runner.control.stop()
        self._is_computing = self._trace is not None
        self._places = None if self._trace is None else self._trace.places(Width.VISITED)
        if self._is_computing:
            self._runner.start((self._analysis.game, self._trace, self._width))
        self.changed.emit()

    def _on_finished(self, number: int, places: Places | None) -> None:
        if number == self._runner.number and self._is_computing:
            self._is_computing = False
            self._places = places or self._places
            self.changed.emit()


def _lay_out(task: Task) -> Places | None:
    """The extents of a record's nodes, with the kernels of its game compiled first."""
    game, trace, width = task.asked
    if not trace.is_exhaustive:
        _get_ready(game, task)
        if task.control.stopped:
            return None
        load_compiler()
        with collected_later():
            _ = trace.unsearched
    _ = trace.in_gaps, trace.pruned_before, trace.leaves
    return trace.places(width)


def _get_ready(game: Game, task: Task) -> None:
    """Compile the kernels of a game that record, among them the one that follows a record."""
    job = kernels_of(game)[0]
    if not is_warm(job):
        compile_beside(job, task.control, ahead=True)
