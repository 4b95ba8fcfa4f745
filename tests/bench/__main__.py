"""Prints all tables: `python -m tests.bench [ROUNDS]`."""

import os
import subprocess
import sys

from rich.console import Console
from rich.table import Table

from tests.bench.bench_search import ROUNDS, Row, rows
from tests.bench.reference import reference
from tests.bench.timing import FILE_WIDTH

QUIET_LOAD = 0.5
"""Programs at work on average in the last minute, above which two threads may not have two cores."""


def main() -> None:
    console = Console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > QUIET_LOAD:
        console.print(f"This machine is busy (load {load:.1f}): ratios of threads will come out too low.")
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with reference() as c:
        measured = rows(c, rounds)
    title = f"Search: medians of {rounds} interleaved rounds, ratios paired within a round"
    table = Table("what", title=title, title_justify="left")
    for name in ("median", "ratio", "quartiles", "goal", "met"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("note")
    for row in measured:
        table.add_row(*_cells(row))
    console.print(table)
    subprocess.run([sys.executable, "-m", "tests.bench.bench_window"], check=True)


def _cells(row: Row) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: "–"}[row.is_met]
    if row.seconds is None or row.ratio is None:
        return row.what, "–", "–", "–", row.goal, met, row.note
    quartiles = f"{row.ratio.lower:.3f} … {row.ratio.upper:.3f}"
    return row.what, f"{row.seconds * 1e3:.2f} ms", f"{row.ratio.median:.3f}", quartiles, row.goal, met, row.note


if __name__ == "__main__":
    main()
