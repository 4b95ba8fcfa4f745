"""Depth-first search in slices: the one kernel of minimax, alpha-beta and principal variation search.

It works on an explicit stack with one frame per ply (`engine.kernels.worker_memory`), and can stop after any node.
`engine.kernels.subtree` searches each subtree that fits into the rest of the slice. Both visit the same nodes in the
same order, with the same counters and the same record.
"""

from typing import Any

from engine.kernels.chance import averaged_words, improves
from engine.kernels.contract import prunes, repeats, window
from engine.kernels.node import DEEP, ROWS_MASK, Node, turned
from engine.kernels.ordering import NATURAL, choose, note_cutoff
from engine.kernels.subtree import estimate, plies_for, subtree
from engine.kernels.transposition import prefetch_children, probe, store
from engine.kernels.worker_memory import (
    ALL_SEEN,
    AT_HORIZON,
    BY_TABLE,
    CUTOFF,
    OPEN,
    TERMINAL,
    Memory,
    close_row,
    ended,
    enter,
    entered,
    leave,
    load,
    moves_in,
    put_moves,
    was_cut,
    write_row,
)
from engine.result import INFINITY
from engine.rules.bits import count, emptied, first, is_empty, rest, without
from engine.rules.contract import Position, is_over, legal, moves_again, play, utility

NEVER_LEFT = 255
"""A number of plies left that no entry has: the table gives a move for it, but never a value."""


def leaf(search: Any, position: Position, ply: int) -> tuple[int, int]:
    """The value of a leaf for its side to move, and the reason (TERMINAL or AT_HORIZON); (0, OPEN) if it is no leaf."""
    if is_over(position):
        return utility(position) * (search.win + search.sooner * (search.horizon - ply)), TERMINAL
    if ply >= search.horizon:
        return estimate(search, position), AT_HORIZON
    return 0, OPEN


def begin(
    search: Any, position: Position, move: int, alpha: int, beta: int, base: int, memory: Memory, tape: Any, aids: Any
) -> None:
    """Set up the search of `position`, `base` plies below the root, reached by `move` (-1: it is the root).

    The position is visited and counted. If it is a leaf, the search is complete.
    """
    frame, state = memory.frames[base], memory.state[0]
    value, why = leaf(search, position, base)
    hint, found, symmetry = -1, 0, 0
    if aids is not None:
        if why == OPEN:
            _, _, hint, found, symmetry = probe(aids, position, NEVER_LEFT, alpha, beta)
            if base == 0 and aids.root_move >= 0:
                hint = aids.root_move
    enter(frame, position, alpha, beta, state["rows"], hint, found, symmetry)
    state["base"] = state["ply"] = base
    state["nodes"] += 1
    state["depth"] = max(state["depth"], base)
    if why == OPEN:
        leave(frame, -1, legal(position), -INFINITY, 0, 0)
    else:
        leave(frame, -1, emptied(legal(position)), value, 0, 0)
        state["ply"] = base - 1
        if why == TERMINAL:
            state["terminals"] += 1
        else:
            state["horizon"] += 1
    if tape is not None:
        write_row(tape, state["rows"], entered(move, search.horizon - base, alpha, beta) + ended(why, value))
    state["rows"] += 1


def advance(search: Any, root: Position, memory: Memory, tape: Any, aids: Any, budget: int) -> None:
    """See `engine.kernels.contract.advance`."""
    frames, values, state, sizes = memory.frames, memory.values, memory.state[0], memory.sizes
    # 1. Load the state at the end of the last slice. Counters and the open frame stay in registers during the slice.
    base, ply = state["base"], state["ply"]
    nodes, depth, rows = state["nodes"], state["depth"], state["rows"]
    terminals, horizon = state["terminals"], state["horizon"]
    cutoffs, pruned = state["cutoffs"], state["pruned"]
    limit = nodes + budget
    room = limit + state["slack"]
    frame = frames[max(ply, base)]
    position, move, best, line = load(root, frame), frame["move"], frame["best"], frame["line"]
    todo = moves_in(root, frame["todo"])
    alpha, beta, again = frame["alpha"], frame["beta"], frame["again"]
    while ply >= base and nodes < limit:
        if not is_empty(todo) or again != 0:
            # 2. Visit the next child, in the window that `window` gives.
            if again == 0:
                if aids is None or aids.order == NATURAL:
                    move = first(todo)
                    todo = rest(todo)
                else:
                    move = choose(aids, position, todo, search.horizon - ply, frames[ply]["hint"])
                    todo = without(todo, move)
            low, high = window(search, alpha, beta, best, again)
            child = play(position, move)
            keeps = moves_again(position, child)
            below_alpha, below_beta = (low, high) if keeps else (-high, -low)
            nodes += 1
            depth = max(depth, ply + 1)
            row, opened = rows, entered(move, search.horizon - ply - 1, below_alpha, below_beta)
            rows += 1
            # 3. A leaf has its value at once. Any other child is searched by `subtree`, found in the table, or pushed.
            value, why = leaf(search, child, ply + 1)
            if why == TERMINAL:
                terminals += 1
            elif why == AT_HORIZON:
                horizon += 1
            elif nodes + sizes[ply + 1] <= room:
                left, plies, used = search.horizon - ply - 1, plies_for(search, root, tape, aids), rows
                if tape is not None:
                    used = min(rows, tape.size + 1)
                node = Node(child, opened, below_alpha, below_beta)
                value, (cursor, counts) = subtree(left, plies, search, tape, aids, node, used)
                nodes += (cursor & ROWS_MASK) - used
                rows += (cursor & ROWS_MASK) - used
                terminals += counts & 0xFFFF
                horizon += counts >> 16 & 0xFFFF
                cutoffs += counts >> 32 & 0xFFFF
                pruned += counts >> 48 & 0xFFFF
                if cursor >> DEEP != 0:
                    depth = max(depth, search.horizon - first(cursor >> DEEP))
                if aids is not None and cursor & ROWS_MASK == used:
                    why = BY_TABLE
            else:
                hint, key, symmetry = -1, 0, 0
                if aids is not None:
                    known, value, hint, key, symmetry = probe(
                        aids, child, search.horizon - ply - 1, below_alpha, below_beta
                    )
                    if known:
                        why = BY_TABLE
                    else:
                        prefetch_children(aids, child)
                if why == OPEN:
                    leave(frames[ply], move, todo, best, line, again)
                    alpha, beta = below_alpha, below_beta
                    ply += 1
                    enter(frames[ply], child, alpha, beta, row, hint, key, symmetry)
                    if tape is not None:
                        write_row(tape, row, opened)
                    position, move, todo, best, line, again = child, -1, legal(child), -INFINITY, 0, 0
                    continue
            if tape is not None and why != OPEN:
                write_row(tape, row, opened + ended(why, value))
            below = 0
        else:
            # 4. All children are searched or cut off: return to the parent with the value.
            best = averaged_words(position, best, values[ply])
            if prunes(search) and search.hard is not None:
                best = min(max(best, alpha), beta)
            value, below, why = best, line, OPEN
            if tape is not None:
                close_row(tape, frames[ply]["row"], ended(CUTOFF if was_cut(frames[ply]) else ALL_SEEN, best))
            if aids is not None:
                key, symmetry = frames[ply]["key"], frames[ply]["symmetry"]
                store(aids, key, symmetry, search.horizon - ply, alpha, beta, best, (line & 127) - 1)
            ply -= 1
            if ply < base:
                break
            frame, child = frames[ply], position
            position, move, best, line = load(root, frame), frame["move"], frame["best"], frame["line"]
            keeps = moves_again(position, child)
            todo = moves_in(root, frame["todo"])
            alpha, beta, again = frame["alpha"], frame["beta"], frame["again"]
            low, high = window(search, alpha, beta, best, again)
        # 5. The value for the parent. A child that `repeats` names is searched a second time; a leaf never is.
        value = turned(value, keeps)
        values[ply, move] = value << 24 | (low & 0xFFFF) << 8 | why
        if again == 0 and why in (OPEN, BY_TABLE) and repeats(search, value, high, beta):
            again = 1
            continue
        again = 0
        # 6. A value above the parent's best becomes its best. A chance node has no best: see 4.
        if improves(position, move, value, best):
            best, line = value, below << 7 | (move + 1)
            # 7. A value of beta or more: the opponent avoids this node, so its remaining moves are cut off.
            if prunes(search) and best >= beta:
                if aids is not None:
                    note_cutoff(aids, search.horizon - ply, move)
                if not is_empty(todo):
                    put_moves(frames[ply]["cut"], todo)
                    cutoffs += 1
                    pruned += count(todo)
                    todo = emptied(todo)
    # 8. The slice ends: store its state.
    leave(frames[max(ply, base)], move, todo, best, line, again)
    state["ply"] = ply
    state["nodes"], state["depth"], state["rows"] = nodes, depth, rows
    state["terminals"], state["horizon"] = terminals, horizon
    state["cutoffs"], state["pruned"] = cutoffs, pruned
    if aids is not None and aids.mask >= 0:  # each node but the leaves is looked up
        state["probes"], state["hits"] = nodes - terminals - horizon, state["table_cutoffs"] + state["unsettled"]
