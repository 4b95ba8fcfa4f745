"""Games as files: how they are written and read, and where those go that nobody has named."""

import hashlib
from datetime import datetime
from pathlib import Path

import platformdirs

from engine.play.game_file import SUFFIX, Evaluation, SavedError, SavedGame, Search, from_text, to_text
from gui.i18n.language import tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.work.save_file import save_file

MAX_BYTES = 1_000_000
MOST_UNSAVED = 10


def folder() -> Path:
    """Where the program keeps games by itself."""
    return platformdirs.user_data_path("plyscope", appauthor=False)


def unsaved_folder() -> Path:
    """Where games are that others took the place of before they were saved."""
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
    return from_text(text)


def write(path: Path, game: SavedGame, durable: bool = True) -> None:
    """Put a game into a file, as `save_file` does; its folder is made if need be. Raises SavedError, a sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(path, to_text(game).encode(), durable)
    except OSError as error:
        said = tr("The game cannot be written to {path}: {why}. Choose another place.", path=path, why=error.strerror)
        raise SavedError(said) from error


def leave(game: SavedGame, words: str) -> Path:
    """Put a game among the unsaved ones, named by the time and these words, and take the oldest of too many away; gives
    its file. Raises SavedError, with a sentence, or OSError."""
    name = f"{_stamp()} {words}{SUFFIX}"
    write(unsaved_folder() / name, game, durable=False)
    for old in unsaved(name)[MOST_UNSAVED:]:
        old.unlink(missing_ok=True)
    return unsaved_folder() / name


def unsaved(newest: str = "") -> list[Path]:
    """Those games, the newest first; its name, if known. One of a later date was left while the clock was ahead, or is
    back by now: it counts as the oldest."""
    newest = newest or _stamp()
    found = unsaved_folder().glob(f"*{SUFFIX}")
    return sorted(found, key=lambda path: (path.name <= newest, path.name), reverse=True)


def _stamp() -> str:
    """Now, as a text that sorts by time."""
    return f"{datetime.now():%Y-%m-%d %H-%M-%S-%f}"


def digest(path: Path) -> str:
    """Of what a file holds, to see later whether it was changed; empty where there is none that can be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.sha256(file.read(MAX_BYTES)).hexdigest()
    except OSError:
        return ""


def taken_down(record: GameRecord, analysis: Analysis) -> SavedGame:
    """The current game, and how it is searched, as they are kept."""
    settings = analysis.settings
    return record.saved(Search(settings.algorithm, settings.scoring, settings.limit))


def set_up(game: SavedGame, record: GameRecord, analysis: Analysis) -> None:
    """Go on with a kept game."""
    search = game.search
    analysis.change(algorithm=search.algorithm, scoring=search.scoring, limit=search.limit)
    record.take(game)


def evaluation(analysis: Analysis) -> Evaluation | None:
    """What the current search found, if it found a move."""
    result, game = analysis.result, analysis.game
    if result is None or game is None:
        return None
    job, value, best, bound = result.job, result.info.value, result.info.best, result.info.bound
    if value is None or best is None:
        return None
    nodes = result.info.counters.nodes
    name = game.notation.move_name(best)
    return Evaluation(job.position, job.algorithm, job.scoring, result.end, value, name, nodes, bound)
