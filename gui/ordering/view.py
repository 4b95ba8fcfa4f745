"""The ordering dial: a slider from the worst order to the best; each place searches the position on the board anew."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QStackedLayout, QVBoxLayout, QWidget

from engine.job import Job, JobError
from engine.measure.ordering import Bounds, Detent, bounds, check, measure, plain, searches
from engine.prewarm.background import compile_beside, is_warm
from engine.rules.contract import is_over
from gui.i18n.language import localized, mark, tr
from gui.ordering.figures import DETENTS, Measured, in_words, leaves_figure, minimum_words, name, sentence
from gui.speedup.new_chart import new_chart
from gui.state.analysis import Analysis
from gui.state.critical_tree import breathing
from gui.state.game_record import GameRecord
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.announce import announce
from gui.widgets.flow import Flow
from gui.widgets.focus_ring import want_ring
from gui.work.load_numba import load_compiler
from gui.work.runner import Request, Runner

if TYPE_CHECKING:
    from gui.speedup.chart import Chart

KEPT_TREES = 20
"""The number of trees whose leaves are remembered."""


class Asked(NamedTuple):
    """The orders to measure on a job's tree."""

    job: Job
    detents: tuple[Detent, ...]
    with_bounds: bool


class OrderingView(QWidget):
    """The dial and its chart. Call `close` before it is deleted."""

    fact_changed = Signal(str)
    """The fact in the card's title."""
    begun = Signal()
    """A measurement begins."""
    tree_requested = Signal(object)
    """The person wants to see the tree of this Job."""

    def __init__(self, record: GameRecord, analysis: Analysis) -> None:
        super().__init__()
        self._record, self._analysis = record, analysis
        self.tree: Job | None = None
        """The tree on which orders are compared: minimax of the position on the board."""
        self._over = False
        self._known: dict[Job, Measured] = {}
        self._doing, self._why_not = "", ""
        self.dial = QSlider(Qt.Orientation.Horizontal)
        self.dial.setRange(0, len(DETENTS) - 1)
        self.dial.setValue(DETENTS.index(Detent.NATURAL))
        self.dial.setPageStep(1)
        self.dial.setTickInterval(1)
        self.dial.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.dial.setAccessibleName(tr("Move order"))
        self.dial.setToolTip(
            tr("The order of the moves, from worst first to best first: alpha-beta searches this position anew")
        )
        want_ring(self.dial)
        self.all_button = QPushButton(tr("All orders"))
        self.all_button.clicked.connect(lambda: self.measure(DETENTS))
        self.tree_button = QPushButton(tr("Node types in the tree"))
        self.tree_button.clicked.connect(self._request_tree)
        self.order = QLabel(wordWrap=True)
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.minimum = QLabel(wordWrap=True)
        self.minimum.setForegroundRole(QUIET)
        self._place_of_chart = QStackedLayout()
        buttons = QWidget()
        row = Flow(buttons, 4, 4)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.all_button)
        row.addWidget(self.tree_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.order)
        column.addWidget(self.dial)
        column.addWidget(buttons)
        column.addWidget(self.words)
        column.addWidget(self.minimum)
        column.addLayout(self._place_of_chart, 1)
        self._soon = QTimer(self, singleShot=True, interval=0)  # news may come faster than the chart is drawn
        self._soon.timeout.connect(self._show)
        self._runner = Runner(mark("comparison of orders"), _work, self)
        self._runner.progressed.connect(self._on_progress)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._refuse)
        self.dial.valueChanged.connect(lambda: self.measure((self.detent,)))
        theme().changed.connect(self._restyle)
        for event in (record.changed, analysis.settings_changed):
            event.connect(self._on_changed)
        self._on_changed()
        self._restyle()

    @cached_property
    def chart(self) -> "Chart":
        """The chart, made for the first figure."""
        chart = new_chart()
        chart.setAccessibleName(tr("Leaves by move order"))
        self._place_of_chart.addWidget(chart)
        self.setTabOrder(self.tree_button, chart)
        return chart

    @property
    def detent(self) -> Detent:
        """The order that the dial points to."""
        return DETENTS[self.dial.value()]

    @property
    def is_measuring(self) -> bool:
        return bool(self._doing)

    def measure(self, detents: tuple[Detent, ...]) -> None:
        """Measure these orders, where they are possible; those that are known are shown at once. A running measurement
        is replaced."""
        self._stop()
        self._why_not = ""
        if self.tree is None or self._over:
            self._show()
            return
        known = self._measured
        missing = [detent for detent in detents if detent not in known.leaves]
        possible = tuple(detent for detent in missing if self._is_possible(detent))
        if possible:
            self._doing = tr("Starting…")
            self.begun.emit()
            self._runner.start(Asked(self.tree, possible, known.bounds is None))
        self._show()

    def stop(self) -> None:
        """Stop measuring; what is measured stays."""
        self._stop()
        self._show()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._runner.close()
        super().closeEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """A closed drawer measures nothing."""
        self.stop()
        super().hideEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(330), theme().px(420))

    @property
    def _measured(self) -> Measured:
        return self._known.get(self.tree, Measured()) if self.tree else Measured()

    def _on_changed(self) -> None:
        """Another tree ends the measurement; of the settings, only the depth and the values count."""
        game, position = self._record.game, self._record.position
        tree = plain(self._analysis.settings.job(game, position))
        if tree != self.tree:
            self.tree, self._over, self._why_not = tree, is_over(position), ""
            self.stop()

    def _stop(self) -> None:
        self._runner.drop()
        self._doing = ""

    def _request_tree(self) -> None:
        self.stop()
        self._why_not = ""
        if self.tree is not None and self._is_possible(self.detent):
            self.tree_requested.emit(searches(self.tree, self.detent)[0])
        self._show()

    def _is_possible(self, detent: Detent) -> bool:
        """Whether an order can be measured; keeps the reason if not."""
        try:
            if self.tree is not None:
                check(self.tree, detent)
        except JobError as error:
            self._why_not = localized(error)
            announce(self, self._why_not)
            return False
        return True

    def _refuse(self, why: str) -> None:
        self._doing, self._why_not = "", why
        self._show()
        announce(self, why)

    def _on_progress(self, news: object) -> None:
        assert self.tree is not None
        measured = self._known.setdefault(self.tree, Measured())
        if len(self._known) > KEPT_TREES:
            del self._known[next(iter(self._known))]
        match news:
            case str():
                self._doing = news
            case Bounds():
                measured.bounds = news
            case (Detent() as detent, leaves):
                measured.leaves[detent] = leaves
            case _:
                raise TypeError(news)
        self._soon.start()

    def _on_finished(self) -> None:
        self._doing = ""
        self._show()
        announce(self, self.words.text())

    def _show(self) -> None:
        measured = self._measured
        found = sentence(measured, self.detent)
        if self._over:
            line = tr("The game is over: there is nothing to search.")
        else:
            line = self._doing or self._why_not or found
        self.order.setText(name(self.detent))
        self.dial.setAccessibleDescription(" ".join(filter(None, (name(self.detent), found))))
        self.dial.setEnabled(not self._over)
        self.all_button.setEnabled(not self._over)
        self.all_button.setToolTip(
            tr("The game is over: there is nothing to search")
            if self._over
            else tr("Search this position with alpha-beta in each order, one after the other")
        )
        self.tree_button.setEnabled(not self._over)
        self.tree_button.setToolTip(
            tr("The game is over: there is nothing to search")
            if self._over
            else tr(
                "Search this position with alpha-beta in this order (a random one with its first seed), and colour the "
                "whole tree by Knuth and Moore's types of nodes. The search's options change with it."
            )
        )
        self.words.setText(line or tr("Move the slider, or press All orders, to search this position in that order."))
        self.minimum.setText(minimum_words(measured))
        figure = leaves_figure(measured)
        if figure is not None or self._place_of_chart.count():
            self.chart.show_figure(figure)
            self.chart.setAccessibleDescription(in_words(measured))
        self.fact_changed.emit(tr("alpha-beta") if measured.leaves else "")

    def _restyle(self) -> None:
        for label in (self.order, self.words):
            label.setFont(theme().font())
        self.minimum.setFont(theme().font(NOTE + 1))
        self._show()


def _work(request: Request) -> object:
    """Tell what is done in words, then each result; runs on the runner's thread."""
    asked: Asked = request.asked
    if asked.with_bounds and _is_ready(request, asked.job):
        request.publish(tr("Counting the leaves of minimax, and the minimum…"))
        _tell(request, bounds(asked.job, request.control, breathing(request.control)))
    for detent in asked.detents:
        if _is_ready(request, searches(asked.job, detent)[0]):
            request.publish(tr("Searching with {order}…", order=name(detent)))
            leaves = measure(asked.job, detent, request.control)
            _tell(request, None if leaves is None else (detent, leaves))
    return None


def _is_ready(request: Request, job: Job) -> bool:
    """Compile the kernels of a search if that is needed; false if the request is stopped. A search that begins without
    them compiles them itself, which nothing can stop."""
    if not request.control.stopped and not is_warm(job):
        request.publish(tr("The search is being compiled for the first time…"))
        compile_beside(job, request.control)
    if request.control.stopped:
        return False
    load_compiler()
    return True


def _tell(request: Request, found: object) -> None:
    if found is not None:
        request.publish(found)
