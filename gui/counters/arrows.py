"""The arrows of a timeline: what came from one MPI rank to another, from the sender's lane to the receiver's."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from engine.result import Result, Task
from engine.rules.contract import Game
from engine.text.numbers import duration, thousands
from engine.transfer import Transfer, TransferKind
from gui.counters.lanes import moves_of
from gui.i18n.language import tr
from gui.style.theme import theme

GAP = 10
"""The least distance in pixels between the starts of two arrows of the same two ranks."""
MOST = 200
"""The most arrows that are painted: the gap is doubled until there are no more."""
NEAR = 3
"""The distance in pixels at which the pointer is on an arrow."""
MOST_TASKS = 4
"""The most tasks that are named in a sentence."""


class Arrows:
    """The arrows of a search; none without MPI ranks."""

    def __init__(self, result: Result | None = None, hidden: bool = False) -> None:
        """`hidden` leaves out those of bounds: the last move that raised that of the root is the best one."""
        sent = () if result is None else result.transfers
        self.transfers = [one for one in sent if not (hidden and one.kind is TransferKind.BOUND)]
        self._tasks: Sequence[Task] = () if result is None else result.tasks
        self._clock_error = 0.0 if result is None else result.clock_error
        self._threads = 1 if result is None else result.job.threads
        """The number of lanes of each rank; an arrow touches the first."""
        self._sent = np.array([one.sent for one in self.transfers])
        self._received = np.array([one.received for one in self.transfers])
        ranks = 0 if result is None else len(result.info.ranks)
        self._pairs = np.array([one.sender * ranks + one.receiver for one in self.transfers], np.int64)
        """The two ranks of each transfer as one number, less than `_kinds`."""
        self._number_of_pairs = ranks * ranks
        self._placed: tuple[tuple[float, float], QRect, int] | None = None
        self._lines: list[tuple[Transfer, QLineF]] = []
        """The arrows at the last place that was asked for."""

    def lines(self, span: tuple[float, float], lane: QRect, height: int) -> list[tuple[Transfer, QLineF]]:
        """The arrows of a span of time that can be told from one another, each with its place. `lane` is the frame of
        the first lane; each next lane is `height` pixels lower."""
        if self._placed != (span, lane, height):
            first, last = span
            scale = max(1, lane.width()) / (last - first)

            def place(rank: int, seconds: float) -> QPointF:
                lower = rank * self._threads * height
                return QPointF(lane.left() + (seconds - first) * scale, lane.center().y() + lower)

            self._placed = span, QRect(lane), height
            self._lines = [
                (one, QLineF(place(one.sender, one.sent), place(one.receiver, one.received)))
                for one in self._legible(span, theme().px(GAP) / scale)
            ]
        return self._lines

    def legend(self, span: tuple[float, float], shown: int) -> tuple[str, ...]:
        """What the arrows of a span are, of which `shown` are legible; the longest text first."""
        count = len(self._inside(span))
        if shown < count:
            some = {"shown": thousands(shown), "count": thousands(count)}
            return (
                tr(
                    "{shown} of {count} arrow(s) from rank to rank, dashed if one-sided: zoom in for the others",
                    "",
                    count,
                    **some,
                ),
                tr("{shown} of {count} arrow(s): zoom in for the others", "", count, **some),
                tr("{shown} of {count} arrow(s)", "", count, **some),
            )
        if not count:
            return ()
        return tr("arrows from rank to rank: messages, dashed if one-sided"), tr("arrows from rank to rank")

    def in_words(self, game: Game | None, transfer: Transfer) -> str:
        """What came from whom to whom, when, and how long it was under way."""
        names = [moves_of(game, self._tasks[number]) for number in transfer.tasks]
        if len(names) > MOST_TASKS:
            names[MOST_TASKS:] = [tr("%n more", "", len(names) - MOST_TASKS)]
        said = {
            "tasks": ", ".join(names),
            "sender": transfer.sender,
            "receiver": transfer.receiver,
            "sent": duration(transfer.sent),
            "took": duration(max(0.0, transfer.received - transfer.sent)),
        }
        match transfer.kind:
            case TransferKind.DEAL:
                words = tr(
                    "{tasks}: taken by rank {receiver} from the counter in the memory of rank {sender} (one-sided)\n"
                    "asked at {sent}, answered {took} later",
                    **said,
                )
            case TransferKind.RESULT:
                words = tr(
                    "{tasks}: results in a message from rank {sender} to rank {receiver}\n"
                    "sent at {sent}, under way for {took}",
                    **said,
                )
            case TransferKind.BOUND:
                words = tr(
                    "{tasks}: its value raised a bound of rank {receiver}, which read it in the memory of rank 0 "
                    "(one-sided)\nwritten by rank {sender} at {sent}, read {took} later",
                    **said,
                )
        if self._clock_error:
            aligned = tr("clocks of several hosts, aligned to ± {error}", error=duration(self._clock_error))
            return f"{words}\n{aligned}"
        return words

    def of_task(self, task: Task) -> list[Transfer]:
        """What came and went for one task, in the order of time."""
        return [one for one in self.transfers if any(self._tasks[number] is task for number in one.tasks)]

    def _inside(self, span: tuple[float, float]) -> NDArray[np.intp]:
        """The numbers of the transfers that touch a span of time."""
        return np.flatnonzero((self._sent <= span[1]) & (self._received >= span[0]))

    def _legible(self, span: tuple[float, float], gap: float) -> list[Transfer]:
        """Those of a span of which no two between the same ranks begin in one gap of `gap` seconds."""
        inside = self._inside(span)
        while True:
            gaps = np.floor(self._sent[inside] / gap).astype(np.int64) * self._number_of_pairs + self._pairs[inside]
            chosen = np.unique(gaps, return_index=True)[1]
            if len(chosen) <= MOST:
                return [self.transfers[number] for number in inside[np.sort(chosen)]]
            gap *= 2


def paint_arrow(painter: QPainter, whole: QLineF, kind: TransferKind, lane: QRect) -> None:
    """Paint the part of a thin arrow that is between the sides of a lane, dashed for a one-sided operation. A margin in
    the card's colour parts it from bars."""
    look = theme()
    line = _between(whole, lane.left(), lane.left() + lane.width())
    pen = QPen(look.colour("ink"), look.px(1))
    if kind is not TransferKind.RESULT:
        pen.setDashPattern([3, 2])
    painter.setPen(QPen(look.colour("card", 0.75), look.px(3)))
    painter.drawLine(line)
    painter.setPen(pen)
    painter.drawLine(line)
    if line.p2() != whole.p2():
        return
    along = math.atan2(line.dy(), line.dx())
    back = [along + math.pi - 0.45, along + math.pi + 0.45]
    head = [line.p2() + QPointF(math.cos(angle), math.sin(angle)) * look.px(6) for angle in back]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("ink"))
    painter.drawPolygon(QPolygonF([line.p2(), *head]))


def nearest(point: QPointF, lines: Iterable[tuple[Transfer, QLineF]]) -> Transfer | None:
    """The transfer whose arrow is nearest to a point; None if none is near."""
    near = [(_distance(point, line), number, one) for number, (one, line) in enumerate(lines)]
    distance, _, transfer = min(near, default=(math.inf, 0, None), key=lambda each: each[:2])
    return transfer if distance <= theme().px(NEAR) else None


def _between(line: QLineF, left: float, right: float) -> QLineF:
    """The part of a line between two places, of a line that touches it."""
    if line.x1() >= left and line.x2() <= right:
        return line
    start, end = ((min(max(x, left), right) - line.x1()) / line.dx() for x in (line.x1(), line.x2()))
    return QLineF(line.pointAt(start), line.pointAt(end))


def _distance(point: QPointF, line: QLineF) -> float:
    """From a point to a line between its two ends."""
    along, away = line.p2() - line.p1(), point - line.p1()
    length = QPointF.dotProduct(along, along)
    share = min(1.0, max(0.0, QPointF.dotProduct(away, along) / length)) if length else 0.0
    return QLineF(point, line.pointAt(share)).length()
