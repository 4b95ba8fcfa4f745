"""Move ordering: which of the moves that are left is searched next. Alpha-beta's work depends on nothing else so much.

An order is a set of flags. One of the first five says where every move stands; the others bring some to the front:
the table's move first, then the killers, then by history. Of equals the lowest move comes first, for a worker that is
to look elsewhere than its neighbour (MIRRORED) the highest.

    history    for each move, the squared plies left of the subtrees that it cut off
    killers    two for each number of plies left, as move + 1: the moves that last cut there

Sources: killers, Akl and Newborn (1977); history, Schaeffer, The history heuristic, ICCA Journal 6 (1983).
"""

from typing import Any

from engine.kernels.raw_words import peek, poke
from engine.kernels.transposition import exact_value
from engine.result import INFINITY
from engine.rules.bits import first, is_empty, rest
from engine.rules.contract import Position, evaluate, is_over, key, move_promise, play, utility

NATURAL, DOMAIN, RANDOM, BEST_FIRST, WORST_FIRST = 0, 1, 2, 4, 8
BY_TABLE, BY_KILLERS, BY_HISTORY, MIRRORED, LAZY = 16, 32, 64, 128, 256

MAX_HISTORY = 1 << 40
MIX, SEEDS = -49064778989728563, 0x9E3779B97F4A7C1
"""Odd words with many bits set, to scatter numbers with."""
LOW_WORD = 0xFFFF_FFFF


def choose(aids: Any, position: Position, todo: int, left: int, hint: int) -> int:
    """The move of `todo` to search next, with `left` plies left; `hint` is the table's move, or -1."""
    order = aids.order
    if order == NATURAL:
        return first(todo)
    chosen, top = -1, -(1 << 62)
    while not is_empty(todo):
        move = first(todo)
        todo = rest(todo)
        score = 0
        if order & DOMAIN != 0:
            score = move_promise(position, move)
        elif order & RANDOM != 0:
            # Of a square the middle: a product alone would put the moves in their natural order, beginning elsewhere.
            mixed = ((key(position) ^ aids.seed * SEEDS) + (move + 1) * MIX) * MIX >> 24 & LOW_WORD
            score = mixed * mixed >> 24 & 0xFFFF
        elif order & (BEST_FIRST | WORST_FIRST) != 0:
            score = true_score(aids, play(position, move), order)
        if order & BY_HISTORY != 0:
            score += peek(aids.history, move) << 16
        if order & BY_KILLERS != 0:
            if peek(aids.killers, 2 * left) == move + 1:
                score += 1 << 60
            elif peek(aids.killers, 2 * left + 1) == move + 1:
                score += 1 << 59
        if order & BY_TABLE != 0 and move == hint:
            score += 1 << 61
        if score > top or (score == top and order & MIRRORED != 0):
            chosen, top = move, score
    return chosen


def true_score(aids: Any, child: Position, order: int) -> int:
    """How early a move comes where its true value is known: the other side's worst first, or its best."""
    if is_over(child):
        value = utility(child) * INFINITY
    else:
        value = exact_value(aids, child)
        if value == -INFINITY:  # a horizon leaf is in no table
            value = evaluate(child, aids.evaluation)
    return -value if order & BEST_FIRST != 0 else value


def note_cutoff(aids: Any, left: int, move: int) -> None:
    """Learn from a move that cut off with `left` plies left."""
    if aids.order & BY_HISTORY != 0:
        poke(aids.history, move, min(MAX_HISTORY, peek(aids.history, move) + left * left))
    if aids.order & BY_KILLERS != 0 and peek(aids.killers, 2 * left) != move + 1:
        poke(aids.killers, 2 * left + 1, peek(aids.killers, 2 * left))
        poke(aids.killers, 2 * left, move + 1)
