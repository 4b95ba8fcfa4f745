"""The why-line: one or two sentences on the event at the cursor, and why a pruned move needs no search."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QPainter, QRegion, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout

from engine.job import Job
from engine.options.choices import Form
from engine.result import End, Result
from engine.rules.contract import Game
from engine.text.numbers import thousands
from engine.trace.part import EventSnapshot
from engine.trace.record import Trace
from engine.trace.replay import Event, EventKind
from engine.trace.why import certificate, pruned_moves
from engine.trace.widths import Gap
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis, Phase
from gui.state.replay import Cursor
from gui.state.root_cut import gap_shown, hides_cut
from gui.state.spoilers import spoilers
from gui.state.wording import search
from gui.style.theme import NOTE, QUIET, TEXT, theme
from gui.tree import why_text
from gui.tree.coloured import WASH, in_colours
from gui.tree.icicle_text import empty_line
from gui.tree.narration import Telling, narrate
from gui.tree.path_model import rows, windows_of
from gui.tree.path_text import sentence, why_pruned
from gui.tree.pruned_search import Asked, PrunedSearch
from gui.tree.sweep import Sweep
from gui.widgets.announce import announce
from gui.widgets.card import OnGround
from gui.widgets.elided import ElidedLabel
from gui.widgets.focus_ring import want_ring
from gui.widgets.formatted_label import FormattedLabel
from gui.widgets.sentences import Sentences

LINES = 2
SIDE, ABOVE = 12, 8
"""The space in pixels left of the sentences, and above and below them."""
ENDS = {
    End.COMPLETE: mark("The search has ended."),
    End.HORIZON: mark("The search has ended."),
    End.STOPPED: mark("The search was stopped."),
    End.NODES: mark("The search has ended at its node limit."),
    End.SECONDS: mark("The search has ended at its time limit."),
    End.FAILED: mark("The search has failed."),
}
SWEEP_FROM = 720
"""The least width in pixels in which the picture of a sweep has room beside the sentences."""
PAST = 9
"""Moments before the cursor's in the text view."""


class WhyLine(OnGround):
    """Shows the event of a cursor in words; hidden before the first search. `ask` shows why a move was pruned.

    Call `close_search` before it is deleted.
    """

    text_changed = Signal(str)

    def __init__(self, analysis: Analysis, cursor: Cursor) -> None:
        super().__init__()
        self._analysis, self._cursor = analysis, cursor
        self._result = cursor.result
        """The search at the last change of the cursor."""
        self._asked: Asked | None = None
        """The move whose certificate is on display."""
        self.search = PrunedSearch(self)
        """The search of that move."""
        self.search.answered.connect(self._on_answered)
        self.search.failed.connect(self._on_failed)
        self._said = FormattedLabel()
        self._sentence = Sentences(Qt.AlignmentFlag.AlignLeft, self._said)
        self._sentence.setAccessibleName(tr("Why"))
        want_ring(self._sentence)
        self._note = ElidedLabel("")
        self._note.setForegroundRole(QUIET)
        self._button = QPushButton()
        self._button.setToolTip(
            tr("Searches the pruned move, and shows that the value of the root does not depend on it.")
        )
        self._button.clicked.connect(self._begin)
        self._button.hide()
        self.sweep = Sweep()
        column = QVBoxLayout()
        column.addWidget(self._sentence)
        column.setSpacing(3)
        column.addWidget(self._note)
        column.addStretch(1)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(SIDE, ABOVE, 0, ABOVE)
        row.setSpacing(SIDE)
        row.addLayout(column, 1)
        row.addWidget(self.sweep)
        row.addWidget(self._button)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._restyle)
        spoilers().changed.connect(self._refresh)
        analysis.settings_changed.connect(self._refresh)
        analysis.moved.connect(self._on_moved)
        cursor.changed.connect(self._on_cursor)
        cursor.counted.connect(self._refresh)
        self._restyle()

    @property
    def text(self) -> str:
        """The sentences on display."""
        return self._said.text()

    @property
    def note(self) -> str:
        """The line below them."""
        return self._note.text()

    def lines(self) -> list[str]:
        """The last events up to the cursor, the newest last, and what the line shows: for the text view."""
        telling, replay, moment = self._at_cursor(), self._cursor.earlier, self._cursor.moment
        past: list[str] = []
        if telling is not None and replay is not None:
            past = [
                tr("Moment {number}: {what}", number=thousands(number + 1), what=narrate(telling, event))
                for number, event in ((at, replay.event(at)) for at in range(max(0, moment - PAST), moment + 1))
            ]
        return [*past, *filter(None, dict.fromkeys((self.text, self.note)))]

    def words(self) -> list[str]:
        """The sentences on display, for a picture: none where they only say what to press."""
        return [] if self._cursor.is_at_end and not self.note else [*filter(None, (self.text, self.note))]

    def ask(self, row: int, move: int, other: Result | None = None) -> None:
        """Stop playing, and show why a move of a row was pruned; nothing changes if it was not. `other` is the search
        with that row if it is not the one on display, but compared with it."""
        game, result = self._analysis.game, other or self._cursor.result
        trace = None if result is None else result.trace
        if game is None or result is None or trace is None:
            return
        if gap_shown(trace, row, spoilers().hidden) is Gap.PRUNED and move in (found := certificate(trace, row)).pruned:
            heading = "" if other is None else tr("{search}, below", search=search(result.job))
            self._show_asked(Asked(game, result.job, trace, found, move, heading))

    def ask_here(self) -> None:
        """Stop playing, and show why the first move of the cutoff on display was pruned or, after one, the next, the
        first after the last; nothing changes without a cutoff, or where there is no other move."""
        self._cursor.playback.pause()  # which shows the cursor's event
        row, result, asked = self._cursor.row, self._cursor.result, self._asked
        if asked is not None and asked.next_move != asked.move:
            self._show_asked(asked._replace(move=asked.next_move))
        elif self.note and asked is None and row is not None and result is not None and result.trace is not None:
            self.ask(row, pruned_moves(result.trace, row)[0])

    def _show_asked(self, asked: Asked) -> None:
        """Stop playing, and show why a move was pruned."""
        self._cursor.playback.pause()
        self._forget()
        self._asked = asked
        self._refresh()
        announce(self, self.text)

    def take_back(self) -> None:
        """Show the cursor's event again instead of a pruned move."""
        self._forget()
        self._refresh()

    def close_search(self) -> None:
        """End the search of a pruned move."""
        self.sweep.clear()
        self.search.close()

    def _refresh(self) -> None:
        """Tell of the pruned move that was asked for, or the cursor's event, or the newest of a search that shows its
        events; else where the search is."""
        asked, at_cursor, hidden = self._asked, self._at_cursor(), spoilers().hidden
        if asked is not None and not hides_cut(asked.found.row, hidden):
            said, note = self._told(asked)
        else:
            said, note = self._live() if at_cursor is None else self._words_at_cursor(at_cursor)
        can_search = asked is not None and not hidden
        self.sweep.tell(None if asked is None else self._swept(asked))
        has_room = self.width() >= theme().px(SWEEP_FROM)
        shows_sweep = can_search and has_room and self.sweep.swept is not None
        move = "" if asked is None else asked.game.notation.move_name(asked.move)
        offer = tr("Search {move} anyway", move=move)
        is_shown = not self._button.isHidden(), not self.sweep.isHidden(), self._button.text()
        if (can_search, shows_sweep, offer) != is_shown:
            self._button.setText(offer)
            self._button.setVisible(can_search)
            self.sweep.setVisible(shows_sweep)
            self._row.activate()  # the sentence has another width
            self._fit()
        if bool(note) != bool(self.note):
            self.update()  # the bar
        if (said, note) != (self.text, self.note):
            self._sentence.setToolTip(said)
            self._note.setText(note)
            self._note.setToolTip(note)
            self.setAccessibleDescription(" ".join(filter(None, (said, note))))
            self._show(said)
            self.text_changed.emit(said)
        if shows_sweep and self._lines > LINES:  # its conclusion stands last in the sentence
            self.sweep.hide()
            self._row.activate()
            self._fit()
        self.setVisible(self._analysis.job is not None)

    def _told(self, asked: Asked) -> tuple[str, str]:
        """The sentences on a pruned move and the line below them."""
        telling, found = self._telling(*asked[:3]), asked.found
        said = self.search.words or why_text.why_cut(telling, found)
        if self.search.answer is not None and not telling.hidden:
            said = why_text.searched_anyway(telling, found, asked.move, *self.search.answer)
        return asked.under_heading(said), asked.under_heading(why_text.note(telling, found))

    def _swept(self, asked: Asked) -> why_text.Swept | None:
        """The picture of the answer; None without one."""
        answer = self.search.answer
        return None if answer is None else why_text.swept(self._telling(*asked[:3]), asked.found, asked.move, *answer)

    def _words_at_cursor(self, telling: Telling) -> tuple[str, str]:
        """The sentences on the cursor's event and the line below them."""
        row = self._cursor.row
        if not self._cursor.is_at_end:
            return _words(telling, self._cursor.now, row)
        if row is None or gap_shown(telling.trace, row, telling.hidden) is not Gap.PRUNED:
            return self._words_at_end(), ""
        return _words_on_cut(telling, row)

    def _words_at_end(self) -> str:
        """How the search ended, and what there is to do."""
        result = self._analysis.result
        words = [tr("The search has ended.") if result is None else tr(ENDS[result.end])]
        if result is not None and result.info.value is None:
            words.append(tr("The root has no value yet."))
        if len(self._cursor.cutoffs):
            words.append(tr("Press a pruned move to see why it needs no search."))
        else:
            words.append(tr("Press Play to watch it from its first moment."))
        return " ".join(words)

    def _live(self) -> tuple[str, str]:
        """The newest event of a running search in words; where its record does not tell it, where the search is, with
        the number of that node: the path goes on more often than a text that can be read. At the end of a search
        without a record, how it ended, and why there is none."""
        analysis, info, job = self._analysis, self._analysis.info, self._analysis.job
        if analysis.result is not None:
            return f"{tr(ENDS[analysis.result.end])} {empty_line(job, is_running=False)}", ""
        if analysis.game is None or analysis.position is None or job is None or info is None or not info.path:
            return "", ""
        negamax = analysis.settings.form is Form.NEGAMAX
        if isinstance(info, EventSnapshot):
            telling = self._telling(analysis.game, job, info.replay.trace)
            return _words(telling, info.replay.event(info.moment), info.replay.row(info.moment))
        how = negamax, spoilers().hidden, windows_of(job), job.scoring
        shown = rows(analysis.game, analysis.position, info.path, *how)
        last = info.path[-1]
        if last.cut and not spoilers().hidden and len(shown) > len(info.path):
            told = why_pruned(shown[len(info.path)])
        else:
            here = shown[min(len(info.path), len(shown)) - 1]
            name = analysis.game.notation.move_name
            moves = " ".join(name(node.move) for node in info.path[:-1] if node.move is not None)
            place = tr("After {moves}", moves=moves) if moves else tr("At the root")
            told = tr("{place}: {what}.", place=place, what=sentence(here))
        if analysis.phase is Phase.PAUSED:
            return " ".join(filter(None, (told, _why_by_nodes(job)))), ""
        return tr("Node {number}. {told}", number=thousands(info.counters.nodes), told=told), ""

    def _at_cursor(self) -> Telling | None:
        """The record of the cursor; None without one."""
        game, job, trace = self._analysis.game, self._analysis.job, self._cursor.trace
        return None if game is None or job is None or trace is None else self._telling(game, job, trace)

    def _telling(self, game: Game, job: Job, trace: Trace) -> Telling:
        return Telling(game, job, trace, self._analysis.settings.form is Form.NEGAMAX, spoilers().hidden)

    def _begin(self) -> None:
        """Search the pruned move."""
        if self._asked is not None:
            self.sweep.clear()
            self.search.begin(self._asked)
            self._refresh()

    def _on_answered(self) -> None:
        self._refresh()
        self.sweep.begin()
        announce(self, self.text)

    def _on_failed(self) -> None:
        self._refresh()
        announce(self, self.text)

    def _on_cursor(self) -> None:
        """Go back to the cursor's event, unless only the record so far of a paused search has grown."""
        before, self._result = self._result, self._cursor.result
        if not self._cursor.is_paused or self._result is before:
            self._forget()

    def _forget(self) -> None:
        """Go back to the cursor's event."""
        self.search.forget()
        self.sweep.clear()
        self._asked = None

    def _on_moved(self) -> None:
        """Follow each node of a search that is held back; a fast one is followed by the timer for texts."""
        self._forget()
        if self._analysis.is_held_back:
            self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()
        self._fit()

    def paint(self, painter: QPainter, area: QRegion) -> None:
        """Mark a cutoff with a bar in its colour."""
        if self.note:
            bar = self.rect().adjusted(0, ABOVE // 2, 0, 0)
            painter.fillRect(bar, theme().colour("cut", WASH))
            bar.setWidth(theme().px(4))
            painter.fillRect(bar, theme().colour("cut"))

    def _show(self, said: str) -> None:
        game = self._analysis.game
        self._said.say(said, () if game is None else in_colours(said, game))
        self._fit()

    def _fit(self) -> None:
        """Give the sentence the lines that it needs, of LINES at most: the note stands right below."""
        height = min(LINES, max(1, self._lines)) * self._said.line_height
        if height != self._sentence.height():
            self._sentence.setFixedHeight(height)

    @property
    def _lines(self) -> int:
        """The lines that the sentence needs."""
        return -(-self._said.heightForWidth(self._sentence.width()) // self._said.line_height)

    def _restyle(self) -> None:
        look = theme()
        self._said.setFont(look.font(TEXT + 1))
        self._note.setFont(look.font(NOTE + 1, QFont.Weight.Normal))
        lines = LINES * self._said.line_height
        self.setFixedHeight(lines + self._note.fontMetrics().lineSpacing() + 2 * ABOVE + 6)
        self._show(self.text)
        self._refresh()


def _words(telling: Telling, event: Event | None, row: int | None) -> tuple[str, str]:
    """The sentences on an event, at the end of whose path is that row, and the line below them."""
    if event is None or row is None:
        return "", ""
    if event.kind is EventKind.LEFT and event.cut and not hides_cut(row, telling.hidden):
        return _words_on_cut(telling, row)
    return narrate(telling, event), ""


def _words_on_cut(telling: Telling, row: int) -> tuple[str, str]:
    found = certificate(telling.trace, row)
    return why_text.why_cut(telling, found), why_text.note(telling, found)


def _why_by_nodes(job: Job) -> str:
    """Why a step is a node, not an event."""
    if job.backend not in ("serial", "interpreted"):
        return tr("A step is a node here, for the tasks of the workers have no common order of events.")
    if not job.record:
        return tr("A step is a node here, for the search has no record.")
    return tr("A step is a node here, for the record is full.")
