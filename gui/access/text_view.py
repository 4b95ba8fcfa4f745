"""The window as plain text: the board, the search, and the end of its path.

For screen readers, for magnifiers, and to copy from. It has the content of the pictures, updated by the timer for
texts.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QFont, QKeySequence, QShowEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from engine.play.levels import Choice
from engine.rules.contract import Game, Position, at_chance
from engine.text.line import line_in_words
from engine.text.numbers import duration, precise, thousands
from gui.board.draft import Draft
from gui.board.panel import BoardPanel
from gui.board.wording import game_in_words, parts_in_words, rows_in_words
from gui.i18n.language import localized, mark, tr
from gui.state.analysis import Analysis, Phase
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from gui.state.relevance import Relevance, SearchRelevance
from gui.state.replay import Cursor
from gui.state.spoilers import WHY_HIDDEN, spoilers
from gui.state.wording import (
    OVER,
    is_proven,
    looked,
    mode,
    played,
    scores,
    search,
    state_of_play,
    unfinished,
    verdict,
)
from gui.style.theme import NOTE, theme
from gui.tree.icicle import WholeTree
from gui.tree.path import PathView
from gui.tree.path_model import MAX_PLAYER, Row
from gui.tree.path_root import moment_in_words
from gui.tree.path_text import sentence, tool_tip
from gui.tree.why_line import WhyLine
from gui.widgets.actions import bind
from gui.widgets.card import Card
from gui.widgets.focus_ring import want_ring

PHASES = {
    Phase.COMPILING: mark("It is being compiled."),
    Phase.RUNNING: mark("It is running."),
    Phase.PAUSED: mark("It is paused."),
    Phase.IDLE: mark("It has ended."),
}


class TextView(QPlainTextEdit):
    """Shows the text, without state of its own. While hidden it does no work."""

    def __init__(
        self,
        record: GameRecord,
        panel: BoardPanel,
        analysis: Analysis,
        opponent: Opponent,
        relevance: SearchRelevance,
        cursor: Cursor,
        path: PathView,
        tree: WholeTree,
        why: WhyLine,
    ) -> None:
        super().__init__(readOnly=True, undoRedoEnabled=False)
        self._record, self._panel, self._analysis, self._opponent = record, panel, analysis, opponent
        self._relevance, self._cursor, self._path, self._tree, self._why = relevance, cursor, path, tree, why
        self.setAccessibleName(tr("Text view"))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setTabChangesFocus(True)
        want_ring(self)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        # Once all views have taken a change: the text is made from many of them, and each tells of it by itself.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        for change in (
            record.changed,
            path.fact_changed,  # emitted when the path has changed, and by the timer for texts
            why.text_changed,
            tree.fact_changed,
            analysis.phase_changed,
            relevance.changed,
            opponent.chosen,
            spoilers().changed,
        ):
            change.connect(self._refresh_soon)
        panel.editing_changed.connect(self._on_editing)
        theme().changed.connect(self._restyle)
        self._restyle()

    def refresh(self) -> None:
        """Update the text. Only changed parts are replaced: caret and selection stay."""
        now, choice = self._relevance.now, self._opponent.choice
        told = self._tree.lines(), self._why.lines()
        moment, draft = _moment(self._cursor), self._panel.draft
        new = text(self._record, self._analysis, now, self._path.rows, choice, *told, moment, draft)
        old = self.toPlainText()
        start = _alike(old, new)
        end = _alike(old[start:][::-1], new[start:][::-1])
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(len(old) - end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(new[start : len(new) - end])

    def _on_editing(self) -> None:
        if self._panel.draft is not None:
            self._panel.draft.changed.connect(self._refresh_soon)
        self._refresh_soon()

    def _refresh_soon(self, *_: object) -> None:
        if self.isVisible():
            self._soon.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(330), theme().px(240))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(180), theme().px(60))

    def _restyle(self) -> None:
        self.setFont(theme().font(NOTE + 1, QFont.Weight.Normal))


def text(
    record: GameRecord,
    analysis: Analysis,
    relevance: Relevance,
    path: tuple[Row, ...],
    choice: Choice | None = None,
    tree: Sequence[str] = (),
    events: Sequence[str] = (),
    moment: Sequence[str] | None = None,
    draft: Draft | None = None,
) -> str:
    """The board, the search, its whole tree, its path and its events, one fact a line. `moment` has the figures of the
    search at the moment of its replay; None at the end. `draft` is on the board in place of the game's position."""
    shown = _path(path, analysis.is_running)
    search_lines = (*_which(record, analysis, relevance), *(_figures(analysis, choice) if moment is None else moment))
    board = _board(record) if draft is None else _draft(draft)
    parts = [board, search_lines, _whole(tree), shown, _events(events)]
    return "\n\n".join("\n".join(lines) for lines in map(tuple, parts) if lines)


def _board(record: GameRecord) -> Iterator[str]:
    notation = record.game.notation
    yield tr("THE BOARD")
    yield tr("{game}.", game=game_in_words(record))
    yield from _position(record.game, record.position)
    if record.moves:
        yield tr("Moves so far: {moves}", moves=" ".join(map(notation.move_name, record.moves)))


def _draft(draft: Draft) -> Iterator[str]:
    yield tr("THE BOARD")
    yield tr("{game}, the position is being edited.", game=localized(draft.game.title))
    yield from rows_in_words(draft.game, draft.cells)
    yield from parts_in_words(draft.game, draft.cells, draft.regions)
    yield draft.obstacle or tr("{game}.", game=draft.verdict)


def _position(game: Game, position: Position) -> Iterator[str]:
    """The lines of the board."""
    cells = game.notation.cells(position)
    yield from rows_in_words(game, cells)
    yield from parts_in_words(game, cells, game.view.regions(position))


def _which(record: GameRecord, analysis: Analysis, relevance: Relevance) -> Iterator[str]:
    """The position, the algorithm and the end of the search."""
    game, job, result = analysis.game, analysis.job, analysis.result
    yield tr("THE SEARCH")
    if game is None or job is None:
        yield tr(OVER) if record.is_over else tr("There is none yet: press Think.")
        return
    yield tr("It is of {position}.", position=relevance.words or tr("the position on the board"))
    words = search(job)
    words = f"{words[:1].upper()}{words[1:]}"
    yield tr("{algorithm}, {mode}, scores {scoring}.", algorithm=words, mode=mode(job), scoring=scores(job))
    if result is not None and (why := unfinished(result)):
        yield tr("It is unfinished: {why}.", why=why)
    else:
        yield tr(PHASES[analysis.phase])


def _moment(cursor: Cursor) -> list[str] | None:
    """The moment of a replay, and the figures at it; None at the end, or without a record."""
    if cursor.earlier is None:
        return None
    counted, place = cursor.earlier.counters(cursor.moment), moment_in_words(cursor)
    shown = {name: thousands(count) for name, count in counted.items()}
    return [
        tr("What follows is of {moment}.", moment=place),
        tr("Nodes: {nodes}, of these terminal: {terminals}", **shown),
        tr("Cutoffs: {cutoffs}", **shown),
        tr("Deepest ply: {ply}", ply=counted["depth"]),
    ]


def _figures(analysis: Analysis, choice: Choice | None) -> Iterator[str]:
    """The figures and the answer of the search."""
    game, job, info, result = analysis.game, analysis.job, spoilers().found(analysis.info), analysis.result
    if info is None or game is None or job is None:
        return
    counters = info.counters
    nodes, terminals = thousands(counters.nodes), thousands(counters.terminals)
    cutoffs, pruned = thousands(counters.cutoffs), thousands(counters.pruned)
    yield tr("Nodes: {nodes}, of these terminal: {terminals}", nodes=nodes, terminals=terminals)
    yield tr("Cutoffs: {cutoffs}, moves pruned: {pruned}", cutoffs=cutoffs, pruned=pruned)
    yield tr("Deepest ply: {ply}", ply=counters.depth)
    if job.table:
        probes, hits = thousands(counters.probes), thousands(counters.hits)
        yield tr("Table probes: {probes}, hits: {hits}", probes=probes, hits=hits)
    for iteration in info.iterations:
        nodes, time = thousands(iteration.counters.nodes), duration(iteration.seconds)
        yield tr("Depth {depth}: {nodes} nodes, {time}", depth=iteration.depth, nodes=nodes, time=time)
    yield tr("Time: {time}", time=duration(info.seconds))
    if spoilers().hidden:
        yield tr(WHY_HIDDEN)
    elif info.value is not None:
        position = analysis.position
        outcome = verdict(game, position, info.value, job.scoring, is_proven(info, result))
        outcome = ", ".join(filter(None, [outcome, looked(info)]))
        if at_chance(position):
            yield tr("Value: {value}", value=outcome)
            return
        if not info.proven_line:
            yield tr("No best move yet: {verdict}", verdict=outcome)
            return
        move = game.notation.move_name(info.proven_line[0])
        if info.value.is_exact:
            yield tr("Best move: {move}, {verdict}", move=move, verdict=outcome)
        else:
            yield tr("Best so far: {move}, {verdict}", move=move, verdict=outcome)
        if result is not None and (other := played(game, position, result, choice)):
            yield tr("{sentence}.", sentence=other)
        yield tr(
            "Principal variation: {moves}", moves=line_in_words(game, position, info.proven_line, info.value_depth)
        )


def _path(rows: tuple[Row, ...], running: bool) -> Iterator[str]:
    """The lines of every ply on the path, then of its last position with all its moves."""
    entered = [row for row in rows if row.current is not None]
    if not entered:
        return
    last, players = entered[-1], entered[-1].game.notation.players
    yield tr("THE PATH")
    if not last.hidden:
        yield (
            tr("Values are the mover's.") if last.negamax else tr("Values are {player}'s.", player=players[MAX_PLAYER])
        )
    for row in entered:
        yield tr("Ply {ply}, {where}: {text}", ply=row.ply, where=_after(row), text=sentence(row))
    yield ""
    yield tr("THE CURRENT NODE")
    place = last.current or 0
    standing = state_of_play(last.game, last.position(place))
    yield tr("Ply {ply}, {where}: {standing}.", ply=last.ply, where=_after(last), standing=standing)
    yield from _position(last.game, last.position(place))
    if last.window is not None:
        alpha, beta = last.window.alpha, last.window.beta
        yield tr("Window: {alpha} to {beta}", alpha=precise(alpha), beta=precise(beta))
    if last is not rows[-1]:
        below = rows[last.ply + 1]
        for index in range(len(below)):
            move, text = below.path(index)[-1], tool_tip(below, index, running).split("\n")[-1]
            yield tr("Move {move}: {text}", move=below.game.notation.move_name(move), text=text)


def _events(events: Sequence[str]) -> Iterator[str]:
    """The newest events of the search up to the cursor, and why the last one is so; none without a record."""
    if events:
        yield tr("WHY")
        yield from events


def _whole(tree: Sequence[str]) -> Iterator[str]:
    """The lines of the whole tree; none without a record."""
    if tree:
        yield tr("THE WHOLE TREE")
        yield from tree


def _after(row: Row) -> str:
    moves = row.path(row.current or 0)
    return (
        tr("after {moves}", moves=" ".join(map(row.game.notation.move_name, moves)))
        if moves
        else tr("the position searched")
    )


def _alike(one: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def text_card(view: TextView, parent: QWidget) -> Card:
    """The card of the text view; it has the focus when it is opened."""
    card = Card("text", tr("Text view"), view, parent)
    toggle = card.toggleViewAction()
    toggle.setStatusTip(tr("The board, the search and its current node as text, to read aloud or to copy"))
    bind(toggle, [QKeySequence("Ctrl+T")])
    toggle.triggered.connect(lambda on: view.setFocus(Qt.FocusReason.ShortcutFocusReason) if on else None)
    return card
