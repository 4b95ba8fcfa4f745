"""Saves the current game soon after every change, so that the next start continues it, even after a kill. A game that
replaces another is saved at once: its file, whose name is in the settings, and its copy among the unsaved games, which
is deleted, never belong to the game before it.

Each of several open windows has a file of its own, `game-1.plyscope`, `game-2.plyscope` ...; a lock,
which the system releases when its process is killed, marks the files in use.
"""

import logging
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout
from PySide6.QtCore import QObject, QTimer, Signal

from engine.play.game_file import SUFFIX, SavedError
from gui.files import storage
from gui.i18n.language import localized, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.work.complaint import Complaint
from gui.work.save_file import keep_aside

log = logging.getLogger(__name__)

DELAY_MILLISECONDS = 2000
"""From a move to saving it: the time whose changes a kill may lose."""
MOST_WINDOWS = 32


class Autosave(QObject):
    """Saves the game from one run to the next. Call `close` before it is deleted."""

    failed = Signal(str)
    """One sentence: the last run's game could not be read, or this one not saved."""
    recovered = Signal(str)
    """A game is saved after one that was not; the sentence of `failed` about that one."""

    def __init__(self, record: GameRecord, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record, self._analysis = record, analysis
        self._lock: BaseFileLock | None = None
        self._path: Path | None = None
        self._number = 0
        self._is_paused = False
        self._complaint = Complaint(self)
        self._complaint.made.connect(self.failed)
        self._complaint.withdrawn.connect(self.recovered)
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(DELAY_MILLISECONDS)
        self._clock.timeout.connect(self._write)

    @property
    def number(self) -> int:
        """The number of this window's file, from 1 on; 0 where it has none."""
        return self._number

    @property
    def is_on(self) -> bool:
        """Whether the next start will continue the current game: not while games cannot be written."""
        return self._path is not None and not self._is_paused and not self._complaint.is_open

    def begin(self) -> bool:
        """Continue the game of the last run, and save every game from now on. Returns whether there was one."""
        try:
            self._number, self._lock = _first_free()
            if self._lock is None:
                self.failed.emit(
                    tr(
                        "The game of this window is not kept for the next start: %n other window(s) (is|are) open.",
                        "",
                        MOST_WINDOWS,
                    )
                )
                return False
            self._path = Path(self._lock.lock_file).with_suffix(SUFFIX)
            restored = self._path.exists() and self._restore(self._path)
        except OSError as error:
            log.warning("Games cannot be kept in %s: %s", storage.folder(), error)
            self.failed.emit(
                tr(
                    "Games are not kept for the next start: {folder} cannot be used ({why}).",
                    folder=storage.folder(),
                    why=error.strerror,
                )
            )
            return False
        for event in (self._record.changed, self._analysis.settings_changed, self._analysis.finished):
            event.connect(self._on_changed)
        self._record.replaced.connect(self._write)
        return restored

    def pause(self) -> None:
        """Save the game now, and no game after that until `resume`."""
        self._write()
        self._is_paused = True

    def resume(self) -> None:
        """Save every game again."""
        self._is_paused = False

    def close(self) -> None:
        """Save the game now, and no more after that."""
        self._clock.stop()
        self._write()
        self._path = None
        if self._lock is not None:
            self._lock.release()

    def _restore(self, path: Path) -> bool:
        try:
            storage.set_up(storage.read(path), self._record, self._analysis)
        except Exception as error:  # after any error the file must not be read at the next start
            log.exception("The game of last time cannot be read.")
            aside = keep_aside(path)
            sentence = tr(
                "The last game cannot be read. It was renamed to {name} in {folder}.",
                name=aside.name,
                folder=aside.parent,
            )
            self.failed.emit(f"{sentence} {localized(error)}" if isinstance(error, SavedError) else sentence)
            return False
        return True

    def _on_changed(self) -> None:
        if not self._clock.isActive():
            self._clock.start()

    def keep(self) -> bool:
        """Save the game now. Returns whether the next start continues it, or one that it does not replace."""
        self._write()
        return self._is_paused or self.is_on

    def _write(self) -> None:
        if self._path is None or self._is_paused:
            return
        try:
            storage.write(self._path, storage.taken_down(self._record, self._analysis), durable=False)
        except SavedError as error:
            log.warning("%s", error)
            self._complaint.make(
                tr("Games are not kept for the next start: save this one in another place. {why}", why=error)
            )
        else:
            self._complaint.withdraw()


def _first_free() -> tuple[int, BaseFileLock | None]:
    """The number and the lock of the first file that no other window uses; 0 and None where all are in use. Raises
    OSError."""
    storage.folder().mkdir(parents=True, exist_ok=True)
    for number in range(1, MOST_WINDOWS + 1):
        lock = FileLock(storage.folder() / f"game-{number}.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            continue
        return number, lock
    return 0, None
