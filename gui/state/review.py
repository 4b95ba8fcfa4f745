"""The review of a finished game: its decisive mistake, and the computer's deliberate mistakes.

The search for it runs in the background. A game that is not over has no review, so that no value is revealed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from engine.play.levels import Choice
from engine.play.review import review, sentences
from engine.rules.contract import Game, Position
from gui.i18n.language import localized, mark
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from gui.work.kernels import Kernels
from gui.work.runner import Request, Runner
from gui.work.search_job import Search

NICENESS = 10


@dataclass(frozen=True)
class _Finished:
    """A finished game to be reviewed."""

    game: Game
    start: Position
    moves: tuple[int, ...]
    mistakes: Mapping[int, Choice]


class Reviewer(QObject):
    """Reviews a game when it is over. Call `close` before it is deleted."""

    changed = Signal()
    """`words` has changed."""

    def __init__(self, record: GameRecord, opponent: Opponent, kernels: Kernels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._record, self._opponent = record, opponent
        self._words, self._looking = "", False
        self._search = Search(ahead=kernels)
        self._runner = Runner(mark("review of the game"), self._look, self, NICENESS)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        record.changed.connect(self._on_changed)

    @property
    def words(self) -> str:
        """The review in a few sentences; empty before the game is over, and where nothing is known."""
        return self._words

    @property
    def is_looking(self) -> bool:
        return self._looking

    def close(self) -> None:
        self._runner.close()

    def _on_changed(self) -> None:
        record = self._record
        self._runner.drop()
        self._looking = record.is_over and bool(record.moves)
        self._say("")
        if self._looking:
            self._runner.start(_Finished(record.game, record.start, record.moves, self._opponent.mistakes))

    def _look(self, request: Request) -> str:
        """Find the review; runs on the runner's thread."""
        over: _Finished = request.asked
        found = review(over.game, over.start, over.moves, lambda job: self._search(request.part(job)))
        return " ".join(map(localized, sentences(over.game, over.start, over.moves, found, over.mistakes)))

    def _on_finished(self, words: str) -> None:
        self._looking = False
        self._say(words)

    def _on_failed(self) -> None:
        """Show no review. The reason is logged; nothing waits for this."""
        self._on_finished("")

    def _say(self, words: str) -> None:
        if words != self._words:
            self._words = words
            self.changed.emit()
