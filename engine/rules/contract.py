"""The contract between a game and the code that searches, draws or plays it.

A *position* is an immutable NamedTuple of integers, from the point of view of the side to move; each fits one 64-bit
word. A game registers the rules below as pure functions on it. In Python they are functions `by_type`;
`engine.jit.lowering` compiles the same bodies with numba. To add a game, put one file into `engine/games` (see
`connect_four.py`).

Two sides move, mostly by turns; where one may move twice in a row, the game says so (`Traits.alternates`). A side
without another move has one legal move, a pass: a position in which the game goes on has at least one legal move. A set
of moves is made by the operators of one word, or by `engine.rules.bits.wide` if the numbers of moves exceed 63;
`engine.rules.bits` reads either form.

In a game with dice or a coin (`Traits.chance`) some positions are *chance nodes*: their legal moves are the outcomes of
the throw, each with a `weight`, and no side chooses among them. The side to move there is the one for which the
position's value is given, mostly that which throws.

Compiled bodies have one integer type, the signed 64-bit word. A rule must use only operations with the same result on
Python's integers: `& | ^ ~ <<`, the helpers of `engine.rules.bits`, and comparisons with 0. (`>>`, `<` and `+` differ
if bit 63, the last square of an 8 x 8 board, is set: after `>>`, mask the bits shifted in from the left.)

Values are for the side to move.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar

from engine.rules.bits import count, each, first
from engine.rules.board_view import BoardView
from engine.rules.by_type import by_type

T = TypeVar("T", bound=Callable[..., Any])

UNIT = 300
"""The value of a utility of 1 in a search with estimates, which are fractions of it."""
WIN = 100
"""The value of a win in the scoring SOONEST, minus the plies from the root of the search to the end of the game."""

CHANCE_UNIT = 27_648
"""The value of the greatest utility in a search of a game with chance nodes, whose values are averages: 2^10 x 3^3, so
that ten coins or three dice in a row leave no remainder. Others are rounded towards 0."""

MAX_SQUARES = 64
"""Squares of a board whose moves fit one word."""
MAX_MOVES = 127
"""The number of moves of a game, numbered 0 to 126: the record and the packed lines have seven bits for a move."""
MAX_PLIES = 84
"""The greatest depth of a search in plies, because of the record's format. A game may be longer."""

Position = Any
"""A NamedTuple of integers; its type is the game."""


class Traits(NamedTuple):
    """Properties of a game that kernels rely on. A game's file declares them. They are constants of compiled kernels.
    The contract's test checks them by random games."""

    moves: int
    """All move numbers are below this; at most MAX_MOVES."""
    plies: int
    """An upper bound on the plies of a game."""
    widest: int
    """An upper bound on the legal moves of a position."""
    free_placement: bool = False
    """Whether all of these hold: until the game is over, every empty square is a legal move, which fills it; only the
    side that just moved can have won; a full board without a winner is a draw; utility is -1 or 0. Such a game
    registers `won`."""
    utility: int = 1
    """The greatest absolute value of `utility`."""
    passes: bool = False
    """Whether a legal move may be a pass."""
    alternates: bool = True
    """Whether the other side is to move after every move. A game in which a side may move again registers `to_move`;
    it has no free placement."""
    chance: bool = False
    """Whether some positions are chance nodes. Such a game registers `weight`; its sides do not alternate, for a throw
    leaves the turn with the same side."""


Evaluate = Callable[[Position], int]
"""An estimate of the utility of an unfinished game for the side to move, UNIT for a utility of 1: strictly within the
range of the utility."""

_TRAITS: dict[type, Traits] = {}
_EVALUATIONS: dict[type, tuple[Evaluate, ...]] = {}


def declare(kind: type, traits: Traits, evaluations: tuple[Evaluate, ...]) -> None:
    """Declare the traits and evaluations of a type of positions. The order is that of `Game.evaluations`."""
    _TRAITS[kind], _EVALUATIONS[kind] = traits, evaluations


PARTS: list[Callable[..., Any]] = []
"""Functions of games that are not yet registered with the compiler."""


def part(function: T) -> T:
    """Declare a function of a game that its rules call in compiled code. Returns the function."""
    PARTS.append(function)
    return function


def evaluations_of(kind: type) -> tuple[Evaluate, ...]:
    """The evaluations of a type of positions."""
    return _EVALUATIONS[kind]


def traits(position: Position) -> Traits:
    """The traits of a position's game."""
    return traits_of(type(position))


def traits_of(kind: type) -> Traits:
    """The traits of the game with that type of positions. Raises TypeError if there is none."""
    try:
        return _TRAITS[kind]
    except KeyError:
        raise TypeError(f"{kind.__name__} is no position of a game that declares its traits.") from None


def _undeclared(position: Position) -> TypeError:
    return TypeError(f"{type(position).__name__} is no position of a game that gives this rule.")


@by_type
def legal(position: Position) -> int:
    """The set of legal moves of the side to move. Any set if the game is over."""
    raise _undeclared(position)


@by_type
def play(position: Position, move: int) -> Position:
    """The position after `move`, from the point of view of the side that is then to move. The move must be legal; this
    is not checked."""
    raise _undeclared(position)


@by_type
def to_move(position: Position) -> int:
    """The side to move: 0 for the first player, 1 for the second. Games whose sides do not alternate must register it;
    for the others `Notation.mover` tells it."""
    raise _undeclared(position)


def moves_again(before: Position, after: Position) -> bool:
    """Whether the side that made a move, which leads from one position to the other, is to move again."""
    return not traits(before).alternates and to_move(before) == to_move(after)


@by_type
def weight(position: Position, move: int) -> int:
    """The weight of a legal move as an outcome of chance: its probability is its share of the weights of all legal
    moves. 0 if a side makes the move. Games with chance nodes must register it."""
    raise _undeclared(position)


def weight_of(position: Position, move: int) -> int:
    """`weight` in any game: 0 in one without chance nodes."""
    return weight(position, move) if traits(position).chance else 0


def at_chance(position: Position) -> bool:
    """Whether a position is a chance node."""
    return traits(position).chance and not is_over(position) and weight(position, first(legal(position))) > 0


def outcomes(position: Position) -> dict[int, Fraction]:
    """The probability of each outcome of a chance node; empty if the position is none."""
    if not at_chance(position):
        return {}
    weights = {move: weight(position, move) for move in each(legal(position))}
    return {move: Fraction(share, sum(weights.values())) for move, share in weights.items()}


@by_type
def is_over(position: Position) -> bool:
    """Whether the game is over. May return 1 or 0."""
    raise _undeclared(position)


@by_type
def utility(position: Position) -> int:
    """The value of a finished game for the side to move: +1 a win, 0 a draw, -1 a loss; if the margin counts, up to the
    traits' `utility`. Any number if the game is not over."""
    raise _undeclared(position)


def winner(value: float, mover: int) -> int | None:
    """The player who wins, given a value for the side to move, `mover`; None in a draw."""
    return None if value == 0 else mover if value > 0 else 1 - mover


def plies_to_end(score: float, ply: int = 0) -> int:
    """The plies from a position to the end of the game, by its score in SOONEST, which must be a win or a loss. The
    position is `ply` plies below the root of the search."""
    return WIN - int(abs(score)) - ply


def seen_from_parent(score: float) -> float:
    """A root's score in SOONEST, counted from the root's parent instead: a win or a loss is one ply farther. The side
    stays the same. A draw and an estimate do not change."""
    return score - (score >= 1) + (score <= -1)


def is_decisive(position: Position, value: float) -> bool:
    """Whether a value is a win or a loss that no deeper search changes; none is where a win may be larger than 1."""
    return traits(position).utility == 1 and abs(value) >= 1


@by_type
def won(position: Position) -> bool:
    """Whether the side that just moved has won. May return 1 or 0. Games with free placement must register it: their
    fastest kernels use it as the only test."""
    raise _undeclared(position)


@by_type
def plies_bound(position: Position) -> int:
    """An upper bound on the plies left. It decreases by at least 1 with each ply."""
    raise _undeclared(position)


def evaluate(position: Position, which: int) -> int:
    """The estimate of a position by the game's evaluation `which`, an index of `Game.evaluations`: see `Evaluate`."""
    return _EVALUATIONS[type(position)][which](position)


@by_type
def move_promise(position: Position, move: int) -> int:
    """The static score of a legal move for the order DOMAIN, 0 to 255: higher is more promising."""
    raise _undeclared(position)


@by_type
def key(position: Position) -> int:
    """The key of a position, one 64-bit word. It is unique where all positions of the game fit one word without its
    sign; elsewhere two positions may have the same."""
    raise _undeclared(position)


@by_type
def transformed(position: Position, symmetry: int) -> Position:
    """The image of a position under a symmetry, an index of `Game.symmetries` (0: the identity)."""
    raise _undeclared(position)


RULES: tuple[Callable[..., Any], ...] = (
    legal,
    play,
    to_move,
    weight,
    is_over,
    utility,
    won,
    plies_bound,
    move_promise,
    key,
    transformed,
)
"""All rules, for the compiler and the test of the contract."""


class Notation(Protocol):
    """The notation of a game's moves and positions."""

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def players(self) -> tuple[str, str]:
        """The players' names, one glyph if possible; the first player begins."""
        ...

    def parse(self, text: str) -> Position:
        """The position of `text`, in any usual form of the game. Raises ValueError, with a sentence for the user, if it
        is not a position."""
        ...

    def transcript(self, text: str) -> tuple[int, ...] | None:
        """The moves from the start of the game that `text` lists, passes included; None if it has another form. Raises
        ValueError, with a sentence for the user, if a move is not legal."""
        ...

    def format(self, position: Position) -> str:
        """The text that `parse` reads back."""
        ...

    def move_name(self, move: int) -> str:
        """The name of a move: "b2"."""
        ...

    def mover(self, position: Position) -> int:
        """The side to move, an index of `players`."""
        ...

    def cells(self, position: Position) -> tuple[int | None, ...]:
        """The owner of the mark on each square, row by row from the top left: an index of `players`, or None."""
        ...

    def winning_line(self, position: Position) -> tuple[int, ...]:
        """The squares of all completed lines, ascending; empty if there is none."""
        ...

    def widths(self, position: Position, plies: int) -> tuple[int, ...] | None:
        """The number of legal moves on each of the next plies, for at most the plies left, if it does not depend on the
        moves played. None if it does, for instance because a side may win earlier."""
        ...


def movers(notation: Notation, position: Position, moves: Sequence[int]) -> tuple[int, ...]:
    """The player of each move of a line from a position."""
    found = []
    for move in moves:
        found.append(notation.mover(position))
        position = play(position, move)
    return tuple(found)


class Evaluation(NamedTuple):
    """The description of an evaluation for horizon leaves."""

    name: str
    """Its name in a job and on the command line."""
    title: str
    summary: str
    """One sentence for a tool tip."""


@dataclass(frozen=True)
class Game:
    """The description of one game for the rest of the program."""

    spec: str
    """Its name in a job and on the command line: "tictactoe", "mnk:4,4,4"."""
    title: str
    start: Position
    notation: Notation = field(compare=False)
    view: BoardView = field(compare=False)
    symmetries: tuple[tuple[int, ...], ...] = field(compare=False)
    """For each symmetry, the image of each move; the first is the identity."""
    evaluations: tuple[Evaluation, ...] = field(compare=False)
    """The first is the default."""
    summary: str = field(compare=False)
    """One sentence for the list of games."""
    chance: str = field(default="", compare=False)
    """What decides at chance nodes, such as "The coin"; empty if the game has none."""

    def mover_name(self, position: Position) -> str:
        """The name of the side to move, or of what decides at a chance node: "X", "The coin"."""
        return self.chance if at_chance(position) else self.notation.players[self.notation.mover(position)]

    def must_pass(self, position: Position) -> bool:
        """Whether a pass is the only legal move."""
        moves = legal(position)
        is_only = not is_over(position) and count(moves) == 1 and self.view.square_of(first(moves)) is None
        return is_only and not at_chance(position)
