"""Prints all tables: `python -m tests.bench [ROUNDS]`."""

import subprocess
import sys

from rich.table import Table

from tests.bench.bench_search import ROUNDS, Row, rows
from tests.bench.reference import reference
from tests.bench.timing import console


def main() -> None:
    paper = console()
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
    paper.print(table)
    for further in ("bench_mpi", "bench_window", "bench_tree", "bench_start"):
        subprocess.run([sys.executable, "-m", f"tests.bench.{further}"], check=True)


def _cells(row: Row) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: "–"}[row.is_met]
    if row.seconds is None or row.ratio is None:
        return row.what, "–", "–", "–", row.goal, met, row.note
    quartiles = f"{row.ratio.lower:.3f} … {row.ratio.upper:.3f}"
    return row.what, f"{row.seconds * 1e3:.2f} ms", f"{row.ratio.median:.3f}", quartiles, row.goal, met, row.note


if __name__ == "__main__":
    main()
