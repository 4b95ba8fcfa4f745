"""The options of a search on the command line, made from the catalogue."""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from functools import wraps
from typing import Annotated, Any, get_args

import typer
from msgspec import Meta

from engine import registry
from engine.cli.options import PANELS
from engine.cores import cores
from engine.job import Job, JobError
from engine.options.catalogue import MAX_INTEGER, MAX_WORKERS, Limit
from engine.options.choices import Order, Parallel
from engine.options.option import OptionEntry, entries
from engine.rules.contract import Game, Position

ENTRIES = sorted(entries(Job), key=lambda entry: PANELS.index(entry.option.group.panel))
"""The entries in the order of the help."""


LEFT_OPEN = {"algorithm": "", "workers": None, "split": None, "parallel": None}
"""The defaults of the options whose value depends on others, if they are not given: see `job_of`."""
IN_WORDS = {"workers": "1", "split": "1; 2 with --parallel split or ybw", "parallel": "split", "order": "natural"}
"""What the help says of defaults that are not the value itself."""


def takes_options(**given: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Decorates a subcommand: in place of its parameter `options` there is one option of the command line for each
    entry of the catalogue; it receives their values by name. Defaults are those `given` by name, LEFT_OPEN or the
    catalogue's."""
    defaults = LEFT_OPEN | given

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        made = [_parameter(entry, defaults.get(entry.key, entry.default)) for entry in ENTRIES]

        @wraps(command)
        def run(**values: Any) -> int:
            options = {entry.key: values.pop(entry.key) for entry in ENTRIES}
            return command(**values, options=options)

        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            parameters += made if own.name == "options" else [own]
        changed: Any = run
        changed.__signature__ = inspect.Signature(parameters)
        changed.__annotations__ = {each.name: each.annotation for each in parameters}
        return changed

    return decorate


def fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a Job from these values by name. Raises JobError, with a sentence, for an unknown move order."""
    limit = Limit(**{entry.key: options[entry.key] for entry in ENTRIES if entry.parent})
    own = {entry.key: options[entry.key] for entry in ENTRIES if not entry.parent}
    return own | {"limit": limit, "order": orders(options["order"])}


def job_of(game: Game, root: Position, options: Mapping[str, Any]) -> Job:
    """The job of these options at a position; a parallel search that says no number of workers has one a core. Raises
    JobError, with a sentence, if they contradict each other."""
    asked = fields(options)
    workers, threads, parallel = asked["workers"], asked["threads"], asked["parallel"]
    seconds = asked["limit"].seconds
    if seconds is not None and not math.isfinite(seconds):
        raise JobError(f"The search cannot run: seconds must be a number, not {seconds}.")
    backend = registry.backend(asked["backend"])
    if backend not in registry.PARALLEL and workers is not None and workers > 1:
        raise JobError(f"{backend.capitalize()} is one worker: choose --backend threads to have {workers:,}.")
    if backend != "mpi" and threads > 1:
        raise JobError(f"--threads is for MPI ranks: write --backend threads --workers {threads}.")
    algorithm = registry.algorithm(asked["algorithm"] or registry.suited("minimax", game)).name
    named: dict[str, Any] = {"algorithm": algorithm, "backend": backend}
    own: dict[str, Any] = {
        "workers": min(cores(), MAX_WORKERS) if backend in registry.PARALLEL else 1,
        "parallel": Parallel.SPLIT,
        "split": 2 if parallel in (Parallel.SPLIT, Parallel.YBW) else 1,
    }
    said = {name: value for name, value in asked.items() if value is not None}
    return Job(game=game.spec, position=game.notation.format(root), **own | said | named)


def orders(names: str) -> tuple[Order, ...]:
    """The orders that "killers,domain" names, however they are written. Raises JobError if there is none of a name,
    or no name."""
    known, found = {order.value: order for order in Order}, []
    for name in filter(None, map(str.strip, names.split(","))):
        order = registry.find(name, known)
        if order is None:
            raise JobError(f"There is no order {name!r}: {registry.advice(name, known)}")
        found.append(order)
    if names and not found:
        raise JobError(f"Orders are such as table,killers, not {names!r}.")
    return tuple(found)


def tell_idle(job: Job, options: Mapping[str, Any]) -> None:
    """Say of each of these options that was given, and has no effect on a job, why it has none."""
    for entry in ENTRIES:
        why, given = entry.option.idle(job), options[entry.key]
        if why is not None and given not in (None, "", entry.default):
            print(f"--{'no-' if given is False else ''}{entry.key} has no effect. {why}", file=sys.stderr)


def _parameter(entry: OptionEntry, default: Any) -> inspect.Parameter:
    """The option of an entry; several values are one text with commas."""
    kind = str if entry.is_list else entry.type
    annotation = Annotated[kind | None if default is None else kind, option_of(entry.key, default)]
    return inspect.Parameter(
        entry.key, inspect.Parameter.KEYWORD_ONLY, default="" if entry.is_list else default, annotation=annotation
    )


def option_of(key: str, default: Any, panel: str = "") -> Any:
    """The entry with this name as an option of the command line, whose help has its range and its default. `panel`
    stands in place of its own."""
    (entry,) = (entry for entry in ENTRIES if entry.key == key)
    option, words = entry.option, None
    if not default:
        known = option.values.get(default)
        words = IN_WORDS.get(entry.key) or (known and known.text)
    return typer.Option(
        *([f"--{entry.key}"] if default is False else []),  # nobody says --no-fold
        metavar=" ".join(filter(None, [option.metavar, _range(entry.meta)])) or None,
        show_default=words or True,
        rich_help_panel=panel or option.group.panel,
        help=option.help.format(names=names(entry)) if "{names}" in option.help else option.help,
    )


def _range(meta: Meta | None) -> str:
    """A range as typer writes it: "[1<=x<=8]", "[x>0]"; empty where there is none."""
    if meta is None:
        return ""
    least = meta.gt if meta.ge is None else meta.ge
    ends = [None if end is None or abs(end) >= MAX_INTEGER else f"{end:,}" for end in (least, meta.le)]
    sign = "" if meta.ge is None else "="
    match ends:
        case [None, None]:
            return ""
        case [low, None]:
            return f"[x>{sign}{low}]"
        case [low, high]:
            return f"[{low}<{sign}x<={high}]"
    raise ValueError(f"This is no range: {ends}.")


def names(entry: OptionEntry) -> str:
    """The names that an option takes: "minimax or alphabeta", "lines, mobility"."""
    match entry.key:
        case "algorithm":
            return " or ".join(registry.algorithms())
        case "backend":
            return " or ".join(registry.BACKENDS)
        case "evaluation":
            games = {name: registry.game(specs[0]).evaluations for name, specs in registry.offered().items()}
            several = {name: [one.name for one in found] for name, found in games.items() if len(found) > 1}
            return "; ".join(f"{name}: {', '.join(names)}" for name, names in several.items())
    (kind, *_) = get_args(entry.type)
    return ", ".join(choice.value for choice in kind) if issubclass(kind, Enum) else ""
