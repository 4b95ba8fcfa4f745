"""Short and full descriptions of a job's search, shared by the window and the command line."""

from typing import Any

from engine import registry
from engine.job import Job
from engine.messages import Message, message
from engine.options.catalogue import OPTIONS
from engine.options.option import OptionEntry, OptionValue, Phrase
from engine.text.numbers import significant


def options(job: Job) -> list[Phrase]:
    """The options of a job that differ from the defaults and have an effect, without algorithm, backend and limits."""
    found = []
    for entry in OPTIONS:
        value, option = entry.value(job), entry.option
        if value == entry.default or option.idle(job):
            continue
        for each in value if isinstance(value, tuple) else (value,):
            phrase = option.values.get(each, OptionValue()).phrase or option.phrase
            if phrase is not None:
                words = text(entry, each, job.game)
                found.append(Phrase(message(phrase.short, value=words), message(phrase.full, value=words)))
    return found


def text(entry: OptionEntry, value: Any, game: str = "") -> str:
    """The text of a value of an option, in a game where that matters: "soft", "16 MiB", "open lines"."""
    if known := registry.find(value, titles(entry, game)) if entry.type is str else titles(entry, game).get(value):
        return known
    return mebibytes(value) if entry.option.unit == "MiB" else f"{value:g}" if isinstance(value, float) else str(value)


def titles(entry: OptionEntry, game: str = "") -> dict[Any, Message]:
    """The texts of those values of an option that have one, in the order of a list. Evaluations are those of a game, or
    of all."""
    found = {value: each.text for value, each in entry.option.values.items() if each.text is not None}
    match entry.key:
        case "algorithm":
            found |= {name: message(algorithm.title) for name, algorithm in registry.algorithms().items()}
        case "evaluation":
            games = map(registry.game, [game] if game else registry.examples())
            found |= {one.name: message(one.title) for each in games for one in each.evaluations}
    return found


def search(job: Job) -> str:
    """The algorithm and its options in short: "PVS · deepening · table 16 MiB · killers"."""
    return " · ".join([registry.algorithm(job.algorithm).title, *(phrase.short for phrase in options(job))])


def mebibytes(size: float) -> str:
    """The text of a table's size in MiB.

    >>> mebibytes(16), mebibytes(1024), mebibytes(0.5)
    ('16 MiB', '1 GiB', '512 KiB')
    """
    for factor, unit in ((1024.0, "GiB"), (1.0, "MiB")):
        if size >= factor:
            return f"{_plain(size / factor)} {unit}"
    return f"{_plain(size * 1024)} KiB"


def _plain(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else significant(number)
