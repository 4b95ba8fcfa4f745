"""Small boards, composed of cached images: a search shows hundreds of new boards a second."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import get_ident
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from engine.rules.board_view import BoardView
from engine.rules.contract import Game, Position
from gui.style.theme import theme
from gui.widgets.board_painter import (
    SETTLED,
    SMALL,
    Frame,
    paint_mark,
    paint_region_grounds,
    paint_region_marks,
    paint_surface,
    settled,
)

AIR = 2
"""Pixels around a small board, a plate's rim included."""
VECTOR = 8.0
"""The device pixels for each logical one to which shapes in a file are aligned."""
LEGIBLE = 7
"""The least side of a square in pixels at which marks below a large mark are drawn."""


class Parts(NamedTuple):
    """What small boards of a size are composed of."""

    frame: Frame
    surface: QPixmap
    marks: tuple[QPixmap, ...]
    """Of each player."""
    places: tuple[QPointF, ...]
    """The top left corner of each square."""
    are_apart: bool
    """Whether no two marks share a pixel, so that their order does not matter."""


@dataclass(frozen=True)
class Board:
    """A position to be drawn."""

    position: Position
    before: Position | None = field(default=None, compare=False)
    """The one before its last move, if known: where that only added marks, they are drawn on its board."""


class Composed(NamedTuple):
    """A small board."""

    picture: QPixmap
    cells: tuple[int | None, ...] | None
    """The player whose mark each square shows; None where further ones may not be drawn on the picture."""


def mini_board(game: Game, position: Position, size: int, ratio: float) -> QPixmap:
    """A small board of `size` logical pixels for a screen of that device pixel ratio, from a cache."""
    return composed(game, Board(position), size, ratio, theme().colours.name).picture


@lru_cache(maxsize=1024)
def composed(game: Game, board: Board, size: int, ratio: float, look: str) -> Composed:
    """The same in the present colours, whose name is `look`: for many boards at once."""
    parts, position = _parts(game.view, size, ratio, look), board.position
    cells = game.notation.cells(position) if parts.are_apart and not game.view.regions(position) else None
    under = None if board.before is None or cells is None else composed(game, Board(board.before), size, ratio, look)
    added = None if under is None or under.cells is None or cells is None else _added(under.cells, cells)
    sheet, places, marks = _sheet(size, ratio, get_ident()), parts.places, parts.marks
    sheet.fill(Qt.GlobalColor.transparent)
    painter = QPainter(sheet)
    draw = painter.drawPixmap
    if under is not None and added is not None:
        draw(0, 0, under.picture)
        for square, player in added:
            draw(places[square], marks[player])
    else:
        draw(0, 0, parts.surface)
        _paint_marks(painter, game, position, parts.frame, lambda at, player: draw(places[at], marks[player]))
    painter.end()
    return Composed(sheet.copy(), cells)


def _added(before: Sequence[int | None], after: Sequence[int | None]) -> list[tuple[int, int]] | None:
    """The squares with marks that are not on the board before, each with its player; None where one of that is gone."""
    added = list[tuple[int, int]]()
    for square, (was, now) in enumerate(zip(before, after, strict=True)):
        if was != now:
            if was is not None or now is None:
                return None
            added.append((square, now))
    return added


@lru_cache(maxsize=8)
def _sheet(size: int, ratio: float, _thread: int) -> QPixmap:
    """The picture that a thread composes small boards on. For each picture that is painted on, Qt makes a paint engine,
    which takes a third of the time of a board; for a copy it makes none."""
    return drawn(size, size, ratio, lambda painter: None)


def paint_mini_board(painter: QPainter, game: Game, position: Position, corner: QPoint, size: int) -> None:
    """Paint the same in shapes, for a file that is sharp at any size."""
    view, frame = game.view, _frame(game.view, size, VECTOR)
    painter.save()
    painter.translate(corner)
    paint_surface(painter, frame, SMALL)
    _paint_marks(
        painter, game, position, frame, lambda at, who: paint_mark(painter, frame.rect(at), view, who, boldness=SMALL)
    )
    painter.restore()


def _paint_marks(
    painter: QPainter, game: Game, position: Position, frame: Frame, paint: Callable[[int, int], None]
) -> None:
    """Paint a position's regions and, with `paint`, the player's mark on each square."""
    regions = game.view.regions(position)
    stones = [(square, player) for square, player in enumerate(game.notation.cells(position)) if player is not None]
    if not regions:
        for stone in stones:
            paint(*stone)
        return
    whole, over = painter.opacity(), settled(frame.view, regions)
    under = SETTLED if frame.side >= LEGIBLE else 0.0
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_region_grounds(painter, frame, regions, game.notation.mover(position))
    for square, player in stones:
        painter.setOpacity(whole * (under if square in over else 1.0))
        paint(square, player)
    painter.setOpacity(whole)
    paint_region_marks(painter, frame, regions)


def _frame(view: BoardView, size: int, ratio: float) -> Frame:
    """The board's frame in the middle of that many pixels, as large as fits."""
    unit, (width, height) = size - 2 * AIR, view.extent
    return Frame(view, unit, (size - unit * width) / 2, (size - unit * height) / 2, AIR, 1 / ratio)


@lru_cache(maxsize=64)
def _parts(view: BoardView, size: int, ratio: float, _look: str) -> Parts:
    frame, squares = _frame(view, size, ratio), range(len(view.squares))
    side, square = frame.side, QRectF(0, 0, frame.side, frame.side)

    def mark(player: int) -> QPixmap:
        return drawn(side, side, ratio, lambda painter: paint_mark(painter, square, view, player, boldness=SMALL))

    marks = tuple(map(mark, (0, 1)))
    return Parts(
        frame,
        drawn(size, size, ratio, lambda painter: paint_surface(painter, frame, SMALL)),
        marks,
        tuple(frame.rect(square).topLeft() for square in squares),
        all(map(_ends_before_its_edge, marks)),
    )


def _ends_before_its_edge(mark: QPixmap) -> bool:
    """Whether the last row and the last column of a picture, by which it may overlap another, are transparent."""
    image = mark.toImage()
    right, bottom = image.width() - 1, image.height() - 1
    edge = [(right, y) for y in range(bottom)] + [(x, bottom) for x in range(right + 1)]
    return not any(image.pixelColor(*pixel).alpha() for pixel in edge)


def drawn(width: float, height: float, ratio: float, paint: Callable[[QPainter], None]) -> QPixmap:
    """A transparent picture of a size in logical pixels, for a device pixel ratio, with what `paint` draws on it."""
    pixmap = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter)
    painter.end()
    return pixmap
