"""Ultimate tic-tac-toe: nine boards of tic-tac-toe, on which one plays for the squares of a tenth, the big one.

A move on a cell of a small board sends the other side to the small board that lies where the cell does: a move on a top
left cell, to the top left board. A small board is closed when a side has three in a row on it, which wins it, or it is
full, which is a draw. Who is sent to a closed board may choose any open one. Three small boards in a row win the
game; it is a draw when all boards are closed and nobody has such a row: boards are not counted then.
(The rules of en.wikipedia.org/wiki/Ultimate_tic-tac-toe, without the variants named there.)

A side's stones are two words. Six rows of the board are in the low one; three rows, and the small boards that the side
has won, in the high one. A drawn board counts as won by both, so it is of use to neither. The squares:

        a  b  c   d  e  f   g  h  i
    1   0  1  2 | 3  4  5 | 6  7  8
    2   9 10 11 |12 13 14 |15 16 17      bits 0 to 53 of the low word
    3  18 19 20 |21 22 23 |24 25 26
       ---------+---------+---------                                        27 28 29
    4  27 28 29 |30 31 32 |33 34 35      boards won: bits of the high word  30 31 32
    5  36 37 38 |39 40 41 |42 43 44                                         33 34 35
    6  45 46 47 |48 49 50 |51 52 53
       ---------+---------+---------
    7  54 55 56 |57 58 59 |60 61 62
    8  63 64 65 |66 67 68 |69 70 71      bits 0 to 26 of the high word: move - 54
    9  72 73 74 |75 76 77 |78 79 80

A fifth word holds the boards on which the side to move may play, bit i for board i; of a small board as of the big one,
the bits are those of tic-tac-toe. The rows of a small board are nine bits apart: three shifts bring it together.
"""

from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import and_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.messages import message
from engine.rules import grid
from engine.rules.bits import count, each, hashed, look_up, mapped, wide
from engine.rules.board_view import BoardView, Line, Rectangle, Region, RegionState
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

NAME = "ultimate"
ALIASES = ("ultimate tic-tac-toe", "uttt", "super tic-tac-toe")
SIZES = ()

SIDE = 9
LOW, BIG = 54, 27
"""The first square of the high word, and its first bit for a small board."""
ALL, IN_PLACE = 0b111_111_111, 0o7 | 0o7 << SIDE | 0o7 << 2 * SIDE
"""Every cell of a small board, or every board; and the cells of a word's first small board where they lie."""

LINES = grid.line_masks(3, 3, 3)
WINS = np.array([any(stones & line == line for line in LINES) for stones in range(ALL + 1)], np.int8)
"""WINS[stones]: 1 if a set of stones on a small board, or of boards, contains a line, else 0."""
THROUGH = np.array(grid.lines_through(LINES, 9))


class Ultimate(NamedTuple):
    mine_low: int
    mine_high: int
    theirs_low: int
    theirs_high: int
    boards: int
    """The boards on which the side to move may play; none if the game is over."""


@cache
def _on(board: int, cells: int) -> int:
    """The squares of a set of cells of a small board."""
    corner = board // 3 * 27 + board % 3 * 3
    return sum(1 << corner + cell // 3 * SIDE + cell % 3 for cell in each(cells))


BOARD_OF = np.array([square // 27 * 3 + square % 9 // 3 for square in range(SIDE * SIDE)])
CELL_OF = np.array([square // 9 % 3 * 3 + square % 3 for square in range(SIDE * SIDE)])
CORNERS = np.array([0, 3, 6, 27, 30, 33, 0, 3, 6])
CORNER_OF = CORNERS[BOARD_OF]
"""The bit of the first square of each board, and of the board of each square, in its word."""
_BOARDS = [_on(board, ALL) for board in range(9)]
_SQUARES = [sum(_BOARDS[board] for board in each(boards)) for boards in range(ALL + 1)]
LOW_SQUARES = np.array([squares & (1 << LOW) - 1 for squares in _SQUARES])
HIGH_SQUARES = np.array([squares >> LOW for squares in _SQUARES])
"""[boards]: the squares of a set of boards, in the low and in the high word."""

LINE_VALUES = 0, 1, 4, 0
"""The value of a line without a stone of the other side, by its number of stones."""
MACRO, WON = 10, 12
"""The weights of lines of boards, and of a won board, relative to lines of a small board: tuned by games."""


def _lines_ahead() -> NDArray[np.int8]:
    """[mine, theirs]: the value of the lines of one set of stones minus that of the other."""
    stones, ahead = np.arange(ALL + 1), np.zeros((ALL + 1, ALL + 1), np.int8)
    for line in LINES:
        values = np.array(LINE_VALUES, np.int8)[np.bitwise_count(stones & line)]
        free = (stones & line == 0).astype(np.int8)
        ahead += np.outer(values, free) - np.outer(free, values)
    return ahead


LINES_AHEAD = _lines_ahead().reshape(-1)

SYMMETRIES = grid.symmetries(SIDE, SIDE)
BOARD_TABLE = grid.symmetry_table(grid.symmetries(3, 3))


def _symmetry_table(source: range, target: range) -> NDArray[np.int64]:
    """[symmetries, bytes, 256]: the contribution of the bits `source` of a side's two words to its bits `target` under
    each symmetry; 54 is bit 0 of the high word."""
    images = []
    for squares, boards in zip(SYMMETRIES, grid.symmetries(3, 3), strict=True):
        places = (*squares, *(LOW + BIG + board for board in boards))[source.start : source.stop]
        images.append([1 << place - target.start if place in target else 0 for place in places])
    return grid.by_bytes(np.array(images))


_LOW_BITS, _HIGH_BITS = range(LOW), range(LOW, LOW + BIG + 9)
LOW_TO_LOW, LOW_TO_HIGH = _symmetry_table(_LOW_BITS, _LOW_BITS), _symmetry_table(_LOW_BITS, _HIGH_BITS)
HIGH_TO_LOW, HIGH_TO_HIGH = _symmetry_table(_HIGH_BITS, _LOW_BITS), _symmetry_table(_HIGH_BITS, _HIGH_BITS)

_KEYS = grid.zobrist(8 * 13)
LOW_KEYS, HIGH_KEYS = _KEYS[:, :7].copy(), _KEYS[:, 7:].copy()


@part
def small(word: int, corner: int) -> int:
    """A side's stones on a small board of a word, given the bit of its first square."""
    rows = word >> corner
    return rows & 0o7 | rows >> 6 & 0o70 | rows >> 12 & 0o700


@part
def lines_ahead(mine: int, theirs: int) -> int:
    """The value of the lines of `mine` minus that of `theirs`, two sets of at most nine bits, by LINE_VALUES."""
    return look_up(LINES_AHEAD, mine << 9 | theirs)


@legal.register
def _legal(position: Ultimate) -> int:
    low = look_up(LOW_SQUARES, position.boards) & ~(position.mine_low | position.theirs_low)
    high = look_up(HIGH_SQUARES, position.boards) & ~(position.mine_high | position.theirs_high)
    return wide(low | high << LOW, high >> 64 - LOW)


@play.register
def _play(position: Ultimate, move: int) -> Ultimate:
    mine_low, mine_high, theirs_low, theirs_high, _ = position
    won, target, corner = 1 << BIG + look_up(BOARD_OF, move), 1 << look_up(CELL_OF, move), look_up(CORNER_OF, move)
    if move < LOW:
        mine_low |= 1 << move
        mine, both = small(mine_low, corner), (mine_low | theirs_low) >> corner
    else:
        mine_high |= 1 << move - LOW
        mine, both = small(mine_high, corner), (mine_high | theirs_high) >> corner
    if look_up(WINS, mine):
        mine_high |= won
        if look_up(WINS, (mine_high & ~theirs_high) >> BIG):
            return Ultimate(theirs_low, theirs_high, mine_low, mine_high, 0)
    elif both & IN_PLACE == IN_PLACE:
        mine_high |= won
        theirs_high |= won
    closed = (mine_high | theirs_high) >> BIG
    return Ultimate(theirs_low, theirs_high, mine_low, mine_high, target if closed & target == 0 else ALL & ~closed)


@is_over.register
def _is_over(position: Ultimate) -> bool:
    return position.boards == 0


@utility.register
def _utility(position: Ultimate) -> int:
    return -1 if look_up(WINS, (position.theirs_high & ~position.mine_high) >> BIG) else 0


@plies_bound.register
def _plies_bound(position: Ultimate) -> int:
    """The empty squares of all open boards."""
    is_open = ALL & ~((position.mine_high | position.theirs_high) >> BIG)
    low = look_up(LOW_SQUARES, is_open) & ~(position.mine_low | position.theirs_low)
    return count(low) + count(look_up(HIGH_SQUARES, is_open) & ~(position.mine_high | position.theirs_high))


def _evaluate_lines(position: Ultimate) -> int:
    """A small board's lines are weighted by the number of lines of boards through it."""
    mine, theirs = position.mine_high >> BIG, position.theirs_high >> BIG
    points = MACRO * lines_ahead(mine, theirs) + WON * (count(mine) - count(theirs))
    for board in range(9):
        if (mine | theirs) >> board & 1 == 0:
            ours, others = position.mine_low, position.theirs_low
            if board >= 6:
                ours, others = position.mine_high, position.theirs_high
            ours, others = small(ours, look_up(CORNERS, board)), small(others, look_up(CORNERS, board))
            points += look_up(THROUGH, board) * lines_ahead(ours, others)
    return min(max(points, 1 - UNIT), UNIT - 1)


def _evaluate_boards(position: Ultimate) -> int:
    """Drawn boards are in both sets."""
    return (count(position.mine_high >> BIG) - count(position.theirs_high >> BIG)) * ((UNIT - 1) // 9)


@move_promise.register
def _move_promise(position: Ultimate, move: int) -> int:
    """Highest for a move that wins the game, then for one that wins a board, then for one that prevents the other side
    from winning a board. Low for a move that lets the other side choose among all boards."""
    board, cell, corner = look_up(BOARD_OF, move), look_up(CELL_OF, move), look_up(CORNER_OF, move)
    mine, theirs = position.mine_low, position.theirs_low
    if move >= LOW:
        mine, theirs = position.mine_high, position.theirs_high
    promise = 80 + 4 * look_up(THROUGH, cell)
    if look_up(WINS, small(mine, corner) | 1 << cell):
        promise += 60
        if look_up(WINS, (position.mine_high & ~position.theirs_high) >> BIG | 1 << board):
            return 255
    if look_up(WINS, small(theirs, corner) | 1 << cell):
        promise += 40
    if (position.mine_high | position.theirs_high) >> BIG + cell & 1:
        promise -= 80
    return promise


@key.register
def _key(position: Ultimate) -> int:
    low = hashed(LOW_KEYS, position.mine_low, position.theirs_low)
    return low ^ hashed(HIGH_KEYS, position.mine_high, position.theirs_high | position.boards << BIG + 9)


@transformed.register
def _transformed(position: Ultimate, symmetry: int) -> Ultimate:
    mine_low, mine_high, theirs_low, theirs_high, boards = position
    return Ultimate(
        mapped(LOW_TO_LOW, symmetry, mine_low) | mapped(HIGH_TO_LOW, symmetry, mine_high),
        mapped(LOW_TO_HIGH, symmetry, mine_low) | mapped(HIGH_TO_HIGH, symmetry, mine_high),
        mapped(LOW_TO_LOW, symmetry, theirs_low) | mapped(HIGH_TO_LOW, symmetry, theirs_high),
        mapped(LOW_TO_HIGH, symmetry, theirs_low) | mapped(HIGH_TO_HIGH, symmetry, theirs_high),
        mapped(BOARD_TABLE, symmetry, boards),
    )


declare(Ultimate, Traits(moves=81, plies=81, widest=81), (_evaluate_lines, _evaluate_boards))


@dataclass(frozen=True)
class UltimateNotation(TranscriptNotation):
    """Rows of squares, then the number of the small board on which the next move must be made, 1 to 9 row by row, or
    "any"; without it, any. A square is written as on the whole board: "e5" is the middle."""

    @property
    def start(self) -> Position:
        return Ultimate(0, 0, 0, 0, ALL)

    def stones(self, position: Position) -> tuple[int, int]:
        low = (1 << BIG) - 1
        mine = position.mine_low | (position.mine_high & low) << LOW
        theirs = position.theirs_low | (position.theirs_high & low) << LOW
        return (mine, theirs) if count(mine) == count(theirs) else (theirs, mine)

    def winning_line(self, position: Position) -> tuple[int, ...]:
        """The squares of the winner's lines on the small boards of a winning row."""
        held, boards = 0, {board for line in _won_lines(position) for board in each(line)}
        stones = self.stones(position)[1 - self.mover(position)]
        for board in boards:
            for line in LINES:
                squares = _on(board, line)
                held |= squares if stones & squares == squares else 0
        return tuple(each(held))

    def format(self, position: Position) -> str:
        board = "any" if count(position.boards) != 1 else str(position.boards.bit_length())
        return f"{super().format(position)} {board}"

    def position_of(self, rows: str, word: str) -> Position:
        if word not in ("", "any", *"123456789"):
            raise ValueError(message("{board} is no small board: write 1 to 9, or any.", board=repr(word)))
        position = self.from_stones(*self.read(rows))
        return self._sent(position, int(word) - 1) if word.isdecimal() and not is_over(position) else position

    def _sent(self, position: Position, board: int) -> Position:
        """The position with the next move on that board. Raises ValueError, with a sentence, if it is impossible."""
        if position.boards >> board & 1 == 0:
            raise ValueError(
                message("Board {board} is won or full: write any, for the choice is free.", board=board + 1)
            )
        sent = sum(_on(other, 1 << board) for other in range(9))
        last = self.stones(position)[1 - self.mover(position)]
        if position.boards != 1 << board and last & sent == 0:
            raise ValueError(
                message("The position is impossible: no last move sends to board {board}.", board=board + 1)
            )
        return position._replace(boards=1 << board)

    def from_stones(self, x: int, o: int) -> Position:
        more = self.lead(x, o)
        won = [0, 0]
        for board in range(9):
            lines = [[line for line in LINES if stones & _on(board, line) == _on(board, line)] for stones in (x, o)]
            if (lines[0] and lines[1]) or any(found and reduce(and_, found) == 0 for found in lines):
                raise ValueError(
                    message("The position is impossible: the first line on board {board} closes it.", board=board + 1)
                )
            is_full = (x | o) & _on(board, ALL) == _on(board, ALL)
            for player in (0, 1):
                if lines[player] or (is_full and not lines[1 - player]):
                    won[player] |= 1 << board
        rows = [[line for line in LINES if won[player] & ~won[1 - player] & line == line] for player in (0, 1)]
        if rows[more] or (rows[1 - more] and reduce(and_, rows[1 - more]) == 0):
            raise ValueError(message("The position is impossible: the game was won before the last move."))
        sides = [(stones & (1 << LOW) - 1, stones >> LOW | won[player] << BIG) for player, stones in enumerate((x, o))]
        return Ultimate(*sides[more], *sides[1 - more], 0 if rows[1 - more] else ALL & ~(won[0] | won[1]))


def _won_lines(position: Position) -> list[int]:
    """The rows of boards that the last mover has won."""
    won = (position.theirs_high & ~position.mine_high) >> BIG
    return [line for line in LINES if won & line == line]


@dataclass(frozen=True)
class UltimateView(BoardView):
    """Small boards separated by heavy lines. A board is filled if it is won, drawn, or allowed for the next move."""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return tuple(
            line._replace(weight=3.0) if (place + 1) % 3 == 0 else line
            for side in (super().lines[: SIDE - 1], super().lines[SIDE - 1 :])
            for place, line in enumerate(side)
        )

    def regions(self, position: Position) -> tuple[Region, ...]:
        mover, mine, theirs = NOTATION.mover(position), position.mine_high >> BIG, position.theirs_high >> BIG
        found = []
        for board in range(9):
            rectangle = Rectangle(board % 3 / 3, board // 3 / 3, 1 / 3, 1 / 3)
            if (mine & theirs) >> board & 1:
                found.append(Region(rectangle, RegionState.DRAWN))
            elif (mine | theirs) >> board & 1:
                found.append(Region(rectangle, RegionState.WON, mover if mine >> board & 1 else 1 - mover))
            elif position.boards >> board & 1:
                found.append(Region(rectangle, RegionState.ACTIVE))
        return tuple(found)

    def region_of(self, square: int) -> int | None:
        return square // (3 * SIDE) * 3 + square % SIDE // 3

    def strokes(self, position: Position, winning: tuple[int, ...]) -> tuple[Line, ...]:
        """The stroke from the middle of the first small board to that of the last."""
        middles = [self.squares[board // 3 * 27 + board % 3 * 3 + SIDE + 1].centre for board in range(9)]
        return tuple(
            Line(*middles[min(each(line))], *middles[max(each(line))], weight=3.0) for line in _won_lines(position)
        )


NOTATION = UltimateNotation(Ultimate, SIDE, SIDE)

EVALUATIONS = (
    Evaluation(
        "lines", message("Lines"), message("Boards won, open lines of boards, and open lines on each small board.")
    ),
    Evaluation(
        "boards", message("Boards"), message("How many more small boards the side to move has won than the other.")
    ),
)


def game(sizes: str = "") -> Game:
    """Ultimate tic-tac-toe, which has one size. Raises ValueError, with a sentence, for any other."""
    if sizes:
        raise ValueError(message("Ultimate tic-tac-toe is always 9 × 9: leave out the size."))
    return Game(
        spec=NAME,
        title=message("Ultimate tic-tac-toe"),
        start=NOTATION.start,
        notation=NOTATION,
        view=UltimateView(SIDE, SIDE, writes_region=True),
        symmetries=SYMMETRIES,
        evaluations=EVALUATIONS,
        summary=message("Nine boards of tic-tac-toe; each move says on which board the next one is made."),
    )
