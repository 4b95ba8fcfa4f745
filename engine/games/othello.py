"""Othello, also called Reversi, on 4 x 4, 6 x 6 or 8 x 8 ("othello:8"), scored by win or by discs ("othello:8,discs").

A disc goes on an empty square from which a straight line leads over discs of the other side to one of the mover's own:
all discs between are flipped. A side that has no such square passes; the game is over when neither side has one.

A position has two words of discs, bit i for square i, row by row, and a word that is 1 if white is to move; `mine` are
the discs of the side to move. The number of a pass follows that of the last square:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    2   8  9 10 11 12 13 14 15                  x  black, who begins
    3  16 17 18 19 20 21 22 23                  o  white
    4  24 25 26 27  o  x 30 31      o on 27 and 36, x on 28 and 35
    5  32 33 34  x  o 37 38 39
    6  40 41 42 43 44 45 46 47
    7  48 49 50 51 52 53 54 55
    8  56 57 58 59 60 61 62 63      64: a pass

All lines are followed at once: a fill extends from a seed step by step in one direction over adjacent discs of the
other side (the Kogge-Stone fill of chess programs, www.chessprogramming.org/Kogge-Stone_Algorithm). Only discs with a
neighbour on both sides can be flipped along a line. The fill therefore excludes the edges across its direction, no line
wraps round the edge of the board, and sign bits shifted in from the left are never read.

Each size and scoring has its own position type, made at its first use ("Othello_8", "Othello_8_discs").
"""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.messages import message
from engine.rules import grid
from engine.rules.bits import count, first, hashed, look_up, mapped, wide
from engine.rules.board_view import BoardView, Shape, Surface
from engine.rules.contract import (
    UNIT,
    Evaluation,
    Game,
    Position,
    Traits,
    declare,
    is_over,
    key,
    legal,
    move_promise,
    part,
    play,
    plies_bound,
    transformed,
    utility,
)
from engine.rules.notation import TranscriptNotation

NAME = "othello"
ALIASES = ("reversi",)
SIZES = ("8", "6", "4", "8,discs", "6,discs", "4,discs")

SIDES = 4, 6, 8
DISCS = "discs"
"""In a spec: the winner's margin counts."""
DISC_LOOK = (Shape.DISC, Shape.DISC), ("black", "white"), Surface.FELT

WIDEST = {4: 12, 6: 28, 8: 51}
"""Legal moves at most: for m of them there are m empty squares, and as each disc has eight neighbours, and eight lines
lead away from it, at least m / 8 discs of the other side to flip and m / 8 of one's own at the lines' ends: so
m + m / 8 + m / 8 squares or more."""

WEIGHTS = ((24, -4, 4, 1), (-4, -8, -1, -1), (4, -1, 3, 1), (1, -1, 1, 1))
"""The value of a disc on each square of the top left quarter of 8 x 8; smaller boards leave out the last rows.
Source: P. Norvig, Paradigms of Artificial Intelligence Programming (1992), chapter 18; a fifth, rounded."""
MOBILITY, STABLE = 8, 16
"""The values of a move and of a stable disc in the evaluation that combines them with the WEIGHTS. Tuned by games of
searches four plies deep: it won 38 of 40 against mobility alone, and more against the others."""

EVALUATIONS = (
    Evaluation(
        "stability", message("Stability"), message("Discs that can never be flipped, mobility and squares together.")
    ),
    Evaluation("mobility", message("Mobility"), message("How many more moves the side to move has than the other.")),
    Evaluation(
        "squares", message("Squares"), message("What the discs' squares are worth: corners most, X-squares least.")
    ),
    Evaluation("discs", message("Discs"), message("How many more discs the side to move has than the other.")),
)


@part
def above(seed: int, free: int, step: int) -> int:
    """The squares of `free` that lie in a row from a seed on, each `step` higher than the one before; at most six."""
    found = free & (seed << step)
    found |= free & (found << step)
    pairs = free & (free << step)
    found |= pairs & (found << 2 * step)
    return found | pairs & (found << 2 * step)


@part
def below(seed: int, free: int, step: int) -> int:
    """The same, each `step` lower."""
    found = free & (seed >> step)
    found |= free & (found >> step)
    pairs = free & (free >> step)
    found |= pairs & (found >> 2 * step)
    return found | pairs & (found >> 2 * step)


@part
def ends(mine: int, theirs: int, step: int, within: int) -> int:
    """The squares after a row of their discs that begins beside one of mine, both ways along an axis."""
    free = theirs & within
    return above(mine, free, step) << step | below(mine, free, step) >> step


@part
def flipped(disc: int, mine: int, theirs: int, step: int, within: int) -> int:
    """Their discs between the new one and another of mine, both ways along an axis."""
    free = theirs & within
    up, down = above(disc, free, step), below(disc, free, step)
    return (up if mine & (up << step) != 0 else 0) | (down if mine & (down >> step) != 0 else 0)


@part
def beside(discs: int, step: int, within: int) -> int:
    """The squares beside a disc or the edge, along an axis."""
    return discs << step | discs >> step | ~within


@cache
def position_type(side: int, by_discs: bool) -> Any:
    """The NamedTuple type of one size and scoring, with its rules registered."""
    name = f"Othello_{side}" + (f"_{DISCS}" if by_discs else "")
    size: Any = NamedTuple(name, [("mine", int), ("theirs", int), ("white", int)])
    size.__module__ = __name__
    squares = pass_move = side * side
    inside = sum(1 << square for square in range(squares) if 0 < square % side < side - 1)
    between = sum(1 << square for square in range(side, squares - side))
    inner = inside & between
    across, along, falling, rising = (1, inside), (side, between), (side + 1, inner), (side - 1, inner)
    margin = squares if by_discs else 1
    weights, masks = _weighed(side)
    promise = np.array([_weight(square, side) - min(weights) for square in range(squares)] + [0])
    symmetry_table = grid.symmetry_table(grid.symmetries(side, side))
    zobrist = grid.zobrist(squares)
    is_wide, is_exact = pass_move > 63, squares <= grid.EXACT_SQUARES

    # The names are unique: numba distinguishes functions compiled by two processes by name and number.
    @legal.register(size)
    def legal_here(position):
        mine, theirs = position.mine, position.theirs
        found = ends(mine, theirs, *across) | ends(mine, theirs, *along)
        found |= ends(mine, theirs, *falling) | ends(mine, theirs, *rising)
        moves = found & ~(mine | theirs)
        if is_wide:
            return wide(moves, 1 if moves == 0 else 0)
        return moves if moves != 0 else 1 << pass_move

    @play.register(size)
    def play_here(position, move):
        mine, theirs = position.mine, position.theirs
        if move == pass_move:
            return size(theirs, mine, 1 - position.white)
        disc = 1 << move
        flips = flipped(disc, mine, theirs, *across) | flipped(disc, mine, theirs, *along)
        flips |= flipped(disc, mine, theirs, *falling) | flipped(disc, mine, theirs, *rising)
        return size(theirs & ~flips, mine | flips | disc, 1 - position.white)

    @is_over.register(size)
    def is_over_here(position):
        if first(legal(position)) != pass_move:
            return False
        return first(legal(size(position.theirs, position.mine, 0))) == pass_move

    @utility.register(size)
    def utility_here(position):
        more = count(position.mine) - count(position.theirs)
        empty = squares - count(position.mine) - count(position.theirs)
        if by_discs:
            return more + empty if more > 0 else more - empty if more < 0 else 0
        return 1 if more > 0 else -1 if more < 0 else 0

    @plies_bound.register(size)
    def plies_bound_here(position):
        """Each disc fills a square, and no two passes follow each other: so there are at most as many as discs."""
        most = 2 * (squares - count(position.mine) - count(position.theirs))
        if first(legal(position)) != pass_move:
            return most - 1
        return 0 if is_over(position) else most

    @part
    def moves_ahead(position):
        """The moves of the side to move minus those of the other side."""
        ours, others = legal(position), legal(size(position.theirs, position.mine, 0))
        passes = (1 if first(ours) == pass_move else 0) - (1 if first(others) == pass_move else 0)
        return count(ours) - count(others) - passes

    @part
    def stable_ahead(position):
        """The same for stable discs: those with the edge or a stable disc beside them along each axis."""
        ahead, discs = 0, position.mine
        for sign in (1, -1):
            found, more = -1, 0
            while found != more:
                found = more
                more = discs & beside(found, *across) & beside(found, *along)
                more &= beside(found, *falling) & beside(found, *rising)
            ahead += sign * count(found)
            discs = position.theirs
        return ahead

    @part
    def squares_ahead(position):
        """The same for the weights of their squares."""
        ahead = 0
        for i in range(len(weights)):
            mask = look_up(masks, i)
            ahead += look_up(weights, i) * (count(position.mine & mask) - count(position.theirs & mask))
        return ahead

    @part
    def scaled(points):
        return min(max(points, 1 - UNIT), UNIT - 1) * margin

    def evaluate_all(position):
        points = MOBILITY * moves_ahead(position) + STABLE * stable_ahead(position)
        return scaled(points + squares_ahead(position))

    def evaluate_mobility(position):
        return scaled(12 * moves_ahead(position))

    def evaluate_squares(position):
        return scaled(3 * squares_ahead(position))

    def evaluate_discs(position):
        return scaled((count(position.mine) - count(position.theirs)) * ((UNIT - 1) // squares))

    @move_promise.register(size)
    def move_promise_here(position, move):
        return look_up(promise, move)

    @key.register(size)
    def key_here(position):
        if is_exact:
            return (position.mine << squares | position.theirs) << 1 | position.white
        return hashed(zobrist, position.mine, position.theirs) ^ position.white

    @transformed.register(size)
    def transformed_here(position, symmetry):
        mine = mapped(symmetry_table, symmetry, position.mine)
        return size(mine, mapped(symmetry_table, symmetry, position.theirs), position.white)

    declare(
        size,
        Traits(squares + 1, 2 * (squares - 4) - 1, WIDEST[side], utility=margin, passes=True),
        (evaluate_all, evaluate_mobility, evaluate_squares, evaluate_discs),
    )
    return size


def _weight(square: int, side: int) -> int:
    """The weight of a square."""
    row, column = (min(place, side - 1 - place) for place in divmod(square, side))
    return WEIGHTS[row][column]


def _weighed(side: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct weights, and the squares with each."""
    weights = sorted({_weight(square, side) for square in range(side * side)})
    masks = [sum(1 << square for square in range(side * side) if _weight(square, side) == one) for one in weights]
    return np.array(weights), grid.words(masks)


def __getattr__(name: str) -> Any:
    """The position type of a size and scoring, by its name."""
    if found := re.fullmatch(f"Othello_([{''.join(map(str, SIDES))}])(_{DISCS})?", name):
        return position_type(int(found[1]), found[2] is not None)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@dataclass(frozen=True)
class ReversiNotation(TranscriptNotation):
    """Rows and who is to move: x for black, who begins, o for white. On 4 x 4 the game begins at
    "..../.ox./.xo./.... x". Who is to move may be left out: then it is whose turn it is if nobody has passed, or the
    other side where that one cannot move.

    In a transcript a pass may be left out, as it is in tournaments.
    """

    players: tuple[str, str] = field(default=(message("Black"), message("White")), kw_only=True)
    passes: tuple[str, ...] = field(default=("pass", "pa", "ps", "--"), kw_only=True)

    @property
    def start(self) -> Position:
        """White on the middle of the falling diagonal, black on that of the rising one."""
        corner = (self.columns + 1) * (self.columns // 2 - 1)
        black, white = 1 << corner + 1 | 1 << corner + self.columns, 1 << corner | 1 << corner + self.columns + 1
        return self.position(black, white, 0)

    def move_name(self, move: int) -> str:
        return self.passes[0] if move == self.columns * self.rows else super().move_name(move)

    def mover(self, position: Position) -> int:
        return position.white

    def stones(self, position: Position) -> tuple[int, int]:
        mine, theirs, white = position
        return (theirs, mine) if white else (mine, theirs)

    def format(self, position: Position) -> str:
        return f"{super().format(position)} {'xo'[position.white]}"

    def position_of(self, rows: str, word: str) -> Position:
        if word not in ("x", "o", ""):
            raise ValueError(message("{mover} cannot be to move: write x (black) or o (white).", mover=repr(word)))
        position = self.from_stones(*self.read(rows))
        return position if word in ("", "xo"[position.white]) else self._other_to_move(position)

    def from_stones(self, x: int, o: int) -> Position:
        start = self.start
        if (start.mine | start.theirs) & ~(x | o):
            raise ValueError(
                message("The position is impossible: the four squares in the middle hold discs from the start.")
            )
        black, white = self.position(x, o, 0), self.position(o, x, 1)
        expected = white if count(x | o) % 2 else black
        return self._other_to_move(expected) if self.must_pass(expected) else expected

    def _other_to_move(self, position: Position) -> Position:
        """The same position with the other side to move."""
        return self.position(position.theirs, position.mine, 1 - position.white)


def game(sizes: str = "") -> Game:
    """The game of one size and scoring, "SIDE" or "SIDE,discs". Raises ValueError, with a sentence, for any other."""
    parts = [part.strip() for part in (sizes or SIZES[0]).split(",")]
    by_discs = parts[-1] == DISCS
    numbers = (parts[:-1] or [SIZES[0]]) if by_discs else parts
    if len(set(numbers)) != 1 or len(numbers) > 2 or numbers[0] not in map(str, SIDES):
        raise ValueError(
            message(
                "Othello is played on 4 × 4, 6 × 6 or 8 × 8: write {example}, or {discs} where the margin counts.",
                example="othello:8",
                discs="othello:8,discs",
            )
        )
    side = int(numbers[0])
    size = position_type(side, by_discs)
    notation = ReversiNotation(size, side, side)
    return Game(
        spec=f"{NAME}:{side}" + (f",{DISCS}" if by_discs else ""),
        title=message("Othello {side} × {side}, by discs", side=side)
        if by_discs
        else message("Othello {side} × {side}", side=side),
        start=notation.start,
        notation=notation,
        view=BoardView(side, side, *DISC_LOOK, shows_moves=True, counts=True, writes_mover=True),
        symmetries=tuple((*symmetry, side * side) for symmetry in grid.symmetries(side, side)),
        evaluations=EVALUATIONS,
        summary=message("Enclose discs to flip them; the difference counts, and the winner has the empty squares too.")
        if by_discs
        else message("Enclose discs of the other side to flip them; who has most at the end wins."),
    )
