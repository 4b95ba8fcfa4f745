"""Three in a row on 3 x 3; a stone in the middle of an edge lets its side move again.

So the children of one node differ in the side to move, which the position must hold: `second` is 1 if o is to move.
"""

from dataclasses import dataclass
from typing import NamedTuple

from engine.rules.bits import count
from engine.rules.board_view import BoardView
from engine.rules.contract import (
    Evaluation,
    Game,
    Position,
    Traits,
    declare,
    is_over,
    key,
    legal,
    move_promise,
    play,
    plies_bound,
    to_move,
    transformed,
    utility,
)
from engine.rules.notation import StonesNotation

NAME, ALIASES, SIZES = "again", (), ()
LINES = (7, 56, 448, 73, 146, 292, 273, 84)
EDGES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7


class Again(NamedTuple):
    mine: int
    theirs: int
    second: int


@legal.register
def _legal(position: Again) -> int:
    return 511 & ~(position.mine | position.theirs)


@to_move.register
def _to_move(position: Again) -> int:
    return position.second


@play.register
def _play(position: Again, move: int) -> Again:
    mine = position.mine | (1 << move)
    if (1 << move) & EDGES != 0:
        return Again(mine, position.theirs, position.second)
    return Again(position.theirs, mine, 1 - position.second)


@is_over.register
def _is_over(position: Again) -> bool:
    return utility(position) != 0 or position.mine | position.theirs == 511


@utility.register
def _utility(position: Again) -> int:
    for line in LINES:
        if position.mine & line == line:
            return 1
        if position.theirs & line == line:
            return -1
    return 0


@plies_bound.register
def _plies_bound(position: Again) -> int:
    return count(511 & ~(position.mine | position.theirs))


@move_promise.register
def _move_promise(position: Again, move: int) -> int:
    return 9 - move


@key.register
def _key(position: Again) -> int:
    return (position.mine << 9 | position.theirs) << 1 | position.second


@transformed.register
def _transformed(position: Again, symmetry: int) -> Again:
    return position


def _more(position: Again) -> int:
    return 20 * (count(position.mine) - count(position.theirs))


declare(Again, Traits(moves=9, plies=9, widest=9, alternates=False), (_more,))


@dataclass(frozen=True)
class AgainNotation(StonesNotation):
    """Rows, and x or o for the side to move: "x../.../... o"."""

    def mover(self, position: Position) -> int:
        return position.second

    def stones(self, position: Position) -> tuple[int, int]:
        mine, theirs, second = position
        return (theirs, mine) if second else (mine, theirs)

    def winning_line(self, position: Position) -> tuple[int, ...]:
        held = [line for line in LINES if position.mine & line == line or position.theirs & line == line]
        return tuple(square for square in range(9) if any(line >> square & 1 for line in held))

    def from_stones(self, x: int, o: int) -> Position:
        return Again(x, o, 0)

    def format(self, position: Position) -> str:
        return f"{super().format(position)} {'xo'[position.second]}"

    def parse(self, text: str) -> Position:
        rows, _, mover = text.strip().lower().partition(" ")
        x, o = self.read(rows)
        return Again(o, x, 1) if mover == "o" else Again(x, o, 0)


def game(sizes: str = "") -> Game:
    return Game(
        "again",
        "Again",
        Again(0, 0, 0),
        AgainNotation(Again, 3, 3),
        BoardView(3, 3, writes_mover=True),
        (tuple(range(9)),),
        (Evaluation("more", "More", "More stones."),),
        "An edge lets its side move again.",
    )
