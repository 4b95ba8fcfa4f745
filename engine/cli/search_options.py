"""The options of a search on the command line, made from the catalogue."""

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from functools import wraps
from typing import Annotated, Any, get_args

import typer

from engine import registry
from engine.cli.options import PANELS
from engine.job import Job, JobError
from engine.options.catalogue import Limit
from engine.options.choices import Order
from engine.options.option import Entry, entries

ENTRIES = sorted(entries(Job), key=lambda entry: PANELS.index(entry.option.group.panel))
"""The entries in the order of the help."""


def takes_options(given: Mapping[str, Any]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Decorates a subcommand: in place of its parameter `options` there is one option of the command line for each
    entry of the catalogue; it receives their values by name. Defaults are the catalogue's, or those `given` by name."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        made = [_parameter(entry, given.get(entry.key, entry.default)) for entry in ENTRIES]

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


def orders(names: str) -> tuple[Order, ...]:
    """The orders that "killers,domain" names, however they are written. Raises JobError if there is none of a name."""
    known, found = {order.value: order for order in Order}, []
    for name in filter(None, map(str.strip, names.split(","))):
        order = registry.find(name, known)
        if order is None:
            raise JobError(f"There is no order {name!r}: {registry.advice(name, known)}")
        found.append(order)
    return tuple(found)


def _parameter(entry: Entry, default: Any) -> inspect.Parameter:
    """The option of an entry; several values are one text with commas."""
    option, kind = entry.option, str if entry.is_list else entry.type
    declared = [f"--{entry.key}"] if default is False else []  # nobody says --no-fold
    made = typer.Option(
        *declared,
        metavar=option.metavar or None,
        rich_help_panel=option.group.panel,
        help=option.help.format(names=names(entry)) if "{names}" in option.help else option.help,
    )
    annotation = Annotated[kind | None if default is None else kind, made]
    return inspect.Parameter(
        entry.key, inspect.Parameter.KEYWORD_ONLY, default="" if entry.is_list else default, annotation=annotation
    )


def names(entry: Entry) -> str:
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
