"""The recursion below the stack of `engine.kernels.depth_first`, compiled once for each number of plies left.

That number is the depth of the nested tuple `plies`. The recursion is five times as fast as the stack. In games with
free placement (`engine.rules.contract.Traits`) the number of plies left is the number of empty squares, so a full board
needs no test.
"""

from typing import Any

from engine.kernels.chance import averaged, improves, weighted
from engine.kernels.contract import prunes, window
from engine.kernels.last_two_plies import last_two_plies
from engine.kernels.node import (
    DEEP,
    ONE_CUTOFF,
    ONE_HORIZON,
    ONE_PRUNED,
    ONE_TERMINAL,
    ROWS_MASK,
    Node,
    Tally,
    mean,
    turned,
)
from engine.kernels.ordering import NATURAL, choose, note_cutoff
from engine.kernels.raw_words import store_word
from engine.kernels.transposition import prefetch_children, probe, store
from engine.kernels.worker_memory import ALL_SEEN, AT_HORIZON, BY_TABLE, CUTOFF, SPARE_ROWS, TERMINAL, ended, entered
from engine.result import INFINITY
from engine.rules.bits import count, first, is_empty, rest, without
from engine.rules.contract import (
    UNIT,
    Position,
    evaluate,
    is_over,
    legal,
    moves_again,
    play,
    plies_bound,
    traits,
    traits_of,
    utility,
    won,
)

MAX_BELOW = 6
"""Plies that the recursion is compiled for. With 6, the stack visits one node in 900 of the 3 x 3 tree."""
AIDED_BELOW, RECORDED_BELOW, LIMITED_BELOW, LEAST_BELOW = 8, 5, 4, 1
"""The same with search aids, with a record, and with a depth limit, where plies take longer to compile. LEAST_BELOW:
with aids and one of the other two. A search that may repeat has one ply, because `inner_ply` cannot repeat. With a
table, 14 % of the nodes of the 4 x 4 tree have more than 5 plies left, and 2 % more than 7."""
APART = 4
"""The recursion has entry points at the greatest number of plies left, and at every APART fewer. Each is compiled
separately; all but the first are for the small subtrees of a small tree or of the end of a slice."""
OTHERS_BELOW = 2
"""The same for games without free placement, whose rules take longer to compile."""
PLIES: Any = ()
for _ in range(max(MAX_BELOW, AIDED_BELOW)):
    PLIES = (PLIES,)
MAX_SUBTREE = SPARE_ROWS - 2
"""Nodes of the largest subtree: limited by the spare rows of the tape, of which one more is written and not used."""
MAX_LEAVES = 0xFFFF
"""Leaves of the largest subtree: limited by the packed counts. No search of it cuts off or prunes more often."""


def compiled_below(kind: Any, search: Any, limited: bool, records: bool, aided: bool) -> int:
    """The number of plies that the recursion is compiled for. `kind` is the type of the positions, `search` the type of
    the algorithm."""
    if not traits_of(kind).free_placement:
        return LEAST_BELOW if search.searches_again else OTHERS_BELOW
    if search.searches_again or (aided and (limited or records)):
        return LEAST_BELOW
    if limited:
        return LIMITED_BELOW
    if aided:
        return AIDED_BELOW
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
    marks a ply where the recursion cannot begin (see `dispatch_depth`) or has too many nodes or leaves."""
    deepest = compiled_below(type(root), type(search), search.limited is not None, records, aided)
    squares, known, sizes = plies_bound(root), traits(root), []
    for ply in range(search.horizon + 1):
        nodes, width = 0, 1
        for above in range(ply, search.horizon):
            moves = squares - above if known.free_placement else known.widest
            width *= moves * (2 if search.searches_again else 1)
            nodes += width
        left = search.horizon - ply
        fits = nodes <= MAX_SUBTREE and width <= MAX_LEAVES and left in range(deepest, 0, -APART)
        sizes.append(nodes if fits else 1 << 60)
    return sizes


def subtree(left: int, plies: Any, search: Any, tape: Any, aids: Any, node: Node, cursor: int) -> tuple[int, Tally]:
    """`search_ply` for `left` plies, chosen at run time: the depth of `plies`, or APART less, or twice APART ...

    It is a kernel of its own, so that another process can compile it at the same time.
    """
    return dispatch_depth(left, plies, search, tape, aids, node, Tally(cursor, 0))


def dispatch_depth(
    left: int, plies: Any, search: Any, tape: Any, aids: Any, node: Node, tally: Tally
) -> tuple[int, Tally]:
    """See `subtree`."""
    if left == depth_of(plies):
        return search_ply(plies, search, tape, aids, node, tally)
    return dispatch_depth(left, plies[0][0][0][0], search, tape, aids, node, tally)  # APART less


def depth_of(plies: Any) -> int:
    """The nesting depth of a tuple; in compiled code a constant."""
    return 1 + depth_of(plies[0]) if plies else 0


def search_ply(plies: Any, search: Any, tape: Any, aids: Any, node: Node, tally: Tally) -> tuple[int, Tally]:
    """Search a node whose game is not over; the number of plies left is the depth of `plies`. `tally` already counts
    its row. Returns its value for the side to move, and the tally with all nodes below it."""
    if depth_of(plies) == 0:
        return horizon_leaf(plies, search, tape, aids, node, tally)
    is_plain = search.limited is None and aids is None and traits(node.position).free_placement
    if depth_of(plies) == 2 and is_plain:
        return last_two_plies(plies, search, tape, aids, node, tally)
    return inner_ply(plies, search, tape, aids, node, tally)


def inner_ply(plies: Any, search: Any, tape: Any, aids: Any, node: Node, tally: Tally) -> tuple[int, Tally]:
    """`search_ply` as in a textbook: a loop over the moves."""
    position, opened, alpha, beta = node
    cursor, counts = tally
    left, row, why = depth_of(plies), (cursor & ROWS_MASK) - 1, ALL_SEEN
    hint, key, symmetry = -1, 0, 0
    if aids is not None:
        known, value, hint, key, symmetry = probe(aids, position, left, alpha, beta)
        if known:
            if tape is not None:
                store_word(tape.rows, row, opened + ended(BY_TABLE, value))
            return value, tally
        if left > 1:  # with fewer, no child is looked up
            prefetch_children(aids, position)
    best, best_move, win = -INFINITY, -1, search.win + search.sooner * (left - 1)
    total = 0  # of the outcomes of a chance node
    todo = legal(position)
    low, high = window(search, alpha, beta, best, 0)
    child_opened = entered(0, left - 1, -high, -low)
    while not is_empty(todo):
        if aids is None or aids.order == NATURAL:
            move = first(todo)
            todo = rest(todo)
        else:
            move = choose(aids, position, todo, left, hint)
            todo = without(todo, move)
        child = play(position, move)
        cursor += 1
        again = moves_again(position, child)
        node = Node(child, child_opened + move, -high, -low)
        if again:
            node = Node(child, entered(move, left - 1, low, high), low, high)
        if has_ended(child):
            value = end_value(child, win)
            counts += ONE_TERMINAL
            if left > 1:
                cursor |= 1 << DEEP + left - 1
            if tape is not None:
                store_word(tape.rows, (cursor & ROWS_MASK) - 1, node.opened + ended(TERMINAL, value))
        else:
            value, (cursor, counts) = search_ply(plies[0], search, tape, aids, node, Tally(cursor, counts))
        value = turned(value, again)
        total += weighted(position, move, value)
        if improves(position, move, value, best):
            best, best_move = value, move
            if prunes(search) and best >= beta:
                if aids is not None and aids.order != NATURAL:
                    note_cutoff(aids, left, move)
                if not is_empty(todo):
                    counts += ONE_CUTOFF + ONE_PRUNED * count(todo)
                    why = CUTOFF
                break
            low, high = window(search, alpha, beta, best, 0)
            child_opened = entered(0, left - 1, -high, -low)
    best = averaged(position, best, total)
    if left == 1:  # all children are leaves
        cursor |= 1 << DEEP
    if prunes(search) and search.hard is not None:
        best = min(max(best, alpha), beta)
    if tape is not None:
        store_word(tape.rows, row, opened + ended(why, best))
    if aids is not None:
        store(aids, key, symmetry, left, alpha, beta, best, best_move)
    return best, Tally(cursor, counts)


def horizon_leaf(plies: Any, search: Any, tape: Any, aids: Any, node: Node, tally: Tally) -> tuple[int, Tally]:
    """`search_ply` with no plies left: the position is a full board or has an estimate."""
    cursor, counts = tally
    value, why = 0, TERMINAL
    if is_full(search, node.position):
        counts += ONE_TERMINAL
    else:
        counts += ONE_HORIZON
        value, why = estimate(search, node.position), AT_HORIZON
    if tape is not None:
        store_word(tape.rows, (cursor & ROWS_MASK) - 1, node.opened + ended(why, value))
    return value, Tally(cursor, counts)


def estimate(search: Any, position: Position) -> int:
    """The value of a horizon leaf for its side to move."""
    if search.limited is None or search.limited < 0:
        return 0
    found = evaluate(position, search.limited)
    return mean(found * search.win, UNIT) if traits(position).chance else found


def has_ended(position: Position) -> bool:
    """Whether the game is over. With free placement, the position must not be a full board without a winner."""
    return won(position) if traits(position).free_placement else is_over(position)


def end_value(position: Position, win: int) -> int:
    """The value of a finished game for the side to move; `win` is the value of a utility of 1. With free placement, the
    position must not be a full board without a winner."""
    return -win if traits(position).free_placement else utility(position) * win


def is_full(search: Any, position: Position) -> bool:
    """Whether a position below the last ply, without a winner, is a full board: a draw. Always false without free
    placement."""
    return traits(position).free_placement and (search.limited is None or is_empty(legal(position)))
