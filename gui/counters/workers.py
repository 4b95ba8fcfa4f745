"""Who searched what: a row a worker, live by its share of the nodes, and at the end by its tasks in time."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedLayout, QToolTip, QWidget

from engine.figures import duration, percent, rate, thousands
from engine.game import Game
from engine.job import Job
from engine.result import Info, RankState, Task
from gui.analysis import Analysis, Phase
from gui.language import mark, tr
from gui.parts.empty import EmptyState
from gui.parts.ring import want_ring
from gui.theme import NOTE, theme
from gui.words import algorithm, layer, mode, unfinished

ROW, HEAD = 18, 16
LANE = 120
"""The least width left to the bars: a column of figures that would leave less is not shown."""
LEAST_CHARACTERS = 2
TEACH = mark("Choose Threads or MPI to see who searched what.")
FIGURES, RANK_FIGURES = ("nodes", "cutoffs", "terminals"), ("nodes", "nodes/s", "idle", "messages")


class Lane(NamedTuple):
    """One worker, ready to be painted."""

    name: str
    figures: tuple[str, ...]
    """By FIGURES, or RANK_FIGURES."""
    nodes: int
    share: float
    """Of all nodes, 0 to 1."""
    now: str
    """The moves to where it is, or what its rank does; empty when it is nowhere."""
    tasks: tuple[Task, ...]
    note: str = ""
    """Of an MPI rank: where it runs, what it does, what it had to say."""


class WorkersView(QWidget):
    """The workers of the search at hand."""

    fact_changed = Signal(str)
    """The one telling fact of the card."""

    def __init__(self, analysis: Analysis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._analysis = analysis
        self._lanes = _Lanes()
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._lanes)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for surface in (self._scroll.viewport(), self._lanes):
            surface.setAutoFillBackground(False)
        self._empty = EmptyState(tr(TEACH))
        self._compiling = EmptyState(tr("The search is being compiled, this once; then its workers are here."))
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._compiling)
        self._stack.addWidget(self._scroll)
        for speaking in (self, self._scroll):
            speaking.setAccessibleName(tr("Workers"))
        want_ring(self._scroll)
        theme().changed.connect(self.refresh)
        for event in (
            analysis.started,
            analysis.phase_changed,
            analysis.counted,
            analysis.finished,
            analysis.failed,
        ):
            event.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the workers as they are by the newest Info."""
        info, job, result, game = (
            self._analysis.info,
            self._analysis.job,
            self._analysis.result,
            self._analysis.game,
        )
        words = [] if job is None else [algorithm(job.algorithm), mode(job)]
        words += [] if result is None else [layer(result), unfinished(result)]
        self.fact_changed.emit(" · ".join(word for word in words if word))
        if job is None or game is None:
            self._stack.setCurrentWidget(self._empty)
            self._describe("")
            return
        if self._analysis.phase is Phase.COMPILING:
            self._stack.setCurrentWidget(self._compiling)
            self._describe("")
            return
        tasks = () if result is None else result.tasks
        made = () if info is None else rank_lanes(game, job, info, tasks) if info.ranks else lanes(game, info, tasks)
        self._lanes.show_lanes(game, RANK_FIGURES if job.backend == "mpi" else FIGURES, made, tasks)
        self._stack.setCurrentWidget(self._scroll)
        self._describe(
            "; ".join(tr("{worker}: {count} nodes", worker=lane.name, count=thousands(lane.nodes)) for lane in made)
        )

    def sizeHint(self) -> QSize:
        return QSize(theme().px(600), theme().px(HEAD + 4 * ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(HEAD + 2 * ROW))

    def _describe(self, words: str) -> None:
        for speaking in (self, self._scroll):
            speaking.setAccessibleDescription(words)


def lanes(game: Game, info: Info, tasks: tuple[Task, ...]) -> tuple[Lane, ...]:
    """A lane a worker, with its tasks in the order of time."""
    own = _by_worker(tasks)
    return tuple(
        Lane(
            tr("worker {number}", number=number + 1),
            tuple(thousands(getattr(worker.counters, name)) for name in FIGURES),
            worker.counters.nodes,
            worker.counters.nodes / info.counters.nodes if info.counters.nodes else 0.0,
            _moves(game, worker.path),
            own.get(number, ()),
        )
        for number, worker in enumerate(info.workers)
    )


def rank_lanes(game: Game, job: Job, info: Info, tasks: tuple[Task, ...]) -> tuple[Lane, ...]:
    """A lane a thread of each MPI rank; what is the rank's own stands beside its first."""
    own, made = _by_worker(tasks), []
    for number, worker in enumerate(info.workers):
        rank, thread = divmod(number, job.threads)
        where, nodes = info.ranks[rank], worker.counters.nodes
        per_second = rate(nodes / where.seconds if where.seconds else None)
        idle = percent(round(where.idle * 1e6), round(where.seconds * 1e6))
        of_rank = ("", "") if thread else (idle, thousands(where.sent + where.received))
        made.append(
            Lane(
                tr("rank {rank}, thread {thread} · {host}", rank=rank, thread=thread + 1, host=where.host)
                if job.threads > 1
                else tr("rank {rank} · {host}", rank=rank, host=where.host),
                (thousands(nodes), per_second, *of_rank),
                nodes,
                nodes / info.counters.nodes if info.counters.nodes else 0.0,
                _moves(game, worker.path) if where.state is RankState.SEARCHING else tr(where.state.value),
                own.get(number, ()),
                tr(
                    "{host}, process {pid}, {state}\n{sent} messages sent, {received} received, {one_sided} one-sided "
                    "operations",
                    host=where.host,
                    pid=where.pid,
                    state=tr(where.state.value),
                    sent=thousands(where.sent),
                    received=thousands(where.received),
                    one_sided=thousands(where.one_sided),
                ),
            )
        )
    return tuple(made)


def _by_worker(tasks: tuple[Task, ...]) -> dict[int, tuple[Task, ...]]:
    """Each worker's tasks in the order of time."""
    own: dict[int, tuple[Task, ...]] = {}
    for task in sorted(tasks, key=lambda task: task.start):
        own[task.worker] = (*own.get(task.worker, ()), task)
    return own


def _moves(game: Game, moves: tuple[int, ...]) -> str:
    return " ".join(game.notation.move_name(move) for move in moves)


class _Lanes(QWidget):
    """Paints the lanes, all in one widget."""

    def __init__(self) -> None:
        super().__init__()
        self._game: Game | None = None
        self._figures: tuple[str, ...] = FIGURES
        self._lanes: tuple[Lane, ...] = ()
        self._start = self._span = 0.0

    def show_lanes(self, game: Game, figures: tuple[str, ...], made: tuple[Lane, ...], tasks: tuple[Task, ...]) -> None:
        self._game, self._figures, self._lanes = game, figures, made
        self._start = min((task.start for task in tasks), default=0.0)
        self._span = max((task.end for task in tasks), default=0.0) - self._start
        self.setMinimumHeight(self._top() + len(made) * theme().px(ROW) if made else 0)
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
            painter.drawText(QRect(frame.left(), 0, frame.width(), self._top()), _RIGHT, name)
        if self._span > 0:
            axis = QRect(lane_frame.left(), 0, lane_frame.width(), self._top())
            painter.drawText(axis, _LEFT, "0")
            painter.drawText(axis, _RIGHT, duration(self._span))
        for number, lane in enumerate(self._lanes):
            if event.rect().intersects(self._row_frame(number)):
                self._paint_lane(painter, number, lane, columns)
        if len(self._lanes) == 1:
            painter.setFont(theme().font(NOTE))
            painter.setPen(theme().colour("dim"))
            painter.drawText(self._row_frame(1).translated(0, theme().px(6)), _LEFT, tr(TEACH))
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
        if lane.tasks and self._span > 0:
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
        """A bar as long as the worker's share of the nodes, and beside it where the worker is."""
        look = theme()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("line", 0.5))
        painter.drawRoundedRect(frame, 3, 3)
        if lane.share > 0:
            bar = QRect(frame.left(), frame.top(), max(4, round(frame.width() * lane.share)), frame.height())
            painter.setBrush(_tint(hue, 0.35))
            painter.drawRoundedRect(bar, 3, 3)
        painter.setFont(look.font(NOTE))
        painter.setPen(look.colour("ink"))
        room = frame.adjusted(look.px(6), 0, -look.px(6), 0)
        text = QFontMetrics(painter.font()).elidedText(lane.now, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LEFT, text)

    def _paint_task(self, painter: QPainter, task: Task, frame: QRectF, hue: QColor, second: bool) -> None:
        """A bar from a task's start to its end; neighbours in two tints. Moves and nodes where they fit."""
        look = theme()
        fill = _tint(hue, 0.62 if second else 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        if frame.width() < 4:
            painter.drawRect(frame)
            return
        painter.drawRoundedRect(frame, 3, 3)
        room = frame.adjusted(look.px(5), 0, -look.px(3), 0)
        moves = tr("whole tree") if self._game is None or not task.moves else _moves(self._game, task.moves)
        metrics = QFontMetrics(look.font(NOTE, QFont.Weight.DemiBold))
        for text in (f"{moves}  {thousands(task.nodes)}", moves):
            if len(text) >= LEAST_CHARACTERS and metrics.horizontalAdvance(text) <= room.width():
                painter.setFont(look.font(NOTE, QFont.Weight.DemiBold))
                painter.setPen(_readable_on(fill))
                painter.drawText(room, _LEFT, text)
                break

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tool_tip(event), self)
            return True
        return super().event(event)

    def _tool_tip(self, event: QHelpEvent) -> str:
        number = (event.pos().y() - self._top()) // theme().px(ROW)
        if not 0 <= number < len(self._lanes) or self._game is None:
            return ""
        lane, frame = self._lanes[number], self._lane_frame(number)
        for task in lane.tasks:
            if self._span > 0 and self._task_frame(task, frame).contains(event.pos()):
                took = tr(
                    "{start} to {end}", start=duration(task.start - self._start), end=duration(task.end - self._start)
                )
                moves, nodes = _moves(self._game, task.moves) or tr("whole tree"), thousands(task.nodes)
                return f"{moves}\n{tr('{count} node(s)', '', task.nodes, count=nodes)}\n{took}"
        total = sum(each.nodes for each in self._lanes)
        words = [f"{text} {name}" for name, text in zip(self._figures, lane.figures, strict=True) if text]
        share = tr("{share} of all nodes", share=percent(lane.nodes, total))
        return "\n".join(line for line in (lane.name, lane.note, *words, share) if line)

    def _top(self) -> int:
        return theme().px(HEAD)

    def _row_frame(self, number: int) -> QRect:
        return QRect(0, self._top() + number * theme().px(ROW), self.width(), theme().px(ROW))

    def _lane_frame(self, number: int) -> QRect:
        """Where a worker's bars are: between its name and its figures."""
        row, look = self._row_frame(number), theme()
        columns = self._columns()
        right = columns[0][1].left() - look.px(12) if columns else self.width()
        return QRect(self._name_width(), row.top() + 2, max(0, right - self._name_width()), row.height() - 3)

    def _task_frame(self, task: Task, lane: QRect) -> QRectF:
        left = lane.left() + lane.width() * (task.start - self._start) / self._span
        width = lane.width() * (task.end - task.start) / self._span
        return QRectF(left, lane.top(), max(1.0, width - 1.5), lane.height())

    def _name_width(self) -> int:
        metrics = QFontMetrics(theme().font(NOTE))
        return theme().px(25) + max((metrics.horizontalAdvance(lane.name) for lane in self._lanes), default=0)

    def _columns(self) -> list[tuple[str, QRect]]:
        """The columns of figures that there is room for, left to right."""
        metrics, gap = QFontMetrics(theme().font(NOTE, QFont.Weight.Medium)), theme().px(14)
        texts = ([name, *(lane.figures[i] for lane in self._lanes)] for i, name in enumerate(self._figures))
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


def _tint(hue: QColor, strength: float) -> QColor:
    """A hue laid over the card, solid, so that the contrast of text on it can be known."""
    card = theme().colour("card")
    pairs = ((hue.red(), card.red()), (hue.green(), card.green()), (hue.blue(), card.blue()))
    return QColor(*(round(a * strength + b * (1 - strength)) for a, b in pairs))


def _readable_on(ground: QColor) -> QColor:
    """Black or white, whichever stands out more (WCAG 2 relative luminance; both are equal at 0.179)."""
    linear = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (ground.redF(), ground.greenF(), ground.blueF())
    )
    luminance = sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return QColor("#111214" if luminance > 0.179 else "#FFFFFF")
