"""A focus ring for views that do not show the focus themselves; `gui.access.focus` says when it appears."""

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QSplitter, QWidget

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
        super().__init__(_around(view))
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.place()
        self.show()

    def place(self) -> None:
        """Move to the view's place."""
        around = self.parentWidget() or self._view
        self.setGeometry(_ring_in(around, self._view) & around.rect())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("ink"), 1.5))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()


def _ring_in(around: QWidget, view: QWidget) -> QRect:
    """The place of a view's ring in an ancestor, or in the view itself."""
    room = view.property(WANTED)
    return QRect(view.mapTo(around, QPoint()), view.size()).adjusted(-room, -room, room, room)


def _around(view: QWidget) -> QWidget:
    """The nearest ancestor that has room for a view's ring, and its parent if none has. A splitter would take the ring
    for one of its parts, and what scrolls has its end in its viewport."""
    parent = view.parentWidget() or view
    around = parent
    while isinstance(around, QSplitter) or not around.rect().contains(_ring_in(around, view)):
        above = around.parentWidget()
        if above is None or around.isWindow() or isinstance(above, QAbstractScrollArea):
            return parent
        around = above
    return around
