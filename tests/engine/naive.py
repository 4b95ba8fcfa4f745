"""The slow, obviously right twins of what the engine does fast, and what any result must satisfy.

Everything here is a plain recursion over the rules of a game. Values are from the side to move, as everywhere.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from engine.bits import each
from engine.game import ONGOING, Game, Position, legal, outcome, play, remaining
from engine.job import INFINITY, Bound, Child, Counters, End, Level, Result, Scoring, State
from engine.registry import NO_HORIZON, game
from engine.stack import ALL_SEEN, AT_HORIZON, CUTOFF, OPEN, TERMINAL
from engine.trace.record import Trace

EMPTY = ".../.../..."
"""The empty board of 3 x 3."""

X_ON_A1 = "x../.../..."


class Row(NamedTuple):
    """A row of the record, its fields in the order of `engine.stack.ROW_TYPE`."""

    move: int
    why: int
    alpha: int
    beta: int
    value: int
    end: int


def leaf_value(position: Position, soonest: bool) -> int:
    """What a finished game is worth; ONGOING where it goes on."""
    value = outcome(position)
    return value if value == ONGOING or not soonest else value * (1 + remaining(position))


def record(root: Position, prunes: bool, soonest: bool = False, horizon: int = NO_HORIZON) -> list[Row]:
    """Every node that minimax, or alpha-beta (`prunes`, fail-soft), visits: in preorder, children ascending."""
    rows: list[Row] = []

    def visit(position: Position, move: int, ply: int, alpha: int, beta: int) -> int:
        number = len(rows)
        leaf = leaf_value(position, soonest)
        if leaf != ONGOING:
            rows.append(Row(move, TERMINAL, alpha, beta, leaf, number + 1))
            return leaf
        if ply == horizon:
            rows.append(Row(move, AT_HORIZON, alpha, beta, 0, number + 1))
            return 0
        rows.append(Row(move, OPEN, alpha, beta, 0, 0))
        best, why, moves = -INFINITY, ALL_SEEN, list(each(legal(position)))
        for child in moves:
            window = (-beta, -max(alpha, best)) if prunes else (-INFINITY, INFINITY)
            best = max(best, -visit(play(position, child), child, ply + 1, *window))
            if prunes and best >= beta and child != moves[-1]:
                why = CUTOFF
                break
        rows[number] = Row(move, why, alpha, beta, best, len(rows))
        return best

    visit(root, -1, 0, -INFINITY, INFINITY)
    return rows


def counted(root: Position, rows: Sequence[Row]) -> Counters:
    """The counters of a search that left these rows."""
    pruned = depth = 0
    for number, position, ply in walk(root, rows):
        depth = max(depth, ply)
        if rows[number].why == CUTOFF:
            pruned += legal(position).bit_count() - len(children(rows, number))
    ends = [row.why for row in rows]
    return Counters(
        nodes=len(rows),
        terminals=ends.count(TERMINAL),
        horizon=ends.count(AT_HORIZON),
        cutoffs=ends.count(CUTOFF),
        pruned=pruned,
        depth=depth,
    )


def children(rows: Sequence[Row], number: int) -> list[int]:
    """The numbers of the rows of a row's children."""
    found, child = [], number + 1
    while child < rows[number].end:
        found.append(child)
        child = rows[child].end
    return found


def walk(root: Position, rows: Sequence[Row]) -> Iterator[tuple[int, Position, int]]:
    """Every row's number with its position and ply, in preorder. Rows that do not nest, or an illegal move, fail."""
    above: list[tuple[int, Position]] = []
    for number, row in enumerate(rows):
        while above and above[-1][0] <= number:
            above.pop()
        position = root
        if number:
            end, parent = above[-1]
            assert row.end <= end, f"Row {number} ends after the row above it."
            assert legal(parent) >> row.move & 1, f"Row {number} is no legal move."
            position = play(parent, row.move)
        yield number, position, len(above)
        above.append((row.end, position))


def moment(root: Position, rows: Sequence[Row], visited: int) -> tuple[Level, ...]:
    """The path of a search of which just so many nodes are visited: to the open position that it stands in."""
    number, position, levels = 0, root, []
    while True:
        seen = [child for child in children(rows, number) if child < visited]
        current = seen[-1] if seen else None
        goes_on = current is not None and rows[current].why not in (TERMINAL, AT_HORIZON)
        done = {rows[child].move: -rows[child].value for child in seen if child != current or not goes_on}
        cut = rows[number].why == CUTOFF and not goes_on and len(seen) == len(children(rows, number))
        shown = []
        for move in each(legal(position)):
            if move in done:
                shown.append(Child(move, State.DONE, done[move]))
            elif current is not None and move == rows[current].move:
                shown.append(Child(move, State.OPEN))
            else:
                shown.append(Child(move, State.PRUNED if cut else State.UNVISITED))
        best = max(done.values(), default=None)
        levels.append(
            Level(
                alpha=max(rows[number].alpha, -INFINITY if best is None else best),
                beta=rows[number].beta,
                best=best,
                move=None if current is None else rows[current].move,
                children=tuple(shown),
                cut=cut,
            )
        )
        if current is None or not goes_on:
            return tuple(levels)
        number, position = current, play(position, rows[current].move)


@cache
def _value(kind: type, position: Position, soonest: bool, depth: int) -> int:
    """`kind` is the position's type: positions of two games may be equal as tuples."""
    leaf = leaf_value(position, soonest)
    if leaf != ONGOING or depth == 0:
        return 0 if leaf == ONGOING else leaf
    return max(-_value(kind, play(position, move), soonest, depth - 1) for move in each(legal(position)))


def value(position: Position, soonest: bool = False, depth: int = NO_HORIZON) -> int:
    """The minimax value of a position, looking `depth` plies ahead."""
    return _value(type(position), position, soonest, min(depth, remaining(position)))


def move_values(position: Position, soonest: bool = False, depth: int = NO_HORIZON) -> dict[int, int]:
    """What each move is worth to the side that makes it; none where the game is over."""
    if outcome(position) != ONGOING:
        return {}
    return {move: -value(play(position, move), soonest, depth - 1) for move in each(legal(position))}


def perft(root: Position) -> list[int]:
    """How many paths of each length begin at a position."""
    counts: list[int] = []

    def go(position: Position, ply: int) -> None:
        if ply == len(counts):
            counts.append(0)
        counts[ply] += 1
        if outcome(position) == ONGOING:
            for move in each(legal(position)):
                go(play(position, move), ply + 1)

    go(root, 0)
    return counts


def reachable(root: Position) -> list[Position]:
    """Every position that a game from `root` can come to, once each, in the order of plies."""
    found, edge = [root], [root]
    while edge:
        edge = list(
            dict.fromkeys(
                play(position, move)
                for position in edge
                if outcome(position) == ONGOING
                for move in each(legal(position))
            )
        )
        found += edge
    return found


@st.composite
def playouts(draw: st.DrawFn, spec: str, start: str | None = None) -> list[Position]:
    """A random game, all its positions, until it is over or a random ply before."""
    position = game(spec).start if start is None else game(spec).notation.parse(start)
    positions, plies = [position], draw(st.integers(0, remaining(position)))
    while len(positions) <= plies and outcome(position) == ONGOING:
        position = play(position, draw(st.sampled_from(list(each(legal(position))))))
        positions.append(position)
    return positions


def positions(spec: str, start: str | None = None) -> st.SearchStrategy[Position]:
    """The last position of a random game."""
    return playouts(spec, start).map(lambda played: played[-1])


def prepared(result: Result) -> tuple[Game, Position, bool, int]:
    """What a result's job asked: the game, the position, whether sooner is better, and how deep."""
    job, played = result.job, game(result.job.game)
    return (
        played,
        played.notation.parse(job.position),
        job.scoring is Scoring.SOONEST,
        job.limit.depth or NO_HORIZON,
    )


def assert_true(result: Result) -> None:
    """What a result says is so, by exhaustive recursion: value, best move, every bound, line of play, counts."""
    _, root, soonest, depth = prepared(result)
    truth, info = move_values(root, soonest, depth), result.info
    assert info.value == value(root, soonest, depth)
    assert info.best == min((move for move in truth if truth[move] == info.value), default=None)
    assert [found.move for found in result.root_moves] == sorted(truth)
    for found in result.root_moves:
        assert found.value == truth[found.move] if found.bound is Bound.EXACT else found.value >= truth[found.move]
        assert found.bound is not Bound.LOWER
        assert found.move != info.best or found.bound is Bound.EXACT
    assert_line_is_worth(root, info.pv, info.value, soonest, depth)
    assert info.pv[:1] == (() if info.best is None else (info.best,))
    assert_adds_up(result)
    assert result.end is (End.HORIZON if info.counters.horizon else End.COMPLETE)


def assert_line_is_worth(root: Position, line: Sequence[int], worth: Any, soonest: bool, depth: int) -> None:
    """A principal variation is legal, goes to the end of the game or to the depth limit, and has its value there."""
    position, sign = root, 1
    for move in line:
        assert outcome(position) == ONGOING
        assert legal(position) >> move & 1
        position, sign = play(position, move), -sign
    leaf = leaf_value(position, soonest)
    assert leaf != ONGOING or len(line) == depth
    assert worth == (0 if leaf == ONGOING else sign * leaf)


def assert_adds_up(result: Result) -> None:
    """The workers' counters come to the total, and so do the nodes of the tasks with those of the tree above them."""
    info = result.info
    assert sum((worker.counters for worker in info.workers), Counters()) == info.counters
    assert all(0 <= task.worker < len(info.workers) and 0 <= task.start <= task.end for task in result.tasks)
    assert info.tasks_done == len(result.tasks) <= info.tasks
    above = {task.moves[:ply] for task in result.tasks for ply in range(len(task.moves))}
    assert sum(task.nodes for task in result.tasks) + len(above) == info.counters.nodes


def rows_of(trace: Trace) -> list[Row]:
    return [Row(*row) for row in trace.rows[list(Row._fields)].tolist()]


def assert_consistent(trace: Trace, prunes: bool, split: int = 0) -> None:
    """Rows nest, moves are legal and ascend, values come from the children, windows from above, reasons are true.

    `split` plies below the root and above, a row's window is that of its first visit: a bound that another worker found
    may have narrowed it before the cut.
    """
    rows, root = rows_of(trace), trace.root
    seen = []
    for number, position, ply in walk(root, rows):
        seen.append(number)
        row, below = rows[number], children(rows, number)
        moves = [rows[child].move for child in below]
        assert moves == sorted(set(moves))
        assert row.alpha < row.beta
        assert number < row.end <= len(rows)
        assert (row.why == TERMINAL) == (outcome(position) != ONGOING)
        if row.why in (TERMINAL, AT_HORIZON):
            assert row.end == number + 1
            continue
        closed = [rows[child] for child in below if rows[child].why != OPEN]
        if row.why in (ALL_SEEN, CUTOFF):
            assert row.value == max(-child.value for child in closed)
        if row.why == ALL_SEEN:
            assert len(moves) == legal(position).bit_count()
        if row.why == CUTOFF:
            assert row.value >= row.beta or 0 < ply < split
            assert len(moves) < legal(position).bit_count()
        for child in below:
            if prunes:
                assert -row.beta <= rows[child].alpha
                assert rows[child].beta <= -row.alpha
            else:
                assert (rows[child].alpha, rows[child].beta) == (-INFINITY, INFINITY)
    assert seen == list(range(len(rows)))
