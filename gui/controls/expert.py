"""The expert options of a search: ordering, window, deepening, table, horizon, and the sharing of work.

Options that do not fit the rest are disabled, with the reason in the tool tip; their values are stored until they fit
again.
"""

from collections.abc import Iterator

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from engine import registry
from engine.choices import BASES, ORDERS
from engine.job import Fail, Job, Order, Parallel, Replacement, Schedule
from engine.text.describe import mebibytes, options
from gui.controls.form import OptionsForm
from gui.i18n.language import retold, tr
from gui.state.analysis import Analysis, Settings
from gui.state.game_record import GameRecord
from gui.state.option_rules import refusal
from gui.style.steps import Steps
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.elided import ElidedLabel
from gui.widgets.fields import Decimal, Number, plies

MAX_SPLIT, MAX_SEED, MAX_ASPIRATION = 4, 999_999, 64
SIZES = (0.0, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)
"""MiB."""
FIRST = (Order.TABLE, Order.KILLERS, Order.HISTORY)


class ExpertOptions(QWidget):
    """A section that can be opened, and a short text of the options in force beside its title."""

    opened = Signal(bool)
    """The section was opened (True) or closed."""

    def __init__(self, record: GameRecord, analysis: Analysis, threads: int) -> None:
        """`threads` is the most threads that a rank may have."""
        super().__init__()
        self._record, self._analysis = record, analysis
        self._fold = QToolButton()
        self._fold.setText(tr("Expert"))
        self._fold.setCheckable(True)
        self._fold.setArrowType(Qt.ArrowType.RightArrow)
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.setToolTip(tr("Move ordering, windows, deepening, table, horizon and parallel search"))
        self._fold.toggled.connect(self._unfold)
        self._fold.toggled.connect(self.opened)
        self._summary = ElidedLabel("")
        self._summary.setForegroundRole(QUIET)
        self._reset = QPushButton(tr("Reset"))
        self._reset.setToolTip(tr("Set all of these options to their defaults"))
        self._reset.clicked.connect(lambda: analysis.reset_options())
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self._fold)
        head.addWidget(self._summary, 1)
        head.addWidget(self._reset)
        self._form = OptionsForm(self._reset)
        self._form.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addLayout(head)
        column.addWidget(self._form)
        self._threads = threads
        self._building: Steps | None = None
        record.changed.connect(self.refresh)
        analysis.settings_changed.connect(self.refresh)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    @property
    def is_open(self) -> bool:
        return self._fold.isChecked()

    def open(self, on: bool = True) -> None:
        """Open or close the section."""
        self._fold.setChecked(on)

    def field(self, name: str) -> QWidget:
        """The field of that name. Raises StopIteration where there is none."""
        self._build().finish()
        return self._form.field(name)

    def refresh(self) -> None:
        """Show the values, and which others are possible."""
        settings = self._analysis.settings
        job = settings.job(self._record.game, self._record.position)
        found = options(job)
        self._summary.setText(" · ".join(retold(phrase.short) for phrase in found))
        self._summary.setToolTip("\n".join(retold(phrase.full) for phrase in found))
        self._reset.setVisible(not settings.is_usual)
        if self.is_open:
            self._form.show_settings(settings, job)

    # Building

    def _build(self) -> Steps:
        """Start to build the form, if that has not begun: most people never open it."""
        if self._building is None:
            self._building = Steps(self)
            self._building.start(self._build_parts())
        return self._building

    def _build_parts(self) -> Iterator[None]:
        """Build one part a step."""
        for build in (
            self._build_ordering,
            self._build_window,
            self._build_table,
            self._build_horizon,
            self._build_parallel,
        ):
            build()
            self._form.restyle()
            self.refresh()
            yield

    def _build_ordering(self) -> None:
        self._form.heading(tr("Ordering"))
        bases = {base: retold(ORDERS[base].text) for base in BASES}
        self._form.choice(
            tr("Base order"),
            tr(
                "The order of the moves in each position: by square, by the game's preference, random, or by true "
                "value. A search beforehand, which is not counted, finds the true values."
            ),
            bases,
            lambda settings: next((order for order in settings.order if order in BASES), Order.NATURAL),
            lambda base: self._analysis.change(order=_based(self._analysis.settings.order, base)),
            lambda job, base: replace(job, order=_based(job.order, base)),
        )
        seed = Number(minimum=0, maximum=MAX_SEED)
        seed.setKeyboardTracking(False)
        seed.valueChanged.connect(lambda number: self._analysis.change(seed=number))
        self._form.add(
            tr("Seed"),
            tr("The seed of the random order: the same seed gives the same order."),
            seed,
            lambda settings: seed.setValue(settings.seed),
            lambda job, _: "" if Order.RANDOM in job.order else tr("Only the random order uses a seed."),
        )
        for order, name, tip, word in (
            (Order.TABLE, tr("Table move first"), tr("The best move stored in the table is searched first."), ""),
            (
                Order.KILLERS,
                tr("Killers"),
                tr("Moves that recently caused a cutoff on the same ply are searched first."),
                "killer",
            ),
            (
                Order.HISTORY,
                tr("History"),
                tr("Moves that have often caused cutoffs are searched first."),
                "history heuristic",
            ),
        ):
            self._form.switch(
                name,
                tip,
                lambda settings, order=order: order in settings.order,
                lambda on, order=order: self._analysis.change(order=_with(self._analysis.settings.order, order, on)),
                lambda job, order=order: replace(job, order=_with(job.order, order, True)),
                word=word,
            )

    def _build_window(self) -> None:
        self._form.heading(tr("Window"))
        self._form.choice(
            tr("Fail"),
            tr(
                "What is returned when a value lies outside the window. Soft: the best value found, which may be "
                "a tighter bound. Hard: the window's end."
            ),
            {Fail.SOFT: tr("soft"), Fail.HARD: tr("hard")},
            lambda settings: settings.fail,
            lambda fail: self._analysis.change(fail=fail),
            lambda job, fail: replace(job, fail=fail),
        )
        width = Decimal(maximum=MAX_ASPIRATION, singleStep=0.25, decimals=2)
        width.setKeyboardTracking(False)
        width.setSpecialValueText(tr("open window"))
        width.setPrefix("± ")
        width.valueChanged.connect(lambda value: self._analysis.change(aspiration=value or None))
        self._form.add(
            tr("Aspiration"),
            tr(
                "The window of an iteration is the value of the last one, plus and minus this width; a win is 1. "
                "If the value lies outside, that side is opened and the iteration is repeated."
            ),
            width,
            lambda settings: width.setValue(settings.aspiration or 0),
            lambda job, _: refusal(replace(job, aspiration=job.aspiration or 1.0)),
            "aspiration window",
        )
        self._form.heading(tr("Deepening"))
        self._form.switch(
            tr("Iterative deepening"),
            tr(
                "Searches to depth 1, 2, 3 and so on, until a limit or the end of the game. Each iteration helps "
                "to order the moves of the next."
            ),
            lambda settings: settings.deepen,
            lambda on: self._analysis.change(deepen=on),
            lambda job: replace(job, deepen=True),
            word="iterative deepening",
        )

    def _build_table(self) -> None:
        self._form.heading(tr("Table"))
        size = self._form.choice(
            tr("Size"),
            tr(
                "The transposition table stores what was found about a position, for use when other moves lead to "
                "the same position. When it is full, new entries replace old ones."
            ),
            {mib: mebibytes(mib) if mib else tr("none") for mib in SIZES},
            lambda settings: settings.table,
            lambda mib: self._analysis.change(table=mib),
            lambda job, mib: replace(job, table=mib),
            word="transposition table",
        )
        size.other = mebibytes
        no_table = tr("There is no table: choose a size first.")
        self._form.choice(
            tr("Replacement"),
            tr("Which entry a new one may replace: any, or only one that was not searched deeper."),
            {Replacement.ALWAYS: tr("always"), Replacement.DEEPER: tr("keep deeper")},
            lambda settings: settings.replacement,
            lambda replacement: self._analysis.change(replacement=replacement),
            lambda job, replacement: replace(job, replacement=replacement),
            lambda job, _: "" if job.table else no_table,
        )
        self._form.switch(
            tr("Fold symmetries"),
            tr("Positions that are equal by rotation or reflection share one table entry."),
            lambda settings: settings.fold,
            lambda on: self._analysis.change(fold=on),
            lambda job: replace(job, fold=True),
            lambda job, _: "" if job.table else no_table,
        )

    def _build_horizon(self) -> None:
        self._form.heading(tr("Horizon"))
        self._form.choice(
            tr("Leaves are worth"),
            tr(
                "The value of an unfinished position at the depth limit: an estimate, which is less than a win, or 0. "
                "The computer's own moves always use an estimate."
            ),
            {True: tr("an estimate"), False: tr("0")},
            lambda settings: settings.evaluate,
            lambda evaluate: self._analysis.change(evaluate=evaluate),
            lambda job, evaluate: replace(job, evaluate=evaluate),
        )
        games = map(registry.game, registry.examples())
        evaluations = {one.name: retold(one.title) for game in games for one in game.evaluations}
        self._form.choice(
            tr("Estimate"),
            tr(
                "How an unfinished position is estimated. Each game has its own ways. The computer's own moves use the "
                "game's usual one."
            ),
            {"": tr("the game's usual"), **evaluations},
            lambda settings: settings.evaluation,
            lambda evaluation: self._analysis.change(evaluation=evaluation),
            lambda job, evaluation: replace(job, evaluation=evaluation),
        )

    def _build_parallel(self) -> None:
        self._form.heading(tr("Parallel"))
        serial = tr("A serial search has only one worker: choose threads or MPI.")

        def shared(job: Job, _: Settings) -> str:
            return serial if job.backend == "serial" else ""

        def dealt(job: Job, settings: Settings) -> str:
            lazy = job.parallel is Parallel.LAZY
            return shared(job, settings) or (
                tr("In a lazy search every worker searches the whole tree: there are no tasks.") if lazy else ""
            )

        def split_up(job: Job, settings: Settings) -> str:
            root = job.parallel is Parallel.ROOT
            return dealt(job, settings) or (
                tr("In this scheme the tasks are the root moves: choose another scheme.") if root else ""
            )

        self._form.choice(
            tr("Scheme"),
            tr(
                "How the work is divided. Root moves: each root move is a task. Split: each position at the split "
                "depth is a task, and the leftmost is searched first. Young brothers wait: as split, but at "
                "every position above the tasks the first move is searched first. Lazy: every worker searches the "
                "whole tree, and they share the table."
            ),
            {
                Parallel.ROOT: tr("root moves"),
                Parallel.SPLIT: tr("split"),
                Parallel.YBW: tr("young brothers wait"),
                Parallel.LAZY: tr("lazy"),
            },
            lambda settings: settings.parallel,
            lambda parallel: self._analysis.change(parallel=parallel),
            lambda job, parallel: replace(job, parallel=parallel),
            shared,
            "young brothers wait",
        )
        split = Number(minimum=1, maximum=MAX_SPLIT)
        split.set_unit(plies)
        split.valueChanged.connect(lambda plies: self._analysis.change(split=plies))
        self._form.add(
            tr("Split depth"),
            tr("With threads or MPI: the depth of the tasks below the root."),
            split,
            lambda settings: split.setValue(settings.split),
            split_up,
            "split depth",
        )
        self._form.choice(
            tr("Schedule"),
            tr(
                "With threads or MPI: how the tasks are assigned. Static: one block to each worker. Cyclic: every "
                "n-th task. Dynamic: the next task to an idle worker."
            ),
            {schedule: tr(schedule.value) for schedule in Schedule},
            lambda settings: settings.schedule,
            lambda schedule: self._analysis.change(schedule=schedule),
            lambda job, schedule: replace(job, schedule=schedule),
            dealt,
            "schedule",
        )
        count = Number(minimum=1, maximum=self._threads)
        count.valueChanged.connect(lambda number: self._analysis.change(threads=number))
        self._form.add(
            tr("Threads per rank"),
            tr("With MPI: the number of threads in each rank."),
            count,
            lambda settings: count.setValue(settings.threads),
            lambda job, _: "" if job.backend == "mpi" else tr("Only an MPI search uses this: choose MPI."),
        )

    def _unfold(self, on: bool) -> None:
        self._fold.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self._form.setVisible(on)
        if on:
            self._build()
        self.refresh()

    def _restyle(self) -> None:
        self._summary.setFont(theme().font(NOTE + 1))
        self._form.restyle()
        self.refresh()


def _based(orders: tuple[Order, ...], base: Order) -> tuple[Order, ...]:
    """The orders with that base order; natural order is the default and left out."""
    rest = tuple(order for order in orders if order not in BASES)
    return rest if base is Order.NATURAL else (base, *rest)


def _with(orders: tuple[Order, ...], order: Order, on: bool) -> tuple[Order, ...]:
    """The orders with or without that one among those that bring moves to the front."""
    wanted = {*orders, order} if on else {*orders} - {order}
    return (*(base for base in orders if base in BASES), *(first for first in FIRST if first in wanted))
