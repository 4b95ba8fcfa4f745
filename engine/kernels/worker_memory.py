"""One worker's private memory: its stack of positions, its counters, and its part of the record.

Values and windows are for the side to move at that ply. The functions below are plain Python; `engine.jit.lowering`
registers them for kernels.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.raw_words import load_word, store_word
from engine.result import INFINITY, Counters
from engine.rules.bits import WORD, WORD_MASK
from engine.rules.contract import MAX_MOVES, MAX_PLIES, UNIT, WIN, Position

LINE_BYTES = 64
"""Of a cache line."""

FRAME_TYPE = np.dtype(
    [
        ("move", np.int64),  # the child being visited
        ("todo", np.int64, 2),  # the moves not yet visited: a set of two words
        ("alpha", np.int64),  # the window the node was entered with
        ("beta", np.int64),
        ("best", np.int64),  # the best value so far, -INFINITY at first
        ("line", np.int64),  # its principal variation, packed: see `unpack_line`
        ("cut", np.int64, 2),  # the moves left unsearched by a cutoff: a set of two words
        ("row", np.int64),  # its row of the tape
        ("again", np.int64),  # 1 while `move` is searched a second time
        ("hint", np.int64),  # the table's move, or -1
        ("key", np.int64),  # its canonical key in the table
        ("symmetry", np.int64),  # the symmetry that gives it
        ("words", np.int64, 10),  # the position's own words
    ],
    align=True,
)
"""A frame of the stack. Each ply has one."""
assert FRAME_TYPE.itemsize % LINE_BYTES == 0, "whole cache lines: no two workers share one"

COUNTED = Counters.__struct_fields__
STATE_TYPE = np.dtype(
    [
        ("ply", np.int64),  # the open ply; below `base`: complete
        ("base", np.int64),  # the ply of the task's root
        ("task", np.int64),  # the task under way, or -1
        ("rows", np.int64),  # the number of rows used; it may exceed the tape
        *((name, np.int64) for name in COUNTED),
        ("epoch", np.int64),  # the monotonic time in ns of 0 on the search's own clock; it grows by each pause
        ("busy", np.int64),  # the time in ns spent on tasks that have ended
        ("called", np.int64),  # the monotonic time in ns at which its slice was to begin
        ("ran", np.int64),  # the time in ns from there to the end of the slice, of all slices
        ("cpu", np.int64),  # the processor time in ns that its thread used meanwhile
        ("unsettled", np.int64),  # entries of the table that were found and did not settle the window
        ("slack", np.int64),  # the nodes by which a slice may exceed its budget to search a small subtree at once
        ("unused", np.int64, 4),
    ],
    align=True,
)
"""The state of a worker, with its counters."""
assert STATE_TYPE.itemsize % LINE_BYTES == 0, "whole cache lines: no two workers share one"

OPEN, TERMINAL, AT_HORIZON, ALL_SEEN, CUTOFF, BY_TABLE = range(6)
"""Reasons why a node has ended; OPEN: it has not ended."""

ROW_TYPE = np.dtype([("place", np.uint16), ("alpha", np.int16), ("beta", np.int16), ("value", np.int16)])
"""A row of the record, one node, in preorder: its place, the window it was entered with and its value, both for its
side to move. `place` is move + WHY * reason of its end + LEFT * plies left to the horizon; the move is the one that led
to it (any number at the root). Kernels write a row as one word, which has this layout on a little-endian machine."""

WHY, LEFT = 128, 768
assert MAX_MOVES < WHY
assert (MAX_PLIES + 1) * LEFT <= 1 << 16
assert MAX_PLIES < WIN
assert UNIT * WIN < INFINITY < 1 << 15

SPARE_ROWS = 1 << 17
"""Rows of a tape beyond its record. The rest of a subtree that passes the end of the record is written there, so that
the recursion needs no bounds check for each row."""

LINE_MOVES = 9
"""The number of moves that a packed line can hold: the first nine."""

MOVES = 128
"""Entries of an array indexed by move: MAX_MOVES + 1."""


class Memory(NamedTuple):
    """The memory of one worker, without the leading axis of `crew_memory`."""

    frames: Any
    """FRAME_TYPE[plies]"""
    values: NDArray[np.int64]
    """[plies, moves]: a word for each child that has returned, for the side to move at its parent (see `unpack_child`):
    its value from bit 24 on, its alpha in bits 8 to 23, and the reason why it is a leaf (OPEN if it has children)."""
    state: Any
    """STATE_TYPE[1]: an array of one, because compiled code cannot return a record."""
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


def zeros(*shape: int, dtype: Any = np.int64) -> Any:
    """An array of zeros that begins with a cache line; numpy's begin anywhere in one."""
    room = np.zeros(math.prod(shape) * np.dtype(dtype).itemsize + LINE_BYTES, np.uint8)
    start = -room.__array_interface__["data"][0] % LINE_BYTES
    return np.ndarray(shape, dtype, room, start)


def crew_memory(workers: int, sizes: Sequence[int]) -> Memory:
    """New memory for several workers. Each array except `sizes` has a leading axis, one entry per worker. Each array is
    allocated separately, so that bounds checks find an index outside its array."""
    plies = len(sizes)
    assert 0 < plies <= MAX_PLIES + 1
    state = zeros(workers, dtype=STATE_TYPE)
    state["task"] = -1
    state["ply"] = -1
    return Memory(
        frames=zeros(workers, plies, dtype=FRAME_TYPE),
        values=zeros(workers, plies, MOVES),
        state=state,
        history=zeros(workers, MOVES),
        killers=zeros(workers, 2 * plies),
        sizes=np.array(sizes, np.int64),
    )


def memory_of(crew: Memory, worker: int) -> Memory:
    """The memory of one worker: views into that of all workers."""
    return Memory(
        crew.frames[worker],
        crew.values[worker],
        crew.state[worker : worker + 1],
        crew.history[worker],
        crew.killers[worker],
        crew.sizes,
    )


def counters(state: Any) -> Counters:
    """The counters of one worker."""
    return Counters(*state[[*COUNTED]].item())


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
    return _of_zeros(type(position))


@cache
def _of_zeros(kind: Any) -> Position:
    return kind(*(0 for _ in kind._fields))


def words_of(position: Position) -> list[int]:
    """A position as int64 words."""
    return [_signed(word) for word in position]


def _signed(word: int) -> int:
    """A word as an int64: bit 63 becomes the sign."""
    return word - ((word >> 63) << 64)


def load(root: Position, frame: Any) -> Position:
    """The position in a frame, of the type of `root`."""
    return type(root)(*[word & WORD_MASK for word in frame["words"][: len(root)].tolist()])


def store(position: Position, frame: Any) -> None:
    """Store a position in a frame."""
    frame["words"][: len(position)] = words_of(position)


def moves_in(root: Position, words: NDArray[np.int64]) -> int:
    """The set of moves in two words of a frame. The game of `root` determines how many of them are used."""
    low, high = words.tolist()
    return low & WORD_MASK | (high & WORD_MASK) << WORD


def put_moves(words: NDArray[np.int64], moves: int) -> None:
    """Store a set of moves in two words of a frame."""
    words[0], words[1] = _signed(moves & WORD_MASK), _signed(moves >> WORD)


def was_cut(frame: Any) -> bool:
    """Whether a cutoff left moves of this frame unsearched."""
    cut = frame["cut"]
    return cut[0] != 0 or cut[1] != 0


def enter(frame: Any, position: Position, alpha: int, beta: int, row: int, hint: int, key: int, symmetry: int) -> None:
    """Store the words of a new frame that stay constant while it is open."""
    frame["alpha"] = alpha
    frame["beta"] = beta
    cut = frame["cut"]
    cut[0] = cut[1] = 0
    frame["row"] = row
    frame["hint"] = hint
    frame["key"] = key
    frame["symmetry"] = symmetry
    store(position, frame)


def leave(frame: Any, move: int, todo: int, best: int, line: int, again: int) -> None:
    """Store the words of a frame that change while it is open."""
    frame["move"] = move
    put_moves(frame["todo"], todo)
    frame["best"] = best
    frame["line"] = line
    frame["again"] = again


def entered(move: int, left: int, alpha: int, beta: int) -> int:
    """The first part of a row, known when the node is entered: its move, plies left and window."""
    return (move & WHY - 1) + left * LEFT + ((alpha & 0xFFFF) << 16) + ((beta & 0xFFFF) << 32)


def ended(why: int, value: int) -> int:
    """The second part of a row, added when the node has ended: reason and value; (OPEN, 0) gives 0."""
    return why * WHY + (value << 48)


def write_row(tape: Tape, row: int, word: int) -> None:
    """Write a row of the record, if there is room. `close_row` completes a row that is OPEN."""
    if row < tape.size:
        store_word(tape.rows, row, word)


def close_row(tape: Tape, row: int, word: int) -> None:
    """Add the second part to the row of a node that has ended."""
    if row < tape.size:
        store_word(tape.rows, row, load_word(tape.rows, row) + word)
