"""A focus ring for views that do not show the focus themselves; `gui.access.focus` says when it appears."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.style.theme import theme

AROUND, INSIDE = 6, -3
"""The ring's distance from the view in pixels: outwards, where there is space, or inwards."""
WANTED = "ring"
"""The property of a view that wants a ring: its distance."""


def want_ring(view: QWidget, room: int = AROUND) -> None:
    """Have a ring drawn round a view, or inside it, while it has the focus that it got by Tab."""
    view.setProperty(WANTED, room)


class FocusRing(QWidget):
    """The ring of a view that wants one."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view.parentWidget() or view)
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.place()
        self.show()

    def place(self) -> None:
        """Move to the view's place."""
        around, room = self.parentWidget() or self._view, self._view.property(WANTED)
        here = self._view.geometry() if around is not self._view else around.rect()
        self.setGeometry(here.adjusted(-room, -room, room, room) & around.rect())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("ink"), 1.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()
