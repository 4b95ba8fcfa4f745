"""The places in a timeline: a row for each worker, with its name, the lane of its bars, and columns of figures."""

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont

from gui.counters.lanes import Lane
from gui.i18n.language import tr
from gui.style.theme import NOTE, theme

ROW, HEAD = 18, 16
"""The heights of a row and of the axis above all, in pixels at 100 %."""
LANE = 120
"""The least width of the bars: a column of figures that would leave less is hidden."""


class TimelineLayout:
    """The places in a widget of one width. All texts are measured when it is made."""

    def __init__(self, width: int, figures: Sequence[str], lanes: Sequence[Lane], widest: Sequence[str]) -> None:
        """The columns of these figures that fit beside lanes with the figures of the whole search are shown; `widest`
        is the widest text of each, ever."""
        look, gap = theme(), theme().px(14)
        self.top, self._row, self._width = look.px(HEAD), look.px(ROW), width
        self._left = look.px(25) + max((look.width(lane.name, NOTE) for lane in lanes), default=0)
        texts = ([tr(name), *(lane.figures[i] for lane in lanes)] for i, name in enumerate(figures))
        widths, room = [max(map(figure_width, column)) for column in texts], width - self._left - look.px(LANE)
        count = max((n for n in range(len(widths) + 1) if sum(widths[:n]) + gap * n <= room), default=0)
        self.columns: list[tuple[str, QRect]] = []
        """The name of each figure that is shown, and its column, from left to right."""
        right = width
        for name, text in reversed(list(zip(figures[:count], widest, strict=False))):
            wide = figure_width(text)
            self.columns.insert(0, (name, QRect(right - wide, 0, wide, 0)))
            right -= wide + gap
        self._right = self.columns[0][1].left() - look.px(12) if self.columns else width

    def row(self, number: int) -> QRect:
        """The row of a worker, over the whole width."""
        return QRect(0, self.top + number * self._row, self._width, self._row)

    def row_at(self, y: int) -> int:
        """The number of the row at a height; negative above all."""
        return (y - self.top) // self._row

    def lane(self, number: int) -> QRect:
        """The area of a worker's bars: between its name and its figures."""
        row = self.row(number)
        return QRect(self._left, row.top() + 2, max(0, self._right - self._left), row.height() - 3)


def figure_width(text: str) -> int:
    """The width of a figure in pixels."""
    return theme().width(text, NOTE, QFont.Weight.Medium)
