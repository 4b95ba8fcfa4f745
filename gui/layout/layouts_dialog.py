"""The dialog that renames the layouts of a person, gives them other keys and removes them."""

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPushButton, QTableWidget, QTableWidgetItem, QWidget

from gui.i18n.language import tr
from gui.layout.layout_file import OwnLayout, fault_of_names
from gui.style.theme import theme
from gui.widgets.answer_dialog import AnswerDialog
from gui.widgets.focus_ring import want_ring

WIDTH, HEIGHT = 380, 170
"""The least size of the table in pixels at 100 %."""


class LayoutsDialog(AnswerDialog):
    """A row a layout: its key and its name, which can be edited. OK is disabled while a name is not possible."""

    def __init__(self, layouts: Sequence[OwnLayout], keys: Sequence[str], parent: QWidget) -> None:
        """`keys` are the keys of the first, second ... layout, as text."""
        super().__init__(tr("Change own layouts"), parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._layouts, self._keys = list(layouts), list(keys)
        self.table = QTableWidget(0, 1)
        self.table.setObjectName("layouts")
        self.table.setAccessibleName(tr("Layouts"))
        want_ring(self.table)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.table.setMinimumSize(theme().px(WIDTH), theme().px(HEIGHT))
        self.table.horizontalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setHighlightSections(False)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(theme().px(32))
        self.rename, self.up, self.down, self.remove = (
            QPushButton(text, autoDefault=False) for text in (tr("Rename"), tr("Up"), tr("Down"), tr("Remove"))
        )
        row = QHBoxLayout()
        for push in (self.rename, self.up, self.down, self.remove):
            row.addWidget(push)
        row.addStretch(1)
        self.fields.addWidget(self.table, 1)
        self.fields.addLayout(row)
        self.rename.clicked.connect(lambda: self.table.editItem(self.table.currentItem()))
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.remove.clicked.connect(self._on_remove)
        self.table.itemChanged.connect(self._on_renamed)
        self.table.itemSelectionChanged.connect(self._offer)
        self._show(0)
        self.table.setFocus()

    @property
    def layouts(self) -> list[OwnLayout]:
        """The layouts with their new names, in their new order."""
        return self._layouts

    def _move(self, by: int) -> None:
        """Exchange the selected layout with the one above or below it."""
        row = self.table.currentRow()
        self._layouts[row], self._layouts[row + by] = self._layouts[row + by], self._layouts[row]
        self._show(row + by)

    def _on_remove(self) -> None:
        row = self.table.currentRow()
        del self._layouts[row]
        self._show(min(row, len(self._layouts) - 1))

    def _on_renamed(self, item: QTableWidgetItem) -> None:
        row = item.row()
        self._layouts[row] = msgspec.structs.replace(self._layouts[row], name=" ".join(item.text().split()))
        self._show(row)

    def _show(self, selected: int) -> None:
        """Show the layouts, and select one."""
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._layouts))
        self.table.setVerticalHeaderLabels(self._keys[: len(self._layouts)])
        for row, layout in enumerate(self._layouts):
            self.table.setItem(row, 0, QTableWidgetItem(layout.name))
        self.table.blockSignals(False)
        self.table.setCurrentCell(selected, 0)
        self._offer()

    def _offer(self) -> None:
        """Enable the buttons that apply to the selected layout, and say what is wrong with a name."""
        row, last = self.table.currentRow(), len(self._layouts) - 1
        self.rename.setEnabled(row >= 0)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < last)
        self.remove.setEnabled(row >= 0)
        fault = fault_of_names([layout.name for layout in self._layouts])
        self.say(fault or tr("F2 or a double click renames a layout."), is_warning=bool(fault))
        self.ok.setEnabled(not fault)
