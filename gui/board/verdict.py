"""The board in words: who is to move or has won, what a square is worth, and the whole position."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.figures import signed
from engine.game import Game, Position, is_over, utility
from engine.result import Value
from gui.game_record import GameRecord
from gui.language import tr


@dataclass(frozen=True)
class SquareValue:
    """What a move is worth to the side to move."""

    value: Value
    """Above 0 a win, 0 a draw, below 0 a loss; an estimate where it is not proven."""
    plies: int | None = None
    """When the game then ends, in plies from now, the move itself counted; None where that is not known."""
    proven: bool = True

    @classmethod
    def soonest(cls, score: Value, remaining: int, proven: bool = True) -> "SquareValue":
        """From a score by `Scoring.SOONEST` in a position with at most `remaining` plies left."""
        return cls(score, remaining - (int(abs(score)) - 1) if proven and score else None, proven)

    @property
    def sign(self) -> str:
        if not self.proven:
            return "≈"
        return "+" if self.value > 0 else "−" if self.value < 0 else "="

    @property
    def figure(self) -> str:
        """The sign, with the plies where they are known and tell something: "+3"; "≈ +0.12" of what is not proven."""
        if not self.proven:
            return f"≈ {signed(self.value)}"
        return f"{self.sign}{self.plies}" if self.value and self.plies is not None else self.sign

    @property
    def words(self) -> str:
        """In words: "wins in 3", "loses", "draw", "undecided"."""
        if not self.proven:
            return tr("undecided")
        if self.value == 0:
            return tr("draw")
        if self.plies is None:
            return tr("wins") if self.value > 0 else tr("loses")
        return tr("wins in {plies}", plies=self.plies) if self.value > 0 else tr("loses in {plies}", plies=self.plies)

    def of(self, player: str) -> str:
        """As a sentence about the player to move: "X wins in 3 plies", "draw"."""
        if not self.proven:
            return tr("undecided so far, {value} for {player} by an estimate", value=signed(self.value), player=player)
        if self.value == 0:
            return tr("draw")
        if self.plies is None:
            return tr("{player} wins", player=player) if self.value > 0 else tr("{player} loses", player=player)
        if self.value > 0:
            return tr("{player} wins in %n pl(y|ies)", "", self.plies, player=player)
        return tr("{player} loses in %n pl(y|ies)", "", self.plies, player=player)

    def winner(self, mover: int) -> int | None:
        """Which player would win, if `mover` is to move; None in a draw, or while that is not proven."""
        return None if self.value == 0 or not self.proven else mover if self.value > 0 else 1 - mover


def verdict(game: Game, position: Position) -> str:
    """Who has won, or who is to move: "X wins", "Draw", "O to move"."""
    players, mover = game.notation.players, game.notation.mover(position)
    if not is_over(position):
        return tr("{player} to move", player=players[mover])
    end = utility(position)
    return tr("Draw") if end == 0 else tr("{player} wins", player=players[mover if end > 0 else 1 - mover])


def square_in_words(record: GameRecord, square: int, value: SquareValue | None, unknown: bool) -> str:
    """What is on a square, or what it is worth and to whom: "b2: O wins in 3 plies"."""
    notation = record.game.notation
    stone = notation.cells(record.position)[square]
    name = notation.move_name(square)
    if stone is not None:
        said = notation.players[stone]
    elif value is not None:
        said = value.of(notation.players[record.mover])
    else:
        said = tr("value not known yet") if unknown else tr("empty")
    return tr("{square}: {said}", square=name, said=said)


def position_in_words(game: Game, cells: Sequence[int | None], verdict: str) -> str:
    """Every row and the verdict: "Row 1: X, empty, O; Row 2: ...; O to move"."""
    return "; ".join([*rows_in_words(game, cells), verdict])


def rows_in_words(game: Game, cells: Sequence[int | None]) -> list[str]:
    """A position from the top: "Row 1: X, empty, O", "Row 2: ..."."""
    notation = game.notation
    names = [tr("empty") if stone is None else notation.players[stone] for stone in cells]
    rows = [", ".join(names[row * notation.columns : (row + 1) * notation.columns]) for row in range(notation.rows)]
    return [tr("Row {number}: {squares}", number=number, squares=row) for number, row in enumerate(rows, 1)]


def game_in_words(record: GameRecord) -> str:
    """The game, who is to move or has won, and the last move: "Tic-tac-toe, O to move, last move X on a1"."""
    game, last = record.game, record.last_move
    title, said = game.title, verdict(game, record.position)
    if last is None:
        return tr("{game}, {verdict}", game=title, verdict=said)
    who = game.notation.players[game.notation.mover(record.positions[len(record.moves) - 1])]
    where = game.notation.move_name(last)
    return tr("{game}, {verdict}, last move {player} on {square}", game=title, verdict=said, player=who, square=where)
