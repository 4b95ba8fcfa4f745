"""The timeline of a search, checked against the Trace Event Format."""

from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.backends import solve
from engine.job import Job
from engine.measure.timeline import to_chrome_trace
from engine.result import RankInfo, Result
from engine.transfer import Transfer, TransferKind
from tests.engine.naive import X_ON_A1


def test_every_task_is_a_complete_event_in_the_lane_of_its_worker() -> None:
    result = solve(Job(position=X_ON_A1, backend="threads", workers=2, split=2))
    trace = msgspec.json.decode(to_chrome_trace(result))
    assert trace["displayTimeUnit"] in ("ms", "ns")
    named = [event for event in trace["traceEvents"] if event["ph"] == "M"]
    tasks = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert len(named) + len(tasks) == len(trace["traceEvents"])
    assert [(event["name"], event["args"]["name"]) for event in named] == [
        ("process_name", "minimax, threads"),
        ("thread_name", "worker 1"),
        ("thread_name", "worker 2"),
    ]
    assert len(tasks) == 8 * 7
    assert {event["name"] for event in tasks} == {"b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"}
    assert sum(event["args"]["nodes"] for event in tasks) == 59_705 - 1 - 8
    for event in tasks:
        assert event.keys() >= {"name", "cat", "ts", "dur", "pid", "tid"}
        assert 0 <= event["ts"] <= event["ts"] + event["dur"] <= result.info.seconds * 1e6 + 1
    for lane in (0, 1):
        own = [event for event in tasks if (event["pid"], event["tid"]) == (0, lane)]
        assert all(before["ts"] + before["dur"] <= after["ts"] + 1e-3 for before, after in pairwise(own))


def test_a_rank_is_a_process_of_its_threads() -> None:
    result = solve(Job(position=X_ON_A1, backend="threads", workers=4))
    ranks = msgspec.structs.replace(result.info, ranks=(RankInfo("a", 1), RankInfo("b", 2)))
    trace = msgspec.json.decode(to_chrome_trace(msgspec.structs.replace(result, info=ranks)))
    assert [event["args"]["name"] for event in trace["traceEvents"][:2]] == ["rank 0 on a", "rank 1 on b"]
    lanes = {(event["pid"], event["tid"]) for event in trace["traceEvents"] if event["name"] == "thread_name"}
    assert lanes == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_what_comes_to_a_rank_is_a_flow_between_events_of_two_ranks() -> None:
    result = solve(Job(position=X_ON_A1, backend="threads", workers=4))
    assert not {event["ph"] for event in events(result)} & {"s", "f"}, "threads send nothing"
    sent = (
        Transfer(TransferKind.DEAL, (0, 1), 0, 1, 0.001, 0.0015),
        Transfer(TransferKind.RESULT, (0,), 1, 0, 0.002, 0.004),
        Transfer(TransferKind.RESULT, (1,), 1, 0, 0.003, 0.004),
    )
    info = replace(result.info, ranks=(RankInfo("a", 1), RankInfo("b", 2)))
    all_events = events(replace(result, info=info, transfers=sent))
    lanes = {(one["pid"], one["tid"]): one["args"]["name"] for one in all_events if one["name"] == "thread_name"}
    flows = [(before, event) for before, event in pairwise(all_events) if event["ph"] in ("s", "f")]
    assert len(flows) == 2 * len(sent)
    for before, event in flows:
        same = ("name", "cat", "pid", "tid", "ts")
        assert [before[name] for name in same] == [event[name] for name in same], "a viewer binds it to this event"
        assert (before["ph"], before["dur"]) == ("X", 0)
        assert lanes[event["pid"], event["tid"]] == "messages"
    for number, transfer in enumerate(sent):
        start, end = (event for _, event in flows if event["id"] == number)
        assert (start["ph"], end["ph"], end["bp"]) == ("s", "f", "e")
        assert (start["pid"], end["pid"]) == (transfer.sender, transfer.receiver)
        assert (start["ts"], end["ts"]) == (transfer.sent * 1e6, transfer.received * 1e6)
    assert flows[0][0]["args"] == {"tasks": "b1 c1"}


def events(result: Result) -> list[dict[str, Any]]:
    return msgspec.json.decode(to_chrome_trace(result))["traceEvents"]
