"""Paints the whole tree: an image of all nodes, then names, leaves and the current path where there is room."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from engine.result import Leaf
from engine.text.numbers import bounded
from engine.trace.leaves import LEAVES
from engine.trace.raster import Raster
from engine.trace.widths import Gap, Places
from gui.state.root_cut import gaps_shown
from gui.style.colours import legible_on
from gui.style.theme import NOTE, theme
from gui.tree.icicle_colours import Fills, Look, shapes
from gui.tree.path_model import MAX_PLAYER, mover_in

HIGHEST = 60
"""The greatest height of a ply."""
NAMED_PLIES = 3
"""At most so many plies are high enough for names where the plies are many."""
NARROW = 3
"""The least width of a node on the path in pixels; an outline of one would leave a single pixel inside."""
NAME_CHARACTERS, LEAF_WIDTH, APART = 6, 9, 4
"""The least widths: of a name's room, in characters; of a leaf with a sign and of a node with a gap, in pixels."""

LINES = 2.5, 4.5
"""How far the lower and the upper line of a leaf are above the foot of its ply, in pixels; each is one pixel wide."""
PLACED = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
"""How a name and a value stand in their room, which may be lower than their line."""


class Span(NamedTuple):
    """A part of the record's picture, in the unit of its places."""

    first: float
    end: float

    def place(self, place: float, width: int) -> float:
        """The pixel of a place."""
        return (place - self.first) / (self.end - self.first) * width


class Moment(NamedTuple):
    """A moment of the search."""

    last: int
    """The row that was entered last."""
    open: tuple[int, ...]
    """The rows that have been entered and not left, the root first."""
    is_cut: bool = False
    """Whether the last of them has just been cut off."""

    @property
    def undecided(self) -> tuple[int, ...]:
        """The open rows whose other moves may still be searched."""
        return self.open[:-1] if self.is_cut else self.open


class VisibleNode(NamedTuple):
    """A node in the picture, at least APART pixels wide."""

    row: int
    ply: int
    left: int
    right: int


class Layer(NamedTuple):
    """The tree after the search, or before it."""

    colours: NDArray[np.uint32]
    """[plies, columns]: RGB words."""
    gaps: NDArray[np.uint8]
    """[plies, columns]: a Gap."""
    has_values: bool
    """Whether the nodes have ended."""


class IciclePicture:
    """The whole tree of a record in a span, in the present colours: `ended` after the search, `unvisited` before it.
    `heights` are those of its plies, in pixels.

    Nodes are entered from left to right. The picture of a moment is therefore that of the end of the search up to a
    column on each ply, and that of an unvisited tree from there on; only the open nodes differ.
    """

    def __init__(self, look: Look, places: Places, span: Span, size: tuple[int, int], ratio: float = 1.0) -> None:
        self._look, self._trace, self._places, self._span, self.ratio = look, look.trace, places, span, ratio
        self.width, height = size
        self.raster = found = self._trace.raster(places, *span, max(1, round(self.width * ratio)))
        self.heights = _heights(found, height)
        self.tops = _tops(self.heights)
        self.nodes = list(self._nodes())
        self._card = np.uint32(theme().colour("card").rgb())
        entered = np.maximum(found.rows, found.owners)
        self._entered = np.pad(entered, ((0, 0), (0, 1)), constant_values=len(self._trace))
        """The row that is entered where a node or an unsearched move is seen, [plies, columns + 1]; the last column is
        later than any moment."""
        self._owners = frozenset(np.unique(found.owners).tolist())
        self._fills = Fills(look)
        self.ended = Layer(self._fills.of(found), gaps_shown(self._trace, found.owners, look.hidden), True)
        unvisited = np.where(entered < 0, Gap.NONE, Gap.UNVISITED).astype(np.uint8)
        self.unvisited = Layer(np.full(found.rows.shape, self._card), unvisited, False)
        self._images: dict[tuple[bool, bool], QImage] = {}

    @property
    def _image_tops(self) -> list[int]:
        """`tops` in the pixels of an image."""
        return [round(top * self.ratio) for top in self.tops]

    def lower(self, height: int) -> "IciclePicture":
        """The same with plies of one height, without names or edges: for a few pixels a ply."""
        low = copy(self)
        low.heights = [max(1, height // len(self.heights))] * len(self.heights)
        low.tops = _tops(low.heights)
        low.nodes, low._images = [], {}
        return low

    def row_at(self, column: int, line: int) -> int | None:
        """The row of the node at a pixel of an image; None where there is none."""
        return self._at(self.raster.rows, column, line)

    def owner_at(self, column: int, line: int) -> int | None:
        """The row of the node whose unsearched move is at a pixel of an image; None where there is none."""
        return self._at(self.raster.owners, column, line)

    def middles(self, rows: NDArray[np.int32], apart: float) -> list[QPointF]:
        """The middles of these nodes on display; of those less than `apart` pixels from each other, one."""
        left, found = self._trace.index.left, list[QPointF]()
        if not len(rows):
            return found
        plies = left[0] - left[rows]
        for ply in np.unique(plies).tolist():
            numbers = self._places.numbers(ply, rows[plies == ply])
            scale = self.width / (self._span.end - self._span.first)
            begins, ends = ((edges - self._span.first) * scale for edges in self._places.edges(ply, numbers))
            is_seen = (ends > 0) & (begins < self.width)
            places = (np.clip(begins, 0, self.width) + np.clip(ends, 0, self.width))[is_seen] / 2
            _, first = np.unique(places // apart, return_index=True)
            height = (self.tops[ply] + self.tops[ply + 1]) / 2
            found += [QPointF(place, height) for place in places[first].tolist()]
        return found

    def _at(self, rows: "np.ndarray", column: int, line: int) -> int | None:
        ply = bisect_right(self._image_tops, line) - 1
        if not 0 <= ply < len(self.heights) or not 0 <= column < rows.shape[1]:
            return None
        row = int(rows[ply, column])
        return None if row < 0 else row

    def paint(self, painter: QPainter, chain: tuple[int, ...], negamax: bool, moment: Moment | None = None) -> None:
        """Draw all nodes as an image, the nodes of `chain` in ink, and a line where the search is. `moment` is None
        after the end of the search."""
        if moment is None:
            painter.drawImage(QPoint(0, 0), self.image(negamax))
        else:
            self._paint_layers(painter, moment, negamax)
            self._paint_open(painter, moment)
        self._paint_place(painter, chain, moment)

    def _paint_place(self, painter: QPainter, chain: tuple[int, ...], moment: Moment | None) -> None:
        """Draw the nodes of `chain` in ink, and a line where the search is."""
        self._paint_chain(painter, chain)
        if moment is not None:
            place = self._span.place(self._places.extent(moment.last)[0], self.width)
            painter.setPen(QPen(theme().colour("ink"), theme().px(2)))
            painter.drawLine(QLineF(place, 0, place, self.tops[-1]))

    def image(self, negamax: bool) -> QImage:
        """All nodes after the end of the search."""
        return self._image(self.ended, negamax)

    def paint_shapes(
        self, painter: QPainter, chain: tuple[int, ...], negamax: bool, moment: Moment | None = None
    ) -> None:
        """Draw the same in shapes, for a file of any size."""
        is_later: NDArray[np.bool_] = np.zeros(self.raster.rows.shape, np.bool_)
        if moment is not None:
            is_later |= np.arange(self.raster.rows.shape[1]) >= self.starts_later(moment)[:, None]
        colours = np.where(is_later, self.unvisited.colours, self.ended.colours)
        self._paint_shapes(painter, colours, np.where(is_later, self.unvisited.gaps, self.ended.gaps))
        for layer in (self.ended, self.unvisited):
            nodes = [node for node in self.nodes if is_later[node.ply, self._column(node)] != layer.has_values]
            self._paint_names(painter, layer, nodes, negamax)
        if moment is not None:
            self._paint_open(painter, moment)
        self._paint_place(painter, chain, moment)

    def starts_later(self, moment: Moment) -> NDArray[np.int64]:
        """The first column of each ply that is not visited at a moment; the width where all are. [plies]."""
        later = self._entered > moment.last
        for ply, row in enumerate(moment.undecided, start=1):
            if row in self._owners:  # unsearched moves have all plies below their owner
                later[ply:, :-1] |= self.raster.owners[ply:] == row
        return later.argmax(axis=1)

    def _paint_layers(self, painter: QPainter, moment: Moment, negamax: bool) -> None:
        """What is visited at a moment as it is after the search, and the rest as it was before."""
        ended, tops = self._image(self.ended, negamax), self._image_tops
        painter.drawImage(QPoint(0, 0), self._image(self.unvisited, negamax))
        first = 0
        for column, plies in itertools.groupby(self.starts_later(moment).tolist()):
            end = first + len(list(plies))
            part = QRectF(0, tops[first], column, tops[end] - tops[first])
            if column:  # for Qt no width is the whole width
                painter.drawImage(part.topLeft() / self.ratio, ended, part)
            first = end

    def _paint_open(self, painter: QPainter, moment: Moment) -> None:
        """The nodes that are open at a moment, which have no value yet, with their names."""
        is_open = self.raster.rows[: len(moment.open)] == np.array(moment.open, np.int32)[:, None]
        columns, without = is_open.shape[1], self._fills.without_value
        lefts, rights = is_open.argmax(axis=1), columns - is_open[:, ::-1].argmax(axis=1)
        drawn = zip(moment.open, lefts.tolist(), rights.tolist(), strict=True)
        least = self._set_font(painter)
        for ply, (row, left, right) in enumerate(drawn):
            if not is_open[ply, left]:
                continue
            colour = int(self.ended.colours[ply, left]) if without is None else without
            apart = 1 if right - left >= APART * self.ratio and right < columns else 0
            high = self.heights[ply] - (self.heights[ply] >= APART)
            wide = (right - left) / self.ratio - apart
            box = QRectF(left / self.ratio, self.tops[ply], wide, high)
            painter.fillRect(box, QColor.fromRgb(colour))
            node = VisibleNode(row, ply, round(left / self.ratio), round(right / self.ratio))
            if self._has_room(node, least):
                self._paint_name(painter, node, "", _text_colour(colour))

    def _paint_shapes(self, painter: QPainter, fills: NDArray[np.uint32], gaps: NDArray[np.uint8]) -> None:
        """One rectangle for each run of columns with one colour; the arrays are those of a `Layer`."""
        kinds = shapes()
        for ply, (colours, codes) in enumerate(zip(fills, gaps, strict=True)):
            borders = (np.diff(colours) != 0) | (np.diff(codes) != 0) | (np.diff(self.raster.rows[ply]) != 0)
            edges = [0, *(np.flatnonzero(borders) + 1).tolist(), len(colours)]
            top, high = self.tops[ply], self.heights[ply] - (self.heights[ply] >= APART)
            for left, right in itertools.pairwise(edges):
                apart = 1 if right - left >= APART * self.ratio and right < len(colours) else 0
                box = QRectF(left / self.ratio, top, (right - left) / self.ratio - apart, high)
                gap = kinds.get(Gap(codes[left]))
                if gap is None:
                    painter.fillRect(box, QColor.fromRgb(int(colours[left])))
                else:
                    gap.paint(painter, box)

    def _paint_names(self, painter: QPainter, layer: Layer, nodes: Sequence[VisibleNode], negamax: bool) -> None:
        """The names of those of the nodes that have room for it; of those that have ended also values and leaves."""
        least = self._set_font(painter)
        for node in nodes:
            colour = _text_colour(int(layer.colours[node.ply, self._column(node)]))
            if self._has_room(node, least):
                self._paint_name(painter, node, self._value(node, negamax) if layer.has_values else "", colour)
            if layer.has_values and node.right - node.left >= theme().px(LEAF_WIDTH):
                self._paint_leaf(painter, node, colour)

    def _column(self, node: VisibleNode) -> int:
        """The column of a node's second pixel: the first may be shared."""
        return round((node.left + 1) * self.ratio)

    def _set_font(self, painter: QPainter) -> QSize:
        """Set the font of names; returns the least width of one's room, and the least height of its ply."""
        painter.setFont(theme().font(NOTE, QFont.Weight.DemiBold))
        metrics = painter.fontMetrics()
        return QSize(NAME_CHARACTERS * metrics.averageCharWidth(), metrics.height() - 2)

    def _has_room(self, node: VisibleNode, least: QSize) -> bool:
        """Whether a node has room for its name; the root has none."""
        is_high = node.ply > 0 and self.heights[node.ply] >= least.height()
        return is_high and self._room(node).width() >= least.width()

    def _paint_name(self, painter: QPainter, node: VisibleNode, value: str, colour: QColor) -> None:
        """The move of a node and, where there is room, its value."""
        room, metrics = self._room(node), painter.fontMetrics()
        painter.setPen(colour)
        name = self._look.game.notation.move_name(self._trace.move(node.row))
        painter.drawText(
            room,
            PLACED | Qt.AlignmentFlag.AlignLeft,
            metrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width()),
        )
        if value and metrics.horizontalAdvance(f"{name}  {value}") <= room.width():
            painter.drawText(room, PLACED | Qt.AlignmentFlag.AlignRight, value)

    def _room(self, node: VisibleNode) -> QRect:
        """The place of a node's texts, above a double line: struck out is what was pruned."""
        is_doubled = LEAVES.get(self._trace.why(node.row)) is Leaf.TABLE
        height = self.heights[node.ply] - (math.ceil(max(LINES)) if is_doubled else 1)
        return QRect(node.left + 5, self.tops[node.ply], node.right - node.left - 11, height)

    def _value(self, node: VisibleNode, negamax: bool) -> str:
        """The value of a node after the search, in the point of view of the path's rows."""
        found, mover = self._trace.found(node.row), mover_in(self._look.game, self._trace, node.row)
        if found is None or self._look.hidden:
            return ""
        return bounded(found if negamax or mover == MAX_PLAYER else -found)

    def _paint_leaf(self, painter: QPainter, node: VisibleNode, colour: QColor) -> None:
        """A solid line under a finished game, a dotted one at the horizon, a double one under what the table knew."""
        leaf = LEAVES.get(self._trace.why(node.row))
        if leaf is None or self.heights[node.ply] < theme().px(6):
            return
        style = Qt.PenStyle.DotLine if leaf is Leaf.HORIZON else Qt.PenStyle.SolidLine
        painter.setPen(QPen(colour, 1, style))
        for line in LINES if leaf is Leaf.TABLE else LINES[:1]:
            height = self.tops[node.ply + 1] - line
            painter.drawLine(QPointF(node.left + 2, height), QPointF(node.right - 3, height))

    def _paint_chain(self, painter: QPainter, chain: tuple[int, ...]) -> None:
        """Outline the nodes of `chain`; fill the narrow ones."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ink, card = theme().colour("ink"), theme().colour("card")
        halo, thin, thick, roomy = QPen(card, 1), QPen(ink, 1), QPen(ink, theme().px(2)), theme().px(10)
        for ply, row in enumerate(chain):
            begin, end = self._places.extent(row)
            left, right = self._span.place(begin, self.width), self._span.place(end, self.width)
            if right <= 0 or left >= self.width or (left <= 0 and right >= self.width and ply < len(chain) - 1):
                continue
            left, right = max(left, 0), min(max(right, left + NARROW), self.width)
            top, wide, high = self.tops[ply], right - left, max(NARROW, self.heights[ply] - 1)
            least = min(wide, high)
            if least <= NARROW:
                painter.fillRect(QRectF(left - 1, top - 1, wide + 2, high + 2), card)
                painter.fillRect(QRectF(left, top, wide, high), ink)
                continue
            line = thick if least > roomy else thin
            for pen, inset in ((halo, -0.5), (line, line.widthF() / 2)):
                painter.setPen(pen)
                painter.drawRect(QRectF(left + inset, top + inset, wide - 2 * inset, high - 2 * inset))

    def _nodes(self) -> Iterator[VisibleNode]:
        """The nodes that are wide enough for a gap between them."""
        rows, least = self.raster.rows, APART * self.ratio
        for ply in range(len(rows)):
            edges = np.flatnonzero(np.diff(rows[ply])) + 1
            starts, ends = np.append(0, edges), np.append(edges, rows.shape[1])
            for place in np.flatnonzero((ends - starts >= least) & (rows[ply, starts] >= 0)):
                left, right = int(starts[place]), int(ends[place])
                yield VisibleNode(int(rows[ply, left]), ply, round(left / self.ratio), round(right / self.ratio))

    def _image(self, layer: Layer, negamax: bool) -> QImage:
        """A layer as an image, made when it is first asked for."""
        made = self._images.get((layer.has_values, negamax))
        if made is None:
            made = self._images[layer.has_values, negamax] = self._painted(layer, negamax)
        return made

    def _painted(self, layer: Layer, negamax: bool) -> QImage:
        """Nodes as colours with their names, a gap after each wide one and under each ply; patterns for moves without
        nodes."""
        colours, codes, border = layer.colours.copy(), layer.gaps, np.full(layer.gaps.shape, self._card)
        for gap, shape in shapes().items():
            if shape.edge is not None:
                border[codes == gap] = shape.edge.rgb()
        for node in self.nodes:
            last = min(round(node.right * self.ratio), colours.shape[1])
            if node.right < self.width:
                colours[node.ply, last - 1] = border[node.ply, last - 1]
        tops = np.array(self._image_tops)
        lines = np.repeat(colours, np.diff(tops), axis=0)
        for gap, shape in shapes().items():
            if gap is not Gap.UNVISITED and (codes == gap).any():
                x, y = (np.arange(length) / self.ratio for length in (lines.shape[1], lines.shape[0]))
                is_marked = shape.marks(x, y[:, None])
                look = np.where(is_marked, np.uint32(shape.stripe.rgb()), np.uint32(shape.ground.rgb()))
                np.copyto(lines, look, where=np.repeat(codes == gap, np.diff(tops), axis=0))
        is_high = np.array(self.heights) >= APART
        lines[tops[1:][is_high] - 1] = border[is_high]
        lines = np.ascontiguousarray(lines)
        height, width = lines.shape
        image = QImage(lines.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
        image.setDevicePixelRatio(self.ratio)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names(painter, layer, self.nodes, negamax)
        painter.end()
        return image


@lru_cache(maxsize=256)
def _text_colour(fill: int) -> QColor:
    """The more legible colour of a text on an RGB word."""
    return legible_on(QColor.fromRgb(fill))


def _tops(heights: list[int]) -> list[int]:
    """The upper edges of plies with these heights, and the lower edge of the last."""
    return [*itertools.accumulate(heights, initial=0)]


def _heights(raster: Raster, height: int) -> list[int]:
    """The heights of the plies. Plies that one node fills are low; the others share the rest, and the upper ones are
    high enough for names."""
    px = theme().px
    covered = (raster.rows[:, 0] == raster.rows[:, -1]) & (raster.rows[:, 0] >= 0)
    full = min(len(covered) - 1, int(np.argmin(covered)) if not covered.all() else len(covered))
    others, room = len(covered) - full, height - full * px(5)
    even = room // others
    high, low = px(16), px(3)
    if even >= high:
        return [px(5)] * full + [min(even, px(HIGHEST))] * others
    named = max(0, min(NAMED_PLIES, others, (room - others * low) // (high - low)))
    rest = (room - named * high) // max(1, others - named)
    return [px(5)] * full + [high] * named + [max(1, min(rest, high))] * (others - named)
