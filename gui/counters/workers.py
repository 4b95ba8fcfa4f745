"""The workers: a row each, during the search its share of the nodes, at the end its tasks in time."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from engine import registry
from engine.job import Job
from engine.measure.timeline import to_chrome_trace
from engine.result import Result, Task
from engine.text.numbers import duration
from engine.trace.bound_updates import BoundUpdate, bound_updates
from gui.counters.arrows import Arrows
from gui.counters.lanes import RANK_FIGURES, THREAD_FIGURES, Lane, lanes, lanes_then
from gui.counters.timeline import Timeline
from gui.counters.timeline_layout import HEAD, ROW
from gui.i18n.language import tr
from gui.state.analysis import Analysis, Phase
from gui.state.replay import Cursor
from gui.state.root_cut import bounds_shown
from gui.state.search_settings import Settings
from gui.state.spoilers import spoilers
from gui.state.wording import algorithm, layer, mode, unfinished
from gui.style.theme import theme
from gui.widgets.empty import EmptyState
from gui.widgets.focus_ring import want_ring
from gui.widgets.scrolled import ScrollArea
from gui.work.picture_file import Drawing


class WorkersView(QWidget):
    """The workers of the current search, and the time in it of `cursor`."""

    fact_changed = Signal(str)
    """The fact in the card's title."""

    def __init__(self, analysis: Analysis, cursor: Cursor) -> None:
        super().__init__()
        self._analysis, self._cursor = analysis, cursor
        self._marked: tuple[Result | None, bool, Sequence[BoundUpdate], Arrows] = None, False, (), Arrows()
        """The result whose updates of bounds are marked, whether those that tell its best move are hidden, the updates,
        and its arrows."""
        self._lanes: tuple[Lane, ...] = ()
        """The workers with the figures of the whole search."""
        self.timeline = Timeline()
        self.timeline.pressed.connect(self._on_pressed)
        self._scroll = ScrollArea(self.timeline)
        self._empty = EmptyState("")
        self._compiling = EmptyState(
            tr("The search is being compiled for the first time. Then its workers are shown here.")
        )
        self._starting = EmptyState(tr("The search is being started. Then its workers are shown here."))
        self._stack = QStackedLayout(self)
        for page in (self._empty, self._compiling, self._starting):
            self._stack.addWidget(page)
        self._stack.addWidget(self._scroll)
        for speaking in (self, self._scroll):
            speaking.setAccessibleName(tr("Workers"))
        want_ring(self._scroll)
        for event in (
            theme().changed,
            analysis.settings_changed,
            analysis.started,
            analysis.phase_changed,
            analysis.counted,
            analysis.shown,
            analysis.failed,
            spoilers().changed,
        ):
            event.connect(self.refresh)
        cursor.counted.connect(self._on_cursor)

    def refresh(self) -> None:
        """Show the workers of the newest snapshot. While hidden the view does no work."""
        if self.isVisible():
            self._update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update()

    def _update(self) -> None:
        info, job, result, game = (
            self._analysis.info,
            self._analysis.job,
            self._analysis.result,
            self._analysis.game,
        )
        words = [] if job is None else [algorithm(job.algorithm), mode(job)]
        words += [] if result is None else [layer(result), unfinished(result)]
        self.fact_changed.emit(" · ".join(word for word in words if word))
        advice = how_to_share(job, self._analysis.settings)
        self._empty.set_line(advice or tr("Press Think to see who searches what."))
        self._lanes = ()
        if job is None or game is None or (info is None and not self._analysis.is_running):
            self._stack.setCurrentWidget(self._empty)
            self._describe("")
            return
        if info is None:
            is_compiling = self._analysis.phase is Phase.COMPILING
            self._stack.setCurrentWidget(self._compiling if is_compiling else self._starting)
            self._describe("")
            return
        self._lanes = lanes(game, job, info, () if result is None else result.tasks)
        seconds = 0.0 if result is None else info.seconds
        hidden = spoilers().hidden
        if self._marked[0] is not result or self._marked[1] != hidden:
            self._marked = result, hidden, self._updates(result, hidden), Arrows(result, hidden)
        figures = RANK_FIGURES if info.ranks else THREAD_FIGURES  # no rank may have begun
        self.timeline.show_lanes(game, figures, self._lanes, seconds, advice, *self._marked[2:])
        self._stack.setCurrentWidget(self._scroll)
        self._show_time()

    @property
    def has_tasks(self) -> bool:
        """Whether the tasks of a search that has ended are on display."""
        return self._analysis.result is not None and bool(self._analysis.result.tasks)

    def trace(self) -> bytes | None:
        """The tasks as a trace, in JSON, that Perfetto opens; None without tasks."""
        result = self._analysis.result
        return to_chrome_trace(result) if result is not None and self.has_tasks else None

    def drawing(self) -> Drawing | None:
        """The timeline as it is on display or wider, which any thread can paint; None without tasks."""
        if not self.has_tasks:
            return None
        self._update()
        picture, size = self.timeline.picture()
        card, story = theme().colour("card"), self.accessibleDescription()
        return Drawing(size.toSizeF(), card, lambda on: on.drawPicture(0, 0, picture), story)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(600), theme().px(HEAD + 4 * ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(HEAD + 2 * ROW))

    def _updates(self, result: Result | None, hidden: bool) -> Sequence[BoundUpdate]:
        if result is None or result.trace is None or not registry.algorithm(result.job.algorithm).prunes:
            return ()
        return bounds_shown(bound_updates(result.trace, result.tasks), hidden)

    def _on_pressed(self, task: Task) -> None:
        """Show the task's node in the tree, where it is recorded."""
        if task.first_row < task.end_row:
            self._cursor.go_to_row(task.first_row)

    def _on_cursor(self) -> None:
        if self.isVisible():
            self._show_time()

    def _show_time(self) -> None:
        """Show the time of the cursor's moment, and what the workers had done then."""
        seconds = self._cursor.seconds
        shown = self._lanes if self._cursor.earlier is None else lanes_then(self._lanes, self._cursor.work)
        self.timeline.show_time(seconds, shown)
        words = [
            tr("{worker}: {count} node(s)", "", lane.nodes, worker=lane.name, count=lane.figures[0]) for lane in shown
        ]
        when = [] if seconds is None else [tr("at about {time}", time=duration(seconds))]
        self._describe("; ".join([*when, *words]))

    def _describe(self, words: str) -> None:
        for speaking in (self, self._scroll):
            speaking.setAccessibleDescription(words)


def how_to_share(job: Job | None, settings: Settings) -> str:
    """A sentence on how to search with several workers; empty where the current search has several."""
    if job is not None and job.workers * job.threads > 1:
        return ""
    ranks = settings.ranks * settings.threads if settings.backend == "mpi" else 1
    wanted = settings.workers if settings.backend == "threads" else ranks
    if wanted > 1 and job is None:
        return tr("The next search has %n worker(s): press Think to see who searches what.", "", wanted)
    if wanted > 1:
        return tr("This search has one worker. The next one has %n: press Think to see who searches what.", "", wanted)
    if settings.backend == "serial":
        return tr("Choose Threads or MPI, then press Think, to see who searches what.")
    return tr("Choose more than one thread or rank, then press Think, to see who searches what.")
