"""A table of figures in which rows are selected and copied, not cells."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gui.widgets.focus_ring import want_ring

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
TOP = QModelIndex()


class TableModel(QAbstractTableModel):
    """Rows of texts; words are aligned on the left, figures on the right."""

    def __init__(self, figures: Sequence[bool]) -> None:
        """`figures`: whether a column has figures, for each."""
        super().__init__()
        self._figures = figures
        self.rows: list[tuple[str, ...]] = []

    def title(self, column: int) -> str:
        """The title of a column."""
        raise NotImplementedError

    def texts(self, column: int) -> list[str]:
        """The texts of a column, its title first."""
        return [self.title(column), *(row[column] for row in self.rows)]

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self._figures)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return self.title(section) if role == Role.DisplayRole else self._alignment(section, role)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        is_text = role == Role.DisplayRole
        return self.rows[index.row()][index.column()] if is_text else self._alignment(index.column(), role)

    def _alignment(self, column: int, role: int) -> Qt.AlignmentFlag | None:
        side = Qt.AlignmentFlag.AlignRight if self._figures[column] else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter if role == Role.TextAlignmentRole else None


class Table(QTableView):
    """A table without grid, frame and row numbers; its owner sets the widths of columns."""

    def __init__(self, rows: QAbstractTableModel, text: Callable[[Sequence[int]], str], name: str) -> None:
        """`text` returns the given rows as text to copy; `name` is the name for a screen reader."""
        super().__init__()
        self._text = text
        self.setModel(rows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(name)
        want_ring(self)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def copy(self) -> None:
        """Put the selected rows, or all where none is selected, on the clipboard.

        As text only: a QMimeData made in Python outlives the interpreter on the clipboard and crashes the program.
        """
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        QGuiApplication.clipboard().setText(self._text(rows or range(self.model().rowCount())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)
