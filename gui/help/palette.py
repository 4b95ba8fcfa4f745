"""The command palette: type a few letters of anything that can be done, and do it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from gui.actions import entries
from gui.language import tr
from gui.theme import theme

WIDTH, HEIGHT, TOP, ROW = 520, 380, 64, 24
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""Keys that belong to the list, wherever the line is."""


def show_palette(window: QMainWindow) -> "Palette":
    """Open it over the window's upper half. It closes by itself."""
    palette = Palette(window)
    width = min(theme().px(WIDTH), window.width() - 40)
    palette.resize(width, min(theme().px(HEIGHT), window.height() - 80))
    corner = window.rect().center()
    palette.move(window.mapToGlobal(corner) - palette.rect().center())
    palette.move(palette.x(), window.mapToGlobal(window.rect().topLeft()).y() + theme().px(TOP))
    palette.show()
    palette.line.setFocus()
    return palette


def matching(typed: str, commands: Sequence[tuple[str, QAction]]) -> list[tuple[str, QAction]]:
    """The commands in which all typed words occur, in their names or in what they say of themselves.

    First come those whose own name begins with what is typed, then those with all words in their names.
    """
    words = typed.lower().split()

    def rank(command: tuple[str, QAction]) -> int:
        name = command[0].lower()
        if name.rpartition("› ")[2].startswith(typed.strip().lower()):
            return 0
        return 1 if all(word in name for word in words) else 2

    found = [
        (name, made) for name, made in commands if all(word in f"{name} {made.statusTip()}".lower() for word in words)
    ]
    return sorted(found, key=rank)


class Palette(QFrame):
    """A line and the list of what it finds."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("palette")
        self.setAccessibleName(tr("Commands"))
        self._commands = entries(window)
        self.line = QLineEdit(placeholderText=tr("What do you want to do?"))
        self.line.setAccessibleName(tr("What do you want to do?"))
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._find)
        self.list = QTreeWidget(columnCount=2)
        self.list.setRootIsDecorated(False)
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setAccessibleName(tr("Commands found"))
        self.list.itemClicked.connect(self._do)
        self._nothing = QLabel(tr("No command has all of these words in its name."))
        self._nothing.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(6)
        for widget in (self.line, self._nothing, self.list):
            column.addWidget(widget)
        self._find("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The line has the keyboard; what moves in the list, or chooses from it, is passed on."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in MOVES:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if (item := self.list.currentItem()) is not None:
                    self._do(item)
                return True
        return super().eventFilter(watched, event)

    def _find(self, typed: str) -> None:
        self.list.clear()
        for name, made in matching(typed, self._commands):
            checked = "   ✓" if made.isCheckable() and made.isChecked() else ""
            keys = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            item = QTreeWidgetItem(self.list, [name + checked, keys])
            item.setData(0, Qt.ItemDataRole.UserRole, made)
            item.setSizeHint(0, QSize(0, theme().px(ROW)))
            item.setData(0, Qt.ItemDataRole.ToolTipRole, made.statusTip())
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(1, theme().colour("dim"))
            if not made.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setForeground(0, theme().colour("dim", 0.7))
            elif self.list.currentItem() is None:
                self.list.setCurrentItem(item)
        self._nothing.setVisible(not self.list.topLevelItemCount())

    def _do(self, item: QTreeWidgetItem) -> None:
        made: QAction = item.data(0, Qt.ItemDataRole.UserRole)
        if made.isEnabled():
            self.close()
            made.trigger()
