"""Text on the board: centred in a box, as large as fits."""

from math import floor

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath

from gui.style.theme import FIGURE, NOTE, TEXT, theme
from gui.widgets.board_painter import is_drawing

LEAST_TEXT = 9
"""The least readable size in pixels: a text that does not fit at this size is replaced by a shorter one."""

CENTRE = Qt.AlignmentFlag.AlignCenter


def write(painter: QPainter, box: QRectF, text: str) -> None:
    """Draw text centred in a box. In a vector drawing the text becomes outlines, because a reader may lack the font."""
    if not is_drawing(painter):
        painter.drawText(box, CENTRE, text)
        return
    metrics, path = QFontMetricsF(painter.font()), QPainterPath()
    left = box.center().x() - metrics.horizontalAdvance(text) / 2
    path.addText(left, box.center().y() + (metrics.ascent() - metrics.descent()) / 2, painter.font(), text)
    painter.fillPath(path, painter.pen().color())


def word_size(side: float) -> float:
    """The size of words in pixels: it grows with the square, and with the zoom as far as the square allows."""
    look = theme()
    return min(max(side * 0.135, min(side * 0.17, look.px(NOTE + 1))), look.px(FIGURE * 1.25))


def sized(pixels: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont:
    """A font of that many pixels, but never below the least readable size."""
    font = theme().font(TEXT, weight)
    font.setPixelSize(max(LEAST_TEXT, round(pixels)))
    return font


def fitted(pixels: float, texts: set[str], room: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont | None:
    """A font of at most that many pixels in which each text fits the width; None where it would be too small to
    read."""
    font = sized(pixels, weight)
    widest = max((QFontMetricsF(font).horizontalAdvance(text) for text in texts), default=0.0)
    if widest > room:
        font.setPixelSize(max(1, floor(font.pixelSize() * room / widest)))
    return font if font.pixelSize() >= LEAST_TEXT else None
