"""The picture of a whole tree, which the mouse zooms and pans."""

from math import floor
from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QRegion

from engine.trace.widths import Places
from gui.i18n.language import mark
from gui.state.same_positions import Marks
from gui.style.theme import theme
from gui.tree.icicle_colours import Look
from gui.tree.icicle_painter import IciclePicture, Moment, Span
from gui.tree.icicle_same import RADIUS, paint_diamonds
from gui.tree.tree_mouse import TreeMouse
from gui.work.runner import Request, Runner

NARROWEST = 8
"""The fewest nodes across the width."""
ROUNDING = 0.01
"""More than the error of a point, in pixels of the screen, whose logical place is a fraction."""


class Format(NamedTuple):
    """What a picture depends on besides its record and what colours it."""

    span: Span
    size: tuple[int, int]
    ratio: float
    """The device pixel ratio."""
    theme: str
    zoom: float


class TreePicture(TreeMouse):
    """Paints a record.

    The picture of another record, or in other colours, is made outside the window's thread, when no event waits; the
    one before is seen until then. Close its `runner` before it is deleted.
    """

    span_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._look: Look | None = None
        self._places: Places | None = None
        self.chain: tuple[int, ...] = ()
        """The rows of the present path."""
        self.marks = Marks()
        self.moment: Moment | None = None
        """The moment shown; None after the end of the search."""
        self.negamax = False
        self.span = Span(0, 1)
        """The part of the record on display."""
        self._picture: IciclePicture | None = None
        self._drawn_in: Format | None = None
        """The format of the picture."""
        self._whole_picture: IciclePicture | None = None
        self._before: QImage | None = None
        """The image of the picture before."""
        self.is_behind = False
        """Whether the picture is being made: the one before is shown, if there was one."""
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._begin)
        self.runner = Runner(mark("picture of the whole tree"), _draw, self)
        self.runner.finished.connect(self._on_made)
        self.runner.failed.connect(lambda _: self._on_made(None))

    def show_places(self, places: Places | None) -> None:
        """Show the whole of a record with these extents, or nothing."""
        self.point(None)
        self._forget()
        self._places, self._pressed = places, None
        self.marks = Marks()
        self.show_all()

    def show_look(self, look: Look | None) -> None:
        """Show a record and its colours; `show_places` goes with it."""
        self._forget()
        self._look = look
        self.update()

    def _forget(self) -> None:
        """Drop the picture, but for its image."""
        if self._picture is not None:
            self._before = self._picture.image(self.negamax)
        self._picture, self._drawn_in, self._whole_picture = None, None, None
        self.is_behind = True
        self.runner.drop()
        self._soon.start()

    def _begin(self) -> None:
        """Make the picture, if there is something to show."""
        if self._look is None or self._places is None:
            self._before, self.is_behind = None, False
        else:
            self.runner.start((self._look, self._places, self._format(), self.negamax))

    def _on_made(self, made: tuple[Format, IciclePicture] | None) -> None:
        """Show the picture. One that does not fit any more, or could not be made, is made when it is painted."""
        self._before, self.is_behind = None, False
        if made is not None and made[0] == self._format():
            self._take(made[1])
        self.update()

    def _take(self, picture: IciclePicture) -> None:
        self._picture, self._drawn_in = picture, self._format()
        if not self.is_zoomed:
            self._whole_picture = picture

    def _format(self) -> Format:
        """What a picture depends on besides its record and colours."""
        return Format(
            self.span, (self.width(), self.height()), self.devicePixelRatioF(), theme().colours.name, theme().zoom
        )

    @property
    def whole(self) -> float:
        """The width of the whole record in the unit of its places."""
        return 1.0 if self._places is None else self._places.whole

    @property
    def has_tree(self) -> bool:
        return self._places is not None

    @property
    def view(self) -> Span:
        return self.span

    def _per_pixel(self, span: Span) -> float:
        """The width of a pixel in the unit of the places."""
        return (span.end - span.first) / max(1, self.width())

    @property
    def is_zoomed(self) -> bool:
        return self._places is not None and self.span.end - self.span.first < self.whole * (1 - 1e-9)

    def show_all(self) -> None:
        """Show the whole record."""
        self.zoom_to(0, self.whole)

    def zoom_to(self, first: float, end: float) -> None:
        """Show these places, at least NARROWEST and no more than there are."""
        wide = min(self.whole, max(NARROWEST, end - first))
        first = min(max(0, (first + end - wide) / 2), self.whole - wide)
        self.span = Span(first, first + wide)
        self.update()
        self.span_changed.emit()

    def set_span(self, span: Span) -> None:
        """Show the same part as another picture of the same width."""
        self.span = span
        self.update()

    def zoom_to_row(self, row: int) -> None:
        if self._places is not None:
            self.zoom_to(*self._places.extent(row))

    def zoom(self, factor: float, middle: float) -> None:
        """Show a `factor` times narrower part; the place `middle` stays where it is."""
        self.zoom_to(*(middle + (side - middle) / factor for side in self.span))

    def zoom_at(self, factor: float, point: QPointF) -> None:
        self.zoom(factor, self.span.first + point.x() * self._per_pixel(self.span))

    def pan(self, view: Span, by: QPoint) -> None:
        self.zoom_to(*(side - by.x() * self._per_pixel(view) for side in view))

    def zoom_at_row(self, factor: float, row: int) -> None:
        """Zoom where a row begins."""
        if self._places is not None:
            self.zoom(factor, self._places.extent(row)[0])

    def shows(self, row: int) -> bool:
        """Whether the place where a row begins is on display."""
        return self._places is None or self.span.first <= self._places.extent(row)[0] < self.span.end

    def reveal(self, row: int) -> None:
        """Pan to a row that is not on display."""
        if self._places is not None and not self.shows(row):
            place, half = self._places.extent(row)[0], (self.span.end - self.span.first) / 2
            self.zoom_to(place - half, place + half)

    def row_at(self, point: QPointF) -> int | None:
        return None if self._picture is None else self._picture.row_at(*self._pixel(point))

    def owner_at(self, point: QPointF) -> int | None:
        return None if self._picture is None else self._picture.owner_at(*self._pixel(point))

    def _pixel(self, point: QPointF) -> tuple[int, int]:
        """The column and the line of the image that the screen shows at a point. Qt begins the image at the pixel of
        the screen that is nearest to the widget's corner."""
        ratio, corner = self.devicePixelRatioF(), self.mapTo(self.window(), QPointF())
        at, first = (corner + point) * ratio, corner * ratio
        return floor(at.x() + ROUNDING) - floor(first.x() + 0.5), floor(at.y() + ROUNDING) - floor(first.y() + 0.5)

    def whole_picture(self) -> IciclePicture | None:
        """The picture of the whole record, as wide as this one: that shown before the zoom, while it holds. None
        without a record."""
        if self._look is None or self._places is None:
            return None
        shape = self.width(), self.devicePixelRatioF()
        known = self._whole_picture
        if known is None or (known.width, known.ratio) != shape:
            whole = Span(0, self.whole)
            known = IciclePicture(
                self._look, self._places, whole, (self.width(), self.height()), self.devicePixelRatioF()
            )
            self._whole_picture = known
        return known

    def paint(self, painter: QPainter, area: QRegion) -> None:
        if self._look is not None and self._places is not None:
            self._paint(painter, self._look, self._places)

    def _paint(self, painter: QPainter, look: Look, places: Places) -> None:
        if self.is_behind:
            if self._before is not None:
                painter.drawImage(QPoint(0, 0), self._before)
            return
        if self._picture is None or self._drawn_in != self._format():
            self._take(_drawn(look, places, self._format()))
        assert self._picture is not None
        self._picture.paint(painter, self.chain, self.negamax, self.moment)
        for rows, filled in ((self.marks.symmetric, False), (self.marks.equal, True)):
            paint_diamonds(painter, self._picture.middles(rows, theme().px(RADIUS)), filled)


def _drawn(look: Look, places: Places, form: Format) -> IciclePicture:
    return IciclePicture(look, places, form.span, form.size, form.ratio)


def _draw(request: Request) -> tuple[Format, IciclePicture]:
    """A picture with its image, outside the window's thread."""
    look, places, form, negamax = request.asked
    made = _drawn(look, places, form)
    made.image(negamax)
    return form, made
