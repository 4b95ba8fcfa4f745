"""A chart as a picture with a caption: PNG, SVG."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gui.style.theme import NOTE, theme

EXPORT = QSize(640, 420)
"""The size of a saved picture, in logical pixels; a PNG has EXPORT_SCALE times as many."""
EXPORT_SCALE = 2

MARGIN = 16


def png(chart: QWidget, caption: str) -> bytes:
    """A chart with a caption below it as PNG, at EXPORT_SCALE times EXPORT, in the present colours. The chart is a new
    one without a parent: it is resized, and deleted."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image(chart, caption))
    return bytes(data.data())


def image(chart: QWidget, caption: str) -> QImage:
    """The same as an image."""
    made = QImage(EXPORT * EXPORT_SCALE, QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(EXPORT_SCALE)
    _paint(made, chart, caption)
    return made


def svg(chart: QWidget, caption: str) -> bytes:
    """The same as SVG."""
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(EXPORT)
    generator.setViewBox(QRect(0, 0, EXPORT.width(), EXPORT.height()))
    generator.setTitle("Plyscope")
    _paint(generator, chart, caption)
    return bytes(data.data())


def _paint(device: QImage | QSvgGenerator, chart: QWidget, caption: str) -> None:
    look, foot = theme(), theme().px(NOTE) + 10
    painter = QPainter(device)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.fillRect(QRect(0, 0, EXPORT.width(), EXPORT.height()), look.colour("card"))
    chart.resize(EXPORT.width() - 2 * MARGIN, EXPORT.height() - 2 * MARGIN - foot)
    chart.render(painter, QPoint(MARGIN, MARGIN), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.setFont(look.font(NOTE))
    painter.setPen(look.colour("dim"))
    strip = QRectF(MARGIN, EXPORT.height() - MARGIN - foot, EXPORT.width() - 2 * MARGIN, foot)
    painter.drawText(strip, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, caption)
    painter.end()
    chart.deleteLater()
