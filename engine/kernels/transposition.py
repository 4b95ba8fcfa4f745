"""The transposition table: what is known of positions that were searched before, by whichever way they were reached.

An entry is two words, so that a thread may read what another is writing without a lock: the first is the key of the
position XOR the second, and one that does not fit together is taken for another position's.

    data   bits 0 to 15  value + 32,768      18 to 25  plies left when it was searched    34 on  which search
           16 to 17      its bound, below    26 to 33  best move + 1, 0 where none is known

Values are those of the side to move. A value counts only where just as many plies are left. What the key of a position
leaves out (see `engine.rules.contract.key`) nobody sees: on up to 32 squares it leaves out nothing.

Source of the two words: R. Hyatt and T. Mann, A lock-less transposition table implementation, ICGA Journal 25 (2002).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import worker_memory
from engine.kernels.raw_words import bump, peek, poke
from engine.kernels.worker_memory import HITS, PROBES, TABLE_CUTOFFS
from engine.result import INFINITY
from engine.rules.contract import Position, key, transformed

EXACT, LOWER, UPPER = 1, 2, 3

ENTRY_BYTES = 16
SPREAD = -7046029254386353131
"""2**64 / the golden ratio, odd, as a signed word: multiplying by it spreads keys over the table."""


class SearchAids(NamedTuple):
    """What a search may use besides the rules; compiled kernels know its arrays by their addresses."""

    table: Any
    """int64[2 * entries], shared by all workers"""
    mask: int
    """Entries - 1, a power of two less one; -1 where there is no table."""
    age: int
    """The number of this search: entries of another may be replaced whatever they hold."""
    keeps: int
    """1: an entry gives way only to one with as many plies left or more; 0: to any."""
    turns: int
    """How many symmetries are folded into one entry; 1 for none."""
    turned_moves: Any
    """int64[2 * turns * MOVES]: what becomes of a move under a symmetry, then, from turns * MOVES on, the way back."""
    root_move: int
    """The move to try first at the root, or -1."""
    order: int
    """How moves are ordered: the flags of `engine.kernels.ordering`."""
    seed: int
    evaluation: int
    """Which of the game's evaluations estimates a horizon leaf."""
    oracle: Any
    """A table with exact values, for orders that know them."""
    oracle_mask: int
    history: Any
    killers: Any
    state: Any
    """These three are a worker's own: see `engine.kernels.worker_memory.Memory`."""


AIDS_TYPE = np.dtype([(field, np.int64) for field in SearchAids._fields])
"""The same in memory, with the addresses of arrays in their place."""


def as_record(aids: SearchAids) -> SearchAids:
    """What a search hands down from ply to ply. In compiled code a record of AIDS_TYPE, one address instead of fifteen
    numbers; it lives as long as the kernel that makes it runs."""
    return aids


def new_table(mebibytes: float) -> NDArray[np.int64]:
    """An empty table of the largest power of two of entries that fits, at least one. Raises MemoryError."""
    return np.zeros(words_in(mebibytes), np.int64)


def words_in(mebibytes: float) -> int:
    """How many words such a table has."""
    entries = max(1, int(mebibytes * (1 << 20)) // ENTRY_BYTES)
    return 2 << entries.bit_length() - 1


def fill(table: NDArray[np.int64]) -> float:
    """The share of the entries in use, by a sample of at most some thousands."""
    sample = table[1 :: 2 * max(1, len(table) // 8192)]
    return float(np.count_nonzero(sample) / len(sample))


def folded(aids: Any, position: Position) -> tuple[int, int]:
    """The least key among the turned forms of a position, and the turn that gives it."""
    least, turn = key(position), 0
    for other in range(1, aids.turns):
        found = key(transformed(position, other))
        if found < least:
            least, turn = found, other
    return least, turn


def probe(aids: Any, position: Position, left: int, alpha: int, beta: int) -> tuple[bool, int, int, int, int]:
    """Whether the table settles a position in this window, with which value; its best move there, or -1; and its key
    and turn for `remember`."""
    if aids.mask < 0:
        return False, 0, -1, 0, 0
    found, turn = folded(aids, position)
    slot = 2 * (found * SPREAD >> 24 & aids.mask)
    data = peek(aids.table, slot + 1)
    bump(aids.state, PROBES)
    if data == 0 or peek(aids.table, slot) ^ data != found:
        return False, 0, -1, found, turn
    bump(aids.state, HITS)
    hint = (data >> 26 & 255) - 1
    if hint >= 0 and turn != 0:
        hint = peek(aids.turned_moves, (aids.turns + turn) * worker_memory.MOVES + hint)
    value, bound = (data & 0xFFFF) - 32_768, data >> 16 & 3
    if data >> 18 & 255 != left:
        return False, 0, hint, found, turn
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        bump(aids.state, TABLE_CUTOFFS)
        return True, value, hint, found, turn
    return False, 0, hint, found, turn


def remember(aids: Any, found: int, turn: int, left: int, alpha: int, beta: int, value: int, move: int) -> None:
    """Keep what a search in the window (alpha, beta) has found, under the key and turn that `probe` gave."""
    if aids.mask < 0:
        return
    slot = 2 * (found * SPREAD >> 24 & aids.mask)
    if aids.keeps != 0:
        old = peek(aids.table, slot + 1)
        if old != 0 and old >> 34 == aids.age and old >> 18 & 255 > left and peek(aids.table, slot) ^ old != found:
            return
    bound = LOWER if value >= beta else UPPER if value <= alpha else EXACT
    if bound == UPPER and alpha > -INFINITY:
        move = -1
    if move >= 0 and turn != 0:
        move = peek(aids.turned_moves, turn * worker_memory.MOVES + move)
    data = value + 32_768 | bound << 16 | left << 18 | move + 1 << 26 | aids.age << 34
    poke(aids.table, slot, found ^ data)
    poke(aids.table, slot + 1, data)


def exact_value(aids: Any, position: Position) -> int:
    """What the oracle knows a position to be worth; -INFINITY where it does not know it."""
    found, _ = folded(aids, position)
    slot = 2 * (found * SPREAD >> 24 & aids.oracle_mask)
    data = peek(aids.oracle, slot + 1)
    if data == 0 or peek(aids.oracle, slot) ^ data != found:
        return -INFINITY
    return (data & 0xFFFF) - 32_768
