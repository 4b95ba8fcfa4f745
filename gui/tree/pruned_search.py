"""The search of a pruned move, which shows that the value of the root does not depend on it."""

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.job import Job
from engine.play.pruned_move import search_anyway
from engine.result import Value
from engine.rules.contract import Game
from engine.trace.record import Trace
from engine.trace.why import Certificate, whatever
from gui.i18n.language import mark, tr
from gui.work.runner import Request, Runner
from gui.work.search_job import Search


class Asked(NamedTuple):
    """A pruned move of a recorded search."""

    game: Game
    job: Job
    trace: Trace
    found: Certificate
    move: int
    heading: str
    """Names the search where it is not the one on display, but compared with it; else empty."""

    @property
    def next_move(self) -> int:
        """The pruned move after this one; after the last, the first."""
        pruned = self.found.pruned
        return pruned[(pruned.index(self.move) + 1) % len(pruned)]

    def under_heading(self, words: str) -> str:
        return f"{self.heading} · {words}" if self.heading else words


class PrunedSearch(QObject):
    """Searches one pruned move at a time. Call `close` before it is deleted."""

    answered = Signal()
    failed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.answer: tuple[Value | None, Value | None] | None = None
        """The value of the move, and the root's if it stays true whatever that is; None while they are not known."""
        self.words = ""
        """One sentence: that the move is being searched, or why that failed; else empty."""
        self._search = Search()
        self.runner = Runner(mark("search of a pruned move"), self._search_anyway, self)
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)

    def begin(self, asked: Asked) -> None:
        """Search a move."""
        self.forget()
        self.words = tr("Searching {move} ...", move=asked.game.notation.move_name(asked.move))
        self.runner.start(asked)

    def forget(self) -> None:
        """Stop searching, and forget what was found."""
        self.runner.drop()
        self.answer, self.words = None, ""

    def close(self) -> None:
        self.runner.close()

    def _search_anyway(self, request: Request) -> tuple[Value | None, Value | None]:
        """The answer, on the runner's thread."""
        asked: Asked = request.asked
        trace, row = asked.trace, asked.found.row
        value = search_anyway(lambda job: self._search(request.part(job)), asked.job, trace, row, asked.move)
        return value, whatever(trace, row) if asked.found.again is None else None

    def _on_finished(self, answer: tuple[Value | None, Value | None]) -> None:
        self.answer, self.words = answer, ""
        self.answered.emit()

    def _on_failed(self, message: str) -> None:
        self.words = message
        self.failed.emit()
