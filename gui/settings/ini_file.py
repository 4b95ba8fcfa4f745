"""The file of the settings, opened without loss of data: content that cannot be used is first moved to another file."""

import logging
import os
from pathlib import Path

from PySide6.QtCore import QSettings

from gui.i18n.language import tr
from gui.settings.remembered import VERSION
from gui.work.save_file import keep_aside
from gui.work.settings_file import not_written

log = logging.getLogger(__name__)

MOST_BYTES = 1_000_000
MOST_DIGITS = 9
"""Digits of a version number, at most: Python reads no number of more than 4,300."""


class Broken(ValueError):
    """A file without valid settings of this program, and why."""


class Foreign(ValueError):
    """A file of another program or of a newer version, and why."""


def usual_path() -> Path:
    """The path of this user's settings."""
    return Path(QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Plyscope", "Plyscope").fileName())


def open_settings(path: Path) -> tuple[QSettings, str]:
    """The settings in a file, and a sentence for the person, or an empty one.

    A broken file is renamed to `<name>.damaged`. A foreign one is not changed, and this version uses another file
    beside it. Where nothing can be written, settings last until the window is closed.
    """
    sentence = ""
    try:
        _check(path)
    except Broken as error:
        try:
            aside = keep_aside(path)
            sentence = tr(
                "The settings file {reason}: it was renamed to {name} in {folder}, and the defaults are used.",
                reason=error,
                name=aside.name,
                folder=aside.parent,
            )
            log.warning("%s", sentence)
        except FileNotFoundError:
            log.info("Another window has put the settings file aside already.")
        except OSError as obstacle:
            return _open_beside(
                path, tr("{reason}, and cannot be renamed ({why})", reason=error, why=obstacle.strerror)
            )
    except Foreign as error:
        return _open_beside(path, str(error))
    settings = QSettings(str(path), QSettings.Format.IniFormat)
    settings.setValue("version", VERSION)
    settings.sync()
    if settings.status() is not QSettings.Status.NoError:
        sentence = not_written(path)
        log.warning("%s", sentence)
    return settings, sentence


def _open_beside(path: Path, reason: str) -> tuple[QSettings, str]:
    """Open another file for this version's settings, with a sentence when that file is new."""
    own = path.with_stem(f"{path.stem}-{VERSION}")
    is_new = not os.path.exists(own)
    settings, sentence = open_settings(own)
    if not sentence and is_new:
        sentence = tr(
            "The settings file {name} {reason}: it stays unchanged, and {own} in the same folder is used.",
            name=path.name,
            reason=reason,
            own=own.name,
        )
        log.warning("%s", sentence)
    return settings, sentence


def _check(path: Path) -> None:
    """Raise Broken or Foreign, with the end of a sentence about the file, if it exists and cannot be used."""
    try:
        if not os.path.exists(path):  # Path's own raises an error where the folder may not be entered
            return
        if not path.is_file():
            raise Foreign(tr("is not a file"))
        size = path.stat().st_size
        text = b"" if size > MOST_BYTES else path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise Foreign(tr("cannot be read ({why})", why=error.strerror)) from error
    if size == 0:
        return
    if size > MOST_BYTES:
        raise Broken(tr("is too large for a settings file"))
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise Broken(tr("is not a text file")) from error
    settings = QSettings(str(path), QSettings.Format.IniFormat)
    settings.allKeys()  # QSettings reads each section at its first access
    version = str(settings.value("version"))
    if settings.status() is not QSettings.Status.NoError or b"\0" in text:
        raise Broken(tr("cannot be understood"))
    if not version.isdecimal() or len(version) > MOST_DIGITS or int(version) < VERSION:
        raise Broken(tr("has an unknown version"))
    if int(version) > VERSION:
        raise Foreign(tr("belongs to a newer version of the program"))
