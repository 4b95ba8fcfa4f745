"""The code panel: the textbook recursion of the search's algorithm, the line of the event at the cursor or of a search
that is stepped, the variables of its frame, and the call stack."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPalette, QTextCursor, QTextFormat
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSplitter, QTextEdit, QVBoxLayout, QWidget

from engine import registry
from engine.options.choices import Fail, Form
from engine.result import INFINITY, Leaf, Number, PathNode
from engine.rules.contract import traits
from engine.text.numbers import DASH, precise
from engine.text.textbook import RECURSIVE, Recursion, recursion
from engine.trace.at_moment import AFTERWARDS
from engine.trace.leaves import LEAVES
from engine.trace.part import EventSnapshot
from engine.trace.record import Trace
from engine.trace.replay import Event, EventKind
from gui.i18n.language import tr
from gui.state import iterations
from gui.state.analysis import Analysis
from gui.state.replay import Cursor
from gui.state.root_cut import hides_cut
from gui.state.spoilers import HIDDEN, spoilers
from gui.style.theme import NOTE, QUIET, theme
from gui.tree.path_model import MAX_PLAYER, mover_in
from gui.widgets.focus_ring import want_ring


class _Moment(NamedTuple):
    """What the panel shows: a moment of a record, or of the part of it that a running search has."""

    trace: Trace
    event: Event
    row: int
    path_nodes: tuple[PathNode, ...]
    moment: int | None
    """None after the search."""


class CodePanel(QWidget):
    """Shows the code of the chosen algorithm, and where in it the cursor's moment is, or the newest event of a search
    that shows its events. While hidden it does no work."""

    def __init__(self, analysis: Analysis, cursor: Cursor) -> None:
        super().__init__()
        self._analysis, self._cursor = analysis, cursor
        self._functions: tuple[Recursion, ...] = ()
        self._line: int | None = None
        self._code, self._frame = _text(tr("Code")), _text(tr("Variables and call stack"))
        self._code.verticalScrollBar().rangeChanged.connect(self._scroll)
        described = tr("The variables and the call stack of each moment: after a search, and while it is stepped.")
        self._frame.setPlaceholderText(described)
        self._frame.setAccessibleDescription(described)
        self._note = QLabel(wordWrap=True)
        self._note.setForegroundRole(QUIET)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._code)
        split.addWidget(self._frame)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split, 1)
        column.addWidget(self._note)
        cursor.counted.connect(self.refresh)
        analysis.moved.connect(self._on_moved)
        analysis.settings_changed.connect(self.refresh)
        spoilers().changed.connect(self.refresh)
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def line(self) -> str:
        """The highlighted line; empty where there is none."""
        return "" if self._line is None else self._code.document().findBlockByNumber(self._line).text()

    @property
    def frame(self) -> str:
        """The variables and the call stack."""
        return self._frame.toPlainText()

    def refresh(self) -> None:
        """Show the code, and the line, the variables and the stack of the moment."""
        if not self.isVisible():
            return
        job, settings = self._analysis.job, self._analysis.settings
        functions = recursion(settings.algorithm if job is None else job.algorithm, settings.form)
        if functions != self._functions:
            self._functions = functions
            self._code.setPlainText("\n\n\n".join("\n".join(function.lines) for function in functions))
        shown = self._shown()
        self._highlight(None if shown is None or shown.moment is None else self._line_of(shown.trace, shown.event))
        self._frame.setPlainText("\n".join(self._frame_lines(shown)))
        self._note.setText(self._difference(shown))

    def _shown(self) -> _Moment | None:
        """The cursor's moment, or that of the newest event; None if there is neither."""
        cursor, info = self._cursor, self._analysis.info
        if cursor.trace is not None and cursor.now is not None and cursor.row is not None:
            moment = None if cursor.is_at_end else cursor.moment
            return _Moment(cursor.trace, cursor.now, cursor.row, cursor.path_nodes(), moment)
        if self._analysis.is_running and isinstance(info, EventSnapshot):
            replay, moment = info.replay, info.moment
            return _Moment(replay.trace, replay.event(moment), replay.row(moment), info.path, moment)
        return None

    def _on_moved(self) -> None:
        if isinstance(self._analysis.info, EventSnapshot):
            self.refresh()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # pyright: ignore[reportArgumentType]
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(420), theme().px(420))

    def _line_of(self, trace: Trace, event: Event) -> int:
        """The line of an event, in the whole text: the head of the function that a node is entered with; where a node
        is left, the line of its parent that called it, or that leaves the moves that are left."""
        row = event.row
        if event.kind is EventKind.ENTERED:
            function = self._function(trace, row)
            return self._start(function) + function.enters
        function = self._function(trace, trace.parent(row))
        if not row:
            return self._start(function) + function.returns
        if event.cut and function.cuts is not None and not hides_cut(trace.parent(row), spoilers().hidden):
            return self._start(function) + function.cuts
        return self._start(function) + function.calls[-1 if trace.is_repeat(row) else 0]

    def _function(self, trace: Trace, row: int) -> Recursion:
        """The function that searches a row."""
        by_name, game = {function.name: function for function in self._functions}, self._analysis.game
        is_max = game is None or mover_in(game, trace, row) == MAX_PLAYER
        return by_name.get("negamax") or by_name["maximise" if is_max else "minimise"]

    def _start(self, function: Recursion) -> int:
        """The first line of a function in the whole text."""
        before = self._functions[: self._functions.index(function)]
        return sum(len(other.lines) + 2 for other in before)

    def _frame_lines(self, shown: _Moment | None) -> Iterator[str]:
        """The variables of the frame at the end of the path, and the frames from the root on. Where a child has come
        back, its value is known, and no variable is changed by it yet."""
        game = self._analysis.game
        if shown is None or game is None or not shown.path_nodes:
            return
        trace, event, row, path_nodes, moment = shown
        name, function = game.notation.move_name, self._function(trace, row)
        sign = -1 if function.name == "minimise" else 1
        here, (alpha, beta) = path_nodes[-1], trace.window(row)
        if "alpha" in function.variables:  # minimax has no window
            first, last = (alpha, beta) if sign > 0 else (-beta, -alpha)
            yield f"alpha  {_written(first)}"
            yield f"beta   {_written(last)}"
        keeps_all, has_ended = "values" in function.variables, LEAVES.get(trace.why(row)) is not None
        came_back = event.kind is EventKind.LEFT and moment is not None and event.row > 0
        last = AFTERWARDS if moment is None else moment
        if keeps_all:
            new = trace.move(event.row) if came_back else None
            known = ((child.move, child.value) for child in here.children if child.value and child.move != new)
            values = ", ".join(f"{name(move)}: {_written(value.number)}" for move, value in known)
            yield f"values {{{values}}}"
        elif not has_ended:
            if "best" in function.variables:
                best = trace.best(row, last - 1 if came_back and not event.cut else last)
                yield f"best   {_written(-sign * INFINITY if best is None else sign * best)}"
            yield f"move   {DASH if here.move is None else name(here.move)}"
        if came_back and event.value is not None:
            # What keeps all values names the child's own before it is turned.
            value = event.value if keeps_all else trace.above(event.row, event.value)
            yield f"value  {_written(sign * value.number)}"
        yield ""
        drivers = [*self._driver_lines(trace)]
        yield from drivers
        for depth, above in enumerate(trace.path(row)):
            called = name(trace.move(above)) if above else tr("root")
            yield f"{'  ' * (len(drivers) + depth)}{self._function(trace, above).name}({called})"

    def _driver_lines(self, trace: Trace) -> Iterator[str]:
        """The frame of MTD(f) with its variables: what its searches before that of a record have proven."""
        driver, *searched = self._functions
        if not searched or driver.name in RECURSIVE:
            return
        before = iterations.finished(self._analysis)[: max(0, iterations.shown(self._analysis) - 1)]
        lower, upper = -INFINITY, INFINITY
        for passed in before:
            if passed.depth != trace.depth:
                continue
            number = passed.value.number
            lower, upper = (lower, number) if number < passed.beta else (number, upper)
        variables = {"lower": lower, "upper": upper, "beta": trace.window(0)[1]}
        told = ", ".join(f"{name} {_written(value)}" for name, value in variables.items())
        yield f"{driver.name}({tr('root')}): {told}"

    def _difference(self, shown: _Moment | None) -> str:
        """What the search has that the textbook form has not."""
        job = self._analysis.job
        if job is None:
            return ""
        words = []
        if self._analysis.settings.form is Form.MAXMIN and self._functions[-1].name == "negamax":
            words.append(tr("The textbook form is negamax: its variables are values of the side to move."))
        if not traits(self._analysis.position).alternates and not registry.algorithm(job.algorithm).averages:
            words.append(
                tr(
                    "In the textbook form the sides alternate. Where a side moves again, the function for the same "
                    "side is called, in the same window, and its value is not negated."
                )
            )
        if job.table:
            words.append(tr("The textbook form has no table: a position in the table returns at once."))
        if job.fail is Fail.HARD and registry.algorithm(job.algorithm).prunes:
            words.append(
                tr(
                    "The textbook form is fail-soft; this search is fail-hard: it returns a value outside the window "
                    "as the window's end."
                )
            )
        if job.order:
            words.append(tr("The textbook form visits moves in ascending order; this search orders them."))
        if shown is not None and LEAVES.get(shown.trace.why(shown.row)) is Leaf.HORIZON:
            words.append(tr("This position is at the horizon: it returns an estimate, or 0."))
        return " ".join(words)

    def _highlight(self, line: int | None) -> None:
        """Mark a line and scroll to it."""
        self._line = line
        if line is None:
            self._code.setExtraSelections([])
            return
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(self._code.document().findBlockByNumber(line))
        mark.format.setBackground(self.palette().color(QPalette.ColorRole.Text))
        mark.format.setForeground(self.palette().color(QPalette.ColorRole.Base))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        self._code.setExtraSelections([mark])
        self._code.setTextCursor(mark.cursor)
        self._scroll()

    def _scroll(self) -> None:
        """Scroll to the marked line; again when the panel has got its height."""
        if self._line is not None:
            self._code.ensureCursorVisible()

    def _restyle(self) -> None:
        for view in (self._code, self._frame):
            view.setFont(theme().font(NOTE + 1, mono=True))
        self._note.setFont(theme().font(NOTE + 1, QFont.Weight.Normal))
        self.refresh()


def _text(name: str) -> QPlainTextEdit:
    """A text that is read, not written."""
    made = QPlainTextEdit(readOnly=True, undoRedoEnabled=False)
    made.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    made.setFrameShape(QPlainTextEdit.Shape.NoFrame)
    made.setTabChangesFocus(True)
    made.setAccessibleName(name)
    want_ring(made)
    return made


def _written(value: Number) -> str:
    """A value; hidden where values are."""
    return tr(HIDDEN) if spoilers().hidden else precise(value)
