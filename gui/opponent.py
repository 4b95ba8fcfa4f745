"""The computer as a player: when it is to move it searches, and plays what the search at hand finds.

A search for a move prefers the sooner win, so that it does not play about; otherwise it is the one that the controls
show, and stays on display after the move.
"""

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from engine.game import Game, Position
from engine.job import Result, Scoring
from gui.analysis import Analysis
from gui.game_record import GameRecord

VISIBLE_PAUSE = 450
"""Milliseconds between a move and the computer's answer, however soon it is found."""


class Opponent(QObject):
    """Plays the sides that the record gives to the computer."""

    undecided = Signal()
    """The search was stopped before any move was finished: the computer does not move by itself."""

    def __init__(self, record: GameRecord, analysis: Analysis, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record, self._analysis = record, analysis
        self._since = QElapsedTimer()
        self._since.start()
        self._answer: tuple[Game, Position, int] | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._play)
        record.changed.connect(self._on_changed)
        analysis.finished.connect(self._on_finished)

    @property
    def is_thinking(self) -> bool:
        """Whether an answer of the computer's is on its way."""
        return self._record.computer_to_move and (self._analysis.is_running or self._pause.isActive())

    def move(self, paused: bool = False) -> None:
        """Search for the computer's move now."""
        self._analysis.think(self._record.game, self._record.position, paused, Scoring.SOONEST)

    def close(self) -> None:
        self._pause.stop()

    def _on_changed(self) -> None:
        self._pause.stop()
        self._answer = None
        self._since.restart()
        if self._record.computer_to_move:
            self.move()

    def _on_finished(self, result: Result) -> None:
        game, position = self._record.game, self._record.position
        if not self._record.computer_to_move or not self._analysis.is_of(game, position):
            return
        if result.info.best is None:
            self.undecided.emit()
            return
        self._answer = (game, position, result.info.best)
        self._pause.start(max(0, VISIBLE_PAUSE - self._since.elapsed()))

    def _play(self) -> None:
        record, answer = self._record, self._answer
        if answer is not None and record.computer_to_move and answer[:2] == (record.game, record.position):
            record.play(answer[2])
