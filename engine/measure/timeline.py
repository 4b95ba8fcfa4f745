"""The tasks of a search in time, in the Trace Event Format that chrome://tracing and Perfetto (ui.perfetto.dev) open.

A process of the format is a rank, a thread is a worker; a complete event ("ph": "X") is a task, named by its root move,
so that the tasks of one root move have one colour. Times are microseconds since the start of the search.

What came from one MPI rank to another is a flow, from "s" to "f" with one id, which a viewer shows as an arrow. A flow
joins two events: these have no duration, stand directly before its ends, and are on a thread of their own of each rank.

Source: Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
"""

from typing import Any

import msgspec

from engine import registry
from engine.result import Result, Task
from engine.transfer import Transfer, TransferKind

WHOLE = "whole tree"
"""The name of the task that is the root itself."""

TRANSFERS = {
    TransferKind.DEAL: "tasks taken from the counter on rank 0",
    TransferKind.RESULT: "results sent to rank 0",
    TransferKind.BOUND: "bound read by another rank",
}
"""The names of flows."""


def to_chrome_trace(result: Result) -> bytes:
    """The JSON text, one object with the list "traceEvents"."""
    job, workers = result.job, len(result.info.workers)
    threads = workers // max(1, len(result.info.ranks))
    names: list[dict[str, Any]] = []
    for rank in range(max(1, len(result.info.ranks))):
        name = (
            f"rank {rank} on {result.info.ranks[rank].host}" if result.info.ranks else f"{job.algorithm}, {job.backend}"
        )
        names.append(_named("process_name", name, rank))
    names += [
        _named("thread_name", f"worker {worker + 1}", worker // threads, worker % threads) for worker in range(workers)
    ]
    if result.transfers:
        names += [_named("thread_name", "messages", rank, threads) for rank in range(len(result.info.ranks))]
    tasks = sorted(result.tasks, key=lambda task: task.start)
    events = [_event(task, task.worker // threads, task.worker % threads, result) for task in tasks]
    for number, transfer in enumerate(result.transfers):
        events += _flow(transfer, number, threads, result)
    return msgspec.json.encode(
        {
            "traceEvents": names + events,
            "displayTimeUnit": "ms",
            "otherData": {
                "game": job.game,
                "position": job.position,
                "seconds": result.info.seconds,
                "error of clocks in seconds": result.clock_error,
            },
        }
    )


def _named(kind: str, name: str, process: int, thread: int = 0) -> dict[str, Any]:
    return {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}


def _flow(transfer: Transfer, number: int, thread: int, result: Result) -> list[dict[str, Any]]:
    """The two events of a transfer, each with its end of the flow."""
    moves = ["/".join(_moves(result.tasks[task], result)) or WHOLE for task in transfer.tasks]
    common = {"name": TRANSFERS[transfer.kind], "cat": transfer.kind.value, "tid": thread}
    sent = {"pid": transfer.sender, "ts": transfer.sent * 1e6}
    received = {"pid": transfer.receiver, "ts": transfer.received * 1e6}
    shown = {"ph": "X", "dur": 0, "args": {"tasks": " ".join(moves)}}
    return [
        common | sent | shown,
        common | sent | {"ph": "s", "id": number},
        common | received | shown,
        common | received | {"ph": "f", "id": number, "bp": "e"},
    ]


def _moves(task: Task, result: Result) -> list[str]:
    return [registry.game(result.job.game).notation.move_name(move) for move in task.moves]


def _event(task: Task, process: int, thread: int, result: Result) -> dict[str, Any]:
    moves = _moves(task, result)
    return {
        "name": moves[0] if moves else WHOLE,
        "cat": "task",
        "ph": "X",
        "ts": task.start * 1e6,
        "dur": (task.end - task.start) * 1e6,
        "pid": process,
        "tid": thread,
        "args": {"moves": " ".join(moves), "nodes": task.nodes, "finished": task.finished},
    }
