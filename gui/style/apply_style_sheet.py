"""Applies the theme's style sheet to a window, part by part: all at once would block the window for too long."""

from collections.abc import Iterator
from typing import TypeGuard

from PySide6.QtCore import QChildEvent, QEvent, QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from gui.style.steps import Steps
from gui.style.theme import theme

SEPARATOR = "QMainWindow::separator { background: transparent; width: 8px; height: 8px; }"
"""The window's own sheet, the same in every theme: a change of it would restyle everything in the window."""


class Styler(QObject):
    """Applies the sheet to each child of a window: bars, cards, and dialogs when they open.

    When the theme changes in a visible window, each child gets the sheet in its own step of the event loop, all of them
    within a tenth of a second. Qt applies a sheet of the application five times to each widget. And a window whose
    updates are disabled for some steps, so that all seems to change at once, may never be painted again (Qt 6.11).
    """

    finished = Signal()
    """All children have the style sheet of the present theme."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._sheet = theme().style_sheet()
        self._steps = Steps(self)
        self._steps.finished.connect(self.finished)
        window.setStyleSheet(SEPARATOR)
        window.installEventFilter(self)
        theme().changed.connect(self._change)

    def apply(self) -> None:
        """Apply the sheet to everything in the window now."""
        for _ in self._apply_stepwise():
            pass

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QChildEvent) and event.polished():
            child = event.child()
            if self._lacks(child):
                child.setStyleSheet(self._sheet)
        return False

    def _change(self) -> None:
        self._sheet = theme().style_sheet()
        if self._window.isVisible():
            self._steps.start(self._apply_stepwise())
        else:
            self.apply()

    def _apply_stepwise(self) -> Iterator[None]:
        while lacking := list(filter(self._lacks, self._window.children())):
            lacking[0].setStyleSheet(self._sheet)
            yield

    def _lacks(self, child: QObject) -> TypeGuard[QWidget]:
        return isinstance(child, QWidget) and child.styleSheet() != self._sheet
