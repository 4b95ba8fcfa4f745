"""A table of figures in which rows are selected and copied, not cells."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gui.widgets.focus_ring import want_ring


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
