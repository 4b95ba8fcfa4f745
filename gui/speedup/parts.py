"""Where the speedup went: a stacked bar for each mode, of the time of all its workers."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from engine.measure.breakdown import Breakdown, breakdown
from engine.measure.comparison import names_of_both
from engine.measure.experiment import Experiment
from engine.text.numbers import duration
from gui.i18n.language import localized, mark, tr
from gui.speedup.words import mode_words
from gui.style.theme import NOTE, theme

NAMES = {
    "useful": mark("useful"),
    "overhead": mark("more nodes"),
    "slower": mark("slower nodes"),
    "taken": mark("no core"),
    "unbalanced": mark("load imbalance"),
    "waiting": mark("waiting"),
    "start": mark("start-up"),
}
MEANINGS = {
    "useful": mark("Searching as long as the serial search does"),
    "overhead": mark("Searching nodes that the serial search does not visit"),
    "slower": mark("The same nodes took longer than in the serial search"),
    "taken": mark("A worker was to run, and another process or worker had its core"),
    "unbalanced": mark("A worker had done its last task, and others had not"),
    "waiting": mark("Waiting for bounds, stages, messages and the next slice"),
    "start": mark("Preparation, the launch of ranks, and the result"),
}
HUES = {"useful": 1, "overhead": 0, "slower": 3, "unbalanced": 2, "waiting": 4}
"""The workers' hues of the parts; others are grey. A pattern tells each from its neighbours."""
PATTERNS = {
    "overhead": Qt.BrushStyle.BDiagPattern,
    "slower": Qt.BrushStyle.Dense4Pattern,
    "taken": Qt.BrushStyle.DiagCrossPattern,
    "unbalanced": Qt.BrushStyle.FDiagPattern,
    "waiting": Qt.BrushStyle.HorPattern,
    "start": Qt.BrushStyle.Dense6Pattern,
}

ROW, BAR, SAMPLE = 34, 14, 14


class Bar(NamedTuple):
    """One mode: its name and parts."""

    name: str
    parts: Breakdown


class PartsChart(QWidget):
    """Paints the bars, each as long as the others: a part is a share of the time of all workers."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: tuple[Bar, ...] = ()
        self.setAccessibleName(tr("Where the speedup went"))
        theme().changed.connect(self._fit)

    def show_experiment(self, experiment: Experiment) -> None:
        """Show the parts of every mode whose serial search was measured."""
        bars, shown, other = [], [(experiment, "")], experiment.compared
        if other is not None:
            here, there = (f" · {localized(name)}" for name in names_of_both(experiment, other))
            shown = [(experiment, here), (other, there)]
        for one, where in shown:
            found = ((timing.mode, breakdown(one, timing.mode)) for timing in one.timings)
            bars += [Bar(mode_words(mode) + where, parts) for mode, parts in found if parts is not None and parts.total]
        self._bars = tuple(bars)
        self.setAccessibleDescription("; ".join(f"{bar.name}: {_in_words(bar.parts)}" for bar in self._bars))
        self._fit()

    def heightForWidth(self, width: int) -> int:
        """The height that the legend and all bars need."""
        return round(self._top(width) + len(self._bars) * theme().px(ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme()
        painter.setFont(look.font(NOTE))
        for name, place in self._legend(self.width()):
            sample = QRectF(place.left(), place.center().y() - look.px(5), look.px(SAMPLE), look.px(10))
            self._fill(painter, sample, name)
            painter.setPen(look.colour("dim"))
            painter.drawText(
                place.adjusted(look.px(SAMPLE + 5), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, tr(NAMES[name])
            )
        for number, bar in enumerate(self._bars):
            row = self._row(number)
            painter.setPen(look.colour("ink"))
            painter.drawText(row, Qt.AlignmentFlag.AlignLeft, bar.name)
            painter.setPen(look.colour("dim"))
            painter.drawText(row, Qt.AlignmentFlag.AlignRight, duration(bar.parts.total))
            for name, segment in self._segments(number):
                self._fill(painter, segment, name)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.words_at(event.pos()), self)
            return True
        return super().event(event)

    def words_at(self, pos: QPoint) -> str:
        """The part under a point: its time, its share and its meaning; empty where there is none."""
        for number, bar in enumerate(self._bars):
            for name, segment in self._segments(number):
                if segment.contains(pos):
                    seconds = getattr(bar.parts, name)
                    words = duration(seconds), tr("{share} %", share=f"{100 * seconds / bar.parts.total:.1f}")
                    return "\n".join((f"{tr(NAMES[name])}: {', '.join(words)}", tr(MEANINGS[name])))
        return ""

    def _fit(self) -> None:
        self.setMinimumHeight(self.heightForWidth(self.width()))
        self.update()

    def _fill(self, painter: QPainter, area: QRectF, name: str) -> None:
        look = theme()
        hue = look.worker(HUES[name]) if name in HUES else look.colour("dim")
        painter.setPen(Qt.PenStyle.NoPen)
        if name in PATTERNS:
            wash = QColor(hue)
            wash.setAlphaF(0.25)
            painter.fillRect(area, wash)
        painter.fillRect(area, QBrush(hue, PATTERNS.get(name, Qt.BrushStyle.SolidPattern)))

    def _legend(self, room: int) -> list[tuple[str, QRectF]]:
        """The places of the parts' names, in rows of that width."""
        look = theme()
        height, left, top, found = look.px(NOTE + 7), 0.0, 0.0, []
        for name, words in NAMES.items():
            width = look.px(SAMPLE + 5) + look.width(tr(words), NOTE) + 2
            if left and left + width > room:
                left, top = 0.0, top + height
            found.append((name, QRectF(left, top, width, height)))
            left += width + look.px(12)
        return found

    def _top(self, width: int) -> float:
        """Where the bars begin, below the legend."""
        return self._legend(width)[-1][1].bottom() + theme().px(6)

    def _row(self, number: int) -> QRectF:
        top = self._top(self.width())
        return QRectF(0, top + number * theme().px(ROW), self.width(), theme().px(ROW))

    def _segments(self, number: int) -> list[tuple[str, QRectF]]:
        parts, row = self._bars[number].parts, self._row(number)
        left, found = row.left(), []
        for name in NAMES:
            width = row.width() * getattr(parts, name) / parts.total
            if width > 0:
                found.append((name, QRectF(left, row.top() + theme().px(NOTE + 4), width, theme().px(BAR))))
            left += width
        return found


def _in_words(parts: Breakdown) -> str:
    return ", ".join(f"{tr(words)} {100 * getattr(parts, name) / parts.total:.0f} %" for name, words in NAMES.items())
