"""One worker's private memory: its stack of positions, its counters, and the record that it may write.

A frame a ply, a row of int64 (16 of them: two cache lines, so that neighbouring workers never share one):

    MOVE   the child being visited        BEST   the best value so far, -INFINITY at first
    TODO   moves not yet visited, as bits LINE   the line of play that gives it, packed (see `unpack_line`)
    ALPHA  the window the node was        CUT    moves left unsearched by a cutoff, as bits
    BETA   entered with                   ROW    its row of the tape
    WORDS  ... the position's own words

Values and windows are from the side to move at that ply. `begin`, `load` and `store` are plain Python; kernels call the
same by `engine.compiled`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import MAX_SQUARES, ONGOING, Position, legal, outcome, remaining
from engine.job import INFINITY, Counters

MOVE, TODO, ALPHA, BETA, BEST, LINE, CUT, ROW, WORDS = range(9)
FRAME = 16

PLY, BASE, TASK, NODES, TERMINALS, HORIZON, CUTOFFS, PRUNED, DEPTH, ROWS, CLOCK = range(11)
"""`state`: the ply that is open (below BASE: done), the ply the task starts at, the task (-1: none), the counters, how
many rows of the tape are used (it may be more than there are), and two words to read the clock into (CLOCK and the
next)."""
STATE = 16

OPEN, TERMINAL, AT_HORIZON, ALL_SEEN, CUTOFF = range(5)
"""Why a row ended."""

ROW_TYPE = np.dtype(
    [
        ("move", np.int8),
        ("why", np.int8),
        ("alpha", np.int16),
        ("beta", np.int16),
        ("value", np.int16),
        ("end", np.int32),
    ]
)
"""A node of the record, in preorder: the move that led to it (-1 at the root), why it ended, the window it was entered
with and its value (both of its side to move), and the number of the first row that is not below it."""

MAX_ROW = (1 << 31) - 1
"""What `end` holds; no record is so long, but a search may be."""

LINE_MOVES = 9
"""A packed line holds its first nine moves."""


class Memory(NamedTuple):
    """Of one worker; the leading axis of `crew_memory` is dropped."""

    frames: NDArray[np.int64]
    """[plies, FRAME]"""
    values: NDArray[np.int64]
    """[plies, moves]: what each child that has returned is worth to the side to move."""
    state: NDArray[np.int64]
    """[STATE]"""


def crew_memory(workers: int, plies: int) -> Memory:
    """Fresh memory for several workers: each array has a leading axis, one entry a worker."""
    state = np.zeros((workers, STATE), np.int64)
    state[:, TASK] = -1
    state[:, PLY] = -1
    return Memory(
        np.zeros((workers, plies + 1, FRAME), np.int64),
        np.zeros((workers, plies + 1, MAX_SQUARES), np.int64),
        state,
    )


def counters(state: NDArray[np.int64]) -> Counters:
    """What one worker has counted."""
    return Counters(*(int(figure) for figure in state[NODES : DEPTH + 1]))


def unpack_line(line: int) -> tuple[int, ...]:
    """The moves of a packed line: seven bits each, move + 1, the first lowest; at most LINE_MOVES."""
    moves = []
    while line & 127 and len(moves) < LINE_MOVES:
        moves.append((line & 127) - 1)
        line >>= 7
    return tuple(moves)


def words_of(position: Position) -> NDArray[np.int64]:
    """A position as words that kernels store: bit 63 is the sign."""
    return np.array(position, dtype=np.uint64).view(np.int64)


def load(root: Position, frame: NDArray[np.int64]) -> Position:
    """The position in a frame, of the type of `root`."""
    return type(root)(*(int(word) & (1 << 64) - 1 for word in frame[WORDS : WORDS + len(root)]))


def store(position: Position, frame: NDArray[np.int64]) -> None:
    """Put a position into a frame."""
    frame[WORDS : WORDS + len(position)] = words_of(position)


def enter(frame: NDArray[np.int64], position: Position, alpha: int, beta: int, row: int) -> None:
    """Put into a new frame what stays the same while it is open."""
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[CUT] = 0
    frame[ROW] = row
    store(position, frame)


def leave(frame: NDArray[np.int64], move: int, todo: int, best: int, line: int) -> None:
    """Put into a frame what changes while it is open."""
    frame[MOVE] = move
    frame[TODO] = todo
    frame[BEST] = best
    frame[LINE] = line


def open_row(tape: Any, row: int, move: int, why: int, alpha: int, beta: int, value: int) -> None:
    """Note a position as it is visited; one that is no leaf (`why` OPEN) is completed by `close_row`."""
    if row < tape.size:
        tape[row].move = move
        tape[row].why = why
        tape[row].alpha = alpha
        tape[row].beta = beta
        tape[row].value = value
        tape[row].end = row + 1


def close_row(tape: Any, row: int, why: int, value: int, end: int) -> None:
    """Complete the row of a position that is left; `end` is the next free row."""
    if row < tape.size:
        tape[row].why = why
        tape[row].value = value
        tape[row].end = min(end, MAX_ROW)


def begin(
    search: Any, position: Position, move: int, alpha: int, beta: int, base: int, memory: Memory, tape: Any
) -> None:
    """Set up the search of `position`, `base` plies below the root, which `move` led to (-1: it is the root).

    The position is visited and counted; where the game is over there or the horizon reached, the search is done.
    """
    frame, state = memory.frames[base], memory.state
    enter(frame, position, alpha, beta, state[ROWS])
    state[BASE] = state[PLY] = base
    state[NODES] += 1
    state[DEPTH] = max(state[DEPTH], base)
    value = outcome(position)
    why = OPEN
    if value != ONGOING:
        why = TERMINAL
        value *= 1 + search.soonest * remaining(position)
        state[TERMINALS] += 1
    elif base >= search.horizon:
        why = AT_HORIZON
        value = 0
        state[HORIZON] += 1
    if why == OPEN:
        leave(frame, -1, legal(position), -INFINITY, 0)
    else:
        leave(frame, -1, 0, value, 0)
        state[PLY] = base - 1
    if tape is not None:
        open_row(tape, state[ROWS], move, why, alpha, beta, value)
    state[ROWS] += 1
