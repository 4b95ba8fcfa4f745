"""Paints the path: tiles in rows, lines from a node to its children, windows as brackets, and a line from a cut to the
earlier move that set its bound."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache

from PySide6.QtCore import QLine, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap, QPolygonF, QRegion

from engine.result import State
from engine.rules.contract import Game
from engine.text.numbers import precise
from gui.i18n.language import cached, tr
from gui.style.colours import mixed
from gui.style.theme import NOTE, theme
from gui.tree.path_model import Cell, Row, SearchWindow, bound_setters
from gui.tree.path_places import Seen, place_of
from gui.tree.path_tile import (
    CENTRE,
    LEFT,
    RIGHT,
    Ground,
    Measures,
    TilePainter,
    bold,
    paint_ground,
    write,
)
from gui.widgets.drawing import Board, drawn

SEARCHED = 0.06
"""The share of ink in the ground of a searched tile."""
BESIDE_WINDOWS = 55
"""The distance from the first tiles to the line of a cause, in pixels: left of the numbers of their windows, right of
the names of rows."""
HAIRLINE = 0.22
"""The share of ink in the edge of a tile that was not searched."""
BOUND = 95
"""The space in pixels on either side of a tile for its window's brackets and numbers."""

OVERHANG = 3
"""The space in pixels that a text may need beyond the advance of its characters."""

Tiles = Mapping[int, QRect]
"""The areas of a row's visible tiles by their indices."""


class Words(Enum):
    """What a line of a row's name is."""

    NAME = auto()
    NOTE = auto()
    CUT = auto()


class PathPainter:
    """Draws rows with one painter; fonts and colours are made once for all tiles."""

    def __init__(self, painter: QPainter, measures: Measures, ratio: float | None, game: Game) -> None:
        """`ratio` is the device pixel ratio, None to draw shapes for any."""
        look = theme()
        self._painter, self._measures, self._tiles = painter, measures, TilePainter(painter, measures, ratio, game)
        self._ratio, self._colours = ratio, look.colours.name
        self._ink, self._dim = look.colour("ink"), look.colour("dim")
        self._cut, self._note = look.colour("cut"), look.font(NOTE)
        self._thin = look.colour("dim", max(0.45, look.colours.least))
        grounds = _grounds(look.colours.name, look.px(1), look.px(2), look.px(3))
        self._grounds, self._on_path, self._at_cursor, self._at_cut = grounds
        self._px = look.px

    def paint(
        self,
        rows: Sequence[Row],
        visible: Callable[[Row], Seen],
        area: QRegion,
        fresh: frozenset[tuple[int, int]],
        fade: float,
    ) -> None:
        """Draw the rows' places in an area; `visible` has those of a row. Values of the (row, move) in `fresh` have the
        opacity `fade`."""
        measures, frame = self._measures, area.boundingRect()
        plies, width = measures.plies(frame), frame.right() + 1
        cursor = next((row.ply for row in reversed(rows) if row.current is not None), 0)
        places_of = {row.ply: visible(row) for row in rows[max(0, plies.start - 1) : plies.stop]}
        for row in rows[plies.start : plies.stop]:
            if not area.intersects(measures.row(row.ply, width)):
                continue
            seen = places_of[row.ply]
            places = dict(zip(seen, measures.tiles(row.ply, len(seen)), strict=True))
            tiles = {boards[0]: tile for boards, tile in places.items() if len(boards) == 1}
            cells = {index: row.cell(index) for index in tiles}
            parent = self._tile(row.ply - 1, places_of[row.ply - 1], rows[row.ply - 1].current) if row.ply else None
            if parent is not None:
                self._paint_lines(parent, row, tiles, cells)
            window = row.window
            self._paint_name(row, window)
            current, on_path = row.current, self._on_the_path(row, row.ply == cursor)
            for index, cell in cells.items():
                ground = on_path if index == current else self._grounds[cell.state]
                opacity = fade if fade < 1 and (row.ply, cell.move) in fresh else 1.0
                self._tiles.paint(tiles[index], ground, Board(row.position(index), row.parent), cell, opacity)
            for boards, place in places.items():
                if len(boards) > 1:
                    words = tr("+ {count}\nmore", count=len(boards))
                    write(self._painter, place, CENTRE, words, self._note, self._dim)
            if window is not None and current in tiles:
                self._paint_window(window, tiles[current])
        for ply, setter in bound_setters(rows).items():
            ends = setter, (ply, rows[ply].current)
            cause, cut = (self._tile(above, visible(rows[above]), index) for above, index in ends)
            if cause is not None and cut is not None:
                self._paint_cause(cause, cut, setter[0] == ply)

    def _tile(self, ply: int, seen: Seen, index: int | None) -> QRect | None:
        """The tile of a board of a row with these places; None where it is not visible."""
        place = place_of(seen, index)
        return None if place is None else self._measures.tile(ply, place)

    def paint_legend(self, rows: Sequence[Row], right: int) -> None:
        """The meaning of the shapes of tiles in these rows, right of the root, if there is room for it."""
        kinds = (
            (tr("searched"), self._grounds[State.DONE]),
            (tr("not visited"), self._grounds[State.UNVISITED]),
            (tr("cut here"), self._at_cut._replace(line=self._px(2))),
            (tr("on the path"), self._on_path),
            (tr("pruned"), self._grounds[State.PRUNED]),
            (tr("begun"), self._grounds[State.OPEN]),
            *[(tr("not recorded"), self._grounds[State.UNRECORDED])] * any(row.is_cut_short for row in rows),
        )
        column = max(theme().width(words, NOTE) for words, _ in kinds) + self._px(44)
        line, top, wide = self._px(21), self._px(6), math.ceil(len(kinds) / 3) * column
        left = right - wide
        if left < self._measures.left + self._measures.step + self._px(60) or self._measures.height < 3 * line:
            return
        if self._ratio is None:
            self._painter.translate(left, top)
            _write_legend(self._painter, kinds, column, line)
            self._painter.translate(-left, -top)
        else:
            self._painter.drawPixmap(left, top, _legend(kinds, wide, column, line, self._ratio, self._colours))

    def _paint_name(self, row: Row, window: SearchWindow | None) -> None:
        """The side to move in the row, and its ply or, where its numbers stand beside no bracket, its window."""
        lines = _name(row.standing, row.ply, row.negamax, row.roles, window, self._measures.numbers)
        height, wide = self._measures.text, self._measures.left * 2
        top = row.ply * self._measures.pitch + max(0, (self._measures.height - height * len(lines)) // 2)
        if self._ratio is None:
            _write_lines(self._painter, lines, QRect(0, top, wide, height))
        else:
            self._painter.drawPixmap(0, top, _lines(lines, wide, height, self._ratio, self._colours))

    def _paint_lines(self, parent: QRect, row: Row, tiles: Tiles, cells: Mapping[int, Cell]) -> None:
        """Elbow lines from a node to its children; the one on the path in ink, those to pruned children dashed."""
        painter, half, centre = self._painter, self._measures.gap // 2, (self._measures.width - 1) // 2
        centres = {index: tile.left() + centre for index, tile in tiles.items()}
        start, middle, top = parent.left() + centre, parent.bottom() + half, next(iter(tiles.values())).top()
        dashed = [centres[index] for index, cell in cells.items() if cell.state is State.PRUNED]
        if dashed:
            painter.setPen(QPen(self._thin, 1, Qt.PenStyle.DashLine))
            painter.drawLines([QLine(min(start, *dashed), middle, max(start, *dashed), middle)])
            painter.drawLines([QLine(x, middle, x, top) for x in dashed])
        plain = [centres[index] for index, cell in cells.items() if cell.state is not State.PRUNED]
        if plain:
            left, right = min(start, *plain), max(start, *plain)
            painter.fillRect(left, middle, right - left + 1, 1, self._thin)
            for x in plain:
                painter.fillRect(x, middle + 1, 1, top - middle - 1, self._thin)
        current = row.current
        wide, colour = self._px(2), self._ink if current is not None else self._thin
        painter.fillRect(start - wide // 2, parent.bottom() + 1, wide, half - 1, colour)
        if current is not None and current in tiles:
            end = centres[current]
            left, right = min(start, end) - wide // 2, max(start, end) - wide // 2 + wide
            painter.fillRect(left, middle - wide // 2, right - left, wide, colour)
            painter.fillRect(end - wide // 2, middle, wide, top - middle, colour)

    def _on_the_path(self, row: Row, is_cursor: bool) -> Ground:
        """The ground of a row's tile on the path: an outline in ink, or in the colour of a cut."""
        if row.is_cut:
            return self._at_cut
        return self._at_cursor if is_cursor else self._on_path

    def _paint_window(self, window: SearchWindow, tile: QRect) -> None:
        if self._ratio is None:
            _write_window(self._painter, window, self._measures, tile)
        else:
            picture = _window(window, self._measures, self._ratio, self._colours)
            self._painter.drawPixmap(tile.left() - self._px(BOUND), tile.top(), picture)

    def _paint_cause(self, setter: QRect, cut: QRect, is_sibling: bool) -> None:
        """A line from the tile of the move that set the bound to the tile of the cut, which are siblings or rows
        apart."""
        gap, arrow = self._measures.gap, self._px(4)
        start = QPointF(setter.center().x(), setter.bottom())
        under = setter.bottom() + gap * 0.27
        points = [start, QPointF(start.x(), under)]
        if is_sibling:
            end = QPointF(cut.center().x() - self._px(9), cut.bottom() + 1)
            points += [QPointF(end.x(), under), end]
        else:
            beside, over = self._measures.left - self._px(BESIDE_WINDOWS), cut.top() - gap * 0.27
            end = QPointF(cut.center().x() - self._px(9), cut.top())
            points += [QPointF(beside, under), QPointF(beside, over), QPointF(end.x(), over), end]
        self._painter.setPen(QPen(self._cut, self._px(2)))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawPolyline(QPolygonF(points))
        self._painter.setBrush(self._cut)
        self._painter.drawEllipse(start, arrow * 0.8, arrow * 0.8)
        tip = -arrow if is_sibling else arrow
        head = [end, end - QPointF(arrow, tip * 1.5), end - QPointF(-arrow, tip * 1.5)]
        self._painter.drawPolygon(QPolygonF(head))


@lru_cache(maxsize=8)
def _grounds(_look: str, thin_line: int, line: int, thick: int) -> tuple[dict[State, Ground], Ground, Ground, Ground]:
    """The grounds of tiles in the present colours: by their state, on the path, at the cursor, and of a cut."""
    card, ink, cut, thin, fill = (theme().colour(name) for name in ("card", "ink", "cut", "line", "fill"))
    hairline = mixed(card, ink, HAIRLINE)
    by_state = {
        State.DONE: Ground(mixed(card, ink, SEARCHED).rgba(), thin.rgba(), 1),
        State.OPEN: Ground(card.rgba(), ink.rgba(), thin_line),
        State.UNVISITED: Ground(card.rgba(), hairline.rgba(), 1),
        State.PRUNED: Ground(card.rgba(), hairline.rgba(), 1, hatched=True),
        State.UNRECORDED: Ground(fill.rgba(), thin.rgba(), 1),
    }
    on_path, at_cursor = (Ground(card.rgba(), ink.rgba(), wide) for wide in (line, thick))
    return by_state, on_path, at_cursor, Ground(card.rgba(), cut.rgba(), thick)


@lru_cache(maxsize=8)
def _legend(
    kinds: tuple[tuple[str, Ground], ...], width: int, column: int, line: int, ratio: float, _look: str
) -> QPixmap:
    return drawn(width, 3 * line, ratio, lambda painter: _write_legend(painter, kinds, column, line))


def _write_legend(painter: QPainter, kinds: Sequence[tuple[str, Ground]], column: int, line: int) -> None:
    """Draw small tiles with their meaning, in columns of three lines."""
    px, note, dim = theme().px, theme().font(NOTE), theme().colour("dim")
    wide, high = px(20), px(14)
    for place, (words, ground) in enumerate(kinds):
        x, y = place // 3 * column, place % 3 * line
        paint_ground(painter, QRect(x, y, wide, high), ground, px(3))
        if ground.hatched:
            painter.setPen(QPen(theme().colour("ink"), 1.4))
            painter.drawLine(QPointF(x + px(3), y + high - px(2)), QPointF(x + wide - px(3), y + px(2)))
        write(painter, QRect(x + wide + px(7), y, column, high), LEFT, words, note, dim)


@lru_cache(maxsize=64)
def _window(window: SearchWindow, measures: Measures, ratio: float, _look: str) -> QPixmap:
    """A window's brackets, with room for their numbers on either side of the tile."""
    beside, wide, high = theme().px(BOUND), measures.width, measures.height
    tile = QRect(beside, 0, wide, high)
    return drawn(wide + 2 * beside, high, ratio, lambda painter: _write_window(painter, window, measures, tile))


def _write_window(painter: QPainter, window: SearchWindow, measures: Measures, tile: QRect) -> None:
    """Draw a window as brackets round a tile, α on the left and β on the right; an empty one is turned outward."""
    px, colour = theme().px, theme().colour("cut" if window.cut else "ink")
    tick = px(4)
    away = px(8) if measures.numbers else px(4)
    top, bottom = tile.top() + tile.height() * 0.22, tile.top() + tile.height() * 0.78
    for bound, x, side in ((window.alpha, tile.left() - away, 1), (window.beta, tile.right() + away, -1)):
        inward = -side if window.cut else side
        path = QPainterPath(QPointF(x + inward * tick, top))
        for point in ((x, top), (x, bottom), (x + inward * tick, bottom)):
            path.lineTo(*point)
        painter.setPen(QPen(colour, px(2 if window.cut else 1) + 0.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        if measures.numbers and not window.is_null:
            beyond = px(3) + (tick if window.cut else 0)
            line = QRect(0, tile.center().y() - measures.text // 2, px(BOUND) - away - beyond, measures.text)
            line.moveLeft(x + beyond) if side < 0 else line.moveRight(x - beyond)
            write(painter, line, LEFT if side < 0 else RIGHT, precise(bound), bold(NOTE), colour)


Lines = tuple[tuple[str, Words], ...]


@cached
def _name(
    standing: str, ply: int, negamax: bool, roles: tuple[str, ...], window: SearchWindow | None, has_numbers: bool
) -> Lines:
    """The lines of a row's name, with who is to move (`standing`); `has_numbers` if its window's numbers stand beside
    its brackets."""
    ply_name, is_cut = tr("ply {ply}", ply=ply), window is not None and window.cut
    is_ply = negamax or not roles
    name = ply_name if is_ply else " / ".join(map(tr, roles))
    name = f"{name} · {tr('cut')}" if is_cut else name
    lines = [(name, Words.NAME), (standing, Words.NOTE)]
    if window is not None and (window.is_null or is_cut or not has_numbers):
        lines.append((window.text, Words.CUT if is_cut else Words.NOTE))
    elif not is_ply:
        lines.append((ply_name, Words.NOTE))
    return tuple(lines)


@lru_cache(maxsize=256)
def _lines(lines: Lines, width: int, height: int, ratio: float, _look: str) -> QPixmap:
    """The lines of a row's name, each of that height and at most that width in logical pixels: from step to step most
    are the same."""
    looks = _looks()
    widest = max(QFontMetrics(looks[kind][0]).horizontalAdvance(text) for text, kind in lines)
    line = QRect(0, 0, min(width, widest + OVERHANG), height)
    return drawn(line.width(), height * len(lines), ratio, lambda painter: _write_lines(painter, lines, line))


def _write_lines(painter: QPainter, lines: Lines, first: QRect) -> None:
    """Draw lines of text below each other; `first` is the place of the first."""
    looks = _looks()
    for number, (text, kind) in enumerate(lines):
        write(painter, first.translated(0, number * first.height()), LEFT, text, *looks[kind])


def _looks() -> dict[Words, tuple[QFont, QColor]]:
    look = theme()
    return {
        Words.NAME: (bold(NOTE + 1), look.colour("ink")),
        Words.NOTE: (look.font(NOTE), look.colour("dim")),
        Words.CUT: (bold(NOTE), look.colour("cut")),
    }
