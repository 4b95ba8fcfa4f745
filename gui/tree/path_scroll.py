"""The path's scroll area: it moves by whole rows."""

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent

from gui.tree.path_canvas import PathPicture
from gui.widgets.scrolled import Scrolled

SLACK = 3
"""The rows that a path may end above the lower edge before the rows above it come into view, where more fit."""


class PathScroll(Scrolled):
    """Scrolls the picture, and passes on its visible size."""

    scrolled = Signal()
    """The user has scrolled."""

    def __init__(self, picture: PathPicture) -> None:
        super().__init__(picture)
        self._picture = picture
        self.verticalScrollBar().actionTriggered.connect(lambda _: self.scrolled.emit())

    def reveal(self, stripe: QRect) -> None:
        """Make a row visible with as many as fit above it, by whole rows. Where it is visible and not far from the
        lower edge, nothing moves, unless a row is cut in two: the height of rows has changed."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        below = bar.value() + height - stripe.bottom() - 1
        slack = min(SLACK, height // stripe.height() - 1) * stripe.height()
        is_cut = bar.value() % stripe.height() > 0
        if is_cut or stripe.top() < bar.value() or not 0 <= below < max(1, slack):
            beyond = stripe.bottom() + 1 - height
            bar.setValue(-(-beyond // stripe.height()) * stripe.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture.set_room(self.size())
        super().resizeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.scrolled.emit()
        super().wheelEvent(event)
