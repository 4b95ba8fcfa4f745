"""The page on which a person chooses an experiment, and writes down the speedup that they expect."""

from typing import NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engine import registry
from engine.backends.mpi_job import launch
from engine.cores import cores
from engine.job import Job
from engine.measure.experiment import LEAST_ROUNDS, Mode
from engine.measure.presets import PRESETS, Preset
from engine.measure.speedup import ALGORITHMS, MOST_ROUNDS, expected_duration, modes
from engine.options.choices import SCHEDULES
from engine.text.numbers import duration, thousands
from gui.i18n.glossary import tip
from gui.i18n.language import localized, tr
from gui.state.wording import algorithm
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.fields import Box, Decimal, Number, plies
from gui.widgets.flow import Flow
from gui.widgets.form_rows import FormRows

MOST_THREADS = 64
MOST_SPLIT = 4


class Plan(NamedTuple):
    """An experiment that a person has chosen."""

    job: Job
    modes: tuple[Mode, ...]
    repeats: int | None = None
    """Rounds; None for as many as fit."""
    weak: bool = False
    expected: float | None = None
    """The speedup on the most workers that the person expects."""


POSITION_CHARACTERS = 15
"""The characters of a position's name that are seen at least."""


class PlanPage(QWidget):
    """Fields of a Plan, with what it takes or why it cannot be measured."""

    chosen = Signal(object)
    """The person starts this Plan."""
    left = Signal()
    """The person leaves the page."""

    def __init__(self) -> None:
        super().__init__()
        self._job: Job | None = None
        self._refusal = ""
        self.position = Box()
        self.position.setSizeAdjustPolicy(Box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.position.setMinimumContentsLength(POSITION_CHARACTERS)
        self.position.addItem(tr("The position on the board"))
        for number, preset in enumerate(PRESETS, start=1):
            self.position.addItem(_title(preset))
            self.position.setItemData(number, _why(preset), Qt.ItemDataRole.ToolTipRole)
        self.algorithms = {name: QCheckBox(algorithm(name)) for name in registry.algorithms()}
        for name, box in self.algorithms.items():
            box.setChecked(name in ALGORITHMS or registry.algorithm(name).averages)
        self.threads = _number(1, MOST_THREADS, cores())
        self.ranks = _number(0, MOST_THREADS, 0)
        self.ranks.setSpecialValueText(tr("none"))
        self._offer_ranks(0)
        self.ranks_threads = _number(1, cores(), 1)
        self.schedule = Box()
        for schedule, words in SCHEDULES.items():
            self.schedule.addItem(localized(words.text), schedule)
        self.split = _number(1, MOST_SPLIT, 1)
        self.split.set_unit(plies)
        self.repeats = _number(LEAST_ROUNDS - 1, 99, LEAST_ROUNDS - 1)
        self.repeats.setSpecialValueText(tr("as many as fit, {least} to {most}", least=LEAST_ROUNDS, most=MOST_ROUNDS))
        self.scaling = Box()
        self.scaling.addItems([tr("strong: the same work"), tr("weak: the same time")])
        self.expected = Decimal(decimals=2, maximum=MOST_THREADS * 2, singleStep=0.1)
        self.expected.setSpecialValueText(tr("no guess"))
        self.expected.setSuffix("×")
        self._line = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._line.setForegroundRole(QUIET)
        self.start, back = QPushButton(tr("Measure")), QPushButton(tr("Back"))
        self.start.clicked.connect(lambda: self.chosen.emit(self.plan()))
        back.clicked.connect(lambda: self.left.emit())
        self._lay_out(back)
        for box in (self.position, self.schedule, self.scaling):
            box.currentIndexChanged.connect(self._judge)
        for number in (self.threads, self.ranks, self.ranks_threads, self.split, self.repeats):
            number.valueChanged.connect(self._judge)
        for check in self.algorithms.values():
            check.toggled.connect(self._judge)
        self.position.currentIndexChanged.connect(self._tell_preset)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_job(self, job: Job | None, refusal: str, ranks: int) -> None:
        """Take the position of a job, and its schedule and split where they are others than before; `refusal` says why
        its position cannot be measured. `ranks` are those usually measured, 0 where MPI cannot be used. Other fields
        stay as a person has filled them in."""
        before, self._job, self._refusal = self._job, job, refusal
        if job is not None and (before is None or job.schedule is not before.schedule):
            self.schedule.setCurrentIndex(self.schedule.findData(job.schedule))
        if job is not None and (before is None or job.split != before.split):
            self.split.setValue(job.split)
        self.ranks.setMaximum(min(MOST_THREADS, launch.most_ranks()))
        if ranks != self._usual_ranks:
            self._offer_ranks(ranks)
        self._judge()

    def _offer_ranks(self, usual: int) -> None:
        """Show the number of ranks that is usually measured; 0 where MPI cannot be used."""
        self._usual_ranks = usual
        self.ranks.setEnabled(usual > 0)
        self.ranks.setToolTip("" if usual else tr("MPI is not ready"))
        self.ranks.setValue(usual)

    def plan(self) -> Plan | None:
        """The experiment in the fields; None if it cannot be measured."""
        if self.refusal():
            return None
        job = self._wanted()
        names = self._names()
        ranks = range(1, self.ranks.value() + 1)
        return Plan(
            job,
            modes(self.threads.value(), names, tuple(ranks), self.ranks_threads.value(), cores()),
            self.repeats.value() if self.repeats.value() >= LEAST_ROUNDS else None,
            self.is_weak,
            self.expected.value() or None,
        )

    @property
    def is_weak(self) -> bool:
        return self.scaling.currentIndex() == 1

    def refusal(self) -> str:
        """Why the experiment in the fields cannot be measured, in a sentence; empty if it can."""
        names = self._names()
        if not names:
            return tr("Choose at least one algorithm.")
        if self.is_weak and any(registry.algorithm(name).prunes for name in names):
            return tr("Weak scaling counts nodes as work: choose minimax alone. Other algorithms prune.")
        return self._refusal if self.position.currentIndex() == 0 else ""

    def _names(self) -> list[str]:
        """The chosen algorithms, of those for the game."""
        return [name for name in self._fitting() if self.algorithms[name].isChecked()]

    def _fitting(self) -> list[str]:
        """The algorithms for the game."""
        game = registry.game(self._wanted().game)
        return [name for name in self.algorithms if registry.is_for(name, game)]

    def _wanted(self) -> Job:
        """The job in the fields."""
        number = self.position.currentIndex()
        job = PRESETS[number - 1].job if number else self._job or PRESETS[0].job
        return replace(job, schedule=self.schedule.currentData(), split=self.split.value())

    def _why_not_hybrid(self) -> str:
        """Why ranks cannot have several threads each; empty if they can."""
        if not self.ranks.isEnabled():
            return self.ranks.toolTip()
        if cores() == 1:
            return tr("Ranks of several threads need two cores, and this machine has one.")
        return "" if self.ranks.value() else tr("Choose MPI ranks first.")

    def _judge(self) -> None:
        """Show how long the experiment takes, or why it cannot be measured."""
        fitting = self._fitting()
        for name, box in self.algorithms.items():
            box.setVisible(name in fitting)
        plan, why, why_not_hybrid = self.plan(), self.refusal(), self._why_not_hybrid()
        self.ranks_threads.setEnabled(not why_not_hybrid)
        self.ranks_threads.setToolTip(why_not_hybrid or tr("Ranks × threads, up to the %n core(s)", "", cores()))
        self.start.setEnabled(plan is not None)
        if plan is None:
            self._line.setText(why)
            return
        workers = max(mode.all_workers for mode in plan.modes)
        self._guess.setText(tr("Your guess for %n worker(s)", "", workers))
        number = self.position.currentIndex()
        known = PRESETS[number - 1].size.seconds if number else None
        seconds = expected_duration(plan.job, plan.modes, cores(), plan.repeats, plan.weak, known)
        words = tr("An estimate: {time}, without compiling.", time=duration(seconds))
        if workers > cores():
            words += " " + tr("More workers than the %n core(s) share them.", "", cores())
        if self.ranks_threads.value() > 1 and self.ranks.value() * self.ranks_threads.value() > cores():
            words += " " + tr("Ranks × threads beyond the %n core(s) are left out.", "", cores())
        self._line.setText(words)

    def _tell_preset(self, number: int) -> None:
        self._preset.setText(_why(PRESETS[number - 1]) if number else "")
        self._preset.setVisible(number > 0)

    def _lay_out(self, back: QPushButton) -> None:
        algorithms = QWidget()
        row = Flow(algorithms, 8, 2)
        row.setContentsMargins(0, 0, 0, 0)
        for box in self.algorithms.values():
            row.addWidget(box)
        self._guess, self._preset = QLabel(), QLabel(wordWrap=True)
        self._preset.hide()
        self._preset.setForegroundRole(QUIET)
        self._guess.setBuddy(self.expected)
        form = FormRows()
        for words, field in (
            (tr("Position"), self.position),
            ("", self._preset),
            (tr("Algorithms"), algorithms),
            (tr("Threads, 1 to"), self.threads),
            (tr("MPI ranks, 1 to"), self.ranks),
            (tr("Threads per rank, 1 to"), self.ranks_threads),
            (tr("Schedule"), self.schedule),
            (tr("Split depth"), self.split),
            (tr("Rounds"), self.repeats),
            (tr("Scaling"), self.scaling),
        ):
            form.addRow(words, field)
        for field, word in ((self.schedule, "schedule"), (self.split, "split depth")):
            form.labelForField(field).setToolTip(tip(word))
        form.addRow(self._guess, self.expected)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        buttons.addWidget(self.start)
        buttons.addWidget(back)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        column.addWidget(self._line)
        column.addLayout(buttons)
        column.addStretch()

    def _restyle(self) -> None:
        for label in (self._line, self._preset):
            label.setFont(theme().font(NOTE + 1))


def _title(preset: Preset) -> str:
    game, depth = localized(registry.game(preset.job.game).title), preset.job.limit.depth
    return game if depth is None else tr("{game} · depth {plies}", game=game, plies=depth)


def _why(preset: Preset) -> str:
    title = tr(registry.algorithm(preset.job.algorithm).title)
    nodes = tr("{algorithm} visits {nodes} positions.", algorithm=title, nodes=thousands(preset.nodes))
    return f"{nodes} {localized(preset.size.words)}"


def _number(least: int, most: int, value: int) -> Number:
    made = Number(minimum=least, maximum=most)
    made.setValue(value)
    return made
