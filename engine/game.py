"""The contract between a game and everything that searches, draws or plays it.

A *position* is an immutable NamedTuple of integers, seen by the side to move. A game gives the rules below as pure
functions on it, once: in Python they are ordinary single-dispatch functions; `engine.compiled` hands the very same
bodies to numba. To add a game, put one file into `engine/games` (see `tictactoe.py`).

Bodies that numba compiles know one kind of integer, the 64-bit word, so a rule keeps to the operations that mean the
same on Python's integers: `& | ^ ~ <<`, the helpers of `engine.bits`, and comparisons with 0. (`>>`, `<` and `+` differ
once bit 63, the last square of an 8 x 8 board, is set.)

Values are always from the point of view of the side to move: +1 a win, 0 a draw, -1 a loss.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any, Protocol

ONGOING = 2
"""What `outcome` gives while the game goes on."""

UNIT = 400
"""What a win is worth beside an estimate, which is a part of a win."""

MAX_SQUARES = 64
"""Moves are bits of one word."""

Position = Any
"""A NamedTuple of integers; its type is the game."""


def _undeclared(position: Position) -> TypeError:
    return TypeError(f"{type(position).__name__} is no position of a game that gives this rule.")


@singledispatch
def legal(position: Position) -> int:
    """The moves of the side to move, as a set of bits; 0 where there is none. The game may already be over."""
    raise _undeclared(position)


@singledispatch
def play(position: Position, move: int) -> Position:
    """The position after `move`, seen by the next player. The move must be legal: it is not checked."""
    raise _undeclared(position)


@singledispatch
def won(position: Position) -> bool:
    """Whether the player who just moved has won; 1 and 0 do as well."""
    raise _undeclared(position)


@singledispatch
def outcome(position: Position) -> int:
    """The score for the side to move if the game is over (-1, 0 or +1), else ONGOING."""
    raise _undeclared(position)


@singledispatch
def remaining(position: Position) -> int:
    """At most how many plies are left, if nobody wins before."""
    raise _undeclared(position)


@singledispatch
def evaluate(position: Position) -> int:
    """An estimate of how a game that goes on will end, for the side to move: more than -UNIT and less than +UNIT."""
    raise _undeclared(position)


@singledispatch
def key(position: Position) -> int:
    """A number that identifies the position, one 64-bit word; no two positions share one if they fit into 64 bits."""
    raise _undeclared(position)


@singledispatch
def turned(position: Position, turn: int) -> Position:
    """The position under one of its symmetries, `turn` from 0 (itself) to fewer than `Game.symmetries` has."""
    raise _undeclared(position)


RULES: tuple[Callable[..., Any], ...] = (legal, play, won, outcome, remaining, evaluate, key, turned)
"""Every rule, for those who hand them on: the compiler, and the test of the contract."""


class Notation(Protocol):
    """What a person sees of a game: squares, glyphs, and how moves and positions are written."""

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def players(self) -> tuple[str, str]:
        """Their glyphs; the first one begins."""
        ...

    def parse(self, text: str) -> Position:
        """The position that `text` describes. Raises ValueError, with a sentence for the user, if there is none."""
        ...

    def format(self, position: Position) -> str:
        """The text that `parse` reads back."""
        ...

    def move_name(self, move: int) -> str:
        """How a move is written: "b2"."""
        ...

    def mover(self, position: Position) -> int:
        """Which player (an index into `players`) is to move."""
        ...

    def cells(self, position: Position) -> tuple[int | None, ...]:
        """Whose stone is on each square, row by row: an index into `players`, or None."""
        ...

    def winning_line(self, position: Position) -> tuple[int, ...]:
        """The squares of every completed line, ascending; empty while nobody has won."""
        ...

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        """How many moves there are on each of the next plies, at most all that remain, if that is so whatever is
        played; None where it is not, since somebody may win before."""
        ...


@dataclass(frozen=True)
class Game:
    """One game as the rest of the program knows it."""

    spec: str
    """How it is named in a job and on the command line: "tictactoe", "mnk:4,4,4"."""
    title: str
    start: Position
    notation: Notation = field(compare=False)
    symmetries: tuple[tuple[int, ...], ...] = field(compare=False)
    """For each turn, where each move goes; the first leaves all where they are."""
    preference: tuple[int, ...] = field(compare=False)
    """How promising each move is before anything is known, 0 to 255: the domain's own order."""
