"""Stores the state of a window soon after every change, and loads it at the start."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gui.controls.options import OptionsView
from gui.i18n.language import tr
from gui.layout.own_layouts import OwnLayouts
from gui.settings.remembered import restore, state
from gui.state.analysis import Analysis
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.work.save_file import copy_aside
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

DELAY_MILLISECONDS = 1000
"""From a change to storing it: the time whose changes a kill may lose."""


class Session(QObject):
    """The window's state from one start to the next, in `settings`; None stores nothing. Call `close` before those."""

    failed = Signal(str)
    """One sentence: the values that could not be read, and their copy."""

    def __init__(
        self,
        window: QMainWindow,
        settings: SettingsFile | None,
        analysis: Analysis,
        options: OptionsView,
        is_passing: Callable[[], bool],
    ) -> None:
        """`is_passing` returns whether the present state is not to be saved, as during the tour."""
        super().__init__(window)
        self._window, self._settings, self._analysis, self._options = window, settings, analysis, options
        self._is_passing = is_passing
        self._clock = QTimer(self, singleShot=True, interval=DELAY_MILLISECONDS)
        self._clock.timeout.connect(self.keep)

    def restore(self, threads: int) -> bool:
        """Load the saved state, with at most that many threads. Values that cannot be read are reported, and the file
        is copied aside. Returns whether the saved layout was restored."""
        if self._settings is None:
            return False
        layout, bad = restore(self._settings, self._window, self._analysis, self._options, threads)
        own = self._window.findChild(OwnLayouts)
        lacks = own is not None and not own.has_all
        if bad or lacks:
            self._say_damaged(self._settings.path, [*bad, *["layouts"] * lacks])
        if own is not None and lacks:
            own.store(own.layouts)  # what is said once is not said at the next start
        return layout

    def watch(self, cards: Iterable[QDockWidget], *changes: SignalInstance) -> None:
        """From now on store changes: of the window's and the cards' places, and those that these signals report."""
        if self._settings is None:
            return
        own = theme().changed, spoilers().changed, self._analysis.settings_changed, self._options.expert.opened
        for change in (*own, *changes):
            change.connect(self._keep_soon)
        self._window.installEventFilter(self)
        for card in cards:
            card.installEventFilter(self)
            for change in (card.dockLocationChanged, card.topLevelChanged, card.visibilityChanged):
                change.connect(self._keep_soon)

    def keep(self) -> None:
        """Store the present state, unless it is passing."""
        if self._settings is not None and not self._is_passing():
            self._settings.set(*state(self._window, self._analysis, self._options))

    def close(self) -> None:
        """Store the present state, and no later one."""
        self.keep()
        self._clock.stop()
        self._settings = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._keep_soon()
        return False

    def _keep_soon(self, *_: object) -> None:
        if self._settings is not None:
            self._clock.start()

    def _say_damaged(self, file: Path, bad: list[str]) -> None:
        try:
            aside = copy_aside(file)
        except OSError as error:
            log.warning("The damaged settings file cannot be copied: %s", error)
            return
        sentence = tr(
            "Some settings could not be read ({names}), and have their defaults. The file as it was is kept as {name} "
            "in {folder}.",
            names=", ".join(bad),
            name=aside.name,
            folder=aside.parent,
        )
        self.failed.emit(sentence)
