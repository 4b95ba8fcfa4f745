"""Paints one tile of the path: its ground and edge, the board, the move and the value."""

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap

from engine.result import State
from engine.rules.contract import Game, Position
from gui.style.theme import NOTE, theme
from gui.widgets.drawing import drawn, mini_board, paint_mini_board

PRUNED_OPACITY = 0.55

HATCH = 7
"""The distance in pixels from one line of a hatched ground to the next."""

BESIDE = 20
"""The space in pixels beside a tile that a long value or a mark may need."""

CAPTION = 6
"""The space in pixels beside and between a tile's move and its value."""

CORNER = 7
"""The radius in pixels of a tile's corners."""

CENTRE = Qt.AlignmentFlag.AlignCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Measures(NamedTuple):
    """Lengths in a row, in pixels."""

    board: int
    pad: int
    """The space around a board in its tile."""
    text: int
    """The height of a line."""
    width: int
    """Of a tile."""
    gap: int
    """The space between a tile and the row below it."""
    step: int
    """The distance from one tile to its sibling."""
    left: int
    """The first tile's left edge."""
    numbers: bool
    """Whether the numbers of a window fit beside its brackets."""

    @property
    def height(self) -> int:
        """The height of a tile."""
        return self.board + 2 * self.pad + self.text

    @property
    def pitch(self) -> int:
        """The distance from one row to the next."""
        return self.height + self.gap

    def tile(self, ply: int, index: int, visible: range) -> QRect:
        """The area of a visible tile of a row, or of the count of tiles beside them."""
        place = index - visible.start + (1 if visible.start > 0 else 0)
        return QRect(self.left + place * self.step, ply * self.pitch, self.width, self.height)


class Look(NamedTuple):
    """A tile's ground and edge. Colours are ARGB words."""

    fill: int
    edge: int
    line: int
    """The edge's width in pixels."""
    hatched: bool = False


class Caption(NamedTuple):
    """The line below a board."""

    move: str
    """Left out where there is no room for it."""
    value: str
    colour: int
    """The ARGB word of the value's colour."""
    is_note: bool
    """Whether the value is in the font of notes."""


class Face(NamedTuple):
    """All that a tile shows."""

    game: Game
    position: Position
    state: State
    is_from_table: bool
    """Whether the value is from the transposition table, which a small T in the corner says."""
    look: Look
    caption: Caption


def paint_cached_tile(painter: QPainter, face: Face, tile: QRect, measures: Measures, ratio: float) -> None:
    """Draw a tile for a device pixel ratio, from a cache: of one moment of a replay and the next, most tiles are
    the same."""
    look, beside = theme(), theme().px(BESIDE)
    image = _tile(face, measures, ratio, look.colours.name, beside)
    painter.drawPixmap(tile.topLeft() - QPoint(beside, beside), image)


def paint_tile(painter: QPainter, face: Face, tile: QRect, measures: Measures, ratio: float | None) -> None:
    """Draw a tile; as shapes for any size where `ratio`, the device pixel ratio, is None."""
    look, side = theme(), measures.board
    paint_ground(painter, tile, face.look, look.px(CORNER), ratio)
    corner, faded = QPoint(tile.left() + (tile.width() - side) // 2, tile.top() + measures.pad), State.UNVISITED
    pruned = face.state is State.PRUNED
    painter.setOpacity(PRUNED_OPACITY if pruned else 1.0)
    if ratio is None:
        paint_mini_board(painter, face.game, face.position, corner, side, face.state is faded)
    else:
        painter.drawPixmap(corner, mini_board(face.game, face.position, side, ratio, face.state is faded))
    painter.setOpacity(1.0)
    if pruned:
        painter.setPen(QPen(look.colour("ink"), max(1.4, side * 0.03)))
        painter.drawLine(QPointF(corner) + QPointF(0, side - 1), QPointF(corner) + QPointF(side - 1, 0))
    if face.is_from_table:
        _paint_mark(painter, tile)
    _paint_caption(painter, face.caption, tile, measures.text)


def paint_ground(painter: QPainter, tile: QRect, look: Look, corner: int, ratio: float | None) -> None:
    """Draw the ground and the edge of a tile with corners of this radius in pixels; `ratio` as in `paint_tile`."""
    if ratio is None:
        _paint_ground(painter, tile, look, corner)
    else:
        painter.drawPixmap(tile.topLeft(), _ground(tile.width(), tile.height(), look, corner, ratio))


def write(painter: QPainter, frame: QRect, where: Qt.AlignmentFlag, text: str, font: QFont, colour: QColor) -> None:
    """Draw a text in a font and colour."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(frame, where, text)


def bold(size: float) -> QFont:
    """The font of names, values and cutoffs."""
    return theme().font(size, QFont.Weight.DemiBold)


def _paint_caption(painter: QPainter, caption: Caption, tile: QRect, height: int) -> None:
    """The move on the left, where there is room for it, and the value on the right."""
    look, edge = theme(), theme().px(CAPTION)
    line = QRect(tile.left(), tile.bottom() - height - look.px(2), tile.width(), height).adjusted(edge, 0, -edge, 0)
    name, font = look.font(NOTE, mono=True), look.font(NOTE) if caption.is_note else bold(NOTE + 1)
    wide = QFontMetrics(name).horizontalAdvance(caption.move) + QFontMetrics(font).horizontalAdvance(caption.value)
    fits = bool(caption.move) and wide + edge <= line.width()
    if fits:
        write(painter, line, LEFT, caption.move, name, look.colour("dim"))
    else:
        over = look.px(BESIDE)
        line.adjust(-over, 0, over, 0)
    write(painter, line, RIGHT if fits else CENTRE, caption.value, font, QColor.fromRgba(caption.colour))


def _paint_mark(painter: QPainter, tile: QRect) -> None:
    """A small T in the corner."""
    look = theme()
    side, away = look.px(13), look.px(4)
    badge = QRect(tile.right() - side + away, tile.top() - away, side, side)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("ink"))
    painter.drawRoundedRect(badge, look.px(3), look.px(3))
    write(painter, badge, CENTRE, "T", bold(NOTE), look.colour("card"))


@lru_cache(maxsize=256)
def _tile(face: Face, measures: Measures, ratio: float, theme_name: str, beside: int) -> QPixmap:
    """A tile with `beside` pixels around it, in the present colours, which `theme_name` and `beside` tell apart."""
    frame = QRect(beside, beside, measures.width, measures.height)
    return drawn(
        measures.width + 2 * beside,
        measures.height + 2 * beside,
        ratio,
        lambda painter: paint_tile(painter, face, frame, measures, ratio),
    )


@lru_cache(maxsize=64)
def _ground(width: int, height: int, look: Look, corner: int, ratio: float) -> QPixmap:
    """The ground of a tile: a smooth round corner takes as long as twenty boards."""
    frame = QRect(0, 0, width, height)
    return drawn(width, height, ratio, lambda painter: _paint_ground(painter, frame, look, corner))


def _paint_ground(painter: QPainter, tile: QRect, look: Look, corner: int) -> None:
    frame, inset, line = QPainterPath(), look.line / 2, look.line
    edge = QColor.fromRgba(look.edge)
    frame.addRoundedRect(QRectF(tile).adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.fillPath(frame, QColor.fromRgba(look.fill))
    if look.hatched:
        painter.setPen(QPen(edge, 1.2))
        wide, high = tile.width() - 2 * line, min(tile.width(), tile.height()) - 2 * line  # the caption stays plain
        for start in range(HATCH - high, wide, HATCH):
            first, last = max(0, start), min(wide, start + high)
            ends = (QPointF(x + line, high - (x - start) + line) for x in (first, last))
            painter.drawLine(*(QPointF(tile.topLeft()) + end for end in ends))
    painter.setPen(QPen(edge, line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(frame)
