"""The game being played: its moves, undo and redo, and which sides the computer plays. It owns this; views show it."""

from PySide6.QtCore import QObject, Signal

from engine.game import ONGOING, Game, Position, legal, outcome, play

SIDES: dict[str, frozenset[int]] = {
    "O": frozenset({1}),
    "X": frozenset({0}),
    "both": frozenset({0, 1}),
    "neither": frozenset(),
}
"""Which players the computer can move for, by what a person calls it."""


class GameRecord(QObject):
    """One game from its start to the moment shown."""

    changed = Signal()
    """The position, the game or the computer's sides are others than before."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._start: Position = game.start
        self._moves: list[int] = []
        self._shown = 0
        self._computer: frozenset[int] = frozenset({1})

    @property
    def game(self) -> Game:
        return self._game

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._after(self._shown)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves played up to the position on the board."""
        return tuple(self._moves[: self._shown])

    @property
    def last_move(self) -> int | None:
        return self._moves[self._shown - 1] if self._shown else None

    @property
    def computer(self) -> frozenset[int]:
        """The players (indices into the game's players) that the computer moves for."""
        return self._computer

    @property
    def mover(self) -> int:
        return self._game.notation.mover(self.position)

    @property
    def is_over(self) -> bool:
        return outcome(self.position) != ONGOING

    @property
    def winner(self) -> int | None:
        """The player who has won; None in a draw or a game that goes on."""
        return 1 - self.mover if outcome(self.position) == -1 else None

    @property
    def computer_to_move(self) -> bool:
        return not self.is_over and self.mover in self._computer

    @property
    def can_undo(self) -> bool:
        return self._round(-1) is not None

    @property
    def can_redo(self) -> bool:
        return self._round(+1) is not None

    def new(self, game: Game | None = None, start: Position | None = None) -> None:
        """Begin again, with another game or from another position if given."""
        self._game = game or self._game
        self._start = self._game.start if start is None else start
        self._moves, self._shown = [], 0
        self.changed.emit()

    def set_computer(self, players: frozenset[int]) -> None:
        if players != self._computer:
            self._computer = players
            self.changed.emit()

    def play(self, move: int) -> None:
        """Play a move; what was undone is forgotten. Raises ValueError if the move is not legal."""
        if self.is_over or move < 0 or not legal(self.position) & (1 << move):
            raise ValueError(f"The move {self._game.notation.move_name(move)} cannot be played here.")
        if self._shown < len(self._moves) and self._moves[self._shown] == move:
            self._shown += 1
        else:
            self._moves[self._shown :] = [move]
            self._shown += 1
        self.changed.emit()

    def undo(self) -> None:
        """Take back a ply; against the computer a whole round, so that the person is to move again."""
        self._go(self._round(-1))

    def redo(self) -> None:
        """Play again what was taken back, by the same measure."""
        self._go(self._round(+1))

    def _round(self, direction: int) -> int | None:
        """The nearest moment before (-1) or after (+1) this one that one can go to, or None.

        Where a person plays, that is one at which the person is to move, or the last one: the computer would answer
        at any other.
        """
        moments = range(self._shown - 1, -1, -1) if direction < 0 else range(self._shown + 1, len(self._moves) + 1)
        for moment in moments:
            mover = self._game.notation.mover(self._after(moment))
            if mover not in self._computer or len(self._computer) == 2 or moment == len(self._moves):
                return moment
        return None

    def _go(self, moment: int | None) -> None:
        if moment is not None:
            self._shown = moment
            self.changed.emit()

    def _after(self, count: int) -> Position:
        position = self._start
        for move in self._moves[:count]:
            position = play(position, move)
        return position
