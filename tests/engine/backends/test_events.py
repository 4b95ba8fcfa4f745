"""The events of a search that is stepped are those of its replay afterwards."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import backends
from engine.control import EVENT_SPEED, Control
from engine.job import RECORD_ROWS, Job, JobError
from engine.options.catalogue import Limit
from engine.prepare import prepare
from engine.registry import algorithms, game
from engine.result import Result, Value
from engine.trace.part import EventSnapshot
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.why import certificate
from tests.engine import naive
from tests.engine.naive import EMPTY

SMALL = "xox/.o./..."


def stepped(
    job: Job, go_on: Callable[[Control], None] = Control.step_event
) -> tuple[list[list[EventSnapshot]], Result]:
    """The events of each root search that goes on, by a step, after each snapshot, and its result."""
    control, searches = Control(paused=True), list[list[EventSnapshot]]()
    for message in backends.run(job, control):
        if isinstance(message, Result):
            return searches, message
        if isinstance(message, EventSnapshot):
            if not message.moment:
                searches.append([])
            searches[-1].append(message)
        go_on(control)
    raise AssertionError("no result")


def records_of(result: Result) -> list[Trace]:
    """The record of each iteration."""
    return [each.trace for each in (*result.earlier, result) if each is not None and each.trace is not None]


def assert_all_are_replayed(searches: list[list[EventSnapshot]], records: list[Trace]) -> None:
    """Check the events of each root search against its record."""
    assert len(searches) == len(records)
    for events, trace in zip(searches, records, strict=True):
        assert_are_replayed(events, trace, len(searches) == 1)


def assert_are_replayed(events: list[EventSnapshot], trace: Trace, whole: bool) -> None:
    """Check every event against the record. Where it is that of the only root search, `whole`, also the counters and
    the value."""
    replay = Replay(trace)
    assert [event.moment for event in events] == list(range(replay.last + 1))
    for found in events:
        moment = found.moment
        event, row = found.replay.event(moment), found.replay.row(moment)
        wanted = replay.event(moment)
        assert (event.kind, event.value, event.cut) == (wanted.kind, wanted.value, wanted.cut), f"at moment {moment}"
        assert found.path == replay.path_nodes(moment), f"at moment {moment}"
        assert found.workers[0].path == trace.moves(replay.row(moment))
        assert found.replay.trace.is_repeat(row) == trace.is_repeat(replay.row(moment)), f"at moment {moment}"
        if event.cut:
            why, in_whole = certificate(found.replay.trace, row), certificate(trace, replay.row(moment))
            assert (why.moves, why.pruned, why.beta) == (in_whole.moves, in_whole.pruned, in_whole.beta)
            assert (why.origin, why.ancestor_ply) == (in_whole.origin, in_whole.ancestor_ply)
            assert why.proof.moment == in_whole.proof.moment
            assert (why.holder and why.holder.moment) == (in_whole.holder and in_whole.holder.moment)
        if whole:
            counters = replay.counters(moment)
            assert {name: getattr(found.counters, name) for name in counters} == counters, f"at moment {moment}"
            assert found.value == found.path[0].best


OPTIONS: list[dict[str, Any]] = [
    {},
    {"table": 0.1},
    {"deepen": True},
    {"deepen": True, "aspiration": 0.02, "table": 0.1},
]


@st.composite
def short_jobs(draw: st.DrawFn) -> Job:
    """Short recorded searches of any position: in games with passes and with 81 squares too, by every algorithm, also
    where the root is searched many times."""
    spec = draw(st.sampled_from(["tictactoe", "connect-four", "othello", "ultimate", "mnk:4,4,4"]))
    start = {"start": SMALL} if spec == "tictactoe" else {}
    options = draw(st.sampled_from(OPTIONS))
    job = Job(
        game=spec,
        position=game(spec).notation.format(draw(naive.positions(spec, **start))),
        algorithm=draw(st.sampled_from(sorted(algorithms()))),
        backend="interpreted",
        limit=Limit(depth=draw(st.integers(1, 5 if start else 2))),
        record=10_000,
        **options,
    )
    try:
        prepare(job)
    except JobError:  # minimax has no window to aspire to
        job = replace(job, aspiration=None)
    return job


@given(job=short_jobs())
def test_stepped_events_are_those_of_the_replay(job: Job) -> None:
    searches, result = stepped(job)
    assert_all_are_replayed(searches, records_of(result))
    last = searches[-1][-1].counters
    assert (last.nodes, last.cutoffs, last.pruned) == (
        result.info.counters.nodes,
        result.info.counters.cutoffs,
        result.info.counters.pruned,
    )


def test_a_chance_node_whose_outcomes_are_all_known_has_their_mean() -> None:
    coin = Job(game="random-turn", position=EMPTY, algorithm="expectiminimax", limit=Limit(depth=3))
    searches, result = stepped(replace(coin, backend="interpreted", record=1_000))
    assert_all_are_replayed(searches, records_of(result))


def test_an_event_with_a_value_tells_how_far_it_looks_ahead() -> None:
    """Also where the last move has failed low, as all did: the search itself tells the value after its next slice."""
    lost = "ooooooo./oxooxoox/oooxooox/ooxoooox/oxoxooox/oxoooxox/ooooxoxx/ooooooxx x"
    searches, _ = stepped(Job(game="othello", position=lost, algorithm="mtdf", backend="interpreted", record=10))
    known = [(event.value and event.value.number, event.value_depth) for event in searches[0]]
    assert known == [(None, None), (None, None), (-1, 1), (-1, 1)]


def test_a_step_is_a_node_where_the_record_does_not_tell_its_events() -> None:
    """Without a record, from the node that has no room in it, and where several workers search."""
    for options, told in (({"record": 0}, 0), ({"record": 10}, 10), ({"backend": "threads", "workers": 2}, 0)):
        job = Job(position=SMALL, algorithm="alphabeta", **{"backend": "interpreted", "record": 10_000, **options})
        control, nodes, events = Control(paused=True), [0], 0
        for message in backends.run(job, control):
            if isinstance(message, EventSnapshot):
                events = max(events, message.counters.nodes)
            if not isinstance(message, Result) and nodes[-1] < 40:
                nodes.append(message.counters.nodes)
            (control.resume if nodes[-1] >= 40 else control.step_event)()
        assert events == told
        assert max(after - before for before, after in pairwise(nodes)) <= 2


def test_the_only_task_is_not_taken_for_the_root_above_it() -> None:
    """Where only one move is legal, as in an Othello game a pass, one worker has one task. Its record begins there, and
    its values are those of the other side."""
    job = Job(position="xxo/xoo/.ox", algorithm="alphabeta", backend="threads", workers=1, record=RECORD_ROWS)
    control, said = Control(paused=True), list[Value | None]()
    for message in backends.run(job, control):
        info = message.info if isinstance(message, Result) else message
        assert not naive.wrong(job, info.path, naive.NO_HORIZON)
        said.append(info.value)
        control.step_event()
    assert len(said) > 2
    assert {*said} == {None, Value(1)}


def test_a_search_that_is_paused_goes_on_by_events() -> None:
    """It has visited many nodes at once before; and where it runs again, nothing is told twice."""
    control, moments, nodes = Control(paused=True), list[int](), 0
    for message in backends.run(Job(position=EMPTY, backend="interpreted", record=10**6), control):
        if isinstance(message, Result):
            break
        if isinstance(message, EventSnapshot):
            moments.append(message.moment)
            assert message.path == Replay(message.replay.trace).trace.path_nodes(
                message.replay.row(message.moment), message.moment
            )
        nodes = message.counters.nodes
        if len(moments) in (0, 5):
            control.step(1_000)
        elif len(moments) < 12:
            control.step_event()
        else:
            control.stop()
    assert moments[1:5] == list(range(moments[1], moments[1] + 4))
    assert moments[6:] == list(range(moments[6], moments[6] + len(moments) - 6))
    assert nodes > 2_000


@pytest.mark.parametrize(("speed", "events"), [(EVENT_SPEED, 412), (2 * EVENT_SPEED, 0)])
def test_a_slow_search_shows_each_event(speed: float, events: int) -> None:
    class Hurries(Control):
        def _wait(self, seconds: float | None) -> None:
            self._due = 0.0

    found = list(backends.run(Job(position=SMALL, backend="interpreted", record=10_000), Hurries(speed)))
    assert sum(isinstance(message, EventSnapshot) for message in found) == events
