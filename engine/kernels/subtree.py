"""The recursion below the stack of `engine.kernels.depth_first`, compiled once for each number of plies left.

That number is the depth of the nested tuple `plies`. The recursion is five times as fast as the stack. In games with
free placement (`engine.rules.contract.Traits`) the number of plies left is the number of empty squares, so the last
plies need no test for the end of the game.

Cursor and counts are packed, because numba returns each number through memory:

    cursor   bits 0 to 47    rows of the tape used so far, one a node
             from bit 48 on  bit 48 + p: a leaf was visited with p plies left; of two bits the lower counts
    counts   four times 16 bits: terminals, horizon leaves, cutoffs, moves pruned
"""

from typing import Any

from engine.kernels.contract import prunes, window
from engine.kernels.ordering import choose, note_cutoff
from engine.kernels.raw_words import poke
from engine.kernels.transposition import probe, remember
from engine.kernels.worker_memory import ALL_SEEN, AT_HORIZON, BY_TABLE, CUTOFF, SPARE_ROWS, TERMINAL, ended, entered
from engine.result import INFINITY
from engine.rules.bits import count, emptied, first, is_empty, rest, without
from engine.rules.contract import Position, evaluate, is_over, legal, play, plies_bound, traits, traits_of, utility, won

MAX_BELOW = 6
"""Plies that the recursion is compiled for. The packed counts allow at most 7. With 6, the stack visits one node in 900
of the 3 x 3 tree."""
RECORDED_BELOW, MIDDLE_BELOW, LEAST_BELOW = 5, 4, 1
"""The same for searches that do more at each node, whose plies take longer to compile. RECORDED_BELOW: with a record.
MIDDLE_BELOW: with search aids or a depth limit. LEAST_BELOW: with search aids and one of the other two. A search that
may repeat has one ply, because `upper_ply` cannot repeat."""
OTHERS_BELOW = 2
"""The same for games without free placement, whose rules take longer to compile."""
PLIES: Any = ()
for _ in range(MAX_BELOW):
    PLIES = (PLIES,)
MAX_SUBTREE = SPARE_ROWS - 2
"""Nodes of the largest subtree: limited by the packed counts and by the spare rows of the tape, of which one more is
written and not used."""

ONE_HORIZON, ONE_CUTOFF, ONE_PRUNED = 1 << 16, 1 << 32, 1 << 48
ROWS_MASK = (1 << 48) - 1
DEEP = 48


def compiled_below(kind: Any, search: Any, limited: bool, records: bool, aided: bool) -> int:
    """The number of plies that the recursion is compiled for. `kind` is the type of the positions, `search` the type of
    the algorithm."""
    if not traits_of(kind).free_placement:
        return LEAST_BELOW if search.searches_again else OTHERS_BELOW
    if search.searches_again or (aided and (limited or records)):
        return LEAST_BELOW
    if limited or aided:
        return MIDDLE_BELOW
    return RECORDED_BELOW if records else MAX_BELOW


def plies_for(search: Any, position: Position, tape: Any, aids: Any) -> Any:
    """The nested tuple of that depth."""
    plies, options = PLIES, (search.limited is not None, tape is not None, aids is not None)
    wanted = compiled_below(type(position), type(search), *options)
    while depth_of(plies) > wanted:
        plies = plies[0]
    return plies


def subtree_sizes(search: Any, root: Position, records: bool, aided: bool) -> list[int]:
    """An upper bound on the nodes below a position, for each ply from 0 to the horizon. 1 << 60, more than any slice,
    marks a ply where the recursion cannot begin (see `descend`) or has too many nodes."""
    deepest = compiled_below(type(root), type(search), search.limited is not None, records, aided)
    squares, known, sizes = plies_bound(root), traits(root), []
    for ply in range(search.horizon + 1):
        nodes, width = 0, 1
        for above in range(ply, search.horizon):
            moves = squares - above if known.free_placement else known.widest
            width *= moves * (2 if search.searches_again else 1)
            nodes += width
        left = search.horizon - ply
        fits = nodes <= MAX_SUBTREE and left in range(deepest, min(deepest, 2) - 1, -2)
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
    """`below` for `left` plies, chosen at run time: the depth of `plies`, or two less, or four less ...

    It is a kernel of its own, so that another process can compile it at the same time.
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
    """The nesting depth of a tuple; in compiled code a constant."""
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
    """Search a position that is no leaf; the number of plies left is the depth of `plies`.

    `cursor` already counts its row; `word` is the first part of that row. Returns its value for the side to move, the
    cursor and the counts.
    """
    if depth_of(plies) == 1:
        searched = last_ply
    elif depth_of(plies) == 2 and search.limited is None and aids is None and traits(position).free_placement:
        searched = last_two_plies
    else:
        searched = upper_ply
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
                poke(tape.rows, row, word + ended(BY_TABLE, value))
            return value, cursor, counts
    best, best_move, win = -INFINITY, -1, search.win + search.sooner * (depth_of(plies) - 1)
    todo = legal(position)
    low, high = window(search, alpha, beta, best, 0)
    opened = entered(0, depth_of(plies) - 1, -high, -low)
    while not is_empty(todo):
        if aids is None:
            child_move = first(todo)
            todo = rest(todo)
        else:
            child_move = choose(aids, position, todo, depth_of(plies), hint)
            todo = without(todo, child_move)
        child = play(position, child_move)
        cursor += 1
        if has_ended(child):
            value = gain(child, win)
            counts += 1
            cursor |= 1 << DEEP + depth_of(plies) - 1
            if tape is not None:
                poke(tape.rows, (cursor & ROWS_MASK) - 1, opened + child_move + ended(TERMINAL, -value))
        else:
            value, cursor, counts = below(
                search, aids, tape, child, opened + child_move, -high, -low, cursor, counts, plies[0]
            )
            value = -value
        if value > best:
            best, best_move = value, child_move
            if prunes(search) and best >= beta:
                if aids is not None:
                    note_cutoff(aids, depth_of(plies), child_move)
                if not is_empty(todo):
                    counts += ONE_CUTOFF + ONE_PRUNED * count(todo)
                    why = CUTOFF
                break
            low, high = window(search, alpha, beta, best, 0)
            opened = entered(0, depth_of(plies) - 1, -high, -low)
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        poke(tape.rows, row, word + ended(why, best))
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
    """Search the last ply: all children are leaves. With free placement and without a depth limit there is one child,
    which fills the last square."""
    row, why, hint, key, turn = (cursor & ROWS_MASK) - 1, ALL_SEEN, -1, 0, 0
    if aids is not None:
        known, value, hint, key, turn = probe(aids, position, depth_of(plies), alpha, beta)
        if known:
            if tape is not None:
                poke(tape.rows, row, word + ended(BY_TABLE, value))
            return value, cursor, counts
    best, best_move = -INFINITY, -1
    place = row + 1
    todo = legal(position)
    low, high = window(search, alpha, beta, best, 0)
    opened = entered(0, depth_of(plies) - 1, -high, -low)
    while not is_empty(todo):
        if is_last_square(search, position):
            child_move = first(todo)
            todo = emptied(todo)
        elif aids is None:
            child_move = first(todo)
            todo = rest(todo)
        else:
            child_move = choose(aids, position, todo, depth_of(plies), hint)
            todo = without(todo, child_move)
        child = play(position, child_move)
        cursor += 1
        worth, leaf = 0, TERMINAL
        if has_ended(child):
            worth = -gain(child, search.win)
            counts += 1
        elif is_full(search, child):
            counts += 1
        else:
            leaf = AT_HORIZON
            counts += ONE_HORIZON
            worth = estimate(search, child)
        if tape is not None:
            poke(tape.rows, place, opened + child_move + ended(leaf, worth))
            place += 1
        value = -worth
        if value > best:
            best, best_move = value, child_move
            if prunes(search) and best >= beta:
                if aids is not None:
                    note_cutoff(aids, depth_of(plies), child_move)
                if not is_empty(todo):
                    counts += ONE_CUTOFF + ONE_PRUNED * count(todo)
                    why = CUTOFF
                break
            low, high = window(search, alpha, beta, best, 0)
            opened = entered(0, depth_of(plies) - 1, -high, -low)
    cursor |= 1 << DEEP
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        poke(tape.rows, row, word + ended(why, best))
    if aids is not None:
        remember(aids, key, turn, depth_of(plies), alpha, beta, best, best_move)
    return best, cursor, counts


def last_two_plies(
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
    """Search a position with two empty squares. The last move is evaluated even when the one before it has won: that
    costs less than a mispredicted branch."""
    row, why = (cursor & ROWS_MASK) - 1, ALL_SEEN
    todo = legal(position)
    one, other = first(todo), first(rest(todo))
    low, high = window(search, alpha, beta, -INFINITY, 0)
    has_won, has_lost = filled(search, tape, position, one, other, -high, -low, cursor)
    all_won = has_won
    cursor += 2 - has_won
    counts += 1
    best = worth(search, has_won, has_lost)
    if prunes(search) and best >= beta:
        counts += ONE_CUTOFF + ONE_PRUNED
        why = CUTOFF
    else:
        low, high = window(search, alpha, beta, best, 0)
        wins, loses = filled(search, tape, position, other, one, -high, -low, cursor)
        cursor += 2 - wins
        counts += 1
        all_won, has_won, has_lost = has_won & wins, has_won | wins, has_lost & loses
        best = worth(search, has_won, has_lost)
    cursor |= 3 - all_won << DEEP
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        poke(tape.rows, row, word + ended(why, best))
    return best, cursor, counts


def filled(
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
        poke(tape.rows, row, entered(move, 1, alpha, beta) + end)
        poke(tape.rows, row + 1, entered(last, 0, -high, -low) + ended(TERMINAL, -search.win * has_lost))
    return has_won, has_lost


def worth(search: Any, has_won: int, has_lost: int) -> int:
    """The value of a position with two empty squares."""
    return search.win + search.sooner if has_won != 0 else -search.win if has_lost != 0 else 0


def estimate(search: Any, position: Position) -> int:
    """The value of a horizon leaf for its side to move."""
    if search.limited is None or search.limited < 0:
        return 0
    return evaluate(position, search.limited)


def has_ended(position: Position) -> bool:
    """Whether the game is over. With free placement, the position must not be a full board without a winner."""
    return won(position) if traits(position).free_placement else is_over(position)


def gain(position: Position, win: int) -> int:
    """The value of a finished game for the side that moved last; `win` is the value of a utility of 1."""
    return win if traits(position).free_placement else -utility(position) * win


def is_full(search: Any, position: Position) -> bool:
    """Whether a position below the last ply, without a winner, is a full board: a draw. Always false without free
    placement."""
    return traits(position).free_placement and (search.limited is None or is_empty(legal(position)))


def is_last_square(search: Any, position: Position) -> bool:
    """Whether the last ply has exactly one move, known without reading the board."""
    return traits(position).free_placement and search.limited is None
