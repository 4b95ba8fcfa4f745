"""The board as a picture for a file, independent of its size on the screen, in the present colours."""

from dataclasses import replace

from PySide6.QtCore import QRect, QSizeF
from PySide6.QtGui import QPainter

from gui.board.geometry import lay_out
from gui.board.painter import paint
from gui.board.picture import BoardPicture
from gui.style.theme import theme
from gui.work.picture_file import SCALE, Drawing

SIDE = 480
"""The width in logical pixels."""


def board_drawing(picture: BoardPicture) -> Drawing:
    """The board without pointer and focus."""
    still, size = replace(picture, preview=None, focus=None, drawn=1.0, struck=1.0, note=""), _size(picture)

    def painted(painter: QPainter) -> None:
        whole = QRect(0, 0, round(size.width()), round(size.height()))
        paint(painter, lay_out(picture.game.view, size, SCALE), still, whole)

    return Drawing(size, theme().colour("card"), painted)


def _size(picture: BoardPicture) -> QSizeF:
    """SIDE as the width, and the height that the squares and the verdict need at it."""
    wide, high = picture.game.view.extent
    return QSizeF(SIDE, round(SIDE * min(2.0, high / wide)) + theme().px(70))
