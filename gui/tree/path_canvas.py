"""The picture of the path: one widget that paints the mini boards of all rows."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QRegion
from PySide6.QtWidgets import QToolTip

from engine.result import State
from engine.rules.contract import Position
from gui.i18n.glossary import tip
from gui.tree.path_layout import LEGEND_ROWS, fitted, reach, visible
from gui.tree.path_model import Row, changed
from gui.tree.path_painter import PathPainter
from gui.tree.path_places import Seen, place_of
from gui.tree.path_text import tool_tip
from gui.tree.path_tile import Measures
from gui.tree.pointed import Pointed


class Spot(NamedTuple):
    """One board of the picture."""

    row: int
    place: int
    """The index of the board in its row."""


class PathPicture(Pointed):
    """Paints rows; emits the board that was pressed, and the Spot that the pointer is on. Its owner decides what to
    show."""

    pressed = Signal(object)
    """The Spot of a board."""
    double_pressed = Signal(object)
    """The position of a board."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self._high_water = 1
        self._room = QSize()
        self._fresh: frozenset[tuple[int, int]] = frozenset()
        self._fade = 1.0
        self._pressed_position: Position | None = None
        """That of the board that was pressed last."""
        self._asked = Spot(-1, 0)
        """The board whose row was asked to show it."""
        self.measures: Measures
        """The lengths of the present picture."""
        self.running = False
        """Whether the search runs, so that unvisited nodes may still be visited."""
        self._fit()

    def set_rows(self, rows: tuple[Row, ...], keep_size: bool) -> None:
        """Show these rows. `keep_size` keeps the size of the longest path of a running search, so that boards and
        scroll bar do not jump while its depth changes."""
        before, measures, asked = self._rows, self.measures, self._asked
        self._rows = rows
        self.point(None)  # another board may be under the pointer now
        self._high_water = max(self._high_water, len(rows)) if keep_size and self.running else len(rows)
        if [row.moves for row in before] != [row.moves for row in rows]:
            self._asked = Spot(-1, 0)
        self._fit()
        if (measures, asked) == (self.measures, self._asked):
            self._update(changed(before, rows), before)
        else:
            self.update()

    def set_room(self, room: QSize) -> None:
        """Set the visible size, scroll bars not subtracted."""
        self._room = room
        self._fit()
        self.update()

    def set_fade(self, fresh: frozenset[tuple[int, int]], progress: float) -> None:
        """Set the opacity of the values of these (row, move) to `progress`, 0 to 1."""
        rows = {row for row, _ in self._fresh | fresh}
        self._fresh, self._fade = fresh, progress
        self._update(rows)

    def _update(self, rows: set[int], before: Sequence[Row] = ()) -> None:
        """Have those of these rows that are in view painted again, as far as they reach, or as they did `before`."""
        for row in rows.intersection(self.measures.plies(self.visibleRegion().boundingRect())):
            right = max(reach(path, row, self.measures) for path in (before, self._rows))
            self.update(self.measures.row(row, min(self.width(), right)))

    def row_rect(self, row: int) -> QRect:
        """The area of one row."""
        pitch = self.measures.pitch
        return QRect(0, row * pitch, self.width(), pitch)

    def spot_at(self, point: QPoint) -> Spot | None:
        """The board at a point; None beside the boards."""
        row = self._row_at(point)
        if row is None:
            return None
        boards = self._boards_at(point, row)
        return Spot(row.ply, boards[0]) if len(boards) == 1 else None

    def _boards_at(self, point: QPoint, row: Row) -> range:
        """What stands in the row's place at a point; empty beside its places."""
        seen = self._visible(row)
        found = (boards for place, boards in enumerate(seen) if self.measures.tile(row.ply, place).contains(point))
        return next(found, range(0))

    def _row_at(self, point: QPoint) -> Row | None:
        number = point.y() // self.measures.pitch
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def _left_out_at(self, point: QPoint) -> Spot | None:
        """The board in the middle of those to be shown when the count at a point is pressed; None without a count."""
        row = self._row_at(point)
        boards = range(0) if row is None else self._boards_at(point, row)
        if row is None or len(boards) < 2:
            return None
        outward = boards if boards.start > self._middle_of(row) else boards[::-1]

        def has_next(index: int) -> bool:
            """Whether the board next to those on display is shown around another one."""
            return place_of(visible(row, self.measures, self.width(), index), outward[0]) is not None

        return Spot(row.ply, [*takewhile(has_next, outward)][-1])

    def _words_at(self, point: QPoint) -> str:
        """An explanation of the words beside the boards, at a point."""
        row, measures = self._row_at(point), self.measures
        if row is None or point.x() >= measures.left:
            return ""
        words = ["ply"] if row.negamax or not row.roles else [*row.roles]
        if row.window is not None:
            words += ["alpha", "beta", *(["cutoff"] if row.window.cut else [])]
        return tip(*words)

    def _fit(self) -> None:
        """Set the height to that of the rows, so that the picture scrolls by whole rows."""
        room = self._room if self._room.isValid() else self.size()
        self.measures = fitted(self._rows, room, self._high_water)
        pitch, seen = self.measures.pitch, max(0, self._room.height())
        unseen = max(0, self._high_water * pitch - seen) if self._rows else 0
        self.setMinimumHeight(seen + -(-unseen // pitch) * pitch if unseen else 0)

    def _visible(self, row: Row) -> Seen:
        """What stands in the row's places."""
        return visible(row, self.measures, self.width(), self._asked_of(row))

    def _asked_of(self, row: Row) -> int | None:
        """The row's board that was asked for."""
        ply, asked = self._asked
        return asked if ply == row.ply else None

    def _middle_of(self, row: Row) -> int:
        """The row's board around which the others are shown."""
        asked, focus = self._asked_of(row), row.best if row.focus is None else row.focus
        return asked if asked is not None else focus or 0

    def paint(self, painter: QPainter, area: QRegion) -> None:
        if not self._rows:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawn = PathPainter(painter, self.measures, self.devicePixelRatioF(), self._rows[0].game)
        if area.boundingRect().top() < LEGEND_ROWS * self.measures.pitch:
            drawn.paint_legend(self._rows, self.width())
        drawn.paint(self._rows, self._visible, area, self._fresh, self._fade)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            spot = self.spot_at(event.pos())
            tip = None if spot is None else tool_tip(self._rows[spot.row], spot.place, self.running)
            QToolTip.showText(event.globalPos(), tip or self._words_at(event.pos()), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point, is_left = event.position().toPoint(), event.button() == Qt.MouseButton.LeftButton
        spot = self.spot_at(point)
        self._pressed_position = None if spot is None else self._rows[spot.row].position(spot.place)
        if is_left and spot is not None:
            self.pressed.emit(spot)
        elif is_left and (asked := self._left_out_at(point)) is not None:
            self._asked = asked
            self.update()
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Emit the position of the board of the first click: that click, or the search, may have moved the boards."""
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_position is not None:
            self.double_pressed.emit(self._pressed_position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = self.spot_at(event.position().toPoint())
        answers = spot is not None and self._rows[spot.row].state(spot.place) in (State.DONE, State.OPEN, State.PRUNED)
        opens = answers or self._left_out_at(event.position().toPoint()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        self.point(spot)
