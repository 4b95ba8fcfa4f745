"""What the window remembers from one run to the next, in an ini file that a person can read.

The game has a file of its own: see `autosave.py`.
"""

import logging

import msgspec
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow

from engine.backends.ranks import launch
from gui.analysis import Analysis, Settings
from gui.theme import theme

log = logging.getLogger(__name__)

VERSION = 1
"""Of the file and of the layout in it; another version's is left alone."""

REDUCED = "reduced"


def keep(settings: QSettings, window: QMainWindow, analysis: Analysis) -> None:
    """Write everything down."""
    for name, value in (
        ("version", VERSION),
        ("geometry", window.saveGeometry()),
        ("state", window.saveState(VERSION)),
        ("theme", theme().choice),
        ("zoom", theme().zoom),
        ("motion", "full" if theme().motion else REDUCED),
        ("launch", msgspec.json.encode(launch.choice()).decode()),
        ("search", msgspec.json.encode(analysis.settings).decode()),
    ):
        settings.setValue(name, value)


def restore(settings: QSettings, window: QMainWindow, analysis: Analysis, threads: int) -> bool:
    """Take up what was kept, with at most so many threads; what cannot be read is left at its default, and logged.

    Gives whether the layout is the kept one.
    """
    if str(settings.value("version")) != str(VERSION):
        return False
    for name, take in (
        ("theme", lambda text: theme().choose(text)),
        ("zoom", lambda text: theme().set_zoom(float(text))),
        ("motion", lambda text: theme().set_motion(text != REDUCED)),
        ("launch", lambda text: launch.choose(msgspec.json.decode(text, type=launch.Choice))),
        ("search", lambda text: analysis.take(msgspec.json.decode(text, type=Settings).within(threads))),
    ):
        try:
            take(str(settings.value(name)))
        except (ValueError, KeyError):
            log.exception("The kept %s could not be read; the default is taken.", name)
    geometry, state = settings.value("geometry"), settings.value("state")
    if isinstance(geometry, QByteArray):
        window.restoreGeometry(geometry)
    return isinstance(state, QByteArray) and window.restoreState(state, VERSION)
