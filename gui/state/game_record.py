"""The current game: its moves and variations, undo and redo, the sides that the computer plays and its level, and the
evaluations that searches found. GameRecord owns this state; views show it.

No move is deleted unasked: a different move played in an earlier position starts a variation. The current line is the
one that leads through the position on the board; undo, redo and going back and forth stay on it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate
from random import SystemRandom
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.play.game_file import SavedEvaluation, SavedGame, SavedSearch
from engine.play.levels import STRONGEST, Level
from engine.play.variations import Line, Variations
from engine.result import FINISHED
from engine.rules.contract import Game, Position, at_chance, is_over, legal, play, utility, winner
from gui.i18n.language import localized, mark, tr

SIDES: dict[str, frozenset[int]] = {
    mark("second"): frozenset({1}),
    mark("first"): frozenset({0}),
    mark("both"): frozenset({0, 1}),
    mark("neither"): frozenset(),
}
"""The sets of players that the computer can move for, by their names for people; a single player is rather called by
the player's name."""


def side_name(side: str, game: Game) -> str:
    """The name of one of SIDES in a game, for people: "O", "both"."""
    players = SIDES[side]
    return localized(game.notation.players[min(players)]) if len(players) == 1 else tr(side)


class _Place(NamedTuple):
    """The position shown before moves were deleted."""

    variations: Variations
    line: Line
    shown: int


class GameRecord(QObject):
    """One game with its variations, and the position of it on the board."""

    changed = Signal()
    """The position, the game, the computer's sides or its level have changed."""
    evaluated = Signal()
    """An evaluation was stored."""
    leaving = Signal()
    """Another game is about to replace this one: listeners save it now."""
    replaced = Signal()
    """Another game is in place, before `changed`: until it is saved, a kill would lose it."""

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
        self._evaluations: dict[Position, SavedEvaluation] = {}
        self._computer: frozenset[int] = frozenset({1})
        self._level = STRONGEST
        self._seed = _seed()

    @property
    def game(self) -> Game:
        return self._game

    @property
    def start(self) -> Position:
        """The position that the game started with."""
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
        """The current line: the moves played, then those taken back."""
        return self._line

    @property
    def variations(self) -> Variations:
        """All lines of the game, the current one included."""
        return self._variations

    def is_main(self, path: Line) -> bool:
        """Whether a path lies on the main line."""
        return self._variations.lines[0][: len(path)] == path

    def line_through(self, path: Line) -> Line:
        """The current line, if it leads through the end of a path, else the main line through it."""
        return self._line if self._line[: len(path)] == path else self._variations.line_through(path)

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of the current line, from the start on."""
        return tuple(accumulate(self._line, play, initial=self._start))

    def position_after(self, path: Line) -> Position:
        """The position after these moves from the start."""
        return after(self._start, path)

    @property
    def is_looking_back(self) -> bool:
        """Whether an earlier position is shown and no move was played from there."""
        return self._looking_back

    @property
    def last_move(self) -> int | None:
        return self._line[self._shown - 1] if self._shown else None

    @property
    def position_before(self) -> Position | None:
        """The position before the last move; None at the start."""
        return self.position_after(self.moves[:-1]) if self._shown else None

    @property
    def last_mover(self) -> int | None:
        """The player of the last move; None before it."""
        before = self.position_before
        return None if before is None else self._game.notation.mover(before)

    @property
    def next_move(self) -> int | None:
        """The move that follows on the current line; None at its end."""
        return self._line[self._shown] if self._shown < len(self._line) else None

    @property
    def computer(self) -> frozenset[int]:
        """The players (indices into the game's players) that the computer moves for."""
        return self._computer

    @property
    def level(self) -> Level:
        """The computer's playing strength."""
        return self._level

    @property
    def seed(self) -> int:
        """The seed of this game's random numbers, by which a level draws its moves."""
        return self._seed

    @property
    def mover(self) -> int:
        return self._game.notation.mover(self.position)

    @property
    def is_over(self) -> bool:
        return is_over(self.position)

    @property
    def winner(self) -> int | None:
        """The index of the player who has won; None in a draw or an unfinished game."""
        return winner(utility(self.position), self.mover) if self.is_over else None

    @property
    def must_pass(self) -> bool:
        """Whether a pass is the only legal move."""
        return self._game.must_pass(self.position)

    @property
    def at_chance(self) -> bool:
        """Whether chance makes the next move."""
        return at_chance(self.position)

    @property
    def has_mover(self) -> bool:
        """Whether a side is to move: the game goes on, and chance does not decide."""
        return not self.is_over and not self.at_chance

    @property
    def computer_to_move(self) -> bool:
        """Whether the side to move is the computer's; False while an earlier position is shown."""
        looking = self._looking_back and len(self._computer) == 1
        return self.has_mover and self.mover in self._computer and not looking

    @property
    def can_undo(self) -> bool:
        return self._has_just_deleted or self._round(-1) is not None

    @property
    def can_redo(self) -> bool:
        return self._round(+1) is not None

    def new(
        self,
        game: Game | None = None,
        start: Position | None = None,
        seed: int | None = None,
        lines: Iterable[Line] = (),
    ) -> None:
        """Start a new game, with another game's rules, from another position or with the first of these lines played,
        if given."""
        game = game or self._game
        start = game.start if start is None else start
        variations = Variations.of(lines)
        main, *_ = variations.lines
        self.take(SavedGame(game, start, main, len(main), self._computer, self._level, seed, variations=variations))

    def take(self, saved: SavedGame, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Continue a saved game at the position where it was left. `meanwhile` is called between the signals: when this
        game is in place, before `replaced` and `changed`."""
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
        meanwhile()
        self.replaced.emit()
        self.changed.emit()

    def saved(self, search: SavedSearch) -> SavedGame:
        """The game as a SavedGame, with its search settings."""
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

    def evaluation(self, position: Position) -> SavedEvaluation | None:
        """The stored evaluation of a position of this game; None if there is none."""
        return self._evaluations.get(position)

    def remember(self, found: SavedEvaluation) -> None:
        """Store an evaluation. One of an unfinished search does not replace one of a finished search."""
        position = self._position(found)
        known = self._evaluations.get(position)
        if known is None or known.end not in FINISHED or found.end in FINISHED:
            self._evaluations[position] = found
            self.evaluated.emit()

    def set_computer(self, players: frozenset[int]) -> None:
        if players != self._computer:
            self._computer = players
            self.changed.emit()

    def set_level(self, level: Level) -> None:
        if level != self._level:
            self._level = level
            self.changed.emit()

    def play(self, move: int) -> None:
        """Play a move. The moves that followed so far stay as a variation. Raises ValueError if the move is not
        legal."""
        if self.is_over or move < 0 or not legal(self.position) & (1 << move):
            raise ValueError(f"The move {self._game.notation.move_name(move)} cannot be played here.")
        path = (*self.moves, move)
        self._variations = self._variations.played(path)
        self._show(path, looking_back=False)

    def undo(self) -> None:
        """Take back a ply; against the computer a whole round, so that the person is to move again. Right after moves
        were deleted, restore them instead."""
        if self._has_just_deleted:
            self.restore()
        else:
            self._go(self._round(-1))

    def redo(self) -> None:
        """Play again the moves that one undo takes back: a ply, or a round against the computer."""
        self._go(self._round(+1))

    def go_to(self, ply: int) -> None:
        """Show the position after that many moves of the current line, or the nearest one. No move is removed."""
        ply = min(len(self._line), max(0, ply))
        if ply != self._shown:
            self._go(ply)

    def go(self, path: Line) -> None:
        """Show the position at the end of a path. The current line becomes the path's main continuation, unless it
        leads there already. Raises ValueError if there is no such path."""
        if path != self.moves:
            self._show(path)

    def go_to_variation(self, step: int) -> None:
        """Show the next (+1) or previous (-1) variation: an alternative to the last move that has any, else to the
        first later one."""
        forks = self._variations.forks(self._line)
        if forks:
            ply = max((ply for ply in forks if ply < self._shown), default=forks[0])
            moves = self._variations.moves_after(self._line[:ply])
            self.go((*self._line[:ply], moves[(moves.index(self._line[ply]) + step) % len(moves)]))

    def make_main(self, path: Line) -> None:
        """Make a path and its continuation the main line. The board does not change."""
        self._variations = self._variations.promoted(path)
        self._has_just_deleted = False
        self.changed.emit()

    def delete(self, path: Line) -> None:
        """Delete the last move of a path and all that follows it. If that removes the position on the board, show the
        last one left."""
        if not path or path not in self._variations:
            return
        self._deletions.append(_Place(self._variations, self._line, self._shown))
        self._variations = self._variations.without(path)
        self._show(self.moves if self.moves in self._variations else path[:-1], has_deleted=True)

    @property
    def can_restore(self) -> bool:
        """Whether deleted moves can be restored."""
        return bool(self._deletions)

    def restore(self) -> None:
        """Restore the moves that were deleted last, and the position and the line shown then."""
        if not self._deletions:
            return
        before = self._deletions.pop()
        since = self._variations
        self._variations = before.variations if self._has_just_deleted else since.added(before.variations.lines)
        self._line = self._variations.line_through(before.line)
        self._show(before.line[: before.shown])

    def _position(self, found: SavedEvaluation) -> Position:
        return self._game.notation.parse(found.position)

    def _round(self, direction: int) -> int | None:
        """The nearest number of moves before (-1) or after (+1) the present one that undo or redo may stop at, or None.

        Where a person plays, that is a position with the person to move, or the last one: the computer would answer in
        any other. A chance node is none, unless it is the last.
        """
        plies = range(self._shown - 1, -1, -1) if direction < 0 else range(self._shown + 1, len(self._line) + 1)
        positions = self.positions
        for ply in plies:
            mover = self._game.notation.mover(positions[ply])
            is_asked = mover not in self._computer or len(self._computer) == 2
            if (is_asked and not at_chance(positions[ply])) or ply == len(self._line):
                return ply
        return None

    def _go(self, ply: int | None) -> None:
        if ply is not None:
            self._show(self._line[:ply])

    def _show(self, path: Line, looking_back: bool | None = None, has_deleted: bool = False) -> None:
        """Put the position after a path on the board. The current line stays if it leads there."""
        self._line = (
            self.line_through(path) if self._line in self._variations.lines else self._variations.line_through(path)
        )
        self._shown = len(path)
        self._looking_back = self._shown < len(self._line) if looking_back is None else looking_back
        self._has_just_deleted = has_deleted
        self.changed.emit()


@lru_cache(1_000, typed=True)  # positions of two games may be equal tuples
def after(start: Position, path: Line) -> Position:
    """The position after a path."""
    return play(after(start, path[:-1]), path[-1]) if path else start


def _seed() -> int:
    return SystemRandom().randrange(1_000_000_000)
