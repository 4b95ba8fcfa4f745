"""What is asked of a search: a plain frozen record, the same for every backend; `engine.result` is what comes back.

    Job ─▶ backend.run(job, control) ─▶ Info, Info, ... ─▶ Result

It has a JSON form (`msgspec.json.encode`): the one that an MPI job is given and that a bug report holds.
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
"""How many nodes a recorded search keeps; the counters stay exact beyond."""
MAX_RECORD_ROWS = 100_000_000
"""1.2 GB for each worker that writes so many."""


MAX_TABLE = 65_536
"""MiB."""
MAX_INTEGER = (1 << 63) - 1
"""What the kernels' words hold."""


T = TypeVar("T")


class JobError(ValueError):
    """A job that cannot run, with one sentence for the user: what is wrong and what to do instead."""


class Scoring(StrEnum):
    """What a finished game is worth."""

    TEXTBOOK = "textbook"
    """+1, 0, -1."""
    SOONEST = "soonest"
    """A win counts `engine.rules.contract.WIN` less the plies from the root to the end, so that sooner is better; a
    loss the same, negative."""


class Schedule(StrEnum):
    """How tasks are dealt to workers: to threads, or to MPI ranks."""

    STATIC = "static"
    """Each worker gets one block of neighbouring tasks."""
    CYCLIC = "cyclic"
    """Worker w of P gets tasks w, w + P, w + 2P ..."""
    DYNAMIC = "dynamic"
    """Whoever is idle takes the next task: on demand."""


class Parallel(StrEnum):
    """How a search is shared out to several workers."""

    ROOT = "root"
    """A root move is a task."""
    SPLIT = "split"
    """A position some plies below the root is a task; the leftmost is searched first, for the bounds it gives."""
    YBW = "ybw"
    """Young brothers wait: so it is at every position above the tasks, not only on the leftmost path."""
    LAZY = "lazy"
    """Every worker searches it all, and they tell each other what they find through the table."""


class Fail(StrEnum):
    """What alpha-beta returns where a value lies outside the window."""

    SOFT = "soft"
    """The best value found: a bound that may be tighter."""
    HARD = "hard"
    """The window's end."""


class Form(StrEnum):
    """Whose values a search tells."""

    NEGAMAX = "negamax"
    """Those of the side to move."""
    MAXMIN = "maxmin"
    """Those of MAX, the side to move at the root."""


class Order(StrEnum):
    """How moves are ordered: one of the first five says where every move stands; the rest bring some to the front."""

    NATURAL = "natural"
    """Ascending squares."""
    DOMAIN = "domain"
    """The most promising first, by the game itself: see `engine.rules.contract.move_promise`."""
    RANDOM = "random"
    """By a seed, in each position anew."""
    BEST = "best"
    """By the true values, from a search of its own that is not counted."""
    WORST = "worst"
    TABLE = "table"
    """The table's move first."""
    KILLERS = "killers"
    """Moves first that cut elsewhere with as many plies left."""
    HISTORY = "history"
    """Moves first that have cut often."""


class Replacement(StrEnum):
    """Which entry of the table gives way to a new one."""

    ALWAYS = "always"
    DEEPER = "deeper"
    """One that was searched less deep, or in an earlier iteration."""


class Limit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When to stop; None is no limit."""

    depth: Annotated[int, Meta(ge=1)] | None = None
    """Plies: a position so far below the root that is not over is a horizon leaf."""
    nodes: Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None
    """Seconds of searching; waiting (paused, held back) does not count."""


class Job(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One search. `engine.registry.prepare` finds what it names, or raises JobError. In JSON, a field that does not
    exist is refused: a misspelt one would be another search."""

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
    parallel: Parallel = Parallel.SPLIT
    fail: Fail = Fail.SOFT
    form: Form = Form.NEGAMAX
    evaluate: bool = True
    """Whether a horizon leaf is worth an estimate, or 0."""
    evaluation: str = ""
    """How it is estimated: one of the game's evaluations; where none is named, the first."""
    deepen: bool = False
    """Iterative deepening: to depth 1, 2, 3 ... until a limit, or until the value is proven."""
    aspiration: Annotated[float, Meta(gt=0, le=64)] | None = None
    """How far the window of an iteration reaches on either side of the value of the last; None: it is open."""
    order: tuple[Order, ...] = ()
    """How moves are ordered; natural where nothing else is said."""
    seed: Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)] = 0
    """Of a random order."""
    table: Annotated[float, Meta(ge=0, le=MAX_TABLE)] = 0.0
    """The size of the transposition table in MiB; 0: there is none."""
    replacement: Replacement = Replacement.ALWAYS
    fold: bool = False
    """Whether positions that are equal up to symmetry share an entry of the table."""
    scoring: Scoring = Scoring.TEXTBOOK
    limit: Limit = Limit()
    record: Annotated[int, Meta(ge=0, le=MAX_RECORD_ROWS)] = 0
    """How many nodes the trace keeps at most; 0 records nothing."""


def job_to_json(job: Job) -> bytes:
    """The text that `job_from_json` reads back; but of a depth beyond every game, the greatest that JSON holds."""
    limit = job.limit
    if limit.depth is not None:
        limit = replace(limit, depth=min(limit.depth, MAX_INTEGER))
    return msgspec.json.encode(replace(job, limit=limit))


def job_from_json(text: str | bytes) -> Job:
    """The job that a JSON object describes. Raises JobError, with a sentence, if it describes none."""
    try:
        return decoded(text, Job)
    except ValueError as error:
        raise JobError(message("This is not a job: {why}.", why=_reason(error))) from error


def decoded(text: str | bytes, kind: type[T]) -> T:
    """A value of that type, from JSON; a byte-order mark before it is passed over. Raises ValueError for all else."""
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    try:
        return msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8), type=kind)
    except RecursionError as error:
        raise ValueError(message("it is nested too deeply")) from error


def checked(job: Job) -> Job:
    """The same job if every field of it is in range. Raises JobError, with a sentence that names the field, if not."""
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
"""What msgspec says of a field, and how a person says it."""


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
    """What is wrong with a job: "workers must be at least 1"."""
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
