"""Paints a board as its game's view describes it: surface, lines, regions, marks.

The large board, the small ones, thumbnails and files all use these functions; they differ in how bold the marks are.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import floor, hypot, sqrt
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen

from engine.rules.board_view import BoardView, Line, Rectangle, Region, RegionState, Shape, Surface
from gui.style.colours import Colours, legible_on, standing_out
from gui.style.theme import theme

WASH = 0.12
"""The opacity of a square's tint."""
BEATEN, STRIKE = 0.5, 0.6
"""The opacity of marks beside a winning line, and of that line."""
SETTLED = 0.35
"""The opacity of marks below the large mark of a won region."""
DISC, HOLE, STROKE = 0.39, 0.42, 0.06
"""The radius of a disc, and of the hole of a rack, and the width of a winning line, in sides of a square."""
EDGE = 3.0
"""The contrast that WCAG 2.1 asks of graphics (1.4.11): of a disc's edge with what is behind it."""
RIM_INK = 0.22
"""The least share of ink in a disc's edge."""
GROOVE = 0.16
"""The width of a disc's groove, in its radii."""
FALLING = 0.75
"""The share of the animation in which a disc falls, before it bounces."""
BOUNCE = 0.06


class Boldness(NamedTuple):
    """Sizes of marks, in sides of a square."""

    cross: float
    ring: float
    width: float
    line: float
    """The greatest opacity of a line between squares."""
    thick: float
    """The greatest width in pixels."""
    shift: float
    """The offset of a hairline from the edge of its squares, in its own widths; heavier lines have the same middle."""


LARGE = Boldness(cross=0.235, ring=0.25, width=0.1, line=0.4, thick=4.0, shift=-0.5)
SMALL = Boldness(cross=0.27, ring=0.27, width=0.14, line=0.45, thick=1.0, shift=0.5)


REGION = Boldness(cross=0.32, ring=0.34, width=0.085, line=0.0, thick=0.0, shift=0.0)
"""The sizes of the large mark over a region."""


@dataclass(frozen=True)
class Frame:
    """The place of a board on a device, in logical pixels."""

    view: BoardView
    unit: float
    """The board's longer side."""
    left: float
    top: float
    margin: float
    """The width of the plate or felt around the squares."""
    pixel: float
    """The size of a device pixel."""

    @property
    def side(self) -> float:
        """The side of a square."""
        return self.unit * self.view.side

    @property
    def whole(self) -> QRectF:
        """The area of all squares."""
        width, height = self.view.extent
        return self.box(Rectangle(0, 0, width, height))

    def rect(self, square: int) -> QRectF:
        return self.box(self.view.squares[square])

    def tile(self, square: int) -> QRectF:
        """The part of a square that a wash covers, in whole device pixels."""
        gap = max(self.pixel, snapped(self.side * 0.055, self.pixel))
        return self.rect(square).adjusted(gap, gap, -gap, -gap)

    def box(self, rectangle: Rectangle) -> QRectF:
        left, top, width, height = (part * self.unit for part in rectangle)
        return QRectF(self.left + left, self.top + top, width, height)

    def point(self, x: float, y: float) -> QPointF:
        return QPointF(self.left + x * self.unit, self.top + y * self.unit)


_Paint = Callable[[QPainter, Frame], None]


def snapped(length: float, pixel: float) -> float:
    """A length in whole device pixels, rounded down."""
    return floor(length / pixel + 1e-6) * pixel


def is_drawing(painter: QPainter) -> bool:
    """Whether the painter writes a vector drawing, not pixels."""
    return painter.paintEngine().type() in (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def pen(colour: QColor, width: float) -> QPen:
    """A pen of this width in pixels, with round ends."""
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def corner(frame: Frame) -> float:
    """The radius of a tile's corners."""
    return min(8.0, frame.side * 0.09)


# The surface


def paint_surface(painter: QPainter, frame: Frame, boldness: Boldness = LARGE) -> None:
    """Paint the plate with its holes, the felt with its lines, or the lines alone."""
    match frame.view.surface:
        case Surface.PAPER:
            _paint_lines(painter, frame, boldness, "dim", min(boldness.line, frame.side / 20))
        case Surface.FELT:
            _copied(painter, frame, _paint_felt)
            _paint_lines(painter, frame, boldness, "black", min(0.55, frame.side / 20))
        case Surface.RACK:
            _copied(painter, frame, _paint_plate)


def _paint_lines(painter: QPainter, frame: Frame, boldness: Boldness, colour: str, alpha: float) -> None:
    """Paint lines between squares, on whole device pixels."""
    thin, look = max(frame.pixel, snapped(min(frame.side * 0.022, boldness.thick), frame.pixel)), theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for line in frame.view.lines:
        width = snapped(thin * line.weight, frame.pixel)
        shift = boldness.shift * thin - (width - thin) / 2
        solid = look.colour(colour, min(1.0, alpha * (1 + line.weight) / 2))
        start, end = frame.point(line.x1, line.y1), frame.point(line.x2, line.y2)
        if line.x1 == line.x2:
            left = snapped(start.x() + shift, frame.pixel)
            painter.fillRect(QRectF(left, start.y(), width, end.y() - start.y()), solid)
        elif line.y1 == line.y2:
            top = snapped(start.y() + shift, frame.pixel)
            painter.fillRect(QRectF(start.x(), top, end.x() - start.x(), width), solid)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(pen(solid, width))
            painter.drawLine(start, end)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _around(frame: Frame) -> QRectF:
    margin = frame.margin
    return frame.whole.adjusted(-margin, -margin, margin, margin)


def _paint_felt(painter: QPainter, frame: Frame) -> None:
    felt, around = theme().colour("felt"), _around(frame)
    radius = min(6.0, frame.side * 0.14)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(felt.darker(150))
    painter.drawRoundedRect(around, radius, radius)
    painter.fillRect(frame.whole, felt)


def _paint_plate(painter: QPainter, frame: Frame) -> None:
    plate, look = theme().colour("plate"), theme()
    shape, radius = QPainterPath(), min(14.0, frame.side * 0.3)
    shape.addRoundedRect(_around(frame), radius, radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(plate)
    painter.drawPath(shape)
    painter.setBrush(look.colour("card"))
    painter.setPen(QPen(plate.darker(130), max(0.6, frame.side * 0.03)))
    for square in range(len(frame.view.squares)):
        painter.drawEllipse(frame.rect(square).center(), HOLE * frame.side, HOLE * frame.side)


def _copied(painter: QPainter, frame: Frame, paint: _Paint) -> None:
    """Paint from a cached image: 42 round holes take longer than all the rest."""
    if is_drawing(painter):
        paint(painter, frame)
        return
    width, height = frame.view.extent
    side, pixel = 2 * frame.margin, frame.pixel
    size = QPointF(width * frame.unit + side, height * frame.unit + side)
    where = QPointF(snapped(frame.left - frame.margin, pixel), snapped(frame.top - frame.margin, pixel))
    inner = Frame(frame.view, frame.unit, frame.left - where.x(), frame.top - where.y(), frame.margin, pixel)
    painter.drawImage(where, _image(paint, inner, (size.x() + 1, size.y() + 1), theme().colours.name))


@lru_cache(maxsize=4)
def _image(paint: _Paint, frame: Frame, size: tuple[float, float], _look: str) -> QImage:
    return drawn_image(size, frame.pixel, lambda painter: paint(painter, frame))


def drawn_image(size: tuple[float, float], pixel: float, paint: Callable[[QPainter], None]) -> QImage:
    """A transparent image of that many logical pixels, painted by `paint`."""
    width, height = (max(1, round(length / pixel)) for length in size)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(1 / pixel)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter)
    painter.end()
    return image


# Regions


def paint_region_grounds(painter: QPainter, frame: Frame, regions: Iterable[Region], mover: int) -> None:
    """Paint the ground of regions, below the marks: those of the next move, framed if it is one alone, and the decided
    ones."""
    look, parts = theme(), tuple(regions)
    is_forced = sum(region.state is RegionState.ACTIVE for region in parts) == 1
    for region in parts:
        box, gap = frame.box(region.rectangle), max(frame.pixel, frame.side * 0.07)
        box = box.adjusted(gap, gap, -gap, -gap)
        painter.setPen(Qt.PenStyle.NoPen)
        match region.state:
            case RegionState.ACTIVE:
                colour = frame.view.colours[mover]
                painter.setBrush(look.colour(colour, WASH))
                if is_forced:
                    painter.setPen(QPen(look.colour(colour, 0.75), max(1.0, min(2.5, frame.side * 0.06))))
            case RegionState.WON if region.player is not None:
                painter.setBrush(look.colour(frame.view.colours[region.player], WASH))
            case _:
                painter.setBrush(look.colour("ink", WASH))
        painter.drawRoundedRect(box, 2 * corner(frame), 2 * corner(frame))


def paint_region_marks(painter: QPainter, frame: Frame, regions: Iterable[Region]) -> None:
    """Paint the large mark of each won region, above the marks."""
    for region in regions:
        if region.state is RegionState.WON and region.player is not None:
            paint_mark(painter, frame.box(region.rectangle), frame.view, region.player, boldness=REGION)


def settled(view: BoardView, regions: Iterable[Region]) -> frozenset[int]:
    """The squares of decided regions: won or drawn."""
    over = (region.rectangle for region in regions if region.state is not RegionState.ACTIVE)
    return frozenset(chain.from_iterable(_squares_in(view, rectangle) for rectangle in over))


@lru_cache(maxsize=64)
def _squares_in(view: BoardView, rectangle: Rectangle) -> frozenset[int]:
    return frozenset(at for at, square in enumerate(view.squares) if rectangle.holds(*square.centre))


# Marks


def paint_mark(
    painter: QPainter,
    square: QRectF,
    view: BoardView,
    player: int,
    opacity: float = 1.0,
    drawn: float = 1.0,
    boldness: Boldness = LARGE,
) -> None:
    """Paint a player's mark in a square, up to its drawn share."""
    shape = view.shapes[player]
    if shape is Shape.DISC and drawn == 1 and not is_drawing(painter):
        ratio, look = painter.device().devicePixelRatio(), theme().colours.name
        painter.drawImage(square.topLeft(), _disc(view, player, square.width(), opacity, 1 / ratio, look))
        return
    if shape is Shape.DISC:
        reach = square.width() * DISC * drawn
        paint_disc(painter, square.center(), (reach, reach), view, player, opacity)
        return
    side, middle, stroke = min(square.width(), square.height()), square.center(), QPainterPath()
    if shape is Shape.CROSS:
        reach = side * boldness.cross
        for lean, part in ((1, min(1.0, 2 * drawn)), (-1, 2 * drawn - 1)):
            if part > 0:
                start = middle + QPointF(-reach * lean, -reach)
                stroke.moveTo(start)
                stroke.lineTo(start + QPointF(2 * reach * lean, 2 * reach) * part)
    else:
        reach = side * boldness.ring
        frame = QRectF(middle - QPointF(reach, reach), middle + QPointF(reach, reach))
        stroke.arcMoveTo(frame, 90)
        stroke.arcTo(frame, 90, -360 * drawn)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme().colour(view.colours[player], opacity), max(1.2, side * boldness.width)))
    painter.drawPath(stroke)


def paint_mark_on_card(painter: QPainter, square: QRectF, view: BoardView, player: int) -> None:
    """Paint a player's mark in a square of a card: a disc, which may have the card's colour, with a line around it."""
    paint_mark(painter, square, view, player)
    if view.shapes[player] is Shape.DISC:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().colour("dim"), 1))
        painter.drawEllipse(square.center(), DISC * square.width(), DISC * square.width())


@lru_cache(maxsize=64)
def _disc(view: BoardView, player: int, side: float, opacity: float, pixel: float, _look: str) -> QImage:
    """The image of a disc, from a cache: painting 30 of them anew took 6 ms."""
    middle, reach = QPointF(side / 2, side / 2), (side * DISC, side * DISC)
    return drawn_image((side, side), pixel, lambda painter: paint_disc(painter, middle, reach, view, player, opacity))


def paint_disc(
    painter: QPainter, middle: QPointF, reach: tuple[float, float], view: BoardView, player: int, opacity: float
) -> None:
    """Paint a disc with these radii to the side and up. On a rack the first player's has a groove, so that colour is
    not the only difference: it is seen on a small board and without colours too."""
    across, up = reach
    edge = max(0.8, 0.09 * max(across, up))
    fill = theme().colour(view.colours[player], opacity)
    rim = QColor(_rim(view.surface, fill.rgb(), theme().colours.name))
    rim.setAlphaF(opacity)
    painter.setBrush(fill)
    painter.setPen(QPen(rim, edge))
    painter.drawEllipse(middle, max(0.0, across - edge / 2), max(0.0, up - edge / 2))
    if view.surface is Surface.RACK and player == 0:
        groove = standing_out(fill, legible_on(fill), [fill], EDGE)
        groove.setAlphaF(opacity)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(groove, max(1.2, GROOVE * max(across, up))))
        painter.drawEllipse(middle, across * 0.5, up * 0.5)


@lru_cache(maxsize=64)
def _rim(surface: Surface, fill: int, _look: str) -> int:
    own = QColor.fromRgb(fill)
    if surface is Surface.FELT:
        return (own.lighter(140) if own.lightnessF() < 0.5 else own.darker(115)).rgb()
    return rim(own, theme().colours).rgb()


def rim(disc: QColor, colours: Colours) -> QColor:
    """A disc's colour, mixed with as much ink as its contrast on a card needs."""
    return standing_out(disc, QColor(colours.ink), [QColor(colours.card)], EDGE, RIM_INK)


def paint_turning(painter: QPainter, square: QRectF, view: BoardView, before: int, after: int, turned: float) -> None:
    """Paint a disc that turns over, from 0 to 1; other marks change at once."""
    player, reach = (before if turned < 0.5 else after), square.width() * DISC
    if view.shapes[player] is Shape.DISC:
        paint_disc(painter, square.center(), (reach * abs(1 - 2 * turned), reach), view, player, 1.0)
    else:
        paint_mark(painter, square, view, player)


def paint_falling(painter: QPainter, frame: Frame, square: int, player: int, way: float) -> None:
    """Paint a disc that falls behind the plate into its hole, from 0 to 1 of the animation."""
    rect = frame.rect(square)
    height = rect.bottom() - frame.whole.top()
    if way < FALLING:
        above = height * (1 - (way / FALLING) ** 2)
    else:
        since = (way - FALLING) / (1 - FALLING)
        above = height * BOUNCE * 4 * since * (1 - since)
    holes = QPainterPath()
    for other, spot in enumerate(frame.view.squares):
        if spot.left == frame.view.squares[square].left:
            holes.addEllipse(frame.rect(other).center(), HOLE * frame.side, HOLE * frame.side)
    painter.save()
    painter.setClipPath(holes)
    paint_mark(painter, rect.translated(0, -above), frame.view, player)
    painter.restore()


def unslowed(drawn: float) -> float:
    """The share of the time gone by in a motion that slows down, from its drawn share; both from 0 to 1."""
    return 1 - sqrt(max(0.0, 1 - drawn))


def paint_strokes(painter: QPainter, frame: Frame, strokes: Iterable[Line], colour: QColor, drawn: float) -> None:
    """Paint the drawn share, 0 to 1, of lines through winning squares, a little beyond the centres of the outer
    ones."""
    for line in strokes:
        painter.setPen(pen(colour, max(1.2, frame.side * STROKE * line.weight)))
        start, end = frame.point(line.x1, line.y1), frame.point(line.x2, line.y2)
        way = end - start
        beyond = way / max(abs(way.x()), abs(way.y()), 1.0) * frame.side * 0.41 * line.weight
        start, way = start - beyond, way + beyond * 2
        painter.drawLine(start, start + way * drawn)


def distance(view: BoardView, one: int, other: int) -> float:
    """The distance between the centres of two squares."""
    (x1, y1), (x2, y2) = view.squares[one].centre, view.squares[other].centre
    return hypot(x1 - x2, y1 - y2)
