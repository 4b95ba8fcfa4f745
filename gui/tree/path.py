"""The path: a row a ply, siblings as mini boards, values backed up, windows narrowing, pruned moves crossed out.

While a search runs, the path leads to its current node; after a search with a record, to the row of the cursor.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from engine.options.choices import Form, Scoring
from engine.result import Child, PathNode, Result, State
from engine.rules.contract import Game, Position
from engine.text.numbers import thousands
from engine.trace.part import EventSnapshot
from gui.i18n.language import mark, tr
from gui.state.analysis import TEXT_MILLISECONDS, Analysis, Phase
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.state.wording import OVER, algorithm, mode, searched
from gui.style.theme import theme
from gui.tree.path_canvas import PathPicture, Spot
from gui.tree.path_file import path_drawing
from gui.tree.path_layout import least_height
from gui.tree.path_model import Row, Windows, fresh, gives, rows, tried_in, windows_of
from gui.tree.path_root import caption_of, completed, deepest, root_node, whose_values
from gui.tree.path_scroll import PathScroll
from gui.tree.path_text import sentence
from gui.widgets.announce import announce
from gui.widgets.empty import EmptyState
from gui.widgets.focus_ring import want_ring
from gui.work.picture_file import Drawing

if TYPE_CHECKING:
    from engine.trace.record import Trace

INVITATION = mark("Press Think to watch the search go down the tree and its values come up.")
FADE_MILLISECONDS = 150
SHORTEST_FADE = 40
"""Milliseconds; a shorter fade would flicker."""


class PathView(QWidget):
    """Shows the path of the current search or of the cursor, which it moves. Stops its animation when hidden."""

    think_requested = Signal()
    position_requested = Signal(object)
    """The user requests a large view of a position."""
    pruned_pressed = Signal(int, int)
    """The user presses a pruned move: the row of the record that is cut, and the move."""
    looked_at = Signal(object)
    """The moves from the root to the board under the pointer; None where there is none any more."""
    fact_changed = Signal(str)
    """The fact in the card's title."""

    def __init__(self, analysis: Analysis, cursor: Cursor) -> None:
        super().__init__()
        self._analysis, self._cursor = analysis, cursor
        self._negamax = analysis.settings.form is Form.NEGAMAX
        self._motion = True
        self._shown: tuple[Game, Position, tuple[PathNode, ...]] | None = None
        self._caption = ""
        self._tried: tuple[tuple[int, ...], ...] = ()
        """`Row.tried` below each node, where a record tells it."""
        self._rows: tuple[Row, ...] = ()
        self._follow = True
        self._was_live = False
        """Whether the path on display is that of a search that runs, or ran just now."""

        self._picture = PathPicture()
        self._scroll = PathScroll(self._picture)
        self._scroll.scrolled.connect(self._on_scrolled)
        self._scroll.verticalScrollBar().rangeChanged.connect(lambda *_: self._reveal())
        self._empty = EmptyState(tr(INVITATION), tr("Think"))
        self._empty.pressed.connect(self.think_requested)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._scroll)
        self._fade = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._fading: frozenset[tuple[int, int]] = frozenset()
        self._fade.valueChanged.connect(lambda progress: self._picture.set_fade(self._fading, progress))
        self._describing = QTimer(self, singleShot=True, interval=TEXT_MILLISECONDS)
        self._describing.timeout.connect(self._describe)

        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Path of the search"))
        want_ring(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._picture.pressed.connect(self._on_pressed)
        self._picture.double_pressed.connect(self.position_requested)
        self._picture.pointed.connect(self._on_pointed)
        theme().changed.connect(self._show_again)
        spoilers().changed.connect(self._show_again)
        analysis.settings_changed.connect(self._on_settings)
        analysis.started.connect(self._on_started)
        analysis.moved.connect(self._on_moved)
        analysis.shown.connect(self._on_finished)
        cursor.changed.connect(self._on_cursor)
        cursor.counted.connect(self._tell)

    def set_motion(self, motion: bool) -> None:
        """Turn the fading in of values on or off; they fade where the search is slow enough."""
        self._motion = motion
        if not motion:
            self._end_fade()

    def show_path_nodes(self, game: Game, position: Position, path_nodes: tuple[PathNode, ...], caption: str) -> None:
        """Show a path from `position`, with `caption` as the card's fact."""
        self._show(game, position, path_nodes, caption, keep_size=True)
        self._tell()

    def set_over(self, is_over: bool) -> None:
        """Say whether the game on the board is over: then the empty state does not offer a search."""
        self._empty.set_line(tr(OVER) if is_over else tr(INVITATION), not is_over)

    def show_nothing(self) -> None:
        """Show the empty state."""
        self._shown, self._rows, self._caption = None, (), ""
        self._picture.set_rows((), keep_size=False)
        self._stack.setCurrentWidget(self._empty)
        self._tell()

    def drawing(self, words: Sequence[str] = (), log: Sequence[str] = ()) -> Drawing | None:
        """A picture of all of the path, with sentences below it and a log in its description; None without a path."""
        game, job = self._analysis.game, self._analysis.job
        if not self._rows or game is None or job is None:
            return None
        return path_drawing(self._rows, searched(game, job), self._fact(), words, log)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows on display."""
        return self._rows

    @property
    def _is_live(self) -> bool:
        """Whether nodes that are not visited may still be: the search runs, or its replay is not at the end."""
        return self._analysis.is_running or (self._cursor.trace is not None and not self._cursor.is_at_end)

    @property
    def pruned_rows(self) -> list[Row]:
        """The rows on display in which a move is pruned."""
        return [row for row in self._rows if row.shows_pruned]

    @property
    def shows_pruned(self) -> bool:
        """Whether a move is shown as pruned."""
        return bool(self.pruned_rows)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(340))

    def minimumSizeHint(self) -> QSize:
        """One row; the others are scrolled to."""
        return QSize(theme().px(240), least_height(1))

    def take_key(self, event: QKeyEvent) -> bool:
        """Do what a key does on the path; returns whether it does anything."""
        target = self._target(Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._rows:
            here = self._rows[max(row.ply for row in self._rows if row.current is not None or not row.ply)]
            self.position_requested.emit(here.position(here.current or 0))
        elif target is None:
            return False
        else:
            self._cursor.go_to_row(target)
            announce(self, sentence(self._rows[len(self._cursor.chain) - 1]))
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.take_key(event):
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._end_fade()
        super().hideEvent(event)

    def _target(self, key: Qt.Key, best: bool) -> int | None:
        """The record's row that a key leads to, possibly the present one; None if the key has no meaning here."""
        trace, chain = self._trace, self._cursor.chain
        if trace is None or self._shown is None:
            return None
        row = chain[-1]
        match key:
            case Qt.Key.Key_Home:
                return 0
            case Qt.Key.Key_Up:
                return chain[-2] if len(chain) > 1 else row
            case Qt.Key.Key_Down:
                children = self._visited(len(chain) - 1)
                if best and not spoilers().hidden:
                    children = [pair for pair in children if gives(pair[1], self._shown[2][-1])] or children
                return children[0][0] if children else row
            case Qt.Key.Key_Left | Qt.Key.Key_Right if len(chain) > 1:
                siblings = [sibling for sibling, _ in self._visited(len(chain) - 2)]
                last = trace.child_row(chain[-2], trace.move(row))
                place = siblings.index(row if last is None else last) + (1 if key == Qt.Key.Key_Right else -1)
                return siblings[min(len(siblings) - 1, max(0, place))]
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                return row
        return None

    @property
    def _trace(self) -> "Trace | None":
        """The record whose rows can be gone to."""
        return None if self._cursor.moments is None else self._cursor.moments.trace

    def _visited(self, ply: int) -> list[tuple[int, Child]]:
        """The recorded children of the path's position at a ply, each with its row."""
        trace, chain = self._trace, self._cursor.chain
        if trace is None or self._shown is None or ply >= len(self._shown[2]):
            return []
        pairs = ((trace.child_row(chain[ply], child.move), child) for child in self._shown[2][ply].children)
        return [(row, child) for row, child in pairs if row is not None]

    def _show(
        self,
        game: Game,
        position: Position,
        path_nodes: tuple[PathNode, ...],
        caption: str,
        keep_size: bool,
        tried: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        before = self._shown
        self._shown, self._caption, self._tried = (game, position, path_nodes), caption, tried
        job = self._analysis.job
        how = (Windows.PROVEN, Scoring.TEXTBOOK) if job is None else (windows_of(job), job.scoring)
        self._rows = rows(game, position, path_nodes, self._negamax, spoilers().hidden, *how, tried)
        self._picture.running = self._is_live
        self._picture.set_rows(self._rows, keep_size)
        self._stack.setCurrentWidget(self._scroll)
        if before is not None and before[:2] == (game, position):
            self._percolate(before[2], path_nodes)
        self._reveal()

    def _reveal(self) -> None:
        """Scroll to the end of the path, unless the user has scrolled elsewhere."""
        if self._follow and self._rows:
            self._scroll.reveal(self._picture.row_rect(len(self._rows) - 1))

    def _show_again(self) -> None:
        if self._shown is not None:
            self._show(*self._shown, self._caption, True, self._tried)
            self._tell()
            self._describe()  # at once: results may be hidden now

    def _percolate(self, before: tuple[PathNode, ...], after: tuple[PathNode, ...]) -> None:
        """Fade in new values, where there is time for it."""
        duration = self._fade_milliseconds()
        if not duration or not (new := fresh(before, after)):
            return
        self._fade.stop()
        self._fading = new
        self._fade.setDuration(duration)
        self._fade.start()

    def _fade_milliseconds(self) -> int:
        """The duration of fading: at most one event of a slowed search; 0 for none."""
        if not self._motion or not self.isVisible():
            return 0
        step = math.inf
        if self._cursor.playback.is_active:
            step = 1000 / self._cursor.playback.speed
        elif self._analysis.phase is not Phase.PAUSED and self._analysis.is_running:
            step = 500 / self._analysis.settings.speed
        duration = int(min(FADE_MILLISECONDS, step))
        return duration if duration >= SHORTEST_FADE else 0

    def _tell(self) -> None:
        """Update the fact now, and soon the picture's description in words: nobody sees it, and it takes a tenth of a
        jump to another moment."""
        self._picture.running = self._is_live
        if not self._describing.isActive():
            self._describing.start()
        self.fact_changed.emit(self._fact() if self._rows else "")

    def _describe(self) -> None:
        self.setAccessibleDescription("; ".join(map(sentence, self._rows)))

    def _fact(self) -> str:
        """The search, whose the values are, and the place of the path in it: the end is cut off in a narrow window."""
        whose = whose_values(self._rows[0].game, self._negamax, spoilers().hidden)
        return " · ".join(filter(None, (self._search(), whose, self._caption)))

    def _search(self) -> str:
        """The algorithm and the mode, where the buttons above the path have others, for the next search."""
        job, settings = self._analysis.job, self._analysis.settings
        if job is None or (job.algorithm == settings.algorithm and job.backend in (settings.backend, "interpreted")):
            return ""
        return f"{algorithm(job.algorithm)}, {mode(job).partition(' · ')[0]}"

    def _on_settings(self) -> None:
        """Show every row's values from the point of view of the player to move in it, or of MAX throughout."""
        negamax = self._analysis.settings.form is Form.NEGAMAX
        if negamax != self._negamax:
            self._negamax = negamax
            self._show_again()
        elif self._rows:
            self._tell()

    def _on_started(self) -> None:
        self._follow = self._was_live = True
        self._fade.stop()
        game, position = self._analysis.game, self._analysis.position
        if self._analysis.is_over:
            self._shown = None  # the result follows; no value of it is new to this search
        elif self._analysis.job is None or game is None:
            self.show_nothing()
        else:
            self._show(game, position, (), "", keep_size=False)
            self._tell()

    def _on_moved(self) -> None:
        game, info = self._analysis.game, self._analysis.info
        if game is None or info is None or not info.path:
            return
        caption = tr("node {number}", number=thousands(info.counters.nodes))
        if info.iterations:
            places = {"number": thousands(len(info.iterations) + 1), "count": thousands(info.counters.nodes)}
            caption = tr("iteration {number}, {count} nodes in all", **places)
        tried: tuple[tuple[int, ...], ...] = ()
        if isinstance(info, EventSnapshot):
            caption = " · ".join([tr("moment {number}", number=thousands(info.moment + 1)), caption])
            trace = info.replay.trace
            tried = tried_in(trace, trace.path(info.replay.row(info.moment)))
        self._show(game, self._analysis.position, info.path, caption, True, tried)

    def _on_finished(self, result: Result) -> None:
        game, position = self._analysis.game, self._analysis.position
        if game is None:
            return
        if self._cursor.trace is not None:
            return  # the cursor has shown it already
        self._end_fade()
        self._follow, self._shown = True, (game, position, ())
        caption = tr("{count} node(s)", "", result.info.counters.nodes, count=thousands(result.info.counters.nodes))
        if result.info.iterations and (depth := deepest(result)) is not None:
            caption = " · ".join([tr("depth {plies}", plies=depth), caption])
        self._show(game, position, (root_node(position, result),), caption, keep_size=False)
        self._tell()

    def _on_cursor(self) -> None:
        """Show the cursor's path, or that of the search that it has left."""
        game, result, path_nodes = self._analysis.game, self._cursor.result, self._cursor.path_nodes()
        if game is None or result is None or self._cursor.trace is None:
            if self._analysis.is_running:
                self._on_moved()
            return
        is_root_alone = self._cursor.is_at_end and self._cursor.row == 0
        if self._cursor.is_at_end:
            path_nodes = completed(path_nodes, self._cursor.trace, result)
        was_live, self._follow = self._was_live and not self._cursor.is_paused, True
        if was_live:
            self._was_live = False
            self._end_fade()
            self._picture.set_rows((), keep_size=False)  # the length of the running search's path no longer counts
        tried, caption = tried_in(self._cursor.trace, self._cursor.chain), caption_of(self._cursor, result)
        self._show(game, self._analysis.position, path_nodes, caption, not is_root_alone, tried)
        if was_live:
            self._follow = False
            self._scroll.reveal(self._picture.row_rect(0))

    def _end_fade(self) -> None:
        self._fade.stop()
        self._picture.set_fade(frozenset(), 1.0)

    def _on_pressed(self, spot: Spot) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        trace, chain = self._trace, self._cursor.chain
        if trace is None or spot.row > len(chain):
            return
        above = self._rows[spot.row].above
        row = 0 if above is None else trace.child_row(chain[spot.row - 1], above.children[spot.place].move)
        if row is not None:
            self._cursor.go_to_row(row)
        elif above is not None and self._rows[spot.row].state(spot.place) is State.PRUNED:
            self.pruned_pressed.emit(chain[spot.row - 1], above.children[spot.place].move)

    def _on_pointed(self, spot: Spot | None) -> None:
        self.looked_at.emit(None if spot is None else self._rows[spot.row].path(spot.place))

    def _on_scrolled(self) -> None:
        """The user has scrolled: the view no longer follows the path."""
        self._follow = False
