"""Applies the theme's style sheet to a window, a change of it part by part: all at once would block the window for too
long."""

from collections.abc import Iterator
from typing import TypeGuard

from PySide6.QtCore import QChildEvent, QEvent, QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from gui.style.steps import Steps
from gui.style.theme import theme


class Styler(QObject):
    """Applies the sheet to a window that is still empty, so that each part is styled when it is first shown, and once.

    When the theme changes, each child (bar, card, dialog, also one that opens later) gets a sheet of its own: in a
    visible window in its own step of the event loop, all of them within a tenth of a second. Qt applies a sheet of the
    application five times to each widget. And a window whose updates are disabled for some steps, so that all seems to
    change at once, may never be painted again (Qt 6.11).
    """

    finished = Signal()
    """All children have the style sheet of the present theme."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._sheet = self._inherited = theme().style_sheet()
        self._steps = Steps(self)
        self._steps.finished.connect(self.finished)
        window.setStyleSheet(self._inherited)
        window.installEventFilter(self)
        theme().changed.connect(self._change)

    @property
    def is_applying(self) -> bool:
        """Whether some children still have the style sheet, and so the least sizes, of the theme before."""
        return self._steps.is_running

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QChildEvent) and event.polished():
            child = event.child()
            if self._lacks(child):
                child.setStyleSheet(self._sheet)
        return False

    def _change(self) -> None:
        self._sheet = theme().style_sheet()
        self._steps.start(self._apply_stepwise())
        if not self._window.isVisible():
            self._steps.finish()

    def _apply_stepwise(self) -> Iterator[None]:
        while (child := next(filter(self._lacks, self._window.children()), None)) is not None:
            child.setStyleSheet(self._sheet)
            yield

    def _lacks(self, child: QObject) -> TypeGuard[QWidget]:
        return isinstance(child, QWidget) and (child.styleSheet() or self._inherited) != self._sheet
