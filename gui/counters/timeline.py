"""Paints the workers of a search below each other: during the search a bar for each one's share of the nodes, at the
end its tasks in time. Bars and idle shares agree: the axis is the search's own time, and a bar is a task from start to
end."""

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from engine.result import Task
from engine.rules.contract import Game
from engine.text.numbers import duration, percent, thousands
from gui.counters.lanes import HINTS, Lane, moves_in_words
from gui.i18n.language import tr
from gui.style.theme import NOTE, theme

ROW, HEAD = 18, 16
LANE = 120
"""The least width of the bars: a column of figures that would leave less is hidden."""
LEAST_CHARACTERS = 2


class Timeline(QWidget):
    """Paints all lanes in one widget."""

    def __init__(self) -> None:
        super().__init__()
        self._game: Game | None = None
        self._figures: tuple[str, ...] = ()
        self._lanes: tuple[Lane, ...] = ()
        self._seconds = 0.0
        self._advice = ""
        self._now: float | None = None

    def show_time(self, seconds: float | None) -> None:
        """Mark a time of the search, interpolated, in all lanes; None: no time."""
        self._now = seconds
        self.update()

    def show_lanes(
        self, game: Game, figures: tuple[str, ...], lanes: tuple[Lane, ...], seconds: float, advice: str = ""
    ) -> None:
        """Show these lanes with these columns. `seconds` is the duration of the search, 0 while it runs; `advice` is
        the text below the lanes."""
        self._game, self._figures, self._lanes, self._seconds, self._advice = game, figures, lanes, seconds, advice
        self.setMinimumHeight(self._top() + len(lanes) * theme().px(ROW) if lanes else 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._lanes:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        columns = self._columns()
        lane_frame = self._lane_frame(0)
        painter.setFont(theme().font(NOTE))
        painter.setPen(theme().colour("dim"))
        for name, frame in columns:
            painter.drawText(QRect(frame.left(), 0, frame.width(), self._top()), _RIGHT, tr(name))
        axis = QRect(lane_frame.left(), 0, lane_frame.width(), self._top())
        if self._seconds > 0 and self._now is not None:
            self._write(
                painter, axis, tr("at about {time} of {all}", time=duration(self._now), all=duration(self._seconds))
            )
        elif self._seconds > 0:
            painter.drawText(axis, _LEFT, "0")
            painter.drawText(axis, _RIGHT, duration(self._seconds))
        else:
            self._write(painter, axis, tr("share of all nodes"))
        for number, lane in enumerate(self._lanes):
            if event.rect().intersects(self._row_frame(number)):
                self._paint_lane(painter, number, lane, columns)
        if self._seconds > 0 and self._now is not None:
            here = lane_frame.left() + lane_frame.width() * self._now / self._seconds
            bottom = self._row_frame(len(self._lanes)).top()
            painter.fillRect(QRectF(here - 1, self._top(), theme().px(2), bottom - self._top()), theme().colour("ink"))
        if self._advice:
            painter.setFont(theme().font(NOTE))
            painter.setPen(theme().colour("dim"))
            below = self.rect().adjusted(0, self._row_frame(len(self._lanes)).top() + theme().px(6), 0, 0)
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap, self._advice)
        painter.end()

    def _paint_lane(self, painter: QPainter, number: int, lane: Lane, columns: list[tuple[str, QRect]]) -> None:
        look = theme()
        row, frame, hue = self._row_frame(number), self._lane_frame(number), look.worker(number)
        dot = look.px(7)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(hue)
        painter.drawEllipse(QRectF(0, row.center().y() - dot / 2 + 0.5, dot, dot))
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("ink"))
        painter.drawText(row.adjusted(look.px(13), 0, 0, 0), _LEFT, lane.name)
        if self._seconds > 0:
            self._paint_ground(painter, frame)
            for place, task in enumerate(lane.tasks):
                self._paint_task(painter, task, self._task_frame(task, frame), hue, place % 2 == 1)
        else:
            self._paint_share(painter, lane, frame, hue)
        painter.setFont(look.font(NOTE, QFont.Weight.Medium))
        painter.setPen(look.colour("ink"))
        for name, column in columns:
            cell = QRect(column.left(), row.top(), column.width(), row.height())
            painter.drawText(cell, _RIGHT, lane.figures[self._figures.index(name)])

    def _paint_share(self, painter: QPainter, lane: Lane, frame: QRect, hue: QColor) -> None:
        """Paint a bar for the worker's share of the nodes, and over it the worker's node."""
        look = theme()
        self._paint_ground(painter, frame)
        if lane.share > 0:
            bar = QRect(frame.left(), frame.top(), max(4, round(frame.width() * lane.share)), frame.height())
            painter.setBrush(_tint(hue, 0.35))
            painter.drawRoundedRect(bar, 3, 3)
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("ink"))
        room = frame.adjusted(look.px(6), 0, -look.px(6), 0)
        self._write(painter, room, lane.now)

    def _paint_ground(self, painter: QPainter, frame: QRect) -> None:
        """Paint the ground of a lane: time without a bar is idle time."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("line", 0.5))
        painter.drawRoundedRect(frame, 3, 3)

    def _write(self, painter: QPainter, room: QRect, text: str) -> None:
        fitting = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LEFT, fitting)

    def _paint_task(self, painter: QPainter, task: Task, frame: QRectF, hue: QColor, second: bool) -> None:
        """Paint a bar from a task's start to its end: neighbours in two tints, unfinished tasks hollow, with moves and
        nodes where they fit."""
        look = theme()
        fill = _tint(hue, 0.62 if second else 1.0) if task.finished else look.colour("card")
        painter.setPen(Qt.PenStyle.NoPen if task.finished else QPen(hue, 1.5))
        painter.setBrush(fill)
        if frame.width() < 4:
            painter.drawRect(frame)
            return
        painter.drawRoundedRect(frame, 3, 3)
        room = frame.adjusted(look.px(5), 0, -look.px(3), 0)
        moves = self._moves(task)
        metrics = QFontMetrics(look.font(NOTE, QFont.Weight.DemiBold))
        for text in (f"{moves}  {thousands(task.nodes)}", moves):
            if len(text) >= LEAST_CHARACTERS and metrics.horizontalAdvance(text) <= room.width():
                painter.setFont(look.font(NOTE, QFont.Weight.DemiBold))
                painter.setPen(_readable_on(fill))
                painter.drawText(room, _LEFT, text)
                break

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tool_tip(event.pos()), self)
            return True
        return super().event(event)

    def _tool_tip(self, pos: QPoint) -> str:
        number = (pos.y() - self._top()) // theme().px(ROW)
        if not 0 <= number < len(self._lanes) or self._game is None:
            return ""
        lane, frame = self._lanes[number], self._lane_frame(number)
        for task in lane.tasks:
            if self._seconds > 0 and self._task_frame(task, frame).contains(pos):
                took = tr("{start} to {end}", start=duration(task.start), end=duration(task.end))
                nodes = tr("{count} node(s)", "", task.nodes, count=thousands(task.nodes))
                left = () if task.finished else (tr("not finished"),)
                return "\n".join((self._moves(task), nodes, took, *_recorded(task), *left))
        total = sum(each.nodes for each in self._lanes)
        share = tr("{share} of all nodes", share=percent(lane.nodes, total))
        words = [
            f"{tr(name)}: {text} ({tr(HINTS[name])})" if name in HINTS else f"{tr(name)}: {text}"
            for name, text in zip(self._figures, lane.figures, strict=True)
            if text
        ]
        return "\n".join(line for line in (lane.name, lane.note, *words, share) if line)

    def _moves(self, task: Task) -> str:
        return moves_in_words(self._game, task.moves) if self._game and task.moves else tr("whole tree")

    def _top(self) -> int:
        return theme().px(HEAD)

    def _row_frame(self, number: int) -> QRect:
        return QRect(0, self._top() + number * theme().px(ROW), self.width(), theme().px(ROW))

    def _lane_frame(self, number: int) -> QRect:
        """The area of a worker's bars: between its name and its figures."""
        row, look = self._row_frame(number), theme()
        columns = self._columns()
        right = columns[0][1].left() - look.px(12) if columns else self.width()
        return QRect(self._name_width(), row.top() + 2, max(0, right - self._name_width()), row.height() - 3)

    def _task_frame(self, task: Task, lane: QRect) -> QRectF:
        left = lane.left() + lane.width() * task.start / self._seconds
        width = lane.width() * (task.end - task.start) / self._seconds
        return QRectF(left, lane.top(), max(1.0, width - 1.5), lane.height())

    def _name_width(self) -> int:
        metrics = QFontMetrics(theme().font(NOTE))
        return theme().px(25) + max((metrics.horizontalAdvance(lane.name) for lane in self._lanes), default=0)

    def _columns(self) -> list[tuple[str, QRect]]:
        """The columns of figures that fit, left to right."""
        metrics, gap = QFontMetrics(theme().font(NOTE, QFont.Weight.Medium)), theme().px(14)
        texts = ([tr(name), *(lane.figures[i] for lane in self._lanes)] for i, name in enumerate(self._figures))
        widths = [max(map(metrics.horizontalAdvance, column)) for column in texts]
        room = self.width() - self._name_width() - theme().px(LANE)
        count = max((n for n in range(len(widths) + 1) if sum(widths[:n]) + gap * n <= room), default=0)
        columns, right = [], self.width()
        for name, width in reversed(list(zip(self._figures[:count], widths, strict=False))):
            columns.insert(0, (name, QRect(right - width, 0, width, 0)))
            right -= width + gap
        return columns


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _recorded(task: Task) -> tuple[str, ...]:
    """A task's place in the record; the root is node 1."""
    if task.first_row == task.end_row:
        return ()
    first, last = thousands(task.first_row + 1), thousands(task.end_row)
    return (tr("in the record from node {first} to {last}", first=first, last=last),)


def _tint(hue: QColor, strength: float) -> QColor:
    """A hue mixed into the card's colour, opaque, so that the contrast of text on it is known."""
    card = theme().colour("card")
    pairs = ((hue.red(), card.red()), (hue.green(), card.green()), (hue.blue(), card.blue()))
    return QColor(*(round(a * strength + b * (1 - strength)) for a, b in pairs))


def _readable_on(ground: QColor) -> QColor:
    """Black or white, whichever has more contrast (WCAG 2 relative luminance; both are equal at 0.179)."""
    linear = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (ground.redF(), ground.greenF(), ground.blueF())
    )
    luminance = sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return QColor("#111214" if luminance > 0.179 else "#FFFFFF")
