"""The picture of a pruned move that was searched anyway: its value goes from −∞ to +∞, and the root's does not move."""

import math

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.result import INFINITY, Bound, Number, Value
from engine.text.numbers import bounded
from gui.style.theme import NOTE, theme
from gui.tree.why_text import Swept

WIDTH, ROW = 300, 21
"""In pixels: that of the picture, and the height of each of its two rows."""
STEP_MILLISECONDS = 280
MOST_STEPS = 13
"""Values that the move takes one after the other, the infinite ones included."""
ENDS = 0.15
"""The share of a line between an infinite value and the greatest finite one."""


class Sweep(QWidget):
    """Paints two values, and moves the first through all others once, unless it is hidden. Empty before `tell` and
    after `clear`."""

    stepped = Signal()
    """The value of the move is the next one."""

    def __init__(self) -> None:
        super().__init__()
        self._swept: Swept | None = None
        self._coming: list[int] = []
        """Values that the move still takes, the next first."""
        self._clock = QTimer(self, interval=STEP_MILLISECONDS)
        self._clock.timeout.connect(self._go_on)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def swept(self) -> Swept | None:
        """What is on display."""
        return self._swept

    @property
    def worth(self) -> Value:
        """The value of the move that is painted: the next of the sweep; after it, or without motion, the true one."""
        assert self._swept is not None
        return Value(self._coming[0]) if self._coming else self._swept.value

    def tell(self, swept: Swept | None) -> None:
        """Show these values, or none; a sweep that has begun goes on."""
        self._swept = swept
        self.update()

    def begin(self) -> None:
        """Move the value through all others once, where motion is on, and leave it at its true one."""
        if self._swept is not None and theme().motion and self.isVisible():
            self._coming = [-INFINITY, *_spaced(self._most), INFINITY]
            self._clock.start()
            self.update()

    def clear(self) -> None:
        self._swept = None
        self._end()

    def _end(self) -> None:
        """Leave the value of the move at its true one."""
        self._clock.stop()
        self._coming = []

    def hideEvent(self, event: QHideEvent) -> None:
        self._end()
        super().hideEvent(event)

    def _go_on(self) -> None:
        self._coming = self._coming[1:]
        if not self._coming:
            self._clock.stop()
        self.update()
        self.stepped.emit()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(WIDTH), 2 * theme().px(ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._swept is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_row(painter, 0, self._swept.move, self.worth, whole=True)
        self._paint_row(painter, 1, self._swept.root, self._swept.stays, whole=False)
        painter.end()

    @property
    def _most(self) -> Number:
        """The greatest finite value of the picture."""
        assert self._swept is not None
        return max(self._swept.most, abs(self._swept.value.number), abs(self._swept.stays.number))

    def _paint_row(self, painter: QPainter, row: int, name: str, value: Value, whole: bool) -> None:
        """Paint a name, the line from −∞ to +∞, and the value on it; `whole`: the value may be all of the line."""
        look = theme()
        painter.setFont(look.font(NOTE))
        metrics = painter.fontMetrics()
        high = look.px(ROW)
        top, middle, end = row * high, row * high + high / 2, metrics.horizontalAdvance("+∞")
        names = look.px(84)
        painter.setPen(look.colour("dim"))
        left, right = names + look.px(8) + end + look.px(6), self.width() - end - look.px(6)
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            QRectF(0, top, names, high), align, metrics.elidedText(name, Qt.TextElideMode.ElideLeft, names)
        )
        painter.drawText(QRectF(left - end - look.px(6), top, end, high), Qt.AlignmentFlag.AlignCenter, "−∞")
        painter.drawText(QRectF(right + look.px(6), top, end, high), Qt.AlignmentFlag.AlignCenter, "+∞")
        at = left + (right - left) * self._place(value.number)
        painter.setPen(QPen(look.colour("dim"), look.px(3 if whole else 1)))
        painter.drawLine(round(left), round(middle), round(right), round(middle))
        if not whole and not value.is_exact:
            painter.setPen(QPen(look.colour("dim"), look.px(3)))
            painter.drawLine(
                round(at), round(middle), round(right if value.bound is Bound.LOWER else left), round(middle)
            )
        text = bounded(value)
        painter.setFont(look.font(NOTE, QFont.Weight.DemiBold))
        wide = max(look.px(24), painter.fontMetrics().horizontalAdvance(text) + look.px(10))
        knob = QRectF(min(max(at - wide / 2, left - end), right + end - wide), top + 1.5, wide, high - 3)
        painter.setPen(QPen(look.colour("ink"), look.px(1)))
        painter.setBrush(look.colour("card"))
        painter.drawRoundedRect(knob, look.px(6), look.px(6))
        painter.drawText(knob, Qt.AlignmentFlag.AlignCenter, text)

    def _place(self, number: Number) -> float:
        """The place of a value on the line, 0 to 1: the infinite ones at its ends."""
        if abs(number) >= INFINITY:
            return float(number > 0)
        return 0.5 + number / max(1, self._most) * (0.5 - ENDS)


def _spaced(most: Number) -> list[int]:
    """Whole values from -most to most, ascending, at equal distances but for the two last."""
    top = math.ceil(most)
    step = max(1, math.ceil(2 * top / (MOST_STEPS - 3)))
    return [*range(-top, top, step), top]
