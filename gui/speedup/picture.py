"""A chart as a picture with a caption: PNG, SVG. Pictures are light, whatever the theme: they are printed."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from gui.style.colours import LIGHT
from gui.style.theme import NOTE, painted_in, theme
from gui.work.picture_file import Drawing, picture_content

EXPORT = QSize(640, 420)
"""The size of a saved picture, in logical pixels; a PNG has EXPORT_SCALE times as many."""
EXPORT_SCALE = 2

MARGIN = 16


def content(kind: str, made: Callable[[], QWidget], caption: str) -> bytes:
    """The content of a file with a new chart and a caption below it: ".svg", or ".png" at EXPORT_SCALE times EXPORT.
    Raises ValueError, with a sentence."""
    drawing = Drawing(QSizeF(EXPORT), QColor(LIGHT.card), lambda painter: paint(painter, made, caption), caption)
    return picture_content(kind, drawing, EXPORT_SCALE)


def paint(
    painter: QPainter, made: Callable[[], QWidget], caption: str, size: QSize = EXPORT, margin: int = MARGIN
) -> None:
    """Paint a new chart with a caption below it at the painter's origin, in logical pixels."""
    with painted_in("light"):
        look, chart = theme(), made()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(QRect(QPoint(), size), look.colour("card"))
        painter.setFont(look.font(NOTE))
        width, wrapped = size.width() - 2 * margin, Qt.TextFlag.TextWordWrap
        foot = painter.fontMetrics().boundingRect(QRect(0, 0, width, 0), wrapped, caption).height() + 6
        height = size.height() - 2 * margin - foot
        # Bars of many runs are higher. The minimum is that of another width: a hidden widget is told of none.
        shrunk = min(1.0, height / max(1, chart.heightForWidth(width), chart.minimumHeight()))
        chart.resize(round(width / shrunk), round(height / shrunk))
        painter.save()
        painter.translate(margin, margin)
        painter.scale(shrunk, shrunk)
        chart.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
        painter.restore()
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("dim"))
        strip = QRectF(margin, size.height() - margin - foot, size.width() - 2 * margin, foot)
        painter.drawText(strip, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom | wrapped, caption)
    chart.deleteLater()
