"""The speedup card: measure the position on the board in every mode, and see what parallelism bought."""

import math
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from engine.experiment import PRESET, START_SHARE, Experiment, Mode, Progress, Timing, cores, modes, to_csv
from engine.figures import duration, thousands
from engine.game import ONGOING, Game, Position, outcome
from engine.job import Job
from gui.analysis import Settings
from gui.language import mark, retold, tr
from gui.parts.empty import EmptyState
from gui.runner import Runner
from gui.speedup.chart import Chart
from gui.speedup.figure import speedup_figure, time_figure
from gui.speedup.measuring import Measurement, measuring
from gui.theme import NOTE, QUIET, TEXT, theme
from gui.words import algorithm


class Page(Enum):
    """What the card shows."""

    EMPTY = 0
    RUNNING = 1
    MEASURED = 2


class SpeedupView(QWidget):
    """Measures, shows and saves. `close` ends its thread."""

    fact_changed = Signal(str)
    """Which position the card speaks of."""
    preset_requested = Signal(object)
    """The person wants the position of this Job on the board: one that is large enough for threads."""
    failed = Signal(str)
    """One sentence: why nothing was measured or saved."""
    begun = Signal()
    """A measurement begins: what else runs would disturb it."""
    measured = Signal(object)
    """The Experiment that is now shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._words = ""
        self._ranks: tuple[int, ...] = ()
        self._over = False
        self._running_words = self._measured_words = ""
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
        """The newest that came to its end."""
        return self._experiment

    def set_position(self, game: Game, position: Position, settings: Settings) -> None:
        """What "Measure" takes: the board, and schedule, split, scoring and depth of the settings.

        What is measured or shown stays as it is.
        """
        self._job = replace(settings.job(game, position), record=0)
        self._over = outcome(position) != ONGOING
        self._words = position_words(game, position, self._job)
        self._refresh()

    def set_ranks(self, ranks: Sequence[int]) -> None:
        """Measure on MPI too, with these numbers of ranks."""
        self._ranks = tuple(ranks)

    def measure(self, repeats: int | None = None) -> None:
        """Measure the position on the board, in as many rounds as fit or so many; what runs is replaced."""
        if self._job is None or self._over:
            return
        self.begun.emit()
        self._running_words = self._words
        self._say(tr("Starting…"), Progress(0, 0, Mode("")))
        self._runner.start(Measurement(self._job, modes(cores(), ranks=self._ranks), repeats))
        self._go(Page.RUNNING)

    def cancel(self) -> None:
        """End the measurement; whole rounds follow if they are enough to be shown."""
        self._runner.control.stop()
        self._rest()

    def save_png(self, path: str | Path) -> None:
        self._save(path, self._chart.png(self._caption()))

    def save_svg(self, path: str | Path) -> None:
        self._save(path, self._chart.svg(self._caption()))

    def save_csv(self, path: str | Path) -> None:
        if self._experiment is not None:
            self._save(path, to_csv(self._experiment).encode())

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
        for page in (self._empty, self._build_running(), self._build_measured()):
            self._pages.addWidget(page)

    def _build_running(self) -> QWidget:
        self._doing, self._done = QLabel(), QLabel()
        self._done.setForegroundRole(QUIET)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setMinimumWidth(40)  # at a width of 1 and without an end, Qt 6.11 divides by zero
        self._bar.setAccessibleName(tr("Progress of the measurement"))
        self.cancel_button = _button(tr("Cancel"), "", self.cancel)
        words = QHBoxLayout()
        words.addWidget(self._doing, 1)
        words.addWidget(self._done)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch()
        column.addLayout(words)
        column.addWidget(self._bar)
        column.addSpacing(8)
        column.addWidget(self.cancel_button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
        return page

    def _build_measured(self) -> QWidget:
        self._verdict = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._verdict.setToolTip(
            tr(
                "Too small: starting the threads costs more than {share} % of a serial run.",
                share=round(100 * START_SHARE),
            )
        )
        self._kinds = QButtonGroup(self)
        top = QHBoxLayout()
        top.setSpacing(4)
        for number, (name, hint) in enumerate(
            ((tr("Speedup"), tr("How many times as fast as one serial run")), (tr("Time"), tr("How long a run takes")))
        ):
            button = QPushButton(name)
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setToolTip(hint)
            self._kinds.addButton(button, number)
            top.addWidget(button)
        self._kinds.idToggled.connect(lambda _number, checked: self._draw() if checked else None)
        top.addStretch()
        top.addWidget(_button(tr("PNG…"), tr("Save the chart as a picture, PNG or SVG"), self._ask_picture))
        self._csv_button = _button(tr("CSV…"), tr("Save every run as a table"), self._ask_csv)
        top.addWidget(self._csv_button)
        self.again_button = _button(tr("Measure again"), "", self.measure)
        self.preset_button = _button(
            tr("Try a 4 × 4 position"),
            tr("Put a position on the board that is large enough for threads"),
            lambda: self.preset_requested.emit(PRESET),
        )
        bottom = QHBoxLayout()
        bottom.setSpacing(4)
        bottom.addWidget(self.again_button)
        bottom.addWidget(self.preset_button)
        bottom.addStretch()
        page = QWidget()
        column = self._column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self._verdict)
        column.addLayout(bottom)
        return page

    @cached_property
    def _chart(self) -> Chart:
        """Made for the first figure: it brings seventy fields of pyqtgraph's, which every change of theme restyles."""
        chart = Chart()
        self._column.insertWidget(1, chart, 1)
        self.setTabOrder(self._csv_button, chart)
        return chart

    # What happens

    def _on_told(self, number: int, news: Mode | Progress) -> None:
        """A mode's kernels are being compiled, or so many runs are done."""
        if number != self._runner.number:
            return
        if isinstance(news, Mode):
            self._say(tr("Compiling {search}, this once…", search=mode_words(news)), Progress(0, 0, news))
        else:
            words = mode_words(news.mode)
            self._say(words if news.total else tr("Warming up: {search}", search=words), news)

    def _on_finished(self, number: int, experiment: Experiment | None) -> None:
        if number != self._runner.number:
            return
        if experiment is None:
            self._rest()
            return
        self._experiment, self._measured_words = experiment, self._running_words
        self._draw()
        self._rest()
        self.measured.emit(experiment)

    def _on_failed(self, number: int, message: str) -> None:
        if number == self._runner.number:
            self._rest()
            self.failed.emit(message)

    def _rest(self) -> None:
        """Back to what there is to show."""
        self._go(Page.EMPTY if self._experiment is None else Page.MEASURED)

    def _go(self, page: Page) -> None:
        self._pages.setCurrentIndex(page.value)
        self._refresh()

    def _say(self, words: str, progress: Progress) -> None:
        self._doing.setText(words)
        done, total = thousands(progress.done), thousands(progress.total)
        self._done.setText(tr("{done} of {total} runs", done=done, total=total) if progress.total else "")
        self._bar.setRange(0, progress.total)
        self._bar.setValue(progress.done)

    # What is shown

    def _refresh(self) -> None:
        shown = {Page.EMPTY: self._words, Page.RUNNING: "", Page.MEASURED: self._measured_words}[self.page]
        self.fact_changed.emit(self._running_words if self.page is Page.RUNNING else shown)
        self.again_button.setText(
            tr("Measure again") if self._words == self._measured_words else tr("Measure this position")
        )
        for button in (self.again_button, *self._empty.findChildren(QPushButton)):
            button.setEnabled(self._job is not None and not self._over)
            button.setToolTip(tr("The game is over: there is nothing to search") if self._over else "")

    def _draw(self) -> None:
        if self._experiment is None:
            return
        figure = (time_figure if self._kinds.checkedId() else speedup_figure)(self._experiment)
        self._chart.show_figure(figure)
        self._chart.setAccessibleDescription(in_words(self._experiment))
        self._verdict.setText("<br>".join(verdicts(self._experiment, theme().colours.dim)))
        self.preset_button.setVisible(self._experiment.too_small)

    def _restyle(self) -> None:
        for label, size in ((self._doing, TEXT), (self._done, NOTE + 1), (self._verdict, NOTE + 1)):
            label.setFont(theme().font(size))
        self._draw()

    # Saving

    def _caption(self) -> str:
        runs = self._experiment.rounds if self._experiment else 0
        return tr(
            "{position} · medians of %n interleaved run(s), bars from quartile to quartile",
            "",
            runs,
            position=self._measured_words,
        )

    def _ask_picture(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save the chart"), "speedup.png", "PNG (*.png);;SVG (*.svg)")
        if path:
            (self.save_svg if path.lower().endswith(".svg") else self.save_png)(path)

    def _ask_csv(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save every run"), "speedup.csv", "CSV (*.csv)")
        if path:
            self.save_csv(path)

    def _save(self, path: str | Path, data: bytes) -> None:
        try:
            Path(path).write_bytes(data)
        except OSError as error:
            self.failed.emit(tr("{name} could not be saved: {why}.", name=Path(path).name, why=error.strerror or error))


def _button(text: str, hint: str, act: Callable[[], object]) -> QPushButton:
    made = QPushButton(text)
    made.setToolTip(hint)
    made.clicked.connect(lambda: act())
    return made


def mode_words(mode: Mode) -> str:
    """A mode as people say it: "alpha-beta · 2 threads"."""
    return tr("{algorithm} · {mode}", algorithm=algorithm(mode.algorithm), mode=workers_in_words(mode))


def workers_in_words(mode: Mode) -> str:
    """Who searches: "serial", "1 thread", "2 ranks"."""
    if mode.backend == "serial":
        return tr("serial")
    return tr("%n rank(s)", "", mode.workers) if mode.backend == "mpi" else tr("%n thread(s)", "", mode.workers)


def in_words(experiment: Experiment) -> str:
    """What both charts show: "minimax · serial: 6.21 ms; minimax · 2 threads: 3.35 ms, speedup 1.85; ..."."""
    speedups = {
        speedup.mode: f"{speedup.paired.median:.2f}"
        for name in experiment.algorithms
        for backend in ("threads", "mpi")
        for speedup in experiment.speedups(name, backend)
    }

    def said(timing: Timing) -> str:
        mode, time = mode_words(timing.mode), duration(timing.spread.median)
        if timing.mode not in speedups:
            return tr("{search}: {time}", search=mode, time=time)
        return tr("{search}: {time}, speedup {speedup}", search=mode, time=time, speedup=speedups[timing.mode])

    return "; ".join(map(said, experiment.timings))


def position_words(game: Game, position: Position, job: Job) -> str:
    """Which position, in a few words: "empty board", "4 × 4, 4 in a row · 4 marks"; the depth limit too."""
    marks = sum(cell is not None for cell in game.notation.cells(position))
    words = [retold(game.title)] if game.spec != "tictactoe" else []
    words.append(tr("empty board") if marks == 0 else tr("%n mark(s)", "on a board", marks))
    if job.limit.depth is not None:
        words.append(tr("depth {plies}", plies=job.limit.depth))
    return " · ".join(words)


def verdicts(experiment: Experiment, dim: str) -> list[str]:
    """What came out, a line an algorithm, as HTML: the best speedup on several threads, or that it is too small."""
    lines = []
    for name in experiment.algorithms:
        words, serial = algorithm(name), experiment.serial(name)
        speedups = experiment.speedups(name)
        if serial is None or not speedups:
            continue
        if experiment.is_too_small(name):
            time, start = duration(serial.spread.median), duration(experiment.start[name])
            costs = tr("({time}, start {start})", time=time, start=start).replace(" ", "&nbsp;")
            lines.append(
                tr(
                    "{algorithm}: <b>too small for threads</b> {costs}",
                    algorithm=words,
                    costs=f"<span style='color: {dim}'>{costs}</span>",
                )
            )
            continue
        best = max(speedups, key=lambda speedup: (speedup.mode.workers > 1, speedup.paired.median))
        half = math.ceil(best.paired.half * 100) / 100
        spread = tr("(± {half}, %n run(s))", "", experiment.rounds, half=f"{half:.2f}")
        lines.append(
            tr(
                "{algorithm}: <b>{speedup}×</b> on {workers} {spread}",
                algorithm=words,
                speedup=f"{best.paired.median:.2f}",
                workers=workers_in_words(best.mode),
                spread=f"<span style='color: {dim}'>{spread}</span>",
            )
        )
    return lines
