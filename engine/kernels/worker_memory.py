"""One worker's private memory: its stack of positions, its counters, and its part of the record.

Each ply has a frame, a row of 24 int64 (three cache lines: no two workers share one):

    MOVE   the child being visited        BEST   the best value so far, -INFINITY at first
    TODO   moves not yet visited: a set   LINE   its principal variation, packed (see `unpack_line`)
           of two words                   CUT    moves left unsearched by a cutoff: a set of two words
    ALPHA  the window the node was        ROW    its row of the tape
    BETA   entered with                   HINT   the table's move, or -1
    AGAIN  1 while MOVE is searched       KEY    its canonical key in the table, and the symmetry that gives it
           a second time                  TURN
    WORDS  ... the position's own words, up to 10

Values and windows are for the side to move at that ply. The functions below are plain Python; `engine.jit.kernel`
compiles them for kernels.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.raw_words import peek, poke
from engine.result import INFINITY, Counters
from engine.rules.bits import WORD, WORD_MASK
from engine.rules.contract import MAX_MOVES, MAX_PLIES, UNIT, WIN, Position

MOVE, TODO, _, ALPHA, BETA, BEST, LINE, CUT, _, ROW, AGAIN, HINT, KEY, TURN, WORDS = range(15)
FRAME = 24

PLY, BASE, TASK, ROWS = range(4)
NODES, TERMINALS, HORIZON, CUTOFFS, PRUNED, DEPTH, PROBES, HITS, TABLE_CUTOFFS = range(4, 13)
CLOCK, EPOCH, BUSY = 13, 15, 16
COUNTED = slice(NODES, TABLE_CUTOFFS + 1)
"""Columns of `state`: the open ply (below BASE: complete), the ply of the task's root, the task (-1: none), the number
of rows used (it may exceed the tape), the counters in the order of `engine.result.Counters`, two words for reading the
clock (CLOCK and the next), EPOCH: the monotonic time in ns of 0 on the search's own clock (it grows by each pause), and
BUSY: the time in ns spent on tasks that have ended."""
STATE = 24
"""Three cache lines: no two workers share one."""

OPEN, TERMINAL, AT_HORIZON, ALL_SEEN, CUTOFF, BY_TABLE = range(6)
"""Reasons why a node has ended; OPEN: it has not, or its children are in the record."""

ROW_TYPE = np.dtype([("place", np.uint16), ("alpha", np.int16), ("beta", np.int16), ("value", np.int16)])
"""A row of the record, one node, in preorder: its place, the window it was entered with and its value, both for its
side to move. `place` is move + WHY * reason of its end + LEFT * plies left to the horizon; the move is the one that led
to it (any number at the root). Kernels write a row as one word, which has this layout on a little-endian machine."""

WHY, LEFT = 128, 768
assert MAX_MOVES < WHY
assert (MAX_PLIES + 1) * LEFT <= 1 << 16
assert MAX_PLIES < WIN
assert UNIT * WIN < INFINITY < 1 << 15

SPARE_ROWS = 1 << 16
"""Rows of a tape beyond its record. The rest of a subtree that passes the end of the record is written there, so that
the recursion needs no bounds check for each row."""

LINE_MOVES = 9
"""The number of moves that a packed line can hold: the first nine."""

MOVES = 128
"""Entries of an array indexed by move: MAX_MOVES + 1."""


class Memory(NamedTuple):
    """The memory of one worker, without the leading axis of `crew_memory`."""

    frames: NDArray[np.int64]
    """[plies, FRAME]"""
    values: NDArray[np.int64]
    """[plies, moves]: a word for each child that has returned, for the side to move at its parent (see `unpack_child`):
    its value from bit 24 on, its alpha in bits 8 to 23, and the reason why it is a leaf (OPEN if it has children)."""
    state: NDArray[np.int64]
    """[STATE]"""
    history: NDArray[np.int64]
    """[MOVES]: see `engine.kernels.ordering`"""
    killers: NDArray[np.int64]
    """[2 * plies]: two for each number of plies left, 0 included"""
    sizes: NDArray[np.int64]
    """[plies]: an upper bound on the nodes below a position at each ply (`subtree_sizes`), shared by all workers."""


class Tape(NamedTuple):
    """The rows that a worker writes its record to."""

    rows: Any
    """int64 words; in compiled code the address of the first."""
    size: int
    """The number of rows without the spare rows."""


def crew_memory(workers: int, sizes: Sequence[int]) -> Memory:
    """New memory for several workers. Each array except `sizes` has a leading axis, one entry per worker. Each array is
    allocated separately, so that bounds checks find an index outside its array."""
    plies = len(sizes)
    assert 0 < plies <= MAX_PLIES + 1
    state = np.zeros((workers, STATE), np.int64)
    state[:, TASK] = -1
    state[:, PLY] = -1
    return Memory(
        frames=np.zeros((workers, plies, FRAME), np.int64),
        values=np.zeros((workers, plies, MOVES), np.int64),
        state=state,
        history=np.zeros((workers, MOVES), np.int64),
        killers=np.zeros((workers, 2 * plies), np.int64),
        sizes=np.array(sizes, np.int64),
    )


def memory_of(crew: Memory, worker: int) -> Memory:
    """The memory of one worker: views into that of all workers."""
    return Memory(
        crew.frames[worker],
        crew.values[worker],
        crew.state[worker],
        crew.history[worker],
        crew.killers[worker],
        crew.sizes,
    )


def counters(state: NDArray[np.int64]) -> Counters:
    """The counters of one worker."""
    return Counters(*(int(figure) for figure in state[COUNTED]))


def unpack_line(line: int) -> tuple[int, ...]:
    """The moves of a packed line: seven bits each, move + 1, the first lowest; at most LINE_MOVES."""
    moves = []
    while line & 127 and len(moves) < LINE_MOVES:
        moves.append((line & 127) - 1)
        line >>= 7
    return tuple(moves)


def unpack_child(word: int) -> tuple[int, int, int]:
    """The value, alpha and reason in a word of `Memory.values`."""
    return word >> 24, ((word >> 8 & 0xFFFF) ^ 0x8000) - 0x8000, word & 0xFF


def kind_of(position: Position) -> Position:
    """A position of the same type with words 0. Kernels use only its type; a word with bit 63 set would have another
    numba type."""
    return type(position)(*(0 for _ in position))


def words_of(position: Position) -> NDArray[np.int64]:
    """A position as int64 words; bit 63 becomes the sign."""
    return np.array(position, dtype=np.uint64).view(np.int64)


def load(root: Position, frame: NDArray[np.int64]) -> Position:
    """The position in a frame, of the type of `root`."""
    return type(root)(*(int(word) & (1 << 64) - 1 for word in frame[WORDS : WORDS + len(root)]))


def store(position: Position, frame: NDArray[np.int64]) -> None:
    """Store a position in a frame."""
    frame[WORDS : WORDS + len(position)] = words_of(position)


def moves_in(root: Position, frame: NDArray[np.int64], place: int) -> int:
    """The set of moves at an index of a frame. The game of `root` determines its number of words."""
    return int(frame[place]) & WORD_MASK | (int(frame[place + 1]) & WORD_MASK) << WORD


def put_moves(frame: NDArray[np.int64], place: int, moves: int) -> None:
    """Store a set of moves at an index of a frame."""
    frame[place : place + 2] = np.array([moves & WORD_MASK, moves >> WORD], np.uint64).view(np.int64)


def was_cut(frame: NDArray[np.int64]) -> bool:
    """Whether a cutoff left moves of this frame unsearched."""
    return frame[CUT] != 0 or frame[CUT + 1] != 0


def enter(
    frame: NDArray[np.int64], position: Position, alpha: int, beta: int, row: int, hint: int, key: int, turn: int
) -> None:
    """Store the words of a new frame that stay constant while it is open."""
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[CUT] = frame[CUT + 1] = 0
    frame[ROW] = row
    frame[HINT] = hint
    frame[KEY] = key
    frame[TURN] = turn
    store(position, frame)


def leave(frame: NDArray[np.int64], move: int, todo: int, best: int, line: int, again: int) -> None:
    """Store the words of a frame that change while it is open."""
    frame[MOVE] = move
    put_moves(frame, TODO, todo)
    frame[BEST] = best
    frame[LINE] = line
    frame[AGAIN] = again


def entered(move: int, left: int, alpha: int, beta: int) -> int:
    """The first part of a row, known when the node is entered: its move, plies left and window."""
    return (move & WHY - 1) + left * LEFT + ((alpha & 0xFFFF) << 16) + ((beta & 0xFFFF) << 32)


def ended(why: int, value: int) -> int:
    """The second part of a row, added when the node has ended: reason and value; (OPEN, 0) gives 0."""
    return why * WHY + (value << 48)


def write_row(tape: Tape, row: int, word: int) -> None:
    """Write a row of the record, if there is room. `close_row` completes a row that is OPEN."""
    if row < tape.size:
        poke(tape.rows, row, word)


def close_row(tape: Tape, row: int, word: int) -> None:
    """Add the second part to the row of a node that has ended."""
    if row < tape.size:
        poke(tape.rows, row, peek(tape.rows, row) + word)
