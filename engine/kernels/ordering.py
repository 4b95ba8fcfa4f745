"""Move ordering: the choice of the next move to search. It has the greatest influence on alpha-beta's node count.

An order is a set of flags. One of the first five orders all moves; the others put some moves first: the transposition
table's move, then the killer moves, then by history. Of equal moves the lowest comes first; with MIRRORED, for lazy
workers that should differ from their neighbours, the highest.

    history    for each move, the sum over its cutoffs of the squared number of plies left
    killers    two for each number of plies left, as move + 1: the last moves that caused a cutoff there

Sources: killers, Akl and Newborn (1977); history, Schaeffer, The history heuristic, ICCA Journal 6 (1983).
"""

from typing import Any

from engine.kernels.node import turned
from engine.kernels.raw_words import load_word, store_word
from engine.kernels.transposition import exact_value
from engine.result import INFINITY
from engine.rules.bits import first, is_empty, rest
from engine.rules.contract import Position, evaluate, is_over, key, move_promise, moves_again, play, utility

NATURAL, DOMAIN, RANDOM, BEST_FIRST, WORST_FIRST = 0, 1, 2, 4, 8
BY_TABLE, BY_KILLERS, BY_HISTORY, MIRRORED, LAZY = 16, 32, 64, 128, 256

MAX_HISTORY = 1 << 40
MIX, SEEDS = -49064778989728563, 0x9E3779B97F4A7C1
"""Odd words with many bits set, the multipliers of a hash."""
LOW_WORD = 0xFFFF_FFFF


def choose(aids: Any, position: Position, todo: int, left: int, hint: int) -> int:
    """The move of `todo` to search next, with `left` plies left; `hint` is the table's move, or -1."""
    order = aids.order
    chosen, top = -1, -(1 << 62)
    while not is_empty(todo):
        move = first(todo)
        todo = rest(todo)
        score = 0
        if order & DOMAIN != 0:
            score = move_promise(position, move)
        elif order & RANDOM != 0:
            # Middle bits of a second product: one product alone would only rotate the natural order of the moves.
            mixed = ((key(position) ^ aids.seed * SEEDS) + (move + 1) * MIX) * MIX >> 24 & LOW_WORD
            score = mixed * mixed >> 24 & 0xFFFF
        elif order & (BEST_FIRST | WORST_FIRST) != 0:
            score = true_score(aids, position, play(position, move), order)
        if order & BY_HISTORY != 0:
            score += load_word(aids.history, move) << 16
        if order & BY_KILLERS != 0:
            if load_word(aids.killers, 2 * left) == move + 1:
                score += 1 << 60
            elif load_word(aids.killers, 2 * left + 1) == move + 1:
                score += 1 << 59
        if order & BY_TABLE != 0 and move == hint:
            score += 1 << 61
        if score > top or (score == top and order & MIRRORED != 0):
            chosen, top = move, score
    return chosen


def true_score(aids: Any, position: Position, child: Position, order: int) -> int:
    """The ordering score of a move whose child has a known exact value: highest for the best move, or for the worst."""
    if is_over(child):
        value = utility(child) * INFINITY
    else:
        value = exact_value(aids, child)
        if value == -INFINITY:  # horizon leaves are not in the table
            value = evaluate(child, aids.evaluation)
    value = turned(value, moves_again(position, child))
    return value if order & BEST_FIRST != 0 else -value


def note_cutoff(aids: Any, left: int, move: int) -> None:
    """Update killer moves and history after a cutoff by `move` with `left` plies left."""
    if aids.order & BY_HISTORY != 0:
        store_word(aids.history, move, min(MAX_HISTORY, load_word(aids.history, move) + left * left))
    if aids.order & BY_KILLERS != 0 and load_word(aids.killers, 2 * left) != move + 1:
        store_word(aids.killers, 2 * left + 1, load_word(aids.killers, 2 * left))
        store_word(aids.killers, 2 * left, move + 1)
