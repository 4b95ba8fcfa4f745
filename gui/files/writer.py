"""Writes games into files outside the window's thread: a disk may take a second until they are safe on it."""

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.play.game_file import SavedError, SavedGame
from engine.play.variations import Variations
from engine.rules.contract import Game, Position
from gui.files import storage
from gui.i18n.language import mark, tr
from gui.work.runner import failure

log = logging.getLogger(__name__)

Content = tuple[Game, Position, Variations]
"""The content of a game: rules, start position, and moves."""


def content_of(game: SavedGame) -> Content:
    """What of a saved game decides whether it is unchanged: not the computer, the search or the evaluations."""
    return game.game, game.start, game.variations


class Written(NamedTuple):
    """A file that was written."""

    path: Path
    content: Content
    digest: str


class GameWriter(QObject):
    """Writes one game after the other. Call `close` before it is deleted."""

    written = Signal(Written)
    failed = Signal(str)
    """One sentence: a game was not written."""
    _done = Signal(object)
    """A game's Future, from the other thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = ThreadPoolExecutor(1, "saving of a game")
        self._begun: list[Future[Written]] = []
        self._done.connect(self._tell)

    def write(self, path: Path, game: SavedGame) -> None:
        """Write a game as `storage.write` does, after those before it."""
        try:
            writing = self._thread.submit(_write, path, game)
        except RuntimeError as error:  # the system starts no more threads
            writing = Future[Written]()
            writing.set_exception(error)
        self._begun.append(writing)
        writing.add_done_callback(self._done.emit)

    def finish(self) -> bool:
        """Wait until every game is written, and tell of it. Returns whether each was written."""
        were_written = [self._tell(writing) for writing in tuple(self._begun)]
        return all(were_written)

    def close(self) -> None:
        """Write what is not written yet, before this returns."""
        self.finish()
        self._thread.shutdown()

    def _tell(self, writing: Future[Written]) -> bool:
        """Wait for a game, and tell how its writing ended, once. Returns whether it was written."""
        if writing in self._begun:
            self._begun.remove(writing)
            try:
                self.written.emit(writing.result())
            except SavedError as error:
                self.failed.emit(tr("{why} Choose another place.", why=error))
            except Exception as error:
                log.exception("A game was not written.")
                self.failed.emit(failure(mark("saving of a file"), error))
        return writing.exception() is None


def _write(path: Path, game: SavedGame) -> Written:
    storage.write(path, game)
    return Written(path, content_of(game), storage.digest(path))
