"""Hints on the board: a hint in three steps, the value of every square, and texts about both."""

from enum import IntEnum

from PySide6.QtCore import QObject, Signal

from engine.result import Value
from engine.rules.bits import each
from engine.rules.contract import legal, traits
from engine.text.numbers import signed
from gui.board.hint_text import SHOWN, Advised, area, why
from gui.board.view import BoardWidget
from gui.board.wording import SquareValue
from gui.i18n.language import tr
from gui.state.game_record import GameRecord
from gui.state.move_values import MoveValues
from gui.state.spoilers import spoilers


class HintStep(IntEnum):
    """The steps of a hint."""

    NOTHING = 0
    AREA = 1
    MOVE = 2
    WHY = 3


class Hints(QObject):
    """Requests move values when a person asks for them, and shows them on the board as they come."""

    changed = Signal()
    """`words` has changed."""

    def __init__(self, record: GameRecord, move_values: MoveValues, board: BoardWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._record, self._move_values, self._board = record, move_values, board
        self._values_wanted = False
        self._step = HintStep.NOTHING
        move_values.advised.connect(self._show)
        record.changed.connect(self._on_game_changed)
        spoilers().changed.connect(self._look)

    def want_values(self, on: bool) -> None:
        """Show the value of every square, or hide the values."""
        self._values_wanted = on
        self._look()

    def want_hint(self) -> None:
        """Show the next step of the hint: the area, the move, the reason; then nothing again."""
        self._step = HintStep((self._step + 1) % len(HintStep)) if self._record.has_mover else HintStep.NOTHING
        self._look()

    @property
    def step(self) -> HintStep:
        """The step of the hint for the position on the board."""
        return self._step

    @property
    def shows_values(self) -> bool:
        """Whether the squares show their values."""
        return self._values_wanted and not spoilers().hidden

    @property
    def words(self) -> str:
        """The text of the hint, or of the values on display: "a draw, but only with b2"."""
        if not self._record.has_mover or not (self._step or self.shows_values):
            return ""
        advised = self._advised()
        if advised is None:
            return tr("looking at every move…") if self._move_values.is_looking else tr("not every move was searched")
        words = self._sentence(advised)
        if advised.depth is None or self._step is HintStep.WHY:
            return words
        return tr("so far, %n pl(y|ies) ahead: {words}", "", advised.depth, words=words)

    @property
    def value(self) -> Value | None:
        """The value of the position for its side to move, where the values of all its moves are shown: by
        `Scoring.TEXTBOOK`, or the margin in games that have one; an estimate where it is not proven."""
        advised = self._advised() if self.shows_values and not self._record.is_over else None
        if advised is None:
            return None
        number = advised.values[advised.best].number
        known = traits(advised.position)
        if advised.is_proven and known.utility == 1 and not known.chance:
            number = (number > 0) - (number < 0)
        return Value(number, is_estimate=not advised.is_proven)

    def _sentence(self, advised: Advised) -> str:
        """The text of the hint or the values, without a remark that they are not proven."""
        name = self._record.game.notation.move_name(advised.best)
        match self._step:
            case HintStep.AREA if not advised.is_open:
                return area(advised)[0]
            case HintStep.AREA:
                return tr("All moves have the same value.")
            case HintStep.MOVE:
                return tr("Play {move}.", move=name)
            case HintStep.WHY:
                return ""
        proven = advised.is_proven
        value = SquareValue.of(advised.values[advised.best].number, advised.position, proven)
        player = self._record.game.notation.players[self._record.mover]
        if not proven:
            return tr("{move} looks best, {value} for {player}", move=name, value=signed(value.value), player=player)
        end = tr("a draw") if value.value == 0 and not value.is_average else value.of_player(player)
        if len(advised.values) == 1 or sum(other.number == value.value for other in advised.values.values()) > 1:
            return end
        if value.value < 0:
            return tr("{end} with {move}; any other move is worse", end=end, move=name)
        return tr("{end}, but only with {move}", end=end, move=name)

    @property
    def why(self) -> str:
        """The reason for the hint's move; empty before the last step."""
        advised = self._advised() if self._step is HintStep.WHY else None
        return "" if advised is None else why(advised)

    def _advised(self) -> Advised | None:
        """The values of the position on the board; None until every move has one."""
        game, position, move_values = self._record.game, self._record.position, self._move_values
        if move_values.best_of(game, position) is None:
            return None
        found = move_values.values_of(game, position)
        values = {move: known.value for move, known in found.items()}
        return Advised(game, position, values, lambda move: found[move].line, move_values.depth_of(game, position))

    def _on_game_changed(self) -> None:
        self._step = HintStep.NOTHING
        self._look()

    def _look(self) -> None:
        if (self.shows_values or self._step) and not self._record.at_chance:
            self._move_values.look(self._record.game, self._record.position)
        else:
            self._move_values.drop()
        self._show()

    def _show(self) -> None:
        game, position = self._record.game, self._record.position
        known = {
            move: SquareValue.of(found.value.number, position, found.proven)
            for move, found in self._move_values.values_of(game, position).items()
        }
        if self.shows_values and not self._record.is_over:
            self._board.show_values(known, frozenset(each(legal(position))) - known.keys())
        else:
            self._board.show_values(None)
        self._show_hint(self._advised() if self._step else None)
        self.changed.emit()

    def _show_hint(self, advised: Advised | None) -> None:
        if advised is None:
            self._board.show_hint(None)
        elif self._step is HintStep.AREA:
            self._board.show_hint(None, frozenset() if advised.is_open else area(advised)[1])
        else:
            self._board.show_hint(advised.best, line=advised.line()[:SHOWN] if self._step is HintStep.WHY else ())
