"""The file of each game's last play: choosing that game again continues it."""

import logging
import os
from pathlib import Path

import msgspec

from engine.play.game_file import SavedError, SavedGame
from engine.rules.contract import Game
from gui.files import storage
from gui.work.settings_file import SettingsFile

log = logging.getLogger(__name__)

KEY = "left"


class LastGames:
    """The files' names in the settings; None stores nothing."""

    def __init__(self, settings: SettingsFile | None) -> None:
        self._settings = settings

    def path_of(self, game: Game) -> Path | None:
        """The file of the last play of a game; None where it does not exist."""
        path = self._paths.get(game.spec)
        return path if path is not None and os.path.exists(path) else None

    def find(self, game: Game) -> SavedGame | None:
        """The last play of a game, if it can be read."""
        path = self.path_of(game)
        try:
            found = None if path is None else storage.read(path)
        except SavedError as error:
            log.info("The game that was left cannot be read: %s", error)
            return None
        return found if found is not None and found.game == game else None

    def remember(self, game: Game, path: Path | None) -> None:
        """Store the file of the last play of a game; None removes it."""
        if self._settings is not None:
            paths = {spec: str(file) for spec, file in (self._paths | {game.spec: path}).items() if file is not None}
            self._settings.set({KEY: msgspec.json.encode(paths).decode()})

    @property
    def _paths(self) -> dict[str, Path]:
        kept = str(self._settings.latest(KEY, "")) if self._settings is not None else ""
        try:
            paths = msgspec.json.decode(kept, type=dict[str, str]) if kept else {}
        except ValueError as error:
            log.warning("What is kept of the games that were left cannot be read: %s", error)
            return {}
        return {spec: Path(name) for spec, name in paths.items()}
