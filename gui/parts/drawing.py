"""Stones and small boards, drawn alike wherever a position is shown."""

import math
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from engine.game import Game, Position
from gui.theme import theme

FADED = 0.35
"""How solid a position is that the search has not visited."""


def draw_mark(painter: QPainter, square: QRectF, player: int, opacity: float = 1.0) -> None:
    """A cross (player 0) or a ring (player 1) in a square."""
    side = min(square.width(), square.height())
    colour = QColor(theme().colours.players[player])
    colour.setAlphaF(opacity)
    painter.setPen(QPen(colour, max(1.2, side * 0.14), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    reach = side * 0.27
    middle = square.center()
    if player == 0:
        for lean in (1, -1):
            painter.drawLine(middle + QPointF(-reach, -reach * lean), middle + QPointF(reach, reach * lean))
    else:
        painter.drawEllipse(middle, reach, reach)


def draw_grid(painter: QPainter, frame: QRectF, game: Game, opacity: float = 1.0) -> None:
    """The hairlines of a board, as large as the frame allows, in its middle."""
    notation = game.notation
    side = min(frame.width() / notation.columns, frame.height() / notation.rows)
    left = frame.center().x() - side * notation.columns / 2
    top = frame.center().y() - side * notation.rows / 2
    painter.setPen(QPen(theme().colour("dim", min(0.45, side / 20) * opacity), 1))
    for column in range(1, notation.columns):
        x = round(left + column * side) + 0.5
        painter.drawLine(QPointF(x, top), QPointF(x, top + side * notation.rows))
    for row in range(1, notation.rows):
        y = round(top + row * side) + 0.5
        painter.drawLine(QPointF(left, y), QPointF(left + side * notation.columns, y))


def mini_board(game: Game, position: Position, size: int, ratio: float, faded: bool = False) -> QPixmap:
    """A small board of `size` logical pixels for a screen of that device pixel ratio, from a cache."""
    return _mini_board(game, position, size, ratio, faded, theme().colours.name)


@lru_cache(maxsize=4096)
def _mini_board(game: Game, position: Position, size: int, ratio: float, faded: bool, look: str) -> QPixmap:
    """Put together from a drawn grid and drawn stones: a search shows hundreds of new ones a second."""
    notation = game.notation
    pixmap = QPixmap(_mini_grid(game, size, ratio, faded, look))
    side = _mini_side(game, size)
    left, top = (size - side * notation.columns) / 2, (size - side * notation.rows) / 2
    painter = QPainter(pixmap)
    for square, player in enumerate(notation.cells(position)):
        if player is not None:
            row, column = divmod(square, notation.columns)
            stone = _mini_stone(player, side, ratio, faded, look)
            painter.drawPixmap(QPointF(left + column * side, top + row * side), stone)
    painter.end()
    return pixmap


def _mini_side(game: Game, size: int) -> float:
    return min((size - 4) / game.notation.columns, (size - 4) / game.notation.rows)


@lru_cache(maxsize=64)
def _mini_grid(game: Game, size: int, ratio: float, faded: bool, _look: str) -> QPixmap:
    frame, opacity = QRectF(2, 2, size - 4, size - 4), FADED if faded else 1.0
    return _drawn(size, size, ratio, lambda painter: draw_grid(painter, frame, game, opacity))


@lru_cache(maxsize=64)
def _mini_stone(player: int, side: float, ratio: float, faded: bool, _look: str) -> QPixmap:
    square = QRectF(0, 0, side, side)
    return _drawn(side, side, ratio, lambda painter: draw_mark(painter, square, player, FADED if faded else 1.0))


def _drawn(width: float, height: float, ratio: float, draw: Callable[[QPainter], None]) -> QPixmap:
    pixmap = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw(painter)
    painter.end()
    return pixmap
