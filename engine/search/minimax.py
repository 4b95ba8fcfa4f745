"""Minimax: visit every position, give a finished game its score, give every other the best of its children.

The textbook stands first, in its two forms; the first of equal moves is kept. The kernel below is the negamax form on
an explicit stack.
"""

from typing import Any, NamedTuple

from engine.algorithm import Algorithm, advance
from engine.bits import each, first, rest
from engine.game import ONGOING, Position, legal, outcome, play, remaining
from engine.job import INFINITY
from engine.stack import (
    ALL_SEEN,
    AT_HORIZON,
    BASE,
    BEST,
    DEPTH,
    HORIZON,
    LINE,
    MOVE,
    NODES,
    OPEN,
    PLY,
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


def maximise(position: Position) -> tuple[int | None, int]:
    """The best move for MAX, who is to move, and its value to MAX. The move is None where the game is over."""
    if outcome(position) != ONGOING:
        return None, outcome(position)
    best_move, best = None, -INFINITY
    for move in each(legal(position)):
        _, value = minimise(play(position, move))
        if value > best:
            best_move, best = move, value
    return best_move, best


def minimise(position: Position) -> tuple[int | None, int]:
    """The best move for MIN, who is to move, and its value to MAX. The move is None where the game is over."""
    if outcome(position) != ONGOING:
        return None, -outcome(position)
    best_move, best = None, INFINITY
    for move in each(legal(position)):
        _, value = maximise(play(position, move))
        if value < best:
            best_move, best = move, value
    return best_move, best


def negamax(position: Position) -> int:
    """The value of a position to the side to move: one function, for what is good for one is bad for the other."""
    if outcome(position) != ONGOING:
        return outcome(position)
    return max(-negamax(play(position, move)) for move in each(legal(position)))


class Minimax(NamedTuple):
    soonest: int
    horizon: int


@advance.register
def _advance(search: Minimax, root: Position, memory: Memory, tape: Any, budget: int) -> None:
    frames, values, state = memory
    # 1. Take up the search where the last slice left it; until its end, counters and the open frame are in registers.
    base, ply = state[BASE], state[PLY]
    nodes, terminals, horizon, depth, rows = state[NODES], state[TERMINALS], state[HORIZON], state[DEPTH], state[ROWS]
    limit = nodes + budget
    frame = frames[max(ply, base)]
    position, move, todo, best, line = load(root, frame), frame[MOVE], frame[TODO], frame[BEST], frame[LINE]
    while ply >= base and nodes < limit:
        if todo != 0:
            # 2. Visit the next child: a leaf has a value at once, any other is searched first.
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
                open_row(tape, rows, move, why, -INFINITY, INFINITY, value)
            rows += 1
            depth = max(depth, ply + 1)
            if why == OPEN:
                leave(frames[ply], move, todo, best, line)
                ply += 1
                enter(frames[ply], child, -INFINITY, INFINITY, rows - 1)
                position, move, todo, best, line = child, -1, legal(child), -INFINITY, 0
                continue
            below = 0
        else:
            # 3. All children seen: go back to the parent with the value.
            value, below = best, line
            if tape is not None:
                close_row(tape, frames[ply, ROW], ALL_SEEN, best, rows)
            ply -= 1
            if ply < base:
                break
            frame = frames[ply]
            position, move, todo, best, line = load(root, frame), frame[MOVE], frame[TODO], frame[BEST], frame[LINE]
        # 4. The parent takes the value, seen from its side, if it is better than what it has.
        value = -value
        values[ply, move] = value
        if value > best:
            best, line = value, below << 7 | (move + 1)
    # 5. The slice ends: write down where.
    leave(frames[max(ply, base)], move, todo, best, line)
    state[PLY] = ply
    state[NODES], state[TERMINALS], state[HORIZON], state[DEPTH], state[ROWS] = nodes, terminals, horizon, depth, rows


ALGORITHM = Algorithm(
    rank=1,
    name="minimax",
    title="Minimax",
    options=Minimax,
    prunes=False,
    summary="Visits every position down to the end of the game.",
)
