"""Draws a Figure with pyqtgraph: axes without boxes, medians with intervals, a legend outside the plot."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from gui.i18n.language import tr
from gui.speedup.series import Figure, LineStyle, Series
from gui.style.theme import NOTE, theme
from gui.widgets.announce import announce
from gui.widgets.focus_ring import want_ring

SIGNS = ("o", "s", "t1", "d")
"""pyqtgraph's names of a disc, a square, a triangle and a diamond: each algorithm also has a sign."""

HUES = (1, 0, 2, 3)
"""The workers' hues used for algorithms: not those of X and O."""

PATTERNS = {
    LineStyle.DASHED: [4, 3],
    LineStyle.DOTTED: [1, 1.5],
    LineStyle.FITTED: [6, 2, 1, 2],
    LineStyle.FITTED_MPI: [4, 1.5, 1, 1.5, 1, 1.5],
}
"""Dash patterns: stroke and gap, in line widths."""

SAMPLE = 22
"""The width of a line's sample in the legend: two dashes."""

LEAST = QSize(150, 150)
"""The least size of the axes with their labels, at 100 %: in less space the chart scrolls."""


STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
"""The keys that read another point."""


def hue(series: Series) -> QColor:
    """The colour of a series."""
    return theme().colour("dim", 0.7) if series.hue is None else theme().worker(HUES[series.hue % len(HUES)])


def sign(series: Series) -> str:
    """pyqtgraph's name of the sign of a series."""
    return series.sign or SIGNS[(series.hue or 0) % len(SIGNS)]


class Point(NamedTuple):
    """A point that can be read."""

    series: Series
    x: float
    y: float
    words: str


class Chart(QWidget):
    """Shows one Figure. The pointer reads the nearest point, the arrow keys one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._figure: Figure | None = None
        self._points: list[Point] = []
        self._read: Point | None = None
        self._ring = pg.ScatterPlotItem(symbol="o", brush=pg.mkBrush(None))
        self._legend = _Legend()
        self._plot = pg.PlotWidget(enableMenu=False)
        self._plot.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)  # otherwise an SVG has the background as pixels
        self._plot.setFrameShape(QFrame.Shape.NoFrame)
        self._plot.setBackground(None)  # the ground is the card's, which may be faded
        self._plot.viewport().setAutoFillBackground(False)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # the chart itself reads points
        self._plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # its hint is 640 x 480
        self._item: Any = self._plot.getPlotItem()
        self._item.setMouseEnabled(False, False)
        self._item.hideButtons()
        menu = self._item.ctrlMenu
        menu.setParent(self._plot, menu.windowFlags())  # without a parent it would outlive the chart
        self._item.disableAutoRange()
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._legend)
        column.addWidget(self._plot, 1)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Speedup chart"))
        want_ring(self)
        self.setMouseTracking(True)
        self._soon = QTimer(self, singleShot=True, interval=0)  # a step of its own: the whole window changes
        self._soon.timeout.connect(self._draw)
        theme().changed.connect(self._draw_soon)
        self._draw()

    def show_figure(self, figure: Figure | None) -> None:
        """Draw a figure, unless it is on display; None clears the chart."""
        if figure != self._figure:
            self._figure = figure
            self._draw()

    @property
    def words(self) -> str:
        """The words of the point that is read; empty for none."""
        return self._read.words if self._read else ""

    def read(self, point: Point | None) -> None:
        """Put a ring around a point and show its words beside it; None ends both."""
        if point is self._read:
            return
        self._read = point
        if point is None:
            self._ring.setData([])
            QToolTip.hideText()
            return
        self._ring.setData([point.x], [point.y])
        QToolTip.showText(self.mapToGlobal(self.place(point).toPoint()), point.words, self)

    def place(self, point: Point) -> QPointF:
        """The place of a point in this widget."""
        scene = self._item.vb.mapViewToScene(QPointF(point.x, point.y))
        return QPointF(self._plot.mapToParent(self._plot.mapFromScene(scene)))

    def nearest(self, pos: QPointF) -> Point | None:
        """The point nearest to a place in this widget; None where the figure has none."""
        return min(self._points, key=lambda point: (self.place(point) - pos).manhattanLength(), default=None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        pos = event.position()
        self.read(self.nearest(pos) if self._plot.geometry().contains(pos.toPoint()) else None)

    def leaveEvent(self, event: QEvent) -> None:
        self.read(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.read(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or not self._points:
            super().keyPressEvent(event)
            return
        at = self._points.index(self._read) + step if self._read else 0
        self.read(self._points[at % len(self._points)])
        announce(self, self.words)

    def _draw_soon(self) -> None:
        self._soon.start()

    def _draw(self) -> None:
        look, item = theme(), self._item
        self.read(None)
        item.clear()
        self._points = [
            Point(series, x, y.value, words)
            for series in (self._figure.series if self._figure else ())
            for x, y, words in zip(series.xs, series.ys, series.words, strict=False)
        ]
        self._points.sort(key=lambda point: (not point.series.signs, point.series.hue or 0, point.x))
        self._legend.show_series(self._figure.series if self._figure else ())
        for side in ("left", "bottom"):
            item.showAxis(side, self._figure is not None)
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen(None))
            axis.setTickPen(pg.mkPen(None))
            axis.setTextPen(look.colour("dim"))
            axis.setStyle(tickFont=look.font(NOTE), tickLength=0, hideOverlappingLabels=False)
        self._plot.setMinimumSize(look.px(LEAST.width()), look.px(LEAST.height()))
        if self._figure is None:
            return
        figure = self._figure
        item.setRange(xRange=figure.x_range, yRange=figure.y_range, padding=0, disableAutoRange=True)
        # The space for labels is fixed, because pyqtgraph computes it one frame too late.
        metrics = QFontMetricsF(look.font(NOTE))
        left = item.getAxis("left")
        half = max(metrics.horizontalAdvance(label) for _, label in figure.x_ticks) / 2
        item.layout.setContentsMargins(0, look.px(NOTE) / 2, half, 0)  # for half of the last labels
        left.setTicks([figure.y_ticks])
        left.setWidth(max(metrics.horizontalAdvance(label) for _, label in figure.y_ticks) + look.px(8))
        self._fit_labels()
        for value, _ in figure.y_ticks:
            line = pg.InfiniteLine(value, angle=0, pen=pg.mkPen(look.colour("line"), width=1))
            line.setZValue(-10)
            item.addItem(line)
        for series in figure.series:
            self._draw_series(series)
        self._ring.setSize(look.px(17))
        self._ring.setPen(pg.mkPen(look.colour("ink"), width=1.5))
        item.addItem(self._ring)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._legend.fit(self.width())
        self._column.activate()  # a picture is painted before the next step
        self._fit_labels()

    def _fit_labels(self) -> None:
        """Set the label of the axis at the length that fits, and those of its ticks in two lines where one is full."""
        if self._figure is None:
            return
        look, labels, ticks = theme(), self._figure.x_label, self._figure.x_ticks
        bottom, gap = self._item.getAxis("bottom"), look.px(NOTE) / 2
        room, metrics = self.width() - self._item.getAxis("left").width(), QFontMetricsF(look.font(NOTE))
        first, last = self._figure.x_range
        unit = (room - metrics.horizontalAdvance(ticks[-1][1]) / 2) / (last - first)
        is_full = any(
            metrics.horizontalAdvance(words + after) / 2 + gap > unit * (right - left)
            for (left, words), (right, after) in pairwise(ticks)
        )
        bottom.setTicks([[(x, "\n" * (is_full and number % 2) + words) for number, (x, words) in enumerate(ticks)]])
        bottom.setHeight((3 if is_full else 2) * metrics.height() + look.px(4))
        text = next((one for one in labels if metrics.horizontalAdvance(one) <= room), labels[-1])
        self._item.setLabel("bottom", text, **{"color": look.colours.dim, "font-size": f"{look.px(NOTE)}px"})
        bottom.resizeEvent()  # otherwise the label keeps the place of a shorter one

    def _draw_series(self, series: Series) -> None:
        colour, card = hue(series), theme().colour("card")
        values = [interval.value for interval in series.ys]
        if series.signs and series.xs:
            bars = pg.ErrorBarItem(
                x=np.array(series.xs),
                y=np.array(values),
                top=np.array([interval.upper - interval.value for interval in series.ys]),
                bottom=np.array([interval.value - interval.lower for interval in series.ys]),
                pen=pg.mkPen(colour, width=2),
            )
            self._item.addItem(bars)
        pen = pg.mkPen(None)
        if series.line is not LineStyle.NONE:
            pen = pg.mkPen(colour, width=2 if series.signs else 1.5)
            if series.line in PATTERNS:
                pen.setDashPattern(PATTERNS[series.line])
        self._item.addItem(pg.PlotCurveItem(np.array(series.xs), np.array(values), pen=pen, antialias=True))
        if series.signs:
            signs = pg.ScatterPlotItem(
                np.array(series.xs),
                np.array(values),
                symbol=sign(series),
                size=theme().px(9),
                pen=pg.mkPen(colour if series.hollow or series.sign else card, width=2 if series.hollow else 1),
                brush=pg.mkBrush(card if series.hollow else colour),
                antialias=True,
                useCache=False,  # otherwise an SVG has the signs as pixels
            )
            self._item.addItem(signs)
        for number, note in enumerate(series.notes):
            if not note:
                continue
            under = number in series.under
            text = pg.TextItem(note, color=colour, anchor=(0.5 if series.signs else 1.0, -0.2 if under else 1.2))
            text.setFont(theme().font(NOTE, QFont.Weight.Medium))
            text.setPos(series.xs[number], series.ys[number].lower if under else series.ys[number].upper)
            self._item.addItem(text)


class _Legend(QWidget):
    """The legend above the chart, outside the plot, in as many rows as it needs."""

    def __init__(self) -> None:
        super().__init__()
        self._series: tuple[Series, ...] = ()
        self._frames: list[QRectF] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_series(self, series: tuple[Series, ...]) -> None:
        named = [one for one in series if one.name]
        self._series = tuple(sorted(named, key=lambda one: (one.hue is None, not one.signs)))
        self.setAccessibleName(", ".join(one.name for one in self._series))
        self.fit(self.width())

    def fit(self, width: int) -> None:
        """Place the names in rows of this width; a longer name has a row of its own."""
        look, metrics = theme(), QFontMetricsF(_legend_font())
        left, top, height = 0.0, 0.0, float(look.px(NOTE + 7))
        self._frames = []
        for series in self._series:
            needed = look.px(SAMPLE + 7) + metrics.horizontalAdvance(series.name) + 2
            if left and left + needed > width:
                left, top = 0.0, top + height
            self._frames.append(QRectF(left, top, min(needed, width), height))
            left += needed + look.px(12)
        self.setFixedHeight(round(top + height))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = theme()
        painter.setFont(_legend_font())
        metrics, sample = QFontMetricsF(painter.font()), look.px(SAMPLE)
        for series, frame in zip(self._series, self._frames, strict=True):
            _draw_sample(painter, series, QRectF(frame.left() + 2, frame.top(), sample, frame.height()))
            painter.setPen(look.colour("dim") if series.hue is None else hue(series))
            room = frame.adjusted(look.px(SAMPLE + 7), 0, 0, 0)
            text = metrics.elidedText(series.name, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), text)


def _legend_font() -> QFont:
    return theme().font(NOTE + 1, QFont.Weight.Medium)


def _draw_sample(painter: QPainter, series: Series, box: QRectF) -> None:
    """Draw a piece of a series' line with its sign."""
    middle = box.center()
    pen = QPen(hue(series), 2)
    if series.line in PATTERNS:
        pen.setDashPattern(PATTERNS[series.line])
    painter.setPen(pen)
    if series.line is not LineStyle.NONE:
        painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))
    if series.signs:
        size = theme().px(9)
        painter.setPen(QPen(hue(series), 2) if series.hollow else Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("card") if series.hollow else hue(series))
        place = QTransform.fromTranslate(middle.x(), middle.y()).scale(size, size)
        painter.drawPath(place.map(Symbols[sign(series)]))
