"""Shows that a view has the keyboard, where the view itself does not; `gui.access.focus` says when."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.style.theme import theme

AROUND, INSIDE = 6, -3
"""Pixels from a view out to the line, where there are so many; and in to it."""
WANTED = "ring"
"""The property of a view that wants a ring: how far out."""


def want_ring(view: QWidget, room: int = AROUND) -> None:
    """Have a line drawn round a view, or inside it, from when Tab comes to it until the keyboard goes elsewhere."""
    view.setProperty(WANTED, room)


class FocusRing(QWidget):
    """The line round a view that wants one."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view.parentWidget() or view)
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.place()
        self.show()

    def place(self) -> None:
        """Go where the view is now."""
        around, room = self.parentWidget() or self._view, self._view.property(WANTED)
        here = self._view.geometry() if around is not self._view else around.rect()
        self.setGeometry(here.adjusted(-room, -room, room, room) & around.rect())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("x"), 1.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()
