"""The cursor: one moment of the record of the newest search, which every view of the search shows.

While a search runs there is no cursor. When it has ended, the cursor stands at the end: there every node is in its
final state, and the path opens along the principal variation.

A paused search can be looked back at, through its record so far. Its last moment is the search itself: there views show
its newest snapshot, as before.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from engine.registry import PARALLEL
from engine.result import PathNode, Result, Snapshot, Task
from engine.trace.ascending import count_below, count_up_to
from engine.trace.at_moment import AFTERWARDS
from engine.trace.part import EventSnapshot
from engine.trace.replay import Event, Replay
from engine.trace.workers import Place, Work, Workers
from gui.state import iterations
from gui.state.analysis import TEXT_MILLISECONDS, Analysis, Phase
from gui.state.playback import Playback
from gui.state.root_cut import cutoffs_shown
from gui.state.spoilers import spoilers

if TYPE_CHECKING:
    from engine.trace.record import Trace

NONE = np.empty(0, np.int32)


class Cursor(QObject):
    """A moment of the record of `analysis`'s result, and a row: the end of the path."""

    changed = Signal()
    """The record, the moment or the row has changed."""
    counted = Signal()
    """The same, for texts: while it plays, at a pace at which figures can be read. Also with `counted` of the
    analysis."""

    def __init__(self, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._analysis = analysis
        self._replay: Replay | None = None
        self._so_far: Replay | None = None
        """The moments of a paused search; None of any other."""
        self._result: Result | None = None
        self._sought: tuple[int, int] | None = None
        """The row to go to when the record of a search that was paused for it is known, and the number of iterations
        that had ended."""
        self._workers = Workers((), 0)
        self.task_moments = NONE
        """The moments at which the tasks of the workers begin, ascending; those that are recorded."""
        self._moment = self._row = self._opened = 0
        self._chain: tuple[int, ...] | None = None
        """The value of `chain`; None until the first call at this moment and row."""
        self._path_nodes: tuple[PathNode, ...] | None = None
        """The value of `path_nodes`; likewise."""
        self._now: Event | None = None
        """The value of `now`; None until the first call at this moment."""
        self._texts = QTimer(self, singleShot=True, interval=TEXT_MILLISECONDS)
        self._texts.timeout.connect(self.counted)
        self.playback = Playback(self, self)
        self.playback.paused.connect(self._on_paused)
        analysis.started.connect(self._on_started)
        analysis.shown.connect(self._on_finished)
        analysis.moved.connect(self._return)
        analysis.counted.connect(self.counted)
        spoilers().changed.connect(self._on_spoilers)

    @property
    def replay(self) -> Replay | None:
        """The record whose moment is on display; None while the search itself is, or where nothing was recorded."""
        return self._replay

    @property
    def moments(self) -> Replay | None:
        """The record whose moments can be gone to: that on display or, of a paused search, the record so far."""
        return self._so_far or self._replay

    @property
    def result(self) -> Result | None:
        """The search on display: its result or, of a paused one, its result so far; None while neither is known."""
        return self._result

    @property
    def is_paused(self) -> bool:
        """Whether the moments are those of a paused search, which can go on."""
        return self._so_far is not None

    @property
    def trace(self) -> "Trace | None":
        """The record; None where `replay` is."""
        return None if self._replay is None else self._replay.trace

    @property
    def moment(self) -> int:
        """From 0 to `last`."""
        return self.last if self._replay is None else self._moment

    @property
    def last(self) -> int:
        """The last moment; 0 without a record. A paused search itself is at its last."""
        if self._so_far is not None:
            info, follows = self._analysis.info, self._so_far.last + 1
            return min(info.moment, follows) if isinstance(info, EventSnapshot) else follows
        return 0 if self._replay is None else self._replay.last

    @property
    def is_at_end(self) -> bool:
        """Whether the search has ended, and is shown as it is after its last moment."""
        return self._replay is not None and self._so_far is None and self._moment == self._replay.last

    @property
    def earlier(self) -> Replay | None:
        """The record, while a moment before the end is on display; None at the end, or without a record."""
        return None if self.is_at_end else self._replay

    @property
    def row(self) -> int | None:
        """The row at the end of the path; None without a record."""
        return None if self.moments is None else self._row

    @property
    def chain(self) -> tuple[int, ...]:
        """The rows from the root to the end of the path; none without a record. Computed once, for all views."""
        if self.moments is None:
            return ()
        if self._chain is None:
            self._chain = tuple(self.moments.trace.path(self._row))
        return self._chain

    @property
    def now(self) -> Event | None:
        """What happens at the moment; None without a record. Computed once, for all views."""
        if self._now is None and self._replay is not None:
            self._now = self._replay.event(self._moment)
        return self._now

    @property
    def task(self) -> Task | None:
        """The task that the row belongs to; None above the tasks, or without a record."""
        return self._workers.task_of(self._row)

    @property
    def seconds(self) -> float | None:
        """The time at which the worker entered the newest node, in seconds since the start of the search. It is
        interpolated: each node of a task counts as much of its time. None above the tasks, and at the end."""
        newest = self._newest
        return None if newest is None else self._workers.seconds(newest)

    @property
    def has_workers(self) -> bool:
        """Whether several workers searched the record."""
        return len(self._workers) > 1

    @property
    def places(self) -> tuple[Place, ...]:
        """Where each of several workers was when the newest node was entered; none above the tasks, and at the end."""
        newest = self._newest
        return () if newest is None or not self.has_workers else self._workers.places(newest)

    @property
    def work(self) -> tuple[Work, ...]:
        """What each worker had done at `seconds`; none where that is None."""
        return () if self.seconds is None else self._workers.work(self.seconds)

    @property
    def _newest(self) -> int | None:
        """The row that was entered last; None at the end."""
        return None if self.earlier is None else self.earlier.newest(self._moment)

    def path_nodes(self) -> tuple[PathNode, ...]:
        """The path nodes at the moment; none without a record. Computed once, for all views."""
        if self._replay is None:
            return ()
        if self._path_nodes is None:
            moment = AFTERWARDS if self.is_at_end else self._moment
            self._path_nodes = self._replay.trace.path_nodes(self._row, moment)
        return self._path_nodes

    def go(self, moment: int) -> None:
        """Go to a moment, or to the nearest there is."""
        if self.moments is not None:
            moment = min(self.last, max(0, moment))
            self._set(moment, self._row_at(moment))

    def go_to_row(self, row: int) -> None:
        """Stop playing, and make a row the end of the path. Before the end, go to the moment at which all of its
        children are known; in a paused search that is the last one where they are not."""
        if self.moments is None:
            return
        self.playback.pause()
        moment = self.moments.left(row) - 1
        if self.is_paused:
            self.go(moment)
        elif self.is_at_end or moment >= self.last:
            self._set(self.last, row)
        else:
            self._set(moment, row)

    def seek_row(self, row: int, so_far: Result | None) -> bool:
        """Go to a row of the record, or of that `so_far`. A search that runs is paused for it, and the cursor goes
        there when its record is known. Returns False, and does nothing, where that record does not tell the events."""
        info, job = self._analysis.info, self._analysis.job
        if self.moments is not None:
            self.go_to_row(row)
        elif job is None or info is None or so_far is None or job.backend in PARALLEL or self._is_full(info):
            return False
        else:
            self._sought = row, len(so_far.info.iterations)
            self._analysis.pause()
        return True

    def go_to_end(self) -> None:
        """Go to the end, the path along the principal variation; of a paused search, to where it is."""
        if self.is_paused:
            self.go(self.last)
        elif self.moments is not None:
            self._set(self.last, self._open_row)

    @property
    def cutoffs(self) -> NDArray[np.int32]:
        """The moments of the cutoffs that are shown, ascending; none without a record."""
        return NONE if self.moments is None else cutoffs_shown(self.moments, spoilers().hidden)

    @property
    def root_changes(self) -> NDArray[np.int32]:
        """The moments at which the root's best value becomes another, ascending; none without a record."""
        return NONE if self.moments is None else self.moments.root_changes

    def go_after(self, moments: NDArray[np.int32]) -> None:
        """Go to the next of some ascending moments, or to the end."""
        place = count_up_to(moments, self.moment)
        self.go(int(moments[place]) if place < len(moments) else self.last)

    def go_before(self, moments: NDArray[np.int32]) -> None:
        """Go to the previous of some ascending moments, or to the start."""
        place = count_below(moments, self.moment)
        self.go(int(moments[place - 1]) if place else 0)

    def over(self) -> None:
        """Go to where the node is left that is entered now, or else next."""
        if self.moments is not None:
            self.go(self.moments.over(self._recorded))

    def back_over(self) -> None:
        """Go to where the node was entered that is left now, or else before."""
        if self.moments is not None:
            self.go(self.moments.back_over(self._recorded))

    def out(self) -> None:
        """Go to the moment at which the end of the path is left."""
        if self.moments is not None:
            self.go(self.moments.left(self._row))

    def back_out(self) -> None:
        """Go to the moment at which the end of the path was entered, or, if that is now, the row above it."""
        if self.moments is not None:
            entered = self.moments.entered(self._row)
            above = self.moments.entered(self.moments.trace.parent(self._row))
            self.go(entered if entered < self.moment else above)

    def has_iteration(self, step: int) -> bool:
        """Whether the record of the iteration that many after this one is stored."""
        number = iterations.shown(self._analysis)
        return number > 0 and number + step > 0 and iterations.after(self._analysis, number + step) is not None

    def go_to_iteration(self, step: int) -> None:
        """Show the record of the iteration that many after this one, and the search as it was then."""
        iterations.show(self._analysis, iterations.shown(self._analysis) + step)

    def take_so_far(self, result: Result | None) -> None:
        """Take the record so far of a paused search, indexed, which can be looked back at until the search goes on.
        None is taken that does not tell the events: several workers write it, or it has no room for all."""
        info, trace = self._analysis.info, None if result is None else result.trace
        if self._analysis.phase is not Phase.PAUSED or not isinstance(info, EventSnapshot):
            trace = None
        if not trace or result is None or info is None or len(info.iterations) != len(result.info.iterations):
            if self.is_paused:
                self._on_started()
        elif result is not self._result:
            moment = None if self._replay is None else self._moment
            self._so_far, self._result = Replay(trace), result
            sought, self._sought = self._sought, None
            self.go(self.last if moment is None else moment)
            if sought is not None and sought[0] < len(trace) and sought[1] == len(info.iterations):
                self.go_to_row(sought[0])

    @property
    def _open_row(self) -> int:
        """The row at the end: that of the principal variation, unless it would tell the best moves."""
        return 0 if spoilers().hidden else self._opened

    @property
    def _recorded(self) -> int:
        """The moment, or the last that the record so far holds."""
        return self.moment if self.moments is None else min(self.moment, self.moments.last)

    def _row_at(self, moment: int) -> int:
        """The end of the path at a moment, or at the last that the record so far holds."""
        return 0 if self.moments is None else self.moments.row(min(moment, self.moments.last))

    def _is_full(self, info: Snapshot) -> bool:
        """Whether the record has no room for all nodes of the present iteration."""
        job, before = self._analysis.job, sum(done.counters.nodes for done in info.iterations)
        return job is None or info.counters.nodes - before > job.record

    def _return(self) -> None:
        """Leave a moment of a paused search, which goes on."""
        if self.is_paused and self._replay is not None:
            self.playback.pause()
            self.go_to_end()

    def _set(self, moment: int, row: int) -> None:
        if self.is_paused:
            self._replay = None if moment >= self.last else self._so_far
        self._stand_at(moment, row)
        self.changed.emit()
        if self.playback.is_readable:
            self.counted.emit()
        elif not self._texts.isActive():
            self._texts.start()

    def _on_paused(self) -> None:
        self._texts.stop()
        self.counted.emit()

    def _stand_at(self, moment: int, row: int) -> None:
        self._moment, self._row = moment, row
        self._chain = self._path_nodes = self._now = None

    def _on_started(self) -> None:
        self._replay = self._so_far = self._result = self._sought = None
        self._workers, self.task_moments = Workers((), 0), NONE
        self._stand_at(0, 0)
        self.playback.pause()  # when there is no moment any more: it has texts show theirs
        if not self._analysis.is_over:
            self._set(0, 0)

    def _on_finished(self, result: Result) -> None:
        self.playback.pause()
        trace = result.trace
        self._so_far, self._sought, self._result = None, None, result
        self._replay = Replay(trace) if trace is not None and len(trace) else None
        self._workers = Workers((), 0) if self._replay is None else Workers.of(result)
        entered = [self._replay.entered(task.first_row) for task in self._workers.recorded] if self._replay else []
        self.task_moments = np.array(entered, np.int32)
        self._opened = 0 if self._replay is None else self._replay.trace.row_along(result.info.pv)
        self._stand_at(self.last, self._open_row)
        self.changed.emit()

    def _on_spoilers(self) -> None:
        """Leave the principal variation where values are hidden: it would tell the best moves."""
        if spoilers().hidden and self._row == self._opened and self.is_at_end:
            self.go_to_row(0)
