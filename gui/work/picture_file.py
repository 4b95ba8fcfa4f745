"""Writes pictures into PNG, SVG and PDF files, each painted for the file and independent of the screen."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from gui.i18n.language import tr
from gui.work.save_file import save_file

SCALE = 3
"""Pixels of a PNG for each logical pixel."""
POINTS = 72
"""Logical pixels of an inch on paper."""


class Drawing(NamedTuple):
    """A picture, which any thread can paint."""

    size: QSizeF
    """In logical pixels."""
    ground: QColor
    paint: Callable[[QPainter], None]
    """Paints it in logical pixels, from (0, 0) on. Touches no widget."""
    story: str = ""
    """The picture in words, for the file's description."""


def fitted(drawing: Drawing, size: QSizeF) -> Drawing:
    """The same picture in the middle of another size, as large as fits."""
    scale = min(size.width() / drawing.size.width(), size.height() / drawing.size.height())

    def paint(painter: QPainter) -> None:
        free = size - drawing.size * scale
        painter.translate(free.width() / 2, free.height() / 2)
        painter.scale(scale, scale)
        drawing.paint(painter)

    return drawing._replace(size=size, paint=paint)


def save_picture(path: Path, drawing: Drawing) -> None:
    """Write a picture; the name's ending tells the kind. Raises ValueError, with a sentence."""
    kind = path.suffix.lower()
    if kind not in (".png", ".svg", ".pdf"):
        said = tr(
            "The name {name} does not tell the kind of picture: choose a name with .png, .svg or .pdf.",
            name=path.name,
        )
        raise ValueError(said)
    content = picture_content(kind, drawing)
    try:
        save_file(path, content)
    except OSError as error:
        said = tr(
            "The picture cannot be written to {path}: {why}. Choose another place.", path=path, why=error.strerror
        )
        raise ValueError(said) from error


def picture_content(kind: str, drawing: Drawing, scale: int = SCALE) -> bytes:
    """The content of a file with this picture: ".png", with `scale` pixels for each logical pixel, ".svg" or ".pdf".
    Raises ValueError, with a sentence, if there is no memory for so many pixels."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    match kind:
        case ".png":
            _png(buffer, drawing, scale)
        case ".svg":
            _svg(buffer, drawing)
        case _:
            _pdf(buffer, drawing)
    return bytes(data.data())


def _png(buffer: QBuffer, drawing: Drawing, scale: int) -> None:
    size = drawing.size.toSize() * scale
    image = QImage(size, QImage.Format.Format_RGB32)
    if not image.isNull():
        image.setDevicePixelRatio(scale)
        _paint(image, drawing)
        if drawing.story:
            image.setText("Description", drawing.story)
    if not QImageWriter(buffer, QByteArray(b"png")).write(image):
        pixels = f"{size.width():,} × {size.height():,}"
        raise ValueError(tr("No PNG of {pixels} pixels can be made. Choose SVG or PDF.", pixels=pixels))


def _svg(buffer: QBuffer, drawing: Drawing) -> None:
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(drawing.size.toSize())
    generator.setViewBox(QRectF(QPointF(), drawing.size))
    generator.setTitle("Plyscope")
    generator.setDescription(drawing.story)
    _paint(generator, drawing)


def _pdf(buffer: QBuffer, drawing: Drawing) -> None:
    writer = QPdfWriter(buffer)
    writer.setTitle("Plyscope")
    writer.setResolution(POINTS)
    writer.setPageSize(QPageSize(drawing.size, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF())
    if drawing.story:
        writer.addFileAttachment("description.txt", QByteArray(drawing.story.encode()), "text/plain")
    _paint(writer, drawing)


def _paint(device: QPaintDevice, drawing: Drawing) -> None:
    with QPainter(device) as painter:  # also ended by an error: Qt crashes where an image is destroyed before
        painter.fillRect(QRectF(QPointF(), drawing.size), drawing.ground)
        drawing.paint(painter)
