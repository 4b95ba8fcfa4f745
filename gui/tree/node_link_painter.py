"""Draws a small tree with nodes and edges, as textbooks do: squares are MAX's nodes, circles MIN's, diamonds chance
nodes; a bar across an edge marks pruned moves.

    node    its value so far, inside or below it; its window, where there is room; a board, where there is much
    edge    its move; dashed while the node is open; thick on the path
    stub    the moves without a node: dotted, with a bar and their number where they are pruned
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from engine.kernels.worker_memory import OPEN
from engine.result import INFINITY, Value
from engine.rules.contract import Game, winner
from engine.text.numbers import bounded, precise
from engine.trace.tidy_tree import TidyTree
from engine.trace.widths import Gap
from gui.state.root_cut import gap_shown
from gui.style.colours import mixed
from gui.style.theme import NOTE, theme
from gui.tree.icicle_painter import Moment
from gui.tree.path_model import MAX_PLAYER, mover_in
from gui.tree.path_tile import bold
from gui.widgets.drawing import paint_mini_board

if TYPE_CHECKING:
    from engine.trace.record import Trace

ROW = 62
"""The height of a ply in pixels at 100 %."""
NODE, LEAST_NODE = 14.0, 2.0
"""Half the side of a node with room around it, and the least half side, in pixels at 100 %."""
SHARE = 0.36
"""Half the side of a node as a share of the distance of two nodes."""
WORDS = 42
"""The least height of a ply with words between the nodes, in pixels at 100 %."""
NARROWEST_WINDOW = 30
"""The least room beside a node for its window, in pixels at 100 %."""
BOARD = 40
"""The least side of a board in pixels at 100 %: nodes with that much room are drawn as boards."""
DIAMOND = 1.3
"""The width of a chance node as a multiple of the side of another node, where there is room; it is as high as those."""
NAME_PLACE = 1 / 3
"""The place of a move's name on its edge, from below, where the node leaves it free."""
GAP_SHARE = 0.55
"""The part of an edge that is drawn for moves without a node."""


@dataclass(frozen=True)
class Subject:
    """The tree that is drawn."""

    game: Game
    trace: "Trace"
    tree: TidyTree
    negamax: bool
    hidden: bool
    """Whether values and windows are hidden."""

    def mover(self, row: int) -> int:
        """The side to move in a row."""
        return mover_in(self.game, self.trace, row)

    def value(self, row: int) -> Value | None:
        """The value of a row that has been left, for MAX or, in the negamax view, for its side to move."""
        found = None if self.hidden else self.trace.found(row)
        return found if found is None or self.negamax or self.mover(row) == MAX_PLAYER else -found

    def ply(self, row: int) -> int:
        """The number of plies below the top of the drawing."""
        return self.trace.index.ply(row) - self.trace.index.ply(self.tree.top)


class Scale(NamedTuple):
    """The part of a tree that is on display."""

    step: float
    """Pixels from a node to the next one of a ply."""
    row: float
    """Pixels from a ply to the next."""
    corner: QPointF
    """The pixel of the leftmost place of the top ply."""

    def at(self, x: float, ply: int) -> QPointF:
        """The middle of the node at a place."""
        return self.corner + QPointF((x + 0.5) * self.step, (ply + 0.5) * self.row)

    def stub_end(self, place: QPointF, end: QPointF) -> QPointF:
        """The end of the line from a node at `place` for its moves without a node, which have the place `end`; the bar
        is there."""
        return place + (end - place) * GAP_SHARE

    @property
    def bar(self) -> float:
        """Half the length of a bar in pixels."""
        return max(theme().px(2), min(theme().px(9), self.step / 3))

    @property
    def has_words(self) -> bool:
        """Whether there is room for words between two plies."""
        return self.row > theme().px(WORDS)

    @property
    def node(self) -> float:
        """Half the side of a node in pixels."""
        return max(theme().px(LEAST_NODE), min(theme().px(NODE), SHARE * self.step, 0.3 * self.row))

    @property
    def half(self) -> float:
        """Half the height of a node in pixels, with its board where it has one."""
        return self.board / 2 or self.node

    @property
    def board(self) -> int:
        """The side of a node that is drawn as a board; 0 where there is no room for boards."""
        side = round(min(0.8 * self.step, 0.58 * self.row))
        return side if side >= theme().px(BOARD) else 0


class Symbol(Enum):
    """A shape in the picture that a legend explains."""

    MAX = auto()
    MIN = auto()
    CHANCE = auto()
    DOT = auto()
    BAR = auto()
    PATH = auto()
    OPEN = auto()
    UNSEARCHED = auto()
    WINDOW = auto()


class NodeLinkPainter:
    """Draws a subject with one painter, as it was at a moment or, without one, after the search."""

    def __init__(self, painter: QPainter, subject: Subject, scale: Scale, moment: Moment | None) -> None:
        look = theme()
        self._painter, self._subject, self._scale, self._moment = painter, subject, scale, moment
        self._ink, self._dim, self._line = look.colour("ink"), look.colour("dim"), look.colour("line")
        self._edge = mixed(look.colour("card"), look.colour("ink"), 0.35)
        self._card, self._cut = look.colour("card"), look.colour("cut")
        first, second = subject.game.view.colours
        self._favours = {0: look.text_colour(first), 1: look.text_colour(second), None: look.colour("draw")}
        self._entered = frozenset(() if moment is None else moment.open)
        self._undecided = frozenset(() if moment is None else moment.undecided)
        self._bold, self._note = bold(NOTE), look.font(NOTE)
        self._metrics = QFontMetricsF(self._bold)
        self._line_height = self._metrics.height() - look.px(3)
        self._texts: list[tuple[str, QPointF, QColor]] = []
        """The texts beside nodes, with the middles of their places: nothing is drawn over them."""
        self._has_words = scale.has_words and scale.step > look.px(NODE)
        self._has_two_lines = scale.row - 2 * scale.half >= 2 * self._line_height + look.px(2)
        self._has_room_beside = scale.has_words and scale.step - 2 * scale.node > look.px(NARROWEST_WINDOW)
        self._px = look.px
        self._symbols = set[Symbol]()

    def paint(self, area: QRectF, chain: tuple[int, ...]) -> frozenset[Symbol]:
        """Draw what lies in an area; the rows of `chain` are framed. Returns the symbols drawn."""
        subject, scale = self._subject, self._scale
        wide, path = area.adjusted(-2 * scale.step, -scale.row, 2 * scale.step, scale.row), frozenset(chain)
        seen = {
            row: scale.at(x, subject.ply(row))
            for row, x in subject.tree.x.items()
            if self._moment is None or row <= self._moment.last
        }
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, place in seen.items():
            if row != subject.tree.top:
                above = seen[subject.trace.parent(row)]
                if wide.intersects(QRectF(above, place).normalized().adjusted(-1, -1, 1, 1)):
                    self._paint_edge(row, above, place, row in path)
            if row in subject.tree.stubs and wide.contains(place):
                self._paint_stub(row, place, scale.at(subject.tree.stubs[row], subject.ply(row) + 1))
        for row, place in seen.items():
            if wide.contains(place):
                self._paint_node(row, place, row in path)
        for words, middle, colour in self._texts:
            self._paint_text(words, middle, colour)
        return frozenset(self._symbols)

    def _is_open(self, row: int) -> bool:
        """Whether a row has been entered and not left, at the moment or for good."""
        return row in self._entered or self._subject.trace.why(row) == OPEN

    def _paint_edge(self, row: int, above: QPointF, place: QPointF, is_path: bool) -> None:
        pen = QPen(self._ink if is_path else self._edge, self._px(2 if is_path else 1))
        if is_path:
            self._symbols.add(Symbol.PATH)
        elif self._is_open(row):
            pen.setStyle(Qt.PenStyle.DashLine)
            self._symbols.add(Symbol.OPEN)
        self._painter.setPen(pen)
        self._painter.drawLine(above, place)
        if not self._has_words:
            return
        name = self._subject.game.notation.move_name(self._subject.trace.move(row))
        up = max(NAME_PLACE, (self._scale.half + self._line_height / 2 + self._px(1)) / self._scale.row)
        if self._metrics.horizontalAdvance(name) < 0.9 * (1 - up) * self._scale.step:  # names are 1 - up steps apart
            self._write(name, place + (above - place) * up, self._dim)

    def _paint_stub(self, row: int, place: QPointF, end: QPointF) -> None:
        """The moves of a node without a row: a bar across their edge where they are pruned."""
        trace = self._subject.trace
        gap = Gap.UNVISITED if row in self._undecided else gap_shown(trace, row, self._subject.hidden)
        away, below = end - place, end - QPointF(0, self._scale.half - self._line_height / 2)
        end = self._scale.stub_end(place, end)
        self._painter.setPen(QPen(self._edge, self._px(1), Qt.PenStyle.DotLine))
        self._painter.drawLine(place, end)
        self._symbols.add(Symbol.BAR if gap is Gap.PRUNED else Symbol.UNSEARCHED)
        if gap is not Gap.PRUNED:
            if gap is Gap.UNRECORDED and self._scale.has_words:
                self._write("…", end, self._dim)
            return
        length = max(1.0, (away.x() ** 2 + away.y() ** 2) ** 0.5)
        across = QPointF(-away.y(), away.x()) / length * self._scale.bar
        self._painter.setPen(QPen(self._cut, self._px(2) if self._scale.step > self._px(NODE) else 1.0))
        self._painter.drawLine(end - across, end + across)
        number = str(int(trace.unsearched.moves[row]))
        if self._has_words and self._metrics.horizontalAdvance(number) < self._scale.step:
            self._write(number, below, self._cut)

    def _paint_node(self, row: int, place: QPointF, is_path: bool) -> None:
        subject, painter, half = self._subject, self._painter, self._scale.half
        value = None if self._is_open(row) else subject.value(row)
        favours = None if value is None else self._favours[winner(value.number, self._view(row))]
        board = self._scale.board
        box = QRectF(place.x() - half, place.y() - half, 2 * half, 2 * half)
        painter.setPen(QPen(self._ink if is_path else self._edge, self._px(2 if is_path else 1)))
        painter.setBrush(self._card)
        room = self._paint_shape(row, box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if board:
            at = QPoint(round(place.x() - room / 2), round(place.y() - room / 2))
            paint_mini_board(painter, subject.game, subject.trace.position(row), at, round(room))
        if value is not None and favours is not None:
            words = bounded(value)
            wide, below = self._metrics.horizontalAdvance(words), QPointF(0, half + self._px(8))
            if not board and max(wide, self._line_height) < 2 * half - self._px(2):
                self._draw_text(words, self._box_of(words, place), favours)
            elif self._scale.has_words and self._has_two_lines and wide < self._scale.step:
                self._write(words, place + below, favours)
            elif not board:
                self._symbols.add(Symbol.DOT)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(favours)
                painter.drawEllipse(place, half / 2, half / 2)
                painter.setBrush(Qt.BrushStyle.NoBrush)
        self._paint_window(row, box)

    def _paint_shape(self, row: int, box: QRectF) -> float:
        """The outline of a node; returns the side of the square in it for a board."""
        if self._subject.trace.at_chance(row):
            self._symbols.add(Symbol.CHANCE)
            up, out = box.height() / 2, min(DIAMOND * box.width(), self._scale.step - self._px(2)) / 2
            corners = QPointF(0, -up), QPointF(out, 0), QPointF(0, up), QPointF(-out, 0)
            self._painter.drawPolygon([box.center() + corner for corner in corners])
            return 2 * up * out / (up + out)
        is_max = self._subject.mover(row) == MAX_PLAYER
        self._symbols.add(Symbol.MAX if is_max else Symbol.MIN)
        corner = self._px(2) if is_max else box.width() / 4 if self._scale.board else box.width() / 2
        self._painter.drawRoundedRect(box, corner, corner)
        return box.width() - 2 * self._px(4)

    def _paint_window(self, row: int, box: QRectF) -> None:
        """The window that a node was entered with, right of it, where there is room."""
        subject = self._subject
        if subject.hidden or not self._has_room_beside:
            return
        alpha, beta = subject.trace.window(row)
        if beta - alpha >= 2 * INFINITY:
            return
        if not subject.negamax and subject.mover(row) != MAX_PLAYER:
            alpha, beta = -beta, -alpha
        words = f"[{precise(alpha)}, {precise(beta)}]"
        wide = self._metrics.horizontalAdvance(words)
        if wide + self._px(8) < self._scale.step - box.width():
            self._symbols.add(Symbol.WINDOW)
            self._write(words, box.topRight() + QPointF(self._px(4) + wide / 2, self._px(6)), self._dim)

    def _view(self, row: int) -> int:
        return self._subject.mover(row) if self._subject.negamax else MAX_PLAYER

    def _write(self, words: str, middle: QPointF, colour: QColor) -> None:
        """Have a text drawn, centred at a place."""
        self._texts.append((words, middle, colour))

    def _paint_text(self, words: str, middle: QPointF, colour: QColor) -> None:
        """Draw a text on the card's colour, so that no edge crosses it."""
        box = self._box_of(words, middle)
        self._painter.fillRect(box, self._card)
        self._draw_text(words, box, colour)

    def _box_of(self, words: str, middle: QPointF) -> QRectF:
        box = QRectF(0, 0, self._metrics.horizontalAdvance(words) + self._px(2), self._line_height)
        box.moveCenter(middle)
        return box

    def _draw_text(self, words: str, box: QRectF, colour: QColor) -> None:
        self._painter.setFont(self._bold)
        self._painter.setPen(colour)
        self._painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
