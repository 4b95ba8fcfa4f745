"""The actions of the replay: play, and steps to other moments, forwards and backwards."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from gui.i18n.language import mark, tr
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.tree.transport_icons import SHAPES, icon
from gui.widgets.actions import action

ICON_SIDE = 16
"""Pixels at 100 %."""
FASTER = 10 ** (1 / 5)
"""The factor of one step of the speed."""


class ReplayStep(NamedTuple):
    """An action that goes to another moment."""

    text: str
    keys: str
    tip: str
    leads: Callable[[Cursor], bool]
    """Whether there is another moment to go to."""
    go: Callable[[Cursor], None]


def _after_the_start(cursor: Cursor) -> bool:
    return cursor.moment > 0


def _before_the_end(cursor: Cursor) -> bool:
    return cursor.moment < cursor.last


def _has_cutoffs(cursor: Cursor) -> bool:
    return len(cursor.cutoffs) > 0


def _has_tasks(cursor: Cursor) -> bool:
    return len(cursor.task_moments) > 1


STEPS = {
    "start": ReplayStep(
        mark("First moment"), "Ctrl+Home", mark("Go to the start of the search"), _after_the_start, lambda at: at.go(0)
    ),
    "back": ReplayStep(
        mark("A moment back"),
        "Ctrl+Left",
        mark("Go to the event before"),
        _after_the_start,
        lambda at: at.go(at.moment - 1),
    ),
    "on": ReplayStep(
        mark("A moment on"),
        "Ctrl+Right",
        mark("Go to the next event"),
        _before_the_end,
        lambda at: at.go(at.moment + 1),
    ),
    "end": ReplayStep(
        mark("Last moment"), "Ctrl+End", mark("Go to the end of the search"), _before_the_end, Cursor.go_to_end
    ),
    "over": ReplayStep(
        mark("Over a subtree"),
        "Ctrl+Down",
        mark("Go to the value of this node, or of the next"),
        _before_the_end,
        Cursor.over,
    ),
    "back over": ReplayStep(
        mark("Back over a subtree"),
        "Ctrl+Up",
        mark("Go to where this node, or the one before, was entered"),
        _after_the_start,
        Cursor.back_over,
    ),
    "out": ReplayStep(
        mark("Out of the node"),
        "Ctrl+Shift+Right",
        mark("Go to the moment at which this node is left"),
        _before_the_end,
        Cursor.out,
    ),
    "back out": ReplayStep(
        mark("Back out of the node"),
        "Ctrl+Shift+Left",
        mark("Go to the moment at which this node was entered"),
        _after_the_start,
        Cursor.back_out,
    ),
    "next cutoff": ReplayStep(
        mark("Next cutoff"),
        "Ctrl+PgDown",
        mark("Go to the next cutoff"),
        lambda at: _has_cutoffs(at) and _before_the_end(at),
        lambda at: at.go_after(at.cutoffs),
    ),
    "previous cutoff": ReplayStep(
        mark("Previous cutoff"),
        "Ctrl+PgUp",
        mark("Go to the cutoff before"),
        lambda at: _has_cutoffs(at) and _after_the_start(at),
        lambda at: at.go_before(at.cutoffs),
    ),
    "next change": ReplayStep(
        mark("Next value of the root"),
        "Ctrl+Shift+PgDown",
        mark("Go to the next moment at which the best value of the root becomes another"),
        lambda at: not spoilers().hidden and _before_the_end(at),
        lambda at: at.go_after(at.root_changes),
    ),
    "previous change": ReplayStep(
        mark("Previous value of the root"),
        "Ctrl+Shift+PgUp",
        mark("Go to the moment before at which the best value of the root became another"),
        lambda at: not spoilers().hidden and _after_the_start(at),
        lambda at: at.go_before(at.root_changes),
    ),
    "next task": ReplayStep(
        mark("Next task"),
        "Ctrl+Alt+PgDown",
        mark("Go to the start of the next task of a worker"),
        lambda at: _has_tasks(at) and _before_the_end(at),
        lambda at: at.go_after(at.task_moments),
    ),
    "previous task": ReplayStep(
        mark("Previous task"),
        "Ctrl+Alt+PgUp",
        mark("Go to the start of this task of a worker, or of the one before"),
        lambda at: _has_tasks(at) and _after_the_start(at),
        lambda at: at.go_before(at.task_moments),
    ),
    "next iteration": ReplayStep(
        mark("Next iteration"),
        "Ctrl+Alt+Right",
        mark("Show the tree of the next search of the root"),
        lambda at: at.has_iteration(1),
        lambda at: at.go_to_iteration(1),
    ),
    "previous iteration": ReplayStep(
        mark("Previous iteration"),
        "Ctrl+Alt+Left",
        mark("Show the tree of the search of the root before"),
        lambda at: at.has_iteration(-1),
        lambda at: at.go_to_iteration(-1),
    ),
}


class ReplayActions(QObject):
    """The actions on a cursor. A step pauses it."""

    def __init__(self, window: QMainWindow, cursor: Cursor) -> None:
        super().__init__(window)
        self._window, self._cursor = window, cursor
        new = partial(action, window)
        self.play = new(mark("Play"), "Ctrl+Space", mark("Play the search as it was, or pause"), self._play_or_pause)
        self.play_back = new(
            mark("Play backwards"),
            "Ctrl+Shift+Space",
            mark("Play the search backwards"),
            lambda: cursor.playback.play(-1),
        )
        self.slower = new(
            mark("Play slower"), "Ctrl+[", mark("Fewer moments a second"), lambda: self._nudge(1 / FASTER)
        )
        self.faster = new(mark("Play faster"), "Ctrl+]", mark("More moments a second"), lambda: self._nudge(FASTER))
        self.steps = {
            name: new(step.text, step.keys, step.tip, partial(self._go, step)) for name, step in STEPS.items()
        }
        for signal in (cursor.changed, cursor.playback.changed, spoilers().changed):
            signal.connect(self._refresh)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._refresh()

    def groups(self) -> tuple[tuple[QAction, ...], ...]:
        """All actions, in groups for a menu."""
        made = tuple(self.steps.values())
        return (
            (self.play, self.play_back, self.slower, self.faster),
            made[:4],
            made[4:8],
            made[8:12],
            made[12:14],
            made[14:],
        )

    def _go(self, step: ReplayStep) -> None:
        self._cursor.playback.pause()
        step.go(self._cursor)

    def _play_or_pause(self) -> None:
        if self._cursor.playback.is_active:
            self._cursor.playback.pause()
        else:
            self._cursor.playback.play()

    def _nudge(self, factor: float) -> None:
        self._cursor.playback.set_speed(self._cursor.playback.speed * factor)

    def _refresh(self) -> None:
        """Enable the actions that lead to another moment."""
        cursor = self._cursor
        for made in (self.play, self.play_back):
            made.setEnabled(cursor.last > 0)
        for name, step in STEPS.items():
            self.steps[name].setEnabled(step.leads(cursor))
        self.play.setText(tr("Pause the replay") if cursor.playback.is_active else tr("Play"))
        shown = self._icons["pause" if cursor.playback.is_active else "play"]
        if self.play.icon().cacheKey() != shown.cacheKey():  # an icon, though the same, lays the window out again
            self.play.setIcon(shown)

    def _restyle(self) -> None:
        look, ratio = theme(), self._window.devicePixelRatioF()
        self._icons = {name: icon(name, look.px(ICON_SIDE), look.colour("ink"), ratio) for name in SHAPES}
        for name, made in (*self.steps.items(), ("play", self.play)):
            if name in SHAPES:
                made.setIcon(self._icons[name])
                made.setIconVisibleInMenu(False)
        self._refresh()
