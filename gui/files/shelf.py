"""Games as files: how they are written and read, and where those go that nobody has named."""

import os
from pathlib import Path

import platformdirs

from engine.saved import Evaluation, SavedError, SavedGame, Search, from_text, to_text
from gui.analysis import Analysis
from gui.game_record import GameRecord
from gui.language import tr

MAX_BYTES = 1_000_000


def folder() -> Path:
    """Where the program keeps games by itself."""
    return platformdirs.user_data_path("plyscope", appauthor=False)


def read(path: Path) -> SavedGame:
    """The game in a file. Raises SavedError, with a sentence."""
    try:
        if path.exists() and not path.is_file():  # of a pipe, the end may never come
            raise SavedError(tr("{path} is not a regular file, so it is not a Plyscope game.", path=path))
        with path.open("rb") as file:
            return from_text(file.read(MAX_BYTES).decode())
    except FileNotFoundError as error:
        raise SavedError(tr("There is no file {path}.", path=path)) from error
    except OSError as error:
        raise SavedError(tr("The file {path} cannot be read: {why}.", path=path, why=error.strerror)) from error
    except UnicodeDecodeError as error:
        raise SavedError(tr("The file {path} holds no text, so it is not a Plyscope game.", path=path)) from error


def write(path: Path, game: SavedGame, durable: bool = True) -> None:
    """Put a game into a file, in one step: whatever happens, the file holds the old text or the new one.

    `durable` also waits for the disk, so that it outlives a power cut. Raises SavedError, with a sentence.
    """
    path = path.resolve()
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with aside.open("w", encoding="utf-8", newline="\n") as file:
                file.write(to_text(game))
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        said = tr("The game cannot be written to {path}: {why}. Choose another place.", path=path, why=error.strerror)
        raise SavedError(said) from error


def taken_down(record: GameRecord, analysis: Analysis) -> SavedGame:
    """The game at hand, and how it is searched, as they are kept."""
    settings = analysis.settings
    return record.saved(Search(settings.algorithm, settings.scoring, settings.limit))


def set_up(game: SavedGame, record: GameRecord, analysis: Analysis) -> None:
    """Go on with a kept game."""
    search = game.search
    analysis.change(algorithm=search.algorithm, scoring=search.scoring, limit=search.limit)
    record.take(game)


def evaluation(analysis: Analysis) -> Evaluation | None:
    """What the search at hand found, if it found a move."""
    result, game = analysis.result, analysis.game
    if result is None or game is None:
        return None
    job, value, best, bound = result.job, result.info.value, result.info.best, result.info.bound
    if value is None or best is None:
        return None
    nodes = result.info.counters.nodes
    name = game.notation.move_name(best)
    return Evaluation(job.position, job.algorithm, job.scoring, result.end, value, name, nodes, bound)
