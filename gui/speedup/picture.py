"""A chart as a picture with a caption: PNG, SVG. Pictures are light, whatever the theme: they are printed."""

from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gui.style.theme import NOTE, painted_in, theme
from gui.work.picture_file import write_png

EXPORT = QSize(640, 420)
"""The size of a saved picture, in logical pixels; a PNG has EXPORT_SCALE times as many."""
EXPORT_SCALE = 2

MARGIN = 16


def png(made: Callable[[], QWidget], caption: str) -> bytes:
    """A new chart with a caption below it as PNG, at EXPORT_SCALE times EXPORT. Raises ValueError, with a sentence."""

    def painted(image: QImage) -> None:
        with QPainter(image) as painter:
            paint(painter, made, caption)

    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write_png(buffer, EXPORT, EXPORT_SCALE, painted)
    return bytes(data.data())


def svg(made: Callable[[], QWidget], caption: str) -> bytes:
    """The same as SVG."""
    data = QByteArray()
    generator = QSvgGenerator()
    generator.setOutputDevice(QBuffer(data))
    generator.setSize(EXPORT)
    generator.setViewBox(QRect(0, 0, EXPORT.width(), EXPORT.height()))
    generator.setTitle("Plyscope")
    with QPainter(generator) as painter:
        paint(painter, made, caption)
    return bytes(data.data())


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
