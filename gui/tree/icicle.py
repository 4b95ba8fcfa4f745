"""The whole tree of a finished search: a row a ply, each node as wide as its subtree has nodes, its colour its value.

The wheel zooms at the pointer, a drag pans, a double click fills the width with a subtree; a click shows a node in the
path, whose present nodes are framed.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedLayout, QToolTip, QWidget

from engine.options.choices import Form
from engine.rules.contract import Game
from engine.text.numbers import percent, thousands
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import NOTE, theme
from gui.tree.icicle_painter import Picture, Span, legend
from gui.tree.icicle_text import about, shares
from gui.tree.path import PathView
from gui.tree.path_root import which_iteration
from gui.widgets.empty import EmptyState
from gui.widgets.focus_ring import want_ring

if TYPE_CHECKING:
    from engine.trace.record import Trace

ZOOM = 1.25
"""The factor of one step of the wheel."""
NARROWEST = 8
"""The fewest nodes across the width."""


class TreePicture(QWidget):
    """Paints a record, and lets the mouse zoom and pan it."""

    row_pressed = Signal(int)
    """The row of the node that was clicked."""
    span_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._game: Game | None = None
        self._trace: Trace | None = None
        self.chain: tuple[int, ...] = ()
        """The rows of the present path."""
        self.negamax = False
        self.span = Span(0, 1)
        """The part of the record on display."""
        self._picture: Picture | None = None
        self._made: tuple[object, ...] = ()
        self._pressed: tuple[QPoint, Span, bool] | None = None
        self.setMouseTracking(True)

    def show_trace(self, game: Game | None, trace: "Trace | None") -> None:
        """Show a whole record, or nothing."""
        self._game, self._trace, self._picture, self._made, self._pressed = game, trace, None, (), None
        self.show_all()

    @property
    def is_zoomed(self) -> bool:
        return self._trace is not None and round(self.span.end - self.span.first) < len(self._trace)

    def show_all(self) -> None:
        """Show the whole record."""
        self.zoom_to(0, max(1, 0 if self._trace is None else len(self._trace)))

    def zoom_to(self, first: float, end: float) -> None:
        """Show these rows, at least NARROWEST and no more than there are."""
        count = max(1, 0 if self._trace is None else len(self._trace))
        wide = min(count, max(NARROWEST, end - first))
        first = min(max(0, (first + end - wide) / 2), count - wide)
        self.span = Span(first, first + wide)
        self.update()
        self.span_changed.emit()

    def zoom(self, factor: float, middle: float) -> None:
        """Show `factor` times fewer rows; the row `middle` stays at its place."""
        self.zoom_to(*(middle + (side - middle) / factor for side in self.span))

    def reveal(self, row: int) -> None:
        """Pan to a row that is not on display."""
        if not self.span.first <= row < self.span.end:
            half = (self.span.end - self.span.first) / 2
            self.zoom_to(row - half, row + half)

    def row_at(self, point: QPoint) -> int | None:
        """The row of the node at a point; None where there is none."""
        return None if self._picture is None else self._picture.row_at(point.x(), point.y())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._game is None or self._trace is None:
            return
        height = self._notes().height()
        size, ratio = (self.width(), self.height() - height - theme().px(8)), self.devicePixelRatioF()
        hidden = spoilers().hidden
        made = self.span, size, ratio, hidden, theme().colours.name, theme().zoom
        if self._picture is None or made != self._made:
            self._picture, self._made = Picture(self._game, self._trace, self.span, size, ratio, hidden), made
        painter = QPainter(self)
        self._picture.paint(painter, self.chain, self.negamax)
        if self.is_zoomed:
            self._paint_place(painter, size[1] + theme().px(2))
        self._paint_legend(painter, self.height() - height)
        painter.end()

    def _paint_place(self, painter: QPainter, top: int) -> None:
        """The part on display, as a bar on the width of the whole record."""
        look, count = theme(), max(1, 0 if self._trace is None else len(self._trace))
        left, right = (place / count * self.width() for place in self.span)
        painter.fillRect(QRectF(0, top, self.width(), look.px(3)), look.colour("line"))
        painter.fillRect(QRectF(left, top, max(3.0, right - left), look.px(3)), look.colour("ink"))

    def _paint_legend(self, painter: QPainter, top: int) -> None:
        look, metrics, left = theme(), self._notes(), 0
        painter.setFont(look.font(NOTE))
        side = look.px(9)
        for colour, words in legend(self._game, spoilers().hidden) if self._game is not None else ():
            wide = metrics.horizontalAdvance(words) + (side + look.px(4) if colour else 0)
            if left + wide > self.width():
                break
            if colour is not None:
                painter.fillRect(QRectF(left, top + (metrics.height() - side) / 2, side, side), colour)
            painter.setPen(look.colour("dim"))
            painter.drawText(left + wide - metrics.horizontalAdvance(words), top + metrics.ascent(), words)
            left += wide + look.px(14)

    def _notes(self) -> QFontMetrics:
        return QFontMetrics(theme().font(NOTE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._trace is not None:
            self._pressed = event.position().toPoint(), self.span, False
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._pressed is None:
            on_node = self.row_at(point) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if on_node else Qt.CursorShape.ArrowCursor)
            return
        begun, span, is_drag = self._pressed
        if is_drag or (point - begun).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = begun, span, True
            by = (begun.x() - point.x()) / max(1, self.width()) * (span.end - span.first)
            self.zoom_to(span.first + by, span.end + by)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        row = self.row_at(event.position().toPoint())
        if pressed is not None and not pressed[2] and row is not None:
            self.row_pressed.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and row is not None and self._trace is not None:
            self.zoom_to(row, self._trace.end(row))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._trace is None or not event.angleDelta().y():
            super().wheelEvent(event)
            return
        span = self.span
        middle = span.first + event.position().x() / max(1, self.width()) * (span.end - span.first)
        self.zoom(ZOOM ** (event.angleDelta().y() / 120), middle)


class WholeTree(QWidget):
    """Shows the record of the last finished search, and follows the cursor."""

    fact_changed = Signal(str)
    """The fact in the card's title."""

    def __init__(self, analysis: Analysis, cursor: Cursor, path: PathView, parent: QWidget | None = None) -> None:
        """`path` takes the keys that walk through the tree."""
        super().__init__(parent)
        self._analysis, self._cursor, self._path = analysis, cursor, path
        self._trace: Trace | None = None
        self.picture = TreePicture()
        self._empty = EmptyState("")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.picture)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Whole tree of the search"))
        want_ring(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.picture.row_pressed.connect(self._on_pressed)
        self.picture.span_changed.connect(self._tell)
        cursor.changed.connect(self._on_cursor)
        for event in (analysis.started, analysis.finished, analysis.phase_changed):
            event.connect(self._on_search)
        analysis.settings_changed.connect(self._on_cursor)
        theme().changed.connect(self.picture.update)
        spoilers().changed.connect(self._on_cursor)
        self._on_search()

    def lines(self) -> list[str]:
        """The facts in the picture, for the text view; none without a record."""
        game = self._analysis.game
        if self._trace is None or game is None:
            return []
        return [self._fact(), *shares(game, self._trace)]

    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(110))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(80))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, end = Qt.Key(event.key()), self._cursor.row
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_Home) and self.picture.is_zoomed:
            self.picture.show_all()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and self._trace is not None:
            self.picture.zoom(1 / ZOOM if key == Qt.Key.Key_Minus else ZOOM, end or 0)
        elif self._path.take_key(event):
            self.picture.reveal(self._cursor.row or 0)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row = self.picture.row_at(self.picture.mapFrom(self, event.pos()))
            QToolTip.showText(event.globalPos(), self._about(row), self)
            return True
        return super().event(event)

    def _about(self, row: int | None) -> str:
        """A node in words; empty without one."""
        game, result = self._analysis.game, self._analysis.result
        if row is None or self._trace is None or game is None or result is None:
            return ""
        return about(game, result, self._trace, row, self._analysis.settings.form is Form.NEGAMAX)

    def _fact(self) -> str:
        """How many nodes are drawn, and the part on display."""
        trace, result = self._trace, self._analysis.result
        if trace is None or result is None:
            return ""
        count = (
            tr("%n node(s)", "", len(trace)) if len(trace) < 1000 else tr("{count} nodes", count=thousands(len(trace)))
        )
        if trace.truncated:
            places = {"room": thousands(len(trace)), "count": thousands(trace.visited)}
            count = tr("the first {room} of {count} nodes are recorded", **places)
        part = self._part(trace) if self.picture.is_zoomed else ""
        return " · ".join(filter(None, [which_iteration(result, trace.depth), count, part]))

    def _part(self, trace: "Trace") -> str:
        """The part on display: the moves to the smallest subtree that has it all, and its share of the record."""
        span, game = self.picture.span, self._analysis.game
        around = [row for row in trace.path(int(span.first)) if row <= span.first and span.end <= trace.end(row)]
        moves = "" if game is None else " ".join(map(game.notation.move_name, trace.moves(around[-1])))
        wide = round(span.end - span.first)
        shown = tr("{nodes} shown, {share}", nodes=thousands(wide), share=percent(wide, len(trace)))
        return tr("{moves}: {shown}", moves=moves, shown=shown) if moves else shown

    def _tell(self) -> None:
        self.setAccessibleDescription("; ".join(filter(None, [self._fact(), self._about(self._cursor.row)])))
        self.fact_changed.emit(self._fact())

    def _on_search(self) -> None:
        """Show the record of the newest search, or say what would fill the card."""
        result = self._analysis.result
        trace = None if result is None or result.trace is None or not len(result.trace) else result.trace
        line = tr("The nodes of this search were not recorded. Press Think to search again.")
        if self._analysis.job is None:
            line = tr("Press Think: every node of the search is drawn here.")
        elif self._analysis.is_running:
            line = tr("The whole tree appears when the search has ended.")
        self._empty.set_line(line)
        if trace is not self._trace:
            self._trace = trace
            self.picture.show_trace(self._analysis.game, trace)
        self._stack.setCurrentWidget(self._empty if trace is None else self.picture)
        self._on_cursor()

    def _on_cursor(self) -> None:
        self.picture.chain = self._cursor.chain
        self.picture.negamax = self._analysis.settings.form is Form.NEGAMAX
        self.picture.update()
        self._tell()

    def _on_pressed(self, row: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._cursor.go_to_row(row)
