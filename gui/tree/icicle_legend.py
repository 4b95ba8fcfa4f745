"""The legend of the whole tree: its entries in as many lines as there is room for, the more important first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.style.theme import NOTE, theme
from gui.tree.icicle_colours import Entry

MOST_LINES = 2
SIDE, NEAR, FAR = 9, 4, 14
"""The side of a swatch, and the distances of a swatch to its words and of two entries, in pixels."""


@dataclass(frozen=True)
class Wrapped:
    """Entries that wrap at a width in pixels, in the present font; where there is no room for all, the last are left
    out."""

    entries: tuple[Entry, ...]
    width: int

    @property
    def height(self) -> int:
        high = _metrics().height()
        return high + max((top for *_, top in self.placed), default=0)

    @cached_property
    def placed(self) -> list[tuple[Entry, int, int]]:
        """The entries that fit, each with its left and top edge."""
        look, high, left, line = theme(), _metrics().height(), 0, 0
        found: list[tuple[Entry, int, int]] = []
        for entry in self.entries:
            wide = _before(entry) + look.width(entry.words, NOTE)
            if left and left + wide > self.width:
                left, line = 0, line + 1
            if line == MOST_LINES or wide > self.width:
                break
            found.append((entry, left, line * high))
            left += wide + look.px(FAR)
        return found

    def paint(self, painter: QPainter) -> None:
        """Draw the entries."""
        look, metrics = theme(), _metrics()
        painter.setFont(look.font(NOTE))
        side = look.px(SIDE)
        for entry, left, top in self.placed:
            box = QRectF(left, top + (metrics.height() - side) / 2, side, side)
            if entry.shape is not None:
                painter.fillRect(box, entry.shape.ground)
                painter.fillRect(box, QBrush(entry.shape.stripe, Qt.BrushStyle.BDiagPattern))
                painter.setPen(QPen(look.colour("dim"), 1))
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
            for number, colour in enumerate(entry.colours):
                painter.fillRect(box.translated(number * side, 0), colour)
            painter.setPen(look.colour("dim"))
            painter.drawText(left + _before(entry), top + metrics.ascent(), entry.words)


class Legend(QWidget):
    """Entries that wrap; where there is no room for all, the last are in the tool tip only."""

    def __init__(self) -> None:
        super().__init__()
        self._wrapped = Wrapped((), 0)
        self._asked: tuple[tuple[Entry, ...], float] = (), 0.0
        """The entries, and the zoom with which they are wrapped."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show these entries, the most important first."""
        asked = tuple(entries), theme().zoom
        if asked == self._asked:
            return
        self._asked = asked
        self.setToolTip("\n".join(entry.words for entry in entries))
        self.setAccessibleName("; ".join(entry.words for entry in entries))
        self._wrap(tuple(entries))

    def shown(self) -> list[str]:
        """The words on the screen."""
        return [entry.words for entry, *_ in self._wrapped.placed]

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), MOST_LINES * _metrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap(self._wrapped.entries)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._wrapped.paint(painter)
        painter.end()

    def _wrap(self, entries: tuple[Entry, ...]) -> None:
        self._wrapped = Wrapped(entries, self.width())
        self.setFixedHeight(self._wrapped.height)
        self.update()


def _before(entry: Entry) -> int:
    """The width of the swatches and the distance to the words."""
    count = len(entry.colours) + (entry.shape is not None)
    return count * theme().px(SIDE) + (theme().px(NEAR) if count else 0)


def _metrics() -> QFontMetrics:
    return QFontMetrics(theme().font(NOTE))
