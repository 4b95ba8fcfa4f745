"""Writes pictures into PNG, SVG and PDF files, each painted for the file and independent of the screen."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from gui.i18n.language import tr
from gui.work.save_file import save_file

SCALE = 3
"""Pixels of a PNG for each logical pixel."""
POINTS = 72
"""Logical pixels of an inch on paper."""

Paint = Callable[[QPainter], None]
"""Paints the picture in logical pixels, from (0, 0) on."""


def save_picture(path: Path, size: QSizeF, ground: QColor, paint: Paint) -> None:
    """Write a picture of that size in logical pixels on a ground; the name's ending tells the kind. Raises ValueError,
    with a sentence."""
    kinds = {".png": _png, ".svg": _svg, ".pdf": _pdf}
    kind = kinds.get(path.suffix.lower())
    if kind is None:
        said = tr(
            "The name {name} does not tell the kind of picture: choose a name with .png, .svg or .pdf.", name=path.name
        )
        raise ValueError(said)

    def on_ground(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), ground)
        paint(painter)
        painter.end()

    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    kind(buffer, size, on_ground)
    try:
        save_file(path, bytes(data.data()))
    except OSError as error:
        said = tr(
            "The picture cannot be written to {path}: {why}. Choose another place.", path=path, why=error.strerror
        )
        raise ValueError(said) from error


def _png(buffer: QBuffer, size: QSizeF, paint: Paint) -> None:
    image = QImage(size.toSize() * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    paint(QPainter(image))
    QImageWriter(buffer, QByteArray(b"png")).write(image)


def _svg(buffer: QBuffer, size: QSizeF, paint: Paint) -> None:
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size.toSize())
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle("Plyscope")
    paint(QPainter(generator))


def _pdf(buffer: QBuffer, size: QSizeF, paint: Paint) -> None:
    writer = QPdfWriter(buffer)
    writer.setTitle("Plyscope")
    writer.setResolution(POINTS)
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF())
    paint(QPainter(writer))
