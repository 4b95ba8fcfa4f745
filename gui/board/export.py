"""Saves the board as a picture, independent of its size on the screen, in the present colours."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRect, QSizeF
from PySide6.QtGui import QPainter

from gui.board.geometry import lay_out
from gui.board.painter import paint
from gui.board.picture import BoardPicture
from gui.style.theme import theme
from gui.work.picture_file import SCALE, Drawing, save_picture

SIDE = 480
"""The width in logical pixels."""


def export_board(path: Path, picture: BoardPicture) -> None:
    """Write a picture file of the board, without pointer and focus. Raises ValueError, with a sentence."""
    still, size = replace(picture, preview=None, focus=None, drawn=1.0, struck=1.0, note=""), _size(picture)

    def painted(painter: QPainter) -> None:
        whole = QRect(0, 0, round(size.width()), round(size.height()))
        paint(painter, lay_out(picture.game.view, size, SCALE), still, whole)

    save_picture(path, Drawing(size, theme().colour("card"), painted))


def _size(picture: BoardPicture) -> QSizeF:
    """SIDE as the width, and the height that the squares and the verdict need at it."""
    wide, high = picture.game.view.extent
    return QSizeF(SIDE, round(SIDE * min(2.0, high / wide)) + theme().px(70))
