"""A game of a loaded die, in which the children of one node may be chance nodes, moves of either side, or the end.

Each of the throws gives 1, 2 or 3, with the weights 1, 2 and 3. Its side then takes so many points, and the other side
throws (move 0); or gives one to the other side, and throws again (1); or, of a 3, takes one point and leaves one to
the other side, which moves without a throw (2). The margin counts, up to 3. The outcomes are moves of a second word.
"""

from dataclasses import dataclass
from typing import NamedTuple

from engine.rules.bits import wide
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
    weight,
)
from engine.rules.notation import StonesNotation

NAME, ALIASES, SIZES = "stakes", (), ()
THROWS = 5


class Stakes(NamedTuple):
    mine: int
    theirs: int
    left: int
    face: int
    """What has been thrown; 0 before a throw."""
    second: int


@legal.register
def _legal(position: Stakes) -> int:
    if position.face == 0:
        return wide(0, 7)
    return wide(7, 0) if position.face == 3 and position.left > 1 else wide(3, 0)


@weight.register
def _weight(position: Stakes, move: int) -> int:
    return move - 63 if position.face == 0 else 0


@to_move.register
def _to_move(position: Stakes) -> int:
    return position.second


@play.register
def _play(position: Stakes, move: int) -> Stakes:
    mine, theirs, left, face, second = position
    if face == 0:
        return Stakes(mine, theirs, left, move - 63, second)
    if move == 0:
        return Stakes(theirs, mine + face, left - 1, 0, 1 - second)
    if move == 1:
        return Stakes(mine, theirs + 1, left - 1, 0, second)
    return Stakes(theirs, mine + 1, left - 1, 1, 1 - second)


@is_over.register
def _is_over(position: Stakes) -> bool:
    return position.left == 0


@utility.register
def _utility(position: Stakes) -> int:
    ahead = position.mine - position.theirs
    return 3 if ahead > 3 else -3 if ahead < -3 else ahead


@plies_bound.register
def _plies_bound(position: Stakes) -> int:
    return 2 * position.left - (0 if position.face == 0 else 1)


@move_promise.register
def _move_promise(position: Stakes, move: int) -> int:
    return 9


@key.register
def _key(position: Stakes) -> int:
    mine, theirs, left, face, second = position
    return (((mine << 8 | theirs) << 8 | left) << 2 | face) << 1 | second


@transformed.register
def _transformed(position: Stakes, symmetry: int) -> Stakes:
    return position


def _ahead(position: Stakes) -> int:
    return 70 * utility(position) + 11 * position.face


declare(
    Stakes,
    Traits(moves=67, plies=2 * THROWS, widest=3, utility=3, alternates=False, chance=True),
    (_ahead,),
)


@dataclass(frozen=True)
class StakesNotation(StonesNotation):
    """The five numbers: "0 0 6 0 0"."""

    def mover(self, position: Position) -> int:
        return position.second

    def stones(self, position: Position) -> tuple[int, int]:
        return 0, 0

    def from_stones(self, x: int, o: int) -> Position:
        return Stakes(0, 0, THROWS, 0, 0)

    def format(self, position: Position) -> str:
        return " ".join(map(str, position))

    def parse(self, text: str) -> Position:
        return Stakes(*map(int, text.split()))

    def move_name(self, move: int) -> str:
        return f"die-{move - 63}" if move > 63 else ("take", "again", "leave")[move]


def game(sizes: str = "") -> Game:
    return Game(
        "stakes",
        "Stakes",
        Stakes(0, 0, THROWS, 0, 0),
        StakesNotation(Stakes, 3, 1),
        BoardView(3, 1),
        (tuple(range(67)),),
        (Evaluation("ahead", "Ahead", "Points ahead."),),
        "A loaded die.",
        "The die",
    )
