"""Lays the theme's style sheet over a window, part by part: all at once it would hold the window up for too long."""

from collections.abc import Iterator

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from gui.style.steps import Steps
from gui.style.theme import theme

SEPARATOR = "QMainWindow::separator { background: transparent; width: 8px; height: 8px; }"
"""The window's own sheet is the same in every theme: a change of it would be one of all that is in the window."""


class Dressing(QObject):
    """Gives each child of a window the sheet: bars, cards, and dialogs when they open.

    Where the theme changes before the user's eyes, each child has a turn of the event loop for itself, and all follow
    within a tenth of a second. Qt lays a sheet of the application's five times over each widget. And a window whose
    updates are disabled for some turns, so that all seems to change at once, may never be painted again (Qt 6.11).
    """

    finished = Signal()
    """Everything has the look of the theme in force."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._sheet = theme().style_sheet()
        self._turns = Steps(self)
        self._turns.finished.connect(self.finished)
        window.setStyleSheet(SEPARATOR)
        window.installEventFilter(self)
        theme().changed.connect(self._change)

    def all_at_once(self) -> None:
        """Dress whatever is in the window now."""
        for _ in self._dress():
            pass

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QChildEvent) and event.polished():
            child = event.child()
            if isinstance(child, QWidget) and self._lacks(child):
                child.setStyleSheet(self._sheet)
        return False

    def _change(self) -> None:
        self._sheet = theme().style_sheet()
        if self._window.isVisible():
            self._turns.start(self._dress())
        else:
            self.all_at_once()

    def _dress(self) -> Iterator[None]:
        only = Qt.FindChildOption.FindDirectChildrenOnly
        while undressed := [it for it in self._window.findChildren(QWidget, options=only) if self._lacks(it)]:
            undressed[0].setStyleSheet(self._sheet)
            yield

    def _lacks(self, child: QWidget) -> bool:
        return child.styleSheet() != self._sheet
