"""Alpha-beta: minimax that leaves a position as soon as its value cannot matter any more.

The window (alpha, beta) is what the two sides are already sure of; once a position is worth beta or more to the side to
move, the other side will not let it come about, and the remaining moves are cut off. Fail-soft: the value returned may
lie outside the window, and is then a bound. The textbook stands first, in its two forms; children in ascending order.
"""

from typing import Any, NamedTuple

from engine.algorithm import Algorithm, advance
from engine.bits import count, each, first, rest
from engine.game import ONGOING, Position, legal, outcome, play, remaining
from engine.job import INFINITY
from engine.stack import (
    ALL_SEEN,
    ALPHA,
    AT_HORIZON,
    BASE,
    BEST,
    BETA,
    CUT,
    CUTOFF,
    CUTOFFS,
    DEPTH,
    HORIZON,
    LINE,
    MOVE,
    NODES,
    OPEN,
    PLY,
    PRUNED,
    ROW,
    ROWS,
    TERMINAL,
    TERMINALS,
    TODO,
    Memory,
    close_row,
    enter,
    leave,
    load,
    open_row,
)


def maximise(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> tuple[int | None, int]:
    """The best move for MAX, who is to move, and its value to MAX; a bound if it is not inside (alpha, beta)."""
    if outcome(position) != ONGOING:
        return None, outcome(position)
    best_move, best = None, -INFINITY
    for move in each(legal(position)):
        _, value = minimise(play(position, move), max(alpha, best), beta)
        if value > best:
            best_move, best = move, value
        if best >= beta:
            break
    return best_move, best


def minimise(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> tuple[int | None, int]:
    """The best move for MIN, who is to move, and its value to MAX; a bound if it is not inside (alpha, beta)."""
    if outcome(position) != ONGOING:
        return None, -outcome(position)
    best_move, best = None, INFINITY
    for move in each(legal(position)):
        _, value = maximise(play(position, move), alpha, min(beta, best))
        if value < best:
            best_move, best = move, value
        if best <= alpha:
            break
    return best_move, best


def negamax(position: Position, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
    """The value of a position to the side to move; a bound if it is not inside (alpha, beta)."""
    if outcome(position) != ONGOING:
        return outcome(position)
    best = -INFINITY
    for move in each(legal(position)):
        best = max(best, -negamax(play(position, move), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


class AlphaBeta(NamedTuple):
    soonest: int
    horizon: int


@advance.register
def _advance(search: AlphaBeta, root: Position, memory: Memory, tape: Any, budget: int) -> None:
    frames, values, state = memory
    # 1. Take up the search where the last slice left it; until its end, counters and the open frame are in registers.
    base, ply = state[BASE], state[PLY]
    nodes, terminals, horizon, depth, rows = state[NODES], state[TERMINALS], state[HORIZON], state[DEPTH], state[ROWS]
    cutoffs, pruned = state[CUTOFFS], state[PRUNED]
    limit = nodes + budget
    frame = frames[max(ply, base)]
    position, move, todo, best, line = load(root, frame), frame[MOVE], frame[TODO], frame[BEST], frame[LINE]
    alpha, beta = frame[ALPHA], frame[BETA]
    while ply >= base and nodes < limit:
        if todo != 0:
            # 2. Visit the next child: a leaf has a value at once, any other is searched first, in what is left of
            #    the window, seen from its side.
            move = first(todo)
            todo = rest(todo)
            child = play(position, move)
            nodes += 1
            value = outcome(child)
            if value != ONGOING:
                value *= 1 + search.soonest * remaining(child)
                terminals += 1
                why = TERMINAL
            elif ply + 1 >= search.horizon:
                value = 0
                horizon += 1
                why = AT_HORIZON
            else:
                why = OPEN
            if tape is not None:
                open_row(tape, rows, move, why, -beta, -max(alpha, best), value)
            rows += 1
            depth = max(depth, ply + 1)
            if why == OPEN:
                leave(frames[ply], move, todo, best, line)
                alpha, beta = -beta, -max(alpha, best)
                ply += 1
                enter(frames[ply], child, alpha, beta, rows - 1)
                position, move, todo, best, line = child, -1, legal(child), -INFINITY, 0
                continue
            below = 0
        else:
            # 3. All children seen or cut off: go back to the parent with the value.
            value, below = best, line
            if tape is not None:
                close_row(tape, frames[ply, ROW], CUTOFF if frames[ply, CUT] != 0 else ALL_SEEN, best, rows)
            ply -= 1
            if ply < base:
                break
            frame = frames[ply]
            position, move, todo, best, line = load(root, frame), frame[MOVE], frame[TODO], frame[BEST], frame[LINE]
            alpha, beta = frame[ALPHA], frame[BETA]
        # 4. The parent takes the value, seen from its side, if it is better than what it has.
        value = -value
        values[ply, move] = value
        if value > best:
            best, line = value, below << 7 | (move + 1)
            # 5. Worth beta or more: the other side avoids this position, so what is left to do is cut off.
            if best >= beta and todo != 0:
                frames[ply, CUT] = todo
                cutoffs += 1
                pruned += count(todo)
                todo = 0
    # 6. The slice ends: write down where.
    leave(frames[max(ply, base)], move, todo, best, line)
    state[PLY] = ply
    state[NODES], state[TERMINALS], state[HORIZON], state[DEPTH], state[ROWS] = nodes, terminals, horizon, depth, rows
    state[CUTOFFS], state[PRUNED] = cutoffs, pruned


ALGORITHM = Algorithm(
    rank=2,
    name="alphabeta",
    title="Alpha-beta",
    options=AlphaBeta,
    prunes=True,
    summary="Gives minimax's answer, but leaves a position once its value cannot matter any more.",
)
