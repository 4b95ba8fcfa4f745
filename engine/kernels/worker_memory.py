"""One worker's private memory: its stack of positions, its counters, and the record that it may write.

A frame a ply, a row of int64 (24 of them: three cache lines, so that neighbouring workers never share one):

    MOVE   the child being visited        BEST   the best value so far, -INFINITY at first
    TODO   moves not yet visited: a set   LINE   the line of play that gives it, packed (see `unpack_line`)
           of two words                   CUT    moves left unsearched by a cutoff: a set of two words
    ALPHA  the window the node was        ROW    its row of the tape
    BETA   entered with                   HINT   the table's move, or -1
    AGAIN  1 while that child is          KEY    its key in the table, and the symmetry that gives it
           searched once more             TURN
    WORDS  ... the position's own words, up to 10

Values and windows are from the side to move at that ply. `load`, `store` and the writing of rows are plain Python;
kernels call the same by `engine.jit.kernel`.
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
"""`state`: the ply that is open (below BASE: done), the ply the task starts at, the task (-1: none), how many rows of
the tape are used (it may be more than there are), the counters in the order of `engine.result.Counters`, two words
to read the clock into (CLOCK and the next), the monotonic time in ns at which the search's own clock would have stood
at 0 (later with all time that it was held back), and for how many ns it had tasks that have ended."""
STATE = 24
"""Three cache lines, so that workers never share one."""

OPEN, TERMINAL, AT_HORIZON, ALL_SEEN, CUTOFF, BY_TABLE = range(6)
"""Why a row ended."""

ROW_TYPE = np.dtype([("place", np.uint16), ("alpha", np.int16), ("beta", np.int16), ("value", np.int16)])
"""A node of the record, in preorder: its place, the window it was entered with and its value (both of its side to
move). `place` is move + WHY * why it ended + LEFT * plies left to the horizon; the move is the one that led to it, at
the root any. Kernels write a row as one word, which has this layout on a machine with the low byte first."""

WHY, LEFT = 128, 768
assert MAX_MOVES < WHY
assert (MAX_PLIES + 1) * LEFT <= 1 << 16
assert MAX_PLIES < WIN
assert UNIT * WIN < INFINITY < 1 << 15

SPARE_ROWS = 1 << 16
"""A tape has so many rows more than its record. A subtree that goes beyond the record is written there, so that the
recursion need not look at each row whether there is room."""

LINE_MOVES = 9
"""A packed line holds its first nine moves."""

MOVES = 128
"""Entries of an array that has one for each move: MAX_MOVES and one more."""


class Memory(NamedTuple):
    """Of one worker; the leading axis of `crew_memory` is dropped."""

    frames: NDArray[np.int64]
    """[plies, FRAME]"""
    values: NDArray[np.int64]
    """[plies, moves]: each child that has returned, seen by the side to move (see `unpack_child`): its value from bit
    24 on, the alpha that it was searched with in bits 8 to 23, and why it has nothing below it (OPEN where it has)."""
    state: NDArray[np.int64]
    """[STATE]"""
    history: NDArray[np.int64]
    """[MOVES]: see `engine.kernels.ordering`"""
    killers: NDArray[np.int64]
    """[2 * plies]: two for each number of plies left, 0 included"""
    sizes: NDArray[np.int64]
    """[plies]: at most how many nodes are below a position at each ply. All workers have the same."""


class Tape(NamedTuple):
    """Where a worker writes its record."""

    rows: Any
    """Words; in compiled code the address of the first."""
    size: int
    """Of the record: the spare rows do not count."""


def crew_memory(workers: int, sizes: Sequence[int]) -> Memory:
    """Fresh memory for several workers: each array but `sizes` has a leading axis, one entry a worker. No array shares
    its allocation with another: an index that leaves its array is then seen where bounds are checked."""
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
    """One worker's."""
    return Memory(
        crew.frames[worker],
        crew.values[worker],
        crew.state[worker],
        crew.history[worker],
        crew.killers[worker],
        crew.sizes,
    )


def counters(state: NDArray[np.int64]) -> Counters:
    """What one worker has counted."""
    return Counters(*(int(figure) for figure in state[COUNTED]))


def unpack_line(line: int) -> tuple[int, ...]:
    """The moves of a packed line: seven bits each, move + 1, the first lowest; at most LINE_MOVES."""
    moves = []
    while line & 127 and len(moves) < LINE_MOVES:
        moves.append((line & 127) - 1)
        line >>= 7
    return tuple(moves)


def unpack_child(word: int) -> tuple[int, int, int]:
    """The value, the alpha and the reason in a word of `Memory.values`."""
    return word >> 24, ((word >> 8 & 0xFFFF) ^ 0x8000) - 0x8000, word & 0xFF


def kind_of(position: Position) -> Position:
    """A position of the same type, which is all that kernels want of it. Its words are 0: numba takes one with bit 63
    for another type than one without."""
    return type(position)(*(0 for _ in position))


def words_of(position: Position) -> NDArray[np.int64]:
    """A position as words that kernels store: bit 63 is the sign."""
    return np.array(position, dtype=np.uint64).view(np.int64)


def load(root: Position, frame: NDArray[np.int64]) -> Position:
    """The position in a frame, of the type of `root`."""
    return type(root)(*(int(word) & (1 << 64) - 1 for word in frame[WORDS : WORDS + len(root)]))


def store(position: Position, frame: NDArray[np.int64]) -> None:
    """Put a position into a frame."""
    frame[WORDS : WORDS + len(position)] = words_of(position)


def moves_in(root: Position, frame: NDArray[np.int64], place: int) -> int:
    """The set of moves at a place of a frame, of as many words as sets of the game of `root` have."""
    return int(frame[place]) & WORD_MASK | (int(frame[place + 1]) & WORD_MASK) << WORD


def put_moves(frame: NDArray[np.int64], place: int, moves: int) -> None:
    """Put a set of moves into a frame."""
    frame[place : place + 2] = np.array([moves & WORD_MASK, moves >> WORD], np.uint64).view(np.int64)


def was_cut(frame: NDArray[np.int64]) -> bool:
    """Whether moves were left unsearched there."""
    return frame[CUT] != 0 or frame[CUT + 1] != 0


def enter(
    frame: NDArray[np.int64], position: Position, alpha: int, beta: int, row: int, hint: int, key: int, turn: int
) -> None:
    """Put into a new frame what stays the same while it is open."""
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[CUT] = frame[CUT + 1] = 0
    frame[ROW] = row
    frame[HINT] = hint
    frame[KEY] = key
    frame[TURN] = turn
    store(position, frame)


def leave(frame: NDArray[np.int64], move: int, todo: int, best: int, line: int, again: int) -> None:
    """Put into a frame what changes while it is open."""
    frame[MOVE] = move
    put_moves(frame, TODO, todo)
    frame[BEST] = best
    frame[LINE] = line
    frame[AGAIN] = again


def entered(move: int, left: int, alpha: int, beta: int) -> int:
    """What a row holds from the start: what led to the position, with how many plies left, and the window."""
    return (move & WHY - 1) + left * LEFT + ((alpha & 0xFFFF) << 16) + ((beta & 0xFFFF) << 32)


def ended(why: int, value: int) -> int:
    """What is added once its position is left; 0 while that is OPEN."""
    return why * WHY + (value << 48)


def write_row(tape: Tape, row: int, word: int) -> None:
    """Write a row of the record, if there is room. One that is OPEN is completed by `close_row`."""
    if row < tape.size:
        poke(tape.rows, row, word)


def close_row(tape: Tape, row: int, word: int) -> None:
    """Complete the row of a position that is left."""
    if row < tape.size:
        poke(tape.rows, row, peek(tape.rows, row) + word)
