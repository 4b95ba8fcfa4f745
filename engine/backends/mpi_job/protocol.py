"""The protocol between an MPI job and its launcher, in lines.

    launcher ── stdin of rank 0 ──▶  the Job, one line of JSON
                                     stop | pause | resume | step N | speed N      (`engine.control.Control.obey`)
                                     result                                        the result so far is wanted
                                     end of file: stop

             ◀── stdout of rank 0 ── {"type":"hello", "hosts":[...], "pids":[...], "library":"MPICH 5.0.2"}
                                     {"type":"counters", "rank":1, ...}            every 0.05 s with changes, else 0.5 s
                                     {"type":"started", "task":3, ...}             a task that is not finished
                                     {"type":"done", "task":3, ...}
                                     {"type":"skipped", "task":4, ...}             cut off before it began
                                     {"type":"log", "rank":1, "text":"..."}
                                     {"type":"error", "rank":1, "text":"..."}      then the job breaks off
                                     {"type":"rows", "worker":1, ...}              its record, where the job wants one
                                     {"type":"answered", "rank":1, ...}            its part of a result so far is sent
                                     {"type":"result", ...}                        the last line

Every rank sends its lines to rank 0, which forwards them unchanged. On the line `result` each rank sends its tasks
under way, its counters, and rows that it has not sent yet (`engine.backends.mpi_job.rank_rows`); then it goes on. The
result so far is made of what each has sent until it answered. Task numbers are those of `engine.kernels.task_tree`:
both ends make the same split of the same job. Worker rank x threads + t is thread t of a rank. Times are since the
common start of the ranks, without pauses and throttling: in nanoseconds in the lines of a task, elsewhere in seconds.
Lines that are no record (a launcher's banner, a library's warning) go to the log.
"""

import sys

import msgspec
from msgspec import Struct

from engine.result import End, PathNode, RankState, RootMove, Snapshot, Task, WorkerInfo
from engine.transfer import Transfer


class Hello(Struct, frozen=True, gc=False, tag_field="type", tag="hello"):
    """The first line: host and process of each rank."""

    hosts: tuple[str, ...]
    pids: tuple[int, ...]
    library: str


class RankCounters(Struct, frozen=True, gc=False, tag_field="type", tag="counters"):
    """A rank's progress so far."""

    rank: int
    state: RankState
    seconds: float
    """Since the start of the search, without pauses and throttling."""
    sent: int
    received: int
    one_sided: int
    workers: tuple[WorkerInfo, ...]
    """Its threads. They do not count the nodes above the tasks, which two ranks may both visit."""
    path: tuple[PathNode, ...]
    """The path from the root of the first busy thread's task to its current node."""
    windows: tuple[tuple[int, int], ...] = ()
    """The windows of the nodes on the path to that task, as in `Done`."""


class Started(Struct, frozen=True, gc=False, tag_field="type", tag="started"):
    """A task that is under way when the result so far is wanted, or was abandoned at the end."""

    task: int
    worker: int
    start: int
    left: int
    """Time at which it was abandoned, or would be now."""
    first: int
    """Row of the worker's tape, as `last`: last - first nodes were visited."""
    last: int
    windows: tuple[tuple[int, int], ...]
    """As in `Done`."""


class Done(Struct, frozen=True, gc=False, tag_field="type", tag="done"):
    """A task whose subtree was searched."""

    task: int
    worker: int
    start: int
    end: int
    value: int
    """For the side to move at the task's root."""
    line: int
    """Its principal variation, packed (`engine.kernels.worker_memory.unpack_line`)."""
    first: int
    """Row of the worker's tape, as `last`: last - first nodes were visited."""
    last: int
    windows: tuple[tuple[int, int], ...]
    """The narrowest windows of this rank for the nodes on the path, from the root's child to the task itself; each for
    the side to move at its node."""


class Skipped(Struct, frozen=True, gc=False, tag_field="type", tag="skipped"):
    """A task that was cut off before it began."""

    rank: int
    task: int
    ply: int
    """The ply of the ancestor that cut it off."""
    windows: tuple[tuple[int, int], ...]
    """As in `Done`: the cutoff depends on them."""


class Log(Struct, frozen=True, gc=False, tag_field="type", tag="log"):
    rank: int
    text: str


class Error(Struct, frozen=True, gc=False, tag_field="type", tag="error"):
    rank: int
    text: str


class Rows(Struct, frozen=True, gc=False, tag_field="type", tag="rows"):
    """Rows of a worker's tape, words of 8 bytes as in `engine.kernels.worker_memory.ROW_TYPE`."""

    worker: int
    first: int
    rows: bytes
    """Base64 in the line: JSON has no bytes."""


class Answered(Struct, frozen=True, gc=False, tag_field="type", tag="answered"):
    """A rank has sent its part of the result so far."""

    rank: int
    rows: int
    """Of its workers' tapes, so many first rows have been sent."""


class Finished(Struct, frozen=True, tag_field="type", tag="result"):
    """The result of the search: an `engine.result.Result` without its job and its trace."""

    info: Snapshot
    root_moves: tuple[RootMove, ...]
    tasks: tuple[Task, ...]
    end: End
    transfers: tuple[Transfer, ...] = ()
    clock_error: float = 0.0


Line = Hello | RankCounters | Started | Done | Skipped | Log | Error | Rows | Answered | Finished

BEGINNING = b'{"type":'
"""The beginning of each record's line."""

_encoder = msgspec.json.Encoder(enc_hook=str.__str__)
"""It encodes a `Message` as plain text."""
_decoder = msgspec.json.Decoder(Line)


def encode(record: Line) -> bytes:
    """The line of a record, with its newline."""
    return _encoder.encode(record) + b"\n"


def write(lines: bytes) -> None:
    """Write whole lines to stdout in one call, so that the lines of several ranks do not mix.

    All of them are written: with PYTHONUNBUFFERED, `sys.stdout.buffer` would leave out the rest of a long line after a
    rank was stopped (Ctrl+Z) in the middle of it, and went on.
    """
    with open(sys.stdout.fileno(), "wb", closefd=False) as stdout:
        stdout.write(lines)


def decode(line: bytes) -> Line | None:
    """The record in a line; None if it holds none."""
    try:
        return _decoder.decode(line)
    except (ValueError, RecursionError):
        return None
