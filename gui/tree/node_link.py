"""The picture of a small tree with nodes and edges, which the mouse zooms and pans. Of a tree that is too large for it,
the picture has the largest subtree around the end of the path that is not."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QRegion, QResizeEvent

from engine.result import Result
from engine.rules.contract import Game
from engine.text.numbers import bounded, thousands
from engine.trace.tidy_tree import TidyTree, around, tidy_tree
from gui.i18n.language import mark, tr
from gui.state.spoilers import spoilers
from gui.state.wording import searched
from gui.style.theme import NOTE, TEXT, theme
from gui.tree.icicle_colours import LegendEntry
from gui.tree.icicle_painter import Moment
from gui.tree.node_link_painter import ROW, NodeLinkPainter, Scale, Subject, Symbol
from gui.tree.path_file import MARGIN, TextLine
from gui.tree.path_root import which_iteration, whose_values
from gui.tree.path_tile import bold
from gui.tree.tree_mouse import TreeMouse
from gui.work.kernels import Kernels
from gui.work.picture_file import Drawing
from gui.work.runner import Request, Runner

if TYPE_CHECKING:
    from engine.trace.record import Trace

WIDEST = 160
"""The greatest distance of two nodes in pixels at 100 %."""
HIGHEST = 96
"""The greatest height of a ply, in pixels at 100 %."""
STEP, STEP_OF_BOARDS = 46, 110
"""The distance of two nodes in a saved picture, without and with boards, in pixels at 100 %."""
WIDEST_FILE = 10_000
"""The greatest width of a saved picture in pixels: three times that is the most that Qt paints on."""
WIDE, LEAST_WIDTH = 2400, 480
"""The width of a saved picture up to which boards are drawn, and its least width, in pixels at 100 %."""


class _Painting(NamedTuple):
    """Decides every pixel of the picture."""

    subject: Subject
    scale: Scale
    moment: Moment | None
    chain: tuple[int, ...]
    size: QSize
    ratio: float
    look: tuple[str, float]
    """The names of the colours, and the zoom."""


class NodeLinkPicture(TreeMouse):
    """Shows the record of the search on display, laid out and painted on threads: 2,000 nodes take 60 ms. The drawing
    before is seen until then, for a record grows while its search runs. Close its `runners` before it is deleted."""

    drawn = Signal()
    """Another subtree is drawn."""
    symbols_changed = Signal()
    """The picture has other symbols than the one before."""

    def __init__(self, kernels: Kernels) -> None:
        super().__init__()
        self._chain: tuple[int, ...] = ()
        """The rows of the path."""
        self.moment: Moment | None = None
        """The moment shown; None after the end of the search."""
        self._subject: Subject | None = None
        self._asked: tuple[Trace, int] | None = None
        """The record, and the row at the top, that are drawn or will be."""
        self._next: tuple[Game, Trace, int] | None = None
        """What is laid out as soon as the layout under way has ended: a record grows faster than it is laid out."""
        self._is_laying_out = False
        self._zoom, self._corner, self._negamax = 1.0, QPointF(), False
        self._image: QImage | None = None
        self.symbols: frozenset[Symbol] = frozenset()
        """The symbols in the picture."""
        self._wanted: _Painting | None = None
        """What is painted, or was painted last."""
        self._layout = Runner(mark("drawing of the tree"), partial(_lay_out, kernels), self)
        self._layout.finished.connect(self._on_laid_out)
        self._layout.failed.connect(lambda _: self._on_laid_out(None))
        self._painting = Runner(mark("painting of the tree"), _paint, self)
        self._painting.finished.connect(self._on_painted)
        self._painting.failed.connect(lambda _: self._on_painted(None))
        self.runners = self._layout, self._painting
        self.is_behind = False
        """Whether the picture is being made: the one before is shown, if there was one."""

    def show_tree(
        self, game: Game | None, trace: "Trace | None", chain: tuple[int, ...] = (), negamax: bool = False
    ) -> None:
        """Show the subtree of a record around the end of a path, or nothing. `chain` are the path's rows."""
        self._chain = chain
        if game is None or trace is None:
            for runner in self.runners:
                runner.drop()
            self._is_laying_out = self.is_behind = False
            self._subject = self._asked = self._next = self._image = self._wanted = None
            self.point(None)
            self.update()
            return
        row, asked, self._negamax = self._end, self._asked, negamax
        is_drawn = asked is not None and asked[0] is trace and asked[1] <= row < trace.end(asked[1])
        if not is_drawn:
            self._draw(game, trace, around(trace, row))
        subject = self._subject
        if subject is not None:
            self._subject = replace(subject, negamax=negamax, hidden=spoilers().hidden)
            self.reveal(row)
        self.update()

    @property
    def _end(self) -> int:
        """The row at the end of the path."""
        return self._chain[-1] if self._chain else 0

    @property
    def has_tree(self) -> bool:
        return self._subject is not None

    @property
    def view(self) -> QPointF:
        return self._corner

    @property
    def subject(self) -> Subject | None:
        """The tree that is drawn; None until the first is laid out."""
        return self._subject

    @property
    def fact(self) -> str:
        """How much of the record is drawn, where it is not all."""
        subject = self._subject
        if subject is None or subject.tree.top == 0:
            return ""
        name, trace, top = subject.game.notation.move_name, subject.trace, subject.tree.top
        line = " ".join(map(name, trace.moves(top)))
        count = trace.end(top) - top
        return tr("drawn: the {count} node(s) after {moves}", "", count, count=thousands(count), moves=line)

    def drawing(self, result: Result) -> Drawing | None:
        """A picture of the whole tree that is drawn, of that result; None without one."""
        subject = self._subject
        return None if subject is None else node_link_drawing(subject, result, self._chain, self.moment)

    def show_all(self) -> None:
        """Draw the largest subtree that can be drawn, all of it."""
        if self._subject is not None:
            self.zoom_to_row(around(self._subject.trace, self._end))

    @property
    def is_zoomed(self) -> bool:
        """Whether `show_all` would show another part."""
        subject = self._subject
        is_moved = self._zoom > 1 or not self._corner.isNull()
        return subject is not None and (is_moved or subject.tree.top != around(subject.trace, self._end))

    def row_at(self, point: QPointF) -> int | None:
        subject = self._subject
        if subject is None:
            return None
        scale = self._scale()
        reach = max(scale.node, scale.board / 2, theme().px(5))
        ply = int((point.y() - scale.corner.y()) // scale.row)
        for row, x in subject.tree.x.items():
            if subject.ply(row) == ply:
                if _is_near(scale.at(x, ply), point, reach) and self._is_shown(row):
                    return row
        return None

    def owner_at(self, point: QPointF) -> int | None:
        """The row of the node whose bar is at a point, or the end of whose dotted line, and no node is."""
        subject = self._subject
        if subject is None or self.row_at(point) is not None:
            return None
        scale, tree = self._scale(), subject.tree
        reach = max(scale.bar, theme().px(5))
        ply = int((point.y() + reach - scale.corner.y()) // scale.row) - 1
        for row, x in tree.stubs.items():
            if subject.ply(row) == ply and self._is_shown(row):
                place, end = scale.at(tree.x[row], ply), scale.at(x, ply + 1)
                if any(_is_near(spot, point, reach) for spot in (scale.stub_end(place, end), end)):
                    return row
        return None

    def reveal(self, row: int) -> None:
        """Pan to a node that is drawn outside the widget."""
        subject = self._subject
        if subject is None or row not in subject.tree.x:
            return
        place = self._scale().at(subject.tree.x[row], subject.ply(row))
        if not self.rect().contains(place.toPoint()):
            self._corner += QPointF(self.rect().center()) - place

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stay_in_view()

    def _stay_in_view(self) -> None:
        """Pan as little as brings a whole node into the widget; not at all where one is in it."""
        subject, scale = self._subject, self._scale()
        if subject is None:
            return
        least, wide, high = scale.half, self.width() - scale.half, self.height() - scale.half
        ways = list[QPointF]()
        for row, x in subject.tree.x.items():
            if self._is_shown(row):
                place = scale.at(x, subject.ply(row))
                ways.append(QPointF(min(max(least, place.x()), wide), min(max(least, place.y()), high)) - place)
                if ways[-1].isNull():
                    return
        self._corner += min(ways, key=QPointF.manhattanLength, default=QPointF())

    def _is_shown(self, row: int) -> bool:
        return self.moment is None or row <= self.moment.last

    def _draw(self, game: Game, trace: "Trace", top: int) -> None:
        self._asked, self._next = (trace, top), (game, trace, top)
        if not self._is_laying_out:
            self._lay_out_next()

    def _lay_out_next(self) -> None:
        asked, self._next = self._next, None
        self._is_laying_out = asked is not None
        if asked is not None:
            self._layout.start(asked)

    def _on_laid_out(self, made: tuple[Game, "Trace", TidyTree] | None) -> None:
        if made is not None:
            game, trace, tree = made
            if self._subject is None or self._subject.tree.top != tree.top:
                self._zoom, self._corner = 1.0, QPointF()
            self._subject = Subject(game, trace, tree, self._negamax, spoilers().hidden)
            self.drawn.emit()
            self.update()
        self._lay_out_next()

    def _scale(self) -> Scale:
        """The tree fills the widget at a zoom of 1, if that leaves the nodes apart."""
        if self._subject is None:
            return Scale(1.0, 1.0, QPointF())
        tree, look = self._subject.tree, theme()
        step = min(look.px(WIDEST), self.width() / (tree.width + 1))
        row = min(look.px(ROW), self.height() / (tree.plies + 1))
        free = (self.width() - step * (tree.width + 1)) / 2
        row = max(row, min(row * self._zoom**0.5, look.px(HIGHEST)))
        return Scale(step * self._zoom, row, self._corner + QPointF(free * self._zoom, 0))

    def paint(self, painter: QPainter, area: QRegion) -> None:
        subject, ratio = self._subject, self.devicePixelRatioF()
        if self._image is None:
            painter.setFont(theme().font(NOTE))
            painter.setPen(theme().colour("dim"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("The tree is being drawn."))
        if subject is None:
            return
        look = theme().colours.name, theme().zoom
        wanted = _Painting(subject, self._scale(), self.moment, self._chain, self.size(), ratio, look)
        if wanted != self._wanted:
            self._wanted = wanted
            self.is_behind = True
            self._painting.start(wanted)
        if self._image is not None:
            painter.drawImage(0, 0, self._image)

    def _on_painted(self, painted: tuple[QImage, frozenset[Symbol]] | None) -> None:
        """Show a new picture. None if it could not be painted: the one before stays."""
        self.is_behind = False
        if painted is None:
            return
        before, (self._image, self.symbols) = self.symbols, painted
        self.update()
        if self.symbols != before:
            self.symbols_changed.emit()

    def pan(self, view: QPointF, by: QPoint) -> None:
        self._corner = view + QPointF(by)
        self._stay_in_view()
        self.update()

    def zoom_to_row(self, row: int) -> None:
        self._zoom, self._corner, subject = 1.0, QPointF(), self._subject
        if subject is not None and row != subject.tree.top:
            self._draw(subject.game, subject.trace, row)
        self.update()

    def zoom_at(self, factor: float, point: QPointF) -> None:
        before = self._scale()
        self._zoom = max(1.0, min(60.0, self._zoom * factor))
        after = self._scale()
        away = point - before.corner
        grown = QPointF(away.x() * after.step / before.step, away.y() * after.row / before.row)
        self._corner += point - after.corner - grown
        if self._zoom == 1.0:
            self._corner = QPointF()
        self._stay_in_view()
        self.update()

    def zoom_at_row(self, factor: float, row: int) -> None:
        """Zoom at a node, if it is drawn."""
        subject = self._subject
        if subject is not None and row in subject.tree.x:
            self.zoom_at(factor, self._scale().at(subject.tree.x[row], subject.ply(row)))


def _is_near(place: QPointF, point: QPointF, reach: float) -> bool:
    """Whether a point is in the square around a place."""
    away = place - point
    return max(abs(away.x()), abs(away.y())) <= reach


def legend_of_links(symbols: frozenset[Symbol]) -> list[LegendEntry]:
    """The meaning of the symbols."""
    words = {
        Symbol.MAX: tr("square: MAX moves"),
        Symbol.MIN: tr("round: MIN moves"),
        Symbol.CHANCE: tr("diamond: chance decides"),
        Symbol.DOT: tr("dot: whom its value is good for"),
        Symbol.BAR: tr("bar: pruned moves"),
        Symbol.PATH: tr("thick: the path"),
        Symbol.OPEN: tr("dashed: not finished"),
        Symbol.UNSEARCHED: tr("dotted, no bar: not searched"),
        Symbol.WINDOW: tr("[α, β]: the window at first"),
    }
    return [LegendEntry(said) for symbol, said in words.items() if symbol in symbols]


def node_link_drawing(
    subject: Subject, result: Result, chain: tuple[int, ...] = (), moment: Moment | None = None
) -> Drawing:
    """A picture of a small tree with a title, and with boards if it is narrow enough for them. Its description has the
    value of every node."""
    tree, look, game, trace = subject.tree, theme(), subject.game, subject.trace
    places = tree.width + 1
    step = min(look.px(STEP_OF_BOARDS), max(look.px(STEP), look.px(WIDE) / places), WIDEST_FILE / places)
    count = tr("{count} of {all} node(s)", "", len(trace), count=thousands(len(tree.x)), all=thousands(len(trace)))
    whose = whose_values(game, subject.negamax, subject.hidden)
    fact = " · ".join(filter(None, [which_iteration(result, trace.depth), count, whose]))
    head = [
        TextLine(searched(game, result.job), bold(TEXT), look.colour("ink")),
        TextLine(fact, look.font(NOTE + 1), look.colour("dim")),
    ]

    def legend(symbols: frozenset[Symbol]) -> TextLine:
        words = "; ".join(entry.words for entry in legend_of_links(symbols))
        return TextLine(words, look.font(NOTE), look.colour("dim"))

    width = round(max(places * step, look.px(LEAST_WIDTH)))
    above = sum(line.height(width) for line in (*head, legend(frozenset(Symbol))))
    scale = Scale(step, look.px(HIGHEST), QPointF())
    size, margin = QSizeF(width, above + (tree.plies + 1) * scale.row), 2 * look.px(MARGIN)

    def paint(painter: QPainter) -> None:
        painter.translate(margin / 2, margin / 2)
        painter.save()
        painter.translate(0, above)
        symbols = NodeLinkPainter(painter, subject, scale, moment).paint(QRectF(QPointF(), size), chain)
        painter.restore()
        for line in (*head, legend(symbols)):
            line.paint(painter, width)

    story = [searched(game, result.job), fact]
    for row in tree.x:
        value = subject.value(row)
        if value is not None and (moment is None or (row <= moment.last and row not in moment.open)):
            story.append(f"{' '.join(map(game.notation.move_name, trace.moves(row)))}: {bounded(value)}")
    return Drawing(size + QSizeF(margin, margin), look.colour("card"), paint, "\n".join(story))


def _paint(request: Request) -> tuple[QImage, frozenset[Symbol]]:
    """Paint a picture; runs on a runner's thread. Returns its symbols too."""
    asked: _Painting = request.asked
    image = QImage(asked.size * asked.ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(asked.ratio)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:  # also ended by an error: Qt crashes where an image is destroyed before
        drawn = NodeLinkPainter(painter, asked.subject, asked.scale, asked.moment)
        symbols = drawn.paint(QRectF(QPointF(), QSizeF(asked.size)), asked.chain)
    return image, symbols


def _lay_out(kernels: Kernels, request: Request) -> tuple[Game, "Trace", TidyTree] | None:
    """Lay a subtree out, with the kernels of its game compiled first; runs on the runner's thread. None if it was
    stopped."""
    game, trace, top = request.asked
    if not kernels.get_tree_ready(game, request.control):
        return None
    return game, trace, tidy_tree(trace, top)
