"""Paints the whole tree: one image of all nodes, then names, leaves and the current path where there is room."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen

from engine.result import Leaf
from engine.rules.contract import Game
from engine.text.numbers import bounded
from engine.trace.places import Width
from engine.trace.record import LEAVES
from gui.i18n.language import tr
from gui.style.colours import contrast, mixed
from gui.style.theme import NOTE, theme
from gui.tree.path_model import MAX_PLAYER

if TYPE_CHECKING:
    from engine.trace.raster import Raster
    from engine.trace.record import Trace

PLAYERS = "x", "o"
"""The theme's colours of the players, in every game: a board's own black and white are no fills on a card."""
NAMED_PLIES = 3
"""At most so many plies are high enough for names where the plies are many."""
SHARES = 0.12, 0.36, 0.66, 1.0
"""The share of its player's colour in a node without a value, with a bound, with an estimate, with an exact value."""
HIDDEN = 0.3
"""The share of grey in every node while values are hidden."""
NAME_CHARACTERS, LEAF_WIDTH, APART = 6, 9, 4
"""The least widths: of a name's room, in characters; of a leaf with a sign and of a node with a gap, in pixels."""


class Span(NamedTuple):
    """A part of the record, in rows."""

    first: float
    end: float

    def place(self, row: float, width: int) -> float:
        """The pixel at which a row begins."""
        return (row - self.first) / (self.end - self.first) * width


class Node(NamedTuple):
    """A node in the picture, at least APART pixels wide."""

    row: int
    ply: int
    left: int
    right: int


class Picture:
    """The whole tree of a record in a span, in the present colours. `heights` are those of its plies, in pixels."""

    def __init__(self, game: Game, trace: "Trace", span: Span, size: tuple[int, int], ratio: float, hidden: bool):
        self._game, self._trace, self._span, self._hidden, self._ratio = game, trace, span, hidden, ratio
        self.width, height = size
        self.raster: Raster = trace.raster(trace.places(Width.VISITED), *span, max(1, round(self.width * ratio)))
        self.heights = _heights(self.raster, height)
        self.tops = np.concatenate([[0], np.cumsum(self.heights)])
        self._first = game.notation.mover(trace.root)
        self._colours = _colours(self._first, hidden)
        favours = np.where(self.raster.values > 0, 1, np.where(self.raster.values < 0, 2, 0))
        codes = np.where(self.raster.rows < 0, -1, favours * len(SHARES) + self.raster.kinds)
        self._pixels = self._colours[codes]
        self.nodes = list(self._nodes())
        self.image = self._image()

    def row_at(self, x: int, y: int) -> int | None:
        """The row of the node at a point; None where there is none."""
        ply = int(np.searchsorted(self.tops, y, "right")) - 1
        column = int(x * self._ratio)
        if not 0 <= ply < len(self.heights) or not 0 <= column < self.raster.rows.shape[1]:
            return None
        row = int(self.raster.rows[ply, column])
        return None if row < 0 else row

    def paint(self, painter: QPainter, chain: tuple[int, ...], negamax: bool) -> None:
        """Draw the image, the names and leaves, and the nodes of `chain` in ink."""
        painter.drawImage(QRectF(0, 0, self.width, int(self.tops[-1])), self.image)
        self._paint_chain(painter, chain)
        note = theme().font(NOTE, QFont.Weight.DemiBold)
        metrics = QFontMetrics(note)
        painter.setFont(note)
        for node in self.nodes:
            if self.heights[node.ply] >= metrics.height() - 2:
                self._paint_name(painter, metrics, node, negamax)
            if node.right - node.left >= theme().px(LEAF_WIDTH) and self.heights[node.ply] >= theme().px(6):
                self._paint_leaf(painter, node)

    def _paint_name(self, painter: QPainter, metrics: QFontMetrics, node: Node, negamax: bool) -> None:
        """The move of a node and, where there is room, its value."""
        room = QRect(node.left + 5, int(self.tops[node.ply]), node.right - node.left - 11, self.heights[node.ply] - 1)
        if not node.ply or room.width() < NAME_CHARACTERS * metrics.averageCharWidth():
            return
        painter.setPen(self._text_colour(node))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        name = self._game.notation.move_name(self._trace.move(node.row))
        painter.drawText(room, left, metrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width()))
        value = "" if self._hidden else self._value(node, negamax)
        if metrics.horizontalAdvance(f"{name}  {value}") <= room.width():
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, value)

    def _value(self, node: Node, negamax: bool) -> str:
        """The value of a node, in the point of view of the path's rows."""
        found, mover = self._trace.found(node.row), (self._first + node.ply) % 2
        if found is None:
            return ""
        value, bound = found
        return bounded(value, bound) if negamax or mover == MAX_PLAYER else bounded(-value, -bound)

    def _paint_leaf(self, painter: QPainter, node: Node) -> None:
        """A solid line under a finished game, a dotted one at the horizon, a double one under what the table knew."""
        leaf = LEAVES.get(self._trace.why(node.row))
        if leaf is None:
            return
        style = Qt.PenStyle.DotLine if leaf is Leaf.HORIZON else Qt.PenStyle.SolidLine
        painter.setPen(QPen(self._text_colour(node), 1.4, style))
        bottom = int(self.tops[node.ply + 1]) - 2.5
        for line in (0, 2.5) if leaf is Leaf.TABLE else (0,):
            painter.drawLine(QPointF(node.left + 2, bottom - line), QPointF(node.right - 3, bottom - line))

    def _paint_chain(self, painter: QPainter, chain: tuple[int, ...]) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ink, halo = theme().colour("ink"), theme().colour("card")
        for ply, row in enumerate(chain):
            left, right = (self._span.place(place, self.width) for place in (row, self._trace.end(row)))
            if right <= 0 or left >= self.width or (left <= 0 and right >= self.width and ply < len(chain) - 1):
                continue
            left, right = max(left, 0), min(max(right, left + 3), self.width)
            frame = QRectF(left, self.tops[ply], right - left, max(3, self.heights[ply] - 1))
            line = theme().px(2) if min(frame.width(), frame.height()) > theme().px(10) else 1
            for colour, width, inset in ((halo, 1, -0.5), (ink, line, line / 2)):
                if 2 * inset + 1 < min(frame.width(), frame.height()):
                    painter.setPen(QPen(colour, width))
                    painter.drawRect(frame.adjusted(inset, inset, -inset, -inset))

    def _text_colour(self, node: Node) -> QColor:
        fill = QColor.fromRgb(int(self._pixels[node.ply, round((node.left + 1) * self._ratio)]))
        return max(map(QColor, ("black", "white")), key=lambda ink: contrast(ink, fill))

    def _nodes(self) -> Iterator[Node]:
        """The nodes that are wide enough for a gap between them."""
        rows, least = self.raster.rows, APART * self._ratio
        for ply in range(len(rows)):
            edges = np.flatnonzero(np.diff(rows[ply])) + 1
            starts, ends = np.append(0, edges), np.append(edges, rows.shape[1])
            for place in np.flatnonzero((ends - starts >= least) & (rows[ply, starts] >= 0)):
                left, right = int(starts[place]), int(ends[place])
                yield Node(int(rows[ply, left]), ply, round(left / self._ratio), round(right / self._ratio))

    def _image(self) -> QImage:
        """All nodes as colours, a gap after each wide one and under each ply."""
        colours = self._pixels.copy()
        gap = self._colours[-1]
        for node in self.nodes:
            last = min(round(node.right * self._ratio), colours.shape[1])
            if node.right < self.width:
                colours[node.ply, last - 1] = gap
        lines = np.repeat(colours, self.heights, axis=0)
        lines[self.tops[1:][np.array(self.heights) >= APART] - 1] = gap
        lines = np.ascontiguousarray(lines)
        height, width = lines.shape
        return QImage(lines.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def _heights(raster: "Raster", height: int) -> list[int]:
    """The heights of the plies. Plies that one node fills are low; the others share the rest, and the upper ones are
    high enough for names."""
    px = theme().px
    covered = (raster.rows[:, 0] == raster.rows[:, -1]) & (raster.rows[:, 0] >= 0)
    full = min(len(covered) - 1, int(np.argmin(covered)) if not covered.all() else len(covered))
    others, room = len(covered) - full, height - full * px(5)
    even = room // others
    high, low = px(16), px(3)
    if even >= high:
        return [px(5)] * full + [min(even, px(40))] * others
    named = max(0, min(NAMED_PLIES, others, (room - others * low) // (high - low)))
    rest = (room - named * high) // max(1, others - named)
    return [px(5)] * full + [high] * named + [max(1, min(rest, high))] * (others - named)


def _colours(first: int, hidden: bool) -> "np.ndarray":
    """RGB words: of a draw, of the player to move at the root, of the other one, each for the four kinds of values;
    last the card's."""
    look = theme()
    card, line = look.colour("card"), look.colour("draw")
    players = [look.colour(name) for name in PLAYERS]
    bases = [line, line, line] if hidden else [line, players[first], players[1 - first]]
    shares = [HIDDEN] * len(SHARES) if hidden else SHARES
    made = [mixed(card, line if not kind else base, share) for base in bases for kind, share in enumerate(shares)]
    return np.array([colour.rgb() for colour in (*made, card)], np.uint32)


def legend(game: Game, hidden: bool) -> list[tuple[QColor | None, str]]:
    """The meaning of the colours, each with its words; words alone have no colour."""
    look, notation = theme(), game.notation
    width = (None, tr("width: nodes"))
    if hidden:
        return [width, (None, tr("values are hidden"))]
    card = look.colour("card")
    players = [look.colour(name) for name in PLAYERS]
    ahead = [(players[side], tr("good for {player}", player=notation.players[side])) for side in (0, 1)]
    pale = [
        (mixed(card, players[0], SHARES[2]), tr("an estimate")),
        (mixed(card, players[0], SHARES[1]), tr("a bound")),
        (mixed(card, look.colour("draw"), SHARES[0]), tr("no value")),
    ]
    feet = [(None, tr("line below: game over")), (None, tr("dotted: horizon")), (None, tr("double: table"))]
    return [*ahead, (look.colour("draw"), tr("0")), *pale, width, *feet]
