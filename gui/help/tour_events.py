"""The events that the tour waits for, by name; the tour can also cause them."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from engine.control import FULL_SPEED
from engine.result import Result, State
from engine.rules.contract import legal
from gui.help.tour_facts import facts
from gui.state.analysis import Analysis, Phase
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from gui.state.replay import Cursor
from gui.tree.path import PathView
from gui.widgets.actions import command

ANSWERED, SEARCHED, BY_ALPHABETA = "answered", "searched", "searched by alphabeta"
PRUNED, THREE_NODES = "a pruned move", "three nodes"
COMMANDS = {
    SEARCHED: ("Minimax", "Think"),
    BY_ALPHABETA: ("Alpha-beta", "Think"),
    THREE_NODES: ("Step", "Step", "Step"),
}
"""The names of the actions that cause each event."""


class TourEvents(QObject):
    """Emits each event; PRUNED only when it is awaited."""

    done = Signal(str)

    def __init__(
        self,
        record: GameRecord,
        analysis: Analysis,
        opponent: Opponent,
        cursor: Cursor,
        path: PathView,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._record, self._analysis, self._opponent, self._window = record, analysis, opponent, window
        self._cursor, self._path = cursor, path
        self.awaited = ""
        """The event that the tour waits for; none while it is off."""
        record.changed.connect(self._on_game_changed)
        analysis.finished.connect(self._on_searched)
        analysis.moved.connect(self._on_search_moved)
        path.fact_changed.connect(self._on_path_moved)

    def facts(self) -> dict[str, str]:
        """The facts on display, for the texts."""
        return facts(self._record, self._analysis, self._path)

    def do(self, event: str) -> bool:
        """Cause an event in the way of the person; returns whether that was possible, or the event is coming."""
        if event == ANSWERED:
            return self._opponent.is_thinking or self._play()
        if event == PRUNED:
            return self._go_to_pruned() or (not self._has_alphabeta() and self.do(BY_ALPHABETA))
        if event != THREE_NODES:
            self._analysis.drop()
            self._analysis.change(speed=FULL_SPEED)
        commands = [made for name in COMMANDS[event] if (made := command(self._window, name)) is not None]
        is_possible = all(made.isEnabled() for made in commands)
        for made in commands if is_possible else ():
            made.trigger()
        return is_possible

    def _play(self) -> bool:
        """Play the person's first move; returns whether there is one."""
        is_possible = not self._record.is_over and not self._record.computer_to_move
        if is_possible:
            moves = legal(self._record.position)
            self._record.play((moves & -moves).bit_length() - 1)
        return is_possible

    def _has_alphabeta(self) -> bool:
        """Whether a whole search by alpha-beta is on display."""
        result = self._analysis.result
        return result is not None and result.complete and result.job.algorithm == "alphabeta"

    def _go_to_pruned(self) -> bool:
        """Show the path to a move of the root below which another was pruned."""
        trace = self._cursor.trace
        if trace is None:
            return False
        rows = (trace.child_row(0, child.move) for child in trace.path_nodes(0)[-1].children)
        for row in rows:
            if row is not None and any(child.state is State.PRUNED for child in trace.path_nodes(row)[-1].children):
                self._cursor.go_to_row(row)
                return True
        return False

    def _on_game_changed(self) -> None:
        """Emit that a move of the person's was answered or has ended the game."""
        if self._record.moves and not self._record.computer_to_move:
            self.done.emit(ANSWERED)

    def _on_searched(self, result: Result) -> None:
        if result.complete and self._analysis.is_of(self._record.game, self._record.position):
            self.done.emit(SEARCHED)
            if result.job.algorithm == "alphabeta":
                self.done.emit(BY_ALPHABETA)

    def _on_search_moved(self) -> None:
        info = self._analysis.info
        if self._analysis.phase is Phase.PAUSED and info is not None and info.counters.nodes >= 3:
            self.done.emit(THREE_NODES)

    def _on_path_moved(self) -> None:
        if self.awaited == PRUNED and self._path.shows_pruned:
            self.done.emit(PRUNED)
