"""The speedup card: measures the position on the board in every mode, and shows the speedups."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from engine.job import Job
from engine.measure.experiment import LONGEST_RUN, START_SHARE, Experiment, Mode
from engine.measure.machine import cores
from engine.measure.speedup import (
    ALGORITHMS,
    PRESET,
    WEAK_PRESET,
    WEAK_SECONDS,
    Progress,
    TooLarge,
    TooSmall,
    modes,
    short_depth,
)
from engine.rules.contract import Game, Position, is_over
from gui.i18n.language import mark, tr
from gui.speedup.chart import Chart
from gui.speedup.kinds import KINDS
from gui.speedup.measuring import Measurement, measuring
from gui.speedup.parts import PartsChart
from gui.speedup.refusal import Refusal
from gui.speedup.running import RunningPage
from gui.speedup.saving import FILTER, saved
from gui.speedup.words import in_words, mode_words, position_words, verdicts
from gui.state.search_settings import Settings
from gui.style.theme import NOTE, theme
from gui.widgets.empty import EmptyState
from gui.widgets.scrolled import Scrolled
from gui.work.runner import Runner
from gui.work.save_file import save_file

LEAST_HEIGHT = 340
"""The least height of the chart and its surroundings; below it the card scrolls."""


class Page(Enum):
    """The pages of the card."""

    EMPTY = 0
    RUNNING = 1
    MEASURED = 2
    REFUSED = 3
    """Why nothing was measured or saved, until it is dismissed, a measurement begins, or the position changes."""


class SpeedupView(QWidget):
    """Measures, shows and saves. `close` ends its thread."""

    fact_changed = Signal(str)
    """The position that the card is about."""
    preset_requested = Signal(object)
    """The person requests the position of this Job, which is large enough for threads."""
    depth_requested = Signal(int)
    """The person requests this depth limit, and then a measurement."""
    begun = Signal()
    """A measurement begins: other work would disturb it."""
    measured = Signal(object)
    """The Experiment that is now shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._words = ""
        self._ranks: tuple[int, ...] = ()
        self._over = False
        self._running_words = self._measured_words = self._refused_words = ""
        self._experiment: Experiment | None = None
        self._runner = Runner(mark("measurement"), measuring, self)
        self._runner.told.connect(self._on_told)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._build()
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def page(self) -> Page:
        return Page(self._pages.currentIndex())

    @property
    def experiment(self) -> Experiment | None:
        """The newest finished experiment."""
        return self._experiment

    def set_position(self, game: Game, position: Position, settings: Settings) -> None:
        """Set the position that "Measure" uses, and schedule, split, scoring and depth of the settings.

        A running measurement and the charts do not change.
        """
        job = replace(settings.job(game, position), record=0)
        if job != self._job and self.page is Page.REFUSED:
            self._rest()
        self._job = job
        self._over = is_over(position)
        self._words = position_words(game, position, self._job)
        self._refresh()

    def set_ranks(self, ranks: Sequence[int]) -> None:
        """Measure on MPI too, with these numbers of ranks."""
        self._ranks = tuple(ranks)

    def measure(self, repeats: int | None = None, weak: bool = False) -> None:
        """Measure the position on the board, in that many rounds or as many as fit; a running measurement is replaced.
        Weak scaling is measured with minimax alone."""
        if self._job is None or self._over:
            return
        self.begun.emit()
        self._running_words = self._words
        self._running.tell(tr("Starting…"), Progress(0, 0, Mode("")))
        chosen = modes(cores(), ALGORITHMS[:1] if weak else ALGORITHMS, self._ranks)
        self._runner.start(Measurement(self._job, chosen, repeats, WEAK_SECONDS if weak else None))
        self._go(Page.RUNNING)

    def cancel(self, reason: str = "") -> None:
        """End the measurement, and show the reason unless the person did it; whole rounds are shown if there are
        enough."""
        self._runner.control.stop()
        if reason:
            self._refuse(reason, {tr("Measure again"): self.measure}, self._running_words)
        else:
            self._rest()

    def save(self, path: str | Path) -> None:
        """Save the measurement in the format of the file's suffix: the chart that is shown as PNG or SVG, a page as PDF
        or Markdown, the runs as CSV or JSON."""
        if self._experiment is None:
            return
        kind = KINDS[self.kinds.currentIndex()]
        try:
            save_file(Path(path), saved(Path(path).suffix, self._experiment, kind, self._caption()))
        except OSError as error:
            why = tr("{name} could not be saved: {why}.", name=Path(path).name, why=error.strerror or error)
            self._refuse(why, {}, self._measured_words)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), theme().px(LEAST_HEIGHT))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._runner.close()
        super().closeEvent(event)

    # Building

    def _build(self) -> None:
        self._empty = EmptyState(
            tr("What do more threads buy here?"),
            tr("Measure this position"),
        )
        self._empty.pressed.connect(self.measure)
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._running, self._refusal = RunningPage(), Refusal()
        self._running.cancelled.connect(lambda: self.cancel())
        for page in (self._empty, self._running, self._build_measured(), self._refusal):
            self._pages.addWidget(Scrolled(page))

    def _build_measured(self) -> QWidget:
        self._verdict = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._verdict.setToolTip(
            tr(
                "In brackets: the interval that holds the true median nineteen times in twenty (bootstrap).\n"
                "The limit of the tasks: all nodes divided by those of the busiest worker, with the chosen schedule "
                "and the same time for every node. Starting and controlling the workers takes time as well.\n"
                "No verdict: the interval is wider than the effect, or the workers did not have their cores.\n"
                "Too small: starting the threads costs more than {share} % of a serial run.",
                share=round(100 * START_SHARE),
            )
        )
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(tr("Chart"))
        self.kinds.setMinimumContentsLength(8)
        self.kinds.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for number, kind in enumerate(KINDS):
            self.kinds.addItem(tr(kind.name))
            self.kinds.setItemData(number, tr(kind.hint), Qt.ItemDataRole.ToolTipRole)
        self.kinds.currentIndexChanged.connect(self._draw)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.kinds, 1)
        self._save_button = _button(
            tr("Save…"), tr("The chart as a picture, a page to hand in, or every run as a table"), self._ask_file
        )
        top.addWidget(self._save_button)
        self.again_button = _button(tr("Measure again"), "", self.measure)
        self.weak_button = _button(
            tr("Weak scaling"),
            tr(
                "How much more of this position more workers search in the same time: minimax, {seconds} s a run",
                seconds=f"{WEAK_SECONDS:g}",
            ),
            lambda: self.measure(weak=True),
        )
        self.preset_button = _button(
            tr("Try a 4 × 4 position"),
            tr("Set up a position that is large enough for threads"),
            lambda: self.preset_requested.emit(PRESET),
        )
        bottom = QHBoxLayout()
        bottom.setSpacing(4)
        bottom.addWidget(self.again_button)
        bottom.addWidget(self.weak_button)
        bottom.addStretch()
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._shown, self._parts = QStackedLayout(), PartsChart()
        self._scrolled_parts = Scrolled(self._parts)
        self._shown.addWidget(self._scrolled_parts)
        column.addLayout(top)
        column.addLayout(self._shown, 1)
        column.addWidget(self._verdict)
        column.addLayout(bottom)
        column.addWidget(self.preset_button, alignment=Qt.AlignmentFlag.AlignLeft)
        return page

    @cached_property
    def _chart(self) -> Chart:
        """The chart, made for the first figure: it adds seventy objects of pyqtgraph's, which every change of theme
        restyles."""
        chart = Chart()
        self._shown.addWidget(chart)
        self.setTabOrder(self._save_button, chart)
        return chart

    # Events

    def _on_told(self, number: int, news: Mode | Progress) -> None:
        """A mode's kernels are being compiled, or some runs are done."""
        if number != self._runner.number:
            return
        if isinstance(news, Mode):
            self._running.tell(
                tr("Compiling {search}, the first time only…", search=mode_words(news)), Progress(0, 0, news)
            )
        else:
            words = mode_words(news.mode)
            self._running.tell(words if news.total else tr("Warming up: {search}", search=words), news)

    def _on_finished(self, number: int, experiment: Experiment | TooLarge | TooSmall | None) -> None:
        if number != self._runner.number:
            return
        if isinstance(experiment, TooLarge):
            self._refuse_too_large(experiment.mode)
            return
        if isinstance(experiment, TooSmall):
            self._refuse_too_small(experiment.mode)
            return
        if experiment is None:
            if self.page is Page.RUNNING:
                self._rest()
            return
        self._measured_words = self._running_words
        self._show(experiment)
        self.measured.emit(experiment)

    def _show(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._draw()
        self._rest()

    def _on_failed(self, number: int, message: str) -> None:
        if number == self._runner.number:
            self._refuse(message, {}, self._running_words)

    def _refuse(self, text: str, remedies: dict[str, Callable[[], object]], of: str) -> None:
        """Show why there is no measurement of a position, and the remedies; the page before comes back afterwards."""
        self._refused_words = of
        self._refusal.tell(text, {**remedies, tr("Dismiss"): self._rest})
        self._go(Page.REFUSED)

    def _refuse_too_large(self, mode: Mode) -> None:
        """Offer a depth that is soon searched, if the job is deeper, and a position that is small enough."""
        remedies: dict[str, Callable[[], object]] = {}
        if self._job is not None and self._words == self._running_words:
            depth = short_depth(self._job)
            if self._job.limit.depth is None or depth < self._job.limit.depth:
                remedies[tr("Measure to depth {plies}", plies=depth)] = lambda: self.depth_requested.emit(depth)
        remedies[tr("Weak scaling")] = lambda: self.measure(weak=True)
        remedies[tr("Try a 4 × 4 position")] = lambda: self.preset_requested.emit(PRESET)
        self._refuse(
            tr(
                "This position is too large to measure: {search} takes longer than {seconds} s.",
                search=mode_words(mode),
                seconds=round(LONGEST_RUN),
            ),
            remedies,
            self._running_words,
        )

    def _refuse_too_small(self, mode: Mode) -> None:
        self._refuse(
            tr(
                "This position is too small for weak scaling: {search} takes less than {seconds} s.",
                search=mode_words(mode),
                seconds=f"{WEAK_SECONDS:g}",
            ),
            {tr("Set up the empty 4 × 4 board"): lambda: self.preset_requested.emit(WEAK_PRESET)},
            self._running_words,
        )

    def _rest(self) -> None:
        """Show the page that fits the present state."""
        self._go(Page.EMPTY if self._experiment is None else Page.MEASURED)

    def _go(self, page: Page) -> None:
        self._pages.setCurrentIndex(page.value)
        self._refresh()

    # Display

    def _refresh(self) -> None:
        words = {
            Page.EMPTY: self._words,
            Page.RUNNING: self._running_words,
            Page.MEASURED: self._measured_words,
            Page.REFUSED: self._refused_words,
        }
        self.fact_changed.emit(words[self.page])
        self.again_button.setText(
            tr("Measure again") if self._words == self._measured_words else tr("Measure this position")
        )
        for button in (self.again_button, *self._empty.findChildren(QPushButton)):
            button.setEnabled(self._job is not None and not self._over)
            button.setToolTip(tr("The game is over: there is nothing to search") if self._over else "")

        self.weak_button.setEnabled(self._job is not None and not self._over)

    def _draw(self) -> None:
        if self._experiment is None:
            return
        figure = KINDS[self.kinds.currentIndex()].figure
        if figure is not None:
            self._chart.show_figure(figure(self._experiment))
            self._chart.setAccessibleDescription(in_words(self._experiment))
        self._parts.show_experiment(self._experiment)
        self._shown.setCurrentWidget(self._scrolled_parts if figure is None else self._chart)
        self._verdict.setText("<br>".join(verdicts(self._experiment, theme().colours.dim)))
        self.preset_button.setVisible(self._experiment.too_small)

    def _restyle(self) -> None:
        self._verdict.setFont(theme().font(NOTE + 1))
        self._draw()

    # Saving

    def _caption(self) -> str:
        runs = self._experiment.rounds if self._experiment else 0
        return tr(
            "{position} · medians of %n interleaved run(s), bars: 95 % intervals",
            "",
            runs,
            position=self._measured_words,
        )

    def _ask_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save the measurement"), "speedup.png", FILTER)
        if path:
            self.save(path)


def _button(text: str, hint: str, act: Callable[[], object]) -> QPushButton:
    made = QPushButton(text)
    made.setToolTip(hint)
    made.clicked.connect(lambda: act())
    return made
