"""Boards of known value, solved from the empty board: too slow for a test.

Alpha-beta with a folded table, the centre first: `python -m tests.bench.bench_exact [MIB]`, 4,096 MiB by default.
"""

import sys

from rich.table import Table

from engine.backends import solve
from engine.job import Job
from engine.options.choices import Order
from engine.registry import game
from tests.bench.timing import console

KNOWN = {"mnk:4,4,4": 0, "mnk:5,4,4": 0, "mnk:5,5,4": 0}
"""All drawn."""
MEBIBYTES = 4096.0


def main() -> None:
    size = float(sys.argv[1]) if len(sys.argv) > 1 else MEBIBYTES
    paper = console()
    table = Table("game", title=f"Solved with a table of {size:,g} MiB", title_justify="left")
    for name in ("value", "known", "nodes", "seconds", "table fill"):
        table.add_column(name, justify="right", no_wrap=True)
    for spec, known in KNOWN.items():
        start = game(spec).notation.format(game(spec).start)
        job = Job(game=spec, position=start, algorithm="alphabeta", table=size, fold=True, order=(Order.DOMAIN,))
        info = solve(job).info
        fill = f"{(info.table_fill or 0) * 100:.0f} %"
        table.add_row(
            spec, f"{info.value.number}", f"{known}", f"{info.counters.nodes:,}", f"{info.seconds:,.1f}", fill
        )
    paper.print(table)


if __name__ == "__main__":
    main()
