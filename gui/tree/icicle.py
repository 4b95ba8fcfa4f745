"""The whole tree of a search: a row a ply; widths and colours have the meanings that are chosen under it.

A click shows a node in the path, whose present nodes are framed; on a gap it tells why the moves there are pruned.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QToolTip, QVBoxLayout, QWidget

from engine.options.choices import Form
from engine.result import FINISHED, Result
from engine.trace.part import EventSnapshot
from engine.trace.why import pruned_moves
from engine.trace.widths import Gap
from engine.trace.workers import Workers
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.replay import Cursor
from gui.state.root_cut import gap_shown
from gui.state.same_positions import SamePositions
from gui.state.spoilers import spoilers
from gui.state.tree_shape import TreeShape
from gui.style.theme import theme
from gui.tree.film import Film
from gui.tree.icicle_about import About
from gui.tree.icicle_choices import Choices
from gui.tree.icicle_colours import LegendEntry, Look
from gui.tree.icicle_file import Content, Meaning, content_of, entries_of, meaning_of, tree_drawing
from gui.tree.icicle_legend import Legend
from gui.tree.icicle_live import Here, here
from gui.tree.icicle_minimap import Minimap
from gui.tree.icicle_painter import Moment
from gui.tree.icicle_picture import TreePicture
from gui.tree.icicle_same import about_same, positions_fact, same_legend
from gui.tree.icicle_second import SecondTree, TitleLine
from gui.tree.icicle_text import (
    difference,
    empty_line,
    part_shown,
    recorded,
    recorded_so_far,
    shares,
)
from gui.tree.icicle_workers import Carets, workers_legend
from gui.tree.narration import Telling
from gui.tree.node_link import NodeLinkPicture, legend_of_links
from gui.tree.path import PathView
from gui.tree.path_root import which_iteration
from gui.tree.tree_mouse import ZOOM
from gui.widgets.empty import EmptyState
from gui.widgets.focus_ring import want_ring
from gui.work.kernels import Kernels
from gui.work.picture_file import Drawing
from gui.work.record_file import Record

if TYPE_CHECKING:
    from engine.trace.record import Trace

COMPARED_HEIGHT = 200
"""The least height with two pictures, in pixels at 100 %."""
MORE = 150
"""The height that another picture than the usual one has beyond it, in pixels at 100 %, where there is room."""
SAVED_HEIGHT = 400
"""The least height of a saved picture, in logical pixels."""


class WholeTree(QWidget):
    """Shows the record of the last finished search, and follows the cursor; of a running search, the record so far."""

    fact_changed = Signal(str)
    """The fact in the card's title."""
    looked_at = Signal(object)
    """The moves from the root to the node under the pointer; None where there is none any more."""
    pruned_pressed = Signal(int, int, object)
    """The user presses a pruned move: the row of the record that is cut, and the move. The third is the search with
    that record where it is the one below; else None."""

    refused = Signal(str)
    """A sentence: why two searches are not compared."""

    def __init__(self, analysis: Analysis, cursor: Cursor, path: PathView, kernels: Kernels) -> None:
        """`path` takes the keys that walk through the tree."""
        super().__init__()
        self._analysis, self._cursor, self._path = analysis, cursor, path
        self.shape = TreeShape(analysis, kernels, self)
        self.same = SamePositions(analysis, self.shape, kernels, self)
        self._pointed: int | None = None
        self._tree_size: int | None = None
        self._meaning = Meaning((), ())
        """Of the colours on display."""
        self.picture = TreePicture()
        self.carets, self.minimap = Carets(self.picture), Minimap(self.picture)
        self.choices = Choices(self.shape, self.same)
        self.legend = Legend()
        self.title, self.second = TitleLine(), SecondTree(self.picture)
        self.links = NodeLinkPicture(kernels)
        self.about = About(analysis, cursor, self.shape, self.same, self.second)
        self._empty = EmptyState("")
        self._icicle = QWidget()
        column = QVBoxLayout(self._icicle)
        column.setContentsMargins(QMargins())
        column.setSpacing(0)
        column.addWidget(self.carets)
        column.addWidget(self.picture, 1)
        column.addWidget(self.second.title)
        column.addWidget(self.second, 1)
        column.addWidget(self.minimap)
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(QMargins())
        rows.setSpacing(0)
        rows.addWidget(self.title)
        rows.addWidget(self._icicle, 1)
        rows.addWidget(self.links, 1)
        foot = QHBoxLayout()
        foot.setSpacing(12)
        foot.addWidget(self.choices, 0, Qt.AlignmentFlag.AlignTop)
        foot.addWidget(self.legend, 1, Qt.AlignmentFlag.AlignVCenter)
        rows.addLayout(foot)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(page)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Whole tree of the search"))
        want_ring(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        for picture in (self.picture, self.links):
            for pressed in (picture.row_pressed, picture.gap_pressed):
                pressed.connect(self._on_pressed)
            picture.gap_pressed.connect(self._ask)
            picture.pointed.connect(self._on_pointed)
        self.second.row_pressed.connect(self._on_pressed)
        self.second.gap_pressed.connect(lambda owner: self._ask(owner, self._below))
        self.links.drawn.connect(self._tell)
        self.links.symbols_changed.connect(self._show_legend)
        self.choices.picture_changed.connect(self._on_shape)
        self.picture.span_changed.connect(self._tell)
        cursor.changed.connect(self._on_cursor)
        analysis.moved.connect(self._on_moved)
        cursor.counted.connect(self._on_counted)
        cursor.playback.begun.connect(self._reveal_newest)
        for event in (analysis.started, analysis.shown, analysis.phase_changed):
            event.connect(self._on_search)
        for event in (theme().changed, spoilers().changed, self.choices.colouring_changed):
            event.connect(self._show_look)
        self.shape.changed.connect(self._on_shape)
        for event in (cursor.changed, self.same.changed, self.shape.changed):
            event.connect(self._mark)
        for show in (self._tell, self._show_legend):
            self.same.changed.connect(show)
        for event in (analysis.phase_changed, analysis.settings_changed):
            event.connect(self._on_speed)
        for event in (analysis.settings_changed, spoilers().changed):
            event.connect(self._on_cursor)
            event.connect(self._tell)
        self._on_search()

    def close_work(self) -> None:
        """End all work outside the window's thread."""
        runners = self.picture.runner, self.second.picture.runner, *self.links.runners
        for part in (self.shape, self.same, *runners):
            part.close()

    def set_tree_size(self, nodes: int | None) -> None:
        """Set the number of nodes that minimax visits below the current root; None while unknown."""
        if nodes != self._tree_size:
            self._tree_size = nodes
            self._show_legend()

    @property
    def _whole(self) -> int | None:
        """The nodes of minimax's tree, of which the record has some; None where they are not known."""
        trace, result = self._trace, self._result
        if trace is None or result is None or result.info.iterations or self._analysis.is_running:
            return None
        counters = result.info.counters
        visits_all = result.end in FINISHED and not (counters.cutoffs or counters.pruned or counters.hits)
        return counters.nodes if visits_all else self._tree_size

    def compare(self, other: Result | None) -> None:
        """Show the tree of another search under this one, or none."""
        try:
            self.shape.compare(other)
        except ValueError as error:
            self.refused.emit(str(error))

    def lines(self) -> list[str]:
        """The facts in the picture, for the text view; none without a record."""
        game = self._analysis.game
        if self._trace is None or game is None:
            return []
        titles = [self.title.text(), self.second.title.text()] if self.shape.compared else []
        row, found = self._cursor.row, self.same.groups(self._trace)
        same = [] if row is None else about_same(game, self._trace, found, row).splitlines()
        workers = self.about.workers(self._cursor.places, "; ")
        moment = None if self.shape.compared else self.picture.moment
        newest = None if moment is None or self._cursor.replay is None else moment.last
        return [self._fact(), *same, *workers, *titles, *shares(game, self._trace, newest)]

    def drawing(self) -> Drawing | None:
        """A picture of the part and the moment on display, twice as large; None without a record. Raises ValueError,
        with a sentence."""
        heres = [] if self._cursor.is_at_end else [self._here()]
        content = self._content(heres[0].moment if heres else None)
        if content is None:
            return None
        if self._has_links:
            return None if self._result is None else self.links.drawing(self._result)
        size = QSizeF(2 * self.width(), max(2 * self.height(), SAVED_HEIGHT))
        if heres and self.shape.compared:
            heres.append(Here(self.second.picture.chain, self.second.picture.moment))
        return tree_drawing(content, size, self.picture.span, self.picture.negamax, heres)

    def film(self) -> Film | None:
        """The replay of the record and, if one is compared, of the other, to be painted at any moment; None without a
        record."""
        look, places = self._look(), self.shape.places
        result, replay = self._analysis.result, self._cursor.replay
        if look is None or places is None or result is None or replay is None:
            return None
        telling = Telling(look.game, result.job, replay.trace, self.picture.negamax, spoilers().hidden)
        iteration = which_iteration(result, replay.trace.depth)
        return Film(telling, replay, look, places, Workers.of(result), iteration, self.shape.compared)

    def record(self) -> Record | None:
        """The record as data, with the subtree of the current node; None without one."""
        game, result, row = self._analysis.game, self._cursor.result, self._cursor.row
        if game is None or result is None or row is None or self._cursor.trace is None:
            return None
        return Record(game, result, row)

    @property
    def more(self) -> int:
        """The height in pixels at 100 % that nodes and edges, or two pictures, need beyond that of the usual one."""
        return MORE if self._has_links or self.shape.compared is not None else 0

    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(110))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(48 if self.shape.compared is None else COMPARED_HEIGHT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, end = Qt.Key(event.key()), self._cursor.row
        picture = self.links if self._has_links else self.picture
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_Home) and picture.is_zoomed:
            picture.show_all()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and self._trace is not None:
            picture.zoom_at_row(1 / ZOOM if key == Qt.Key.Key_Minus else ZOOM, end or 0)
        elif self._path.take_key(event):
            picture.reveal(self._cursor.row or 0)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            if self._is_over(self.carets, event.pos()):
                workers = self.about.workers(self.carets.places_at(self.carets.mapFrom(self, event.pos())))
                QToolTip.showText(event.globalPos(), "\n\n".join(workers), self)
                return True
            other = self._below if self._is_over(self.second, event.pos()) else None
            picture = self.picture if other is None else self.second.picture
            picture = self.links if self._has_links else picture
            point = picture.mapFrom(self, QPointF(event.pos()))
            owner = picture.owner_at(point)
            said = self.about.node(picture.row_at(point), other) if owner is None else self.about.gap(owner, other)
            QToolTip.showText(event.globalPos(), said, self)
            return True
        return super().event(event)

    def _is_over(self, part: QWidget, point: QPoint) -> bool:
        return part.isVisible() and part.rect().contains(part.mapFrom(self, point))

    def _fact(self) -> str:
        """How many nodes are drawn, and the part on display."""
        trace, result = self._trace, self._result
        if trace is None or result is None:
            return ""
        count = recorded_so_far(trace, self.picture.moment) if self._analysis.is_running else recorded(trace)
        part, compared, game, places = "", self.shape.compared, self._analysis.game, self.shape.places
        if self._has_links:
            part = self.links.fact
        elif self.picture.is_zoomed and game is not None and places is not None:
            part = part_shown(game, trace, places, self.picture.span)
        if compared is not None:
            return " · ".join(filter(None, [difference(result, compared.other, compared.found), part]))
        positions = positions_fact(self.same.groups(trace))
        return " · ".join(filter(None, [which_iteration(result, trace.depth), count, positions, part]))

    def _tell(self) -> None:
        fact = self._fact()
        # Before the end, only the path tells its values.
        end = self.about.end(self._path.rows) if self._cursor.is_at_end else ""
        self.setAccessibleDescription("; ".join(filter(None, [fact, end])))
        self.fact_changed.emit(fact)

    def _on_search(self) -> None:
        """Show the record of the newest search, or say what would fill the card."""
        if self._analysis.is_over and self._analysis.result is None:
            return  # its result follows
        self._empty.set_line(empty_line(self._analysis.job, self._analysis.is_running))
        self._show_page()

    @property
    def _trace(self) -> "Trace | None":
        return self.shape.trace

    @property
    def _result(self) -> Result | None:
        """The search on display; while it runs, as far as it has come."""
        return self.shape.result

    def _on_shape(self) -> None:
        compared = self.shape.compared
        content = None if compared is None else self._content()
        titles = ["", ""] if content is None else [tree.title for tree in content.trees]
        self.choices.set_comparing(compared is not None)
        self._icicle.setVisible(not self._has_links)
        self.links.setVisible(self._has_links)
        self.picture.show_places(self.shape.places)
        self.title.setText(titles[0])
        self.title.setVisible(compared is not None)
        self.second.show_compared(compared, titles[1])
        self.updateGeometry()
        self._show_look()
        self._show_page()
        self._on_cursor()

    def _show_page(self) -> None:
        self._stack.setCurrentIndex(0 if self._trace is None else 1)

    def _content(self, moment: Moment | None = None) -> Content | None:
        """The trees on display with the colours that are chosen, and the legend of a moment; None without a record."""
        look, result, places = self._look(), self._result, self.shape.places
        if look is None or result is None or places is None:
            return None
        return content_of(look, result, places, self.shape.compared, moment, self._whole)

    def _look(self) -> Look | None:
        game, result = self._analysis.game, self._result
        if self._trace is None or game is None or result is None:
            return None
        return Look(game, self._trace, result, self.choices.colouring, spoilers().hidden)

    def _show_look(self) -> None:
        """Show the colours that are chosen, and their meaning."""
        content = self._content()
        looks = [] if content is None else [tree.look for tree in content.trees]
        self._meaning = meaning_of(looks[0], self.shape.compared) if looks else Meaning((), ())
        for picture, look in zip((self.picture, self.second.picture), (*looks, None, None), strict=False):
            picture.show_look(look)
        self._show_legend()

    def _show_legend(self) -> None:
        look, places, compared = self._look(), self.shape.places, self.shape.compared
        if self._has_links:
            self.legend.set_entries(legend_of_links(self.links.symbols))
        elif look is not None and places is not None:
            entries = entries_of(self._meaning, look, places, compared, self.picture.moment, self._whole)
            coming = (LegendEntry(tr("the widths are being computed")),) if self.shape.is_computing else ()
            job = self._analysis.job
            workers = (workers_legend(job),) if job is not None and self._cursor.places else ()
            self.legend.set_entries((*coming, *workers, *same_legend(self.same.choice), *entries))

    def _on_cursor(self) -> None:
        before = self.picture.moment
        self.picture.chain, self.picture.moment = self._here()
        if self._cursor.playback.is_active and before is not None and self.picture.shows(before.last):
            self._reveal_newest()
        moment = self.picture.moment
        self.picture.negamax = self._analysis.settings.form is Form.NEGAMAX
        for picture in (self.picture, self.minimap):
            picture.update()
        self.carets.setVisible(self._cursor.has_workers)
        self.carets.show_places(self._analysis.job, self._cursor.places, self.shape.places)
        if self._has_links:
            is_ready = not self.shape.is_computing
            self.links.moment = moment
            trace = self._trace if is_ready else None
            self.links.show_tree(self._analysis.game, trace, self.picture.chain, self.picture.negamax)
        if self.shape.compared is not None:
            self.second.follow(self._cursor.row, None if moment is None else self._cursor.now, self.picture.negamax)

    def _reveal_newest(self) -> None:
        """Pan to the newest node of a replay: from the start of playing on, unless the user pans elsewhere."""
        if self.picture.moment is not None:
            self.picture.reveal(self.picture.moment.last)

    def _on_speed(self) -> None:
        """Draw a search that is paused or slowed down in the picture that is chosen, or one at full speed without nodes
        and edges."""
        if self.links.isHidden() == self._has_links:
            self._on_shape()

    def _on_moved(self) -> None:
        """Show the event of a search that is stepped; else it is where its record so far ends."""
        if isinstance(self._analysis.info, EventSnapshot):
            self._on_cursor()
            self._tell()

    @property
    def _has_links(self) -> bool:
        """Whether the tree is drawn with nodes and edges; one that grows at full speed is not."""
        is_slow = self._analysis.is_held_back or not self._analysis.is_running
        return self.choices.has_links and self.shape.compared is None and is_slow

    def _on_counted(self) -> None:
        self._show_legend()
        self._tell()

    def _here(self) -> Here:
        """The cursor's path and moment; while the search runs, those of the search."""
        cursor, info, result = self._cursor, self._analysis.info, self._result
        if cursor.replay is None and info is not None and result is not None and result.trace is not None:
            return here(info, result.info, result.trace)
        if cursor.earlier is None or cursor.now is None:
            return Here(cursor.chain)
        return Here(cursor.chain, Moment(cursor.earlier.newest(cursor.moment), cursor.chain, cursor.now.cut))

    def _on_pressed(self, row: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if not self._cursor.seek_row(row, self._result):
            self.refused.emit(tr("Its nodes can be gone to when this search has ended."))

    def _on_pointed(self, row: int | None) -> None:
        self._pointed = row
        self._mark()
        self.looked_at.emit(None if row is None or self._trace is None else self._trace.moves(row))

    def _mark(self) -> None:
        """Mark the nodes with the position of that under the pointer or, without one, of the cursor's."""
        replay, moment = self._cursor.replay, self.picture.moment
        if replay is None:
            return
        row, trace = self._cursor.row if self._pointed is None else self._pointed, replay.trace
        self.picture.marks = self.same.marks(trace, row, len(trace) if moment is None else moment.last)
        self.picture.update()

    @property
    def _below(self) -> Result | None:
        """The search whose tree is the one below; None while none is compared."""
        return None if self.shape.compared is None else self.shape.compared.other

    def _ask(self, owner: int, other: Result | None = None) -> None:
        """Tell of the first pruned move of a node of the search on display, or of the other one; of none where its
        moves are not pruned."""
        trace = self._trace if other is None else other.trace
        if trace is not None and gap_shown(trace, owner, spoilers().hidden) is Gap.PRUNED:
            self.pruned_pressed.emit(owner, pruned_moves(trace, owner)[0], other)
