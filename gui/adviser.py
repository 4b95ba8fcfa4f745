"""What an exact search says of the position on the board: the value of every move, and how large minimax's tree is.

It has a thread of its own and never touches the search at hand, nor the counters on display.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from engine.bits import count, each
from engine.game import ONGOING, Game, Position, legal, outcome, play, remaining
from engine.job import Job, Limit, Scoring
from engine.result import End, Result
from gui.language import mark
from gui.runner import Runner
from gui.search import Search

MOVE_SECONDS = 20.0
"""How long one move may take; a move that takes longer stays unknown."""
COUNTED_SQUARES = 10
"""Up to so many plies minimax's tree is counted by searching it: 10 make some 5 million nodes."""


@dataclass(frozen=True)
class _Question:
    """A job, and what its answer is for: a move of the position looked at, or (None) the size of a tree."""

    job: Job
    move: int | None


class Adviser(QObject):
    """Answers in the background. Call `close` before it is deleted."""

    advised = Signal()
    """Another move of the position looked at is known."""
    sized = Signal()
    """The size of the tree asked for is known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._game: Game | None = None
        self._position: Position | None = None
        self._values: dict[int, int] = {}
        self._lines: dict[int, tuple[int, ...]] = {}
        self._sized: Job | None = None
        self._size: int | None = None
        self._questions: deque[_Question] = deque()
        self._asked: _Question | None = None
        self._runner = Runner(mark("search for advice"), Search(ahead=True), self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)

    def values_of(self, game: Game, position: Position) -> dict[int, int]:
        """What the moves of a position that are known by now are worth to the side to move, sooner being better."""
        return dict(self._values) if (game, position) == (self._game, self._position) else {}

    def line_of(self, game: Game, position: Position, move: int) -> tuple[int, ...]:
        """Best play for both from that move on, the move itself first; empty while it is not known."""
        return self._lines.get(move, ()) if (game, position) == (self._game, self._position) else ()

    def best_of(self, game: Game, position: Position) -> int | None:
        """The lowest of the best moves, once every move of the position is known."""
        values = self.values_of(game, position)
        if not values or len(values) < count(legal(position)):
            return None
        return max(values, key=lambda move: (values[move], -move))

    @property
    def is_looking(self) -> bool:
        """Whether values are still to come."""
        asked = [self._asked] if self._asked is not None else []
        return any(question.move is not None for question in (*asked, *self._questions))

    @property
    def tree_size(self) -> int | None:
        """How many nodes minimax visits in the search last asked about; None while unknown, or where too many."""
        return self._size

    def look(self, game: Game, position: Position) -> None:
        """Find the value of every move of a position; what was looked at before is dropped."""
        if (game, position) == (self._game, self._position) and (self._values or self.is_looking):
            return
        self._game, self._position, self._values, self._lines = game, position, {}, {}
        self._drop(lambda question: question.move is not None)
        if outcome(position) == ONGOING:
            for move in each(legal(position)):
                text = game.notation.format(play(position, move))
                limit = Limit(seconds=MOVE_SECONDS)
                job = Job(game=game.spec, position=text, algorithm="alphabeta", scoring=Scoring.SOONEST, limit=limit)
                self._questions.append(_Question(job, move))
        self._ask()

    def measure(self, job: Job, game: Game, position: Position) -> None:
        """Find how many nodes plain minimax visits below the root of `job`, to the same depth."""
        minimax = Job(game=job.game, position=job.position, limit=Limit(depth=job.limit.depth))
        if minimax == self._sized:
            return
        self._sized, self._size = minimax, None
        self._drop(lambda question: question.move is None)
        if min(remaining(position), job.limit.depth or COUNTED_SQUARES + 1) <= COUNTED_SQUARES:
            self._questions.appendleft(_Question(replace(minimax, limit=Limit(job.limit.depth, seconds=5.0)), None))
            self._ask()

    def close(self) -> None:
        self._runner.close()

    def _drop(self, is_stale: Callable[[_Question], bool]) -> None:
        self._questions = deque(question for question in self._questions if not is_stale(question))
        if self._asked is not None and is_stale(self._asked):
            self._asked = None
            self._runner.control.stop()

    def _ask(self) -> None:
        if self._asked is None and self._questions:
            self._asked = self._questions.popleft()
            self._runner.start(self._asked.job)

    def _on_finished(self, number: int, result: Result | None) -> None:
        question = self._asked
        if number != self._runner.number or question is None:
            return
        self._asked = None
        if result is not None and result.end in (End.COMPLETE, End.HORIZON) and result.info.value is not None:
            if question.move is None:
                self._size = result.info.counters.nodes
            else:
                self._values[question.move] = -int(result.info.value)
                self._lines[question.move] = (question.move, *result.info.pv)
        self._ask()
        (self.sized if question.move is None else self.advised).emit()

    def _on_failed(self, number: int, _reason: str) -> None:
        """The reason is in the log: advice is a convenience, so nothing is said."""
        self._on_finished(number, None)
