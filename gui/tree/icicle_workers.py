"""Carets over the whole tree: where each worker of a parallel search was at the moment shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.job import Job
from engine.result import Result
from engine.rules.contract import Game
from engine.text.numbers import precise, thousands
from engine.trace.widths import Places
from engine.trace.workers import Place
from gui.i18n.language import tr
from gui.state.spoilers import spoilers
from gui.state.wording import worker_name, worker_number
from gui.style.colours import legible_on
from gui.style.theme import NOTE, theme
from gui.tree.icicle_colours import LegendEntry
from gui.tree.icicle_painter import Span
from gui.tree.icicle_picture import TreePicture
from gui.tree.path_model import MAX_PLAYER, Windows, mover_in, windows_of
from gui.tree.path_root import whose_values

if TYPE_CHECKING:
    from engine.trace.record import Trace

HEIGHT, TIP, BESIDE = 18, 5, 3
"""The height of a caret, the height of its tip, and the space beside its number, in pixels."""


class Caret(NamedTuple):
    """A worker at a recorded node on display."""

    place: Place
    tip: float
    """The pixel that it points at."""
    box: QRectF
    """The frame of its number."""
    number: str


def carets(job: Job, places: Sequence[Place], extents: Places, span: Span, size: QSize) -> list[Caret]:
    """The carets on display in a strip of that size over a span of a search's tree, whose rows have these extents; the
    moment's own is the last, for it lies on the others."""
    found, high, metrics = [], size.height() - theme().px(TIP), QFontMetrics(_font())
    for place in sorted(places, key=lambda place: place.is_own):
        if place.row is None:
            continue
        tip = span.place(extents.extent(place.row)[0], size.width())
        if 0 <= tip <= size.width():
            number = worker_number(job, place.worker)
            wide = metrics.horizontalAdvance(number) + 2 * theme().px(BESIDE)
            left = round(min(max(0.0, tip - wide / 2), size.width() - wide))
            found.append(Caret(place, tip, QRectF(left, 0, wide, high), number))
    return found


def paint_carets(painter: QPainter, found: Sequence[Caret]) -> None:
    """Draw the carets in a strip whose top left corner is the origin."""
    look = theme()
    painter.setFont(_font())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place, tip, box, number in found:
        hue, half = look.worker(place.worker), look.px(TIP)
        left, right = max(box.left(), tip - half), min(box.right(), tip + half)
        painter.setPen(QPen(look.colour("ink"), look.px(2)) if place.is_own else QPen(look.colour("card"), 1))
        painter.setBrush(hue)
        corners = box.topLeft(), box.topRight(), box.bottomRight(), QPointF(right, box.bottom())
        back = QPointF(left, box.bottom()), box.bottomLeft()
        painter.drawPolygon(QPolygonF([*corners, QPointF(tip, box.bottom() + look.px(TIP) - 1), *back]))
        painter.setPen(legible_on(hue))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, number)


class Carets(QWidget):
    """A caret with its number for each worker that is at a recorded node on display."""

    def __init__(self, picture: TreePicture) -> None:
        """`picture` is the one below, whose part of the record this one shares."""
        super().__init__()
        self._picture = picture
        self._places: tuple[Place, ...] = ()
        self._job: Job | None = None
        self._extents: Places | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        picture.span_changed.connect(self.update)
        self.hide()

    def show_places(self, job: Job | None, places: tuple[Place, ...], extents: Places | None) -> None:
        """Show the workers of a search at their rows, which have these extents."""
        self._job, self._places, self._extents = job, places, extents
        self.update()

    def carets(self) -> list[Caret]:
        """The carets on display."""
        if self._job is None or self._extents is None:
            return []
        return carets(self._job, self._places, self._extents, self._picture.span, self.size())

    def places_at(self, point: QPoint) -> list[Place]:
        """The worker whose caret is at a point; all where there is none."""
        here = [place for place, _, box, _ in self.carets() if box.left() <= point.x() <= box.right()]
        return here[-1:] or list(self._places)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme().px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_carets(painter, self.carets())
        painter.end()


def _font() -> QFont:
    return theme().font(NOTE, QFont.Weight.DemiBold)


def workers_legend(job: Job) -> LegendEntry:
    """The meaning of the carets."""
    return LegendEntry(tr("▼ rank at that time, about") if job.backend == "mpi" else tr("▼ worker at that time, about"))


def about_workers(
    game: Game, result: Result, trace: "Trace", places: Sequence[Place], negamax: bool, apart: str = "\n"
) -> list[str]:
    """Each worker: its task, its node, and the window that the task was begun with; facts are `apart`."""
    return [apart.join(_facts(game, result, trace, place, negamax)) for place in places]


def _facts(game: Game, result: Result, trace: "Trace", place: Place, negamax: bool) -> list[str]:
    worker, task = worker_name(result.job, place.worker), place.task
    if task is None:
        done = tr("{worker}: all its tasks have ended", worker=worker)
        return [done if place.is_done else tr("{worker}: without a task", worker=worker)]
    moves = " ".join(map(game.notation.move_name, task.moves)) or tr("whole tree")
    who = tr("{worker}: task {moves}", worker=worker, moves=moves)
    if place.is_own:
        who = tr("{worker}, this moment's: task {moves}", worker=worker, moves=moves)
    if task.first_row == task.end_row:
        return [who, tr("its nodes are not in the record, nor is its window")]
    ends = {"first": thousands(task.first_row + 1), "last": thousands(task.end_row)}
    here = tr("its node then is not in the record")
    if place.row is not None:
        here = tr("about at node {number}: interpolated, not measured", number=thousands(place.row + 1))
    if place.is_own and place.row is not None:
        here = tr("at node {number}", number=thousands(place.row + 1))
    return [
        who,
        tr("in the record from node {first} to {last}", **ends),
        here,
        *_window(game, result, trace, place, negamax),
    ]


def _window(game: Game, result: Result, trace: "Trace", place: Place, negamax: bool) -> list[str]:
    """The window that a worker's task was begun with; nothing where the algorithm has none or values are hidden."""
    task, hidden = place.task, spoilers().hidden
    if task is None or hidden or windows_of(result.job) is Windows.NONE:
        return []
    alpha, beta = trace.window(task.first_row)
    if not negamax and mover_in(game, trace, task.first_row) != MAX_PLAYER:
        alpha, beta = -beta, -alpha
    window = tr("begun with window {alpha} to {beta}", alpha=precise(alpha), beta=precise(beta))
    return [f"{window}, {whose_values(game, negamax, hidden)}"]
