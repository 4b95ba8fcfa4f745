"""Paints each part of the board."""

from functools import lru_cache
from math import floor, pi

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from engine.rules.board_view import Shape, Surface
from gui.board.changes import Change
from gui.board.geometry import Layout
from gui.board.lettering import LEAST_TEXT, fitted, sized, word_size, write
from gui.board.picture import BoardPicture
from gui.style.theme import NOTE, theme
from gui.widgets.board_painter import (
    BEATEN,
    DISC,
    HOLE,
    SETTLED,
    STRIKE,
    WASH,
    corner,
    distance,
    drawn_image,
    is_drawing,
    paint_falling,
    paint_mark,
    paint_mark_on_card,
    paint_region_grounds,
    paint_region_marks,
    paint_strokes,
    paint_surface,
    paint_turning,
    pen,
    settled,
    unslowed,
)

WORD_COLUMNS = 5
"""The number of columns up to which values are written in words."""
CHORD = 0.8
"""The width of a round hole at the height of the words below a sign, as a share of its diameter."""
INKED = 0.3
"""The least share of ink in coloured text on a wash of its colour."""
AREA = 0.2
"""The opacity of the tint on the squares of a hint's area."""
PREVIEW = 0.3
"""The opacity of the previewed mark."""
COUNT = 2.3
"""The width of a count of discs, in line heights."""
FRAME = 2.0
"""The space from the squares to the middle of the frame of a look-ahead, in pixels: less than to the names."""
TURNING = 0.5
"""The share of a move's animation after which its discs start to turn over, the nearest first."""


def paint(painter: QPainter, layout: Layout, picture: BoardPicture, part: QRect) -> None:
    """Paint the part of the picture that lies in `part` of the widget, back to front."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if layout.side > 0 and not layout.text.contains(part):
        on_discs = Shape.DISC in layout.view.shapes
        _paint_names(painter, layout, picture)
        if layout.view.surface is not Surface.PAPER:
            paint_surface(painter, layout)
        paint_region_grounds(painter, layout, picture.regions, picture.mover if picture.turn is None else picture.turn)
        _paint_washes(painter, layout, picture)
        if layout.view.surface is Surface.PAPER:
            paint_surface(painter, layout)
        _paint_moves(painter, layout, picture)
        _paint_values(painter, layout, picture)
        if not on_discs:
            _paint_winning_lines(painter, layout, picture)
        _paint_line(painter, layout, picture)
        _paint_marks(painter, layout, picture)
        if on_discs:
            _paint_winning_lines(painter, layout, picture)
        _paint_rings(painter, layout, picture)
    if picture.is_ahead:
        _paint_frame(painter, layout)
    _paint_counts(painter, layout, picture)
    _paint_text(painter, layout, picture)


def inked(name: str) -> QColor:
    """A theme colour for text on a wash of the same colour: darker in a light theme, lighter in a dark one."""
    return theme().text_colour(name, WASH, INKED)


def _paint_names(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """Names of columns and rows; those of the focused square in full ink."""
    font, view = theme().font(NOTE * layout.scale), layout.view
    if layout.side < QFontMetricsF(font).height():
        return
    at_hand = picture.focus if picture.preview is None else picture.preview
    here = None if at_hand is None else view.squares[at_hand].centre
    room, ink, dim = layout.gutter - layout.margin, theme().colour("ink"), theme().colour("dim")
    start = layout.gutter + theme().px(2 * layout.scale)  # clear of the frame of a look-ahead
    painter.setFont(font)
    for column, name in enumerate(view.column_names):
        x = (column + 0.5) * view.side
        middle = layout.point(x, 0)
        box = QRectF(middle.x() - layout.side / 2, layout.top - start, layout.side, room)
        painter.setPen(ink if here is not None and abs(here[0] - x) < view.side / 2 else dim)
        write(painter, box, name)
    for row, name in enumerate(view.row_names):
        y = (row + 0.5) * view.side
        middle = layout.point(0, y)
        box = QRectF(layout.left - start, middle.y() - layout.side / 2, room, layout.side)
        painter.setPen(ink if here is not None and abs(here[1] - y) < view.side / 2 else dim)
        write(painter, box, name)


def _paint_washes(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """Tints of squares. On felt, which has a colour itself, the tints of values are solid."""
    on_felt = layout.view.surface is Surface.FELT
    if picture.winner is not None:
        for square in picture.winning:
            _wash(painter, layout, square, picture.colour_of(picture.winner), 1.5 * WASH)
    elif picture.last is not None and Shape.DISC not in layout.view.shapes:
        _wash(painter, layout, picture.last, "ink", 0.5 * WASH)
    for square in picture.area:
        _wash(painter, layout, square, picture.colour_of(picture.mover), AREA)
    covered = {picture.preview, *picture.area, *picture.line}
    for square, value in picture.values.items():
        if square not in covered:
            _wash(painter, layout, square, picture.colour(value), 1.0 if on_felt else WASH)


def _wash(painter: QPainter, layout: Layout, square: int, name: str, alpha: float) -> None:
    """Tint a square; on a rack, its hole."""
    tile, colour, radius = layout.tile(square), theme().colour(name, alpha), corner(layout)
    if layout.view.surface is Surface.RACK:
        inset = tile.width() / 2 - (HOLE - 0.02) * layout.side
        tile = tile.adjusted(inset, inset, -inset, -inset)
        radius = tile.width() / 2
    if is_drawing(painter):
        _fill_tile(painter, tile, colour, radius)
    else:
        painter.drawImage(tile.topLeft(), _tile(colour.rgba(), tile.width(), radius, layout.pixel))


def _fill_tile(painter: QPainter, tile: QRectF, colour: QColor, radius: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(tile, radius, radius)


@lru_cache(maxsize=64)
def _tile(rgba: int, side: float, radius: float, pixel: float) -> QImage:
    """The image of a wash, from a cache: painting 44 washes anew took 5 of the 13 ms of an 8 x 8 board."""
    whole, colour = QRectF(0, 0, side, side), QColor.fromRgba(rgba)
    return drawn_image((side, side), pixel, lambda painter: _fill_tile(painter, whole, colour, radius))


def _paint_moves(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """A dot on each playable square, after the animation of the last move: in the mover's colour, faintly, or in ink
    where the theme asks for strong contrast."""
    if picture.drawn < 1:
        return
    name = picture.colour_of(picture.mover)
    painter.setPen(Qt.PenStyle.NoPen)
    faint = theme().colour(name, 0.5 if layout.view.surface is Surface.FELT else PREVIEW)
    painter.setBrush(theme().colour("ink") if theme().colours.least else faint)
    reach = layout.side * 0.11
    shown = picture.values.keys() | picture.unknown | {picture.preview, *picture.line}
    for square in picture.moves - shown:
        painter.drawEllipse(layout.rect(square).center(), reach, reach)


def _paint_values(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """A value as a sign with words below it; with few words where space is short; else the shortest text alone, or the
    sign. The plies have a gap to the sign, so that they are not read as a value."""
    side = layout.side
    if side < LEAST_TEXT:
        return
    taken = {picture.preview, *picture.line}
    values = {square: value for square, value in picture.values.items() if square not in taken}
    is_hole = layout.view.surface is Surface.RACK
    across = 2 * HOLE * side if is_hole else layout.tile(0).width()
    room = 0.92 * across
    in_full = layout.whole.width() / side <= WORD_COLUMNS + 0.5 and side >= 5 * LEAST_TEXT
    words = {square: value.words if in_full and value.proven else value.few_words for square, value in values.items()}
    low = room * CHORD if is_hole else room
    word = fitted(word_size(side), {*words.values()}, low, QFont.Weight.Medium)
    if word is None and in_full:
        words = {square: value.few_words for square, value in values.items()}
        word = fitted(word_size(side), {*words.values()}, low, QFont.Weight.Medium)
    alone = {square: value.sign if word else value.shortest for square, value in values.items()}
    sign = fitted(side * 0.3, {*alone.values()}, room)
    if sign is None:
        alone, sign = {square: value.sign for square, value in values.items()}, sized(side * 0.3)
    apart = 0.0 if word is None else max(0.27 * side, 0.45 * (sign.pixelSize() + word.pixelSize()))
    names = *layout.view.colours, "draw"
    on_felt = layout.view.surface is Surface.FELT
    colours = {name: theme().on(name) if on_felt else inked(name) for name in names}
    for square, value in values.items():
        box = layout.rect(square)
        painter.setPen(colours[picture.colour(value)])
        painter.setFont(sign)
        if word and words[square]:
            write(painter, box.translated(0, -0.4 * apart), alone[square])
            painter.setFont(word)
            write(painter, box.translated(0, 0.6 * apart), words[square])
        else:
            write(painter, box, alone[square])
    pending = sized(side * 0.2)
    painter.setFont(pending)
    painter.setPen(theme().on("felt") if on_felt else theme().colour("dim"))
    for square in picture.unknown - picture.values.keys() - {picture.preview}:
        write(painter, layout.rect(square).translated(0, -0.3 * pending.pixelSize()), "…")


def _paint_marks(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    view, over = layout.view, settled(layout.view, picture.regions)
    fresh = {change.square: change for change in picture.fresh} if picture.drawn < 1 else {}
    for square, player in enumerate(picture.cells):
        if player is None:
            continue
        if square in fresh:
            _paint_change(painter, layout, picture, fresh[square], player)
            continue
        beaten = bool(picture.winning) and square not in picture.winning
        opacity = SETTLED if square in over else BEATEN if beaten else 1.0
        paint_mark(painter, layout.rect(square), view, player, opacity)
    if picture.last is not None and not fresh and picture.winner is None:
        _paint_spot(painter, layout, picture, picture.last)
    if picture.preview is not None:
        paint_mark(painter, layout.rect(picture.preview), view, picture.mover, PREVIEW)
        for square in picture.turning:
            reach = layout.side * DISC * 0.45
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour(picture.colour_of(picture.mover), 0.75))
            painter.drawEllipse(layout.rect(square).center(), reach, reach)
    paint_region_marks(painter, layout, picture.regions)


def _paint_change(painter: QPainter, layout: Layout, picture: BoardPicture, change: Change, player: int) -> None:
    """A mark that is new or has changed its player."""
    view, square = layout.view, layout.rect(change.square)
    if change.before is None and view.surface is Surface.RACK:
        paint_falling(painter, layout, change.square, player, unslowed(picture.drawn))
    elif change.before is None:
        paint_mark(painter, square, view, player, drawn=picture.drawn)
    else:
        first = picture.fresh[0].square
        furthest = max(distance(view, first, other.square) for other in picture.fresh)
        delay = TURNING * distance(view, first, change.square) / furthest if furthest else 0.0
        turned = min(1.0, max(0.0, (unslowed(picture.drawn) - delay) / (1 - TURNING)))
        paint_turning(painter, square, view, change.before, player, turned)


def _paint_spot(painter: QPainter, layout: Layout, picture: BoardPicture, square: int) -> None:
    """A small dot on the last disc."""
    player = picture.cells[square]
    if player is not None and _is_disc(picture, player):
        reach = layout.side * 0.07
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().on(picture.colour_of(player)))
        painter.drawEllipse(layout.rect(square).center(), reach, reach)


def _is_disc(picture: BoardPicture, player: int) -> bool:
    return picture.game.view.shapes[player] is Shape.DISC


def _paint_line(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """The marks of best play, faint, each with its number."""
    room = layout.side * (DISC if Shape.DISC in layout.view.shapes else 0.32)
    font = fitted(room * 0.8, {str(len(picture.line))}, room)
    for number, (square, player) in enumerate(zip(picture.line, picture.line_players, strict=True), 1):
        if square is None or square == picture.preview:
            continue
        box = layout.rect(square)
        paint_mark(painter, box, layout.view, player, PREVIEW)
        if font is not None:
            painter.setFont(font)
            painter.setPen(theme().colour("ink"))
            write(painter, box, str(number))


def _paint_winning_lines(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """The winning lines: behind crosses and rings, of which a line would hide half; in front of discs, which would hide
    the line."""
    if picture.winner is None or picture.struck <= 0:
        return
    if _is_disc(picture, picture.winner):
        paint_strokes(painter, layout, picture.strokes, theme().colour("ink"), picture.struck)
    else:
        colour = theme().colour(picture.colour_of(picture.winner), STRIKE)
        paint_strokes(painter, layout, picture.strokes, colour, picture.struck)


def _paint_rings(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """The ring of the hint, dashed and round, and of the keyboard's square, solid and square."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if picture.hint is not None:
        radius, width = layout.side * 0.4, max(1.5, layout.side * 0.024)
        dash = 2 * pi * radius / width / 32
        name, middle = picture.colour_of(picture.mover), layout.rect(picture.hint).center()
        if layout.view.surface is not Surface.PAPER:
            painter.setPen(QPen(theme().on(name), 1.5 * width))
            painter.drawEllipse(middle, radius, radius)
        dashed = QPen(theme().colour(name), width, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        dashed.setDashPattern([dash, dash])
        painter.setPen(dashed)
        painter.drawEllipse(middle, radius, radius)
    if picture.focus is not None:
        radius = corner(layout)
        painter.setPen(pen(theme().colour("ink"), max(1.5, min(layout.side * 0.024, 3.0))))
        painter.drawRoundedRect(layout.tile(picture.focus), radius, radius)


def _paint_frame(painter: QPainter, layout: Layout) -> None:
    """The dashed frame of a position that is not the game's."""
    around = FRAME + layout.margin
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme().colour("ink"), 2, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(layout.whole.adjusted(-around, -around, around, around), 6, 6)


def verdict_room(layout: Layout, picture: BoardPicture) -> QRectF:
    """The area of the verdict between two counts: the width of the board, or the width that both need."""
    line = layout.lines[0]
    needed = QFontMetricsF(layout.fonts()[0]).horizontalAdvance(picture.verdict) + 2 * COUNT * line.height() + 1
    spare = max(0.0, line.width() - max(layout.whole.width(), needed)) / 2
    return line.adjusted(spare, 0, -spare, 0)


def _paint_counts(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    """The number of each player's marks, beside the verdict, in games that are won by it."""
    if not layout.view.counts or not layout.lines:
        return
    line, font = verdict_room(layout, picture), layout.fonts()[0]
    side = line.height()
    for player, left in enumerate((line.left(), line.right() - side)):
        square, count = QRectF(left, line.top(), side, side), str(picture.cells.count(player))
        paint_mark_on_card(painter, square, layout.view, player)
        wide = QFontMetricsF(font).horizontalAdvance(count) + 0.2 * side
        painter.setFont(font)
        painter.setPen(theme().colour("ink"))
        write(painter, QRectF(square.right() if player == 0 else left - wide, line.top(), wide, side), count)


def _paint_text(painter: QPainter, layout: Layout, picture: BoardPicture) -> None:
    dim = theme().colour("dim")
    colour = theme().colour("ink") if picture.winner is None else inked(picture.colour_of(picture.winner))
    written = ((picture.verdict, colour), (picture.note, dim))
    for line, font, (text, colour) in zip(layout.lines, layout.fonts(), written, strict=False):
        box = line
        if layout.view.counts and text == picture.verdict:
            box = verdict_room(layout, picture)
            box = box.adjusted(COUNT * line.height(), 0, -COUNT * line.height(), 0)
        wide = QFontMetricsF(font).horizontalAdvance(text)
        if wide > box.width():
            font.setPixelSize(max(LEAST_TEXT, floor(font.pixelSize() * box.width() / wide)))
        painter.setFont(font)
        painter.setPen(colour)
        write(painter, box, QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width()))
