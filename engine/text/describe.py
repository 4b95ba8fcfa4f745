"""Short and full descriptions of a job's search, shared by the window and the command line."""

from typing import NamedTuple

from engine import registry
from engine.job import Fail, Job, Order, Replacement
from engine.messages import Message, message
from engine.text.numbers import significant


class Phrase(NamedTuple):
    """One chosen option, in short and in full."""

    short: Message
    full: Message


ORDERS = {
    Order.NATURAL: Phrase(message("natural order"), message("moves in order of their squares, row by row")),
    Order.DOMAIN: Phrase(message("promising first"), message("moves in the order that the game itself prefers")),
    Order.RANDOM: Phrase(message("random order"), message("moves in random order, different in each position")),
    Order.BEST: Phrase(
        message("best first"), message("the best moves first, by the true values from an earlier search")
    ),
    Order.WORST: Phrase(
        message("worst first"), message("the worst moves first, by the true values from an earlier search")
    ),
    Order.TABLE: Phrase(message("table move"), message("the table's move first")),
    Order.KILLERS: Phrase(
        message("killers"), message("moves first that caused a cutoff elsewhere with the same number of plies left")
    ),
    Order.HISTORY: Phrase(message("history"), message("moves first that have often caused cutoffs")),
}
TABLES = {
    Replacement.ALWAYS: message("a transposition table of {size}; a new entry always replaces the old one"),
    Replacement.DEEPER: message(
        "a transposition table of {size}; a new entry replaces only one that was not searched deeper"
    ),
}


def options(job: Job) -> list[Phrase]:
    """The options of a job that differ from the defaults, without algorithm, backend and limits."""
    found = []
    if job.deepen:
        found.append(Phrase(message("deepening"), message("iterative deepening: depth 1, 2, 3 and so on")))
    if job.aspiration is not None:
        width = f"{job.aspiration:g}"
        found.append(
            Phrase(
                message("aspiration ±{width}", width=width),
                message("aspiration windows: the last value ± {width}", width=width),
            )
        )
    if job.table:
        size = mebibytes(job.table)
        found.append(Phrase(message("table {size}", size=size), message(TABLES[job.replacement], size=size)))
        if job.fold:
            found.append(
                Phrase(message("symmetries"), message("positions that are equal by symmetry share a table entry"))
            )
    found += [_seeded(job.seed) if order is Order.RANDOM else ORDERS[order] for order in job.order]
    if job.fail is Fail.HARD:
        found.append(
            Phrase(
                message("fail-hard"), message("fail-hard: a value outside the window is returned as the window's end")
            )
        )
    if job.evaluation and (job.limit.depth is not None or job.deepen):
        chosen = registry.game(job.game)
        title = chosen.evaluations[registry.evaluation(chosen, job.evaluation)].title
        found.append(Phrase(message(title), message("horizon leaves are estimated by: {title}", title=title)))
    if not job.evaluate and (job.limit.depth is not None or job.deepen):
        found.append(Phrase(message("horizon 0"), message("horizon leaves count as 0 instead of an estimate")))
    return found


def _seeded(seed: int) -> Phrase:
    return Phrase(
        message("random order {seed}", seed=seed),
        message("moves in random order, different in each position, from the seed {seed}", seed=seed),
    )


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
