"""The positions of the board's parts within its widget."""

from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF

from engine.rules.board_view import BoardView, Surface
from gui.style.theme import FIGURE, NOTE, TEXT, VERDICT, theme
from gui.widgets.board_painter import Frame, snapped

RIM = 0.3
"""The width that a plate or felt takes around the squares, at most: as a share of the space for names, and of a
square."""


@dataclass(frozen=True)
class Layout(Frame):
    """Positions and sizes in logical pixels; the board begins on whole device pixels.

        a   b   c
    1     │   │     ◀ top
      ────┼───┼────
    2     │   │     ◀ a square is `side` wide
         O to move  ◀ lines
    """

    gutter: float
    """The space for the names of columns and rows, and for the board's rim."""
    scale: float
    """The factor by which text is larger than in a small card."""
    lines: tuple[QRectF, ...]
    """The lines of text below the board: as many as leave the larger part to the board."""

    @property
    def text(self) -> QRect:
        """The area of the lines of text alone; empty where there are none."""
        return self.lines[0].united(self.lines[-1]).toAlignedRect() if self.lines else QRect()

    def at(self, point: QPointF) -> int | None:
        """The square at a point; None outside the board."""
        squares = range(len(self.view.squares)) if self.side > 0 else ()
        return next((square for square in squares if _is_in(self.rect(square), point)), None)

    def fonts(self) -> tuple[QFont, QFont]:
        """The fonts of the verdict and of the note."""
        return _line_fonts(self.scale)


def lay_out(view: BoardView, size: QSizeF, ratio: float) -> Layout:
    """The layout of a board in a size, on a screen of that device pixel ratio."""
    look, pixel, (wide, high) = theme(), 1 / ratio, view.extent
    scale = _scale(min(size.width() / look.px(320), size.height() / look.px(420)))
    gutter, above, heights = _around(view, scale)
    while heights and sum(above) + sum(heights) > 0.45 * size.height():
        above.pop()
        heights.pop()
    below = sum(above) + sum(heights)
    unit = min((size.width() - 2 * gutter) / wide, (size.height() - gutter - below) / high)
    side = max(0.0, snapped(unit * view.side, pixel))
    unit, margin = side / view.side, 0.0 if view.surface is Surface.PAPER else min(gutter * RIM / (1 + RIM), side * RIM)
    spare = max(0.0, size.height() - gutter - unit * high - below)
    left, top = snapped((size.width() - unit * wide) / 2, pixel), snapped(gutter + spare / 2, pixel)
    lines, y = [], top + unit * high
    for gap, height in zip(above, heights, strict=True):
        lines.append(QRectF(0, y + gap, size.width(), height))
        y += gap + height
    return Layout(view, unit, left, top, margin, pixel, gutter, scale, tuple(lines))


def full_height(view: BoardView, width: float) -> int:
    """The height of a board with its lines of text, at a width in pixels."""
    gutter, above, heights = _around(view, _scale(width / theme().px(320)))
    wide, high = view.extent
    return ceil(gutter + (width - 2 * gutter) / wide * high + sum(above) + sum(heights))


def _is_in(rect: QRectF, point: QPointF) -> bool:
    """Whether a point is in a square; the right and lower edges belong to the next squares."""
    return rect.left() <= point.x() < rect.right() and rect.top() <= point.y() < rect.bottom()


def _scale(size: float) -> float:
    """The factor by which text is larger than in a small card, for a widget of that size."""
    return min(VERDICT / FIGURE, max(1.0, size))


def _around(view: BoardView, scale: float) -> tuple[int, list[int], list[float]]:
    """The space for the names of columns and rows and for a rim; the space above each line of text, and its height."""
    look = theme()
    above = [look.px(gap * scale) for gap in (14, 3)]
    wide = 1 if view.surface is Surface.PAPER else 1 + RIM
    return look.px((NOTE + 6) * scale * wide), above, [QFontMetricsF(font).height() for font in _line_fonts(scale)]


def _line_fonts(scale: float) -> tuple[QFont, QFont]:
    look = theme()
    return look.font(FIGURE * scale, QFont.Weight.DemiBold), look.font(TEXT * scale)
