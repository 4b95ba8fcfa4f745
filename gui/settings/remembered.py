"""The window's state from one run to the next, in an ini file that a person can read.

The game has a file of its own: see `gui.files.autosave`.
"""

import logging
import math
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from engine import registry
from engine.backends.mpi_job import launch
from engine.control import FULL_SPEED
from engine.job import checked
from engine.play.game_file import check_search
from engine.prepare import prepare
from gui.controls.options import OptionsView
from gui.i18n import language
from gui.layout.arrangements import Arrangements
from gui.layout.tree_zone import TREE_HEIGHT, PathAndTree
from gui.state.analysis import Analysis
from gui.state.search_settings import Settings
from gui.state.spoilers import HIDDEN, spoilers
from gui.style.theme import theme
from gui.work.settings_file import SettingsFile, Values

log = logging.getLogger(__name__)

VERSION = 1
"""The version of the file; a file of another version is not read."""
LAYOUT = 3
"""The version of the cards' layout: another one, of other cards, is not restored."""

REDUCED, OPEN = "reduced", "open"


def state(window: QMainWindow, analysis: Analysis, options: OptionsView) -> Iterator[Values]:
    """The state to be restored at the next start, by the keys of the settings' file; values that belong together are
    yielded together."""
    geometry, layout, split = window.saveGeometry(), window.saveState(LAYOUT), window.findChild(PathAndTree)
    arrangements = window.findChild(Arrangements)
    yield {"geometry": geometry, "state": layout, "checksum": _checksum(geometry, layout)}
    yield {"zoom": theme().zoom, "usual_zoom": theme().zoom if arrangements is None else arrangements.usual_zoom}
    single = {
        "version": VERSION,
        "tree_height": TREE_HEIGHT if split is None else split.tree_height,
        "theme": theme().choice,
        "motion": "full" if theme().motion else REDUCED,
        "findings": HIDDEN if spoilers().hidden else "shown",
        "language": language.choice(),
        "expert": OPEN if options.expert.is_open else "folded",
        "launch": msgspec.json.encode(launch.stored()).decode(),
        "search": _json(analysis.settings),
    }
    for key, value in single.items():
        yield {key: value}


def restore(
    settings: SettingsFile, window: QMainWindow, analysis: Analysis, options: OptionsView, threads: int
) -> tuple[bool, list[str]]:
    """Restore the saved state, with at most that many threads. A value that cannot be read keeps its default, and is
    logged.

    Returns whether the saved layout was restored, and the names of the values that could not be read.
    """
    if str(settings.value("version")) != str(VERSION):
        return False, []
    bad: list[str] = []
    split, arrangements = window.findChild(PathAndTree), window.findChild(Arrangements)
    for name, take in (
        ("theme", lambda text: theme().choose(text)),
        ("zoom", lambda text: theme().set_zoom(_finite(text))),
        ("usual_zoom", lambda text: None if arrangements is None else arrangements.come_from(_finite(text))),
        ("motion", lambda text: theme().set_motion(text != REDUCED)),
        ("findings", lambda text: spoilers().hide(text == HIDDEN)),
        ("expert", lambda text: options.expert.open(text == OPEN)),
        ("launch", lambda text: launch.restore(msgspec.json.decode(text, type=launch.LaunchChoice))),
        ("tree_height", lambda text: None if split is None else split.set_tree_height(_finite(text))),
        ("search", lambda text: analysis.take(_settings(text, bad).within(threads))),
    ):
        if not settings.contains(name):
            continue
        try:
            take(str(settings.value(name)))
        except Exception:  # whatever it is, the window opens
            log.exception("The kept %s could not be read; the default is taken.", name)
            bad.append(name)
    geometry, layout = settings.value("geometry"), settings.value("state")
    if not isinstance(geometry, QByteArray) or not isinstance(layout, QByteArray):
        return False, bad
    if settings.value("checksum") != _checksum(geometry, layout):
        log.warning("The kept layout of the window is damaged; the default is taken.")
        return False, bad
    window.restoreGeometry(geometry)
    return window.restoreState(layout, LAYOUT), bad


def _checksum(*parts: QByteArray) -> str:
    """SHA-256 of the parts: Qt checks little of the data that it restores, and damaged bytes have crashed the program
    (SIGSEGV)."""
    return sha256(b"".join(bytes(part.data()) for part in parts)).hexdigest()


def _finite(text: str) -> float:
    """The finite number in a text. Raises ValueError for any other text."""
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text} is no size.")
    return number


def _json(settings: Settings) -> str:
    """Search settings as JSON, without the speed, which is chosen for the moment."""
    return msgspec.json.encode({**msgspec.to_builtins(settings), "speed": FULL_SPEED}).decode()


def _settings(text: str, bad: list[str]) -> Settings:
    """Search settings from JSON. A missing or bad field has its default; the name of a bad one is appended to `bad`.
    Raises ValueError, or RecursionError, for a text without an object."""
    taken, given = Settings(), msgspec.json.decode(text, type=dict[str, Any])
    try:
        return _checked(msgspec.convert(msgspec.to_builtins(taken) | given, Settings))
    except ValueError:
        log.warning("Some of the kept settings of a search are bad.")
    for name, value in given.items():
        try:
            taken = _checked(msgspec.convert(msgspec.to_builtins(taken) | {name: value}, Settings))
        except ValueError:
            log.exception("The kept %s of a search is not one; the default is taken.", name)
            bad.append(name)
    return taken


def _checked(settings: Settings) -> Settings:
    """The settings with canonical names of options. Raises ValueError for unknown options, for a backend that is no
    mode of the window, and where no search is possible with them in some mode or no saved game may have them."""
    check_search(settings)
    game = registry.game("tictactoe")
    for backend in registry.COMPILED:
        prepare(replace(settings, backend=backend).job(game, game.start))
    prepare(settings.job(game, game.start))
    checked(settings.asked(game, game.start))
    if registry.backend(settings.backend) not in registry.COMPILED:
        raise ValueError(f"{settings.backend} is no mode of the window.")
    names = {"algorithm": registry.algorithm(settings.algorithm).name, "backend": registry.backend(settings.backend)}
    return replace(settings, **names)
