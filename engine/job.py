"""The job of a search: a frozen record, the same for every backend. `engine.result` has its results.

    Job ─▶ backend.run(job, control) ─▶ Info, Info, ... ─▶ Result

Its JSON form (`msgspec.json.encode`) is the input of an MPI job and part of a bug report.
"""

import codecs
import re
from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.messages import message

MAX_WORKERS = 1024
RECORD_ROWS = 2_000_000
"""The default length of a record in nodes; counters stay exact beyond it."""
MAX_RECORD_ROWS = 100_000_000
"""The greatest length of a record: 1.2 GB for each worker."""


MAX_TABLE = 65_536
"""MiB."""
MAX_INTEGER = (1 << 63) - 1
"""The greatest number in a word of the kernels."""


T = TypeVar("T")


class JobError(ValueError):
    """A job that cannot run. The message is one sentence for the user: the reason and a remedy."""


class Scoring(StrEnum):
    """The value of a finished game."""

    TEXTBOOK = "textbook"
    """+1, 0, -1."""
    SOONEST = "soonest"
    """The value of a win is `engine.rules.contract.WIN` minus the plies from the root to the end, so that sooner is
    better; that of a loss is the negative."""


class Schedule(StrEnum):
    """The schedule of tasks on workers: threads or MPI ranks."""

    STATIC = "static"
    """Each worker gets one block of neighbouring tasks."""
    CYCLIC = "cyclic"
    """Worker w of P gets tasks w, w + P, w + 2P ..."""
    DYNAMIC = "dynamic"
    """An idle worker takes the next task."""


class Parallel(StrEnum):
    """The parallel algorithm of a search with several workers."""

    ROOT = "root"
    """Each root move is a task."""
    SPLIT = "split"
    """Each node some plies below the root is a task. The leftmost is searched first, for its bounds."""
    YBW = "ybw"
    """Young brothers wait: the same at every node above the tasks, not only on the leftmost path."""
    LAZY = "lazy"
    """Every worker searches the whole tree. They share results through the transposition table."""


class Fail(StrEnum):
    """The value that alpha-beta returns if it lies outside the window."""

    SOFT = "soft"
    """The best value found: a bound that may be tighter."""
    HARD = "hard"
    """The bound of the window."""


class Form(StrEnum):
    """The point of view of a search's values."""

    NEGAMAX = "negamax"
    """That of the side to move."""
    MAXMIN = "maxmin"
    """That of MAX, the side to move at the root."""


class Order(StrEnum):
    """Move orders. One of the first five orders all moves; the others put some moves first."""

    NATURAL = "natural"
    """Ascending squares."""
    DOMAIN = "domain"
    """The most promising first, by the game's own `engine.rules.contract.move_promise`."""
    RANDOM = "random"
    """Random by a seed, different in each position."""
    BEST = "best"
    """By the exact values, from a separate search that is not counted."""
    WORST = "worst"
    TABLE = "table"
    """The table's move first."""
    KILLERS = "killers"
    """Killer moves first: those that caused cutoffs elsewhere with the same number of plies left."""
    HISTORY = "history"
    """Moves that often caused cutoffs first."""


class Replacement(StrEnum):
    """The entries of the transposition table that a new one may replace."""

    ALWAYS = "always"
    DEEPER = "deeper"
    """One not searched deeper, or of an earlier iteration."""


class Limit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The limits of a search; None: no limit."""

    depth: Annotated[int, Meta(ge=1)] | None = None
    """Plies: a node at this depth is a horizon leaf, unless the game is over."""
    nodes: Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None
    """Seconds of searching, without pauses and throttling."""


class Job(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One search. `engine.registry.prepare` resolves its names, or raises JobError. Unknown fields in JSON are refused,
    because a misspelt field would mean another search."""

    game: str = "tictactoe"
    position: str
    algorithm: str = "minimax"
    backend: str = "serial"
    workers: Annotated[int, Meta(ge=1, le=MAX_WORKERS)] = 1
    """Threads, or MPI ranks."""
    threads: Annotated[int, Meta(ge=1, le=MAX_WORKERS)] = 1
    """Threads in each MPI rank."""
    schedule: Schedule = Schedule.DYNAMIC
    split: Annotated[int, Meta(ge=1, le=8)] = 1
    """The depth of the tasks of a parallel search, in plies below the root."""
    parallel: Parallel = Parallel.SPLIT
    fail: Fail = Fail.SOFT
    form: Form = Form.NEGAMAX
    evaluate: bool = True
    """Whether the value of a horizon leaf is an estimate; otherwise it is 0."""
    evaluation: str = ""
    """The name of the game's evaluation for horizon leaves; empty: the first."""
    deepen: bool = False
    """Iterative deepening: to depth 1, 2, 3 ... until a limit, or until the value is proven."""
    aspiration: Annotated[float, Meta(gt=0, le=64)] | None = None
    """Half the width of an iteration's window round the value of the last iteration; None: an open window."""
    order: tuple[Order, ...] = ()
    """The move orders; empty: natural."""
    seed: Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)] = 0
    """The seed of a random order."""
    table: Annotated[float, Meta(ge=0, le=MAX_TABLE)] = 0.0
    """The size of the transposition table in MiB; 0: no table."""
    replacement: Replacement = Replacement.ALWAYS
    fold: bool = False
    """Whether positions that are equal up to symmetry share an entry of the table."""
    scoring: Scoring = Scoring.TEXTBOOK
    limit: Limit = Limit()
    record: Annotated[int, Meta(ge=0, le=MAX_RECORD_ROWS)] = 0
    """The greatest length of the record in nodes; 0: no record."""


_DECODER = msgspec.json.Decoder(Job)
"""msgspec's checks of a job, made here: two threads that make them at once end the process."""


def job_to_json(job: Job) -> bytes:
    """The text that `job_from_json` reads back. A depth too large for JSON becomes the greatest that JSON can hold."""
    limit = job.limit
    if limit.depth is not None:
        limit = replace(limit, depth=min(limit.depth, MAX_INTEGER))
    return msgspec.json.encode(replace(job, limit=limit))


def job_from_json(text: str | bytes) -> Job:
    """The job of a JSON object. Raises JobError, with a sentence, if it is not a job."""
    try:
        return decoded(text, _DECODER)
    except ValueError as error:
        raise JobError(message("This is not a job: {why}.", why=_reason(error))) from error


def decoded(text: str | bytes, decoder: "msgspec.json.Decoder[T]") -> T:
    """A value from JSON, after an optional byte-order mark. Raises ValueError for any other text."""
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    try:
        return decoder.decode(data.removeprefix(codecs.BOM_UTF8))
    except RecursionError as error:
        raise ValueError(message("it is nested too deeply")) from error


def checked(job: Job) -> Job:
    """The same job if all its fields are in range. Otherwise raises JobError, with a sentence that names the field."""
    try:
        return msgspec.convert(msgspec.to_builtins(job), Job)
    except msgspec.ValidationError as error:
        raise JobError(message("The search cannot run: {why}.", why=_reason(error))) from error


_REASONS = {
    r"Expected `(?:int|float)` >= (?P<limit>\S+)": message("{field} must be at least {limit}"),
    r"Expected `(?:int|float)` <= (?P<limit>\S+)": message("{field} must be at most {limit}"),
    r"Expected `(?:int|float)` > (?P<limit>0)\.0": message("{field} must be more than {limit}"),
    r"Expected `int(?: \| null)?`, got `\w+`": message("{field} must be a whole number"),
    r"Expected `float(?: \| null)?`, got `\w+`": message("{field} must be a number"),
    r"Expected `str`, got `\w+`": message("{field} must be text"),
    r"Expected `bool`, got `\w+`": message("{field} must be true or false"),
    r"Expected `object`, got `\w+`": message("it is no object"),
    r"(?:Integer value|Number) out of range": message("{field} is far too large"),
    r"Object contains unknown field `(?P<name>.+)`": message("there is no field {name}"),
    r"Object missing required field `(?P<name>.+)`": message("{name} is missing"),
}
"""msgspec's messages about a field (regular expressions), and ours."""


_CHOICES: dict[str, type[StrEnum]] = {
    "scoring": Scoring,
    "schedule": Schedule,
    "parallel": Parallel,
    "fail": Fail,
    "form": Form,
    "order": Order,
    "replacement": Replacement,
}


def _reason(error: Exception) -> str:
    """The message for an invalid job: "workers must be at least 1"."""
    if isinstance(error, UnicodeDecodeError):
        return message("it is no text in UTF-8")
    what, _, where = str(error).partition(" - at `$")
    field = where.rpartition(".")[2].partition("[")[0].rstrip("`")
    if choices := _CHOICES.get(field):
        return message("{field} must be one of {choices}", field=field, choices=", ".join(choices))
    for pattern, words in _REASONS.items():
        if (field or "{field}" not in words) and (found := re.fullmatch(pattern, what)):
            return message(words, field=field, **found.groupdict())
    return error.args[0]
