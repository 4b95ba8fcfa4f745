"""The moments of a record: each is that of the textbook recursion, played event by event."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends import solve
from engine.job import Job
from engine.kernels.worker_memory import AT_HORIZON, BY_TABLE, CUTOFF, OPEN, TERMINAL
from engine.options.catalogue import Limit
from engine.registry import algorithms, game
from engine.result import Child, PathNode, State, in_wins, known_value
from engine.rules.bits import each
from engine.rules.contract import Position, legal, play
from engine.trace.leaves import LEAVES
from engine.trace.record import Trace
from engine.trace.replay import EventKind, Replay
from tests.engine import naive
from tests.engine.naive import Row

Played = tuple[EventKind, int, tuple[PathNode, ...]]


class Frame:
    """A node of the recursion that is open."""

    def __init__(self, trace: Trace, row: Row, position: Position) -> None:
        leaf = row.why in LEAVES
        self.row, self.unit, self.best = row, trace.unit, row.value if leaf else None
        self.children = {} if leaf else {move: Child(move, State.UNVISITED) for move in each(legal(position))}
        self.move: int | None = None
        self.ended = leaf

    def node(self, is_last: bool) -> PathNode:
        row, best = self.row, self.best
        return PathNode(
            alpha=in_wins(row.alpha if best is None or row.why in LEAVES else max(row.alpha, best), self.unit),
            beta=in_wins(row.beta, self.unit),
            best=None
            if best is None
            else known_value(best, row.alpha, row.beta, self.unit, LEAVES.get(row.why), self.ended),
            move=self.move,
            children=tuple(self.children.values()),
            cut=self.ended and row.why == CUTOFF,
            ended=self.ended,
        )


def played(trace: Trace) -> Iterator[Played]:
    """Every event of the recursion that left this record, with the path at that moment. Where the record ends before
    the search, so does the recursion."""
    rows, stack = naive.rows_of(trace), list[Frame]()
    last = len(rows)

    def path() -> tuple[PathNode, ...]:
        return tuple(frame.node(frame is stack[-1]) for frame in stack)

    def visit(number: int, position: Position) -> Iterator[Played]:
        row = rows[number]
        stack.append(Frame(trace, row, position))
        yield EventKind.ENTERED, number, path()
        frame, below, visits = stack[-1], naive.children(rows, number), dict[int, int]()
        for child, after in zip(below, [*below, None][1:], strict=True):
            move, value = rows[child].move, -rows[child].value
            frame.move, frame.children[move] = move, Child(move, State.OPEN)
            visits[move] = visits.get(move, 0) + 1
            yield from visit(child, play(position, move))
            stack.pop()
            if rows[child].end == last and is_unended(child):
                return
            if rows[child].why != OPEN:
                leaf = LEAVES.get(rows[child].why)
                known = known_value(value, -rows[child].beta, -rows[child].alpha, trace.unit, leaf)
                frame.children[move] = Child(move, State.DONE, known, leaf, visits[move])
                if after is None or rows[after].move != move:  # else it is searched again, for its value
                    frame.best = value if frame.best is None else max(frame.best, value)
            if after is None and row.why != OPEN and not is_unended(number):
                frame.ended = True
                for unseen in [move for move, child in frame.children.items() if child.state is State.UNVISITED]:
                    frame.children[unseen] = Child(unseen, State.PRUNED)
            yield EventKind.LEFT, child, path()

    def is_unended(number: int) -> bool:
        """Whether a node has no end in the record: the search was stopped in it, or the record was full."""
        if rows[number].end < last or rows[number].why in LEAVES:
            return False
        above = [place for place in range(number + 1) if rows[place].end == last]
        return trace.truncated or all(rows[place].why == OPEN for place in above)

    yield from visit(0, trace.root)
    if not is_unended(0):
        stack[0].best = rows[0].value
        yield EventKind.LEFT, 0, path()


def assert_replays(trace: Trace) -> None:
    """Check every moment of a record against the recursion."""
    replay, moment, counted = Replay(trace), -1, dict.fromkeys((*LEAVES, "cutoffs"), 0)
    rows, deepest, best, changes = naive.rows_of(trace), 0, None, []
    for moment, (kind, row, path_nodes) in enumerate(played(trace)):
        event = replay.event(moment)
        assert (event.moment, event.kind, event.row) == (moment, kind, row)
        assert replay.path_nodes(moment) == path_nodes, f"at moment {moment}"
        end = row if kind is EventKind.ENTERED else trace.parent(row)
        assert replay.row(moment) == end
        deepest = max(deepest, len(path_nodes) - 1)
        now = None if path_nodes[0].best is None else path_nodes[0].best.number
        if now != best:
            best = now
            changes += [moment] * (moment > 0)  # a leaf has its value from the start
        if kind is EventKind.ENTERED:
            assert (replay.entered(row), replay.newest(moment)) == (moment, row)
            assert not event.cut
            if rows[row].why in LEAVES:
                counted[rows[row].why] += 1
        else:
            assert replay.left(row) == moment
            assert event.value == trace.found(row)
            assert event.cut == (row != 0 and path_nodes[-1].cut)
            counted["cutoffs"] += event.cut
        assert replay.counters(moment) == {
            "nodes": replay.newest(moment) + 1,
            "terminals": counted[TERMINAL],
            "horizon": counted[AT_HORIZON],
            "cutoffs": counted["cutoffs"],
            "depth": deepest,
            "table_cutoffs": counted[BY_TABLE],
        }
    assert moment == replay.last
    assert trace.at_chance(0) or replay.root_changes.tolist() == changes
    for outside in (-1, moment + 1):
        with pytest.raises(IndexError):
            replay.event(outside)


@given(job=naive.interrupted())
@example(job=naive.SEARCHED_TWICE)
def test_every_moment_of_any_record_is_that_of_the_recursion(job: Job) -> None:
    """Also where the search was stopped, the record is full, or several workers searched."""
    trace = solve(replace(job, limit=Limit(nodes=min(job.limit.nodes or 300, 300)))).trace
    assert trace is not None
    if len(trace):
        assert_replays(trace)


@given(data=st.data())
def test_every_moment_in_every_game(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from(["connect-four", "othello", "ultimate", "mnk:4,4,4"]))
    job = Job(
        game=spec,
        position=game(spec).notation.format(data.draw(naive.positions(spec))),
        algorithm=data.draw(st.sampled_from(sorted(algorithms()))),
        backend="interpreted",
        limit=Limit(depth=data.draw(st.integers(1, 4)), nodes=150),
        record=data.draw(st.sampled_from([20, 10_000])),
    )
    trace = solve(job).trace
    assert trace is not None
    assert_replays(trace)
