"""The zone of the game: the players, the board, its value, the commands and the foot with the moves. While a position
is edited, the editor bar stands below the board instead.

The size of the board depends only on the space and the game's shape, never on texts, so that it does not jump.
"""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.board.draft import Draft
from gui.board.editor import EditorBar
from gui.board.foot import Foot
from gui.board.geometry import full_height
from gui.board.moves import MovesView
from gui.board.players import Players
from gui.board.value_strip import ValueStrip
from gui.board.view import BoardWidget
from gui.state.game_record import GameRecord
from gui.style.theme import theme
from gui.widgets.notice import Notice

GAP = 6
FOOT = 58
"""The least height of the foot, which takes the space that a board of full width leaves."""


class BoardPanel(QWidget):
    """Shows the game, or a draft of another position."""

    editing_changed = Signal(bool)

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self._record = record
        self.board = BoardWidget(record)
        self._draft: Draft | None = None
        self._line: tuple[int, ...] = ()
        self.moves = MovesView(record)
        self.foot = Foot(self.moves)
        self.players, self.value = Players(record), ValueStrip(record)
        self._commands = QWidget()
        self._buttons = QVBoxLayout(self._commands)
        self._buttons.setContentsMargins(0, 0, 0, 0)
        self.editor = EditorBar()
        self.editor.hide()
        for part in (self.players, self.board, self.value, self._commands, self.foot, self.editor):
            part.setParent(self)
        self.notice = Notice(self, clear_of=lambda: self.board.y() + self.board.verdict_bottom)
        """Sentences about the game; the next change of the game removes them."""
        self.editor.taken.connect(self.take)
        self.editor.left.connect(self.leave)
        record.leaving.connect(self.leave)
        record.changed.connect(self._on_game_changed)
        theme().changed.connect(self._on_theme_changed)

    @property
    def draft(self) -> Draft | None:
        """The draft that is being edited; None outside of editing."""
        return self._draft

    def set_commands(self, commands: QWidget) -> None:
        """Set the buttons of the game."""
        self._buttons.addWidget(commands)

    def edit(self, on: bool = True) -> None:
        """Start or end editing the position on the board."""
        if not on:
            self.leave()
        elif self._draft is None:
            self._line = self._record.moves
            self._show(Draft(self._record.game, self._record.position))

    def take(self) -> None:
        """Start a game from the draft, if a game can lead to it."""
        draft = self._draft
        if draft is not None and draft.position is not None:
            self.leave()
            if draft.position != self._record.position:
                self._record.new(start=draft.position)

    def leave(self) -> None:
        """End editing and show the game."""
        if self._draft is not None:
            self._show(None)

    def sizeHint(self) -> QSize:
        return self._with_foot(self.board.sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._with_foot(self.board.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

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
        for part in (self.players, self.value, self._commands, self.foot):
            part.setVisible(draft is None)
        self.editor.setVisible(draft is not None)
        self.board.setFocus()
        self.editing_changed.emit(draft is not None)

    def _on_game_changed(self) -> None:
        """End editing, unless the change is only the computer's move."""
        self.notice.clear()
        self._arrange()
        if self._record.moves[: len(self._line)] != self._line:
            self.leave()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self._arrange()

    def _arrange(self) -> None:
        width, height, view = self.width(), self.height(), self._record.game.view
        players, *below = self._heights()
        board = height - players - sum(below) - 4 * GAP - theme().px(FOOT)
        board = max(0, min(board, full_height(view, width)))
        top = players + GAP
        self.players.setGeometry(0, 0, width, players)
        self.board.setGeometry(0, top, width, board)
        top += board + GAP
        for part, high in zip((self.value, self._commands), below, strict=True):
            part.setGeometry(0, top, width, high)
            top += high + GAP
        self.foot.setGeometry(0, top, width, height - top)
        top = self.board.y() + self.board.squares_bottom + GAP
        self.editor.setGeometry(0, top, width, height - top)

    def _heights(self) -> list[int]:
        """The heights of the players, the value and the commands."""
        return [max(0, part.sizeHint().height()) for part in (self.players, self.value, self._commands)]

    def _with_foot(self, board: QSize) -> QSize:
        commands = self._commands.minimumSizeHint().width()
        high = sum(self._heights()) + 4 * GAP + theme().px(FOOT)
        return QSize(max(board.width(), commands), board.height() + high)
