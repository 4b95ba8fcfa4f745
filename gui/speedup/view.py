"""The speedup card: measures the position on the board in every mode, and shows the speedups."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QMenu,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from engine.cores import cores
from engine.job import Job, JobError
from engine.measure.experiment import LONGEST_RUN, Experiment, Mode
from engine.measure.speedup import (
    PRESET,
    WEAK_PRESET,
    WEAK_SECONDS,
    Progress,
    TooLarge,
    TooSmall,
    modes,
    short_depth,
    usual_algorithms,
)
from engine.measure.speedup_files import read
from engine.rules.contract import Game, Position, is_over
from gui.i18n.language import localized, mark, tr
from gui.speedup.measuring import MeasurementParameters, measuring
from gui.speedup.plan_page import Plan, PlanPage
from gui.speedup.refusal import Refusal
from gui.speedup.result import ResultPage, add_action, more_button
from gui.speedup.running import RunningPage
from gui.speedup.saving import FILTER, saved
from gui.speedup.words import measured_words, mode_words, position_words
from gui.state.option_rules import plain
from gui.state.search_settings import Settings
from gui.style.theme import theme
from gui.widgets.empty import EmptyState
from gui.widgets.file_dialog import ask_where
from gui.widgets.scrolled import Scrolled
from gui.work.runner import Runner

LEAST_HEIGHT = 200
"""The least height of the card's content in pixels at 100 %; a page that is higher scrolls."""


class ChartPage(Enum):
    """The pages of the card."""

    EMPTY = 0
    RUNNING = 1
    MEASURED = 2
    CHOOSING = 3
    REFUSED = 4
    """Why nothing was measured or saved, until it is dismissed, a measurement begins, or the position changes."""


class SpeedupView(QWidget):
    """Measures, and shows measurements. `close` ends its thread."""

    fact_changed = Signal(str)
    """The position that the card is about."""
    preset_requested = Signal(object)
    """The person requests the position of this Job, which is large enough for threads."""
    tasks_requested = Signal(object)
    """The person requests schedule, split and depth limit of this Job."""
    depth_requested = Signal(int)
    """The person requests this depth limit, and then a measurement."""
    begun = Signal()
    """A measurement begins: other work would disturb it."""
    file_requested = Signal(object, object)
    """The path of a file, and the content that is to be saved in it, as bytes."""
    measured = Signal(object)
    """The Experiment that is now shown."""

    def __init__(self) -> None:
        super().__init__()
        self._job: Job | None = None
        self._words = ""
        self._ranks: tuple[int, ...] = ()
        self._over = False
        self._running_words = self._measured_words = self._refused_words = ""
        self._experiment: Experiment | None = None
        self._repeat: Callable[[], object] = self.measure
        """Measures once more what was measured last."""
        self._again: Callable[[], object] = self.measure
        """Measures once more what is on display."""
        self._runner = Runner(mark("measurement"), measuring, self)
        self._runner.progressed.connect(self._on_progress)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._build()

    @property
    def page(self) -> ChartPage:
        return ChartPage(self._pages.currentIndex())

    @property
    def experiment(self) -> Experiment | None:
        """The newest finished experiment."""
        return self._experiment

    def set_position(self, game: Game, position: Position, settings: Settings) -> None:
        """Set the position that "Measure" uses, and schedule, split, scoring and depth of the settings. Expert options
        are left out: few fit all modes, and no chart or file names them.

        A running measurement and the charts do not change.
        """
        job = replace(plain(settings.job(game, position)), record=0)
        if job != self._job and self.page is ChartPage.REFUSED:
            self._rest()
        self._job = job
        self._over = is_over(position)
        self._words = position_words(game, position, self._job)
        if self.page is ChartPage.CHOOSING:
            self.choose()
        self._refresh()

    def set_ranks(self, ranks: Sequence[int]) -> None:
        """Measure on MPI too, with these numbers of ranks."""
        self._ranks = tuple(ranks)
        if self.page is ChartPage.CHOOSING:
            self.choose()

    def measure(self, repeats: int | None = None, weak: bool = False) -> None:
        """Measure the position on the board, in that many rounds or as many as fit; a running measurement is replaced.
        Weak scaling is measured with an algorithm that does not prune."""
        if self._job is None or self._over:
            return
        chosen = modes(cores(), usual_algorithms(self._job, weak), self._ranks)
        self._repeat = partial(self.measure, repeats, weak)
        self._measure(Plan(self._job, chosen, repeats, weak))

    def measure_again(self) -> None:
        """Measure what is on display once more, with the present settings; another position as usual."""
        (self._again if self._is_measured else self.measure)()

    def _measure(self, plan: Plan) -> None:
        self.begun.emit()
        self._running_words = self._words
        self._running.tell(tr("Starting…"), Progress(0, 0, Mode("")))
        fixed_time = WEAK_SECONDS if plan.weak else None
        self._runner.start(MeasurementParameters(plan.job, plan.modes, plan.repeats, fixed_time, plan.expected))
        self._go(ChartPage.RUNNING)

    def choose(self) -> None:
        """Show the page on which an experiment is chosen."""
        over = tr("The game is over: there is nothing to search.") if self._over else ""
        self._plan.set_job(self._job, over, max(self._ranks, default=0))
        self._go(ChartPage.CHOOSING)

    def _take_plan(self, plan: Plan) -> None:
        """Set up the position and the settings of a plan, and measure it."""
        if self._job is not None and (plan.job.game, plan.job.position) != (self._job.game, self._job.position):
            self.preset_requested.emit(plan.job)
        self.tasks_requested.emit(plan.job)
        if self._job is not None and (plan.job.game, plan.job.position) == (self._job.game, self._job.position):
            wanted = plan.job
            job = replace(self._job, schedule=wanted.schedule, split=wanted.split, limit=wanted.limit)
            plan = plan._replace(job=job)
        self._measure_chosen(plan)

    def _measure_chosen(self, plan: Plan) -> None:
        self._repeat = lambda: self._measure_chosen(plan if self._job is None else plan._replace(job=self._job))
        self._measure(plan)

    def cancel(self, reason: str = "") -> None:
        """End the measurement, and show the reason unless the person did it; whole rounds are shown if there are
        enough."""
        self._runner.control.stop()
        if reason:
            self._refuse(reason, {tr("Measure again"): self._repeat}, self._running_words)
        else:
            self._rest()

    def save(self, path: Path) -> None:
        """Save the measurement in the format of the file's suffix: the chart that is shown as PNG or SVG, a page as PDF
        or Markdown, the runs as CSV or JSON."""
        if self._experiment is None:
            return
        try:
            content = saved(path.suffix, self._experiment, self.result.kind, self.result.log_axes.isChecked())
        except ValueError as error:
            self._refuse(str(error), {}, self._measured_words)
        else:
            self.file_requested.emit(path, content)

    def open(self, path: str | Path) -> None:
        """Show the measurement in a JSON file, beside the one on display if there is one. Any other file is refused."""
        try:
            found = replace(read(Path(path)), compared=None)
        except JobError as error:
            self._refuse(localized(error), {}, self._measured_words)
            return
        if self._experiment is not None:
            self._compare(found)
            return
        self._measured_words, self._again = measured_words(found), self.measure
        self._show(found)

    def _compare(self, other: Experiment | None) -> None:
        if self._experiment is not None:
            self._show(replace(self._experiment, compared=other))

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
        self._menu = QMenu(self, toolTipsVisible=True)
        add_action(
            self._menu,
            tr("Choose the experiment…"),
            tr("Position, algorithms, workers, rounds and scaling, and the speedup that you expect"),
            self.choose,
        )
        add_action(
            self._menu,
            tr("Open a measurement…"),
            tr("A saved JSON file, also of another machine; it stands beside the measurement on display"),
            self._ask_measurement,
        )
        self._alone = add_action(
            self._menu, tr("Stop comparing"), tr("Show this measurement alone"), lambda: self._compare(None)
        )
        self._alone.setVisible(False)
        nothing = QWidget()
        column = QVBoxLayout(nothing)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._empty, 1)
        column.addWidget(more_button(self._menu), alignment=Qt.AlignmentFlag.AlignLeft)
        self.result = ResultPage(self._menu)
        self.again_button = self.result.again
        self.again_button.clicked.connect(lambda: self.measure_again())
        self.result.scaling.clicked.connect(lambda: self.measure(weak=not self.result.is_weak))
        self.result.preset.clicked.connect(lambda: self.preset_requested.emit(PRESET))
        self.result.save.clicked.connect(lambda: self._ask_file())
        self._plan = PlanPage()
        self._plan.left.connect(self._rest)
        self._plan.chosen.connect(self._take_plan)
        for page in (nothing, self._running, self.result, self._plan, self._refusal):
            self._pages.addWidget(Scrolled(page))

    # Events

    def _on_progress(self, news: Mode | Progress) -> None:
        """A mode's kernels are being compiled, or some runs are done."""
        if isinstance(news, Mode):
            self._running.tell(
                tr("Compiling {search}, the first time only…", search=mode_words(news)), Progress(0, 0, news)
            )
        else:
            words = mode_words(news.mode)
            self._running.tell(words if news.total else tr("Warming up: {search}", search=words), news)

    def _on_finished(self, experiment: Experiment | TooLarge | TooSmall | None) -> None:
        if isinstance(experiment, TooLarge):
            self._refuse_too_large(experiment.mode)
            return
        if isinstance(experiment, TooSmall):
            self._refuse_too_small(experiment.mode)
            return
        if experiment is None:
            if self.page is ChartPage.RUNNING:
                self._rest()
            return
        self._measured_words, self._again = self._running_words, self._repeat
        if self._experiment is not None and self._experiment.compared is not None:
            experiment = replace(experiment, compared=self._experiment.compared)
        is_occupied = self.page in (ChartPage.CHOOSING, ChartPage.REFUSED)  # it was cancelled, and its last runs ended
        self._take_up(experiment)
        self._go(self.page if is_occupied else ChartPage.MEASURED)
        self.measured.emit(experiment)

    def _show(self, experiment: Experiment) -> None:
        self._take_up(experiment)
        self._rest()

    def _take_up(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._alone.setVisible(experiment.compared is not None)
        self.result.show_experiment(experiment)

    def _on_failed(self, message: str) -> None:
        self._refuse(message, {}, self._running_words)

    def _refuse(self, text: str, remedies: dict[str, Callable[[], object]], of: str) -> None:
        """Show why there is no measurement of a position, and the remedies; the page before comes back afterwards."""
        self._refused_words = of
        self._refusal.tell(text, {**remedies, tr("Dismiss"): self._rest})
        self._go(ChartPage.REFUSED)

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
        self._go(ChartPage.EMPTY if self._experiment is None else ChartPage.MEASURED)

    def _go(self, page: ChartPage) -> None:
        self._pages.setCurrentIndex(page.value)
        self._refresh()

    # Display

    @property
    def _is_measured(self) -> bool:
        """Whether the measurement on display is of the position on the board, to the same depth, on this machine."""
        measured, job = self._experiment, self._job
        if measured is None or job is None or self._words != self._measured_words:
            return False
        return (measured.job.game, measured.job.position) == (job.game, job.position)

    def _refresh(self) -> None:
        words = {
            ChartPage.EMPTY: self._words,
            ChartPage.RUNNING: self._running_words,
            ChartPage.MEASURED: self._measured_words,
            ChartPage.CHOOSING: self._words,
            ChartPage.REFUSED: self._refused_words,
        }
        self.fact_changed.emit(words[self.page])
        self.again_button.setText(tr("Measure again") if self._is_measured else tr("Measure this position"))
        for each in (self.again_button, *self._empty.findChildren(QPushButton)):
            each.setEnabled(self._job is not None and not self._over)
            each.setToolTip(tr("The game is over: there is nothing to search") if self._over else "")

        self.result.scaling.setEnabled(self._job is not None and not self._over)

    # Saving

    def _ask_measurement(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a measurement"), "", "JSON (*.json)")
        if path:
            self.open(path)

    def _ask_file(self) -> None:
        path = ask_where(self, tr("Save the measurement"), Path("speedup.png"), FILTER)
        if path is not None:
            self.save(path)
