"""The submenu File > Open recent: the files that were saved or opened last, and the unsaved games."""

import re
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from gui.files import storage
from gui.i18n.language import tr
from gui.style.theme import theme
from gui.widgets.long_words import WIDE, fitting
from gui.work.settings_file import SettingsFile

KEY = "recent"
MOST_RECENT = 8


class OpenRecent(QMenu):
    """The files' names are in the settings; None stores nothing, and lists no game."""

    chosen = Signal(object)
    """The path of the game to be opened."""

    def __init__(self, window: QWidget, settings: SettingsFile | None) -> None:
        super().__init__(tr("Open recent"), window)
        self._settings = settings
        self.aboutToShow.connect(self._fill)

    def add(self, path: Path) -> None:
        """Put a file first, and leave the oldest out where there are too many."""
        if self._settings is not None and _names(self._settings.value(KEY))[:1] != [str(path)]:
            names = dict.fromkeys([str(path), *_names(self._settings.latest(KEY))])
            self._settings.set({KEY: list(names)[:MOST_RECENT]})

    def _fill(self) -> None:
        self.clear()
        if self._settings is not None:
            for paths in (map(Path, _names(self._settings.latest(KEY))), storage.unsaved()):
                self.addSeparator()
                for path in paths:
                    made = self.addAction(self._label(path))
                    made.setStatusTip(str(path))
                    made.triggered.connect(lambda _=False, path=path: self.chosen.emit(path))
        if self.isEmpty():
            self.addAction(tr("Saved and unsaved games will be listed here")).setEnabled(False)

    def _label(self, path: Path) -> str:
        """The menu text of a file: its name or, of an unsaved game, when it was left and which game it is."""
        name = re.sub(r"-\d{6} ", "  ", path.stem)
        return fitting(name, self.font(), theme().px(WIDE)).replace("&", "&&")


def _names(stored: object) -> list[str]:
    """A list of names from the settings, where a list of one is a text."""
    return [stored] if isinstance(stored, str) else [str(name) for name in stored] if isinstance(stored, list) else []
