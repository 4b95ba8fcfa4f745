"""The figures of the current search: nodes visited, nodes saved, and the result."""

from itertools import islice

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.play.levels import Choice
from engine.registry import PARALLEL, revisits
from engine.result import FINISHED, PathNode, Snapshot, State
from engine.rules.contract import at_chance
from engine.text.describe import mebibytes
from engine.text.line import line_in_words
from engine.text.numbers import DASH, MINUS, bounded, duration, percent, rate, share, thousands
from engine.trace.replay import Replay
from gui.counters.figure_row import FigureRow
from gui.counters.share_bar import ShareBar
from gui.i18n.glossary import tip
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis
from gui.state.critical_tree import CriticalTree, leaves_of, overhead
from gui.state.replay import Cursor
from gui.state.spoilers import HIDDEN, WHY_HIDDEN, spoilers
from gui.state.wording import in_words, is_proven, looked, mode, played, scores, search, unfinished, verdict
from gui.style.theme import theme
from gui.tree.path_model import gives
from gui.tree.path_root import caption_of
from gui.widgets.focus_ring import want_ring
from gui.widgets.scrolled import ScrollArea

ROWS = (
    "nodes",
    "rate",
    "terminals",
    "horizon",
    "leaves",
    "cutoffs",
    "table",
    "fill",
    "never",
    "overhead",
    "depth",
    "best",
    "pv",
    "time",
)
TITLES = {
    "nodes": mark("Nodes"),
    "rate": mark("Nodes / s"),
    "terminals": mark("Terminals"),
    "horizon": mark("Horizon"),
    "leaves": mark("Leaves"),
    "cutoffs": mark("Cutoffs"),
    "table": mark("Table hits"),
    "fill": mark("Table fill"),
    "never": mark("Never visited"),
    "overhead": mark("Search overhead"),
    "depth": mark("Depth"),
    "best": mark("Best · value"),
    "pv": mark("Principal variation"),
    "time": mark("Time"),
}
TOOL_TIPS = {
    "nodes": mark("Positions visited, including the root."),
    "rate": mark("Nodes per second of searching; waiting is not counted."),
    "terminals": mark("Nodes in which the game is over."),
    "horizon": mark("Nodes at the depth limit in which the game is not over; each counts as an estimate, or 0."),
    "leaves": mark(
        "Leaves of the tree: terminals and horizon together. The line below has Knuth and Moore's minimum: the number "
        "of leaves that any search without a table must visit. If there are several iterations, it is that of the "
        "deepest. It is known for trees of up to 100,000 positions, and where nobody can win before the depth limit."
    ),
    "cutoffs": mark("Positions left early, with at least one legal move not searched."),
    "table": mark(
        "Positions found in the table. At a table cutoff the stored value is enough, and the position is not searched."
    ),
    "fill": mark("The share of the table's entries in use."),
    "never": mark(
        "Positions that plain minimax visits and this search has not visited. Of a search that may visit a position "
        "several times, such as PVS, only the visits are counted."
    ),
    "overhead": mark(
        "The nodes of this parallel search minus those of the same search on one thread: in parallel, "
        "bounds are known later. It is shown when that search is one of the last ones."
    ),
    "depth": mark("The deepest ply visited; the position searched is ply 0."),
    "best": mark("The best move and its value."),
    "pv": mark("Best play for both sides, as far as it is known."),
    "time": mark("Time spent searching; waiting is not counted."),
}
WORDS = {
    "nodes": "node",
    "terminals": "terminal",
    "horizon": "horizon",
    "leaves": "critical tree",
    "cutoffs": "cutoff",
    "table": "transposition table",
    "overhead": "search overhead",
    "never": "minimax",
    "depth": "depth",
    "best": "value",
    "pv": "principal variation",
}
"""The glossary's word for each title that has one."""
ROOMY, TIGHT = 12, 1
"""The greatest and the least space between rows in pixels; below that the panel scrolls."""


class SearchPanel(ScrollArea):
    """Rows of figures, updated by the timer for texts so that they can be read."""

    fact_changed = Signal(str)
    """The fact in the card's title."""

    def __init__(self, analysis: Analysis, critical_tree: CriticalTree, cursor: Cursor) -> None:
        inner = QWidget()
        super().__init__(inner)
        self._analysis, self._critical_tree, self._cursor = analysis, critical_tree, cursor
        self._tree_size: int | None = None
        self._choice: Choice | None = None
        self._fitted: tuple[object, ...] = ()
        self._rows = {name: FigureRow(tr(TITLES[name]), tr(TOOL_TIPS[name]), mono=name == "pv") for name in ROWS}
        self._bar = ShareBar()
        self._rows["never"].add_bar(self._bar)
        for name, word in WORDS.items():
            self._rows[name].title.setToolTip(tip(word))
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        for name in ROWS:
            self._column.addWidget(self._rows[name])
        self._column.addStretch()
        self.setAccessibleName(tr("This search"))
        want_ring(self)
        theme().changed.connect(self._restyle)
        spoilers().changed.connect(self.refresh)
        analysis.failed.connect(self.refresh)
        critical_tree.found.connect(self.refresh)
        cursor.counted.connect(self.refresh)
        self._restyle()

    def set_tree_size(self, nodes: int | None) -> None:
        """Set the number of nodes that minimax visits below the current root; None while unknown."""
        if nodes != self._tree_size:
            self._tree_size = nodes
            self.refresh()

    def set_choice(self, choice: Choice | None) -> None:
        """Set the computer's choice after the current search; None while unknown, or where it plays nothing."""
        if choice != self._choice:
            self._choice = choice
            self.refresh()

    def figure(self, name: str) -> str:
        """The text of one of ROWS."""
        self._update()
        return self._rows[name].value.text()

    def note(self, name: str) -> str:
        """The note below one of ROWS."""
        self._update()
        return self._rows[name].note.text()

    def refresh(self) -> None:
        """Show the newest snapshot of the current search, or the figures of the cursor's moment; dashes where there are
        none. While hidden the panel does no work."""
        if self.isVisible():
            self._update()

    def _update(self) -> None:
        self._show_rows()
        if self._cursor.earlier is None:
            self._show_search()
        else:
            self._show_moment(self._cursor.earlier)
        rows = self._rows.values()
        self.setAccessibleDescription("; ".join(row.accessibleName() for row in rows if not row.isHidden()))
        self._fit()

    def _show_rows(self) -> None:
        """Show the rows that the search has figures for."""
        job, rows = self._analysis.job, self._rows
        rows["horizon"].setVisible(job is not None and (job.limit.depth is not None or job.deepen))
        for name in ("table", "fill"):
            rows[name].setVisible(job is not None and job.table > 0)
        rows["overhead"].setVisible(job is not None and job.backend in PARALLEL)

    def _show_moment(self, replay: Replay) -> None:
        """Show what the record tells of the cursor's moment; the rest are dashes."""
        result, rows, counted = self._cursor.result, self._rows, replay.counters(self._cursor.moment)
        known = {name: thousands(counted[name]) for name in ("nodes", "terminals", "horizon", "cutoffs")}
        known["leaves"] = thousands(counted["terminals"] + counted["horizon"])
        known["depth"] = in_plies(counted["depth"])
        for name, row in rows.items():
            row.say(known.get(name, DASH))
        self._say_never(counted["nodes"])
        self._say_root(self._cursor.path_nodes()[0])
        if result is not None:
            self.fact_changed.emit(caption_of(self._cursor, result))

    def _say_root(self, root: PathNode) -> None:
        """Show the best move of the root so far and its value."""
        best, game = self._rows["best"], self._analysis.game
        best.title.setText(tr("Best so far · value"))
        if spoilers().hidden:
            best.say(tr(HIDDEN), "", tr(WHY_HIDDEN))
        elif game is not None and root.best is not None:
            best_moves = (child.move for child in root.children if child.state is State.DONE and gives(child, root))
            name = "".join(map(game.notation.move_name, islice(best_moves, 1)))
            mover = game.notation.players[game.notation.mover(self._analysis.position)]
            worth = tr("{value} for {player}", value=bounded(root.best), player=mover)
            best.say(f"{name}  {worth}".strip())

    def _show_search(self) -> None:
        info, job, result = self._analysis.info, self._analysis.job, self._analysis.result
        counters = info.counters if info is not None and info.counters.nodes else None
        rows = self._rows
        rows["nodes"].say(thousands(counters and counters.nodes))
        speed = rate(counters.nodes / info.seconds if counters and info and info.seconds > 0 else None)
        is_interpreted = job is not None and job.backend == "interpreted"
        rows["rate"].say(speed, tr("interpreted by Python, not compiled") if is_interpreted else "")
        rows["terminals"].say(thousands(counters and counters.terminals))
        rows["horizon"].say(thousands(counters and counters.horizon))
        pruned = tr("{count} move(s) pruned", "", counters.pruned, count=thousands(counters.pruned)) if counters else ""
        rows["cutoffs"].say(thousands(counters and counters.cutoffs), pruned)
        rows["depth"].say(in_plies(counters.depth) if counters else DASH)
        rows["time"].say(duration(info.seconds if counters and info else None))
        self._say_leaves(info if counters else None)
        self._say_table(info if counters else None)
        self._say_overhead()
        self._say_never(counters.nodes if counters else None)
        self._say_best(spoilers().found(info) if counters else None)
        unended = "" if result is None else unfinished(result)
        parts = [] if job is None else [search(job), mode(job), scores(job), unended]
        self.fact_changed.emit(" · ".join(part for part in parts if part))

    def sizeHint(self) -> QSize:
        return QSize(theme().px(300), theme().px(330))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(120))

    def showEvent(self, event: QShowEvent) -> None:
        """Set the font again: Qt's style sheets lose a label's font when an ancestor gets another parent, before a show
        event."""
        super().showEvent(event)
        self._restyle()
        self._update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _say_leaves(self, info: Snapshot | None) -> None:
        row, leaves = self._rows["leaves"], leaves_of(info) if info is not None else None
        all_leaves = None if info is None else info.counters.terminals + info.counters.horizon
        least, job, note = self._critical_tree.leaves, self._analysis.job, ""
        if least is not None and leaves is not None:
            note = tr("at least {count} needed", count=thousands(least))
            if job is not None and job.table:
                note = tr("at least {count} needed without a table", count=thousands(least))
        elif self._critical_tree.is_counting:
            note = tr("counting how many are needed…")
        elif self._critical_tree.is_too_large:
            note = tr("needed: too many positions to count")
        elif leaves is not None and self._analysis.result is not None and unfinished(self._analysis.result):
            note = tr("needed: unknown, because the search did not finish")
        if info is not None and info.iterations and leaves != all_leaves:
            last = tr("to depth {plies}: {count}", plies=info.iterations[-1].depth, count=thousands(leaves))
            note = f"{last}, {note}" if note else last
        row.say(thousands(all_leaves or None), note)

    def _say_table(self, info: Snapshot | None) -> None:
        table, fill, job = self._rows["table"], self._rows["fill"], self._analysis.job
        if info is None or job is None or not job.table:
            table.say(DASH)
            fill.say(DASH)
            return
        counters = info.counters
        table.say(
            thousands(counters.hits),
            tr(
                "{share} of {probes} probe(s), cutoffs: {cutoffs}",
                "",
                counters.probes,
                share=percent(counters.hits, counters.probes),
                probes=thousands(counters.probes),
                cutoffs=thousands(counters.table_cutoffs),
            ),
        )
        full = share(info.table_fill)
        if self._analysis.result is None and info.table_fill is not None:
            full = tr("about {share}", share=full)
        fill.say(full, "", tr("Of {size}", size=mebibytes(job.table)))

    def _say_overhead(self) -> None:
        row, result = self._rows["overhead"], self._analysis.result
        found = overhead(result, self._analysis.runs) if result is not None else None
        if found is None:
            is_whole = result is not None and result.iteration is None
            row.say(DASH, tr("known after the same search in serial") if is_whole else "")
            return
        nodes, serial = found
        more = percent(abs(nodes - serial), serial)
        sign = "+" if nodes > serial else MINUS if nodes < serial else ""
        row.say(f"{sign}{more}", tr("{count} node(s) on one thread", "", serial, count=thousands(serial)))

    def _say_never(self, nodes: int | None) -> None:
        row, size = self._rows["never"], self._tree_size
        is_over = not self._analysis.is_running and self._cursor.moment == self._cursor.last
        row.title.setText(tr(TITLES["never"]) if is_over else tr("Not visited so far"))
        if not nodes or not size:
            self._bar.set_share(None)
            row.say(DASH)
            return
        visited = min(nodes, size)
        self._bar.set_share(visited / size)
        places = {"part": thousands(size - visited), "total": thousands(size), "share": percent(visited, size)}
        if self._analysis.job is not None and revisits(self._analysis.job):
            note = tr("visited: at most {share} of the {total} that minimax visits", **places)
            row.say(f"≥ {places['part']}", note, tr("At least {part} of {total}", **places))
            row.note.shorten(tr("visited: at most {share} of {total}", **places))
        else:
            note = tr("visited: {share} of the {total} that minimax visits", **places)
            row.say(places["part"], note, tr("{part} of {total}", **places))
            row.note.shorten(tr("visited: {share} of {total}", **places))

    def _say_best(self, info: Snapshot | None) -> None:
        best, line = self._rows["best"], self._rows["pv"]
        game, job, result = self._analysis.game, self._analysis.job, self._analysis.result
        final = result is not None and result.end in FINISHED
        best.title.setText(tr(TITLES["best"]) if final or info is None else tr("Best so far · value"))
        if info is None or game is None or job is None or info.value is None:
            for row in (best, line):
                row.say(tr(HIDDEN), "", tr(WHY_HIDDEN)) if spoilers().hidden else row.say(DASH)
            return
        position = self._analysis.position
        worth = verdict(game, position, info.value, job.scoring, is_proven(info, result))
        name = "".join(map(game.notation.move_name, info.proven_line[:1]))
        mover = game.notation.players[game.notation.mover(position)]
        tip = tr("{value} for {player}, who is to move", value=in_words(info.value), player=mover)
        if at_chance(position):
            tip = tr("{value} for {player}", value=in_words(info.value), player=mover)
        note = "" if result is None else played(game, position, result, self._choice)
        if not info.value.proves_a_move:
            note = tr("no best move yet")
        best.say(
            f"{name}  {worth}".strip(),
            note,
            ", ".join(filter(None, [tip, looked(info)])),
            f"{name}  {tr('{value} for {player}', value=bounded(info.value), player=mover)}".strip(),
        )
        pv = line_in_words(game, position, info.proven_line, info.value_depth)
        line.say(pv or DASH, "", pv)

    def _restyle(self) -> None:
        for row in self._rows.values():
            row.restyle()
        self._fitted = ()
        if self.isVisible():
            self._fit()

    def _fit(self) -> None:
        """Share out the height between the rows; where it is short, use smaller figures, then scroll."""
        shown = [row for row in self._rows.values() if not row.isHidden()]
        asked = (self.viewport().height(), *((row, row.note.isHidden()) for row in shown))
        if asked == self._fitted:
            return
        self._fitted, air = asked, 0.0
        for tight in (False, True):
            room = self.viewport().height() - sum(row.height_if(tight) for row in shown)
            air = room / (len(shown) - 1)
            if air >= theme().px(TIGHT + 1):
                break
        for row in self._rows.values():
            row.set_tight(tight)
        self._column.setContentsMargins(0, 0, theme().px(6) if air < theme().px(TIGHT) else 0, 0)
        self._column.setSpacing(int(min(theme().px(ROOMY), max(theme().px(TIGHT), air))))


def in_plies(count: int) -> str:
    """A number of plies, with its unit."""
    return tr("{count} pl(y|ies)", "", count, count=thousands(count))
