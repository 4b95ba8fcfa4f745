"""What the board's card holds: the board, and below it the moves of the game, or the bar that edits a position."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.board.board import BoardView
from gui.board.draft import Draft
from gui.board.editor import EditorBar
from gui.board.moves import MovesView
from gui.game_record import GameRecord
from gui.parts.notice import Notice


class BoardRoom(QWidget):
    """Shows the game, or a draft of another position."""

    editing_changed = Signal(bool)

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        self.board = BoardView(record)
        self._draft: Draft | None = None
        self._line: tuple[int, ...] = ()
        self.moves = MovesView(record)
        self.editor = EditorBar()
        self.editor.hide()
        self.notice = Notice(self)
        """What a person is told about the game; the next change of the game makes it outdated."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.board, 1)
        column.addWidget(self.moves)
        column.addWidget(self.editor)
        self.editor.taken.connect(self.take)
        self.editor.left.connect(self.leave)
        record.changed.connect(self._on_game_changed)

    @property
    def draft(self) -> Draft | None:
        """The position that is being edited."""
        return self._draft

    def edit(self, on: bool = True) -> None:
        """Edit the position on the board, or leave that."""
        if not on:
            self.leave()
        elif self._draft is None:
            self._line = self._record.moves
            self._show(Draft(self._record.game, self._record.position))

    def take(self) -> None:
        """Begin a game from the draft, if a game can lead to it."""
        draft = self._draft
        if draft is not None and draft.position is not None:
            self.leave()
            if draft.position != self._record.position:
                self._record.new(start=draft.position)

    def leave(self) -> None:
        """Back to the game."""
        if self._draft is not None:
            self._show(None)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and self._draft is not None and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self.leave()
            event.accept()
            return True
        return super().event(event)

    def _show(self, draft: Draft | None) -> None:
        self._draft = draft
        self.board.edit(draft)
        if draft is not None:
            self.editor.show_draft(draft)
        self.moves.setVisible(draft is None)
        self.editor.setVisible(draft is not None)
        self.board.setFocus()
        self.editing_changed.emit(draft is not None)

    def _on_game_changed(self) -> None:
        """A draft outlives the computer's answer, and nothing else that happens to the game."""
        self.notice.clear()
        record, draft = self._record, self._draft
        if draft is not None and (record.game != draft.game or record.moves[: len(self._line)] != self._line):
            self.leave()
