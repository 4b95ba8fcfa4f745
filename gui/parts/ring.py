"""Shows that a view has the keyboard, where the view itself does not."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme import theme

BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


AROUND, INSIDE = 6, -3
"""Pixels from a view out to the line, where there are so many; and in to it."""


class FocusRing(QWidget):
    """A line round `view`, or inside it, from when Tab comes to it until the keyboard goes elsewhere."""

    def __init__(self, view: QWidget, room: int = AROUND) -> None:
        super().__init__(view)
        self._view, self._room = view, room
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            self._place()
            self.setVisible(event.gotFocus() and event.reason() in BY_KEYBOARD)
        elif event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("x"), 1.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()

    def _place(self) -> None:
        around = self._view.parentWidget() or self._view
        if self.parentWidget() is not around:
            self.setParent(around)
        here = self._view.geometry() if around is not self._view else around.rect()
        self.setGeometry(here.adjusted(-self._room, -self._room, self._room, self._room) & around.rect())
        self.raise_()
