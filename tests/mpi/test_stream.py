"""Records between ranks and their launcher arrive unchanged, and no other text is taken for a record."""

from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.replica import Replica
from engine.job import Job
from engine.prepare import prepare
from engine.result import Counters, End, PathNode, RankInfo, RankState, Snapshot, Task, Value, WorkerInfo
from engine.rules.contract import legal, play
from engine.transfer import Transfer, TransferKind
from tests.engine.naive import X_ON_A1

RANKS = RankInfo("a", 1), RankInfo("b", 2)
KINDS = get_args(protocol.Line)

PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(1 << 63), (1 << 63) - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type used in a record."""
    if kind in PLAIN:
        return PLAIN[kind]
    if get_origin(kind) is tuple and get_args(kind)[-1] is not ...:
        return st.tuples(*map(values, get_args(kind)))
    if get_origin(kind) is tuple:
        return st.lists(values(get_args(kind)[0]), max_size=3).map(tuple)
    if len(get_args(kind)) > 1:
        return st.one_of(*map(values, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return st.builds(kind, **{field.name: values(field.type) for field in msgspec.structs.fields(kind)})
    return st.from_type(kind)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, derandomize=True, max_examples=25)
@given(data=st.data())
def test_every_record_is_read_as_it_was_written_and_only_as_a_whole(kind: type, data: st.DataObject) -> None:
    record = data.draw(values(kind))
    line = protocol.encode(record)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert protocol.decode(line) == record
    assert protocol.decode(line[: data.draw(st.integers(0, len(line) - 2))]) is None


@settings(deadline=None, derandomize=True)
@given(st.binary())
@example(b"\xff\xfe")
@example(b'{"type":"colour"}')
@example(b'{"type":"hello","hosts":1}')
@example(b"[1, 2]")
@example(b"null")
@example(b'{"type":"hello","hosts":' + b"[" * 50_000)
@example(b'{"type":"log","colour":' + b"[" * 50_000)
@example(b"[" * 50_000)
@example(b'{"type":"log","rank":' + b"9" * 5_000 + b"}")
def test_other_lines_say_nothing(line: bytes) -> None:
    assert protocol.decode(line) is None


@settings(deadline=None, derandomize=True, max_examples=75)
@given(data=st.data())
def test_whatever_ranks_say_is_taken_or_found_impossible(data: st.DataObject) -> None:
    """An accepted record can be shown: its moves can be played, its workers and tasks exist."""
    replica = Replica(PREPARED, ("a", "b"), (1, 2))
    for kind in data.draw(st.lists(st.sampled_from(TAKEN), min_size=1, max_size=6)):
        record = data.draw(values(kind))
        if replica.is_possible(record):
            replica.take(record)
    info = replica.snapshot()
    assert replica.broken_off(End.FAILED).tasks is not None
    position = PREPARED.position
    for move in info.pv:
        assert legal(position) & 1 << move
        position = play(position, move)


TAKEN = [protocol.RankCounters, protocol.Started, protocol.Done, protocol.Skipped, protocol.Rows]
PREPARED = prepare(Job(position=X_ON_A1, backend="mpi", workers=2, record=100))
ONE = WorkerInfo(Counters(), None, ())
LEVEL = PathNode(-1, 1, None, None, ())
WINDOWS = ((-1, 1),)
NOTHING = protocol.Finished(
    Snapshot(Counters(), Value(0), None, (), (), (ONE, ONE), 0.0, ranks=RANKS),
    (),
    (Task((1,), 0, 0.0, 0.0, 1),),
    End.COMPLETE,
)
SENT = Transfer(TransferKind.RESULT, (0,), 1, 0, 0.0, 0.0)


@pytest.mark.parametrize(
    "record",
    [
        protocol.RankCounters(2, RankState.SEARCHING, 0.0, 0, 0, 0, (ONE,), ()),
        protocol.RankCounters(-1, RankState.SEARCHING, 0.0, 0, 0, 0, (ONE,), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (ONE, ONE), ()),
        protocol.RankCounters(0, RankState.SEARCHING, -1.0, 0, 0, 0, (ONE,), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, task=8),), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, path=(1, 1)),), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, busy=1e300),), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, cpu=-1.0),), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, counters=Counters(-1)),), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, counters=Counters(1 << 62)),), ()),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (ONE,), (replace(LEVEL, move=0),)),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (ONE,), (LEVEL, LEVEL)),
        protocol.Started(8, 0, 0, 0, 0, 0, WINDOWS),
        protocol.Started(0, 2, 0, 0, 0, 0, WINDOWS),
        protocol.Started(0, 0, 0, 0, 0, -1, WINDOWS),
        protocol.Started(0, 0, 0, 0, 10, 0, WINDOWS),
        protocol.Started(0, 0, 0, 0, 0, (1 << 63) - 1, WINDOWS),
        protocol.Done(0, 0, 0, 1, 0, 0, 10, 0, WINDOWS),
        protocol.Done(0, 0, 0, 1, 0, 0, 0, (1 << 63) - 1, WINDOWS),
        protocol.Done(0, 0, 0, 0, 1 << 20, 0, 0, 0, WINDOWS),
        protocol.Done(0, 0, 0, 0, 0, (1 << 62) - 1, 0, 0, WINDOWS),
        protocol.Skipped(2, 0, 1, WINDOWS),
        protocol.Skipped(0, 0, 9, WINDOWS),
        protocol.Skipped(0, 0, 1, ()),
        protocol.Skipped(0, 0, 1, ((0, 1 << 20),)),
        protocol.Answered(2, 0),
        protocol.Answered(0, 101),
        protocol.RankCounters(0, RankState.SEARCHING, 0.0, 0, 0, 0, (replace(ONE, task=0),), ()),
        protocol.Rows(0, 0, b"123"),
        protocol.Rows(0, 99, bytes(16)),
        protocol.Rows(2, 0, b""),
        protocol.Finished(
            Snapshot(Counters(), Value(0), 0, (), (), (ONE, ONE), 0.0, ranks=RANKS), (), (), End.COMPLETE
        ),
        protocol.Finished(
            Snapshot(Counters(), Value(0), 99, (), (), (ONE, ONE), 0.0, ranks=RANKS), (), (), End.COMPLETE
        ),
        protocol.Finished(Snapshot(Counters(), Value(0), None, (), (), (ONE, ONE), 0.0), (), (), End.COMPLETE),
        replace(NOTHING, transfers=(replace(SENT, receiver=2),)),
        replace(NOTHING, transfers=(replace(SENT, tasks=(1,)),)),
        replace(NOTHING, transfers=(replace(SENT, received=1e300),)),
        protocol.Finished(Snapshot(Counters(), Value(0), None, (), (), (ONE,), 0.0, ranks=RANKS), (), (), End.COMPLETE),
    ],
    ids=str,
)
def test_what_no_rank_of_the_job_can_say_is_found_out(record: protocol.Line) -> None:
    """x is on a1; there are two ranks of one thread, and eight tasks."""
    assert not Replica(PREPARED, ("a", "b"), (1, 2)).is_possible(record)


def test_tasks_of_one_worker_that_contradict_each_other_have_no_rows() -> None:
    """A worker abandons one task at most: two have two different ends of its tape."""
    replica = Replica(PREPARED, ("a", "b"), (1, 2))
    for started in (protocol.Started(0, 0, 0, 1, 10, 20, WINDOWS), protocol.Started(1, 0, 0, 1, 0, 5, WINDOWS)):
        assert replica.is_possible(started)
        replica.take(started)
    assert [task.nodes for task in replica.broken_off(End.FAILED).tasks] == [0, 5]


def test_what_ranks_of_the_job_can_say_is_taken() -> None:
    assert Replica(PREPARED, ("a", "b"), (1, 2)).is_possible(replace(NOTHING, transfers=(SENT,)))
