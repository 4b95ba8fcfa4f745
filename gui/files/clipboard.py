"""The clipboard: copied positions and games, and texts pasted from it or dropped onto the window."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication

from engine.play.game_file import SavedGame, to_text
from gui.board.panel import BoardPanel
from gui.files import storage
from gui.files.pasted_text import pasted
from gui.i18n.language import localized, mark, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.spoilers import spoilers
from gui.widgets.actions import action


class PutInPlace(Protocol):
    """Calls `take`, which replaces the current game; returns a function that restores the current game."""

    def __call__(self, take: Callable[[], object]) -> Callable[[], None]: ...


class Clipboard(QObject):
    """Copies from the board and pastes onto it. Text only: Qt outlives Python objects on a clipboard."""

    given = Signal()
    """See `Files.given`."""
    undo_changed = Signal()
    """`can_undo` and `can_redo` may have changed, although the game has not."""

    def __init__(self, record: GameRecord, analysis: Analysis, panel: BoardPanel, put_in_place: PutInPlace) -> None:
        super().__init__(panel)
        self._record, self._analysis, self._panel = record, analysis, panel
        self._put_in_place = put_in_place
        self._bring_back: Callable[[], None] | None = None
        self._has_just_pasted = False
        record.changed.connect(self._on_changed)
        record.leaving.connect(self._on_leaving)
        panel.editing_changed.connect(self._on_editing_changed)

    def actions(self) -> tuple[QAction, ...]:
        """The actions for a menu; their keys work on the board alone."""
        made = (
            action(
                self._panel,
                mark("Copy position"),
                "Ctrl+C",
                mark("Copy the position on the board as text"),
                self.copy_position,
            ),
            action(self._panel, mark("Copy game"), "Ctrl+Shift+C", mark("Copy the whole game as text"), self.copy_game),
            action(
                self._panel,
                mark("Paste"),
                "Ctrl+V",
                mark("Continue from the position, the line or the game on the clipboard"),
                self.paste,
            ),
        )
        for one in made:
            one.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return made

    def copy_position(self) -> None:
        draft = self._panel.draft
        notation = self._record.game.notation
        QGuiApplication.clipboard().setText(draft.text if draft else notation.format(self._record.position))

    def copy_game(self) -> None:
        """Copy the game; while results are hidden, without the evaluations that searches found."""
        game = storage.taken_down(self._record, self._analysis)
        QGuiApplication.clipboard().setText(to_text(replace(game, evaluations=()) if spoilers().hidden else game))

    def paste(self) -> None:
        """Load the game, the line or the position on the clipboard."""
        self.take_text(QGuiApplication.clipboard().text())

    def take_text(self, text: str) -> None:
        """Load the game, the line or the position in a text. A notice on the board names it and can restore the
        previous game, as can `undo`; for any other text it says what is wrong, and nothing changes."""
        self.given.emit()
        before = self._record.game
        try:
            found = pasted(text, before)
        except ValueError as error:
            self._panel.notice.tell(localized(error))
            return
        if isinstance(found, SavedGame):
            bring_back = self._put_in_place(lambda: storage.set_up(found, self._record, self._analysis))
            words = tr("Pasted: a whole game.")
        else:
            game, start, moves = found
            bring_back = self._put_in_place(lambda: self._record.new(game, start, lines=moves.lines))
            words = tr("Pasted: a line of moves.") if self._record.line else tr("Pasted: a position.")
            if game != before:
                words = tr("Pasted as {game}.", game=game.title)
        self._bring_back, self._has_just_pasted = bring_back, True
        self._panel.notice.tell(words, tr("Undo"), bring_back)
        self.undo_changed.emit()

    @property
    def can_undo(self) -> bool:
        """Whether there are moves or a pasted text to undo; while a position is edited, a change of it."""
        draft = self._panel.draft
        return draft.can_undo if draft is not None else self._record.can_undo or self._bring_back is not None

    def undo(self) -> None:
        """Undo the last moves; a pasted text, if it is new or has no moves left. While a position is edited, undo the
        last change of it instead."""
        if self._panel.draft is not None:
            self._panel.draft.undo()
        elif self._bring_back is not None and (self._has_just_pasted or not self._record.can_undo):
            self._bring_back()
        else:
            self._record.undo()

    @property
    def can_redo(self) -> bool:
        """Whether there are moves to play again; while a position is edited, a change of it."""
        return (self._panel.draft or self._record).can_redo

    def redo(self) -> None:
        """Play the moves again that were taken back; while a position is edited, make the change of it again."""
        (self._panel.draft or self._record).redo()

    def _on_changed(self) -> None:
        self._has_just_pasted = False

    def _on_editing_changed(self) -> None:
        if self._panel.draft is not None:
            self._panel.draft.changed.connect(self.undo_changed)
        self.undo_changed.emit()

    def _on_leaving(self) -> None:
        """The pasted game is about to be replaced."""
        self._bring_back = None
