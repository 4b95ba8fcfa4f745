"""The path's scroll area: it moves by whole rows."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea

from gui.tree.path_canvas import PathPicture


class PathScroll(QScrollArea):
    """Scrolls the picture, and passes on its visible size."""

    scrolled = Signal()
    """The user has scrolled."""

    def __init__(self, picture: PathPicture) -> None:
        super().__init__()
        self._picture = picture
        self.setWidget(picture)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        picture.setAutoFillBackground(False)
        self.verticalScrollBar().actionTriggered.connect(lambda _: self.scrolled.emit())

    def reveal(self, stripe: QRect) -> None:
        """Scroll the least distance that makes a row visible, by whole rows."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if stripe.top() < bar.value():
            bar.setValue(stripe.top())
        elif stripe.top() + stripe.height() > bar.value() + height:
            beyond = stripe.top() + stripe.height() - height
            bar.setValue(-(-beyond // stripe.height()) * stripe.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture.set_room(self.size())
        super().resizeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.scrolled.emit()
        super().wheelEvent(event)
