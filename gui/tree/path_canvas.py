"""The picture of the path: one widget that paints the mini boards of all rows."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from engine.result import INFINITY, State, is_estimate
from engine.rules.contract import WIN, plies_bound, traits
from gui.i18n.glossary import tip
from gui.i18n.language import retold, tr
from gui.style.theme import NOTE, theme
from gui.tree.path_model import MAX_PLAYER, Row, Windows, shown, tool_tip
from gui.tree.path_painter import Axis, Measures, RowPainter, bold

MIN_BOARD, SCROLLED_BOARD, MAX_BOARD = 34, 42, 64
"""Board sizes in pixels. Boards shrink to MIN_BOARD so that all rows fit; where they cannot, the picture scrolls, with
boards of SCROLLED_BOARD."""
LEGIBLE_SQUARE = 8
"""The side of a square, in pixels, to which boards shrink at most where siblings do not all fit in a row."""
FIT_ROWS = 10
"""The number of rows above which the picture always scrolls."""
NARROW = 400
"""The width below which windows are written as text below the side to move, without a gauge."""


class Spot(NamedTuple):
    """One board of the picture."""

    row: int
    place: int
    """The index of the board in its row."""


class PathPicture(QWidget):
    """Paints rows; emits the board that was pressed. Its owner decides what to show."""

    pressed = Signal(object)
    """The Spot of a board."""
    double_pressed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self._high_water = 1
        self._room = QSize()
        self._fresh: frozenset[tuple[int, int]] = frozenset()
        self._fade = 1.0
        self._pressed_spot: Spot | None = None
        self.running = False
        """Whether the search runs, so that unvisited nodes may still be visited."""
        self.setMouseTracking(True)

    def set_rows(self, rows: tuple[Row, ...], keep_size: bool) -> None:
        """Show these rows. `keep_size` keeps the size of the longest path so far, so that boards and scroll bar do not
        jump while the depth of a search changes."""
        self._rows = rows
        self._high_water = max(self._high_water, len(rows)) if keep_size else len(rows)
        self._fit()

    def set_room(self, room: QSize) -> None:
        """Set the visible size, scroll bars not subtracted."""
        self._room = room
        self._fit()

    def set_fade(self, fresh: frozenset[tuple[int, int]], progress: float) -> None:
        """Set the opacity of the values of these (row, move) to `progress`, 0 to 1."""
        self._fresh, self._fade = fresh, progress
        self.update()

    def row_rect(self, row: int) -> QRect:
        """The area of one row."""
        pitch = self._measures().pitch
        return QRect(0, row * pitch, self.width(), pitch)

    def spot_at(self, point: QPoint) -> Spot | None:
        """The board at a point; None beside the boards."""
        measures = self._measures()
        number = point.y() // measures.pitch
        if not 0 <= number < len(self._rows):
            return None
        row = self._rows[number]
        visible = self._visible(row, measures)
        for index in visible:
            if measures.board_rect(row.ply, index, visible).adjusted(-4, -4, 4, measures.text).contains(point):
                return Spot(number, index)
        return None

    def _words_at(self, point: QPoint) -> str:
        """An explanation of the words beside the boards, at a point."""
        measures = self._measures()
        number = point.y() // measures.pitch
        if not 0 <= number < len(self._rows):
            return ""
        row, words = self._rows[number], []
        on_name = point.x() < measures.left
        on_gauge = point.x() >= self.width() - measures.gauge - measures.margin if measures.gauge else on_name
        if on_name:
            words = ["ply"] if row.negamax else ["MAX" if row.mover == MAX_PLAYER else "MIN"]
        if on_gauge and row.window is not None:
            words += ["alpha", "beta", *(["cutoff"] if row.window.cut else [])]
        return tip(*words)

    def _fit(self) -> None:
        """Set the height to that of the rows, so that the picture scrolls by whole rows."""
        pitch, seen = self._measures().pitch, max(0, self._room.height())
        unseen = max(0, self._high_water * pitch - seen) if self._rows else 0
        self.setMinimumHeight(seen + -(-unseen // pitch) * pitch if unseen else 0)
        self.update()

    def _measures(self) -> Measures:
        look = theme()
        notes, strong = QFontMetrics(look.font(NOTE)), QFontMetrics(bold(NOTE))
        room = self._room if self._room.isValid() else self.size()
        players = map(retold, self._rows[0].game.notation.players if self._rows else ("X", "O"))
        left = max(notes.horizontalAdvance(tr("{player} to move", player=player)) for player in players) + look.px(18)
        text, pad, margin = QFontMetrics(bold(NOTE + 1)).height(), look.px(5), look.px(6)
        gauge = 0
        if any(row.windows is not Windows.NONE for row in self._rows) and room.width() >= look.px(NARROW):
            widest = "α −1  β +1" if self._axis().end == 1 else "α −10  β +10"
            widest = "α −0.12  β +0.12" if self._has_estimates() else widest
            gauge = strong.horizontalAdvance(f"{widest}  {tr('cut')}")
        space = room.width() - left - gauge - margin - look.px(16)
        most = max((len(row) for row in self._rows[1:2]), default=1) or 1
        over, gap = text + 2 * pad, look.px(5)
        tall = room.height() // max(1, min(FIT_ROWS, self._high_water)) - over - gap
        if self._high_water > FIT_ROWS or tall < look.px(MIN_BOARD):
            whole = max(1, room.height() // (look.px(SCROLLED_BOARD) + over + gap))
            tall = room.height() // whole - over - gap
        least = strong.horizontalAdvance(tr("pruned")) + look.px(5)
        if any(row.is_cut_short for row in self._rows):
            least = notes.horizontalAdvance(tr("not recorded")) + look.px(5)
        for depth in {row.deepest_of_others for row in self._rows[:2]} - {None}:
            value = "≥ −0.12" if self._has_estimates() else "≥ −1"
            written = tr("{value}, depth {depth}", value=value, depth=depth)
            least = max(least, notes.horizontalAdvance(written) + look.px(12))
        wide = space // most
        narrow = wide - look.px(10)
        if narrow < look.px(MIN_BOARD):
            narrow = look.px(max(SCROLLED_BOARD, round(LEGIBLE_SQUARE / self._side())))
        board = max(look.px(MIN_BOARD), min(look.px(MAX_BOARD), tall, narrow))
        step = max(board + look.px(10), least, min(wide, round(board * 1.36)))
        left += max(0, (least - board) // 2 - look.px(12))  # the first board's text may be wider than the board
        fitting = max(1, room.height() // (board + over + gap))
        air = max(gap, room.height() // fitting - over - board)
        if self._high_water <= fitting:
            air = min(look.px(14), max(gap, room.height() // max(1, self._high_water) - over - board))
        return Measures(board, pad, text, board + over + air, step, left, gauge, margin)

    def _side(self) -> float:
        """The side of a square, as a share of its board's."""
        return self._rows[0].game.view.side if self._rows else 1

    def _has_estimates(self) -> bool:
        levels = [row.here for row in self._rows if row.here is not None]
        return any(is_estimate(value) for level in levels for value in (level.alpha, level.beta, level.best))

    def _axis(self) -> Axis:
        """The axis of the gauges: to 1, or from the latest win to the soonest where sooner is better, or to the largest
        margin."""
        levels = [row.here for row in self._rows if row.here is not None]
        bounds = [abs(bound) for level in levels for bound in (level.alpha, level.beta) if abs(bound) < INFINITY]
        if max(bounds, default=1) <= 1:
            return Axis(1)
        margin = traits(self._rows[0].parent).utility
        return Axis(margin) if margin > 1 else Axis(WIN, WIN - 1 - plies_bound(self._rows[0].parent))

    def _visible(self, row: Row, measures: Measures) -> range:
        room = self.width() - measures.left - measures.gauge - measures.margin - theme().px(8)
        middle = row.best if row.focus is None else row.focus
        return shown(len(row), middle, max(1, room // measures.step))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows:
            return
        measures = self._measures()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._rows[0].game.view.colours
        drawn = RowPainter(painter, measures, self.width(), self._axis(), self.devicePixelRatioF(), colours)
        cursor = max((row.ply for row in self._rows if row.current is not None), default=0)
        for row in self._rows:
            if event.rect().intersects(QRect(0, row.ply * measures.pitch, self.width(), measures.pitch)):
                drawn.paint(row, self._visible(row, measures), row.ply == cursor, self._fresh, self._fade)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            spot = self.spot_at(event.pos())
            said = None if spot is None else tool_tip(self._rows[spot.row], spot.place, self.running)
            QToolTip.showText(event.globalPos(), said or self._words_at(event.pos()), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_spot = self.spot_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_spot is not None:
            self.pressed.emit(self._pressed_spot)
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle the board of the first click, which may have moved the boards."""
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_spot is not None:
            self.double_pressed.emit(self._pressed_spot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = self.spot_at(event.position().toPoint())
        visited = spot is not None and self._rows[spot.row].cell(spot.place).state in (State.DONE, State.OPEN)
        self.setCursor(Qt.CursorShape.PointingHandCursor if visited else Qt.CursorShape.ArrowCursor)
