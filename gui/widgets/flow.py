"""A layout of rows: widgets stand beside each other, and the next row begins where one does not fit."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Widgets from left to right; one that expands has the rest of its row."""

    def __init__(self, parent: QWidget, apart: int, between_rows: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._apart, self._between_rows = apart, between_rows
        self._heights: dict[int, int] = {}
        """The heights by width since the last change: a window asks some ten times before it moves anything."""

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), False)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The size of the widest item, with the height of all rows at the present width."""
        margins, shown = self.contentsMargins(), self._shown()
        width = max((item.minimumSize().width() for item in shown), default=0) + margins.left() + margins.right()
        return QSize(width, self.heightForWidth(max(width, self.geometry().width())))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, True)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            wide = _width(item)
            if not rows or left + wide > width:
                rows.append([])
                left = 0
            rows[-1].append(item)
            left += wide + self._apart
        return rows

    def _arrange(self, rect: QRect, move: bool) -> int:
        """Place the items if `move`; returns the height of all rows."""
        margins = self.contentsMargins()
        inner = rect.marginsRemoved(margins)
        top = inner.top()
        for row in self._rows(inner.width()):
            height = max(item.sizeHint().height() for item in row)
            left, needed = inner.left(), sum(map(_width, row)) + self._apart * (len(row) - 1)
            for item in row:
                expands = bool(item.expandingDirections() & Qt.Orientation.Horizontal)
                wide = _width(item) + (max(0, inner.width() - needed) if expands else 0)
                if move:
                    item.setGeometry(QRect(left, top, wide, height))
                left += wide + self._apart
            top += height + self._between_rows
        return max(0, top - self._between_rows - inner.top()) + margins.top() + margins.bottom()


def _width(item: QLayoutItem) -> int:
    """The width that an item needs in its row."""
    expands = item.expandingDirections() & Qt.Orientation.Horizontal
    return (item.minimumSize() if expands else item.sizeHint()).width()
