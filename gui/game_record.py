"""The game being played: its moves, undo and redo, which sides the computer plays, and how well, and what searches
found about its positions. It owns this; views show it."""

from itertools import accumulate
from random import SystemRandom

from PySide6.QtCore import QObject, Signal

from engine.game import ONGOING, Game, Position, legal, outcome, play
from engine.levels import PERFECT, Level
from engine.result import End
from engine.saved import Evaluation, SavedGame, Search
from gui.language import mark

SIDES: dict[str, frozenset[int]] = {
    "O": frozenset({1}),
    "X": frozenset({0}),
    mark("both"): frozenset({0, 1}),
    mark("neither"): frozenset(),
}
"""Which players the computer can move for, by what a person calls it."""


class GameRecord(QObject):
    """One game from its start to the moment shown."""

    changed = Signal()
    """The position, the game, the computer's sides or its level are others than before."""
    leaving = Signal()
    """Another game is about to take the place of this one: who keeps games takes it now."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._start: Position = game.start
        self._moves: list[int] = []
        self._shown = 0
        self._looking_back = False
        self._evaluations: dict[str, Evaluation] = {}
        self._computer: frozenset[int] = frozenset({1})
        self._level = PERFECT
        self._seed = _seed()

    @property
    def game(self) -> Game:
        return self._game

    @property
    def start(self) -> Position:
        """The position that the game began with."""
        return self._start

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._after(self._shown)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves played up to the position on the board."""
        return tuple(self._moves[: self._shown])

    @property
    def line(self) -> tuple[int, ...]:
        """The moves played, and after them those that were taken back."""
        return tuple(self._moves)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the line, from the start on."""
        return tuple(accumulate(self._moves, play, initial=self._start))

    @property
    def is_looking_back(self) -> bool:
        """Whether a person went back to an earlier moment, and has not played from there."""
        return self._looking_back

    @property
    def last_move(self) -> int | None:
        return self._moves[self._shown - 1] if self._shown else None

    @property
    def computer(self) -> frozenset[int]:
        """The players (indices into the game's players) that the computer moves for."""
        return self._computer

    @property
    def level(self) -> Level:
        """How well the computer plays."""
        return self._level

    @property
    def seed(self) -> int:
        """Of this game: what a level draws its moves by."""
        return self._seed

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
        """Whether the computer is to answer; not where a person looks back, for that would overwrite what follows."""
        looking = self._looking_back and len(self._computer) == 1
        return not self.is_over and self.mover in self._computer and not looking

    @property
    def can_undo(self) -> bool:
        return self._round(-1) is not None

    @property
    def can_redo(self) -> bool:
        return self._round(+1) is not None

    def new(self, game: Game | None = None, start: Position | None = None, seed: int | None = None) -> None:
        """Begin again, with another game or from another position if given."""
        game = game or self._game
        start = game.start if start is None else start
        self.take(SavedGame(game, start, (), 0, self._computer, self._level, seed))

    def take(self, saved: SavedGame) -> None:
        """Go on with a kept game, where it was left."""
        self.leaving.emit()
        self._game, self._start = saved.game, saved.start
        self._moves, self._shown = list(saved.moves), saved.shown
        self._looking_back = saved.shown < len(saved.moves)
        self._computer, self._level = saved.computer, saved.level
        self._seed = _seed() if saved.seed is None else saved.seed
        self._evaluations = {known.position: known for known in saved.evaluations}
        self.changed.emit()

    def saved(self, search: Search) -> SavedGame:
        """The game as it is kept, with how it is searched."""
        known = tuple(found for position in self.positions if (found := self.evaluation(position)) is not None)
        return SavedGame(
            self._game, self._start, self.line, self._shown, self._computer, self._level, self._seed, search, known
        )

    def evaluation(self, position: Position) -> Evaluation | None:
        """What a search found about a position of this game."""
        return self._evaluations.get(self._game.notation.format(position))

    def remember(self, found: Evaluation) -> None:
        """Keep what a search found; one that was finished is not given up for one that was not."""
        known = self._evaluations.get(found.position)
        if known is None or known.end is not End.COMPLETE or found.end is End.COMPLETE:
            self._evaluations[found.position] = found

    def set_computer(self, players: frozenset[int]) -> None:
        if players != self._computer:
            self._computer = players
            self.changed.emit()

    def set_level(self, level: Level) -> None:
        if level != self._level:
            self._level = level
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
        self._looking_back = False
        self.changed.emit()

    def undo(self) -> None:
        """Take back a ply; against the computer a whole round, so that the person is to move again."""
        self._go(self._round(-1))

    def redo(self) -> None:
        """Play again what was taken back, by the same measure."""
        self._go(self._round(+1))

    def go_to(self, moment: int) -> None:
        """Look at the position after so many moves of the line, or the nearest that there is; nothing is forgotten."""
        moment = min(len(self._moves), max(0, moment))
        if moment != self._shown:
            self._go(moment)

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
            self._looking_back = moment < len(self._moves)
            self.changed.emit()

    def _after(self, count: int) -> Position:
        position = self._start
        for move in self._moves[:count]:
            position = play(position, move)
        return position


def _seed() -> int:
    return SystemRandom().randrange(1_000_000_000)
