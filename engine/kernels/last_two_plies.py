"""The last two plies of a game with free placement, in one function without a loop.

Nearly all nodes of a whole game tree are here. Without a depth limit and without search aids, two empty squares leave
two moves, each followed by the other. The last move is evaluated even when the one before it has won: that costs less
than a mispredicted branch.
"""

from typing import Any

from engine.kernels.contract import prunes, window
from engine.kernels.node import DEEP, ONE_CUTOFF, ONE_PRUNED, ONE_TERMINAL, ROWS_MASK, Node, Tally
from engine.kernels.raw_words import store_word
from engine.kernels.worker_memory import ALL_SEEN, CUTOFF, TERMINAL, ended, entered
from engine.result import INFINITY
from engine.rules.bits import first, rest
from engine.rules.contract import Position, legal, play, won


def last_two_plies(plies: Any, search: Any, tape: Any, aids: Any, node: Node, tally: Tally) -> tuple[int, Tally]:
    """See `engine.kernels.subtree.search_ply`."""
    position, opened, alpha, beta = node
    cursor, counts = tally
    row, why = (cursor & ROWS_MASK) - 1, ALL_SEEN
    todo = legal(position)
    one, other = first(todo), first(rest(todo))
    low, high = window(search, alpha, beta, -INFINITY, 0)
    has_won, has_lost = play_both(search, tape, position, one, other, -high, -low, cursor)
    all_won = has_won
    cursor += 2 - has_won
    counts += ONE_TERMINAL
    best = value_of_two(search, has_won, has_lost)
    if prunes(search) and best >= beta:
        counts += ONE_CUTOFF + ONE_PRUNED
        why = CUTOFF
    else:
        low, high = window(search, alpha, beta, best, 0)
        wins, loses = play_both(search, tape, position, other, one, -high, -low, cursor)
        cursor += 2 - wins
        counts += ONE_TERMINAL
        all_won, has_won, has_lost = has_won & wins, has_won | wins, has_lost & loses
        best = value_of_two(search, has_won, has_lost)
    cursor |= 3 - all_won << DEEP
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        store_word(tape.rows, row, opened + ended(why, best))
    return best, Tally(cursor, counts)


def play_both(
    search: Any, tape: Any, position: Position, move: int, last: int, alpha: int, beta: int, cursor: int
) -> tuple[int, int]:
    """Whether the last but one move wins, and whether the last move wins, as 1 or 0. The next row overwrites that of a
    last move that is not played."""
    child = play(position, move)
    has_won, has_lost = int(won(child)), int(won(play(child, last)))
    if tape is not None:
        row, value = cursor & ROWS_MASK, search.win if has_lost != 0 else 0
        if prunes(search) and search.hard is not None:
            value = min(max(value, alpha), beta)
        end = ended(TERMINAL, -search.win - search.sooner) if has_won != 0 else ended(ALL_SEEN, value)
        low, high = window(search, alpha, beta, -INFINITY, 0)
        store_word(tape.rows, row, entered(move, 1, alpha, beta) + end)
        store_word(tape.rows, row + 1, entered(last, 0, -high, -low) + ended(TERMINAL, -search.win * has_lost))
    return has_won, has_lost


def value_of_two(search: Any, has_won: int, has_lost: int) -> int:
    """The value of a position with two empty squares: its side wins by either move, or else loses by both."""
    return search.win + search.sooner if has_won != 0 else -search.win if has_lost != 0 else 0
