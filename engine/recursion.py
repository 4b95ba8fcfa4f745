"""The recursion below the stack of `engine.depth_first`: compiled anew for each number of plies left, which is the
depth of the nested tuple `plies`. It is five times as fast as the stack, and reads like the textbook. It relies on
games whose every ply fills a square, and in which a full board that nobody has won is a draw.

What it hands on is packed, because numba returns each number through memory:

    cursor   bits 0 to 47    rows of the tape used so far, one a node
             from bit 48 on  bit 48 + p: a leaf was visited with p plies left
    counts   four times 16 bits: terminals, horizon leaves, cutoffs, moves pruned
"""

from typing import Any

from engine.algorithm import prunes, repeats, window
from engine.bits import count, first, rest
from engine.game import Position, evaluate, legal, play, remaining, won
from engine.job import INFINITY
from engine.ordering import choose, note_cutoff
from engine.stack import (
    ALL_SEEN,
    AT_HORIZON,
    BY_TABLE,
    CUTOFF,
    SPARE_ROWS,
    TERMINAL,
    ended,
    entered,
)
from engine.store import poke
from engine.table import probe, remember

MAX_BELOW = 6
"""Plies that the recursion is compiled for. It must not be more than 7, for the packed counts; 6 leave one node in 900
of the 3 x 3 tree to the stack."""
MIDDLE_BELOW, LEAST_BELOW = 4, 1
"""The same for searches that do more at each node, so that a ply takes longer to compile: those that record it, look it
up or look out for a horizon; and those that look it up and do another of these, or may visit it twice."""
PLIES: Any = ()
for _ in range(MAX_BELOW):
    PLIES = (PLIES,)
MAX_SUBTREE = SPARE_ROWS - 1
"""Nodes that the packed counts have room for, and the tape behind its record."""

ONE_HORIZON, ONE_CUTOFF, ONE_PRUNED = 1 << 16, 1 << 32, 1 << 48
ROWS_MASK = (1 << 48) - 1
DEEP = 48


def compiled_below(search: Any, limited: bool, records: bool, aided: bool) -> int:
    """How many plies the recursion is compiled for; `search` is the algorithm's type."""
    if search.searches_again or (aided and (limited or records)):
        return LEAST_BELOW
    return MIDDLE_BELOW if limited or records or aided else MAX_BELOW


def plies_for(search: Any, tape: Any, aids: Any) -> Any:
    """The nested tuple of that depth."""
    plies, wanted = PLIES, compiled_below(type(search), search.limited is not None, tape is not None, aids is not None)
    while depth_of(plies) > wanted:
        plies = plies[0]
    return plies


def subtree_sizes(search: Any, root: Position, records: bool, aided: bool) -> list[int]:
    """At most how many nodes are below a position at each ply, from ply 0 to the horizon; more than any slice where
    that is too many for the recursion, or where it cannot begin (see `descend`)."""
    deepest, sizes = compiled_below(type(search), search.limited is not None, records, aided), []
    for ply in range(search.horizon + 1):
        nodes, width, moves = 0, 1, remaining(root) - ply
        for _ in range(search.horizon - ply):
            width *= moves * (2 if search.searches_again else 1)
            nodes += width
            moves -= 1
        left = search.horizon - ply
        fits = nodes <= MAX_SUBTREE and left in range(deepest, 0, -2)
        sizes.append(nodes if fits else 1 << 60)
    return sizes


def subtree(
    search: Any,
    aids: Any,
    tape: Any,
    position: Position,
    word: int,
    alpha: int,
    beta: int,
    cursor: int,
    left: int,
    plies: Any,
) -> tuple[int, int, int]:
    """`below` with `left` plies, known only now, that is: as many as `plies` is deep, or two less, or four ...

    It is compiled by itself, so that another process can do so meanwhile.
    """
    return descend(search, aids, tape, position, word, alpha, beta, cursor, 0, left, plies)


def descend(
    search: Any,
    aids: Any,
    tape: Any,
    position: Position,
    word: int,
    alpha: int,
    beta: int,
    cursor: int,
    counts: int,
    left: int,
    plies: Any,
) -> tuple[int, int, int]:
    """See `subtree`."""
    if left == depth_of(plies):
        return below(search, aids, tape, position, word, alpha, beta, cursor, counts, plies)
    return descend(search, aids, tape, position, word, alpha, beta, cursor, counts, left, plies[0][0])


def depth_of(plies: Any) -> int:
    """How often a tuple is nested; compiled, a constant."""
    return 1 + depth_of(plies[0]) if plies else 0


def below(
    search: Any,
    aids: Any,
    tape: Any,
    position: Position,
    word: int,
    alpha: int,
    beta: int,
    cursor: int,
    counts: int,
    plies: Any,
) -> tuple[int, int, int]:
    """Search a position that is no leaf, with as many plies left as `plies` is deep.

    Its row is the last that `cursor` counts, and `word` what that holds so far. Gives its value to the side to move,
    the cursor and the counts.
    """
    searched = last_ply if depth_of(plies) == 1 else upper_ply
    return searched(search, aids, tape, position, word, alpha, beta, cursor, counts, plies)


def upper_ply(
    search: Any,
    aids: Any,
    tape: Any,
    position: Position,
    word: int,
    alpha: int,
    beta: int,
    cursor: int,
    counts: int,
    plies: Any,
) -> tuple[int, int, int]:
    row, why, hint, key, turn = (cursor & ROWS_MASK) - 1, ALL_SEEN, -1, 0, 0
    if aids is not None:
        known, value, hint, key, turn = probe(aids, position, depth_of(plies), alpha, beta)
        if known:
            if tape is not None:
                poke(tape.rows, row, word | ended(BY_TABLE, value))
            return value, cursor, counts
    best, best_move, win = -INFINITY, -1, search.win + search.sooner * (depth_of(plies) - 1)
    todo = legal(position)
    low, high = window(search, alpha, beta, best, 0)
    opened = entered(0, depth_of(plies) - 1, -high, -low)
    while todo != 0:
        if aids is None:
            child_move = first(todo)
            todo = rest(todo)
        else:
            child_move = choose(aids, position, todo, depth_of(plies), hint)
            todo &= ~(1 << child_move)
        child = play(position, child_move)
        cursor += 1
        if won(child):
            value = win
            counts += 1
            cursor |= 1 << DEEP + depth_of(plies) - 1
            if tape is not None:
                poke(tape.rows, (cursor & ROWS_MASK) - 1, opened | child_move | ended(TERMINAL, -value))
        else:
            value, cursor, counts = below(
                search, aids, tape, child, opened | child_move, -high, -low, cursor, counts, plies[0]
            )
            value = -value
            if repeats(search, value, high, beta):
                wide_low, wide_high = window(search, alpha, beta, best, 1)
                again = entered(child_move, depth_of(plies) - 1, -wide_high, -wide_low)
                value, cursor, counts = below(
                    search, aids, tape, child, again, -wide_high, -wide_low, cursor + 1, counts, plies[0]
                )
                value = -value
        if value > best:
            best, best_move = value, child_move
            if prunes(search) and best >= beta:
                if aids is not None:
                    note_cutoff(aids, depth_of(plies), child_move)
                if todo != 0:
                    counts += ONE_CUTOFF + ONE_PRUNED * count(todo)
                    why = CUTOFF
                break
            low, high = window(search, alpha, beta, best, 0)
            opened = entered(0, depth_of(plies) - 1, -high, -low)
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        poke(tape.rows, row, word | ended(why, best))
    if aids is not None:
        remember(aids, key, turn, depth_of(plies), alpha, beta, best, best_move)
    return best, cursor, counts


def last_ply(
    search: Any,
    aids: Any,
    tape: Any,
    position: Position,
    word: int,
    alpha: int,
    beta: int,
    cursor: int,
    counts: int,
    plies: Any,
) -> tuple[int, int, int]:
    """All children are leaves; without a depth limit there is one, which fills the last square."""
    row, why, hint, key, turn = (cursor & ROWS_MASK) - 1, ALL_SEEN, -1, 0, 0
    if aids is not None:
        known, value, hint, key, turn = probe(aids, position, depth_of(plies), alpha, beta)
        if known:
            if tape is not None:
                poke(tape.rows, row, word | ended(BY_TABLE, value))
            return value, cursor, counts
    best, best_move = -INFINITY, -1
    todo = legal(position)
    low, high = window(search, alpha, beta, best, 0)
    opened = entered(0, depth_of(plies) - 1, -high, -low)
    while todo != 0:
        if search.limited is None:
            child_move = first(todo)
            todo = 0
        elif aids is None:
            child_move = first(todo)
            todo = rest(todo)
        else:
            child_move = choose(aids, position, todo, depth_of(plies), hint)
            todo &= ~(1 << child_move)
        child = play(position, child_move)
        cursor += 1
        worth, leaf = 0, TERMINAL
        if won(child):
            worth = -search.win
            counts += 1
        elif search.limited is None or legal(child) == 0:
            counts += 1
        else:
            leaf = AT_HORIZON
            counts += ONE_HORIZON
            worth = estimate(search, child)
        if tape is not None:
            poke(tape.rows, (cursor & ROWS_MASK) - 1, opened | child_move | ended(leaf, worth))
        value = -worth
        if value > best:
            best, best_move = value, child_move
            if prunes(search) and best >= beta:
                if aids is not None:
                    note_cutoff(aids, depth_of(plies), child_move)
                if todo != 0:
                    counts += ONE_CUTOFF + ONE_PRUNED * count(todo)
                    why = CUTOFF
                break
            low, high = window(search, alpha, beta, best, 0)
            opened = entered(0, depth_of(plies) - 1, -high, -low)
    cursor |= 1 << DEEP
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        poke(tape.rows, row, word | ended(why, best))
    if aids is not None:
        remember(aids, key, turn, depth_of(plies), alpha, beta, best, best_move)
    return best, cursor, counts


def estimate(search: Any, position: Position) -> int:
    """What a horizon leaf is worth."""
    if search.limited is None:
        return 0
    return evaluate(position) if search.limited != 0 else 0
