"""How a job searches, in short words and in full: the window and the command line say the same."""

from typing import NamedTuple

from engine import registry
from engine.figures import significant
from engine.job import Fail, Job, Order, Replacement


class Phrase(NamedTuple):
    """One choice that was made."""

    short: str
    full: str


ORDERS = {
    Order.NATURAL: Phrase("natural order", "moves in ascending order of their squares"),
    Order.DOMAIN: Phrase("centre first", "moves in the game's own order, the centre first"),
    Order.RANDOM: Phrase("random order", "moves in an order that is drawn in each position anew"),
    Order.BEST: Phrase("best first", "the truly best moves first, as a search before this one found them"),
    Order.WORST: Phrase("worst first", "the truly worst moves first, as a search before this one found them"),
    Order.TABLE: Phrase("table move", "the table's move first"),
    Order.KILLERS: Phrase("killers", "moves first that cut elsewhere with as many plies left"),
    Order.HISTORY: Phrase("history", "moves first that have cut often"),
}


def options(job: Job) -> list[Phrase]:
    """What was chosen beyond the algorithm, where it runs and its limits; nothing where nothing was."""
    found = []
    if job.deepen:
        found.append(Phrase("deepening", "iterative deepening: depth 1, 2, 3 and so on"))
    if job.aspiration is not None:
        width = f"{job.aspiration:g}"
        found.append(Phrase(f"aspiration ±{width}", f"aspiration windows: {width} on either side of the last value"))
    if job.table:
        size = mebibytes(job.table)
        deeper = job.replacement is Replacement.DEEPER
        gives = "only to what is searched as deep" if deeper else "to any other"
        found.append(Phrase(f"table {size}", f"a transposition table of {size}, whose entries give way {gives}"))
        if job.fold:
            found.append(Phrase("folded", "positions that are equal up to symmetry share an entry of the table"))
    for order in job.order:
        phrase, seed = ORDERS[order], f" {job.seed}" if order is Order.RANDOM else ""
        found.append(Phrase(f"{phrase.short}{seed}", f"{phrase.full}{seed and f', by the seed{seed}'}"))
    if job.fail is Fail.HARD:
        found.append(Phrase("fail-hard", "fail-hard: no value is told that lies outside the window"))
    if not job.evaluate and (job.limit.depth is not None or job.deepen):
        found.append(Phrase("horizon 0", "a horizon leaf is worth 0, and not its estimate"))
    return found


def search(job: Job) -> str:
    """The algorithm and its options in short: "PVS · deepening · table 16 MiB · killers"."""
    return " · ".join([registry.algorithm(job.algorithm).title, *(phrase.short for phrase in options(job))])


def mebibytes(size: float) -> str:
    """The size of a table.

    >>> mebibytes(16), mebibytes(1024), mebibytes(0.5)
    ('16 MiB', '1 GiB', '512 KiB')
    """
    for factor, unit in ((1024.0, "GiB"), (1.0, "MiB")):
        if size >= factor:
            return f"{_plain(size / factor)} {unit}"
    return f"{_plain(size * 1024)} KiB"


def _plain(number: float) -> str:
    return f"{int(number):,}" if number == int(number) else significant(number)
