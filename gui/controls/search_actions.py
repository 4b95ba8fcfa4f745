"""The actions of a search: begin, pause, resume, step to the next event, stop; and when each is possible."""

from functools import partial
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from engine import registry
from engine.job import Job
from engine.measure.tree_size import is_long
from engine.options.catalogue import Limit
from engine.play.variations import Line
from engine.result import Result
from engine.rules.contract import Game, Position, at_chance, is_over
from gui.board.panel import BoardPanel
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis, Phase
from gui.state.game_record import GameRecord
from gui.state.move_values import MoveValues
from gui.state.opponent import Opponent
from gui.state.option_rules import refusal
from gui.state.relevance import relevance
from gui.state.wording import OVER
from gui.tree.position_dialog import show_position
from gui.widgets.actions import action


class SearchActions(QObject):
    """Controls the search of `analysis`. Where the computer is to move, a search is for its move."""

    message = Signal(str)
    """One sentence for the person: why there is nothing to search."""
    doubted = Signal(object)
    """The Job of a search too large to end soon: it has not begun, and waits for `begin`."""
    refreshed = Signal()
    """Other actions may be possible."""

    def __init__(
        self,
        window: QMainWindow,
        panel: BoardPanel,
        record: GameRecord,
        analysis: Analysis,
        opponent: Opponent,
        move_values: MoveValues,
    ) -> None:
        super().__init__(window)
        self._window, self._panel, self._record, self._analysis = window, panel, record, analysis
        self._opponent, self._move_values = opponent, move_values
        new = partial(action, window)
        self.think_action = new(mark("Think"), ["T", "F5"], mark("Search the position on the board"), self.think)
        self.pause_action = new(mark("Pause"), "Space", mark("Pause or resume the search"), self.pause)
        self.step_action = new(
            mark("Step"),
            ".",
            mark("Show the next event of the search"),
            self.step,
        )
        self.stop_action = new(mark("Stop"), "Esc", mark("End the search and keep what it has found"), self.stop)
        record.changed.connect(self.refresh)
        panel.editing_changed.connect(self.refresh)
        analysis.phase_changed.connect(self.refresh)
        move_values.advised.connect(self.refresh)
        move_values.looked.connect(self.refresh)
        self.refresh()

    def actions(self) -> tuple[QAction, ...]:
        """The actions in the order of the buttons."""
        return self.think_action, self.pause_action, self.step_action, self.stop_action

    def think(self) -> None:
        """Search the position on the board; resume a paused search."""
        if self._analysis.phase is Phase.PAUSED:
            self._analysis.resume()
        elif not self._take_draft():
            return
        elif self._record.is_over:
            self.message.emit(tr(OVER))
        else:
            self._begin()

    def pause(self) -> None:
        """Pause the search, or resume it."""
        if self._analysis.phase is Phase.PAUSED:
            self._analysis.resume()
        else:
            self._analysis.pause()

    def step(self) -> None:
        """Go on to the next event of the search; begin a search if there is none."""
        if not self._analysis.is_running:
            if not self._take_draft() or self._record.is_over:
                return
            self._begin(paused=True)
        self._analysis.step()

    def search_again(self, run: Result) -> None:
        """Repeat the search of an earlier run; the game does not change."""
        self._analysis.take(self._analysis.settings.like(run.job))
        self._ask(*registry.root_of(run.job), scoring=run.job.scoring)

    def stop(self) -> None:
        """Stop the current search, and that of move values."""
        self._analysis.stop()
        self._move_values.stop()

    def begin(self, job: Job, limit: Limit) -> None:
        """Begin a search that was too large, with this limit for this search only."""
        self._analysis.think(*registry.root_of(job), scoring=job.scoring, limit=limit)

    def search_board(self) -> None:
        """Search the position on the board; a running search ends."""
        if self._analysis.is_running:
            self._analysis.drop()
        self.think()

    def look_at(self, game: Game, position: Position) -> None:
        """Show the position of something on display. No move is lost: a position of the game is shown on the board,
        unless the computer would move there at once; any other in a window of its own."""
        record, path = self._record, relevance(self._record, game, position).path
        if path is None or self._would_answer(path, position):
            show_position(self._window, game, position)
        else:
            record.go(path)

    def _would_answer(self, path: Line, position: Position) -> bool:
        """Whether the computer would move at once at the end of a path, or chance decide, because no move follows
        there."""
        record = self._record
        is_end = record.line_through(path) == path and not is_over(position)
        return is_end and (at_chance(position) or record.game.notation.mover(position) in record.computer)

    @property
    def is_over(self) -> bool:
        """Whether the game on the board is over, so that there is nothing to search."""
        return self._record.is_over and self._panel.draft is None

    def refresh(self) -> None:
        """Enable the actions that are possible."""
        phase, over = self._analysis.phase, self.is_over
        running = phase is not Phase.IDLE
        self.think_action.setText(tr("Resume") if phase is Phase.PAUSED else tr("Think"))
        self.think_action.setEnabled(phase is Phase.PAUSED or (not running and not over))
        self.pause_action.setEnabled(phase in (Phase.RUNNING, Phase.PAUSED))
        self.step_action.setEnabled(phase is not Phase.COMPILING and (running or not over))
        self.stop_action.setEnabled(running or self._move_values.is_looking)
        self.refreshed.emit()

    def _take_draft(self) -> bool:
        """Start a game from the draft on the board, if there is one. Returns false, and says why, where no game leads
        to it."""
        draft = self._panel.draft
        if draft is not None and draft.position is None:
            self.message.emit(draft.obstacle)
            return False
        self._panel.take()
        return True

    def _begin(self, paused: bool = False) -> None:
        if self._record.computer_to_move:
            self._opponent.move(paused)
        elif paused:
            self._analysis.think(self._record.game, self._record.position, paused)
        else:
            self._ask(self._record.game, self._record.position)

    def _ask(self, game: Game, position: Position, **settings: Any) -> None:
        """Begin a search, or emit `doubted` if it is too large."""
        job = replace(self._analysis.settings.job(game, position), **settings)
        if is_long(job) and not refusal(job):
            self.doubted.emit(job)
        else:
            self._analysis.think(game, position, **settings)
