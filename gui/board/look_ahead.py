"""The look-ahead: the position of a node of the search, shown on the game's board in a frame. The game does not change.

The node is the one that the pointer rests on or, while the action is on, the end of the path.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QMainWindow

from engine.rules.contract import Game, Position, play
from gui.board.picture import BoardPicture, ahead_picture
from gui.board.view import BoardWidget
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.relevance import relevance
from gui.state.replay import Cursor
from gui.widgets.actions import action

REST_MILLISECONDS = 120
"""The time that the pointer rests on a node before its position is shown."""
LONGEST = 4
"""The moves that are named; of a longer line the last."""
LEAVING = QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress
"""The events of the board that end the look-ahead: the person turns to the game."""


class LookAhead(QObject):
    """Shows positions of `analysis`'s search on a board."""

    def __init__(
        self, window: QMainWindow, board: BoardWidget, record: GameRecord, analysis: Analysis, cursor: Cursor
    ) -> None:
        super().__init__(window)
        self._board, self._record, self._analysis, self._cursor = board, record, analysis, cursor
        self._pointed: tuple[int, ...] | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._show)
        self.action = action(
            window,
            mark("Look ahead"),
            "L",
            mark("Show the end of the path on the board, in a frame; the game does not change"),
            lambda _: self._show(),
            checkable=True,
        )
        self.action.setEnabled(False)
        board.installEventFilter(self)
        record.changed.connect(self.end)
        analysis.started.connect(self.end)
        cursor.changed.connect(self._on_cursor)

    def point(self, moves: tuple[int, ...] | None) -> None:
        """Show the position after these moves of the search, once the pointer has rested there; None: not any more."""
        self._pointed = moves
        if moves is None:
            self._rest.stop()
            self._show()
        else:
            self._rest.start()

    def end(self) -> None:
        """Show the game."""
        self._rest.stop()
        self._pointed = None
        self.action.setChecked(False)
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        was_shown = self._board.ahead is not None
        if was_shown and event.type() in LEAVING:
            self.end()
        return was_shown and event.type() == QEvent.Type.KeyPress  # of a key nothing is played unseen

    def _show(self) -> None:
        moves, trace = self._pointed, self._cursor.trace
        if moves is None and self.action.isChecked() and trace is not None:
            moves = trace.moves(self._cursor.row or 0)
        self._board.look_ahead(None if moves is None else self._picture(moves))

    def _picture(self, moves: Sequence[int]) -> BoardPicture | None:
        """The position after moves of the search; None where the board shows it, or has another game."""
        game, root = self._analysis.game, self._analysis.position
        if game is None or game != self._record.game:
            return None
        position = reduce(play, moves, root)
        if position == self._record.position:
            return None
        return ahead_picture(game, position, moves[-1] if moves else None, self._words(game, root, position, moves))

    def _words(self, game: Game, root: Position, position: Position, moves: Sequence[int]) -> str:
        """Which position it is: "after X c3, O a1: not played"."""
        of_game = relevance(self._record, game, position)
        if of_game.path is not None or not moves:
            return of_game.words
        before = accumulate(moves, play, initial=root)
        names = [
            f"{game.mover_name(at)} {game.notation.move_name(move)}" for at, move in zip(before, moves, strict=False)
        ]
        line = ", ".join(["…"] * (len(names) > LONGEST) + names[-LONGEST:])
        if root == self._record.position:
            return tr("after {moves}: not played", moves=line)
        return tr("in the search, after {moves}: not played", moves=line)

    def _on_cursor(self) -> None:
        """Follow the cursor; what the pointer rests on is another node now."""
        self.action.setEnabled(self._cursor.trace is not None)
        self._rest.stop()
        self._pointed = None
        self._show()
