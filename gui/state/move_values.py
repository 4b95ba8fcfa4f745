"""Background searches of the position on the board: the value of every move, and the size of minimax's tree.

They run on threads of their own and change neither the current search nor its counters. A tree that is too large is
searched by iterative deepening. Values that are not proven are shown after a delay, and marked as not proven.
"""

from msgspec.structs import replace as changed
from PySide6.QtCore import QObject, QTimer, Signal

from engine.job import Job
from engine.options.catalogue import Limit
from engine.play.move_values import Findings, MoveValue, look
from engine.result import FINISHED, Result
from engine.rules.bits import count
from engine.rules.contract import Game, Position, is_over, legal, plies_bound
from gui.i18n.language import mark
from gui.work.kernels import Kernels
from gui.work.runner import Request, Runner
from gui.work.search_job import Search

PATIENCE = 2000
"""Milliseconds before unproven values are shown."""
COUNTED_SQUARES = 10
"""The depth in plies up to which minimax's tree is counted by searching it: 10 make some 5 million nodes."""
NOTHING = Findings({})


class MoveValues(QObject):
    """Finds values of moves in the background. Call `close` before it is deleted."""

    looked = Signal()
    """The search of a position's values begins."""
    advised = Signal()
    """More values are known, or the search has ended."""
    sized = Signal()
    """The size of the tree in `measure` is known."""

    def __init__(self, kernels: Kernels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._game: Game | None = None
        self._position: Position | None = None
        self._found = NOTHING
        self._looking = False
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self.advised)
        self._sized: Job | None = None
        self._size: int | None = None
        self._search = Search(ahead=kernels)
        self._looker = Runner(mark("search for advice"), self._look, self)
        self._looker.progressed.connect(self._on_found)
        self._looker.finished.connect(self._end)
        self._looker.failed.connect(self._end)  # the reason is only logged: hints are a convenience
        self._counter = Runner(mark("count of minimax's tree"), self._search, self)
        self._counter.finished.connect(self._on_counted)

    def values_of(self, game: Game, position: Position) -> dict[int, MoveValue]:
        """The known values of a position's moves. While the search runs, values that are not proven are left out until
        the delay is over."""
        if (game, position) != (self._game, self._position):
            return {}
        return {
            move: found
            for move, found in self._found.moves.items()
            if found.proven or not (self._looking and self._patience.isActive())
        }

    def depth_of(self, game: Game, position: Position) -> int | None:
        """The depth in plies to which all moves of a position were searched; None where all are proven, or nothing is
        known."""
        return self._found.depth if (game, position) == (self._game, self._position) else None

    def best_of(self, game: Game, position: Position) -> int | None:
        """The lowest of the best moves; None until every move of the position has a value."""
        values = self.values_of(game, position)
        if not values or len(values) < count(legal(position)):
            return None
        return max(values, key=lambda move: (values[move].value.number, -move))

    @property
    def is_looking(self) -> bool:
        """Whether a search of the values is running."""
        return self._looking

    @property
    def tree_size(self) -> int | None:
        """The nodes that minimax visits in the search last measured; None while unknown, or where there are too
        many."""
        return self._size

    def look(self, game: Game, position: Position) -> None:
        """Search the value of every move of a position. The search before it is dropped; known values stay."""
        if (game, position) == (self._game, self._position) and (self._found.moves or self._looking):
            return
        self._game, self._position, self._found = game, position, NOTHING
        self._looking = not is_over(position)
        if self._looking:
            self._looker.start(Job(game=game.spec, position=game.notation.format(position)))
            self._patience.start()
            self.looked.emit()
        else:
            self._looker.drop()

    def stop(self) -> None:
        """Stop searching, and publish the values found."""
        if self._looking:
            self._looker.drop()
            self._end()

    def drop(self) -> None:
        """Stop searching, and forget all values, unless the search has already ended."""
        if self._looking:
            self._game = self._position = None
            self._found = NOTHING
            self.stop()

    def measure(self, job: Job, game: Game, position: Position) -> None:
        """Count the nodes that plain minimax visits below the root of `job`, to the same depth."""
        minimax = Job(game=job.game, position=job.position, limit=Limit(depth=job.limit.depth))
        if minimax == self._sized:
            return
        self._sized, self._size = minimax, None
        self._counter.drop()
        if min(plies_bound(position), job.limit.depth or COUNTED_SQUARES + 1) <= COUNTED_SQUARES:
            self._counter.start(changed(minimax, limit=Limit(job.limit.depth, seconds=5.0)))

    def close(self) -> None:
        self._patience.stop()
        self._looker.close()
        self._counter.close()

    def _look(self, request: Request) -> None:
        """Search; runs on the runner's thread."""
        for findings in look(request.asked, lambda job: self._search(request.part(job))):
            request.publish(findings)

    def _end(self) -> None:
        self._looking = False
        self._patience.stop()
        self.advised.emit()

    def _on_found(self, findings: Findings) -> None:
        self._found = findings
        self.advised.emit()

    def _on_counted(self, result: Result | None) -> None:
        if result is not None and result.end in FINISHED:
            self._size = result.info.counters.nodes
            self.sized.emit()
