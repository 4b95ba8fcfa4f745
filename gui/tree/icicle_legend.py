"""The legend of the whole tree: its entries in as many lines as there is room for, the more important first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QRegion, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gui.i18n.language import tr
from gui.style.theme import NOTE, theme
from gui.tree.icicle_colours import LegendEntry
from gui.widgets.card import OnGround

MOST_LINES = 2
SIDE, NEAR, FAR = 9, 4, 14
"""The side of a swatch, and the distances of a swatch to its words and of two entries, in pixels."""


class Placed(NamedTuple):
    """An entry and its area."""

    entry: LegendEntry
    area: QRect


@dataclass(frozen=True)
class Wrapped:
    """Entries that wrap at a width in pixels, in the present font; where there is no room for all, the last are left
    out, and counted."""

    entries: tuple[LegendEntry, ...]
    width: int

    @property
    def height(self) -> int:
        return max((placed.area.bottom() + 1 for placed in self.placed), default=_metrics().height())

    @cached_property
    def placed(self) -> list[Placed]:
        """The entries that fit, and the number of those that do not; one word where none does."""
        found = self._laid(self.entries)
        if len(found) == len(self.entries):
            return found
        for kept in range(len(found), -1, -1):
            more = tr("+ {count} more", count=len(self.entries) - kept) if kept else tr("Legend")
            found = self._laid((*self.entries[:kept], LegendEntry(more)))
            if len(found) > kept:
                break
        return found

    def _laid(self, entries: tuple[LegendEntry, ...]) -> list[Placed]:
        """The first of some entries, as many as fit."""
        look, high, left, line = theme(), _metrics().height(), 0, 0
        found: list[Placed] = []
        for entry in entries:
            wide = _before(entry) + look.width(entry.words, NOTE)
            if left and left + wide > self.width:
                left, line = 0, line + 1
            if line == MOST_LINES or wide > self.width:
                break
            found.append(Placed(entry, QRect(left, line * high, wide, high)))
            left += wide + look.px(FAR)
        return found

    def paint(self, painter: QPainter, seen: QRegion | None = None) -> None:
        """Draw the entries, or those of an area."""
        look, metrics = theme(), _metrics()
        painter.setFont(look.font(NOTE))
        side = look.px(SIDE)
        for entry, area in self.placed:
            if seen is not None and not seen.intersects(area):
                continue
            box = QRectF(area.left(), area.top() + (metrics.height() - side) / 2, side, side)
            if entry.shape is not None:
                entry.shape.paint(painter, box.adjusted(0.5, 0.5, -0.5, -0.5))
            for number, colour in enumerate(entry.colours):
                painter.fillRect(box.translated(number * side, 0), colour)
            painter.setPen(look.colour("dim"))
            painter.drawText(area.left() + _before(entry), area.top() + metrics.ascent(), entry.words)


class Legend(OnGround):
    """Entries that wrap; where there is no room for all, the last are counted, and in the tool tip only."""

    def __init__(self) -> None:
        super().__init__()
        self._wrapped = Wrapped((), 0)
        self._asked: tuple[tuple[LegendEntry, ...], float] = (), 0.0
        """The entries, and the zoom with which they are wrapped."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these entries, the most important first."""
        asked = tuple(entries), theme().zoom
        if asked == self._asked:
            return
        self._asked = asked
        self.setToolTip("\n".join(entry.words for entry in entries))
        self.setAccessibleName("; ".join(entry.words for entry in entries))
        self._wrap(tuple(entries))

    def shown(self) -> list[str]:
        """The words on the screen."""
        return [placed.entry.words for placed in self._wrapped.placed]

    def sizeHint(self) -> QSize:
        return QSize(theme().px(200), MOST_LINES * _metrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap(self._wrapped.entries)

    def paint(self, painter: QPainter, area: QRegion) -> None:
        self._wrapped.paint(painter, area)

    def _wrap(self, entries: tuple[LegendEntry, ...]) -> None:
        before, self._wrapped = self._wrapped.placed, Wrapped(entries, self.width())
        self.setFixedHeight(self._wrapped.height)
        after = self._wrapped.placed
        for placed in (*before, *after):
            if not (placed in before and placed in after):
                self.update(placed.area)


def _before(entry: LegendEntry) -> int:
    """The width of the swatches and the distance to the words."""
    count = len(entry.colours) + (entry.shape is not None)
    return count * theme().px(SIDE) + (theme().px(NEAR) if count else 0)


def _metrics() -> QFontMetrics:
    return QFontMetrics(theme().font(NOTE))
