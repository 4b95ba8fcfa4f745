"""Paints the path: tiles in rows, lines from a node to its children, windows as brackets, and a line from a cut to the
earlier move that set its bound."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from engine.result import Leaf, State
from engine.text.numbers import signed
from gui.i18n.language import retold, tr
from gui.style.colours import mixed
from gui.style.theme import NOTE, theme
from gui.tree.path_model import MAX_PLAYER, Cell, Row, Window, bound_setter
from gui.widgets.drawing import mini_board, paint_mini_board

PRUNED_OPACITY = 0.55
SEARCHED = 0.06
"""The share of ink in the ground of a searched tile."""

HATCH = 7
"""The distance in pixels from one line of a hatched ground to the next."""

_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Tiles = Mapping[int, QRect]
"""The areas of a row's visible tiles by their indices."""


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
    """A tile's ground and edge."""

    fill: QColor
    edge: QColor
    line: int
    """The edge's width in pixels."""
    hatched: bool = False


class PathPainter:
    """Draws rows with one painter; fonts and colours are made once for all tiles."""

    def __init__(self, painter: QPainter, measures: Measures, ratio: float | None, colours: tuple[str, str]) -> None:
        """`ratio` is the device pixel ratio, None to draw shapes for any. `colours` are the players'."""
        look = theme()
        self._painter, self._measures, self._ratio = painter, measures, ratio
        self._ink, self._dim, self._line = look.colour("ink"), look.colour("dim"), look.colour("line")
        self._card, self._cut = look.colour("card"), look.colour("cut")
        first, second = colours
        self._favours = {0: look.text_colour(first), 1: look.text_colour(second), None: look.colour("draw")}
        self._note, self._bold, self._value = look.font(NOTE), bold(NOTE), bold(NOTE + 1)
        self._name = look.font(NOTE, mono=True)
        self._px = look.px

    def paint(
        self,
        rows: Sequence[Row],
        visible: Sequence[range],
        area: QRect,
        fresh: frozenset[tuple[int, int]],
        fade: float,
    ) -> None:
        """Draw the visible tiles of the rows in an area. Values of the (row, move) in `fresh` have the opacity
        `fade`."""
        pitch, tile = self._measures.pitch, self._measures.tile
        tiles = [{index: tile(ply, index, seen) for index in seen} for ply, seen in enumerate(visible)]
        cursor = max((row.ply for row in rows if row.current is not None), default=0)
        for row in rows:
            if not area.intersects(QRect(0, row.ply * pitch - self._measures.gap, area.right() + 1, 2 * pitch)):
                continue
            above = rows[row.ply - 1].current if row.ply else None
            if above is not None and above in tiles[row.ply - 1]:
                self._paint_lines(tiles[row.ply - 1][above], row, tiles[row.ply])
            self._paint_name(row)
            for index, place in tiles[row.ply].items():
                self._paint_tile(row, index, place, row.ply == cursor, fresh, fade)
            seen = visible[row.ply]
            for index, count in ((seen.start - 1, seen.start), (seen.stop, len(row) - seen.stop)):
                if count > 0:
                    words = tr("+ {count}\nmore", count=count)
                    self._write(tile(row.ply, index, seen), _CENTRE, words, self._note, self._dim)
            if row.window is not None and row.current in tiles[row.ply]:
                self._paint_window(row.window, tiles[row.ply][row.current])
        for row in rows:
            setter = bound_setter(rows, row.ply)
            if setter is not None and row.current in tiles[row.ply] and setter[1] in tiles[setter[0]]:
                self._paint_cause(tiles[setter[0]][setter[1]], tiles[row.ply][row.current], setter[0] == row.ply)

    def paint_legend(self, right: int) -> None:
        """The meaning of the tiles' shapes, right of the root, if there is room for it."""
        searched = mixed(self._card, self._ink, SEARCHED)
        kinds = (
            (tr("searched"), Look(searched, self._line, 1)),
            (tr("not visited"), Look(self._card, self._line, 1)),
            (tr("cut here"), Look(self._card, self._cut, self._px(2))),
            (tr("on the path"), Look(self._card, self._ink, self._px(2))),
            (tr("pruned"), Look(self._card, self._line, 1, hatched=True)),
        )
        metrics, wide, high = QFontMetrics(self._note), self._px(20), self._px(14)
        column = max(metrics.horizontalAdvance(words) for words, _ in kinds) + wide + self._px(24)
        line = self._px(21)
        left = right - 2 * column
        if left < self._measures.left + self._measures.step + self._px(60) or self._measures.height < 3 * line:
            return
        for place, (words, look) in enumerate(kinds):
            x, y = left + place // 3 * column, self._px(6) + place % 3 * line
            self._paint_ground(QRect(x, y, wide, high), look, self._px(3))
            frame = QRect(x + wide + self._px(7), y, column, high)
            self._write(frame, _LEFT, words, self._note, self._dim)

    def _paint_name(self, row: Row) -> None:
        """The side to move in the row, and its ply or, where its numbers stand beside no bracket, its window."""
        window, is_cut = row.window, row.window is not None and row.window.cut
        ply = tr("ply {ply}", ply=row.ply)
        name = ply if row.negamax else tr("MAX") if row.mover == MAX_PLAYER else tr("MIN")
        mover = tr("{player} to move", player=retold(row.game.notation.players[row.mover]))
        lines = [(name, self._value, self._ink), (mover, self._note, self._dim)]
        if window is not None and (window.is_null or is_cut or not self._measures.numbers):
            lines.append((window.text, *((self._bold, self._cut) if is_cut else (self._note, self._dim))))
        elif not row.negamax:
            lines.append((ply, self._note, self._dim))
        height = self._measures.text
        top = row.ply * self._measures.pitch + max(0, (self._measures.height - height * len(lines)) // 2)
        for number, (text, font, colour) in enumerate(lines):
            frame = QRect(0, top + number * height, self._measures.left * 2, height)
            self._write(frame, _LEFT, text, font, colour)

    def _paint_lines(self, parent: QRect, row: Row, tiles: Tiles) -> None:
        """Elbow lines from a node to its children; the one on the path in ink, those to pruned children dashed."""
        half = self._measures.gap // 2
        start, middle = QPointF(parent.center().x(), parent.bottom() + 1), parent.bottom() + half
        centres = {index: tile.center().x() for index, tile in tiles.items()}
        pruned = {index for index in tiles if row.cell(index).state is State.PRUNED}
        thin = QColor(self._dim)
        thin.setAlphaF(max(0.45, theme().colours.least))
        for dashed, indices in ((True, pruned), (False, tiles.keys() - pruned)):
            if not indices:
                continue
            self._painter.setPen(QPen(thin, 1, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine))
            ends = [centres[index] for index in indices] + [parent.center().x()]
            self._painter.drawLine(QPointF(min(ends), middle), QPointF(max(ends), middle))
            for index in indices:
                self._painter.drawLine(QPointF(centres[index], middle), QPointF(centres[index], tiles[index].top()))
        self._painter.setPen(QPen(self._ink if row.current is not None else thin, self._px(2)))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        current = row.current
        if current is not None and current in tiles:
            end = QPointF(centres[current], tiles[current].top())
            points = [start, QPointF(start.x(), middle), QPointF(end.x(), middle), end]
            self._painter.drawPolyline(QPolygonF(points))
        else:
            self._painter.drawLine(start, QPointF(start.x(), middle))

    def _paint_tile(
        self, row: Row, index: int, tile: QRect, is_cursor: bool, fresh: frozenset[tuple[int, int]], fade: float
    ) -> None:
        """A board with its move and its value."""
        cell, pad = row.cell(index), self._measures.pad
        look = self._look_of(row, index, cell, is_cursor)
        self._paint_ground(tile, look, self._px(7))
        side, faded = self._measures.board, cell.state is State.UNVISITED
        corner_of_board = QPoint(tile.left() + (tile.width() - side) // 2, tile.top() + pad)
        pruned = cell.state is State.PRUNED
        self._painter.setOpacity(PRUNED_OPACITY if pruned else 1.0)
        if self._ratio is None:
            paint_mini_board(self._painter, row.game, row.position(index), corner_of_board, side, faded)
        else:
            board = mini_board(row.game, row.position(index), side, self._ratio, faded)
            self._painter.drawPixmap(corner_of_board, board)
        self._painter.setOpacity(1.0)
        board = QRect(corner_of_board, tile.size()).adjusted(0, 0, side - tile.width(), side - tile.height())
        if pruned:
            self._painter.setPen(QPen(self._ink, max(1.4, side * 0.03)))
            self._painter.drawLine(QPointF(board.bottomLeft()), QPointF(board.topRight()))
        if cell.leaf is Leaf.TABLE:
            self._paint_mark(tile)
        self._paint_caption(row, cell, tile, fade if (row.ply, cell.move) in fresh else 1.0)

    def _paint_ground(self, tile: QRect, look: Look, corner: int) -> None:
        """The ground and the edge of a tile."""
        if self._ratio is None:
            _paint_ground(self._painter, tile, look.line, corner, look.edge, look.fill, look.hatched)
            return
        size, edge, fill = (tile.width(), tile.height()), look.edge.rgba(), look.fill.rgba()
        ground = _ground(*size, look.line, corner, edge, fill, look.hatched, self._ratio)
        self._painter.drawPixmap(tile.topLeft(), ground)

    def _look_of(self, row: Row, index: int, cell: Cell, is_cursor: bool) -> Look:
        """Searched: filled. On the path or begun: an outline in ink. Not visited: a hairline. Pruned: hatched."""
        if index == row.current:
            is_cut = row.here is not None and row.here.cut
            return Look(self._card, self._cut if is_cut else self._ink, self._px(3 if is_cursor or is_cut else 2))
        match cell.state:
            case State.OPEN:
                return Look(self._card, self._ink, self._px(2))
            case State.UNVISITED:
                return Look(self._card, self._line, 1)
            case State.PRUNED:
                return Look(self._card, self._line, 1, hatched=True)
            case State.UNRECORDED:
                return Look(self._line, self._line, 1)
        return Look(mixed(self._card, self._ink, SEARCHED), self._line, 1)

    def _paint_caption(self, row: Row, cell: Cell, tile: QRect, fade: float) -> None:
        """The move on the left, where there is room for it, and the value on the right."""
        line = QRect(tile.left(), tile.bottom() - self._measures.text - self._px(2), tile.width(), self._measures.text)
        line.adjust(self._px(6), 0, -self._px(6), 0)
        unknown = cell.state in (State.PRUNED, State.UNRECORDED) or cell.depth is not None
        colour = QColor(self._dim if unknown else self._favours[cell.favours])
        if cell.value is not None and not cell.value.is_exact and not unknown:
            colour = QColor(self._ink)
        colour.setAlphaF(fade)
        font = self._note if unknown else self._value
        name = "" if cell.move is None else row.game.notation.move_name(cell.move)
        wide = QFontMetrics(self._name).horizontalAdvance(name) + QFontMetrics(font).horizontalAdvance(cell.text)
        fits = bool(name) and wide + self._px(6) <= line.width()
        if fits:
            self._write(line, _LEFT, name, self._name, self._dim)
        over = 0 if fits else self._px(20)
        self._write(line.adjusted(-over, 0, over, 0), _RIGHT if fits else _CENTRE, cell.text, font, colour)

    def _paint_mark(self, tile: QRect) -> None:
        """A small T in the corner: the position was found in the transposition table."""
        side = self._px(13)
        badge = QRect(tile.right() - side + self._px(4), tile.top() - self._px(4), side, side)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._ink)
        self._painter.drawRoundedRect(badge, self._px(3), self._px(3))
        self._write(badge, _CENTRE, "T", self._bold, self._card)

    def _paint_window(self, window: Window, tile: QRect) -> None:
        """The window as brackets round a tile, α on the left and β on the right; an empty one is turned outward."""
        colour = self._cut if window.cut else self._ink
        tick = self._px(4)
        away = self._px(8) if self._measures.numbers else self._px(4)
        top, bottom = tile.top() + tile.height() * 0.22, tile.top() + tile.height() * 0.78
        for bound, x, side in ((window.alpha, tile.left() - away, 1), (window.beta, tile.right() + away, -1)):
            inward = -side if window.cut else side
            path = QPainterPath(QPointF(x + inward * tick, top))
            for point in ((x, top), (x, bottom), (x + inward * tick, bottom)):
                path.lineTo(*point)
            self._painter.setPen(QPen(colour, self._px(2 if window.cut else 1) + 0.5))
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
            self._painter.drawPath(path)
            if self._measures.numbers and not window.is_null:
                beyond = self._px(3) + (tick if window.cut else 0)
                line = QRect(0, tile.center().y() - self._measures.text // 2, self._px(80), self._measures.text)
                line.moveLeft(x + beyond) if side < 0 else line.moveRight(x - beyond)
                self._write(line, _LEFT if side < 0 else _RIGHT, signed(bound), self._bold, colour)

    def _paint_cause(self, setter: QRect, cut: QRect, is_sibling: bool) -> None:
        """A line from the tile of the move that set the bound to the tile of the cut, which are siblings or rows
        apart."""
        gap, arrow = self._measures.gap, self._px(4)
        start = QPointF(setter.center().x(), setter.bottom())
        under = setter.bottom() + gap * 0.27
        points = [start, QPointF(start.x(), under)]
        if is_sibling:
            end = QPointF(cut.center().x() - self._px(9), cut.bottom() + 1)
            points += [QPointF(end.x(), under), end]
        else:
            beside, over = self._measures.left - self._px(9), cut.top() - gap * 0.27
            end = QPointF(cut.center().x() - self._px(9), cut.top())
            points += [QPointF(beside, under), QPointF(beside, over), QPointF(end.x(), over), end]
        self._painter.setPen(QPen(self._cut, self._px(2)))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawPolyline(QPolygonF(points))
        self._painter.setBrush(self._cut)
        self._painter.drawEllipse(start, arrow * 0.8, arrow * 0.8)
        tip = -arrow if is_sibling else arrow
        head = [end, end - QPointF(arrow, tip * 1.5), end - QPointF(-arrow, tip * 1.5)]
        self._painter.drawPolygon(QPolygonF(head))

    def _write(self, frame: QRect, where: Qt.AlignmentFlag, text: str, font: QFont, colour: QColor) -> None:
        self._painter.setFont(font)
        self._painter.setPen(colour)
        self._painter.drawText(frame, where, text)


def bold(size: float) -> QFont:
    """The font of names, values and cutoffs."""
    return theme().font(size, QFont.Weight.DemiBold)


@lru_cache(maxsize=64)
def _ground(
    width: int, height: int, line: int, corner: int, edge: int, fill: int, hatched: bool, ratio: float
) -> QPixmap:
    """The ground of a tile, from a cache: a smooth round corner takes as long as twenty boards."""
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colours = QColor.fromRgba(edge), QColor.fromRgba(fill)
    _paint_ground(painter, QRect(0, 0, width, height), line, corner, *colours, hatched)
    painter.end()
    return pixmap


def _paint_ground(
    painter: QPainter, tile: QRect, line: int, corner: int, edge: QColor, fill: QColor, hatched: bool
) -> None:
    frame, inset = QPainterPath(), line / 2
    frame.addRoundedRect(QRectF(tile).adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.fillPath(frame, fill)
    if hatched:
        painter.setPen(QPen(edge, 1.2))
        wide, high = tile.width() - 2 * line, min(tile.width(), tile.height()) - 2 * line  # the caption stays plain
        for start in range(HATCH - high, wide, HATCH):
            first, last = max(0, start), min(wide, start + high)
            ends = (QPointF(x + line, high - (x - start) + line) for x in (first, last))
            painter.drawLine(*(QPointF(tile.topLeft()) + end for end in ends))
    painter.setPen(QPen(edge, line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(frame)
