"""The tour: a few steps over the window's own parts. In some of them the person does something, or has it done, and
reads what has changed; the tour never goes on by itself.

Its texts are in `resources/tour.toml`. It uses a practice game, and can be left at any moment.
"""

import logging
import re
import tomllib
from collections.abc import Callable

import msgspec
from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolButton, QWidget

from engine.text.numbers import DASH
from gui.access.focus import stops
from gui.help.spotlight import Spotlight
from gui.help.tour_events import TourEvents
from gui.i18n.language import mark, resource, tr
from gui.style.theme import theme
from gui.widgets.actions import command
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

TAKEN = "tour"
"""The settings' key that is set once the tour was taken or left."""


class TourStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the tour, as in the file. Names of widgets are Qt object names, commands' names those of `command`."""

    title: str
    text: str
    """The text on the card at first. A placeholder is a command's name, for its key, or a fact of `TourEvents`."""
    at: tuple[str, ...] = ()
    """Names of the widgets or commands that are lit."""
    keys: str = ""
    """The name of the widget that gets the focus where the person does something. Empty: the first in the lit parts."""
    until: str = ""
    """The event of `TourEvents` that the person causes. Empty: the step waits for none."""
    then: str = ""
    """The text after the event."""
    then_at: tuple[str, ...] = ()
    """Names of the widgets or commands that are lit after the event. Empty: those of `at` stay lit."""
    end: str = ""
    """The name of the command that is triggered when the step is left."""


PLACE = re.compile(r"{([^}]+)}")
"""A placeholder in a text."""
MISSING = TourStep(mark("The tour"), mark("The words of the tour are missing: install Plyscope again."))


def read_steps() -> tuple[TourStep, ...]:
    """The steps in their order; a single one that says so if the file is missing or damaged, which is logged."""
    try:
        text = resource("tour.toml").read_text(encoding="utf-8")
        return msgspec.convert(tomllib.loads(text)["step"], tuple[TourStep, ...])
    except (OSError, KeyError, tomllib.TOMLDecodeError, msgspec.ValidationError):
        log.exception("There is no tour.")
        return (TourStep(tr(MISSING.title), tr(MISSING.text)),)


class Tour(QObject):
    """Shows the steps in the window. Call `leave` before the window closes."""

    changed = Signal()
    """The tour has started or ended."""

    def __init__(
        self,
        window: QMainWindow,
        settings: SettingsFile | None,
        events: TourEvents,
        practise: Callable[[], Callable[[], None]],
    ) -> None:
        """`practise` starts a practice game and returns a function that restores the current game."""
        super().__init__(window)
        self._window, self._settings, self._practise = window, settings, practise
        self._steps: tuple[TourStep, ...] = ()
        self._number, self._is_done = 0, False
        self._bring_back: Callable[[], None] | None = None
        self._watched: list[QWidget] = []
        self._opened: list[QDockWidget] = []
        """The cards that were closed before the tour showed them."""
        self.spotlight = Spotlight(window)
        self.spotlight.card.on.connect(self._on_pressed)
        self.spotlight.card.back.connect(lambda: self._go(self._number - 1))
        self.spotlight.card.left.connect(self.leave)
        self._placing = QTimer(self, singleShot=True, interval=0)
        self._placing.timeout.connect(self._place)
        self._events = events
        events.done.connect(self._on_done)
        theme().changed.connect(self._place_soon)

    @property
    def is_on(self) -> bool:
        return self._bring_back is not None

    @property
    def is_known(self) -> bool:
        """Whether the person has taken or declined the tour; True without settings."""
        return self._settings is None or self._settings.contains(TAKEN)

    @property
    def step(self) -> TourStep:
        """The present step."""
        return self._steps[self._number]

    def start(self) -> None:
        """Start the tour, or start it again."""
        if self.is_on:
            self._go(0)
            return
        if not self._steps:
            self._steps = read_steps()
        self._bring_back = self._practise()
        self._window.installEventFilter(self)
        self._go(0)
        self.changed.emit()

    def go_on(self) -> None:
        """Go to the next step; after the last one end the tour."""
        if self._number + 1 < len(self._steps):
            self._go(self._number + 1)
        else:
            self.leave()

    def leave(self) -> None:
        """End the tour, close the cards that it has opened, and restore the person's own game."""
        bring_back, self._bring_back = self._bring_back, None
        if bring_back is None:
            return
        self._placing.stop()
        self._events.awaited = ""
        self._end_step()
        self._watch([])
        self._window.removeEventFilter(self)
        self.spotlight.hide()
        for card in self._opened:
            card.hide()
        self._opened.clear()
        bring_back()
        if self._settings is not None:
            self._settings.set({TAKEN: True})
        self.changed.emit()

    def lead(self, forward: bool) -> bool:
        """Move the focus to the next widget that can have it in the lit parts and on the card; returns whether the tour
        handles this key."""
        found = [stop for part in (*self._watched, self.spotlight.card) for stop in stops(part)]
        found = [stop for stop in found if stop.isVisible() and stop.isEnabled()]
        if not self.is_on or not found:
            return False
        at = self._window.focusWidget()
        before = found.index(at) if at in found else -1 if forward else 0
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        found[(before + (1 if forward else -1)) % len(found)].setFocus(reason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc leaves the tour, whatever has the focus; lit parts may move."""
        kind = event.type()
        if watched is self._window and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if kind == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if kind == QEvent.Type.KeyPress:
                self.leave()
                return True
        if kind in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutRequest):
            self._place_soon()
        return False

    def _go(self, number: int) -> None:
        if number != self._number:
            self._end_step()
        self._number, step = number, self._steps[number]
        self._is_done, self._events.awaited = not step.until, step.until
        self._say(step.text)
        self._light(step.at, bool(step.until))

    def _say(self, text: str) -> None:
        """Show a text of the step on the card, with its facts filled in."""
        known = {**_keys(self._window), **self._events.facts()}
        is_last = self._number + 1 == len(self._steps)
        on = tr("&Done") if is_last else tr("&Next") if self._is_done else tr("&Show me")
        place = tr("Step {number} of {all}", number=self._number + 1, all=len(self._steps))
        filled = PLACE.sub(lambda field: known.get(field[1], DASH), text)
        self.spotlight.card.say(self.step.title, filled, place, on, self._number == 0)

    def _light(self, names: tuple[str, ...], is_asked: bool) -> None:
        """Light these parts; they get the focus where the person is to do something."""
        targets = [found for name in names if (found := self._target(name)) is not None]
        self._watch(targets)
        if self.spotlight.isVisible():
            self._place()
        else:
            self._place_soon()  # once the new game is painted, with all of the window dimmed
        self._focus(targets, is_asked)

    def _on_pressed(self) -> None:
        """Go on; where the step waits for an event, cause it."""
        if self._is_done or not self._events.do(self.step.until):
            self.go_on()

    def _end_step(self) -> None:
        if (last := command(self._window, self.step.end)) is not None:
            last.trigger()

    def _on_done(self, event: str) -> None:
        """Show the text after the event; again after each repetition, with new facts."""
        if not self.is_on or event != self.step.until:
            return
        is_first, self._is_done = not self._is_done, True
        self._say(self.step.then)
        if is_first and self.step.then_at:
            self._light(self.step.then_at, False)
        else:
            self._place()

    def _target(self, name: str) -> QWidget | None:
        """A card or another part by its name, raised, or the button of a command."""
        part = self._window.findChild(QWidget, name)
        if isinstance(part, QDockWidget) and (part.isFloating() or part.visibleRegion().isEmpty()):
            if part.isHidden():
                self._opened.append(part)
            part.setFloating(False)
            part.show()
            part.raise_()
        if part is not None or (made := command(self._window, name)) is None:
            return part
        return next((button for button in made.associatedObjects() if isinstance(button, QToolButton)), None)

    def _focus(self, targets: list[QWidget], is_asked: bool) -> None:
        """Set the focus to the part where the person is to do something, or else to the button that goes on."""
        named = self._window.findChild(QWidget, self.step.keys) if self.step.keys else None
        parts = targets if named is None else [named, *targets]
        takers = (stop for part in parts for stop in stops(part) if stop.isVisible()) if is_asked else iter(())
        next(takers, self.spotlight.card.on_button).setFocus()

    def _watch(self, targets: list[QWidget]) -> None:
        for target in self._watched:
            target.removeEventFilter(self)
        self._watched = targets
        for target in targets:
            target.installEventFilter(self)

    def _place_soon(self) -> None:
        if self.is_on:
            self._placing.start()

    def _place(self) -> None:
        window = self._window
        self.spotlight.light(
            [QRect(part.mapTo(window, QPoint()), part.size()) for part in self._watched if part.isVisible()]
        )


def _keys(window: QMainWindow) -> dict[str, str]:
    """The key of every command by its name."""
    native = QKeySequence.SequenceFormat.NativeText
    return {made.objectName(): made.shortcut().toString(native) or tr("no key") for made in window.actions()}
