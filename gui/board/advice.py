"""What the board says beside the game: the hint, the value of every square, and one line about both."""

from PySide6.QtCore import QObject, Signal

from engine.bits import each
from engine.game import legal, remaining
from gui.adviser import Adviser
from gui.board.board import BoardView
from gui.board.verdict import SquareValue
from gui.game_record import GameRecord


class Advice(QObject):
    """Asks the adviser where somebody wants to know, and shows the answers on the board as they come."""

    changed = Signal()
    """There are other words to show."""

    def __init__(self, record: GameRecord, adviser: Adviser, board: BoardView, parent: QObject) -> None:
        super().__init__(parent)
        self._record, self._adviser, self._board = record, adviser, board
        self._values_wanted = self._hint_wanted = False
        adviser.advised.connect(self._show)
        record.changed.connect(self._on_game_changed)

    def want_values(self, on: bool) -> None:
        """Show what every square is worth, or no longer."""
        self._values_wanted = on
        self._look()

    def want_hint(self) -> None:
        """Show a best move of the position on the board, until it changes."""
        self._hint_wanted = not self._record.is_over
        self._look()

    @property
    def words(self) -> str:
        """What the hint says, or what the values on display come to: "a draw, but only with b2"."""
        game, position = self._record.game, self._record.position
        if self._record.is_over or not (self._hint_wanted or self._values_wanted):
            return ""
        best = self._adviser.best_of(game, position)
        if best is None:
            return "looking at every move…" if self._adviser.is_looking else ""
        values = self._adviser.values_of(game, position)
        value = SquareValue.soonest(values[best], remaining(position))
        end = "a draw" if value.value == 0 else f"{game.notation.players[self._record.mover]} {value.words}"
        if sum(other == values[best] for other in values.values()) == 1:
            return f"{end}, but only with {game.notation.move_name(best)}"
        return f"{end}, for one with {game.notation.move_name(best)}" if self._hint_wanted else end

    def _on_game_changed(self) -> None:
        self._hint_wanted = False
        self._look()

    def _look(self) -> None:
        if self._values_wanted or self._hint_wanted:
            self._adviser.look(self._record.game, self._record.position)
        self._show()

    def _show(self) -> None:
        game, position = self._record.game, self._record.position
        known = {
            move: SquareValue.soonest(value, remaining(position))
            for move, value in self._adviser.values_of(game, position).items()
        }
        if self._values_wanted and not self._record.is_over:
            self._board.show_values(known, frozenset(each(legal(position))) - known.keys())
        else:
            self._board.show_values(None)
        self._board.show_hint(self._adviser.best_of(game, position) if self._hint_wanted else None)
        self.changed.emit()
