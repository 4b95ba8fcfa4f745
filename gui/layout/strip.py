"""The strip at the foot of the window: the figures of the search on display, each a button that opens a drawer."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QToolButton, QWidget

from engine.registry import algorithm
from engine.result import Snapshot
from engine.text.numbers import bounded, duration, percent, rate, thousands
from engine.trace.ascending import count_up_to
from engine.trace.replay import Replay
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.state.wording import is_proven, mode, verdict
from gui.style.theme import NOTE, theme
from gui.tree.path_root import moment_in_words
from gui.widgets.card import OnGround
from gui.widgets.elided import ElidedLabel
from gui.work.prewarm import Prewarm

FIGURES = "iterations", "figures", "runs", "speedup", "workers"
"""The drawer that each figure opens: the value, the nodes, the cutoffs, the time, the workers."""

EMPHASIS = re.compile("</?b>")
HEIGHT, MESSAGE = 34, 240
"""The strip's height, and the most width that figures leave to a message, in pixels at 100 %."""
APART = 8
"""The space between two figures in pixels."""
SIDE, ABOVE = 10, 3
"""The space beside a figure, and above and below it, in pixels."""


class Piece(NamedTuple):
    """A piece of a figure."""

    words: str
    font: QFont
    width: int
    """In pixels."""


class Chip(QToolButton):
    """A figure; pressed, it opens or closes a drawer. Hidden while it has no text.

    It paints its text: a label with emphasis makes a document of each new text, and lays it out.
    """

    def __init__(self, drawer: QAction) -> None:
        super().__init__()
        self.setObjectName("chip")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._drawer = drawer
        self._painted: tuple[object, ...] = ()
        """What the last picture depends on."""
        self._is_short = self._is_faded = False
        self._text = ""
        self._parts: tuple[Piece, ...] = ()
        """The text on display in pieces."""
        self._size = QSize()
        self.clicked.connect(drawer.trigger)
        drawer.toggled.connect(self.setChecked)
        self.hide()

    @property
    def text_shown(self) -> str:
        """The figure, without its emphasis."""
        return "".join(part.words for part in self._parts)

    def say(self, text: str, belongs_to: str, faded: bool) -> bool:
        """Show a figure with <b> around its numbers, and in its tip the search that it belongs to. Returns whether it
        takes another room."""
        self.setToolTip(tr("{search}. Opens {drawer}", search=belongs_to, drawer=self._drawer.text()))
        look = theme()
        painted = text, faded, look.colours.name, look.zoom
        if painted == self._painted:
            return False
        before = self._size, self.isHidden()
        self._painted, self._is_short, self._is_faded, self._text = painted, False, faded, text
        self._measure()
        self.setAccessibleName(self.text_shown)
        self.setVisible(bool(text))
        self.update()
        return before != (self._size, self.isHidden())

    def shorten(self, is_short: bool) -> None:
        """Show the whole figure, or its first part where the second, behind a comma, has no room."""
        if is_short != self._is_short:
            self._is_short = is_short
            self._measure()
            self.update()

    def sizeHint(self) -> QSize:
        return self._size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _measure(self) -> None:
        self._parts = _parts(self._text.partition(", ")[0] if self._is_short else self._text)
        high = QFontMetrics(theme().font(NOTE + 1)).height() + 2 * ABOVE
        self._size = QSize(sum(part.width for part in self._parts) + 2 * SIDE, high)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, left = QPainter(self), SIDE
        painter.setPen(theme().colour("dim" if self._is_faded else "ink"))
        for words, font, wide in self._parts:
            painter.setFont(font)
            painter.drawText(QRect(left, 0, wide, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += wide
        painter.end()


def _parts(text: str) -> tuple[Piece, ...]:
    """A text with <b> around its numbers in pieces."""
    weights = QFont.Weight.Normal, QFont.Weight.Bold
    return tuple(
        Piece(words, theme().font(NOTE + 1, weights[place % 2]), theme().width(words, NOTE + 1, weights[place % 2]))
        for place, words in enumerate(EMPHASIS.split(text))
        if words
    )


class CompilingLabel(QLabel):
    """How many searches are compiled, while some are not."""

    def __init__(self, prewarm: Prewarm) -> None:
        super().__init__()
        prewarm.progressed.connect(self._show)

    def _show(self, done: int, of: int) -> None:
        self.setText(tr("Compiling searches: {done} of {all} ready", done=done, all=of) if done < of else "")


def at_foot(window: QMainWindow, strip: "Strip", status: QWidget) -> None:
    """Put the strip on the left of the window's status bar and `status` on the right."""
    bar = window.statusBar()
    bar.setSizeGripEnabled(False)
    bar.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # permanent widgets stand after the bar's own messages
    bar.messageChanged.connect(strip.say)
    for part, share in ((status, 0), (strip, 1)):
        part.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        bar.addPermanentWidget(part, share)


class Strip(OnGround):
    """Shows the figures of `analysis`, or what they were at the cursor's moment; empty before the first search. The
    status bar's message stands behind them.

    It has no layout: each new figure would lay the window out again.
    """

    def __init__(self, analysis: Analysis, cursor: Cursor, drawers: Mapping[str, QAction]) -> None:
        super().__init__()
        self._analysis, self._cursor = analysis, cursor
        self._tree_size: int | None = None
        self._stale = ""
        self.chips = {name: Chip(drawers[name]) for name in FIGURES}
        self._message = ElidedLabel("")
        for part in (*self.chips.values(), self._message):
            part.setParent(self)
        self._message.hide()
        for event in (cursor.counted, spoilers().changed):
            event.connect(self.refresh)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_tree_size(self, nodes: int | None) -> None:
        """Set the number of nodes that minimax visits below the current root; None while unknown."""
        if nodes != self._tree_size:
            self._tree_size = nodes
            self.refresh()

    def mark(self, words: str = "", short: str = "", faded: bool = False) -> None:
        """Name the position that the figures belong to, if it is not the one on the board, and fade them or not."""
        self._stale = words if faded else ""
        self.refresh()

    def say(self, message: str) -> None:
        """Show the status bar's message; none is ""."""
        self._message.setText(message)
        self._message.setToolTip(message)
        self._message.setVisible(bool(message))
        self._fit()

    def refresh(self) -> None:
        """Show the newest snapshot of the current search, or the figures of the cursor's moment."""
        job, info, earlier = self._analysis.job, self._analysis.info, self._cursor.earlier
        texts: list[str] = []
        if job is not None and info is not None and info.counters.nodes:
            texts = list(self._texts(info) if earlier is None else self._texts_then(info, earlier))
        order = tr("counted in the order of the tree: the workers' own counts are those of a time")
        where = () if earlier is None else (moment_in_words(self._cursor), order if self._cursor.has_workers else "")
        parts = () if job is None else (tr(algorithm(job.algorithm).title), mode(job), *where, self._stale)
        belongs_to = ", ".join(filter(None, parts))
        is_other = False
        for place, (name, chip) in enumerate(self.chips.items()):
            faded = bool(self._stale) or (earlier is not None and name == "speedup")  # the time is the whole search's
            is_other |= chip.say(texts[place] if place < len(texts) else "", belongs_to, faded)
        if is_other:
            self._fit()

    def _restyle(self) -> None:
        self._message.setFont(theme().font(NOTE + 1))
        self.setFixedHeight(theme().px(HEIGHT))  # also while it is empty: the window would be laid out again
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(0, theme().px(HEIGHT))  # the window's width decides what the strip shows

    def _fit(self) -> None:
        """Shorten figures, the last first, until all fit with the message; then leave out figures, the last first."""
        chips, area = [chip for chip in self.chips.values() if chip.text_shown], self.rect().adjusted(4, 2, -4, -6)
        room = area.width()
        if self._message.text():
            room -= min(self._message.sizeHint().width(), theme().px(MESSAGE)) + APART
        for chip in chips:
            chip.shorten(False)
            chip.show()

        def fits() -> bool:
            shown = [chip for chip in chips if not chip.isHidden()]
            return sum(chip.sizeHint().width() + APART for chip in shown) <= room

        for narrow, chip in product((lambda chip: chip.shorten(True), Chip.hide), reversed(chips)):
            if fits():
                break
            narrow(chip)
        for part in (*(chip for chip in chips if not chip.isHidden()), self._message):
            wide = area.width() if part is self._message else part.sizeHint().width()
            high = min(area.height(), part.sizeHint().height())
            part.setGeometry(area.left(), area.top() + (area.height() - high) // 2, wide, high)
            area.setLeft(area.left() + wide + APART)

    def _texts(self, info: Snapshot) -> Iterator[str]:
        """The figures in the order of FIGURES; empty where there is nothing to say."""
        job, counters, size = self._analysis.job, info.counters, self._tree_size
        yield self._found(info)
        nodes = tr("<b>{count}</b> node(s)", "", counters.nodes, count=thousands(counters.nodes))
        prunes = job is not None and algorithm(job.algorithm).prunes
        if size and prunes and counters.nodes <= size and not info.iterations:
            nodes = tr("{nodes}, <b>{share}</b> of minimax", nodes=nodes, share=percent(counters.nodes, size))
        yield nodes
        yield self._cut(info)
        speed = rate(counters.nodes / info.seconds) if info.seconds > 0 else ""
        time = f"<b>{duration(info.seconds)}</b>"
        yield tr("{time}, <b>{rate}</b> nodes / s", time=time, rate=speed) if speed else time
        yield "" if job is None else mode(job)

    def _texts_then(self, info: Snapshot, replay: Replay) -> Iterator[str]:
        """The figures at the cursor's moment; the time is known for the whole search, or all of it so far, alone."""
        job, moment = self._analysis.job, self._cursor.moment
        yield self._found_then()
        nodes, cutoffs = replay.newest(moment) + 1, count_up_to(replay.cutoffs, moment)
        visited = tr("<b>{count}</b> node(s)", "", nodes, count=thousands(nodes))
        cut = tr("<b>{count}</b> cutoff(s)", "", cutoffs, count=thousands(cutoffs)) if replay.cutoffs.size else ""
        where = mark("{figure} so far")
        if self._cursor.has_workers:
            where = mark("{figure} up to here")
        elif info.iterations:
            where = mark("{figure} so far, in this iteration")
        for told in (visited, cut):
            yield told and tr(where, figure=told)
        time = f"<b>{duration(info.seconds)}</b>"
        yield tr("{time} so far", time=time) if self._cursor.is_paused else tr("{time} in all", time=time)
        yield "" if job is None else mode(job)

    def _found_then(self) -> str:
        """The value of the root so far, as a value or a bound for the player to move."""
        game, root = self._analysis.game, self._cursor.path_nodes()[0]
        if spoilers().hidden or game is None:
            return ""
        if root.best is None:
            return tr("no value yet")
        player = game.notation.players[game.notation.mover(self._analysis.position)]
        value = f"<b>{bounded(root.best)}</b>"
        return tr("{value} for {player} so far", value=value, player=player)

    def _found(self, info: Snapshot) -> str:
        """The value of the position and the best move."""
        game, job, position = self._analysis.game, self._analysis.job, self._analysis.position
        if spoilers().hidden or info.value is None or game is None or job is None:
            return ""
        proven = is_proven(info, self._analysis.result)
        found = f"<b>{verdict(game, position, info.value, job.scoring, proven)}</b>"
        if not info.value.proves_a_move:
            return tr("{found}, no best move yet", found=found)
        if not info.proven_line:
            return found
        return tr("{found}, best <b>{move}</b>", found=found, move=game.notation.move_name(info.proven_line[0]))

    def _cut(self, info: Snapshot) -> str:
        """The cutoffs, and the moves that they pruned; empty where there are none."""
        cutoffs, pruned = info.counters.cutoffs, info.counters.pruned
        if not cutoffs:
            return ""
        first = tr("<b>{count}</b> cutoff(s)", "", cutoffs, count=thousands(cutoffs))
        second = tr("<b>{count}</b> move(s) pruned", "", pruned, count=thousands(pruned))
        return f"{first}, {second}"
