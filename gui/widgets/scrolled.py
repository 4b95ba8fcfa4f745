"""A page of a card that scrolls where the card is too small."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class ScrollArea(QScrollArea):
    """A page as wide as the area, which scrolls where it is too high.

    The page is placed when the area's size is first needed. Qt styles and lays out a page at once, and each time that
    an area is put into another widget, also in a drawer that is never opened.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._page = page
        page.setParent(self.viewport())

    def sizeHint(self) -> QSize:
        self._place()
        return super().sizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        self._place()
        super().showEvent(event)

    def _place(self) -> None:
        if self.widget() is None:
            self.setWidget(self._page)
            for surface in (self.viewport(), self._page):
                surface.setAutoFillBackground(False)


class Scrolled(ScrollArea):
    """A page with the least width of its content."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        width = self._page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
