"""The picture of the path: one widget that paints the mini boards of all rows."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from engine.result import State, is_estimate
from engine.rules.contract import Game
from engine.text.numbers import signed
from gui.i18n.glossary import tip
from gui.i18n.language import retold, tr
from gui.style.theme import NOTE, theme
from gui.tree.path_model import MAX_PLAYER, Row, shown
from gui.tree.path_painter import Measures, PathPainter, bold
from gui.tree.path_text import tool_tip

MIN_BOARD, SCROLLED_BOARD, MAX_BOARD = 34, 42, 88
"""Board sizes in pixels. Boards shrink to MIN_BOARD so that all rows fit; where they cannot, the picture scrolls, with
boards of SCROLLED_BOARD."""
LEGIBLE_SQUARE = 8
"""The side of a square, in pixels, to which boards shrink at most where siblings do not all fit in a row."""
ROWS, FIT_ROWS = 5, 10
"""A path of fewer rows has boards as if it had ROWS, so that they keep their size from step to step; one of more than
FIT_ROWS scrolls."""
GAP, WIDE_GAP, APART = 15, 26, 10
"""The space in pixels between two rows, at least and at most, and between two tiles, at least."""


def names_width(game: Game | None) -> int:
    """The width of the names of rows in pixels: where the boards begin, and what stands under them."""
    players = map(retold, ("X", "O") if game is None else game.notation.players)
    metrics = QFontMetrics(theme().font(NOTE))
    return max(metrics.horizontalAdvance(tr("{player} to move", player=player)) for player in players) + theme().px(48)


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
        self._asked = Spot(-1, 0)
        """The board whose row was asked to show it."""
        self.running = False
        """Whether the search runs, so that unvisited nodes may still be visited."""
        self.setMouseTracking(True)

    def set_rows(self, rows: tuple[Row, ...], keep_size: bool) -> None:
        """Show these rows. `keep_size` keeps the size of the longest path of a running search, so that boards and
        scroll bar do not jump while its depth changes."""
        path = [row.moves for row in self._rows]
        self._rows = rows
        self._high_water = max(self._high_water, len(rows)) if keep_size and self.running else len(rows)
        if path != [row.moves for row in rows]:
            self._asked = Spot(-1, 0)
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
        row, measures = self._row_at(point), self._measures()
        if row is None:
            return None
        visible = self._visible(row, measures)
        found = (index for index in visible if measures.tile(row.ply, index, visible).contains(point))
        return next((Spot(row.ply, index) for index in found), None)

    def _row_at(self, point: QPoint) -> Row | None:
        number = point.y() // self._measures().pitch
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def _left_out_at(self, point: QPoint) -> Spot | None:
        """The board in the middle of those to be shown when the count at a point is pressed; None without a count."""
        row, measures = self._row_at(point), self._measures()
        if row is None:
            return None
        visible = self._visible(row, measures)
        before, after = max(1, len(visible) // 2), (len(visible) - 1) // 2
        for index, middle in ((visible.start - 1, visible.start - before), (visible.stop, visible.stop + after)):
            if 0 <= index < len(row) and measures.tile(row.ply, index, visible).contains(point):
                return Spot(row.ply, min(len(row) - 1, max(0, middle)))
        return None

    def _words_at(self, point: QPoint) -> str:
        """An explanation of the words beside the boards, at a point."""
        row, measures = self._row_at(point), self._measures()
        if row is None or point.x() >= measures.left:
            return ""
        words = ["ply"] if row.negamax else ["MAX" if row.mover == MAX_PLAYER else "MIN"]
        if row.window is not None:
            words += ["alpha", "beta", *(["cutoff"] if row.window.cut else [])]
        return tip(*words)

    def _fit(self) -> None:
        """Set the height to that of the rows, so that the picture scrolls by whole rows."""
        pitch, seen = self._measures().pitch, max(0, self._room.height())
        unseen = max(0, self._high_water * pitch - seen) if self._rows else 0
        self.setMinimumHeight(seen + -(-unseen // pitch) * pitch if unseen else 0)
        self.update()

    def _measures(self) -> Measures:
        look, notes = theme(), QFontMetrics(theme().font(NOTE))
        room = self._room if self._room.isValid() else self.size()
        left = names_width(self._rows[0].game if self._rows else None)
        text, pad, gap = QFontMetrics(bold(NOTE + 1)).height(), look.px(5), look.px(GAP)
        over = text + 2 * pad + gap
        most = max((len(row) for row in self._rows[1:2]), default=1) or 1
        count = max(1, self._high_water, min(ROWS, room.height() // (look.px(SCROLLED_BOARD) + over)))
        tall = room.height() // count - over
        if count > FIT_ROWS or tall < look.px(MIN_BOARD):
            whole = max(1, room.height() // (look.px(SCROLLED_BOARD) + over))
            tall = room.height() // whole - over
        least = self._least_width(notes)
        wide = (room.width() - left - look.px(16)) // most
        narrow = wide - look.px(APART) - 2 * pad
        if narrow < look.px(MIN_BOARD):
            narrow = look.px(max(SCROLLED_BOARD, round(LEGIBLE_SQUARE / self._side())))
        board = max(look.px(MIN_BOARD), min(look.px(MAX_BOARD), tall, narrow))
        width = max(board + 2 * pad, least)
        numbers = self._number_width()
        step = max(width + look.px(APART), min(wide, max(width + numbers, round(width * 1.4))))
        fitting = max(1, room.height() // (board + over))
        if count <= fitting:
            gap = min(look.px(WIDE_GAP), room.height() // count - board - over + gap)
        return Measures(board, pad, text, width, gap, step, left, step - width >= numbers)

    def _least_width(self, notes: QFontMetrics) -> int:
        """The width of a tile that the longest texts of the rows need."""
        words = [tr("pruned")] + [tr("not recorded")] * any(row.is_cut_short for row in self._rows)
        for depth in {row.deepest_of_others for row in self._rows[:2]} - {None}:
            value = "≥ −0.12" if self._has_estimates() else "≥ −1"
            words.append(tr("{value}, depth {depth}", value=value, depth=depth))
        return max(map(notes.horizontalAdvance, words)) + theme().px(10)

    def _number_width(self) -> int:
        """The space between two tiles that a window's bracket and its number need; 0 where there are no windows."""
        windows = [row.window for row in self._rows]
        ends = {signed(end) for window in windows if window is not None for end in (window.alpha, window.beta)}
        metrics = QFontMetrics(bold(NOTE))
        return max(map(metrics.horizontalAdvance, ends)) + theme().px(18) if ends else 0

    def _side(self) -> float:
        """The side of a square, as a share of its board's."""
        return self._rows[0].game.view.side if self._rows else 1

    def _has_estimates(self) -> bool:
        levels = [row.here for row in self._rows if row.here is not None]
        return any(is_estimate(value) for level in levels for value in (level.alpha, level.beta, level.best))

    def _visible(self, row: Row, measures: Measures) -> range:
        """The indices of the row's boards that are shown: those around the path, or those that were asked for."""
        capacity = max(1, (self.width() - measures.left - theme().px(8)) // measures.step)
        middle = row.best if row.focus is None else row.focus
        ply, asked = self._asked
        return shown(len(row), asked if ply == row.ply else middle, capacity)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows:
            return
        measures = self._measures()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawn = PathPainter(painter, measures, self.devicePixelRatioF(), self._rows[0].game.view.colours)
        visible = [self._visible(row, measures) for row in self._rows]
        drawn.paint_legend(self.width())
        drawn.paint(self._rows, visible, event.rect(), self._fresh, self._fade)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            spot = self.spot_at(event.pos())
            tip = None if spot is None else tool_tip(self._rows[spot.row], spot.place, self.running)
            QToolTip.showText(event.globalPos(), tip or self._words_at(event.pos()), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_spot = self.spot_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_spot is not None:
            self.pressed.emit(self._pressed_spot)
        elif (asked := self._left_out_at(event.position().toPoint())) is not None:
            self._asked = asked
            self.update()
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle the board of the first click, which may have moved the boards."""
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_spot is not None:
            self.double_pressed.emit(self._pressed_spot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = self.spot_at(event.position().toPoint())
        visited = spot is not None and self._rows[spot.row].cell(spot.place).state in (State.DONE, State.OPEN)
        opens = visited or self._left_out_at(event.position().toPoint()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
