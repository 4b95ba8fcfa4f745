"""A boundary that layouts inside do not cross."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class RelayoutBoundary(QWidget):
    """Gives one widget all of its room, and passes on only another usual or least size of it.

    Without it Qt lays out the whole window after each layout inside, such as that of a label with another text.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        inside.setParent(self)
        self._known = self._sizes()

    def sizeHint(self) -> QSize:
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._inside.minimumSizeHint()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and (sizes := self._sizes()) != self._known:
            self._known = sizes
            self.updateGeometry()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._inside.setGeometry(self.rect())

    def _sizes(self) -> tuple[QSize, QSize]:
        return self.sizeHint(), self.minimumSizeHint()
