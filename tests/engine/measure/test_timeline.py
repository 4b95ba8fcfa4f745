"""The timeline of a search, checked against the Trace Event Format."""

from itertools import pairwise

import msgspec

from engine.backends import solve
from engine.job import Job
from engine.measure.timeline import to_chrome_trace
from engine.result import RankInfo
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
