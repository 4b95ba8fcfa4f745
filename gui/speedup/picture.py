"""A chart as a picture with a caption: PNG, SVG. Pictures are light, whatever the theme: they are printed."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from engine.measure.experiment import Experiment
from gui.speedup.kinds import Kind
from gui.style.theme import NOTE, painted_in, theme

EXPORT = QSize(640, 420)
"""The size of a saved picture, in logical pixels; a PNG has EXPORT_SCALE times as many."""
EXPORT_SCALE = 2

MARGIN = 16


def png(experiment: Experiment, kind: Kind, caption: str) -> bytes:
    """A chart with a caption below it as PNG, at EXPORT_SCALE times EXPORT."""
    made = QImage(EXPORT * EXPORT_SCALE, QImage.Format.Format_RGB32)
    made.setDevicePixelRatio(EXPORT_SCALE)
    with QPainter(made) as painter:
        paint(painter, experiment, kind, caption)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(made)
    return bytes(data.data())


def svg(experiment: Experiment, kind: Kind, caption: str) -> bytes:
    """The same as SVG."""
    data = QByteArray()
    generator = QSvgGenerator()
    generator.setOutputDevice(QBuffer(data))
    generator.setSize(EXPORT)
    generator.setViewBox(QRect(0, 0, EXPORT.width(), EXPORT.height()))
    generator.setTitle("Plyscope")
    with QPainter(generator) as painter:
        paint(painter, experiment, kind, caption)
    return bytes(data.data())


def paint(
    painter: QPainter, experiment: Experiment, kind: Kind, caption: str, size: QSize = EXPORT, margin: int = MARGIN
) -> None:
    """Paint a chart with a caption below it at the painter's origin, in logical pixels."""
    with painted_in("light"):
        look, foot, chart = theme(), theme().px(NOTE) + 10, kind.made(experiment)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(QRect(QPoint(), size), look.colour("card"))
        width, height = size.width() - 2 * margin, size.height() - 2 * margin - foot
        chart.resize(width, height)
        shrunk = min(1.0, height / max(1, chart.minimumHeight()))  # bars of many runs are higher
        chart.resize(round(width / shrunk), round(height / shrunk))
        painter.save()
        painter.translate(margin, margin)
        painter.scale(shrunk, shrunk)
        chart.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
        painter.restore()
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("dim"))
        strip = QRectF(margin, size.height() - margin - foot, size.width() - 2 * margin, foot)
        painter.drawText(strip, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, caption)
    chart.deleteLater()
