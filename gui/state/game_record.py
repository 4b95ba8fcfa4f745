"""The game being played: its moves and variations, undo and redo, which sides the computer plays, and how well, and
what searches found about its positions. It owns this; views show it.

No move is forgotten: who goes back and plays another makes a variation of what followed. One line is at hand, the one
that leads through the position on the board; undo, redo and going back and forth stay on it.
"""

from functools import reduce
from itertools import accumulate
from random import SystemRandom
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.play.game_file import Evaluation, SavedGame, Search
from engine.play.levels import STRONGEST, Level
from engine.play.variations import Line, Variations
from engine.result import End
from engine.rules.contract import Game, Position, is_over, legal, play, utility, winner
from gui.i18n.language import mark, retold, tr
from gui.state.wording import must_pass

SIDES: dict[str, frozenset[int]] = {
    mark("second"): frozenset({1}),
    mark("first"): frozenset({0}),
    mark("both"): frozenset({0, 1}),
    mark("neither"): frozenset(),
}
"""Which players the computer can move for, by what a person calls it; one of them alone rather by the player's name."""


def side_name(side: str, game: Game) -> str:
    """What a person calls one of SIDES in a game: "O", "both"."""
    players = SIDES[side]
    return retold(game.notation.players[min(players)]) if len(players) == 1 else tr(side)


class _Place(NamedTuple):
    """Where one is in a game, before moves of it are deleted."""

    variations: Variations
    line: Line
    shown: int


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
        self._variations = Variations()
        self._line: Line = ()
        self._shown = 0
        self._looking_back = False
        self._deletions: list[_Place] = []
        self._has_just_deleted = False
        self._evaluations: dict[Position, Evaluation] = {}
        self._computer: frozenset[int] = frozenset({1})
        self._level = STRONGEST
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
        return self.position_after(self.moves)

    @property
    def moves(self) -> Line:
        """The moves played up to the position on the board."""
        return self._line[: self._shown]

    @property
    def line(self) -> Line:
        """The moves played, and after them those that were taken back."""
        return self._line

    @property
    def variations(self) -> Variations:
        """All lines of the game, the one at hand among them."""
        return self._variations

    def is_main(self, path: Line) -> bool:
        """Whether a path lies on the main line."""
        return self._variations.lines[0][: len(path)] == path

    def line_through(self, path: Line) -> Line:
        """The line at hand, if it leads through the end of a path, else the main one that does."""
        return self._line if self._line[: len(path)] == path else self._variations.line_through(path)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the line, from the start on."""
        return tuple(accumulate(self._line, play, initial=self._start))

    def position_after(self, path: Line) -> Position:
        """The position after these moves from the start."""
        return reduce(play, path, self._start)

    @property
    def is_looking_back(self) -> bool:
        """Whether a person went back to an earlier moment, and has not played from there."""
        return self._looking_back

    @property
    def last_move(self) -> int | None:
        return self._line[self._shown - 1] if self._shown else None

    @property
    def next_move(self) -> int | None:
        """The move that follows on the line at hand; None at its end."""
        return self._line[self._shown] if self._shown < len(self._line) else None

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
        return is_over(self.position)

    @property
    def winner(self) -> int | None:
        """The player who has won; None in a draw or a game that goes on."""
        return winner(utility(self.position), self.mover) if self.is_over else None

    @property
    def must_pass(self) -> bool:
        """Whether the side to move has no other move than a pass."""
        return must_pass(self._game, self.position)

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer is to answer; not where a person looks back, for nobody asked it to."""
        looking = self._looking_back and len(self._computer) == 1
        return not self.is_over and self.mover in self._computer and not looking

    @property
    def can_undo(self) -> bool:
        return self._has_just_deleted or self._round(-1) is not None

    @property
    def can_redo(self) -> bool:
        return self._round(+1) is not None

    def new(
        self, game: Game | None = None, start: Position | None = None, seed: int | None = None, line: Line = ()
    ) -> None:
        """Begin again, with another game, from another position or with these moves played, if given."""
        game = game or self._game
        start = game.start if start is None else start
        self.take(SavedGame(game, start, line, len(line), self._computer, self._level, seed))

    def take(self, saved: SavedGame) -> None:
        """Go on with a kept game, where it was left."""
        self.leaving.emit()
        self._game, self._start = saved.game, saved.start
        self._deletions.clear()
        self._variations = saved.variations.added([saved.moves])
        self._line, self._shown = saved.moves, saved.shown
        self._looking_back = saved.shown < len(saved.moves)
        self._has_just_deleted = False
        self._computer, self._level = saved.computer, saved.level
        self._seed = _seed() if saved.seed is None else saved.seed
        self._evaluations = {self._position(known): known for known in saved.evaluations}
        self.changed.emit()

    def saved(self, search: Search) -> SavedGame:
        """The game as it is kept, with how it is searched."""
        positions: dict[Line, Position] = {(): self._start}
        for path, *_ in self._variations.nodes():
            positions[path] = play(positions[path[:-1]], path[-1])
        known = tuple(found for it in dict.fromkeys(positions.values()) if (found := self._evaluations.get(it)))
        return SavedGame(
            self._game,
            self._start,
            self._line,
            self._shown,
            self._computer,
            self._level,
            self._seed,
            search,
            known,
            self._variations,
        )

    def evaluation(self, position: Position) -> Evaluation | None:
        """What a search found about a position of this game."""
        return self._evaluations.get(position)

    def remember(self, found: Evaluation) -> None:
        """Keep what a search found; one that was finished is not given up for one that was not."""
        position = self._position(found)
        known = self._evaluations.get(position)
        if known is None or known.end is not End.COMPLETE or found.end is End.COMPLETE:
            self._evaluations[position] = found

    def set_computer(self, players: frozenset[int]) -> None:
        if players != self._computer:
            self._computer = players
            self.changed.emit()

    def set_level(self, level: Level) -> None:
        if level != self._level:
            self._level = level
            self.changed.emit()

    def play(self, move: int) -> None:
        """Play a move; what followed so far stays as a variation. Raises ValueError if the move is not legal."""
        if self.is_over or move < 0 or not legal(self.position) & (1 << move):
            raise ValueError(f"The move {self._game.notation.move_name(move)} cannot be played here.")
        path = (*self.moves, move)
        self._variations = self._variations.played(path)
        self._show(path, looking_back=False)

    def undo(self) -> None:
        """Take back a ply; against the computer a whole round, so that the person is to move again. Right after moves
        were deleted, take that back."""
        if self._has_just_deleted:
            self.restore()
        else:
            self._go(self._round(-1))

    def redo(self) -> None:
        """Play again what was taken back, by the same measure."""
        self._go(self._round(+1))

    def go_to(self, moment: int) -> None:
        """Look at the position after so many moves of the line, or the nearest that there is; nothing is forgotten."""
        moment = min(len(self._line), max(0, moment))
        if moment != self._shown:
            self._go(moment)

    def go(self, path: Line) -> None:
        """Look at the position at the end of a path; from there its main continuation is the line at hand, unless the
        one at hand already leads there. Raises ValueError if there is no such path."""
        if path != self.moves:
            self._show(path)

    def go_to_variation(self, step: int) -> None:
        """Look at the next (+1) or previous (-1) variation: at another move in place of the last one that has any, else
        of the first to come."""
        forks = self._variations.forks(self._line)
        if forks:
            ply = max((ply for ply in forks if ply < self._shown), default=forks[0])
            moves = self._variations.moves_after(self._line[:ply])
            self.go((*self._line[:ply], moves[(moves.index(self._line[ply]) + step) % len(moves)]))

    def make_main(self, path: Line) -> None:
        """Make a path, and what follows on it, the main line; the board stays as it is."""
        self._variations = self._variations.promoted(path)
        self._has_just_deleted = False
        self.changed.emit()

    def delete(self, path: Line) -> None:
        """Delete the last move of a path and all that follows it; the board goes back to what is left."""
        if not path or path not in self._variations:
            return
        self._deletions.append(_Place(self._variations, self._line, self._shown))
        self._variations = self._variations.without(path)
        self._show(self.moves if self.moves in self._variations else path[:-1], has_deleted=True)

    @property
    def can_restore(self) -> bool:
        """Whether there are deleted moves to bring back."""
        return bool(self._deletions)

    def restore(self) -> None:
        """Bring back the moves that were deleted last, and what was on the board then."""
        if not self._deletions:
            return
        before = self._deletions.pop()
        since = self._variations
        self._variations = before.variations if self._has_just_deleted else since.added(before.variations.lines)
        self._line = before.line
        self._show(before.line[: before.shown])

    def _position(self, found: Evaluation) -> Position:
        return self._game.notation.parse(found.position)

    def _round(self, direction: int) -> int | None:
        """The nearest moment before (-1) or after (+1) this one that one can go to, or None.

        Where a person plays, that is one at which the person is to move, or the last one: the computer would answer
        at any other.
        """
        moments = range(self._shown - 1, -1, -1) if direction < 0 else range(self._shown + 1, len(self._line) + 1)
        positions = self.positions
        for moment in moments:
            mover = self._game.notation.mover(positions[moment])
            if mover not in self._computer or len(self._computer) == 2 or moment == len(self._line):
                return moment
        return None

    def _go(self, moment: int | None) -> None:
        if moment is not None:
            self._show(self._line[:moment])

    def _show(self, path: Line, looking_back: bool | None = None, has_deleted: bool = False) -> None:
        """Put the position after a path on the board; the line at hand stays if it leads there."""
        self._line = (
            self.line_through(path) if self._line in self._variations.lines else self._variations.line_through(path)
        )
        self._shown = len(path)
        self._looking_back = self._shown < len(self._line) if looking_back is None else looking_back
        self._has_just_deleted = has_deleted
        self.changed.emit()


def _seed() -> int:
    return SystemRandom().randrange(1_000_000_000)
