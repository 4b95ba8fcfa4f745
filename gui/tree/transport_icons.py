"""The pictures on the buttons of the transport: triangles and bars, as on a tape recorder."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPolygonF

SHAPES = {
    "start": "|<<",
    "back over": "<<",
    "back": "<|",
    "play": ">",
    "pause": "||",
    "on": "|>",
    "over": ">>",
    "end": ">>|",
}
"""A bar, or a triangle that points left or right, from left to right."""
WIDTHS = {"|": 0.16, "<": 0.42, ">": 0.42}
"""Parts of the side; a bar takes a little air on its right."""


def icon(name: str, side: int, colour: QColor, ratio: float) -> QIcon:
    """The icon of one of SHAPES, `side` pixels wide and high."""
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    shapes = SHAPES[name]
    alone = len(shapes) == 1
    widths = [0.7 if alone else 2 * WIDTHS["|"] if shapes == "||" else WIDTHS[shape] for shape in shapes]
    left, top, bottom = (1 - sum(widths)) / 2 * side, 0.18 * side, 0.82 * side
    for shape, share in zip(shapes, widths, strict=True):
        right = left + share * side
        if shape == "|":
            painter.drawRect(QRectF(left, top, share * side * 0.6, bottom - top))
        else:
            tip, base = (left, right) if shape == "<" else (right, left)
            middle = (top + bottom) / 2
            painter.drawPolygon(QPolygonF([QPointF(base, top), QPointF(base, bottom), QPointF(tip, middle)]))
        left = right
    painter.end()
    return QIcon(picture)
