"""What is asked of a search, and what comes back: plain frozen records, the same for every backend.

    Job ─▶ backend.run(job, control) ─▶ Info, Info, ... ─▶ Result

`Job` has a JSON form (`msgspec.json.encode`): the one that an MPI job is given and that a bug report holds.
Values are those of the side to move in the position that the value belongs to, unless a field says otherwise.
The records of a moment are not tracked by the garbage collector (`gc=False`): they hold no cycles, and a search makes
thousands a second, each of which would bring a full collection nearer.
"""

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

if TYPE_CHECKING:
    from engine.trace.record import Trace

INFINITY = 32_000
"""The bound of an open window: larger than any score, and it fits the 16 bits that a record keeps of it."""

MAX_WORKERS = 1024
RECORD_ROWS = 2_000_000
"""How many nodes a recorded search keeps; the counters stay exact beyond."""
MAX_RECORD_ROWS = 100_000_000
"""1.2 GB for each worker that writes so many."""


class JobError(ValueError):
    """A job that cannot run, with one sentence for the user: what is wrong and what to do instead."""


class Scoring(StrEnum):
    """What a finished game is worth."""

    TEXTBOOK = "textbook"
    """+1, 0, -1."""
    SOONEST = "soonest"
    """A win counts 1 + the plies that were left, so that sooner is better; a loss the same, negative."""


class Schedule(StrEnum):
    """How tasks are dealt to workers: to threads, or to MPI ranks."""

    STATIC = "static"
    """Each worker gets one block of neighbouring tasks."""
    CYCLIC = "cyclic"
    """Worker w of P gets tasks w, w + P, w + 2P ..."""
    DYNAMIC = "dynamic"
    """Whoever is idle takes the next task: on demand."""


class Limit(Struct, frozen=True, omit_defaults=True):
    """When to stop; None is no limit."""

    depth: Annotated[int, Meta(ge=1)] | None = None
    """Plies: a position so far below the root that is not over is a horizon leaf, worth 0."""
    nodes: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None
    """Seconds of searching; waiting (paused, held back) does not count."""


class Job(Struct, frozen=True, kw_only=True):
    """One search. `engine.registry.prepare` finds what it names, or raises JobError."""

    game: str = "tictactoe"
    position: str
    algorithm: str = "minimax"
    backend: str = "serial"
    workers: Annotated[int, Meta(ge=1, le=MAX_WORKERS)] = 1
    """Threads, or MPI ranks."""
    threads: Annotated[int, Meta(ge=1, le=MAX_WORKERS)] = 1
    """Inside each MPI rank."""
    schedule: Schedule = Schedule.DYNAMIC
    split: Annotated[int, Meta(ge=1, le=8)] = 1
    """How many plies below the root the tasks of a parallel search are."""
    scoring: Scoring = Scoring.TEXTBOOK
    limit: Limit = Limit()
    record: Annotated[int, Meta(ge=0, le=MAX_RECORD_ROWS)] = 0
    """How many nodes the trace keeps at most; 0 records nothing."""


class Counters(Struct, frozen=True, gc=False):
    """What was counted, exactly, by one worker or by all together."""

    nodes: int = 0
    """Positions visited, the root included."""
    terminals: int = 0
    """Of these, positions in which the game is over."""
    horizon: int = 0
    """Of these, positions at the depth limit in which it is not."""
    cutoffs: int = 0
    """Positions left early, with at least one legal move unsearched."""
    pruned: int = 0
    """The moves left unsearched there."""
    depth: int = 0
    """The deepest ply visited; the root is ply 0."""

    def __add__(self, other: "Counters") -> "Counters":
        return Counters(
            self.nodes + other.nodes,
            self.terminals + other.terminals,
            self.horizon + other.horizon,
            self.cutoffs + other.cutoffs,
            self.pruned + other.pruned,
            max(self.depth, other.depth),
        )


class State(StrEnum):
    """Where the search stands with a move."""

    UNVISITED = "unvisited"
    OPEN = "open"
    DONE = "done"
    PRUNED = "pruned"


class Child(Struct, frozen=True, gc=False):
    """One legal move of a position on the current path."""

    move: int
    state: State
    value: int | None = None
    """Once DONE: what the move is worth to the side that makes it (a bound where the window cut it short)."""


class Level(Struct, frozen=True, gc=False):
    """One position of the current path, root first. Its window and values are those of the side to move in it."""

    alpha: int
    """The least that is certain: raised by `best` as children return."""
    beta: int
    best: int | None
    """The best value so far; None before the first child has returned."""
    move: int | None
    """The child that the path goes through; in the last level, the one just visited."""
    children: tuple[Child, ...]
    """All legal moves, ascending; none where the game is over or the horizon reached."""
    cut: bool = False
    """Whether the position was left early: alpha reached beta."""


class WorkerInfo(Struct, frozen=True, gc=False):
    counters: Counters
    task: int | None
    """Which task it is at; None when it has none."""
    path: tuple[int, ...]
    """The moves from the root to where it is."""


class RankState(StrEnum):
    """What an MPI rank is doing."""

    STARTING = "starting"
    """It loads the engine, or compiles."""
    SEARCHING = "searching"
    WAITING = "waiting"
    """It has nothing to do until others are done."""
    PAUSED = "paused"
    ENDED = "ended"
    LOST = "lost"
    """It failed, or nothing was heard of it."""


class RankInfo(Struct, frozen=True, gc=False):
    """One MPI rank; its workers are those from rank x threads on."""

    host: str
    pid: int
    state: RankState = RankState.STARTING
    idle: float = 0.0
    """Seconds without anything to do, waiting not counted."""
    seconds: float = 0.0
    """Since it began to search until no rank did any more, waiting for leave to go on not counted."""
    sent: int = 0
    """Messages to rank 0, or of rank 0 to others."""
    received: int = 0
    one_sided: int = 0
    """Operations on the memory that rank 0 lends to all."""


class Info(Struct, frozen=True, gc=False):
    """A moment of a running search."""

    counters: Counters
    value: int | None
    """Of the root, so far; None before the first root move has returned."""
    best: int | None
    """The move that gives it."""
    pv: tuple[int, ...]
    """The principal variation: best play for both from the root, as far as it is known."""
    path: tuple[Level, ...]
    """From the root to where the first busy worker is; empty before the start and after the end."""
    workers: tuple[WorkerInfo, ...]
    seconds: float
    """Spent searching. Waiting does not count, nor what comes before: compiling, and the memory of the workers."""
    tasks_done: int = 0
    tasks: int = 1
    ranks: tuple[RankInfo, ...] = ()
    """Of an MPI job."""


class Bound(StrEnum):
    """What a value says of the true one."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


class RootMove(Struct, frozen=True, gc=False):
    """A root move that was searched to its end."""

    move: int
    value: int
    bound: Bound


class Task(Struct, frozen=True, gc=False):
    """A subtree that one worker searched."""

    moves: tuple[int, ...]
    """From the root to the subtree."""
    worker: int
    start: float
    """Seconds since the search began, waiting included, as `end`."""
    end: float
    nodes: int


class End(StrEnum):
    """Why a search ended."""

    COMPLETE = "complete"
    HORIZON = "horizon"
    """Finished, but the depth limit left positions undecided."""
    NODES = "nodes"
    SECONDS = "seconds"
    STOPPED = "stopped"
    FAILED = "failed"
    """An MPI job that broke off; `Result.failure` says why."""


class Result(Struct, frozen=True):
    """What a search found. Where it did not finish, `info` names its best finished root move."""

    job: Job
    info: Info
    root_moves: tuple[RootMove, ...]
    """Ascending; those not finished are missing."""
    tasks: tuple[Task, ...]
    end: End
    trace: "Trace | None" = None
    failure: str = ""
    """One sentence, where `end` is FAILED."""

    @property
    def complete(self) -> bool:
        """Whether the value is that of the whole game tree."""
        return self.end is End.COMPLETE


def job_from_json(text: str | bytes) -> Job:
    """The job that a JSON object describes. Raises JobError, with a sentence, if it describes none."""
    try:
        return msgspec.json.decode(text, type=Job)
    except msgspec.MsgspecError as error:
        raise JobError(f"This is no job: {_reason(error)}.") from error


def checked(job: Job) -> Job:
    """The same job if every field of it is in range. Raises JobError, with a sentence that names the field, if not."""
    try:
        return msgspec.convert(msgspec.to_builtins(job), Job)
    except msgspec.ValidationError as error:
        raise JobError(f"The search cannot run: {_reason(error)}.") from error


_REASONS = {
    r"Expected `(?:int|float)` >= (\S+)": r"must be at least \1",
    r"Expected `(?:int|float)` <= (\S+)": r"must be at most \1",
    r"Expected `(?:int|float)` > 0\.0": "must be more than 0",
    r"Expected `int(?: \| null)?`, got `\w+`": "must be a whole number",
    r"Expected `float(?: \| null)?`, got `\w+`": "must be a number",
    r"Expected `str`, got `\w+`": "must be a text",
}
"""What msgspec says of a field, and how a person says it."""


def _reason(error: msgspec.MsgspecError) -> str:
    """What is wrong with a job: "workers must be at least 1"."""
    what, at, where = str(error).partition(" - at `$.")
    field = where.rpartition(".")[2].rstrip("`")
    for pattern, words in _REASONS.items():
        if at and (found := re.fullmatch(pattern, what)):
            return f"{field} {found.expand(words)}"
    choices = {"scoring": Scoring, "schedule": Schedule}.get(field)
    return f"{field} must be one of {', '.join(choices)}" if choices else str(error)
