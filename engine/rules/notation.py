"""The notation of games on a grid of squares.

Squares are numbered row by row from the top left; columns are letters, rows are numbers from the top: square 0 is a1.
A position is written as its rows from the top, joined by "/": `x` and `o` are stones, `.` is an empty square; x moves
first, so "x../.o./..." is x on a1, o on b2, x to move. Who is to move may follow: "x../.o./... x".
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_
from typing import Any

from engine.messages import message
from engine.rules.bits import count, each
from engine.rules.board_view import column_name
from engine.rules.contract import Evaluation, Position, is_over, legal, play
from engine.rules.grid import line_masks

OPEN_LINES = Evaluation(
    "lines",
    message("Open lines"),
    message(
        "The lines that are still open to the side to move, less those that are still open to the other (Nilsson)."
    ),
)


@dataclass(frozen=True)
class StonesNotation:
    """Stones of two players on a grid of squares. Implements `engine.rules.contract.Notation`."""

    position: Callable[..., Any]
    """Makes a position from its words."""
    columns: int
    rows: int
    players: tuple[str, str] = field(default=("X", "O"), kw_only=True)

    def move_name(self, move: int) -> str:
        row, column = divmod(move, self.columns)
        return f"{column_name(column)}{row + 1}"

    def mover(self, position: Position) -> int:
        x, o = self.stones(position)
        return 0 if count(x) == count(o) else 1

    @abstractmethod
    def stones(self, position: Position) -> tuple[int, int]:
        """The stones of x and of o, as sets of squares."""

    def cells(self, position: Position) -> tuple[int | None, ...]:
        cells: list[int | None] = [None] * (self.columns * self.rows)
        for player, stones in enumerate(self.stones(position)):
            for square in each(stones):
                cells[square] = player
        return tuple(cells)

    def winning_line(self, position: Position) -> tuple[int, ...]:
        return ()

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        return None

    def format(self, position: Position) -> str:
        glyphs = ["." if cell is None else "xo"[cell] for cell in self.cells(position)]
        return "/".join("".join(glyphs[row * self.columns : (row + 1) * self.columns]) for row in range(self.rows))

    def parse(self, text: str) -> Position:
        rows, _, word = text.strip().lower().partition(" ")
        return self.position_of(rows, word.strip())

    def position_of(self, rows: str, word: str) -> Position:
        """The position with these rows and the word after them, which may be empty. Raises ValueError, with a sentence,
        if it cannot be read or reached. Here the stones tell who is to move, and the word may say it once more."""
        position = self.from_stones(*self.read(rows))
        mover = "xo"[self.mover(position)]
        if word not in ("", mover):
            raise ValueError(
                message(
                    "The position {text} ends in {word}: by its stones {mover} is to move.",
                    text=repr(f"{rows} {word}"),
                    word=repr(word),
                    mover=mover,
                )
            )
        return position

    def transcript(self, text: str) -> tuple[int, ...] | None:
        return None

    @abstractmethod
    def from_stones(self, x: int, o: int) -> Position:
        """The position with these stones. Raises ValueError, with a sentence for the user, if it cannot be reached."""

    def lead(self, x: int, o: int) -> int:
        """The stones of x minus those of o, in games whose sides alternate. Raises ValueError, with a sentence, if that
        is neither 0 nor 1."""
        more = count(x) - count(o)
        if more not in (0, 1):
            raise ValueError(
                message(
                    "The position is impossible: {x} x and {o} o; x moves first, so x has as many as o, or one more.",
                    x=count(x),
                    o=count(o),
                )
            )
        return more

    def read(self, text: str) -> tuple[int, int]:
        """The stones of x and of o in a text of rows. Raises ValueError, with a sentence, if it has another form."""
        rows = text.split("/")
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise ValueError(
                message(
                    "The position {text} does not fit a board of {columns} × {rows}: give its rows, joined by '/'.",
                    text=repr(text),
                    columns=self.columns,
                    rows=self.rows,
                )
            )
        glyphs = "".join(rows)
        strange = sorted(set(glyphs) - set("xo."))
        if strange:
            raise ValueError(
                message(
                    "The position {text} contains {strange}: use only x, o and . (an empty square).",
                    text=repr(text),
                    strange=repr(strange[0]),
                )
            )
        x, o = (sum(1 << square for square, glyph in enumerate(glyphs) if glyph == stone) for stone in "xo")
        return x, o


@dataclass(frozen=True)
class TranscriptNotation(StonesNotation):
    """A notation that also reads transcripts: the squares of the moves from the start of the game, "f5d6c3", in small
    letters or large, with or without spaces between."""

    passes: tuple[str, ...] = field(default=(), kw_only=True)
    """The spellings of a pass, whose number follows that of the last square."""

    @property
    @abstractmethod
    def start(self) -> Position:
        """The position at the start of the game."""

    def parse(self, text: str) -> Position:
        moves = self.transcript(text)
        return super().parse(text) if moves is None else reduce(play, moves, self.start)

    def must_pass(self, position: Position) -> bool:
        """Whether the side to move can only pass. A transcript may leave that out."""
        return not is_over(position) and bool(legal(position) >> self.columns * self.rows & 1)

    def transcript(self, text: str) -> tuple[int, ...] | None:
        written = text.strip().lower()
        if not re.fullmatch(rf"({self._one_move})(\s*({self._one_move}))*", written):
            return None
        position, moves = self.start, list[int]()
        for number, name in enumerate(re.findall(self._one_move, written), 1):
            move = pass_move = self.columns * self.rows
            if name not in self.passes:
                move = (int(name[1]) - 1) * self.columns + ord(name[0]) - ord("a")
                if self.must_pass(position):
                    moves.append(pass_move)
                    position = play(position, pass_move)
            position = self.followed(position, move, number)
            moves.append(move)
        return tuple(moves)

    @cached_property
    def _one_move(self) -> str:
        """A move of a transcript, as a regular expression."""
        return "|".join([rf"[a-{column_name(self.columns - 1)}][1-{self.rows}]", *self.passes])

    def followed(self, position: Position, move: int, number: int) -> Position:
        """The position after the `number`-th move of a transcript. Raises ValueError, with a sentence, if that is not
        legal."""
        name = self.move_name(move)
        if is_over(position):
            raise ValueError(
                message("Move {number}, {name}, comes after the end of the game.", number=number, name=name)
            )
        if not legal(position) >> move & 1:
            player = self.players[self.mover(position)]
            raise ValueError(
                message("Move {number}, {name}, is not legal for {player}.", number=number, name=name, player=player)
            )
        return play(position, move)


@dataclass(frozen=True)
class GridNotation(StonesNotation):
    """The notation of games of k in a row, with positions of two words, the side to move's first."""

    k: int

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """All winning lines as sets of squares."""
        return line_masks(self.columns, self.rows, self.k)

    def mover(self, position: Position) -> int:
        return self.side_after(count(position.mine) + count(position.theirs))

    def side_after(self, stones: int) -> int:
        """The side to move when that many stones are on the board."""
        return stones % 2

    def check_stones(self, x: int, o: int) -> None:
        """Raise ValueError, with a sentence, if the sides cannot have that many stones."""
        self.lead(x, o)

    def stones(self, position: Position) -> tuple[int, int]:
        mine, theirs = position
        return (mine, theirs) if self.mover(position) == 0 else (theirs, mine)

    def winning_line(self, position: Position) -> tuple[int, ...]:
        held = 0
        for stones in position:
            for line in self.lines:
                if stones & line == line:
                    held |= line
        return tuple(each(held))

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        mine, theirs = (int(stones) for stones in position)
        wins = [2 * count(line & ~mine) - 1 for line in self.lines if line & theirs == 0]
        wins += [2 * count(line & ~theirs) for line in self.lines if line & mine == 0]
        free = self.columns * self.rows - count(mine | theirs)
        return None if min(wins, default=plies) < plies else tuple(range(free, free - plies, -1))

    def from_stones(self, x: int, o: int) -> Position:
        self.check_stones(x, o)
        stones = count(x) + count(o)
        self.check_lines(x, o, [self.side_after(stones - 1)] if stones else [])
        return self.position(x, o) if self.side_after(stones) == 0 else self.position(o, x)

    def check_lines(self, x: int, o: int, last: Collection[int]) -> None:
        """Raise ValueError, with a sentence, if no game with these stones ends with its first line. `last` are the
        sides that may have placed the last stone."""
        x_lines, o_lines = ([line for line in self.lines if stones & line == line] for stones in (x, o))
        x_won, o_won = bool(x_lines), bool(o_lines)
        if x_won and o_won:
            raise ValueError(
                message("The position is impossible: both players have a line, and the first line ends the game.")
            )
        if (x_won and 0 not in last) or (o_won and 1 not in last):
            raise ValueError(
                message(
                    "The position is impossible: {player} has a line, so the other player could not have moved after "
                    "it.",
                    player="x" if x_won else "o",
                )
            )
        if (x_won or o_won) and reduce(and_, x_lines or o_lines) == 0:
            raise ValueError(
                message(
                    "The position is impossible: {player} has two lines without a square in common, and the first "
                    "ended the game.",
                    player="x" if x_won else "o",
                )
            )
