"""Reads and writes games as files, and stores the unsaved games."""

import hashlib
import sys
from collections.abc import Callable
from datetime import datetime
from glob import glob
from pathlib import Path

import platformdirs

from engine.play.game_file import SAVED, SUFFIX, SavedError, SavedEvaluation, SavedGame, SavedSearch, from_text, to_text
from engine.rules.contract import at_chance
from gui.i18n.language import localized, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.work.save_file import save_file

MAX_BYTES = 1_000_000
MOST_UNSAVED = 10
"""Unsaved games that stay when another one is added. That one may be taken away again: an undone paste brings the game
back to the board."""


def folder() -> Path:
    """The folder of the games that the program saves by itself."""
    return platformdirs.user_data_path("plyscope", appauthor=False)


def unsaved_folder() -> Path:
    """The folder of unsaved games: those replaced by others before they were saved."""
    return folder() / "unsaved"


def read(path: Path) -> SavedGame:
    """The game in a file. Raises SavedError, with a sentence."""
    try:
        if not path.exists():
            raise FileNotFoundError(path)
        if not path.is_file():
            raise SavedError(tr("{path} is not a regular file, so it is not a Plyscope game.", path=path))
        with path.open("rb") as file:
            text = file.read(MAX_BYTES).decode()
    except FileNotFoundError as error:
        raise SavedError(tr("There is no file {path}.", path=path)) from error
    except OSError as error:
        raise SavedError(tr("The file {path} cannot be read: {why}.", path=path, why=error.strerror)) from error
    except UnicodeDecodeError as error:
        raise SavedError(tr("The file {path} holds no text, so it is not a Plyscope game.", path=path)) from error
    try:
        return from_text(text)
    except SavedError as error:
        raise SavedError(tr("{name}: {why}", name=path.name, why=localized(error))) from error


def write(path: Path, game: SavedGame, durable: bool = True) -> None:
    """Write a game to a file as `save_file` does; its folder is made if need be. Raises SavedError, with a sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(path, to_text(game).encode(), durable)
    except OSError as error:
        sentence = tr("The game cannot be written to {path}: {why}.", path=path, why=error.strerror)
        raise SavedError(sentence) from error


def leave(game: SavedGame, words: str) -> Path:
    """Add a game to the `MOST_UNSAVED` newest ones, its name made of the time and these words, and delete the others;
    returns its file. Signs that no file's name can have in this locale are replaced. Raises SavedError, with a
    sentence, or OSError."""
    encoding = sys.getfilesystemencoding()
    name = f"{_stamp()} {words.encode(encoding, 'replace').decode(encoding)}{SUFFIX}"
    write(unsaved_folder() / name, game, durable=False)
    for old in unsaved(name)[1 + MOST_UNSAVED :]:
        old.unlink(missing_ok=True)
    return unsaved_folder() / name


def unsaved(newest: str = "") -> list[Path]:
    """The unsaved games' files, the newest first; its name may be given. A file of a later date counts as the oldest:
    the clock was ahead when it was written, or is back now."""
    newest = newest or _stamp()
    found = [unsaved_folder() / name for name in glob(f"*{SUFFIX}", root_dir=unsaved_folder())]
    return sorted(found, key=lambda path: (path.name <= newest, path.name), reverse=True)


def _stamp() -> str:
    """The present time, as a text that sorts by time."""
    return f"{datetime.now():%Y-%m-%d %H-%M-%S-%f}"


def digest(path: Path) -> str:
    """The digest of a file's content, to detect later changes; empty where no file can be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.sha256(file.read(MAX_BYTES)).hexdigest()
    except OSError:
        return ""


FIELDS = tuple(dict.fromkeys(entry.parent or entry.key for entry in SAVED))
"""The settings that a saved game has."""


def taken_down(record: GameRecord, analysis: Analysis) -> SavedGame:
    """The current game with its search settings, as saved."""
    return record.saved(SavedSearch(**{name: getattr(analysis.settings, name) for name in FIELDS}))


def set_up(
    game: SavedGame, record: GameRecord, analysis: Analysis, meanwhile: Callable[[], object] = lambda: None
) -> None:
    """Load a saved game into the record and its search settings into the analysis. The signals of both come once, when
    both are in place; `meanwhile` is called before them."""

    def settle() -> None:
        meanwhile()
        analysis.change(**{name: getattr(game.search, name) for name in FIELDS})

    record.take(game, settle)


def evaluation(analysis: Analysis) -> SavedEvaluation | None:
    """The evaluation by the current search, if it found a move, or the value of a chance node."""
    result, game = analysis.result, analysis.game
    if result is None or game is None:
        return None
    job, value, best = result.job, result.info.value, result.info.best
    if value is None or (best is None and not at_chance(analysis.position)):
        return None
    return SavedEvaluation(
        job.position,
        job.algorithm,
        job.scoring,
        result.end,
        value.number,
        result.info.counters.nodes,
        "" if best is None else game.notation.move_name(best),
        value.bound,
        value.is_estimate,
    )
