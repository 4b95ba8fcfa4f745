"""The job of a search: a frozen record, the same for every backend. `engine.result` has its results.

    Job ─▶ backend.run(job, control) ─▶ Snapshot, Snapshot, ... ─▶ Result

Its JSON form (`msgspec.json.encode`) is the input of an MPI job and part of a bug report. Its options are documented in
`engine.options.catalogue`, their choices in `engine.options.choices`.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from engine.messages import message
from engine.options import option, validation
from engine.options.catalogue import MAX_INTEGER, Options
from engine.options.option import Option

RECORD_ROWS = 2_000_000
"""The default length of a record in nodes; counters stay exact beyond it."""
MAX_RECORD_ROWS = 100_000_000
"""The greatest length of a record: 0.8 GB for each worker."""

T = TypeVar("T")


class JobError(ValueError):
    """A job that cannot run. The message is one sentence for the user: the reason and a remedy."""


class Job(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One search. `engine.prepare.prepare` resolves its names, or raises JobError. Unknown fields in JSON are refused,
    because a misspelt field would mean another search."""

    game: str = "tictactoe"
    position: str
    record: Annotated[
        int,
        Meta(ge=0, le=MAX_RECORD_ROWS),
        Option(
            option.ANSWER,
            message("Record"),
            message(
                "The nodes of a search are recorded, up to this number: the path, the whole tree and the replay have "
                "no others. The counters count all nodes."
            ),
            "Record up to N nodes.",
            metavar="N",
            unit="nodes",
            offered=(1, MAX_RECORD_ROWS),
        ),
    ] = 0
    """The greatest length of the record in nodes; 0: no record."""


def on_same_tree(job: Job, **changes: Any) -> Job:
    """Minimax over the same tree, with the same values in it: on one thread, without a limit, aids or a record; but for
    `changes`."""
    kept = {name: getattr(job, name) for name in ("game", "position", "scoring", "evaluate", "evaluation")}
    return Job(**(kept | changes))


RECORD = next(entry for entry in option.entries(Job) if entry.key == "record")
"""The entry of `Job.record`."""

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
        return decoder.decode(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ValueError(message("it is nested too deeply")) from error


def checked(job: Job) -> Job:
    """The same job if all its fields are in range. Otherwise raises JobError, with a sentence that names the field."""
    try:
        return msgspec.convert(msgspec.to_builtins(job), Job)
    except msgspec.ValidationError as error:
        raise JobError(message("The search cannot run: {why}.", why=_reason(error))) from error


def _reason(error: Exception) -> str:
    return validation.reason(error, Job, lambda path: path[-1])
