"""What an expert chooses of a search: ordering, window, deepening, table, horizon, and how the work is shared out.

What does not fit together is disabled and says why in its tool tip; it waits with what was chosen until it fits again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.job import Fail, Job, Order, Parallel, Replacement, Schedule
from engine.phrases import ORDERS, mebibytes, options
from engine.registry import BASES
from gui import glossary
from gui.analysis import Analysis, Settings
from gui.fitting import refusal
from gui.game_record import GameRecord
from gui.language import tr
from gui.parts.elided import ElidedLabel
from gui.theme import NOTE, theme

MAX_SPLIT, MAX_SEED, MAX_ASPIRATION = 4, 999_999, 64
SIZES = (0.0, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)
"""MiB."""
SHORTEST = 8
"""Characters that a box shows in any case; in a narrow card the list below it shows the rest."""
FIRST = (Order.TABLE, Order.KILLERS, Order.HISTORY)

Change = Callable[[Job], Job]


@dataclass(frozen=True, eq=False)
class _Entry:
    """One thing to choose, as the form knows it."""

    field: QWidget
    label: QLabel | None
    tip: str
    show: Callable[[Settings], object]
    why_not: Callable[[Job, Settings], str]
    """Why nothing can be chosen here, in a sentence; empty where it can."""


class ExpertOptions(QWidget):
    """A fold with all of it, and what is in force in short words beside it."""

    def __init__(self, record: GameRecord, analysis: Analysis, threads: int) -> None:
        """A rank may have so many threads."""
        super().__init__()
        self._record, self._analysis = record, analysis
        self._entries: list[_Entry] = []
        self._headings: list[QLabel] = []
        self._fold = QToolButton()
        self._fold.setText(tr("Expert"))
        self._fold.setCheckable(True)
        self._fold.setArrowType(Qt.ArrowType.RightArrow)
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.setToolTip(tr("Ordering, windows, deepening, table, horizon, and how the work is shared out"))
        self._fold.toggled.connect(self._unfold)
        self._summary = ElidedLabel("")
        self._reset = QPushButton(tr("Reset"))
        self._reset.setToolTip(tr("Choose none of these options, as it was at first"))
        self._reset.clicked.connect(lambda: analysis.reset_options())
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self._fold)
        head.addWidget(self._summary, 1)
        head.addWidget(self._reset)
        self._inside = QWidget(visible=False)
        self._form = QFormLayout(self._inside)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setVerticalSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addLayout(head)
        column.addWidget(self._inside)
        self._build_ordering()
        self._build_window()
        self._build_table()
        self._build_horizon()
        self._build_parallel(threads)
        record.changed.connect(self.refresh)
        analysis.settings_changed.connect(self.refresh)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.refresh()

    @property
    def is_open(self) -> bool:
        return self._fold.isChecked()

    def open(self) -> None:
        """Unfold it."""
        self._fold.setChecked(True)

    def field(self, name: str) -> QWidget:
        """The field of that name. Raises StopIteration where there is none."""
        return next(entry.field for entry in self._entries if entry.field.accessibleName() == name)

    def refresh(self) -> None:
        """Show what is chosen, and what can be chosen beside it."""
        settings = self._analysis.settings
        job = settings.job(self._record.game, self._record.position)
        found = options(job)
        self._summary.setText(" · ".join(tr(phrase.short) for phrase in found))
        self._summary.setToolTip("\n".join(tr(phrase.full) for phrase in found))
        self._reset.setVisible(not settings.is_usual)
        if not self.is_open:
            return
        for entry in self._entries:
            with QSignalBlocker(entry.field):
                entry.show(settings)
            why = entry.why_not(job, settings)
            entry.field.setEnabled(not why)
            entry.field.setAccessibleDescription(why or entry.tip)
            for widget in (entry.field, entry.label):
                if widget is not None:
                    widget.setToolTip(f"<p>{entry.tip}</p><p><b>{why}</b></p>" if why else f"<p>{entry.tip}</p>")

    # Building

    def _build_ordering(self) -> None:
        self._heading(tr("Ordering"))
        bases = {base: tr(ORDERS[base].short) for base in BASES}
        self._choice(
            tr("Base order"),
            tr(
                "Where every move stands before anything is known: by its square, by the game's own preference, drawn "
                "by lot, or by its true value, which is found beforehand and not counted."
            ),
            bases,
            lambda settings: next((order for order in settings.order if order in BASES), Order.NATURAL),
            lambda base: self._analysis.change(order=_based(self._analysis.settings.order, base)),
            lambda job, base: replace(job, order=_based(job.order, base)),
        )
        seed = QSpinBox(minimum=0, maximum=MAX_SEED)
        seed.setKeyboardTracking(False)
        seed.valueChanged.connect(lambda number: self._analysis.change(seed=number))
        self._add(
            tr("Seed"),
            tr("What a random order is drawn by: the same seed gives the same order."),
            seed,
            lambda settings: seed.setValue(settings.seed),
            lambda job, _: "" if Order.RANDOM in job.order else tr("Only a random order is drawn by a seed."),
        )
        for order, name, tip, word in (
            (Order.TABLE, tr("Table move first"), tr("The move that the table remembers as the best comes first."), ""),
            (Order.KILLERS, tr("Killers"), tr("Moves come first that lately cut off on the same ply."), "killer"),
            (Order.HISTORY, tr("History"), tr("Moves come first that have cut off often."), "history heuristic"),
        ):
            self._switch(
                name,
                tip,
                lambda settings, order=order: order in settings.order,
                lambda on, order=order: self._analysis.change(order=_with(self._analysis.settings.order, order, on)),
                lambda job, order=order: replace(job, order=_with(job.order, order, True)),
                word=word,
            )

    def _build_window(self) -> None:
        self._heading(tr("Window"))
        self._choice(
            tr("Fail"),
            tr(
                "What is returned where a value lies outside the window: soft, the best value found, which may be a "
                "tighter bound; hard, the window's end."
            ),
            {Fail.SOFT: tr("soft"), Fail.HARD: tr("hard")},
            lambda settings: settings.fail,
            lambda fail: self._analysis.change(fail=fail),
            lambda job, fail: replace(job, fail=fail),
        )
        width = QDoubleSpinBox(maximum=MAX_ASPIRATION, singleStep=0.25, decimals=2)
        width.setKeyboardTracking(False)
        width.setSpecialValueText(tr("open window"))
        width.valueChanged.connect(lambda value: self._analysis.change(aspiration=value or None))
        self._add(
            tr("Aspiration"),
            tr(
                "How far the window of an iteration reaches on either side of the last one's value, in wins. Where the "
                "value lies outside, that side is opened and the iteration begins anew."
            ),
            width,
            lambda settings: width.setValue(settings.aspiration or 0),
            lambda job, _: refusal(replace(job, aspiration=job.aspiration or 1.0)),
            "aspiration window",
        )
        self._heading(tr("Deepening"))
        self._switch(
            tr("Iterative deepening"),
            tr("Searches to depth 1, 2, 3 and so on, until a limit or the end: each iteration orders the next one."),
            lambda settings: settings.deepen,
            lambda on: self._analysis.change(deepen=on),
            lambda job: replace(job, deepen=True),
            word="iterative deepening",
        )

    def _build_table(self) -> None:
        self._heading(tr("Table"))
        size = self._choice(
            tr("Size"),
            tr(
                "The transposition table keeps what was found about a position, for when other moves lead to it again. "
                "Where it is full, entries give way to others."
            ),
            {mib: mebibytes(mib) if mib else tr("none") for mib in SIZES},
            lambda settings: settings.table,
            lambda mib: self._analysis.change(table=mib),
            lambda job, mib: replace(job, table=mib),
            word="transposition table",
        )
        size.other = mebibytes
        no_table = tr("There is no table: choose a size first.")
        self._choice(
            tr("Replacement"),
            tr("Which entry gives way to a new one: any, or only one that was searched no deeper."),
            {Replacement.ALWAYS: tr("always"), Replacement.DEEPER: tr("deeper stays")},
            lambda settings: settings.replacement,
            lambda replacement: self._analysis.change(replacement=replacement),
            lambda job, replacement: replace(job, replacement=replacement),
            lambda job, _: "" if job.table else no_table,
        )
        self._switch(
            tr("Fold symmetries"),
            tr("Positions that turn into each other by a rotation or a reflection share one entry."),
            lambda settings: settings.fold,
            lambda on: self._analysis.change(fold=on),
            lambda job: replace(job, fold=True),
            lambda job, _: "" if job.table else no_table,
        )

    def _build_horizon(self) -> None:
        self._heading(tr("Horizon"))
        self._choice(
            tr("Leaves are worth"),
            tr(
                "What a position at the depth limit is worth that is not over: an estimate between −1 and +1, from the "
                "lines that are still open to either player, or 0."
            ),
            {True: tr("an estimate"), False: tr("0")},
            lambda settings: settings.evaluate,
            lambda evaluate: self._analysis.change(evaluate=evaluate),
            lambda job, evaluate: replace(job, evaluate=evaluate),
        )

    def _build_parallel(self, threads: int) -> None:
        self._heading(tr("Parallel"))
        serial = tr("One thread has nobody to share with: choose threads or MPI.")

        def shared(job: Job, _: Settings) -> str:
            return serial if job.backend == "serial" else ""

        def dealt(job: Job, settings: Settings) -> str:
            lazy = job.parallel is Parallel.LAZY
            return shared(job, settings) or (tr("Lazy workers search it all: nothing is dealt out.") if lazy else "")

        def split_up(job: Job, settings: Settings) -> str:
            root = job.parallel is Parallel.ROOT
            return dealt(job, settings) or (tr("Tasks are root moves: choose another scheme.") if root else "")

        self._choice(
            tr("Scheme"),
            tr(
                "How the work is shared out. Root: a root move is a task. Split: a position some plies below is one, "
                "and the leftmost is searched first. Young brothers wait: so it is at every position above the tasks. "
                "Lazy: all search everything, and tell each other through the table."
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
        split = QSpinBox(minimum=1, maximum=MAX_SPLIT)
        split.valueChanged.connect(lambda plies: self._analysis.change(split=plies))
        self._add(
            tr("Split depth"),
            tr("On threads and ranks: how many plies below the root the tasks are."),
            split,
            lambda settings: split.setValue(settings.split),
            split_up,
            "split depth",
        )
        self._choice(
            tr("Schedule"),
            tr(
                "On threads and ranks: static, a block of tasks each; cyclic, every n-th; dynamic, whoever is idle "
                "takes the next one, on demand."
            ),
            {schedule: tr(schedule.value) for schedule in Schedule},
            lambda settings: settings.schedule,
            lambda schedule: self._analysis.change(schedule=schedule),
            lambda job, schedule: replace(job, schedule=schedule),
            dealt,
            "schedule",
        )
        count = QSpinBox(minimum=1, maximum=threads)
        count.valueChanged.connect(lambda number: self._analysis.change(threads=number))
        self._add(
            tr("Threads a rank"),
            tr("On MPI: how many threads each rank searches with."),
            count,
            lambda settings: count.setValue(settings.threads),
            lambda job, _: "" if job.backend == "mpi" else tr("Only MPI ranks have threads inside: choose MPI."),
        )

    def _heading(self, text: str) -> None:
        label = QLabel(text)
        self._headings.append(label)
        self._form.addRow(label)

    def _choice(
        self,
        name: str,
        tip: str,
        texts: dict[Any, str],
        value: Callable[[Settings], Any],
        choose: Callable[[Any], object],
        changed: Callable[[Job, Any], Job],
        why_not: Callable[[Job, Settings], str] = lambda *_: "",
        word: str = "",
    ) -> "_Choice":
        """A box of which an entry is disabled where the job as `changed` is refused."""
        box = _Choice(texts)
        box.chosen = choose

        def why(job: Job, settings: Settings) -> str:
            return why_not(job, settings) or box.offer(lambda entry: refusal(changed(job, entry)))

        self._add(name, tip, box, lambda settings: box.show_value(value(settings)), why, word)
        return box

    def _switch(
        self,
        name: str,
        tip: str,
        value: Callable[[Settings], bool],
        choose: Callable[[bool], object],
        changed: Change,
        why_not: Callable[[Job, Settings], str] = lambda *_: "",
        word: str = "",
    ) -> None:
        box = QCheckBox(name)
        box.clicked.connect(choose)

        def why(job: Job, settings: Settings) -> str:
            return why_not(job, settings) or refusal(changed(job))

        self._add(name, tip, box, lambda settings: box.setChecked(value(settings)), why, word)

    def _add(
        self,
        name: str,
        tip: str,
        field: QWidget,
        show: Callable[[Settings], object],
        why_not: Callable[[Job, Settings], str],
        word: str = "",
    ) -> None:
        """A row of the form; `word` is the glossary's that the name is or rests on."""
        label = None if isinstance(field, QCheckBox) else QLabel(name)
        field.setAccessibleName(name)
        if label is None:
            self._form.addRow(field)
        else:
            label.setBuddy(field)
            self._form.addRow(label, field)
        tip = f"{tip}{glossary.tip(word)}" if word else tip
        for widget in filter(None, (field, label)):
            widget.setToolTip(f"<p>{tip}</p>")
        self._entries.append(_Entry(field, label, tip, show, why_not))

    def _unfold(self, on: bool) -> None:
        self._fold.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self._inside.setVisible(on)
        self.refresh()

    def _restyle(self) -> None:
        look = theme()
        quiet = f"color: {look.colours.dim}"
        for label in (self._summary, *(entry.label for entry in self._entries if entry.label is not None)):
            label.setFont(look.font(NOTE + 1))
            label.setStyleSheet(quiet)
        for heading in self._headings:
            heading.setFont(look.font(NOTE + 1, QFont.Weight.DemiBold))
        self.refresh()


class _Choice(QComboBox):
    """One of several values, of which some may not be offered."""

    def __init__(self, texts: dict[Any, str]) -> None:
        super().__init__()
        self._values = list(texts)
        self.addItems(list(texts.values()))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(SHORTEST)
        self.chosen: Callable[[Any], object] = lambda _: None
        self.other: Callable[[Any], str] = str
        """The text of a value that is not among them."""
        self.activated.connect(lambda place: self.chosen(self._values[place]))

    def show_value(self, value: Any) -> None:
        if value not in self._values:
            self._values.append(value)
            self.addItem(self.other(value))
        self.setCurrentIndex(self._values.index(value))

    def offer(self, why_not: Callable[[Any], str]) -> str:
        """Offer the values that nothing speaks against; gives what does against the others where one alone is left."""
        model, reasons = self.model(), [why_not(value) for value in self._values]
        if isinstance(model, QStandardItemModel):
            for place, why in enumerate(reasons):
                model.item(place).setEnabled(not why)
                model.item(place).setToolTip(why)
        return next(filter(None, reasons), "") if reasons.count("") < 2 else ""


def _based(orders: tuple[Order, ...], base: Order) -> tuple[Order, ...]:
    """The same with that base order; natural is the one that need not be said."""
    rest = tuple(order for order in orders if order not in BASES)
    return rest if base is Order.NATURAL else (base, *rest)


def _with(orders: tuple[Order, ...], order: Order, on: bool) -> tuple[Order, ...]:
    """The same with that order among those that bring moves to the front, or without it."""
    wanted = {*orders, order} if on else {*orders} - {order}
    return (*(base for base in orders if base in BASES), *(first for first in FIRST if first in wanted))
