"""The transposition table: values, bounds and best moves of positions searched before, by any order of moves.

An entry is two words, so that threads read and write without a lock: the key of the position XOR `data`, and `data`.
An entry whose words do not match reads as one of another position.

    data   bits 0 to 15  value + 32,768      18 to 25  best move + 1, 0 if unknown    34 on  depth of the search
           16 to 17      its bound, below    26 to 33  plies left when it was searched

Values are for the side to move. A value is used only with the same number of plies left in a search of the same depth,
for it counts plies from the root (`engine.options.choices.Scoring.SOONEST`) and a game with passes comes to a position
at several plies. The best move is used always. Positions with equal keys share an entry; where the words of a
position fit one word, as on up to 31 squares, no two positions have the same key.

Source of the two words: R. Hyatt and T. Mann, A lock-less transposition table implementation, ICGA Journal 25 (2002).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import worker_memory
from engine.kernels.raw_words import load_word, store_word
from engine.result import INFINITY
from engine.rules.contract import Position, key, transformed

EXACT, LOWER, UPPER = 1, 2, 3

ENTRY_BYTES = 16
SPREAD = -7046029254386353131
"""2**64 / the golden ratio, odd, as a signed word: the multiplier of the hash from key to entry."""


class SearchAids(NamedTuple):
    """The aids of a search: transposition table, symmetries, move ordering, evaluation. Compiled kernels use the
    addresses of its arrays."""

    table: Any
    """int64[2 * entries], shared by all workers"""
    mask: int
    """Number of entries - 1, a power of two less one; -1 without a table."""
    depth: int
    """The depth of this search in plies. An entry of another depth may always be replaced."""
    depth_preferred: int
    """1: depth-preferred replacement, an entry is replaced only by one with at least as many plies left; 0: by any."""
    symmetries: int
    """The number of symmetries that share one entry; 1: only the identity."""
    transformed_moves: Any
    """int64[2 * symmetries * MOVES]: each move under each symmetry; from symmetries * MOVES on, under each inverse."""
    root_move: int
    """The move to try first at the root, or -1."""
    order: int
    """The flags of `engine.kernels.ordering`."""
    seed: int
    evaluation: int
    """The number of the game's evaluation for horizon leaves."""
    oracle: Any
    """A transposition table of exact values, for the orders that use them."""
    oracle_mask: int
    history: Any
    killers: Any
    state: Any
    """history, killers and state belong to one worker: see `engine.kernels.worker_memory.Memory`."""


AIDS_TYPE = np.dtype([(field, np.int64) for field in SearchAids._fields])
"""The memory layout of SearchAids, with addresses in place of arrays."""


def as_record(aids: SearchAids) -> SearchAids:
    """The aids in the form that a search passes from ply to ply. In compiled code this is a record of AIDS_TYPE: one
    address instead of fifteen numbers. It is valid until the kernel that made it returns."""
    return aids


def state_of(aids: SearchAids) -> Any:
    """The worker's `engine.kernels.worker_memory.Memory.state`, which counts what is looked up."""
    return aids.state[0]


def new_table(mebibytes: float) -> NDArray[np.int64]:
    """An empty table. Its number of entries is the largest power of two that fits, at least 1. Raises MemoryError."""
    return np.zeros(words_in(mebibytes), np.int64)


def words_in(mebibytes: float) -> int:
    """The number of words of a table of this size."""
    entries = max(1, int(mebibytes * (1 << 20)) // ENTRY_BYTES)
    return 2 << entries.bit_length() - 1


def fill(table: NDArray[np.int64]) -> float:
    """The share of entries in use, 0 to 1. Takes 2 ms for 16 MiB, 0.1 s for 1 GiB."""
    data = table[1::2]
    return float(np.count_nonzero(data) / len(data))


def estimated_fill(table: NDArray[np.int64]) -> float:
    """An estimate of `fill` from a few thousand entries, for a running search."""
    return fill(table.reshape(-1, 2)[:: max(1, len(table) // 8192)].reshape(-1))


def canonical_key(aids: Any, position: Position) -> tuple[int, int]:
    """The canonical key of a position, the least key among its symmetric forms, and the symmetry that gives it."""
    return (key(position), 0) if aids.symmetries == 1 else least_key(aids, position)


def least_key(aids: Any, position: Position) -> tuple[int, int]:
    """`canonical_key` where there are several symmetric forms."""
    least, symmetry = key(position), 0
    for other in range(1, aids.symmetries):
        found = key(transformed(position, other))
        if found < least:
            least, symmetry = found, other
    return least, symmetry


def slot_of(mask: int, key: int) -> int:
    """The index in a table of the first word of a key's entry."""
    return 2 * (key * SPREAD >> 24 & mask)


def prefetch_children(aids: Any, position: Position) -> None:
    """Start to load the entries of all children into the processor's cache; no effect in Python. To wait for one entry
    takes longer than the rest of a node. Several entries take no longer than one."""


def probe(aids: Any, position: Position, left: int, alpha: int, beta: int) -> tuple[bool, int, int, int, int]:
    """Look up a position with `left` plies left. Returns whether its entry settles this window and with which
    value; if it does not, the best move or -1; and the canonical key and symmetry for `store`."""
    if aids.mask < 0:
        return False, 0, -1, 0, 0
    found, symmetry = canonical_key(aids, position)
    slot = slot_of(aids.mask, found)
    data = load_word(aids.table, slot + 1)
    if data == 0 or load_word(aids.table, slot) ^ data != found:
        return False, 0, -1, found, symmetry
    state = state_of(aids)
    if data >> 26 == aids.depth << 8 | left:
        value, bound = (data & 0xFFFF) - 32_768, data >> 16 & 3
        if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
            state["table_cutoffs"] += 1
            return True, value, -1, found, symmetry
    state["unsettled"] += 1
    hint = (data >> 18 & 255) - 1
    if hint >= 0 and symmetry != 0:
        hint = load_word(aids.transformed_moves, (aids.symmetries + symmetry) * worker_memory.MOVES + hint)
    return False, 0, hint, found, symmetry


def store(aids: Any, found: int, symmetry: int, left: int, alpha: int, beta: int, value: int, move: int) -> None:
    """Store the value and best move of a search in the window (alpha, beta), under the key and symmetry of `probe`."""
    if aids.mask < 0:
        return
    slot = slot_of(aids.mask, found)
    if aids.depth_preferred != 0:
        old = load_word(aids.table, slot + 1)
        if (
            old != 0
            and old >> 34 == aids.depth
            and old >> 26 & 255 > left
            and load_word(aids.table, slot) ^ old != found
        ):
            return
    bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    if bound == UPPER and alpha > -INFINITY:
        move = -1
    if move >= 0 and symmetry != 0:
        move = load_word(aids.transformed_moves, symmetry * worker_memory.MOVES + move)
    data = value + 32_768 | bound << 16 | move + 1 << 18 | left << 26 | aids.depth << 34
    store_word(aids.table, slot, found ^ data)
    store_word(aids.table, slot + 1, data)


def exact_value(aids: Any, position: Position) -> int:
    """The value of a position in the table of exact values; -INFINITY if it has no entry."""
    found, _ = canonical_key(aids, position)
    slot = slot_of(aids.oracle_mask, found)
    data = load_word(aids.oracle, slot + 1)
    if data == 0 or load_word(aids.oracle, slot) ^ data != found:
        return -INFINITY
    return (data & 0xFFFF) - 32_768
