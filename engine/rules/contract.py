"""The contract between a game and everything that searches, draws or plays it.

A *position* is an immutable NamedTuple of integers, seen by the side to move; each fits one 64-bit word. A game gives
the rules below as pure functions on it, once: in Python they are ordinary single-dispatch functions;
`engine.jit.lowering` hands the very same bodies to numba. To add a game, put one file into `engine/games` (see
`connect_four.py`).

Two sides move by turns. A side that can do nothing has one legal move, a pass: so a position in which the game goes on
has at least one. A set of moves is made by the operators of one word, or by `engine.rules.bits.wide` where moves are
numbered beyond 63; `engine.rules.bits` reads either.

Bodies that numba compiles know one kind of integer, the signed 64-bit word. A rule keeps to the operations that mean
the same on Python's integers: `& | ^ ~ <<`, the helpers of `engine.rules.bits`, and comparisons with 0. (`>>`, `<` and
`+` differ once bit 63, the last square of an 8 x 8 board, is set: after `>>` mask what comes in from the left.)

Values are always from the point of view of the side to move.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any, NamedTuple, Protocol, TypeVar

from engine.rules.board_view import BoardView

T = TypeVar("T", bound=Callable[..., Any])

UNIT = 300
"""What a utility of 1 is worth beside an estimate, which is a part of it."""
WIN = 100
"""What a win counts where sooner is better, less the plies from the root of the search to the end of the game."""

MAX_SQUARES = 64
"""Squares of a board whose moves fit one word."""
MAX_MOVES = 127
"""Numbers that a game has for its moves, 0 to 126: the record and the packed lines have seven bits for one."""
MAX_PLIES = 84
"""Plies that a search looks ahead at most: the record counts them. A game may be longer."""

Position = Any
"""A NamedTuple of integers; its type is the game."""


class Traits(NamedTuple):
    """What kernels may build on. They are declared in a game's file, fold when a kernel is compiled, and are proved by
    random games in the contract's test."""

    moves: int
    """Moves are numbered below this; at most MAX_MOVES."""
    plies: int
    """Of the longest game, at most."""
    widest: int
    """Legal moves of a position, at most."""
    typical: float
    """Legal moves of a position, about: the mean over random games. Estimates of a tree's size rest on it."""
    free_placement: bool = False
    """Whether every empty square is a legal move, which fills it, until the game is over; only the side that just moved
    can have won; a full board that nobody has won is a draw; and utility is -1 or 0. Such a game gives `won` too."""
    utility: int = 1
    """The range of `utility`: from minus this to plus this."""
    passes: bool = False
    """Whether a legal move may be a pass."""


Evaluate = Callable[[Position], int]
"""An estimate of what a game that goes on will be worth to the side to move, UNIT for a utility of 1: strictly within
the range of the utility."""

_TRAITS: dict[type, Traits] = {}
_EVALUATIONS: dict[type, tuple[Evaluate, ...]] = {}


def declare(kind: type, traits: Traits, evaluations: tuple[Evaluate, ...]) -> None:
    """Say what is so of the positions of a type, and how they are estimated: in the order of `Game.evaluations`."""
    _TRAITS[kind], _EVALUATIONS[kind] = traits, evaluations


PARTS: list[Callable[..., Any]] = []
"""What rules call besides the rules and `engine.rules.bits`, until the compiler takes it up."""


def part(function: T) -> T:
    """Let the rules of a game call a function of its own."""
    PARTS.append(function)
    return function


def evaluations_of(kind: type) -> tuple[Evaluate, ...]:
    """How positions of that type are estimated."""
    return _EVALUATIONS[kind]


def traits(position: Position) -> Traits:
    """Of the game of a position."""
    return traits_of(type(position))


def traits_of(kind: type) -> Traits:
    """Of the game whose positions have that type. Raises TypeError if there is none."""
    try:
        return _TRAITS[kind]
    except KeyError:
        raise TypeError(f"{kind.__name__} is no position of a game that declares its traits.") from None


def _undeclared(position: Position) -> TypeError:
    return TypeError(f"{type(position).__name__} is no position of a game that gives this rule.")


@singledispatch
def legal(position: Position) -> int:
    """The moves of the side to move, as a set. Where the game is over, any set."""
    raise _undeclared(position)


@singledispatch
def play(position: Position, move: int) -> Position:
    """The position after `move`, seen by the other side. The move must be legal: it is not checked."""
    raise _undeclared(position)


@singledispatch
def is_over(position: Position) -> bool:
    """Whether the game has ended; 1 and 0 do as well."""
    raise _undeclared(position)


@singledispatch
def utility(position: Position) -> int:
    """What a game that has ended is worth to the side to move: +1 a win, 0 a draw, -1 a loss, or more where the margin
    counts, within the range that the traits declare. Of a game that goes on, any number."""
    raise _undeclared(position)


def winner(value: float, mover: int) -> int | None:
    """The player who wins by a value to the side to move, `mover`; None in a draw."""
    return None if value == 0 else mover if value > 0 else 1 - mover


def plies_to_end(score: float, ply: int = 0) -> int:
    """The plies from a position to the end of the game, by its score where sooner is better: a win or a loss. The
    position is `ply` plies below the root of the search."""
    return WIN - int(abs(score)) - ply


def seen_from_parent(score: float) -> float:
    """A score of the root of a search where sooner is better, of the same side, counted from the position before the
    root: a win or a loss is a ply farther. A draw and an estimate stay what they are."""
    return score - (score >= 1) + (score <= -1)


@singledispatch
def won(position: Position) -> bool:
    """Whether the side that just moved has won; 1 and 0 do as well. Games with free placement must give it, for their
    fastest kernels ask nothing else."""
    raise _undeclared(position)


@singledispatch
def plies_bound(position: Position) -> int:
    """At most how many plies are left; less by one at least with each ply."""
    raise _undeclared(position)


def evaluate(position: Position, which: int) -> int:
    """The estimate of a position by one of the game's evaluations, a place in `Game.evaluations`: see `Evaluate`."""
    return _EVALUATIONS[type(position)][which](position)


@singledispatch
def move_promise(position: Position, move: int) -> int:
    """How promising a legal move is before anything is searched, 0 to 255: the game's own order."""
    raise _undeclared(position)


@singledispatch
def key(position: Position) -> int:
    """A number that identifies the position, one 64-bit word; no two positions share one if they fit into 64 bits."""
    raise _undeclared(position)


@singledispatch
def transformed(position: Position, symmetry: int) -> Position:
    """The position under one of its symmetries, from 0 (itself) to fewer than `Game.symmetries` has."""
    raise _undeclared(position)


def expected_widths(position: Position, plies: int) -> list[float]:
    """How many moves there are about on each of the next plies, at most as many as are left. With free placement it is
    so until somebody wins."""
    left = plies_bound(position)
    plies = min(plies, left)
    if traits(position).free_placement:
        return [left - ply for ply in range(plies)]
    return [legal(position).bit_count() if ply == 0 else traits(position).typical for ply in range(plies)]


RULES: tuple[Callable[..., Any], ...] = (
    legal,
    play,
    is_over,
    utility,
    won,
    plies_bound,
    move_promise,
    key,
    transformed,
)
"""Every rule, for those who hand them on: the compiler, and the test of the contract."""


class Notation(Protocol):
    """How a game's moves and positions are written and read."""

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def players(self) -> tuple[str, str]:
        """Their names, as short as a glyph where there is one; the first one begins."""
        ...

    def parse(self, text: str) -> Position:
        """The position that `text` describes, in any form that people use for the game. Raises ValueError, with a
        sentence for the user, if there is none."""
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
        """Whose mark is on each square, row by row from the top left: an index into `players`, or None."""
        ...

    def winning_line(self, position: Position) -> tuple[int, ...]:
        """The squares of every completed line, ascending; empty while nobody has one."""
        ...

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        """How many moves there are on each of the next plies, at most all that remain, if that is so whatever is
        played; None where it is not, since somebody may win before."""
        ...


class Evaluation(NamedTuple):
    """A way to estimate a position that is not searched any further."""

    name: str
    """In a job and on the command line."""
    title: str
    summary: str
    """One sentence for a tool tip."""


@dataclass(frozen=True)
class Game:
    """One game as the rest of the program knows it."""

    spec: str
    """How it is named in a job and on the command line: "tictactoe", "mnk:4,4,4"."""
    title: str
    start: Position
    notation: Notation = field(compare=False)
    view: BoardView = field(compare=False)
    symmetries: tuple[tuple[int, ...], ...] = field(compare=False)
    """For each symmetry, where each move goes; the first leaves all where they are."""
    evaluations: tuple[Evaluation, ...] = field(compare=False)
    """The first is used where none is named."""
    summary: str = field(compare=False)
    """One sentence for the list of games."""
