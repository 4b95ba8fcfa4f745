"""Paints the workers of a search below each other: during the search a bar for each one's share of the nodes, at the
end its tasks in time. Bars and idle shares agree: the axis is the search's own time, and a bar is a task from start to
end.

The wheel zooms in time at the pointer, a drag pans, a double click shows the whole search; a click on a task emits it.
"""

from collections.abc import Callable, Sequence
from itertools import product

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPicture,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from engine.result import Task
from engine.rules.contract import Game
from engine.text.numbers import duration, percent
from engine.trace.bound_updates import BoundUpdate
from engine.transfer import Transfer
from gui.counters.arrows import Arrows, nearest, paint_arrow
from gui.counters.lanes import TOOL_TIPS, Lane, task_in_words
from gui.counters.task_bars import paint_bar, paint_update, root_move_colour, tint
from gui.counters.timeline_layout import HEAD, ROW, TimelineLayout, figure_width
from gui.i18n.language import tr
from gui.style.theme import NOTE, theme

ZOOM_STEP, MOST_ZOOM = 1.25, 10_000
"""The factor of one step of the wheel, and of all steps together."""
PICTURE = 640
"""The least width of a picture file in logical pixels."""


class Timeline(QWidget):
    """Paints all lanes in one widget."""

    pressed = Signal(object)
    """The Task that was clicked, or chosen by Return."""

    def __init__(self) -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Timeline of the workers"))
        self._updates: tuple[BoundUpdate, ...] = ()
        self._arrows = Arrows()
        self._colours: dict[int, QColor] = {}
        """The colours of root moves."""
        self._span = 0.0, 0.0
        """The part of the search on display, in seconds."""
        self._dragged: tuple[QPoint, tuple[float, float]] | None = None
        """Where the button was pressed, and the span at that time."""
        self._is_panning = False
        self._chosen: Task | None = None
        """The task that the keys have reached; the accessible description is its own."""
        self._game: Game | None = None
        self._figures: tuple[str, ...] = ()
        self._lanes: tuple[Lane, ...] = ()
        self._whole: tuple[Lane, ...] = ()
        """The lanes with the figures of the whole search, or of all of it so far."""
        self._widest: tuple[str, ...] = ()
        """The widest text of each figure since these lanes are shown, or its title."""
        self._seconds = 0.0
        self._advice = ""
        self._now: float | None = None
        self._bars = QPixmap()
        self._laid_out: tuple[object, TimelineLayout] = None, TimelineLayout(0, (), (), ())
        """The places in the widget, and what they depend on."""
        self._made: tuple[object, ...] = ()
        """The tasks, painted, and what that depends on."""

    def show_time(self, seconds: float | None, lanes: tuple[Lane, ...]) -> None:
        """Mark a time of the search, interpolated, in all lanes, which are now these, with the figures of that time;
        None: no time."""
        self._now, self._lanes = seconds, lanes
        self._widest = _widest(self._widest, *(lane.figures for lane in lanes))
        self.update()

    def show_lanes(
        self,
        game: Game,
        figures: tuple[str, ...],
        lanes: tuple[Lane, ...],
        seconds: float,
        advice: str = "",
        updates: Sequence[BoundUpdate] = (),
        arrows: Arrows | None = None,
    ) -> None:
        """Show these lanes with these columns. `seconds` is the duration of the search, 0 while it runs; `advice` is
        the text below the lanes; `updates` are marked at the ends of their tasks; `arrows` lead from lane
        to lane."""
        tasks, had = ([lane.tasks for lane in those] for those in (lanes, self._lanes))
        if (figures, seconds, tasks) != (self._figures, self._seconds, had):
            self._span, self._chosen, self._widest = (0.0, seconds), None, ()
        self._game, self._figures, self._seconds, self._advice = game, figures, seconds, advice
        self._lanes = self._whole = lanes
        titles = tuple(map(tr, figures))
        self._widest = _widest(self._widest or titles, titles, *(lane.figures for lane in lanes))
        self._updates, self._arrows = tuple(updates), arrows or Arrows()
        self._colour_root_moves()
        self._tell_chosen()
        rows = len(lanes) + bool(self._arrows.transfers)  # a row for their legend
        self.setMinimumHeight(theme().px(HEAD) + rows * theme().px(ROW) if lanes else 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._lanes:
            return
        painter = QPainter(self)
        self._paint(painter, event.rect(), self._draw_painted_tasks)
        painter.end()

    def picture(self) -> tuple[QPicture, QSize]:
        """The lanes as on display, and the size of that: at least PICTURE wide, although the widget may be hidden."""
        shown, picture = self.size(), QPicture()
        self.setMinimumWidth(theme().px(PICTURE))  # the scroll area would undo a mere `resize`
        size = QSize(self.width(), self.minimumHeight())
        painter = QPainter(picture)
        self._paint(painter, self.rect(), self._paint_tasks)
        painter.end()
        self.setMinimumWidth(0)
        self.resize(shown)
        return picture, size

    def _paint(self, painter: QPainter, exposed: QRect, paint_tasks: Callable[[QPainter, QRect], None]) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        columns = self._layout.columns
        lane_frame = self._layout.lane(0)
        painter.setFont(theme().font(NOTE))
        painter.setPen(theme().colour("dim"))
        for name, frame in columns:
            painter.drawText(QRect(frame.left(), 0, frame.width(), self._layout.top), _RIGHT, tr(name))
        axis = QRect(lane_frame.left(), 0, lane_frame.width(), self._layout.top)
        self._write_axis(painter, axis, self._arrows.legend(self._span, len(self._arrow_lines())))
        for number, lane in enumerate(self._lanes):
            if exposed.intersects(self._layout.row(number)):
                self._paint_lane(painter, number, lane, columns)
        if self._advice:
            painter.setFont(theme().font(NOTE))
            painter.setPen(theme().colour("dim"))
            below = self.rect().adjusted(0, self._layout.row(len(self._lanes)).top() + theme().px(6), 0, 0)
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap, self._advice)
        if self._seconds > 0:
            paint_tasks(painter, exposed)
            self._paint_time(painter)

    def _paint_lane(self, painter: QPainter, number: int, lane: Lane, columns: list[tuple[str, QRect]]) -> None:
        look = theme()
        row, frame, hue = self._layout.row(number), self._layout.lane(number), look.worker(number)
        dot = look.px(7)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(hue)
        painter.drawEllipse(QRectF(0, row.center().y() - dot / 2 + 0.5, dot, dot))
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("ink"))
        painter.drawText(row.adjusted(look.px(13), 0, 0, 0), _LEFT, lane.name)
        if self._seconds <= 0:
            self._paint_share(painter, lane, frame, hue)
        painter.setFont(look.font(NOTE, QFont.Weight.Medium))
        painter.setPen(look.colour("ink"))
        for name, column in columns:
            cell = QRect(column.left(), row.top(), column.width(), row.height())
            painter.drawText(cell, _RIGHT, lane.figures[self._figures.index(name)])

    def _draw_painted_tasks(self, painter: QPainter, exposed: QRect) -> None:
        """Draw the tasks in an area, painted once while only the time and the figures change: a thousand take 20 ms."""
        look, ratio, tasks = theme(), self.devicePixelRatioF(), tuple(lane.tasks for lane in self._lanes)
        shown = self._span, self._chosen, self._updates, self._arrows, tasks
        made = exposed, self._layout.lane(0), ratio, look.colours.name, look.zoom, *shown
        if made != self._made:
            self._made, self._bars = made, QPixmap(exposed.size() * ratio)
            self._bars.setDevicePixelRatio(ratio)
            self._bars.fill(Qt.GlobalColor.transparent)
            bars = QPainter(self._bars)
            bars.setRenderHint(QPainter.RenderHint.Antialiasing)
            bars.translate(-exposed.topLeft())
            self._paint_tasks(bars, exposed)
            bars.end()
        painter.drawPixmap(exposed.topLeft(), self._bars)

    def _paint_tasks(self, painter: QPainter, exposed: QRect) -> None:
        """Paint the tasks of all lanes, the marks at their ends, and the arrows."""
        for number, lane in enumerate(self._lanes):
            if not exposed.intersects(self._layout.row(number)):
                continue
            frame = self._layout.lane(number)
            self._paint_ground(painter, frame)
            painter.save()
            painter.setClipRect(frame.adjusted(0, -2, 0, 2))
            for task in lane.tasks:
                bar = self._task_frame(task, frame)
                if bar.intersects(QRectF(frame)):
                    paint_bar(painter, bar, frame, task, self._colour_of(task), self._game, task == self._chosen)
            for update in self._updates:
                if update.task.worker == number:
                    paint_update(painter, self._x(update.task.end, frame), frame, update.is_cutoff)
            painter.restore()
        for transfer, line in self._arrow_lines():
            paint_arrow(painter, line, transfer.kind, self._layout.lane(0))

    def _paint_time(self, painter: QPainter) -> None:
        """Paint a line through all lanes at the marked time."""
        if self._now is not None and self._span[0] <= self._now <= self._span[1]:
            here = self._x(self._now, self._layout.lane(0))
            bottom = self._layout.row(len(self._lanes)).top()
            painter.fillRect(
                QRectF(here - 1, self._layout.top, theme().px(2), bottom - self._layout.top), theme().colour("ink")
            )

    def _paint_share(self, painter: QPainter, lane: Lane, frame: QRect, hue: QColor) -> None:
        """Paint a bar for the worker's share of the nodes, and over it the worker's node."""
        look = theme()
        self._paint_ground(painter, frame)
        if lane.share > 0:
            bar = QRect(frame.left(), frame.top(), max(4, round(frame.width() * lane.share)), frame.height())
            painter.setBrush(tint(hue, 0.35))
            painter.drawRoundedRect(bar, 3, 3)
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("ink"))
        room = frame.adjusted(look.px(6), 0, -look.px(6), 0)
        self._write(painter, room, lane.now)

    def _paint_ground(self, painter: QPainter, frame: QRect) -> None:
        """Paint the ground of a lane: time without a bar is idle time."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("fill", 0.5))
        painter.drawRoundedRect(frame, 3, 3)

    def _write(self, painter: QPainter, room: QRect, text: str) -> None:
        fitting = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LEFT, fitting)

    def _write_axis(self, painter: QPainter, axis: QRect, legend: Sequence[str]) -> None:
        """Write the times of both ends, or the marked time, and the longest text of `legend` that has room between them
        or below the lanes."""
        if self._seconds <= 0:
            self._write(painter, axis, tr("share of all nodes"))
            return
        first, last = self._span
        left, right = duration(first) if first else "0", duration(last)
        if self._now is not None:
            left, right = self._time_in_words(axis.width()), ""
        self._write(painter, axis, left)
        painter.drawText(axis, _RIGHT, right)
        metrics, gap = QFontMetrics(painter.font()), theme().px(14)
        ends = metrics.horizontalAdvance(left) + gap, metrics.horizontalAdvance(right) + gap
        below = QRect(0, self._layout.row(len(self._lanes)).top(), self.width(), theme().px(ROW))
        for words, room in product(legend, (axis.adjusted(ends[0], 0, -ends[1], 0), below)):
            if metrics.horizontalAdvance(words) <= room.width():
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
                return

    def _time_in_words(self, room: int) -> str:
        """The marked time, and where there is room for it, the time of the whole search."""
        if self._now is None:
            return ""
        long = tr("at about {time} of {all}", time=duration(self._now), all=duration(self._seconds))
        fits = QFontMetrics(theme().font(NOTE)).horizontalAdvance(long) <= room
        return long if fits else tr("at about {time}", time=duration(self._now))

    def _arrow_lines(self) -> list[tuple[Transfer, QLineF]]:
        return self._arrows.lines(self._span, self._layout.lane(0), theme().px(ROW)) if self._seconds > 0 else []

    def _colour_root_moves(self) -> None:
        """Give each root move a colour, in the order of the moves."""
        moves = sorted({task.moves[0] for lane in self._lanes for task in lane.tasks if task.moves})
        self._colours = {move: root_move_colour(number) for number, move in enumerate(moves)}

    def _colour_of(self, task: Task) -> QColor:
        return self._colours[task.moves[0]] if task.moves else theme().worker(task.worker)

    # Zooming and choosing

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps, frame = event.angleDelta().y() / 120, self._layout.lane(0)
        if not steps or self._seconds <= 0 or not frame.left() <= event.position().x() <= frame.right():
            event.ignore()
            return
        self._zoom(ZOOM_STEP**steps, self._time(event.position().x()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._seconds > 0:
            self._dragged, self._is_panning = (event.position().toPoint(), self._span), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._dragged is None:
            found = self._task_at(point)
            self.setCursor(Qt.CursorShape.PointingHandCursor if found is not None else Qt.CursorShape.ArrowCursor)
            return
        start, (first, last) = self._dragged
        away = point.x() - start.x()
        if self._is_panning or abs(away) >= QApplication.startDragDistance():
            self._is_panning = True
            self._show_span(first - away * (last - first) / max(1, self._layout.lane(0).width()), last - first)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._dragged = self._dragged, None
        if dragged is None or self._is_panning:
            return
        task = self._task_at(event.position().toPoint())
        if task is not None:
            self.pressed.emit(task)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._show_span(0.0, self._seconds)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right choose a task of a lane, Up and Down a lane, Return goes to it; + and - zoom, 0 shows all."""
        first, last = self._span
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right if self._seconds > 0:
                self._choose(1 if event.key() == Qt.Key.Key_Right else -1, 0)
            case Qt.Key.Key_Up | Qt.Key.Key_Down if self._seconds > 0:
                self._choose(0, 1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._chosen is not None:
                self.pressed.emit(self._chosen)
            case Qt.Key.Key_Plus | Qt.Key.Key_Minus if self._seconds > 0:
                at = (first + last) / 2 if self._chosen is None else self._chosen.start
                self._zoom(ZOOM_STEP if event.key() == Qt.Key.Key_Plus else 1 / ZOOM_STEP, at)
            case Qt.Key.Key_0 if self._seconds > 0:
                self._show_span(0.0, self._seconds)
            case _:
                super().keyPressEvent(event)

    def _choose(self, along: int, down: int) -> None:
        """Move the choice to another task of its lane, or to the task of another lane at about the same time."""
        lanes = [lane.tasks for lane in self._lanes if lane.tasks]
        if not lanes:
            return
        if self._chosen is None:
            self._chosen = lanes[0][0]
        else:
            number = next(place for place, tasks in enumerate(lanes) if self._chosen in tasks)
            wanted = lanes[min(max(number + down, 0), len(lanes) - 1)]
            start = self._chosen.start
            place = min(range(len(wanted)), key=lambda place: abs(wanted[place].start - start)) + along
            self._chosen = wanted[min(max(place, 0), len(wanted) - 1)]
        first, last = self._span
        if not first <= self._chosen.start <= last:
            self._show_span(self._chosen.start - (last - first) / 2, last - first)
        self._tell_chosen()
        self.update()

    def _tell_chosen(self) -> None:
        """Say in words which task is chosen, and what came and went for it."""
        words: list[str] = []
        if self._chosen is not None:
            words.append(task_in_words(self._game, self._chosen, self._updates))
            words += [self._arrows.in_words(self._game, one) for one in self._arrows.of_task(self._chosen)]
        self.setAccessibleDescription("; ".join(words).replace("\n", ", "))

    def _zoom(self, factor: float, at: float) -> None:
        """Show `factor` times less of the search, and leave the time `at` where it is."""
        first, last = self._span
        width = min(self._seconds, max(self._seconds / MOST_ZOOM, (last - first) / factor))
        self._show_span(at - (at - first) * width / (last - first), width)

    def _show_span(self, first: float, width: float) -> None:
        first = min(max(0.0, first), self._seconds - width)
        self._span = first, first + width
        self.update()

    def _time(self, x: float) -> float:
        frame, (first, last) = self._layout.lane(0), self._span
        return first + (x - frame.left()) / max(1, frame.width()) * (last - first)

    def _x(self, seconds: float, lane: QRect) -> float:
        """The pixel of a time in a lane's frame."""
        first, last = self._span
        return lane.left() + lane.width() * (seconds - first) / (last - first)

    def _task_at(self, point: QPoint) -> Task | None:
        number = self._layout.row_at(point.y())
        if self._seconds <= 0 or not 0 <= number < len(self._lanes):
            return None
        frame = self._layout.lane(number)
        if not frame.left() <= point.x() <= frame.right():
            return None
        return next((task for task in self._lanes[number].tasks if self._task_frame(task, frame).contains(point)), None)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tool_tip(event.pos()), self)
            return True
        return super().event(event)

    def _tool_tip(self, pos: QPoint) -> str:
        number = self._layout.row_at(pos.y())
        if not 0 <= number < len(self._lanes) or self._game is None:
            return ""
        arrow = nearest(QPointF(pos), self._arrow_lines())
        if arrow is not None:
            return self._arrows.in_words(self._game, arrow)
        lane, task = self._lanes[number], self._task_at(pos)
        if task is not None:
            return task_in_words(self._game, task, self._updates)
        total = sum(each.nodes for each in self._lanes)
        share = tr("{share} of all nodes", share=percent(lane.nodes, total)) if total else ""
        words = [
            f"{tr(name)}: {text} ({tr(TOOL_TIPS[name])})" if name in TOOL_TIPS else f"{tr(name)}: {text}"
            for name, text in zip(self._figures, lane.figures, strict=True)
            if text
        ]
        return "\n".join(line for line in (lane.name, lane.note, *words, share) if line)

    @property
    def _layout(self) -> TimelineLayout:
        """The places of the present texts, measured again only where these, the width or the scale are others."""
        texts = self._figures, self._whole, self._widest
        if self._laid_out[0] != (wanted := (self.width(), theme().at_100(1), texts)):
            self._laid_out = wanted, TimelineLayout(self.width(), *texts)
        return self._laid_out[1]

    def _task_frame(self, task: Task, lane: QRect) -> QRectF:
        left, right = self._x(task.start, lane), self._x(task.end, lane)
        return QRectF(left, lane.top(), max(1.0, right - left - 1.5), lane.height())


def _widest(*texts: tuple[str, ...]) -> tuple[str, ...]:
    """The widest text of each figure."""
    return tuple(max(column, key=figure_width) for column in zip(*texts, strict=True))


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
