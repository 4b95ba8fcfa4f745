"""The mouse on a picture of a tree.

The wheel zooms at the pointer, a drag pans, a double click fills the picture with a subtree; a click is told as a row.
"""

from typing import Any, NamedTuple

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from gui.tree.pointed import Pointed

ZOOM = 1.25
"""The factor of one step of the wheel."""


class _Press(NamedTuple):
    """A press of the left button, until it is released."""

    point: QPoint
    view: Any
    """What `TreeMouse.view` was."""
    is_drag: bool


class TreeMouse(Pointed):
    """A picture of a tree that the mouse zooms and pans; the pointer is on rows. Its class decides what is where, and
    what it shows."""

    row_pressed = Signal(int)
    """The row of the node that was clicked."""
    gap_pressed = Signal(int)
    """The row of the node whose unsearched move was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._pressed: _Press | None = None

    @property
    def has_tree(self) -> bool:
        """Whether there is a tree in the picture."""
        raise NotImplementedError

    @property
    def view(self) -> Any:
        """The part of the tree that the picture shows."""
        raise NotImplementedError

    def row_at(self, point: QPointF) -> int | None:
        """The row of the node at a point; None where there is none."""
        raise NotImplementedError

    def owner_at(self, point: QPointF) -> int | None:
        """The row of the node whose unsearched move is at a point; None where there is none, or a node."""
        raise NotImplementedError

    def pan(self, view: Any, by: QPoint) -> None:
        """Show the part that an earlier `view` showed, moved by so many pixels."""
        raise NotImplementedError

    def zoom_at(self, factor: float, point: QPointF) -> None:
        """Show the tree `factor` times as large; what is at a point stays there."""
        raise NotImplementedError

    def zoom_to_row(self, row: int) -> None:
        """Fill the picture with a subtree."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.has_tree:
            self._pressed = _Press(event.position().toPoint(), self.view, is_drag=False)
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, pressed = event.position().toPoint(), self._pressed
        if pressed is None:
            row = self.row_at(event.position())
            is_free = row is None and self.owner_at(event.position()) is None
            self.setCursor(Qt.CursorShape.ArrowCursor if is_free else Qt.CursorShape.PointingHandCursor)
            self.point(row)
        elif pressed.is_drag or (point - pressed.point).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = pressed._replace(is_drag=True)
            self.pan(pressed.view, point - pressed.point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        pressed, self._pressed = self._pressed, None
        if pressed is None or pressed.is_drag:
            return
        point = event.position()
        if (row := self.row_at(point)) is not None:
            self.row_pressed.emit(row)
        elif (owner := self.owner_at(point)) is not None:
            self.gap_pressed.emit(owner)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and row is not None:
            self.zoom_to_row(row)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.has_tree and event.angleDelta().y():
            self.zoom_at(ZOOM ** (event.angleDelta().y() / 120), event.position())
            if self._pressed is not None:  # a drag goes on from here
                self._pressed = _Press(event.position().toPoint(), self.view, is_drag=True)
        else:
            super().wheelEvent(event)
