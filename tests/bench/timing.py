"""Runs subjects in turn and compares them in pairs: the only fair way to compare two times of one machine.

A round runs each subject once; the order changes from round to round (`engine.measure.speedup.plan`), so that none
always follows the one that warms its caches. Ratios are taken within a round.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from rich.console import Console

from engine.measure.speedup import plan

FILE_WIDTH = 132
"""Characters of a table that goes to a file or a log."""
QUIET_LOAD = 0.5
"""The average number of running programs in the last minute above which two workers may not have two cores."""

Subject = Callable[[], float]
"""Does its work and returns its seconds."""


class Spread(NamedTuple):
    """A median with the quartiles around it."""

    lower: float
    median: float
    upper: float


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of at least one value."""
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    return Spread(*quantiles(values, n=4, method="inclusive"))


class Times(NamedTuple):
    """Seconds by subject, one a round."""

    seconds: Mapping[str, Sequence[float]]

    def median(self, subject: str) -> float:
        return median(self.seconds[subject])

    def ratio(self, subject: str, against: str) -> Spread:
        """The time of `subject` divided by that of `against`: the median and quartiles over the rounds."""
        pairs = zip(self.seconds[subject], self.seconds[against], strict=True)
        return spread([mine / other for mine, other in pairs])


def timed(work: Callable[[], object]) -> Subject:
    """A subject that times a callable."""

    def run() -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    return run


def interleave(subjects: Mapping[str, Subject], rounds: int) -> Times:
    """Run every subject once untimed, then in that many rounds."""
    for run in subjects.values():
        run()
    seconds: dict[str, list[float]] = {name: [] for name in subjects}
    for _, order in zip(range(rounds), plan(tuple(subjects), seed=0), strict=False):
        for name in order:
            seconds[name].append(subjects[name]())
    return Times(seconds)


def console() -> Console:
    """The console for tables; it gets a warning first where the figures will be unreliable."""
    made = Console()
    if not made.is_terminal:
        made.width = FILE_WIDTH
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > QUIET_LOAD:
        made.print(f"This machine is busy (load {load:.1f}): parallel searches will come out too slow.")
    return made
