"""Slow, obviously correct twins of the engine's algorithms, and conditions that every result must satisfy.

Everything here is a plain recursion over the rules of a game. Values are from the side to move, as everywhere; in the
rows of a record a win counts `unit_of`, elsewhere 1.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, wraps
from math import trunc
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.job import Job, JobError
from engine.kernels.worker_memory import ALL_SEEN, AT_HORIZON, BY_TABLE, CUTOFF, LEFT, OPEN, TERMINAL, WHY
from engine.options.catalogue import Limit
from engine.options.choices import Parallel, Scoring
from engine.prepare import prepare
from engine.registry import algorithm, algorithms, game
from engine.result import (
    INFINITY,
    Bound,
    Child,
    Counters,
    End,
    Number,
    PathNode,
    Result,
    State,
    Value,
    bound_of,
    in_wins,
)
from engine.rules.bits import each
from engine.rules.contract import (
    CHANCE_UNIT,
    UNIT,
    WIN,
    Game,
    Position,
    at_chance,
    evaluate,
    is_over,
    legal,
    play,
    plies_bound,
    to_move,
    traits,
    utility,
    weight,
)
from engine.trace.leaves import LEAVES
from engine.trace.record import Trace

EMPTY = ".../.../..."
"""The empty board of 3 x 3."""

X_ON_A1 = "x../.../..."

SEARCHED_TWICE = Job(position="x../o../..x", algorithm="pvs", record=1_000)
"""The root's b2 is, first in a null window."""

TEXTBOOK = "minimax", "alphabeta"
"""The algorithms with known counts; the others use the same kernel."""

NO_HORIZON = 84
"""More plies than any game here has."""


class Row(NamedTuple):
    """A row of the record, and the number of the first row that is not below it."""

    move: int
    why: int
    alpha: int
    beta: int
    value: int
    end: int


def keeps_turn(before: Position, after: Position) -> bool:
    """Whether one side is to move in both positions, of which a move leads from the first to the second."""
    return not traits(before).alternates and to_move(before) == to_move(after)


def above(before: Position, after: Position, value: Any) -> Any:
    """A value of the second position, for the side to move in the first."""
    return value if keeps_turn(before, after) else -value


def leaf_value(position: Position, soonest: bool, ply: int) -> int | None:
    """The value of a finished game that many plies below the root; None in an unfinished game."""
    if not is_over(position):
        return None
    return utility(position) * (WIN - ply) if soonest else utility(position)


@cache
def lines_of(kind: type) -> list[set[int]]:
    """The squares of every line of k on the board of a type of positions."""
    columns, rows, k = (3, 3, 3) if kind.__name__ == "TicTacToe" else map(int, kind.__name__.split("_")[1:])
    squares = {(column, row) for column in range(columns) for row in range(rows)}
    steps = (1, 0), (0, 1), (1, 1), (1, -1)
    lines = ([(x + i * right, y + i * down) for i in range(k)] for x, y in squares for right, down in steps)
    return [{row * columns + column for column, row in line} for line in lines if squares >= set(line)]


def estimate(position: Position) -> int:
    """The estimate of an unfinished game, a win UNIT: the lines without a stone of the other side minus those without
    one's own, each worth an equal part of a little less than a win. For games without lines, the game's evaluation."""
    if traits(position).chance:
        return trunc(Fraction(evaluate(position, 0) * win_of(position), UNIT))
    if not traits(position).free_placement:
        return evaluate(position, 0)
    lines, mine, theirs = lines_of(type(position)), {*each(position.mine)}, {*each(position.theirs)}
    ours = sum(not line & theirs for line in lines) - sum(not line & mine for line in lines)
    return ours * ((UNIT - 1) // len(lines))


def win_of(position: Position) -> int:
    """The value of a utility of 1 in a search with estimates, or of a game with chance nodes."""
    known = traits(position)
    return CHANCE_UNIT // known.utility if known.chance else UNIT


def unit_of(root: Position, horizon: int) -> int:
    """The value of a win in a record: 1 where no line of play ends at the horizon, and nothing is an average."""
    return win_of(root) if traits(root).chance or horizon < plies_bound(root) else 1


def backed_up(position: Position, values: dict[int, int]) -> int:
    """The value of a position from those of its moves, for the side to move: the best, or that of a chance node, the
    mean."""
    weights = {move: weight(position, move) if traits(position).chance else 0 for move in values}
    if not any(weights.values()):
        return max(values.values())
    assert all(weights.values())
    return trunc(Fraction(sum(weights[move] * values[move] for move in values), sum(weights.values())))


def record(
    root: Position,
    prunes: bool,
    soonest: bool = False,
    horizon: int = NO_HORIZON,
    repeats: bool = False,
    window: tuple[int, int] = (-INFINITY, INFINITY),
    hard: bool = False,
    unit: int = 0,
) -> list[Row]:
    """Every node that minimax, alpha-beta (`prunes`) or PVS (`repeats` too) visits: in preorder, children ascending.

    PVS searches no leaf once more: its value is exact."""
    rows: list[Row] = []
    unit = unit or unit_of(root, horizon)

    def visit(position: Position, move: int, ply: int, alpha: int, beta: int) -> int:
        number = len(rows)
        leaf = leaf_value(position, soonest, ply)
        if leaf is not None:
            rows.append(Row(move, TERMINAL, alpha, beta, leaf * unit, number + 1))
            return leaf * unit
        if ply == horizon:
            rows.append(Row(move, AT_HORIZON, alpha, beta, estimate(position), number + 1))
            return estimate(position)
        rows.append(Row(move, OPEN, alpha, beta, 0, 0))
        best, why, moves, values = -INFINITY, ALL_SEEN, list(each(legal(position))), dict[int, int]()
        for child in moves:
            after, low, high = play(position, child), max(alpha, best), beta
            if not prunes:
                low, high = -INFINITY, INFINITY
            elif repeats and best > -INFINITY:
                high = low + 1
            window = (low, high) if keeps_turn(position, after) else (-high, -low)
            value = above(position, after, visit(after, child, ply + 1, *window))
            is_leaf = is_over(after) or ply + 1 == horizon
            if repeats and high <= value < beta and not is_leaf:
                window = (low, beta) if keeps_turn(position, after) else (-beta, -low)
                value = above(position, after, visit(after, child, ply + 1, *window))
            values[child] = value
            best = max(best, value)
            if prunes and best >= beta:
                why = CUTOFF if child != moves[-1] else ALL_SEEN
                break
        best = backed_up(position, values)
        if hard and prunes:
            best = min(max(best, alpha), beta)
        rows[number] = Row(move, why, alpha, beta, best, len(rows))
        return best

    visit(root, -1, 0, *window)
    return rows


def passes(
    root: Position, name: str, soonest: bool = False, horizon: int = NO_HORIZON, hard: bool = False
) -> list[list[Row]]:
    """The records of the searches of the root that an algorithm makes: one, but for MTD(f)."""
    kind = algorithm(name)
    if not kind.guesses:
        return [record(root, kind.prunes, soonest, horizon, kind.options.searches_again, hard=hard)]
    found, guess, lower, upper = [], 0, -INFINITY, INFINITY
    while lower < upper:
        beta = max(guess, lower + 1)
        found.append(record(root, True, soonest, horizon, window=(beta - 1, beta), hard=hard))
        guess = found[-1][0].value
        if guess < beta:
            upper = guess
        else:
            lower = guess
    return found


def counted(root: Position, rows: Sequence[Row]) -> Counters:
    """The counters of a search that left these rows."""
    pruned = depth = 0
    for number, position, ply in walk(root, rows):
        depth = max(depth, ply)
        if rows[number].why == CUTOFF:
            pruned += legal(position).bit_count() - len({rows[child].move for child in children(rows, number)})
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


def done_child(row: Row) -> Child:
    """A row as a Child, in the point of view of the side that moved there."""
    leaf = LEAVES.get(row.why)
    bound = bound_of(-row.value, -row.beta, -row.alpha, leaf)
    assert bound is not None
    return Child(row.move, State.DONE, Value(-row.value, bound, row.why == AT_HORIZON), leaf)


def moment(root: Position, rows: Sequence[Row], visited: int) -> tuple[PathNode, ...]:
    """The path of a search after exactly that many nodes: to the open position where it stands."""
    number, position, path_nodes = 0, root, []
    while True:
        below = children(rows, number)
        seen = [child for child in below if child < visited]
        current = seen[-1] if seen else None
        goes_on = current is not None and rows[current].why not in (TERMINAL, AT_HORIZON)
        done = {rows[child].move: done_child(rows[child]) for child in seen}
        again = {rows[child].move for child in below if child >= visited}
        if current is not None and (goes_on or rows[current].move in again):
            del done[rows[current].move]
        cut = rows[number].why == CUTOFF and not goes_on and len(seen) == len(below)
        shown = []
        for move in each(legal(position)):
            if move in done:
                shown.append(done[move])
            elif current is not None and move == rows[current].move:
                shown.append(Child(move, State.OPEN))
            else:
                shown.append(Child(move, State.PRUNED if cut else State.UNVISITED))
        best = max((child.value.number for child in done.values() if child.value is not None), default=None)
        ended = not goes_on and len(seen) == len(below)
        alpha, beta = rows[number].alpha, rows[number].beta
        bound = None if best is None else bound_of(best, alpha, beta, ended=ended)
        path_nodes.append(
            PathNode(
                alpha=max(alpha, -INFINITY if best is None else best),
                beta=beta,
                best=None if bound is None else Value(best, bound),
                move=None if current is None else rows[current].move,
                children=tuple(shown),
                cut=cut,
                ended=ended,
            )
        )
        if current is None or not goes_on:
            return tuple(path_nodes)
        number, position = current, play(position, rows[current].move)


@cache
def _value(kind: type, position: Position, soonest: bool, depth: int) -> int:
    """The value, counted from the position. `kind` is its type: positions of two games may be equal as tuples. Depths
    beyond the end of the game share one result."""
    leaf = leaf_value(position, soonest, 0)
    if leaf is not None or depth == 0:
        return estimate(position) if leaf is None else leaf * win_of(position)
    after = {move: play(position, move) for move in each(legal(position))}
    below = {move: _value(kind, child, soonest, min(depth - 1, plies_bound(child))) for move, child in after.items()}
    return backed_up(
        position, {move: above(position, after[move], _farther(below[move], int(soonest))) for move in after}
    )


def _farther(value: int, plies: int) -> int:
    """A value with the end that many plies farther away; draws and estimates do not change."""
    return value if abs(value) < UNIT else value - plies * UNIT if value > 0 else value + plies * UNIT


def value(position: Position, soonest: bool = False, depth: int = NO_HORIZON, ply: int = 0) -> Value:
    """The minimax value of a position that is so many plies below the root, looking `depth` plies ahead from it."""
    found = _value(type(position), position, soonest, min(depth, plies_bound(position)))
    return in_wins(_farther(found, ply if soonest else 0), win_of(position))


def value_by(position: Position, depth: int, which: int) -> int:
    """The minimax value of a position with one of the game's evaluations at the horizon, a win UNIT."""
    if is_over(position):
        return utility(position) * UNIT
    if depth == 0:
        return evaluate(position, which)
    after = (play(position, move) for move in each(legal(position)))
    return max(above(position, child, value_by(child, depth - 1, which)) for child in after)


def move_values(position: Position, soonest: bool = False, depth: int = NO_HORIZON, ply: int = 0) -> dict[int, Value]:
    """The value of each move for the side that makes it, that many plies below the root; empty where the game is
    over."""
    if is_over(position):
        return {}
    after = {move: play(position, move) for move in each(legal(position))}
    return {move: above(position, child, value(child, soonest, depth - 1, ply + 1)) for move, child in after.items()}


def perft(root: Position) -> list[int]:
    """The number of paths of each length from a position."""
    counts, paths = list[int](), Counter([root])
    while paths:
        counts.append(paths.total())
        edge, paths = paths, Counter[Position]()
        for position, number in edge.items():
            for move in each(legal(position)) if not is_over(position) else ():
                paths[play(position, move)] += number
    return counts


def reachable(root: Position) -> list[Position]:
    """Every position reachable from `root`, once each, in the order of plies."""
    found, edge = [root], [root]
    while edge:
        edge = list(
            dict.fromkeys(
                play(position, move) for position in edge if not is_over(position) for move in each(legal(position))
            )
        )
        found += edge
    return found


@st.composite
def playouts(draw: st.DrawFn, spec: str, start: str | None = None) -> list[Position]:
    """A random game, all its positions, until it is over or a random ply before."""
    position = game(spec).start if start is None else game(spec).notation.parse(start)
    positions, plies = [position], draw(st.integers(0, plies_bound(position)))
    while len(positions) <= plies and not is_over(position):
        position = play(position, draw(st.sampled_from(list(each(legal(position))))))
        positions.append(position)
    return positions


def positions(spec: str, start: str | None = None) -> st.SearchStrategy[Position]:
    """The last position of a random game."""
    return playouts(spec, start).map(lambda played: played[-1])


def prepared(result: Result) -> tuple[Game, Position, bool, int]:
    """The parameters of a result's job: the game, the position, whether sooner is better, and the depth."""
    job, played = result.job, game(result.job.game)
    return (
        played,
        played.notation.parse(job.position),
        job.scoring is Scoring.SOONEST,
        job.limit.depth or NO_HORIZON,
    )


def names_its_job(check: Callable[[Result], None]) -> Callable[[Result], None]:
    """A decorator: the error of a failed check of a result names its job, one of many in a loop."""

    @wraps(check)
    def checked(result: Result) -> None:
        try:
            check(result)
        except AssertionError as error:
            error.add_note(str(result.job))
            raise

    return checked


@names_its_job
def assert_true(result: Result) -> None:
    """Check a result by exhaustive recursion: value, best move, every bound, line of play, counts.

    Of equally good moves it is the lowest, unless the job has moves searched in another order.
    """
    _, root, soonest, limit = prepared(result)
    info, job = result.info, result.job
    depth = info.iterations[-1].depth if info.iterations else limit  # deepening ends where a win or a loss is proven
    truth = move_values(root, soonest, depth)
    assert info.value.number == value(root, soonest, depth) == value(root, soonest, limit)
    best = [] if at_chance(root) else [move for move in truth if truth[move] == info.value.number]
    if job.order or job.parallel is Parallel.LAZY:
        assert info.best in best or not truth
    else:
        assert info.best == min(best, default=None)
    for found in result.root_moves:
        assert holds(found.value, truth[found.move])
    if not algorithm(job.algorithm).guesses:
        assert [found.move for found in result.root_moves] == sorted(truth)
        for found in result.root_moves:
            assert found.value.bound is not Bound.LOWER
            assert found.move != info.best or found.value.is_exact
    assert_line_is_worth(root, info.pv, info.value.number, soonest, depth)
    assert info.pv[:1] == (() if info.best is None else (info.best,))
    assert_adds_up(result)
    last = [done.counters for done in info.iterations if done.depth == info.iterations[-1].depth]
    assert result.end is (End.HORIZON if sum(last or [info.counters], Counters()).horizon else End.COMPLETE)


def assert_line_is_worth(root: Position, line: Sequence[int], worth: Any, soonest: bool, depth: int) -> None:
    """Check that a principal variation is legal, goes to the end of the game, to the depth limit or to a chance node,
    and has its value there."""
    position, sign = root, 1
    for move in line:
        assert not is_over(position)
        assert legal(position) >> move & 1
        before, position = position, play(position, move)
        sign = above(before, position, sign)
    left = depth - len(line)
    assert is_over(position) or at_chance(position) or not left
    assert worth == sign * value(position, soonest, left if at_chance(position) else 0, len(line))


def assert_adds_up(result: Result) -> None:
    """Check that the workers' counters add up to the total, and so do the nodes of the tasks with those of the tree
    above them. In a search of several iterations, those add up to the total."""
    info = result.info
    assert sum((worker.counters for worker in info.workers), Counters()) == info.counters
    assert_times(result)
    assert info.counters.probes >= info.counters.hits >= info.counters.table_cutoffs
    if info.iterations:
        assert sum((done.counters for done in info.iterations), Counters()) == info.counters
        return
    assert info.tasks_done == sum(task.finished for task in result.tasks) <= info.tasks
    if result.job.parallel is Parallel.LAZY:
        return
    above = {task.moves[:ply] for task in result.tasks for ply in range(len(task.moves))}
    assert sum(task.nodes for task in result.tasks) + len(above) == info.counters.nodes


def assert_times(result: Result) -> None:
    """Check that bars and shares agree: each worker was busy as long as its tasks took, and idle for the rest of the
    search's own time, which is long enough for all of them. A lost MPI rank had its own clock."""
    info = result.info
    busy = [0.0] * len(info.workers)
    for task in result.tasks:
        assert 0 <= task.start <= task.end <= info.seconds + 1e-9
        busy[task.worker] += task.end - task.start
    for number, worker in enumerate(info.workers):
        assert worker.busy == pytest.approx(busy[number], abs=1e-7)
        assert info.idle(number) == pytest.approx(1 - worker.busy / info.seconds_of(number), abs=1e-6)


def holds(claimed: Value, true: Number) -> bool:
    """Whether a claimed value, exact or a bound, agrees with the true one."""
    number = claimed.number
    return {Bound.EXACT: number == true, Bound.LOWER: number <= true, Bound.UPPER: number >= true}[claimed.bound]


def wrong(job: Job, path_nodes: tuple[PathNode, ...], depth: int) -> list[str]:
    """The errors of a path, in a search of that depth in plies."""
    soonest, found = job.scoring is Scoring.SOONEST, []
    root: Position = game(job.game).notation.parse(job.position)
    position = root
    for ply, node in enumerate(path_nodes):
        assert node.best is None or node.best.bound is Bound.LOWER or node.ended
        true, truth = value(position, soonest, depth - ply, ply), move_values(position, soonest, depth - ply, ply)
        if node.best is not None and not holds(node.best, true):
            found.append(f"{node} at ply {ply} is worth {true}")
        for child in node.children:
            if child.value is not None and not holds(child.value, truth[child.move]):
                found.append(f"{child} at ply {ply} is worth {truth[child.move]}")
        if node.move is not None and ply + 1 < len(path_nodes):
            position = play(position, node.move)
    return found


@st.composite
def interrupted(draw: st.DrawFn) -> Job:
    """A search by any algorithm, of several iterations or one, that a limit of nodes may end within any of them, with a
    record that may be too short. It is interpreted where no other test has its kernel, PVS on threads is left out."""
    root = draw(positions("tictactoe", start=draw(st.sampled_from(["x../.o./...", X_ON_A1]))))
    job = Job(
        position=game("tictactoe").notation.format(root),
        algorithm=draw(st.sampled_from(sorted(algorithms()))),
        scoring=draw(st.sampled_from(Scoring)),
        deepen=draw(st.booleans()),
        limit=Limit(nodes=draw(st.integers(1, 3_000))),
        record=draw(st.sampled_from([1, 9, 100, 20_000])),
    )
    more = draw(
        st.sampled_from(
            [
                {},
                {"aspiration": 0.02},
                {"table": 0.1},
                {"backend": "threads", "workers": 2, "split": 1},
                {"backend": "threads", "workers": 3, "split": 2},
                {"backend": "threads", "workers": 3, "split": 2, "parallel": Parallel.YBW},
            ]
        )
    )
    if job.algorithm in ("minimax", "expectiminimax", "pvs") and "table" in more:
        more = more | {"backend": "interpreted"}
    if job.algorithm == "pvs" and "workers" in more:
        more = {}
    asked = replace(job, **more)
    try:
        prepare(asked)
    except JobError:
        return job
    return asked


def rows_of(trace: Trace) -> list[Row]:
    """The rows of a trace, with ends found in one pass through them."""
    place = trace.rows["place"]
    left, ends, unfinished = (place // LEFT).tolist(), [len(place)] * len(place), []
    for number, plies in enumerate(left):
        while unfinished and left[unfinished[-1]] <= plies:
            ends[unfinished.pop()] = number
        unfinished.append(number)
    moves = [-1, *(place[1:] % WHY).tolist()]
    windows = (trace.rows[name].tolist() for name in ("alpha", "beta", "value"))
    return list(map(Row, moves, (place % LEFT // WHY).tolist(), *windows, ends))


def assert_consistent(trace: Trace, name: str, split: int = 0, ordered: bool = False) -> None:
    """Rows nest, moves are legal and ascend unless they are `ordered`, values come from the children, windows from
    above, reasons are true. A move that is searched once more has its rows one after the other.

    Above the tasks, `split` plies below the root, a row's window is the narrowest that a worker used: an earlier child
    may have had a wider one, and with several workers it may be empty.
    """
    rows, root, kind = rows_of(trace), trace.root, algorithm(name)
    seen = []
    for number, position, ply in walk(root, rows):
        seen.append(number)
        row, below = rows[number], children(rows, number)
        moves = [rows[child].move for child in below]
        if kind.options.searches_again:
            moves = [move for place, move in enumerate(moves) if moves[place - 1 : place] != [move]]
        assert len(moves) == len(set(moves))
        assert ordered or moves == sorted(moves)
        assert row.alpha < row.beta or 1 < ply < split
        assert number < row.end <= len(rows)
        assert (row.why == TERMINAL) == (is_over(position))
        if row.why in (TERMINAL, AT_HORIZON, BY_TABLE):
            assert row.end == number + 1
            continue
        after = {child: play(position, rows[child].move) for child in below}
        closed = {
            rows[child].move: above(position, after[child], rows[child].value)
            for child in below
            if rows[child].why != OPEN
        }
        if row.why in (ALL_SEEN, CUTOFF):
            assert row.value == backed_up(position, closed)
        if row.why == ALL_SEEN:
            assert len(moves) == legal(position).bit_count()
        if row.why == CUTOFF:
            assert row.value >= row.beta
            assert len(moves) < legal(position).bit_count()
        for child in below:
            if kind.prunes:
                low, high = (row.alpha, row.beta) if keeps_turn(position, after[child]) else (-row.beta, -row.alpha)
                assert low <= rows[child].alpha or 0 < ply < split
                assert rows[child].beta <= high or 0 < ply < split
            else:
                assert (rows[child].alpha, rows[child].beta) == (-INFINITY, INFINITY)
    assert seen == list(range(len(rows)))


def assert_rows_of_tasks(result: Result) -> None:
    """Check that each task's rows begin with its root, end where that subtree does, and are as many as its nodes unless
    the record is full before; that no two tasks share a row, and that the other rows are above the tasks."""
    trace = result.trace
    assert trace is not None
    own, last = set(range(len(trace))), 0
    recorded = [task for task in result.tasks if task.first_row < task.end_row]
    for task in sorted(recorded, key=lambda task: task.first_row):
        assert last <= task.first_row
        last = task.end_row
        own -= set(range(task.first_row, last))
        assert trace.moves(task.first_row) == task.moves
        assert trace.end(task.first_row) == last
        assert task.nodes == last - task.first_row or (trace.truncated and last == len(trace))
    above = {task.moves[:ply] for task in recorded for ply in range(len(task.moves))}
    assert trace.truncated or {trace.moves(row) for row in own} <= above
    assert trace.truncated or trace.visited == len(own) + sum(task.nodes for task in recorded)
