"""The actions of the game: start another, undo, redo, hints; and when each is possible."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QSizePolicy

from gui.board.hints import Hints
from gui.board.navigation import pass_action
from gui.controls.bar import button
from gui.controls.spoilers import no_spoilers
from gui.files.menu import Files
from gui.i18n.language import mark, tr
from gui.state.game_record import GameRecord
from gui.state.opponent import Opponent
from gui.widgets.actions import action


class GameActions(QObject):
    """Changes the game of `record`."""

    def __init__(
        self, window: QMainWindow, record: GameRecord, files: Files, opponent: Opponent, advice: Hints
    ) -> None:
        super().__init__(window)
        self._record, self._files, self._opponent = record, files, opponent
        new = partial(action, window)
        self.new_action = new(mark("New"), "Ctrl+N", mark("Start a new game"), files.new)
        self.undo_action = new(
            mark("Undo"),
            "Ctrl+Z",
            mark("Take back your last move, and the answer of the computer"),
            files.clipboard.undo,
        )
        self.redo_action = new(
            mark("Redo"),
            ["Ctrl+Shift+Z", "Ctrl+Y"],
            mark("Play the moves again that were taken back"),
            files.clipboard.redo,
        )
        self.hold_action = new(
            mark("Pause game"), "P", mark("Pause a game of the computer against itself"), opponent.hold
        )
        self.hint_action = new(
            mark("Hint"), "H", mark("First where to look, then which move, then why"), advice.want_hint
        )
        self.values_action = new(
            mark("Values"), "V", mark("Show the value of every square"), advice.want_values, checkable=True
        )
        self.pass_action = pass_action(window, record)
        self.spoilers_action = no_spoilers(window, self.values_action)
        self.hold_button = button(self.hold_action)
        """A button at the board, for a game of the computer against itself."""
        self.pass_button = button(self.pass_action)
        """A button at the board, where a person has no other move."""
        for made in (self.hold_button, self.pass_button):
            made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.pass_button.hide()
        self.pass_action.enabledChanged.connect(self.pass_button.setVisible)
        for event in (record.changed, files.clipboard.undo_changed, opponent.changed):
            event.connect(self.refresh)
        self.refresh()

    def actions(self) -> tuple[QAction, ...]:
        """The actions in the order of the buttons."""
        return self.new_action, self.undo_action, self.redo_action, self.hint_action, self.values_action

    def refresh(self) -> None:
        """Enable the actions that are possible."""
        self.undo_action.setEnabled(self._files.clipboard.can_undo)
        self.redo_action.setEnabled(self._files.clipboard.can_redo)
        self.hint_action.setEnabled(not self._record.is_over)
        self.hold_action.setText(tr("Resume game") if self._opponent.is_held else tr("Pause game"))
        self.hold_action.setEnabled(self._opponent.is_watched)
        self.hold_button.setVisible(len(self._record.computer) == 2)
