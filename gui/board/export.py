"""Saves the board as a picture, independent of its size on the screen, in the present colours."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QRectF, QSizeF
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from gui.board.geometry import lay_out
from gui.board.painter import paint
from gui.board.picture import Picture
from gui.i18n.language import tr
from gui.style.theme import theme
from gui.work.save_file import save_file

SIDE = 480
"""The width in logical pixels."""
SCALE = 3
"""Pixels of a PNG for each logical pixel."""


def export_board(path: Path, picture: Picture) -> None:
    """Write a picture file of the board, without pointer and focus. Raises ValueError, with a sentence."""
    kinds = {".png": _png, ".svg": _svg}
    if path.suffix.lower() not in kinds:
        said = tr("The name {name} does not tell the kind of picture: choose a name with .png or .svg.", name=path.name)
        raise ValueError(said)
    still = replace(picture, preview=None, focus=None, drawn=1.0, struck=1.0, note="")
    try:
        save_file(path, kinds[path.suffix.lower()](still))
    except OSError as error:
        said = tr(
            "The picture cannot be written to {path}: {why}. Choose another place.", path=path, why=error.strerror
        )
        raise ValueError(said) from error


def _png(picture: Picture) -> bytes:
    size = _size(picture)
    image = QImage(size.toSize() * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    _paint(image, size, picture)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(data.data())


def _svg(picture: Picture) -> bytes:
    size = _size(picture)
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size.toSize())
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle("Plyscope")
    _paint(generator, size, picture)
    return bytes(data.data())


def _size(picture: Picture) -> QSizeF:
    """SIDE as the width, and the height that the squares and the verdict need at it."""
    wide, high = picture.game.view.extent
    return QSizeF(SIDE, round(SIDE * min(2.0, high / wide)) + theme().px(70))


def _paint(device: QImage | QSvgGenerator, size: QSizeF, picture: Picture) -> None:
    whole = QRect(0, 0, round(size.width()), round(size.height()))
    painter = QPainter(device)
    painter.fillRect(whole, theme().colour("card"))
    paint(painter, lay_out(picture.game.view, size, SCALE), picture, whole)
    painter.end()
