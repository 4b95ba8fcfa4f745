"""The file of the settings: read at the start, written by a thread of its own, because a write takes up to 30 ms."""

import logging
import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from gui.i18n.language import tr
from gui.work.complaint import Complaint
from gui.work.runner import Request, Runner

log = logging.getLogger(__name__)

Values = dict[str, Any]
"""Values by their keys, as QSettings returns them; None removes a key."""


class SettingsFile(QObject):
    """The values of a settings file, in memory. Each change is written at once, in the background; what other windows
    write changes none of these values, except by `latest`. Call `close` before it is deleted."""

    failed = Signal(str)
    """One sentence: the file cannot be written. It is emitted once until a write succeeds."""
    recovered = Signal(str)
    """That sentence, when a write has succeeded."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = Path(settings.fileName())
        self._values = _values(settings)
        self._unwritten: Values = {}
        self._complaint = Complaint(self)
        self._complaint.made.connect(self.failed)
        self._complaint.withdrawn.connect(self.recovered)
        self._writer = Runner("settings", self._write, self)
        self._writer.finished.connect(self._on_written)

    def value(self, key: str, default: Any = None) -> Any:
        """The value of a key: of the type that was set in this run, else as QSettings read it at the start."""
        return self._values.get(key, default)

    def latest(self, key: str, default: Any = None) -> Any:
        """The value of a key, read from the file again unless it waits to be written: for a list that all windows add
        to."""
        if key not in self._unwritten:
            self._values = _merged(self._values, {key: _open(self.path).value(key)})
        return self.value(key, default)

    def contains(self, key: str) -> bool:
        return key in self._values

    def set(self, *groups: Values) -> None:
        """Change values. Of a group with none that is new, none is written, else all, as another window may have
        written some."""
        values: Values = {}
        for group in groups:
            if any(self._values.get(key) != value for key, value in group.items()):
                values |= group
        if values:
            self._unwritten |= values
            self._values = _merged(self._values, values)
            self._writer.start(self._due())

    def close(self) -> None:
        """Write what is not written yet, before this returns."""
        self._writer.close()
        if self._unwritten:
            write(self.path, self._due())

    def _due(self) -> Values:
        """The values to be written: all of them if the file was deleted, for a file without a version is not read."""
        return self._unwritten.copy() if os.path.exists(self.path) else self._values | self._unwritten

    def _write(self, request: Request) -> bool:
        return write(self.path, request.asked)

    def _on_written(self, is_written: bool) -> None:
        if is_written:
            self._unwritten = {}
            self._complaint.withdraw()
        else:
            self._complaint.make(not_written(self.path))


def not_written(path: Path) -> str:
    """The sentence that a settings file cannot be written."""
    return tr(
        "Settings are not kept for the next start, because {path} cannot be written: free some space, or "
        "change the permissions.",
        path=path,
    )


def write(path: Path, values: Values) -> bool:
    """Write values into a settings file, in which another window may have changed others. Returns whether it could be
    written."""
    settings = _open(path)
    for key, value in values.items():
        settings.remove(key) if value is None else settings.setValue(key, value)
    settings.sync()
    if settings.status() is not QSettings.Status.NoError:
        log.warning("The settings cannot be written to %s.", path)
        return False
    return True


def _open(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)


def _values(settings: QSettings) -> Values:
    return {key: settings.value(key) for key in settings.allKeys()}


def _merged(values: Values, new: Values) -> Values:
    return {key: value for key, value in (values | new).items() if value is not None}
