"""How the board looks: what is to be seen at a moment, and how each part of it is painted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor, pi

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPaintEngine, QPainter, QPainterPath, QPen

from engine.game import Game
from gui.board.layout import Layout, snapped
from gui.board.verdict import SquareValue
from gui.theme import FIGURE, NOTE, TEXT, theme

LEAST_TEXT = 9
"""Pixels: what does not fit at this size is said shorter."""
WORD_COLUMNS = 5
"""Up to so many columns a value is spelt out in words."""
WASH = 0.12
"""How much of its colour lies on a square."""
INKED = 0.3
"""How much ink is in coloured text, so that it reads on its own wash."""
AREA = 0.2
"""The same where a hint says to look."""
PREVIEW, BEATEN, STRIKE = 0.3, 0.5, 0.6
"""How solid a mark is that would be played, one beside a winning line, and that line."""

CENTRE = Qt.AlignmentFlag.AlignCenter


@dataclass(frozen=True)
class Picture:
    """Everything that is to be seen at one moment."""

    game: Game
    cells: tuple[int | None, ...]
    """Whose stone is on each square."""
    mover: int
    """Whose mark the preview, the hint and the values are of."""
    verdict: str
    note: str = ""
    winner: int | None = None
    winning: tuple[int, ...] = ()
    """The squares of every completed line."""
    last_move: int | None = None
    values: Mapping[int, SquareValue] = field(default_factory=dict)
    unknown: frozenset[int] = frozenset()
    hint: int | None = None
    area: frozenset[int] = frozenset()
    """Where a hint says to look."""
    line: tuple[int, ...] = ()
    """Moves that would follow, the side to move first."""
    preview: int | None = None
    """Where the side to move would play."""
    focus: int | None = None
    """Where the keyboard is, if that is to be seen."""
    fresh: tuple[int, ...] = ()
    """The marks that are being drawn."""
    drawn: float = 1.0
    """How far they are, 0 to 1."""
    struck: float = 1.0
    """How far the winning line is drawn, 0 to 1."""


def paint(painter: QPainter, layout: Layout, picture: Picture, part: QRect) -> None:
    """As much of the picture as `part` of the widget asks for, back to front."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if layout.side > 0 and not layout.text.contains(part):
        _paint_names(painter, layout, picture)
        _paint_washes(painter, layout, picture)
        _paint_grid(painter, layout)
        _paint_values(painter, layout, picture)
        _paint_winning_lines(painter, layout, picture)
        _paint_line(painter, layout, picture)
        _paint_marks(painter, layout, picture)
        _paint_rings(painter, layout, picture)
    _paint_text(painter, layout, picture)


def runs(squares: tuple[int, ...], columns: int) -> list[tuple[int, int]]:
    """The first and last square of each straight line that together make up `squares`, the longest first.

    Lines that win at one move cross in its square only, so a shorter run that adds no square is no line of its own.
    """
    spots = {divmod(square, columns) for square in squares}
    found: list[list[tuple[int, int]]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in sorted(spots):
            if (row - down, column - right) not in spots:
                run = [(row, column)]
                while (further := (run[-1][0] + down, run[-1][1] + right)) in spots:
                    run.append(further)
                found.append(run)
    lines: list[tuple[int, int]] = []
    for run in sorted(found, key=len, reverse=True):
        if spots & set(run):
            spots -= set(run)
            (top, left), (bottom, right) = run[0], run[-1]
            lines.append((top * columns + left, bottom * columns + right))
    return lines


def inked(name: str) -> QColor:
    """A colour of the theme for text: darker in the light, lighter in the dark."""
    colour, ink = theme().colour(name), theme().colour("ink")
    return QColor.fromRgbF(
        *(own * (1 - INKED) + other * INKED for own, other in zip(_channels(colour), _channels(ink), strict=True))
    )


def _paint_names(painter: QPainter, layout: Layout, picture: Picture) -> None:
    """Letters along the top, numbers along the left; those of the square at hand in ink."""
    font = theme().font(NOTE * layout.scale)
    if layout.side < QFontMetricsF(font).height():
        return
    at_hand = picture.focus if picture.preview is None else picture.preview
    row_at_hand, column_at_hand = (-1, -1) if at_hand is None else divmod(at_hand, layout.columns)
    ink, dim = theme().colour("ink"), theme().colour("dim")
    painter.setFont(font)
    for column in range(layout.columns):
        box = QRectF(layout.left + column * layout.side, layout.top - layout.gutter, layout.side, layout.gutter)
        painter.setPen(ink if column == column_at_hand else dim)
        _write(painter, box, picture.game.notation.move_name(column).rstrip("0123456789"))
    for row in range(layout.rows):
        box = QRectF(layout.left - layout.gutter, layout.top + row * layout.side, layout.gutter, layout.side)
        painter.setPen(ink if row == row_at_hand else dim)
        _write(painter, box, str(row + 1))


def _paint_washes(painter: QPainter, layout: Layout, picture: Picture) -> None:
    if picture.winner is not None:
        for square in picture.winning:
            _wash(painter, layout, square, _player(picture.winner), 1.5 * WASH)
    elif picture.last_move is not None:
        _wash(painter, layout, picture.last_move, "ink", 0.5 * WASH)
    mover = picture.mover
    for square in picture.area:
        _wash(painter, layout, square, _player(mover), AREA)
    for square, value in picture.values.items():
        if square != picture.preview and square not in picture.area:
            _wash(painter, layout, square, _value_colour(value, mover), WASH)


def _wash(painter: QPainter, layout: Layout, square: int, name: str, alpha: float) -> None:
    tile, colour, corner = layout.tile(square), theme().colour(name, alpha), _corner(layout)
    if _is_drawing(painter):
        _fill_tile(painter, tile, colour, corner)
    else:
        painter.drawImage(tile.topLeft(), _tile(colour.rgba(), tile.width(), corner, layout.pixel))


def _fill_tile(painter: QPainter, tile: QRectF, colour: QColor, corner: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(tile, corner, corner)


@lru_cache(maxsize=64)
def _tile(rgba: int, side: float, corner: float, pixel: float) -> QImage:
    """A wash to be copied: painting 44 of them anew took 5 of the 13 ms that an 8 x 8 board took."""
    size = max(1, round(side / pixel))
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(1 / pixel)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _fill_tile(painter, QRectF(0, 0, side, side), QColor.fromRgba(rgba), corner)
    painter.end()
    return image


def _paint_grid(painter: QPainter, layout: Layout) -> None:
    """Only the lines between squares, on whole device pixels."""
    width = max(layout.pixel, snapped(min(layout.side * 0.022, 4.0), layout.pixel))
    across, down, colour = layout.side * layout.columns, layout.side * layout.rows, theme().colour("dim", 0.4)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for column in range(1, layout.columns):
        x = snapped(layout.left + column * layout.side - width / 2, layout.pixel)
        painter.fillRect(QRectF(x, layout.top, width, down), colour)
    for row in range(1, layout.rows):
        y = snapped(layout.top + row * layout.side - width / 2, layout.pixel)
        painter.fillRect(QRectF(layout.left, y, across, width), colour)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _paint_values(painter: QPainter, layout: Layout, picture: Picture) -> None:
    """A sign with its words; where there is no room for words, with its figure; else the sign alone."""
    side = layout.side
    if side < LEAST_TEXT:
        return
    taken = {picture.preview, *picture.line}
    values = {square: value for square, value in picture.values.items() if square not in taken}
    room = 0.92 * layout.tile(0).width()
    sign = _sized(side * 0.3)
    figure = _fitted(side * 0.3, {value.figure for value in values.values()}, room)
    word = _fitted(_word_size(side), {value.words for value in values.values()}, room, QFont.Weight.Medium)
    if layout.columns > WORD_COLUMNS or side < 5 * LEAST_TEXT:
        word = None
    mover, colours = picture.mover, {name: inked(name) for name in ("x", "o", "draw")}
    for square, value in values.items():
        box = layout.rect(square)
        painter.setPen(colours[_value_colour(value, mover)])
        painter.setFont(sign if word else figure or sign)
        if word:
            _write(painter, box.translated(0, -side * 0.1), value.sign)
            painter.setFont(word)
            _write(painter, box.translated(0, side * 0.17), value.words)
        else:
            _write(painter, box, value.figure if figure else value.sign)
    pending = _sized(side * 0.2)
    painter.setFont(pending)
    painter.setPen(theme().colour("dim"))
    for square in picture.unknown - picture.values.keys() - {picture.preview}:
        _write(painter, layout.rect(square).translated(0, -0.3 * pending.pixelSize()), "…")


def _paint_marks(painter: QPainter, layout: Layout, picture: Picture) -> None:
    winning = picture.winning
    for square, player in enumerate(picture.cells):
        if player is not None:
            opacity = BEATEN if winning and square not in winning else 1.0
            drawn = picture.drawn if square in picture.fresh else 1.0
            _paint_mark(painter, layout.rect(square), player, opacity, drawn)
    if picture.preview is not None:
        _paint_mark(painter, layout.rect(picture.preview), picture.mover, PREVIEW)


def _paint_mark(painter: QPainter, square: QRectF, player: int, opacity: float, drawn: float = 1.0) -> None:
    """A cross (player 0) or a ring (player 1), as far as it is drawn; slimmer than on a mini board."""
    side, middle = square.width(), square.center()
    stroke = QPainterPath()
    if player == 0:
        reach = side * 0.235
        for lean, part in ((1, min(1.0, 2 * drawn)), (-1, 2 * drawn - 1)):
            if part > 0:
                start = middle + QPointF(-reach * lean, -reach)
                stroke.moveTo(start)
                stroke.lineTo(start + QPointF(2 * reach * lean, 2 * reach) * part)
    else:
        reach = side * 0.25
        frame = QRectF(middle - QPointF(reach, reach), middle + QPointF(reach, reach))
        stroke.arcMoveTo(frame, 90)
        stroke.arcTo(frame, 90, -360 * drawn)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(theme().colour(_player(player), opacity), max(1.2, side * 0.1)))
    painter.drawPath(stroke)


def _paint_line(painter: QPainter, layout: Layout, picture: Picture) -> None:
    """The marks that would follow, faint, each with its number."""
    room = layout.side * 0.32
    font = _fitted(room * 0.8, {str(len(picture.line))}, room)
    for number, square in enumerate(picture.line, 1):
        if square == picture.preview:
            continue
        box = layout.rect(square)
        _paint_mark(painter, box, (picture.mover + number - 1) % 2, PREVIEW)
        if font is not None:
            painter.setFont(font)
            painter.setPen(theme().colour("ink"))
            _write(painter, box, str(number))


def _paint_winning_lines(painter: QPainter, layout: Layout, picture: Picture) -> None:
    """Behind the marks: a line over a cross would hide half of it."""
    if picture.winner is None or picture.struck <= 0:
        return
    side = layout.side
    painter.setPen(_pen(theme().colour(_player(picture.winner), STRIKE), max(1.2, side * 0.06)))
    for first, last in runs(picture.winning, layout.columns):
        start, end = layout.rect(first).center(), layout.rect(last).center()
        way = end - start
        beyond = way / max(abs(way.x()), abs(way.y()), 1.0) * side * 0.41
        start, way = start - beyond, way + beyond * 2
        painter.drawLine(start, start + way * picture.struck)


def _paint_rings(painter: QPainter, layout: Layout, picture: Picture) -> None:
    """The hint, dashed and round; the keyboard's place, solid and square."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if picture.hint is not None:
        radius, width = layout.side * 0.4, max(1.5, layout.side * 0.024)
        dash = 2 * pi * radius / width / 32
        pen = QPen(theme().colour(_player(picture.mover)), width, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([dash, dash])
        painter.setPen(pen)
        painter.drawEllipse(layout.rect(picture.hint).center(), radius, radius)
    if picture.focus is not None:
        corner = _corner(layout)
        painter.setPen(_pen(theme().colour("ink"), max(1.5, min(layout.side * 0.024, 3.0))))
        painter.drawRoundedRect(layout.tile(picture.focus), corner, corner)


def _paint_text(painter: QPainter, layout: Layout, picture: Picture) -> None:
    dim = theme().colour("dim")
    colour = theme().colour("ink") if picture.winner is None else inked(_player(picture.winner))
    said = ((picture.verdict, colour), (picture.note, dim))
    for box, font, (text, colour) in zip(layout.lines, layout.fonts(), said, strict=False):
        wide = QFontMetricsF(font).horizontalAdvance(text)
        if wide > box.width():
            font.setPixelSize(max(LEAST_TEXT, floor(font.pixelSize() * box.width() / wide)))
        painter.setFont(font)
        painter.setPen(colour)
        _write(painter, box, QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width()))


def _write(painter: QPainter, box: QRectF, text: str) -> None:
    """Text in the middle of a box; in a drawing of lines as outlines, for its reader may not have the font."""
    if not _is_drawing(painter):
        painter.drawText(box, CENTRE, text)
        return
    metrics, path = QFontMetricsF(painter.font()), QPainterPath()
    left = box.center().x() - metrics.horizontalAdvance(text) / 2
    path.addText(left, box.center().y() + (metrics.ascent() - metrics.descent()) / 2, painter.font(), text)
    painter.fillPath(path, painter.pen().color())


def _is_drawing(painter: QPainter) -> bool:
    """Whether lines are kept as lines, and not painted as pixels."""
    return painter.paintEngine().type() is QPaintEngine.Type.SVG


def _word_size(side: float) -> float:
    """Grows with the square, and with the zoom as far as the square allows."""
    look = theme()
    return min(max(side * 0.135, min(side * 0.17, look.px(NOTE + 1))), look.px(FIGURE * 1.25))


def _sized(pixels: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont:
    """A font of so many pixels, but never too small to read."""
    font = theme().font(TEXT, weight)
    font.setPixelSize(max(LEAST_TEXT, round(pixels)))
    return font


def _fitted(pixels: float, texts: set[str], room: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont | None:
    """A font of at most so many pixels in which each text fits the room; None where it would be too small to read."""
    font = _sized(pixels, weight)
    widest = max((QFontMetricsF(font).horizontalAdvance(text) for text in texts), default=0.0)
    if widest > room:
        font.setPixelSize(max(1, floor(font.pixelSize() * room / widest)))
    return font if font.pixelSize() >= LEAST_TEXT else None


def _corner(layout: Layout) -> float:
    """The radius of a tile's corners."""
    return min(8.0, layout.side * 0.09)


def _player(player: int) -> str:
    """The name of a player's colour."""
    return ("x", "o")[player]


def _value_colour(value: SquareValue, mover: int) -> str:
    winner = value.winner(mover)
    return "draw" if winner is None else _player(winner)


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _channels(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
