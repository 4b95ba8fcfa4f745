"""The games that were replaced by others before they were saved: each is written when it is left, or as soon as that
is possible."""

import logging
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from engine.play.game_file import SavedError, SavedGame
from gui.files import storage
from gui.files.dialogs import ask_about_earlier
from gui.i18n.language import tr
from gui.work.complaint import Complaint

log = logging.getLogger(__name__)


class UnsavedGames(QObject):
    """Writes games to the folder of the unsaved games, in their order."""

    failed = Signal(str)
    """One sentence: a game cannot be written. It is emitted once until all are written."""
    recovered = Signal(str)
    """That sentence, when all are written."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[tuple[SavedGame, str]] = []
        """The games that are not written, with their words."""
        self._complaint = Complaint(self)
        self._complaint.made.connect(self.failed)
        self._complaint.withdrawn.connect(self.recovered)

    def add(self, game: SavedGame, words: str) -> Path | None:
        """Write a game as `storage.leave` does, after those before it. Returns its file; None while it has none."""
        self._waiting.append((game, words))
        return self.write()

    def write(self) -> Path | None:
        """Write the games that are not written. Returns the file of the last; None without one."""
        path = None
        while self._waiting:
            try:
                path = storage.leave(*self._waiting[0])
            except (SavedError, OSError) as error:
                log.warning("A game cannot be added to the unsaved games: %s", error)
                sentence = tr(
                    "The previous game could not be saved, and waits for its folder while the window is open. {why}",
                    why=error,
                )
                self._complaint.make(sentence)
                return None
            del self._waiting[0]
        self._complaint.withdraw()
        return path

    def hold_close(self, window: QWidget) -> bool:
        """Whether the window is to stay open: games cannot be written. The user is asked each time, until they give
        them up."""
        self.write()
        if not self._waiting:
            return False
        lose = ask_about_earlier(window, len(self._waiting), storage.unsaved_folder())
        lose.clicked.connect(self._waiting.clear)
        lose.clicked.connect(window.close)
        return True
