"""Where the parts of the board go in the room that it is given."""

from dataclasses import dataclass
from math import ceil, floor

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF

from gui.theme import FIGURE, NOTE, TEXT, VERDICT, theme


@dataclass(frozen=True)
class Layout:
    """Where things are, in logical pixels; squares begin on whole device pixels.

        a   b   c
    1     │   │     ◀ top
      ────┼───┼────
    2     │   │     ◀ a square is `side` wide
         O to move  ◀ lines
    """

    columns: int
    rows: int
    side: float
    left: float
    top: float
    gutter: float
    """The room for the names of columns and rows."""
    scale: float
    """How much larger than in a small card text is."""
    pixel: float
    """A device pixel."""
    lines: tuple[QRectF, ...]
    """The lines of text below the board, as many as leave it the larger part."""

    @property
    def text(self) -> QRect:
        """The room of the lines of text, where nothing else is; empty where there are none."""
        return self.lines[0].united(self.lines[-1]).toAlignedRect() if self.lines else QRect()

    def rect(self, square: int) -> QRectF:
        row, column = divmod(square, self.columns)
        return QRectF(self.left + column * self.side, self.top + row * self.side, self.side, self.side)

    def tile(self, square: int) -> QRectF:
        """The part of a square that a wash covers, in whole device pixels."""
        gap = max(self.pixel, snapped(self.side * 0.055, self.pixel))
        return self.rect(square).adjusted(gap, gap, -gap, -gap)

    def at(self, point: QPointF) -> int | None:
        """The square under a point."""
        if self.side <= 0:
            return None
        column, row = floor((point.x() - self.left) / self.side), floor((point.y() - self.top) / self.side)
        return row * self.columns + column if 0 <= column < self.columns and 0 <= row < self.rows else None

    def fonts(self) -> tuple[QFont, QFont]:
        """Of the verdict and the note."""
        return _line_fonts(self.scale)


def lay_out(columns: int, rows: int, size: QSizeF, ratio: float) -> Layout:
    """The layout of a board of so many squares in a size, on a screen of that device pixel ratio."""
    look, pixel = theme(), 1 / ratio
    scale = _scale(min(size.width() / look.px(320), size.height() / look.px(420)))
    gutter, above, heights = _around(scale)
    while heights and sum(above) + sum(heights) > 0.45 * size.height():
        above.pop()
        heights.pop()
    below = sum(above) + sum(heights)
    side = max(0.0, snapped(min((size.width() - 2 * gutter) / columns, (size.height() - gutter - below) / rows), pixel))
    spare = max(0.0, size.height() - gutter - side * rows - below)
    left, top = snapped((size.width() - side * columns) / 2, pixel), snapped(gutter + spare / 2, pixel)
    lines, y = [], top + side * rows
    for gap, height in zip(above, heights, strict=True):
        lines.append(QRectF(0, y + gap, size.width(), height))
        y += gap + height
    return Layout(columns, rows, side, left, top, gutter, scale, pixel, tuple(lines))


def full_height(columns: int, rows: int, width: float) -> int:
    """How high a board of so many squares is, with its lines of text, where it is as wide as there is room."""
    gutter, above, heights = _around(_scale(width / theme().px(320)))
    return ceil(gutter + (width - 2 * gutter) / columns * rows + sum(above) + sum(heights))


def _scale(size: float) -> float:
    """How much larger text is than in a small card, in a room so much larger."""
    return min(VERDICT / FIGURE, max(1.0, size))


def _around(scale: float) -> tuple[int, list[int], list[float]]:
    """The room for names of columns and rows; that above each line of text, and for it."""
    look = theme()
    above = [look.px(gap * scale) for gap in (14, 3)]
    return look.px((NOTE + 6) * scale), above, [QFontMetricsF(font).height() for font in _line_fonts(scale)]


def snapped(length: float, pixel: float) -> float:
    """A length in whole device pixels, rounded down."""
    return floor(length / pixel + 1e-6) * pixel


def _line_fonts(scale: float) -> tuple[QFont, QFont]:
    look = theme()
    return look.font(FIGURE * scale, QFont.Weight.DemiBold), look.font(TEXT * scale)
