"""The iterations of the current search, a row each once it ends: the depth, the result, and the effort."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStackedLayout, QWidget

from engine import registry
from engine.options.choices import Form
from engine.result import Iteration
from engine.rules.contract import Game, Position
from engine.text.line import line_in_words
from engine.text.numbers import DASH, duration, precise, signed, significant, thousands
from gui.i18n.language import mark, tr
from gui.state import iterations
from gui.state.analysis import Analysis
from gui.state.spoilers import HIDDEN, spoilers
from gui.state.wording import in_words
from gui.style.theme import NOTE, theme
from gui.widgets.empty import EmptyState
from gui.widgets.table import TOP, Index, Role, Table, TableModel

COLUMNS = (
    (mark("Depth"), mark("The depth of the iteration in plies.")),
    (
        mark("Window"),
        mark("The window of the iteration. A value outside it is only a bound, and the depth is searched again."),
    ),
    (
        mark("Value for {player}"),
        mark(
            "The value of the position for {player}: a bound where it lies outside the window, else that of its depth."
        ),
    ),
    (mark("Nodes"), mark("Positions that this iteration visited.")),
    (mark("Time"), mark("The time of this iteration; waiting is not counted.")),
    (
        mark("Branching"),
        mark(
            "The effective branching factor: the width of a uniform tree of this depth with the same number of nodes."
        ),
    ),
    (mark("Best line"), mark("Best play for both sides, found by this iteration.")),
)
LINE = len(COLUMNS) - 1


class IterationsModel(TableModel):
    """The finished iterations, in their order."""

    def __init__(self, analysis: Analysis) -> None:
        super().__init__([column != LINE for column in range(len(COLUMNS))])
        self._analysis = analysis
        self._iterations: tuple[Iteration, ...] = ()
        self._seen: tuple[bool, bool] | None = None
        """Whether the values shown are hidden, and whether they are the first player's."""

    def refresh(self) -> None:
        """Add new iterations; start over with another search."""
        game = self._analysis.game
        found = iterations.finished(self._analysis) if game is not None else ()
        known, seen = len(self._iterations), (spoilers().hidden, self._analysis.settings.form is not Form.NEGAMAX)
        if not found and not known:
            return
        if found[:known] != self._iterations or seen != self._seen or not known:
            self.beginResetModel()
            self._iterations, self._seen = found, seen
            self.rows = self._rows_of(found)
            self.endResetModel()
            return
        if len(found) > known:
            self.beginInsertRows(TOP, known, len(found) - 1)
            self._iterations = found
            self.rows += self._rows_of(found[known:])
            self.endInsertRows()
        self.dataChanged.emit(self.index(0, 0), self.index(len(found) - 1, LINE), [Role.ForegroundRole])

    def _rows_of(self, found: Sequence[Iteration]) -> list[tuple[str, ...]]:
        game, job = self._analysis.game, self._analysis.job
        if game is None or job is None:
            return []
        windows, is_turned = registry.algorithm(job.algorithm).prunes, self._viewer != self._mover
        return [shown(game, self._analysis.position, iteration, windows, is_turned) for iteration in found]

    @property
    def _mover(self) -> int:
        """The player to move in the position that was searched."""
        game, position = self._analysis.game, self._analysis.position
        return 0 if game is None or position is None else game.notation.mover(position)

    @property
    def _viewer(self) -> int:
        """The player whose values are shown, as in the tree."""
        return self._mover if self._analysis.settings.form is Form.NEGAMAX else 0

    def title(self, column: int) -> str:
        return self._of_player(COLUMNS[column][0])

    def _of_player(self, text: str) -> str:
        game = self._analysis.game
        return tr(text) if game is None else tr(text, player=game.notation.players[self._viewer])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role == Role.ToolTipRole and orientation is Qt.Orientation.Horizontal:
            return self._of_player(COLUMNS[section][1])
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        match role:
            case Role.ForegroundRole:
                return theme().colour("ink" if self._is_on_display(index.row()) else "dim")
            case Role.FontRole:
                return theme().font(NOTE)
            case Role.ToolTipRole:
                texts = zip(map(self.title, range(len(COLUMNS))), self.rows[index.row()], strict=True)
                return "\n".join([*(f"{title}: {text}" for title, text in texts), "", self._click(index.row())])
        return super().data(index, role)

    def _is_on_display(self, row: int) -> bool:
        """Whether a row is the iteration on display; while a search runs, the newest is dark."""
        number = len(self.rows) if self._analysis.is_running else iterations.shown(self._analysis)
        return row + 1 == number

    def _click(self, row: int) -> str:
        """What a click on a row does."""
        if self._analysis.is_running:
            return tr("When the search has ended, a click shows its tree.")
        if iterations.after(self._analysis, row + 1) is None:
            return tr("Its tree is not stored: it was not recorded, or newer iterations took its place.")
        return tr("Click: show its tree, and the search as it was after it.")

    def table(self, rows: Sequence[int]) -> str:
        """These rows and a header as CSV: numbers bare, times in seconds, open ends of windows empty."""
        game, text = self._analysis.game, io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["depth", "alpha", "beta", "value", "bound", "nodes", "seconds", "branching", "line"])
        for number in rows:
            if game is not None:
                writer.writerow(bare(game, self._iterations[number]))
        return text.getvalue()


def shown(
    game: Game, position: Position, iteration: Iteration, windows: bool = True, is_turned: bool = False
) -> tuple[str, ...]:
    """An iteration of the search of a position formatted for people, by COLUMNS; minimax has no `windows`. Its window
    and value are those of the side to move, or of the other where `is_turned`."""
    hidden = spoilers().hidden
    line = line_in_words(game, position, iteration.proven_line, iteration.depth)
    if is_turned:
        iteration = -iteration
    return (
        str(iteration.depth),
        tr(HIDDEN) if hidden else f"{precise(iteration.alpha)} … {precise(iteration.beta)}" if windows else DASH,
        tr(HIDDEN) if hidden else in_words(iteration.value),
        thousands(iteration.counters.nodes),
        duration(iteration.seconds),
        significant(iteration.branching) if iteration.branching else DASH,
        tr(HIDDEN) if hidden else line or DASH,
    )


def bare(game: Game, iteration: Iteration) -> tuple[object, ...]:
    """An iteration as unformatted values, for the side to move; hidden results are left out."""
    alpha, beta = ("" if "∞" in signed(end) else end for end in (iteration.alpha, iteration.beta))
    nodes, branching = iteration.counters.nodes, round(iteration.branching, 3)
    found = ("",) * 4 if spoilers().hidden else (alpha, beta, iteration.value.number, iteration.value.bound)
    line = "" if spoilers().hidden else " ".join(map(game.notation.move_name, iteration.proven_line))
    return (iteration.depth, *found, nodes, iteration.seconds, branching, line)


class IterationsView(QWidget):
    """The table, scrolled to its newest row; an empty state before the first."""

    fact_changed = Signal(str)

    def __init__(self, analysis: Analysis) -> None:
        super().__init__()
        self._analysis = analysis
        self.table = _Table(analysis)
        self._empty = EmptyState(
            tr("Iterative deepening searches to depth 1, 2, 3 and so on. Each iteration is a row here."),
            tr("Deepen"),
        )
        self._empty.pressed.connect(lambda: analysis.change(deepen=True))
        self._waiting = EmptyState(tr("Iterative deepening is on. Press Think: each iteration is a row here."))
        self._stack = QStackedLayout(self)
        for page in (self._empty, self._waiting, self.table):
            self._stack.addWidget(page)
        for changed in (analysis.started, analysis.counted, analysis.failed):
            changed.connect(self.refresh)
        analysis.settings_changed.connect(self.refresh)
        spoilers().changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the iterations of the current search."""
        model = self.table.model()
        model.refresh()
        rows = model.rowCount()
        on = self._analysis.settings.deepen
        self._stack.setCurrentWidget(self.table if rows else self._waiting if on else self._empty)
        self.fact_changed.emit(tr("{count} iteration(s)", "", rows, count=rows) if rows else "")

    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), theme().px(90))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(50))


class _Table(Table):
    def __init__(self, analysis: Analysis) -> None:
        self._analysis, self._iterations = analysis, IterationsModel(analysis)
        super().__init__(self._iterations, self._iterations.table, tr("The iterations of this search"))
        self._iterations.setParent(self)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for changed in (self._iterations.modelReset, self._iterations.rowsInserted):
            changed.connect(self._on_grown)
        theme().changed.connect(self._fit)
        self.clicked.connect(self._on_clicked)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._on_clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        iterations.show(self._analysis, index.row() + 1)

    def model(self) -> IterationsModel:
        return self._iterations

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.scrollToBottom()

    def _on_grown(self) -> None:
        self._fit()
        self.scrollToBottom()

    def _fit(self) -> None:
        """Share out the width: figures have what they need; the line of play, which is in the tool tip too, has the
        rest. Where space is short, windows are hidden first, then branching factors and times."""
        look = theme()
        self.verticalHeader().setDefaultSectionSize(look.px(18))
        self.horizontalHeader().setFont(look.font(NOTE))
        texts = map(self._iterations.texts, range(len(COLUMNS)))
        need = [max(look.width(text, NOTE) for text in column) + look.px(14) for column in texts]
        need[LINE] = look.px(60)
        room, kept = self.viewport().width(), list(range(len(COLUMNS)))
        for column in (1, 5, 4, LINE, 3):
            if sum(need[number] for number in kept) > room:
                kept.remove(column)
        spare = max(0, room - sum(need[number] for number in kept))
        for column in range(len(COLUMNS)):
            self.setColumnHidden(column, column not in kept)
            self.setColumnWidth(column, need[column] + (spare if column == kept[-1] else 0))
