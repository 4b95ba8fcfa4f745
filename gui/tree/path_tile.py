"""Paints one tile of the path: its ground and edge, the board, the move and the value."""

from functools import lru_cache, partial
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap

from engine.result import Leaf, State
from engine.rules.contract import Game
from gui.i18n.language import cached
from gui.style.theme import NOTE, theme
from gui.tree.path_model import Cell
from gui.widgets.drawing import Board, composed, drawn, paint_mini_board

OPACITY = {State.PRUNED: 0.55, State.UNVISITED: 0.35}
"""The opacity of a board in a state; 1 where none is given."""

HATCH = 7
"""The distance in pixels from one line of a hatched ground to the next."""

BESIDE = 20
"""The space in pixels beside a tile that a long value or a mark may need."""

CAPTION = 6
"""The space in pixels beside and between a tile's move and its value."""

DENSE = 3
"""The same space where a tile is narrow."""

CORNER = 7
"""The radius in pixels of a tile's corners."""

RGB = 0xFFFFFF
"""The bits of an ARGB word without its alpha."""

CENTRE = Qt.AlignmentFlag.AlignCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
BOLD = QFont.Weight.DemiBold
"""The weight of names, values and cutoffs."""


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

    def row(self, ply: int, width: int) -> QRect:
        """The area of a row across a width, with the lines that lead to it."""
        pitch = self.pitch
        return QRect(0, ply * pitch - self.gap, width, pitch)

    def plies(self, area: QRect) -> range:
        """The plies of the rows that lie in an area, if there are as many."""
        pitch = self.pitch
        return range(max(0, (area.top() + self.gap) // pitch), (area.bottom() + self.gap) // pitch + 1)

    def tile(self, ply: int, place: int) -> QRect:
        """The area of a place of a row."""
        return QRect(self.left + place * self.step, ply * self.pitch, self.width, self.height)

    def tiles(self, ply: int, count: int) -> list[QRect]:
        """The areas of the first places of a row."""
        top, height = ply * self.pitch, self.height
        return [QRect(self.left + place * self.step, top, self.width, height) for place in range(count)]


class Ground(NamedTuple):
    """A tile's ground and edge. Colours are ARGB words."""

    fill: int
    edge: int
    line: int
    """The edge's width in pixels."""
    hatched: bool = False


class Caption(NamedTuple):
    """The line below a board."""

    move: str
    value: str
    colour: int
    """The ARGB word of the value's colour."""
    is_note: bool
    """Whether the value is in the font of notes."""
    is_in_legend: bool
    """Where there is no room for both, the move is shown of a tile whose ground says the rest, such as a pruned one;
    else the value."""


class TilePainter:
    """Draws tiles with one painter. What neighbouring tiles share is drawn once and then copied: grounds, boards and
    captions."""

    def __init__(self, painter: QPainter, measures: Measures, ratio: float | None, game: Game) -> None:
        """`ratio` is the device pixel ratio, None to draw shapes for any."""
        look = theme()
        self._painter, self._measures, self._ratio, self._game = painter, measures, ratio, game
        self._side, self._corner, self._beside = measures.board, look.px(CORNER), look.px(BESIDE)
        self._wide, self._high, self._line = measures.width, measures.height, measures.text
        self._under = look.px(2)
        self._colours, self._ink = look.colours.name, look.colour("ink")

    def paint(self, tile: QRect, ground: Ground, board: Board, cell: Cell, fade: float = 1.0) -> None:
        """Draw a tile whose value has the opacity `fade`."""
        painter, side, ratio = self._painter, self._side, self._ratio
        x, y = tile.left(), tile.top()
        left, top = x + (self._wide - side) // 2, y + self._measures.pad
        opacity = OPACITY.get(cell.state)
        if ratio is None:
            paint_ground(painter, tile, ground, self._corner)
        else:
            painter.drawPixmap(x, y, _ground(self._wide, self._high, ground, self._corner, ratio))
        if opacity is not None:
            painter.setOpacity(opacity)
        if ratio is None:
            paint_mini_board(painter, self._game, board.position, QPoint(left, top), side)
        else:
            painter.drawPixmap(left, top, composed(self._game, board, side, ratio, self._colours).picture)
        if opacity is not None:
            painter.setOpacity(1.0)
        if cell.state is State.PRUNED:
            painter.setPen(QPen(self._ink, max(1.4, side * 0.03)))
            painter.drawLine(QPointF(left, top + side - 1), QPointF(left + side - 1, top))
        if cell.leaf is Leaf.TABLE:
            _paint_mark(painter, tile)
        foot = y + self._high - 1 - self._line - self._under
        if ratio is None or fade < 1:
            _paint_caption(painter, caption(self._game, cell, fade), QRect(x, foot, self._wide, self._line))
        else:
            beside = self._beside
            words = _caption(self._game, cell, self._wide, self._line, ratio, self._colours, beside)
            painter.drawPixmap(x - beside, foot, words)


def write(painter: QPainter, frame: QRect, where: Qt.AlignmentFlag, text: str, font: QFont, colour: QColor) -> None:
    """Draw a text in a font and colour."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(frame, where, text)


def bold(size: float) -> QFont:
    """The font of names, values and cutoffs."""
    return theme().font(size, BOLD)


def _paint_caption(painter: QPainter, caption: Caption, line: QRect) -> None:
    """The move on the left of a line and the value on the right; where they do not fit, the same without air between
    and in them; else one of them in the middle."""
    look = theme()
    name, font = look.font(NOTE, mono=True), look.font(NOTE) if caption.is_note else bold(NOTE + 1)
    dim, colour = look.colour("dim"), QColor.fromRgba(caption.colour)
    forms = ((caption.value, look.px(CAPTION)), (dense(caption.value), look.px(DENSE)))
    for value, edge in forms if caption.move else ():
        of_value = look.width(value, NOTE) if caption.is_note else look.width(value, NOTE + 1, BOLD)
        if look.width(caption.move, NOTE, mono=True) + of_value + 3 * edge <= line.width():
            inner = line.adjusted(edge, 0, -edge, 0)
            write(painter, inner, LEFT, caption.move, name, dim)
            write(painter, inner, RIGHT, value, font, colour)
            return
    beside = line.adjusted(-look.px(BESIDE), 0, look.px(BESIDE), 0)
    if caption.is_in_legend:
        write(painter, beside, CENTRE, caption.move, name, dim)
    else:
        write(painter, beside, CENTRE, caption.value, font, colour)


def dense(value: str) -> str:
    """A value without the space after the sign of a bound."""
    return value.replace(" ", "", 1) if value[:1] in ("≥", "≤") else value


@partial(cached, most=512)
def _caption(game: Game, cell: Cell, width: int, height: int, ratio: float, _look: str, beside: int) -> QPixmap:
    """A cell's caption with `beside` pixels on either side, in the present colours and zoom, which the last two tell
    apart."""
    line, words = QRect(beside, 0, width, height), caption(game, cell)
    return drawn(width + 2 * beside, height, ratio, lambda painter: _paint_caption(painter, words, line))


def caption(game: Game, cell: Cell, fade: float = 1.0) -> Caption:
    """The caption of a cell, whose value has the opacity `fade`."""
    is_in_legend = cell.state in (State.PRUNED, State.UNRECORDED)
    unknown = is_in_legend or cell.depth is not None
    if unknown:
        colour = theme().colour("dim").rgb()
    elif cell.value is None or cell.value.is_exact:
        colour = _favours(theme().colours.name, *game.view.colours)[cell.favours]
    else:
        colour = theme().colour("ink").rgb()
    if fade < 1:
        colour = colour & RGB | round(255 * fade) << 24
    move = "" if cell.move is None else game.notation.move_name(cell.move)
    return Caption(move, cell.text, colour, unknown, is_in_legend)


@lru_cache(maxsize=8)
def _favours(_look: str, first: str, second: str) -> dict[int | None, int]:
    """The colours of values in the present colours, by the player whom they favour; of a draw by None."""
    look = theme()
    return {0: look.text_colour(first).rgb(), 1: look.text_colour(second).rgb(), None: look.colour("draw").rgb()}


def _paint_mark(painter: QPainter, tile: QRect) -> None:
    """A small T in the corner."""
    look = theme()
    side, away = look.px(13), look.px(4)
    badge = QRect(tile.right() - side + away, tile.top(), side, side)  # above it, the first row in view cuts it off
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("ink"))
    painter.drawRoundedRect(badge, look.px(3), look.px(3))
    write(painter, badge, CENTRE, "T", bold(NOTE), look.colour("card"))


@lru_cache(maxsize=64)
def _ground(width: int, height: int, ground: Ground, corner: int, ratio: float) -> QPixmap:
    """The ground of a tile: a smooth round corner takes as long as twenty boards."""
    frame = QRect(0, 0, width, height)
    return drawn(width, height, ratio, lambda painter: paint_ground(painter, frame, ground, corner))


def paint_ground(painter: QPainter, tile: QRect, ground: Ground, corner: int) -> None:
    """Draw the ground and the edge of a tile with corners of this radius in pixels."""
    frame, inset, line = QPainterPath(), ground.line / 2, ground.line
    edge = QColor.fromRgba(ground.edge)
    frame.addRoundedRect(QRectF(tile).adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.fillPath(frame, QColor.fromRgba(ground.fill))
    if ground.hatched:
        painter.setPen(QPen(edge, 1.2))
        wide, high = tile.width() - 2 * line, min(tile.width(), tile.height()) - 2 * line  # the caption stays plain
        for start in range(HATCH - high, wide, HATCH):
            first, last = max(0, start), min(wide, start + high)
            ends = (QPointF(x + line, high - (x - start) + line) for x in (first, last))
            painter.drawLine(*(QPointF(tile.topLeft()) + end for end in ends))
    painter.setPen(QPen(edge, line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(frame)
