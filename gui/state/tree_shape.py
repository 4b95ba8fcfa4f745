"""The extents of the nodes in the picture of the whole tree, or of two compared ones, computed outside the window's
thread."""

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from engine.registry import searches_again
from engine.result import Result
from engine.trace.compare import Comparison
from engine.trace.widths import Places, Width
from gui.i18n.language import mark, tr
from gui.state import iterations
from gui.state.analysis import Analysis
from gui.work.garbage import collected_later
from gui.work.kernels import Kernels
from gui.work.runner import Request, Runner

if TYPE_CHECKING:
    from engine.trace.record import Trace

PAUSE = 9
"""The pause after a layout of a search at full speed, in times of its duration: the search may need all cores, and
loses a tenth of one."""


class Compared(NamedTuple):
    """Two compared searches; `places` are the extents of the second's nodes, in the picture of both."""

    other: Result
    found: Comparison
    places: Places


class TreeShape(QObject):
    """The extents for the record of the search on display; by visited nodes until those asked for are known. While it
    runs, for its record so far, which grows. Call `close` before it is deleted."""

    changed = Signal()

    def __init__(self, analysis: Analysis, kernels: Kernels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._analysis = analysis
        self._width = Width.MINIMAX
        self._result: Result | None = None
        self._whole: Result | None = None
        """The search that `_result` is of."""
        self._places: Places | None = None
        self._other: Result | None = None
        self._compared: Compared | None = None
        self._runner = Runner(mark("layout of the whole tree"), partial(_lay_out, kernels), self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(lambda _: self._on_finished(None))  # the visited nodes' stay
        self._soon = QTimer(self, singleShot=True, interval=0)
        """A layout begins when no event waits: it would take turns with the window, which shows the result first."""
        self._soon.timeout.connect(self._start)
        self._is_computing = self._is_growing = self._is_behind = self._is_full = False
        self._begun = 0.0
        """The time at which the record so far began to be laid out."""
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._on_rested)
        analysis.moved.connect(self._on_moved)
        analysis.answered.connect(self._on_answered)
        analysis.started.connect(self._on_started)
        analysis.shown.connect(self._take)

    @property
    def width(self) -> Width:
        """The meaning of a node's width, as it was asked for; else the visited nodes: of a search that runs instead of
        minimax's, of which it has visited few, and of two compared searches instead of time."""
        unfit = {Width.MINIMAX} if self._analysis.is_running else {Width.TIME} if self._other is not None else set()
        return Width.VISITED if self._width in unfit else self._width

    @property
    def is_computing(self) -> bool:
        """Whether the extents asked for are not yet known."""
        return self._is_computing

    @property
    def places(self) -> Places | None:
        """None without a record."""
        return None if self.trace is None else self._places

    @property
    def compared(self) -> Compared | None:
        """The search that the one on display is compared with; None without one, and until the extents are known."""
        return None if self.trace is None else self._compared

    @property
    def trace(self) -> "Trace | None":
        """The record with these extents; None if there is none."""
        return None if self.result is None else self.result.trace

    @property
    def result(self) -> Result | None:
        """The search with that record: its result or, until that is known, its result so far; None without one."""
        ended = self._analysis.result
        return self._result if ended is None or ended is self._result else None

    def choose(self, width: Width) -> None:
        """Choose the meaning of a node's width."""
        if width is not self._width:
            self._width = width
            self._begin()

    def compare(self, other: Result | None) -> None:
        """Compare the search on display with another one, or with none. Raises ValueError, with a sentence, if that is
        not possible."""
        if other is not None:
            shown = self._analysis.result
            if self._analysis.is_running:
                raise ValueError(tr("Two searches can be compared when this one has ended."))
            if shown is None or (shown.job.game, shown.job.position) != (other.job.game, other.job.position):
                raise ValueError(tr("Searches of one position are compared: choose two of the same position."))
            if self.trace is None or other.trace is None or not len(other.trace):
                raise ValueError(tr("One of the two searches has no tree: search again to compare them."))
        if other is not self._other:
            self._other = other
            self._begin()

    def close(self) -> None:
        for timer in (self._soon, self._pause):
            timer.stop()
        self._runner.close()

    def _on_started(self) -> None:
        if not self._analysis.is_over:
            self._take(None)

    def _take(self, result: Result | None) -> None:
        """Show another record, compared with the same search if it is of another iteration."""
        self._result, before = None if result is None or not result.trace else result, self._whole
        self._whole = None if self._result is None else self._analysis.whole
        if self._whole is None or self._whole is not before:
            self._other = None
        self._begin()

    def _on_moved(self) -> None:
        """The running search has visited more nodes: ask for them, unless earlier ones are still laid out."""
        job = self._analysis.job
        self._is_behind = self._is_growing or self._is_resting
        if not self._is_behind and job is not None and job.record and not self._has_all:
            self._analysis.ask_result()

    def _on_rested(self) -> None:
        """Go on asking, unless there is nothing new."""
        if self._is_behind and not self._is_resting:
            self._on_moved()

    @property
    def _is_resting(self) -> bool:
        """Whether the search has the cores for itself; one that is held back does not need them."""
        return self._pause.isActive() and not self._analysis.is_held_back

    @property
    def _has_all(self) -> bool:
        """Whether the record so far of the present iteration has no room for more."""
        so_far, count = self._analysis.so_far, len(iterations.finished(self._analysis))
        return self._is_full and so_far is not None and len(so_far.info.iterations) == count

    def _on_answered(self) -> None:
        """Lay out the record so far. The picture stays as it is meanwhile. It is full where a further answer has no
        more rows: ranks send a long one by and by."""
        so_far, shown = self._analysis.so_far, self.trace
        if self._is_growing:
            self._is_behind = True
        elif so_far is not None and so_far.trace:
            self._is_growing, self._begun = True, time.monotonic()
            self._is_full = so_far.trace.truncated and shown is not None and len(shown) == len(so_far.trace)
            self._runner.start((self._analysis.game, so_far, self.width, None))

    def _begin(self) -> None:
        self._is_growing = self._is_full = False
        self._pause.stop()
        self._runner.drop()
        self._is_computing, self._compared, trace = self._result is not None, None, self.trace
        self._places = None if trace is None else trace.places(Width.VISITED)
        if self._is_computing:
            self._soon.start()
        self.changed.emit()

    def _start(self) -> None:
        if self._is_computing:
            self._runner.start((self._analysis.game, self._result, self.width, self._other))

    def _on_finished(self, made: tuple[Result, Places, Compared | None] | None) -> None:
        if self._is_growing:
            self._pause.start(round(PAUSE * 1000 * (time.monotonic() - self._begun)))
        self._is_computing = self._is_growing = False
        if made is not None:
            self._result, self._places, self._compared = made
        self.changed.emit()
        self._on_rested()


def laid_out(result: Result, width: Width, other: Result | None) -> tuple[Places, Compared | None]:
    """The extents of the nodes of a result's record, and those of the search that it is compared with, not by time."""
    trace = result.trace
    assert trace is not None
    if other is None or other.trace is None:
        return trace.places(width, result.tasks), None
    found = Comparison(trace, other.trace, (searches_again(result.job), searches_again(other.job)))
    _ = found.counts
    places, others = found.places(width)
    return places, Compared(other, found, others)


def _lay_out(kernels: Kernels, request: Request) -> tuple[Result, Places, Compared | None] | None:
    """The same of a result, outside the window's thread, with the kernels of its game compiled first where they are
    needed; None if it was stopped."""
    game, result, width, other = request.asked
    if width is Width.VISITED and other is None:  # needs no kernel, nor do the legend and the texts
        result.trace.prepare()
        return result, *laid_out(result, width, other)
    if not kernels.get_tree_ready(game, request.control):
        return None
    with collected_later((_lay_out, type(result.trace.root), width, other is None)):
        for record in (result.trace,) if other is None else (result.trace, other.trace):
            record.prepare()
            _ = record.in_gaps, record.pruned_before(0)
        return result, *laid_out(result, width, other)
