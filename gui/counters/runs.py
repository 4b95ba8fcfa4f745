"""The last searches, newest first, for comparison."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine import registry
from engine.result import Result
from engine.text.describe import options
from engine.text.numbers import DASH, duration, thousands
from gui.i18n.language import localized, mark, tr
from gui.state.analysis import Analysis
from gui.state.spoilers import HIDDEN, spoilers
from gui.state.wording import is_proven, mode, scores, search, search_in_full, unfinished, verdict
from gui.style.theme import NOTE, theme
from gui.widgets.actions import action
from gui.widgets.table import Index, Role, Table, TableModel

SELECT = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
DESELECT = QItemSelectionModel.SelectionFlag.Deselect | QItemSelectionModel.SelectionFlag.Rows


@dataclass(frozen=True)
class Column:
    title: str
    is_figure: bool
    rank: int
    """Where space is short, columns of a higher rank are hidden first."""


COLUMNS = (
    Column(mark("Search"), False, 0),
    Column(mark("Position"), False, 2),
    Column(mark("Value"), False, 3),
    Column(mark("Nodes"), True, 1),
    Column(mark("Cutoffs"), True, 4),
    Column(mark("Scoring"), False, 5),
)
"""The columns of the view, whose cells have one line or two."""
COPIED = (
    *("game", "position", "algorithm", "mode", "scoring", "nodes", "cutoffs", "seconds", "end", "options"),
    *("value", "bound", "value_depth"),
)
"""The columns of a copied table."""
NARROWEST, WIDEST = 74, 170
"""Pixels to which a column of words is elided before another one is hidden, and its greatest width."""


class RunsModel(TableModel):
    """The runs of an analysis, a row each."""

    def __init__(self, analysis: Analysis) -> None:
        super().__init__([column.is_figure for column in COLUMNS])
        self._analysis = analysis
        self._runs: tuple[Result, ...] = ()
        self._on_changed()
        analysis.runs_changed.connect(self._on_changed)
        spoilers().changed.connect(self._on_spoilers)
        for event in (analysis.started, analysis.shown):
            event.connect(self._on_shown)

    def run(self, row: int) -> Result:
        return self._runs[row]

    def is_shown(self, row: int) -> bool:
        """Whether a run is the one on display."""
        return self._runs[row] is self._analysis.whole

    def title(self, column: int) -> str:
        return tr(COLUMNS[column].title)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        match role:
            case Role.ForegroundRole:
                return theme().colour("ink" if self.is_shown(index.row()) else "dim")
            case Role.FontRole:
                return theme().font(NOTE, QFont.Weight.Medium if self.is_shown(index.row()) else QFont.Weight.Normal)
            case Role.ToolTipRole:
                return "\n".join(self._in_full(index.row()))
        return super().data(index, role)

    def table(self, rows: Sequence[int]) -> str:
        """These rows and a header, with tabs between the columns: numbers bare, times in seconds."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(COPIED)
        writer.writerows(bare(self._runs[row]) for row in rows)
        return text.getvalue()

    def _in_full(self, row: int) -> list[str]:
        """The position, the settings, the result and the figures of a run, and what a click does."""
        run, counters = self._runs[row], self._runs[row].info.counters
        lines = [f"{localized(registry.game(run.job.game).title)} · {run.job.position}", "", search_in_full(run.job)]
        lines += [mode(run.job), tr("Scoring: {values}", values=scores(run.job)), ""]
        if run.info.value is not None and not spoilers().hidden:
            lines.append(tr("Value: {value}", value=value_in_words(run)))
        lines += [
            tr("Nodes: {number}", number=thousands(counters.nodes)),
            tr("Cutoffs: {number}", number=thousands(counters.cutoffs)),
            tr("Time: {time}", time=duration(run.info.seconds)),
            *filter(None, [unfinished(run)]),
        ]
        if run.trace is None:
            lines.append(tr("Its tree is not stored: it was not recorded, or newer ones took its place."))
        return [*lines, "", tr("Click: show it again. Ctrl and click: compare it. Double click: search it again.")]

    def _on_shown(self) -> None:
        if self._runs:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._runs) - 1, len(COLUMNS) - 1))

    def _on_changed(self) -> None:
        self.beginResetModel()
        known = {id(run): texts for run, texts in zip(self._runs, self.rows, strict=True)}
        self._runs = self._analysis.runs
        self.rows = [known.get(id(run)) or shown(run) for run in self._runs]
        self.endResetModel()

    def _on_spoilers(self) -> None:
        self.rows = [shown(run) for run in self._runs]
        self._on_shown()


def shown(run: Result) -> tuple[str, ...]:
    """A run formatted for people, by COLUMNS."""
    job, counters = run.job, run.info.counters
    marks = set(job.position) - set("./")
    value = value_in_words(run)
    return (
        f"{search(job)}\n{mode(job)}",
        f"{localized(registry.game(job.game).title)}\n{job.position if marks else tr('empty board')}",
        f"{tr(HIDDEN) if value and spoilers().hidden else value or DASH}\n{unfinished(run)}",
        f"{thousands(counters.nodes)}\n{duration(run.info.seconds)}",
        thousands(counters.cutoffs),
        scores(job),
    )


def bare(run: Result) -> tuple[object, ...]:
    """A run as unformatted values."""
    job, counters = run.job, run.info.counters
    how = mode(job).replace(" · ", " ")
    figures = (counters.nodes, counters.cutoffs, run.info.seconds)
    chosen = ", ".join(phrase.short for phrase in options(job))
    info = spoilers().found(run.info) or run.info
    found = (None, None, None) if info.value is None else (info.value.number, info.value.bound, info.value_depth)
    return (job.game, job.position, job.algorithm, how, job.scoring.value, *figures, run.end.value, chosen, *found)


def value_in_words(run: Result) -> str:
    """The value for the side to move: "X wins", or "≥ 0 for X"."""
    job, value = run.job, run.info.value
    if value is None:
        return ""
    return verdict(*registry.root_of(job), value, job.scoring, is_proven(run.info, run))


class RunsView(Table):
    """The table of the last searches. A click, or Space, shows one of them again; where more are selected, two. Ctrl
    and a click compare a search with the one on display, whether or not that was selected."""

    run_requested = Signal(object)
    """The Result of a run that the user wants to repeat."""
    compare_requested = Signal(object)
    """The Result of a run that the user wants to compare with the one on display; None: with none."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis, self._runs = analysis, RunsModel(analysis)
        super().__init__(self._runs, self._runs.table, tr("The last searches, newest first"))
        self._runs.setParent(self)
        self.setItemDelegate(_TwoLines(self))
        self.doubleClicked.connect(self._search)
        self.clicked.connect(self._on_clicked)
        for text, do in (
            (mark("Show it again"), self._show_selected),
            (mark("Search it again"), lambda: self._search(self.currentIndex())),
            (mark("Copy the table"), self.copy),
        ):
            action(self, text, "", text, do)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._runs.modelReset.connect(self._fit)
        theme().changed.connect(self._fit)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), theme().px(90))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(50))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._search(self.currentIndex())
        elif event.key() == Qt.Key.Key_Space:
            self._show_selected()
        else:
            super().keyPressEvent(event)

    def _search(self, index: QModelIndex) -> None:
        """Search a run again."""
        if index.isValid():
            self.run_requested.emit(self._runs.run(index.row()))

    def _on_clicked(self) -> None:
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            for row in filter(self._runs.is_shown, range(self._runs.rowCount())):
                self.selectionModel().select(self._runs.index(row, 0), SELECT)
        self._show_selected()

    def _show_selected(self) -> None:
        """Show the selected run again or, where there are more, compare two of them, which stay selected: the one on
        display is the first, and the one chosen last is the second."""
        rows = [index.row() for index in self.selectionModel().selectedRows()]
        if not rows:
            return
        chosen = self.currentIndex().row()
        rows.sort(key=lambda row: (not self._runs.is_shown(row), row == chosen))
        for row in rows[1:-1]:
            self.selectionModel().select(self._runs.index(row, 0), DESELECT)
        self._analysis.recall(self._runs.run(rows[0]))
        self.compare_requested.emit(self._runs.run(rows[-1]) if len(rows) > 1 else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give every column the width that it needs; hide the least important ones where space is short; share out the
        rest."""
        look = theme()
        self.verticalHeader().setDefaultSectionSize(look.px(38))
        self.horizontalHeader().setFont(look.font(NOTE))
        air = look.px(14)
        wanted, least = [], []
        for number, column in enumerate(COLUMNS):
            lines = [line for text in self._runs.texts(number) for line in text.splitlines()]
            need = max(look.width(line, NOTE, QFont.Weight.Medium) for line in lines)
            wanted.append((need if column.is_figure else min(need, look.px(WIDEST))) + air)
            least.append(wanted[-1] if column.is_figure else min(wanted[-1], look.px(NARROWEST)))
        kept = list(range(len(COLUMNS)))
        room = self.viewport().width()
        while len(kept) > 1 and sum(least[number] for number in kept) > room:
            kept.remove(max(kept, key=lambda number: COLUMNS[number].rank))
        widths = {number: least[number] for number in kept}
        spare = max(0, room - sum(widths.values()))
        for number in sorted(kept, key=lambda number: COLUMNS[number].rank):
            more = min(spare, wanted[number] - least[number])
            widths[number] += more
            spare -= more
        for number in range(len(COLUMNS)):
            self.setColumnHidden(number, number not in kept)
            if number in kept:
                self.setColumnWidth(number, widths[number] + spare // len(kept))


class _TwoLines(QStyledItemDelegate):
    """Paints the lines of a cell, the second dim, and no focus frame round it: rows are selected."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        lines, cell.text = cell.text.splitlines(), ""
        cell.state &= ~QStyle.StateFlag.State_HasFocus
        cell.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, cell.widget)
        air, line = theme().px(4), cell.fontMetrics.lineSpacing()
        area = cell.rect.adjusted(air, (cell.rect.height() - 2 * line) // 2, -air, 0)
        area.setHeight(line)
        painter.save()
        painter.setFont(cell.font)
        painter.setPen(index.data(Role.ForegroundRole))
        for text in lines:
            elided = cell.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, cell.displayAlignment, elided)
            painter.setPen(theme().colour("dim"))
            painter.setFont(theme().font(NOTE))
            area.translate(0, line)
        painter.restore()
