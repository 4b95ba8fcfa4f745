"""What is said at the very first start: what to click. After the first move, never again."""

from PySide6.QtCore import QObject, QSettings

from gui.game_record import GameRecord

WORDS = "Click a square: the computer answers."
PLAYED = "played"
"""In the settings, once a move was played."""


class Welcome(QObject):
    """One line for a person who is new here. Without settings nobody is."""

    def __init__(self, record: GameRecord, settings: QSettings | None, parent: QObject) -> None:
        super().__init__(parent)
        self._record, self._settings = record, settings
        record.changed.connect(self._on_changed)

    @property
    def words(self) -> str:
        """What to click; empty where that is known, or where it is not the person's turn."""
        known = self._settings is None or self._settings.contains(PLAYED)
        return "" if known or self._record.moves or self._record.computer_to_move else WORDS

    def _on_changed(self) -> None:
        if self._record.moves and self._settings is not None:
            self._settings.setValue(PLAYED, True)
