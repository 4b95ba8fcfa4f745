"""The board in words: who is to move or has won, what a square is worth, and the whole position."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.game import ONGOING, Game, Position, outcome
from gui.game_record import GameRecord


@dataclass(frozen=True)
class SquareValue:
    """What a move is worth to the side to move."""

    value: int
    """Above 0 a win, 0 a draw, below 0 a loss."""
    plies: int | None = None
    """When the game then ends, in plies from now, the move itself counted; None where that is not known."""

    @classmethod
    def soonest(cls, score: int, remaining: int) -> "SquareValue":
        """From a score by `Scoring.SOONEST` in a position with at most `remaining` plies left."""
        return cls(score, remaining - (abs(score) - 1) if score else None)

    @property
    def sign(self) -> str:
        return "+" if self.value > 0 else "−" if self.value < 0 else "="

    @property
    def figure(self) -> str:
        """The sign, with the plies where they are known and tell something: "+3"."""
        return f"{self.sign}{self.plies}" if self.value and self.plies is not None else self.sign

    @property
    def words(self) -> str:
        """In words: "wins in 3", "loses", "draw"."""
        if self.value == 0:
            return "draw"
        word = "wins" if self.value > 0 else "loses"
        return word if self.plies is None else f"{word} in {self.plies}"

    def winner(self, mover: int) -> int | None:
        """Which player would win, if `mover` is to move; None in a draw."""
        return None if self.value == 0 else mover if self.value > 0 else 1 - mover


def verdict(game: Game, position: Position) -> str:
    """Who has won, or who is to move: "X wins", "Draw", "O to move"."""
    players, mover, end = game.notation.players, game.notation.mover(position), outcome(position)
    if end == ONGOING:
        return f"{players[mover]} to move"
    return "Draw" if end == 0 else f"{players[mover if end > 0 else 1 - mover]} wins"


def square_in_words(record: GameRecord, square: int, value: SquareValue | None, unknown: bool) -> str:
    """What is on a square, or what it is worth and to whom: "b2: O wins in 3 plies"."""
    notation = record.game.notation
    stone = notation.cells(record.position)[square]
    name = notation.move_name(square)
    if stone is not None:
        return f"{name}: {notation.players[stone]}"
    if value is None:
        return f"{name}: value not known yet" if unknown else f"{name}: empty"
    if value.value == 0:
        return f"{name}: draw"
    unit = "" if value.plies is None else " ply" if value.plies == 1 else " plies"
    return f"{name}: {notation.players[record.mover]} {value.words}{unit}"


def position_in_words(game: Game, cells: Sequence[int | None], verdict: str) -> str:
    """Every row and the verdict: "Row 1: X, empty, O; Row 2: ...; O to move"."""
    return "; ".join([*rows_in_words(game, cells), verdict])


def rows_in_words(game: Game, cells: Sequence[int | None]) -> list[str]:
    """A position from the top: "Row 1: X, empty, O", "Row 2: ..."."""
    notation = game.notation
    names = ["empty" if stone is None else notation.players[stone] for stone in cells]
    rows = [", ".join(names[row * notation.columns : (row + 1) * notation.columns]) for row in range(notation.rows)]
    return [f"Row {number}: {row}" for number, row in enumerate(rows, 1)]


def game_in_words(record: GameRecord) -> str:
    """The game, who is to move or has won, and the last move: "Tic-tac-toe, O to move, last move X on a1"."""
    game, last = record.game, record.last_move
    said = f"{game.title}, {verdict(game, record.position)}"
    if last is None:
        return said
    who = game.notation.players[game.notation.mover(record.positions[len(record.moves) - 1])]
    return f"{said}, last move {who} on {game.notation.move_name(last)}"
