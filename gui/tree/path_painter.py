"""Paints a row of the path: its name, its boards with their values, its window."""

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap

from engine.result import INFINITY, Bound, Leaf, State, Value
from gui.i18n.language import tr
from gui.style.theme import NOTE, theme
from gui.tree.path_model import MAX_PLAYER, Cell, Row, Window
from gui.widgets.drawing import mini_board

PRUNED_OPACITY = 0.55

_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Measures(NamedTuple):
    """Lengths in a row, in pixels."""

    board: int
    pad: int
    """The space above and below a board, for its frame."""
    text: int
    """The height of a line."""
    pitch: int
    """The distance from one row to the next."""
    step: int
    """The distance from one board to its sibling."""
    left: int
    """The first board's left edge."""
    gauge: int
    """The width of a window's gauge; 0 where there is no room for one."""
    margin: int
    """The space to the right of the gauges."""

    def board_rect(self, ply: int, index: int, visible: range) -> QRect:
        """The area of a visible board of a row, or of the count of boards beside them."""
        place = index - visible.start + (1 if visible.start > 0 else 0)
        return QRect(self.left + place * self.step, ply * self.pitch + self.pad, self.board, self.board)


class Axis(NamedTuple):
    """The axis of the gauges, for values of either sign."""

    end: int
    """The largest value."""
    start: int = 0
    """The smallest value of a win; values nearer to 0 are drawn in the middle."""


class RowPainter:
    """Draws rows with one painter; fonts and colours are made once for all boards."""

    def __init__(
        self,
        painter: QPainter,
        measures: Measures,
        width: int,
        axis: Axis,
        ratio: float,
        colours: tuple[str, str] = ("x", "o"),
    ) -> None:
        """`width` is the picture's, `axis` the gauges', `colours` the players'."""
        look = theme()
        self._painter, self._measures, self._width, self._axis, self._ratio = painter, measures, width, axis, ratio
        self._ink, self._dim, self._line = look.colour("ink"), look.colour("dim"), look.colour("line")
        self._card, self._selected = look.colour("card"), look.colour("x")
        first, second = colours
        self._favours = {0: look.text_colour(first), 1: look.text_colour(second), None: look.colour("draw")}
        self._note, self._bold, self._value = look.font(NOTE), bold(NOTE), bold(NOTE + 1)
        stroke = QColor(self._ink)
        stroke.setAlphaF(0.9)
        self._stroke = QPen(stroke, max(1.4, measures.board * 0.036))
        self._stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._px = look.px

    def paint(self, row: Row, visible: range, is_cursor: bool, fresh: frozenset[tuple[int, int]], fade: float) -> None:
        """Draw a row. Values of the (row, move) in `fresh` have the opacity `fade`."""
        self._paint_name(row)
        for index in visible:
            frame, cell = self._measures.board_rect(row.ply, index, visible), row.cell(index)
            if index == row.current:
                self._paint_frame(frame, is_cursor)
            self._paint_board(row, index, cell, frame)
            if cell.leaf is Leaf.TABLE:
                self._paint_mark(frame)
            if cell.text:
                self._paint_value(cell, frame, fade if (row.ply, cell.move) in fresh else 1.0)
        for index, count in ((visible.start - 1, visible.start), (visible.stop, len(row) - visible.stop)):
            if count > 0:
                frame = self._measures.board_rect(row.ply, index, visible).adjusted(-6, 0, 6, 0)
                self._write(frame, _CENTRE, tr("+ {count}\nmore", count=count), self._note, self._dim)
        if self._measures.gauge and row.window is not None:
            self._paint_window(row, row.window)

    def _paint_name(self, row: Row) -> None:
        """The side to move in the row and, where there is no gauge, its window."""
        name = tr("ply {ply}", ply=row.ply) if row.negamax else tr("MAX") if row.mover == MAX_PLAYER else tr("MIN")
        mover = tr("{player} to move", player=row.game.notation.players[row.mover])
        lines = [(name, self._value, self._ink), (mover, self._note, self._dim)]
        if not self._measures.gauge and row.window is not None:
            lines.append((row.window.text, *self._window_look(row.window)))
        height = self._measures.text
        top = row.ply * self._measures.pitch + self._measures.pad + (self._measures.board - height * len(lines)) // 2
        for number, (text, font, colour) in enumerate(lines):
            frame = QRect(0, top + number * height, self._measures.left * 2, height)
            self._write(frame, _LEFT, text, font, colour)

    def _paint_frame(self, frame: QRect, is_cursor: bool) -> None:
        pad, look = self._measures.pad, theme()
        edge, wash = look.colour("x", 1.0 if is_cursor else 0.5).rgba(), look.colour("selected").rgba()
        behind = _frame(frame.width() + 2 * pad, self._px(2), self._px(6), edge, wash, self._ratio)
        self._painter.drawPixmap(frame.topLeft() - QPoint(pad, pad), behind)

    def _paint_board(self, row: Row, index: int, cell: Cell, frame: QRect) -> None:
        faded, pruned = cell.state is State.UNVISITED, cell.state is State.PRUNED
        if cell.state is State.UNRECORDED:
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(self._line)
            self._painter.drawRoundedRect(frame, self._px(4), self._px(4))
        picture = mini_board(row.game, row.position(index), frame.width(), self._ratio, faded)
        self._painter.setOpacity(PRUNED_OPACITY if pruned else 1.0)
        self._painter.drawPixmap(frame.topLeft(), picture)
        self._painter.setOpacity(1.0)
        if pruned:
            beyond = QPointF(1, -1)
            self._painter.setPen(self._stroke)
            self._painter.drawLine(QPointF(frame.bottomLeft()) - beyond, QPointF(frame.topRight()) + beyond)

    def _paint_mark(self, frame: QRect) -> None:
        """A small T in the corner: the position was found in the transposition table."""
        side = self._px(13)
        badge = QRect(frame.right() - side + self._px(4), frame.top() - self._px(4), side, side)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._ink)
        self._painter.drawRoundedRect(badge, self._px(3), self._px(3))
        self._write(badge, _CENTRE, "T", self._bold, self._card)

    def _paint_value(self, cell: Cell, frame: QRect, fade: float) -> None:
        unknown = cell.state in (State.PRUNED, State.UNRECORDED) or cell.depth is not None
        is_bound = cell.bound is not Bound.EXACT
        colour = QColor(self._dim if unknown else self._ink if is_bound else self._favours[cell.favours])
        colour.setAlphaF(fade)
        over = max(20, (self._measures.step - frame.width()) // 2)
        top = frame.bottom() + 1 + self._measures.pad
        below = QRect(frame.left() - over, top, frame.width() + 2 * over, self._measures.text)
        self._write(below, _CENTRE, cell.text, self._note if unknown else self._value, colour)

    def _paint_window(self, row: Row, window: Window) -> None:
        """The window as the blue part of a bar from −∞ to +∞; as two ticks where it is empty."""
        width, height = self._measures.gauge, self._px(4)
        left = self._width - width - self._measures.margin
        top = row.ply * self._measures.pitch + self._measures.pad + self._measures.board // 2 - self._px(7)
        low, high = (left + width * self._share(bound) for bound in (window.alpha, window.beta))
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._line)
        painter.drawRoundedRect(QRectF(left, top, width, height), height / 2, height / 2)
        painter.setBrush(self._selected)
        if high - low >= height:
            painter.drawRoundedRect(QRectF(low, top, high - low, height), height / 2, height / 2)
        else:
            tick, over = self._px(3), self._px(4)
            for bound in {low, high}:
                painter.drawRoundedRect(
                    QRectF(bound - tick / 2, top - over, tick, height + 2 * over), tick / 2, tick / 2
                )
        frame = QRect(left - 20, top + self._px(10), width + 40, self._measures.text)
        self._write(frame, _CENTRE, window.text, *self._window_look(window))

    def _share(self, bound: Value) -> float:
        """The place of a bound between −∞ (0) and +∞ (1)."""
        if abs(bound) >= INFINITY:
            return 1.0 if bound > 0 else 0.0
        start, end = self._axis.start, self._axis.end
        reach = 0.25 if end == 1 else 0.4
        size = min(1.0, max(0.0, (abs(bound) - start) / (end - start)))
        return 0.5 + reach * (size if bound > 0 else -size)

    def _window_look(self, window: Window) -> tuple[QFont, QColor]:
        return (self._bold, self._ink) if window.cut else (self._note, self._dim)

    def _write(self, frame: QRect, where: Qt.AlignmentFlag, text: str, font: QFont, colour: QColor) -> None:
        self._painter.setFont(font)
        self._painter.setPen(colour)
        self._painter.drawText(frame, where, text)


def bold(size: float) -> QFont:
    """The font of names, values and cutoffs."""
    return theme().font(size, QFont.Weight.DemiBold)


@lru_cache(maxsize=64)
def _frame(side: int, line: int, corner: int, edge: int, wash: int, ratio: float) -> QPixmap:
    """The frame of a board on the path, from a cache: a smooth round corner takes as long as twenty boards."""
    pixmap = QPixmap(round(side * ratio), round(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(edge), line))
    painter.setBrush(QColor.fromRgba(wash))
    inset = 0.5 + line / 2
    painter.drawRoundedRect(QRectF(0, 0, side, side).adjusted(inset, inset, -inset, -inset), corner, corner)
    painter.end()
    return pixmap
