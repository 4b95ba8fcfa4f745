"""Saves the settings of a window soon after every change, and loads them at the start."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSettings, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gui.controls.options import OptionsView
from gui.i18n.language import tr
from gui.settings.window_state import State, keep, restore, state
from gui.state.analysis import Analysis
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.work.save_file import copy_aside

log = logging.getLogger(__name__)

DELAY_MILLISECONDS = 1000
"""From a change to saving it: the time whose changes a kill may lose."""


class Session(QObject):
    """The window's state from one start to the next, in `settings`; None stores nothing. Call `close` before the window
    is deleted."""

    failed = Signal(str)
    """One sentence: what could not be read or written, and what follows from it."""

    def __init__(
        self,
        window: QMainWindow,
        settings: QSettings | None,
        analysis: Analysis,
        options: OptionsView,
        is_passing: Callable[[], bool],
    ) -> None:
        """`is_passing` returns whether the present state is not to be saved, as during the tour."""
        super().__init__(window)
        self._window, self._settings, self._analysis, self._options = window, settings, analysis, options
        self._is_passing = is_passing
        self._saved: State = {}
        self._clock = QTimer(self, singleShot=True, interval=DELAY_MILLISECONDS)
        self._clock.timeout.connect(self._save)

    def restore(self, threads: int) -> bool:
        """Load the saved state, with at most that many threads. Values that cannot be read are reported, and the file
        is copied aside. Returns whether the saved layout was restored."""
        if self._settings is None:
            return False
        layout, bad = restore(self._settings, self._window, self._analysis, self._options, threads)
        if bad:
            self._say_damaged(Path(self._settings.fileName()), bad)
        return layout

    def watch(self, cards: Iterable[QDockWidget], *changes: SignalInstance) -> None:
        """From now on save changes: of the window's and the cards' places, and those that these signals report."""
        if self._settings is None:
            return
        own = theme().changed, spoilers().changed, self._analysis.settings_changed, self._options.expert.opened
        for change in (*own, *changes):
            change.connect(self._save_soon)
        self._window.installEventFilter(self)
        for card in cards:
            card.installEventFilter(self)
            for change in (card.dockLocationChanged, card.topLevelChanged, card.visibilityChanged):
                change.connect(self._save_soon)

    def keep(self) -> None:
        """Save everything now; a sentence says if that fails."""
        if self._settings is not None and not self._save():
            file = self._settings.fileName()
            self.failed.emit(
                tr("The settings cannot be written to {file}: free some space, or change the permissions.", file=file)
            )

    def close(self) -> None:
        """Save everything, and no more after that."""
        self.keep()
        self._clock.stop()
        self._settings = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._save_soon()
        return False

    def _save_soon(self, *_: object) -> None:
        if self._settings is not None:
            self._clock.start()

    def _save(self) -> bool:
        """Save everything; returns whether that succeeded."""
        now = state(self._window, self._analysis, self._options)
        if self._settings is None or self._is_passing() or now == self._saved:
            return True
        if not keep(self._settings, now):
            return False
        self._saved = now
        return True

    def _say_damaged(self, file: Path, bad: list[str]) -> None:
        try:
            aside = copy_aside(file)
        except OSError as error:
            log.warning("The damaged settings file cannot be copied: %s", error)
            return
        said = tr(
            "Some settings could not be read ({names}), and have their defaults. The file as it was is kept as {name} "
            "in {folder}.",
            names=", ".join(bad),
            name=aside.name,
            folder=aside.parent,
        )
        self.failed.emit(said)
