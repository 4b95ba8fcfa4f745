"""Plants one fault after the other in a copy of the checkout, and runs the tests that should fail. By hand, not in CI.

    python -m tests.planted_faults                 all of them, which takes an hour
    python -m tests.planted_faults stale ends      those of these groups
    python -m tests.planted_faults -k "tool tip"   those with these words in their name or file
    python -m tests.planted_faults --check         whether each can be planted still; nothing is run
    python -m tests.planted_faults --jobs 2        in two copies at once

A fault is caught where one of its tests fails, does not end or ends the process, and passes without the fault. At the
end there is a table, and a count for each folder. Ends with 1 where a fault was missed, with 2 where an entry is stale.
"""

import argparse
import queue
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from tests.planted_faults import faults
from tests.planted_faults.planting import Catch, Copy, Fault, Noticed, StaleEntry, planted


class Outcome(NamedTuple):
    group: str
    fault: Fault
    seconds: float = 0.0
    catch: Catch | None = None
    stale: str = ""

    @property
    def words(self) -> str:
        if self.stale:
            return "STALE"
        if self.catch is None:
            return "MISSED"
        how = "" if self.catch.how is Noticed.FAILED else f" ({self.catch.how.value})"
        return f"{self.catch.test}{how}"

    @property
    def folder(self) -> str:
        return "engine/backends (MPI)" if _is_mpi(self.fault.file) else self.fault.file.partition("/")[0]


def groups() -> dict[str, tuple[Fault, ...]]:
    """All faults, by the names of their modules."""
    names = [module.name for module in iter_modules(faults.__path__)]
    return {name: import_module(f"{faults.__name__}.{name}").FAULTS for name in names}


def main() -> int:
    every = groups()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(every))
    parser.add_argument("-k", default="", metavar="WORDS", help="only faults with these in their name or file")
    parser.add_argument("--check", action="store_true", help="plant each, and run nothing")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many copies to work in")
    asked = parser.parse_args()
    if unknown := set(asked.groups) - every.keys():
        parser.error(f"there is no group {min(unknown)}")
    chosen = [
        (group, fault)
        for group, members in every.items()
        for fault in members
        if (not asked.groups or group in asked.groups) and asked.k in f"{fault.name} {fault.file}"
    ]
    made = list(_checked(chosen) if asked.check else _run(chosen, asked.jobs))
    _print(made, asked.check)
    if any(outcome.stale for outcome in made):
        return 2
    return int(not asked.check and any(outcome.catch is None for outcome in made))


def _checked(chosen: list[tuple[str, Fault]]) -> Iterator[Outcome]:
    for group, fault in chosen:
        try:
            planted(fault)
        except StaleEntry as error:
            yield Outcome(group, fault, stale=str(error))
        else:
            yield Outcome(group, fault)


def _run(chosen: list[tuple[str, Fault]], jobs: int) -> list[Outcome]:
    console, free = Console(), queue.SimpleQueue[Copy]()
    with tempfile.TemporaryDirectory(prefix="planted-") as folder, ThreadPoolExecutor(jobs) as pool:
        for number in range(jobs):
            free.put(Copy(Path(folder) / str(number)))

        def run(group: str, fault: Fault) -> Outcome:
            copy, begun = free.get(), time.monotonic()
            try:
                made = Outcome(group, fault, catch=copy.catch(fault))
            except StaleEntry as error:
                made = Outcome(group, fault, stale=str(error))
            finally:
                free.put(copy)
            made = made._replace(seconds=time.monotonic() - begun)
            console.print(
                f"{made.seconds:4.0f} s  {fault.name}: {made.words}", highlight=False, markup=False, soft_wrap=True
            )
            return made

        return list(pool.map(run, *zip(*chosen, strict=True))) if chosen else []


WIDE = 240
"""Columns of a table that is not read on a terminal."""


def _print(made: list[Outcome], is_check: bool) -> None:
    console = Console(width=None if sys.stdout.isatty() else WIDE)
    for outcome in made:
        if outcome.stale:
            console.print(outcome.stale, highlight=False, markup=False, soft_wrap=True)
    if is_check:
        console.print(f"{sum(not outcome.stale for outcome in made)} of {len(made)} faults can be planted.")
        return
    table = Table("Group", "File", "Fault", "Test that caught it", "s", box=box.SIMPLE)
    for outcome in made:
        table.add_row(outcome.group, outcome.fault.file, outcome.fault.name, outcome.words, f"{outcome.seconds:.0f}")
    console.print(table, markup=False)
    for folder, number in sorted(Counter(outcome.folder for outcome in made).items()):
        caught = sum(outcome.catch is not None for outcome in made if outcome.folder == folder)
        console.print(f"{folder}: {caught} of {number} caught ({caught / number:.0%})", highlight=False)


def _is_mpi(file: str) -> bool:
    return file.startswith(("engine/backends/mpi", "engine/backends/mpi_job/"))


if __name__ == "__main__":
    sys.exit(main())
