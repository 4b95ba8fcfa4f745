"""Keeps the settings of a window: takes them up at the start, and writes them down soon after every change."""

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
"""Between a change and its being written down: what a kill may cost."""


class Session(QObject):
    """From one start to the next. `settings` is where it is kept; None keeps nothing. Call `close` before the window is
    deleted."""

    failed = Signal(str)
    """A sentence: what could not be read or written, and what becomes of it."""

    def __init__(
        self,
        window: QMainWindow,
        settings: QSettings | None,
        analysis: Analysis,
        options: OptionsView,
        is_passing: Callable[[], bool],
    ) -> None:
        """`is_passing` says whether what is in force now is not to be kept, as during the tour."""
        super().__init__(window)
        self._window, self._settings, self._analysis, self._options = window, settings, analysis, options
        self._is_passing = is_passing
        self._saved: State = {}
        self._clock = QTimer(self, singleShot=True, interval=DELAY_MILLISECONDS)
        self._clock.timeout.connect(self._save)

    def restore(self, threads: int) -> bool:
        """Take up what was kept, with at most so many threads; what cannot be read is said, and the file copied aside.
        Gives whether the layout is the kept one."""
        if self._settings is None:
            return False
        layout, bad = restore(self._settings, self._window, self._analysis, self._options, threads)
        if bad:
            self._say_damaged(Path(self._settings.fileName()), bad)
        return layout

    def watch(self, cards: Iterable[QDockWidget], *changes: SignalInstance) -> None:
        """From now on write down what changes: the window's and the cards' places, and what these signals tell of."""
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
        """Write everything down now, and say so where that cannot be done."""
        if self._settings is not None and not self._save():
            file = self._settings.fileName()
            self.failed.emit(
                tr("The settings cannot be written to {file}: free some space, or change the permissions.", file=file)
            )

    def close(self) -> None:
        """Write everything down, and no more after that."""
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
        """Whether all is written down."""
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
