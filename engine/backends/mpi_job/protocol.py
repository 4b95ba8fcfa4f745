"""What an MPI job and its launcher say to each other, a line at a time.

    launcher ── stdin of rank 0 ──▶  the Job, one line of JSON
                                     stop | pause | resume | step N | speed N      (`engine.control.Control.obey`)
                                     end of file: stop

             ◀── stdout of rank 0 ── {"type":"hello", "hosts":[...], "pids":[...], "library":"MPICH 5.0.2"}
                                     {"type":"counters", "rank":1, ...}            each rank, 20 times a second
                                     {"type":"started", "task":3, ...}             a task that will not be finished
                                     {"type":"done", "task":3, ...}
                                     {"type":"skipped", "task":4, ...}             cut off before it began
                                     {"type":"log", "rank":1, "text":"..."}
                                     {"type":"error", "rank":1, "text":"..."}      then the job breaks off
                                     {"type":"rows", "worker":1, ...}              its record, where the job wants one
                                     {"type":"result", ...}                        the last line

Every rank sends its lines to rank 0, which passes them on as they are. Tasks are numbered as `engine.kernels.task_tree`
does it: both ends make the same split of the same job. Worker rank x threads + t is thread t of a rank. Times are
nanoseconds since the ranks began together, less those that the search was held back. Lines that are no record (a
launcher's banner, a library's warning) are for the log.
"""

import msgspec
from msgspec import Struct

from engine.result import End, Info, PathNode, RankState, RootMove, Task, WorkerInfo


class Hello(Struct, frozen=True, gc=False, tag_field="type", tag="hello"):
    """The first line: who is there, by rank."""

    hosts: tuple[str, ...]
    pids: tuple[int, ...]
    library: str


class Counters(Struct, frozen=True, gc=False, tag_field="type", tag="counters"):
    """What a rank has done so far."""

    rank: int
    state: RankState
    seconds: float
    """Since the search began; waiting for leave to go on does not count."""
    sent: int
    received: int
    one_sided: int
    workers: tuple[WorkerInfo, ...]
    """Its threads. What is above the tasks is not counted here, for two ranks may come by."""
    path: tuple[PathNode, ...]
    """From the task of the first busy thread down to where it is."""
    windows: tuple[tuple[int, int], ...] = ()
    """Of the positions on the way to that task, as in `Done`."""


class Started(Struct, frozen=True, gc=False, tag_field="type", tag="started"):
    """Said at the end, of a task that will not be finished."""

    task: int
    worker: int
    start: int
    left: int
    """When it was left."""
    first: int
    """Row of the worker's tape, as `last`: last - first nodes are visited so far."""
    last: int
    windows: tuple[tuple[int, int], ...]
    """As in `Done`."""


class Done(Struct, frozen=True, gc=False, tag_field="type", tag="done"):
    task: int
    worker: int
    start: int
    end: int
    value: int
    """To the side to move there."""
    line: int
    """Of play that gives it, packed (`engine.kernels.worker_memory.unpack_line`)."""
    first: int
    """Row of the worker's tape, as `last`: last - first nodes were visited."""
    last: int
    windows: tuple[tuple[int, int], ...]
    """The narrowest that this rank has searched the positions on the way to the task in, from the root's child down to
    the task itself; each from its own side to move."""


class Skipped(Struct, frozen=True, gc=False, tag_field="type", tag="skipped"):
    task: int
    ply: int
    """Where the position is that cut it off."""
    windows: tuple[tuple[int, int], ...]
    """As in `Done`: the cut depends on them."""


class Log(Struct, frozen=True, gc=False, tag_field="type", tag="log"):
    rank: int
    text: str


class Error(Struct, frozen=True, gc=False, tag_field="type", tag="error"):
    rank: int
    text: str


class Rows(Struct, frozen=True, gc=False, tag_field="type", tag="rows"):
    """Some rows of a worker's tape, words of 8 bytes that `engine.kernels.worker_memory.ROW_TYPE` explains."""

    worker: int
    first: int
    rows: bytes
    """Base64 in the line, as JSON knows no bytes."""


class Finished(Struct, frozen=True, tag_field="type", tag="result"):
    """What became of the search: an `engine.result.Result` but for its job and its trace."""

    info: Info
    root_moves: tuple[RootMove, ...]
    tasks: tuple[Task, ...]
    end: End


Line = Hello | Counters | Started | Done | Skipped | Log | Error | Rows | Finished

_encoder = msgspec.json.Encoder(enc_hook=str.__str__)
"""What is `Message` becomes plain text."""
_decoder = msgspec.json.Decoder(Line)


def encode(record: Line) -> bytes:
    """One line, with its end."""
    return _encoder.encode(record) + b"\n"


def decode(line: bytes) -> Line | None:
    """The record in a line; None where there is none."""
    try:
        return _decoder.decode(line)
    except (ValueError, RecursionError):
        return None
