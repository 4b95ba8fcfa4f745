"""Chance in a game that is played: at a chance node an outcome falls, a moment after the position is seen.

It depends only on the game's seed and the moves before (`engine.play.chance`). Where recorded moves follow, the
recorded outcome does. Nothing falls while an earlier position is shown.
"""

from PySide6.QtCore import QObject, QTimer

from engine.play.chance import thrown
from gui.state.game_record import GameRecord

PAUSE_MILLISECONDS = 450


class Throws(QObject):
    """Makes the moves of chance in a record. Call `close` before it is deleted."""

    def __init__(self, record: GameRecord, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record = record
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._throw)
        record.changed.connect(self._on_changed)
        self._on_changed()

    def close(self) -> None:
        self._pause.stop()

    def _on_changed(self) -> None:
        if self._record.at_chance and not self._record.is_looking_back:
            self._pause.start()
        else:
            self._pause.stop()

    def _throw(self) -> None:
        record = self._record
        outcome = record.next_move
        record.play(thrown(record.position, record.seed, record.moves) if outcome is None else outcome)
