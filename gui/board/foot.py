"""The strip below the board: the moves, and below them one of several other widgets.

Its height follows from the space alone. A widget that is shown takes its height from the moves, which scroll, so that
the board keeps its size.
"""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.board.moves import MovesView, line_height

GAP = 4


class Foot(QWidget):
    """Shows the moves and the first visible one of the other widgets."""

    def __init__(self, moves: MovesView) -> None:
        super().__init__()
        self._moves = moves
        self._others: list[QWidget] = []
        moves.setParent(self)

    def add(self, *widgets: QWidget) -> None:
        """Add widgets below the moves; the first that is not hidden is shown."""
        for widget in widgets:
            shown = not widget.isHidden()
            widget.setParent(self)
            widget.setVisible(shown)
            self._others.append(widget)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        width, height, taken = self.width(), self.height(), 0
        for widget in (it for it in self._others if not it.isHidden()):
            wanted = widget.heightForWidth(width) if widget.hasHeightForWidth() else widget.sizeHint().height()
            room = 0 if taken else max(0, min(wanted, height - line_height() - GAP))
            widget.setGeometry(0, height - room, width, room)
            taken = taken or room + GAP
        self._moves.setGeometry(0, 0, width, max(0, height - taken))
