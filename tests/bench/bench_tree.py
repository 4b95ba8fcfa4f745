"""The whole tree: the times to index a record, to draw it anew after a zoom, and to draw a step of the path in it; and
the memory of a row with its index."""

import os
import time
from collections.abc import Callable
from statistics import median

from PySide6.QtGui import QImage
from rich.table import Table

from engine import backends, registry
from engine.job import Job
from engine.options.catalogue import Limit
from engine.trace.places import Width
from engine.trace.record import Trace
from gui.app import application
from gui.style.theme import theme
from gui.tree.icicle_colours import Look
from gui.tree.icicle_picture import TreePicture
from tests.bench.timing import console

SIZE = 720, 110
"""The card's picture in a window of 1440 x 900."""
ROUNDS = 15
GOAL_MILLISECONDS = 16
JOBS = (
    ("alpha-beta, 3 × 3", Job(position=".../.../...", algorithm="alphabeta", record=10_000)),
    ("minimax, 3 × 3", Job(position=".../.../...", record=600_000)),
    (
        "minimax, 4 × 4",
        Job(game="mnk:4,4,4", position="/".join(["...."] * 4), record=5_000_000, limit=Limit(nodes=5_000_000)),
    ),
)


def milliseconds(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return (time.perf_counter() - start) * 1e3


def measured(job: Job) -> tuple[Trace, float, float, float]:
    """A record, and the milliseconds of its index, of a picture after a zoom, and of one with another path."""
    trace = backends.solve(job).trace
    assert trace is not None
    indexed = milliseconds(trace.prepare)
    view, image = TreePicture(), QImage(*SIZE, QImage.Format.Format_RGB32)
    view.resize(*SIZE)
    view.show_look(Look(registry.game(job.game), trace))
    view.show_places(trace.places(Width.MINIMAX))
    zooms, steps = [], []
    for number in range(ROUNDS):
        row = number * len(trace) // ROUNDS
        view.chain = tuple(trace.path(row))
        steps.append(milliseconds(lambda: view.render(image)))
        view.zoom_at_row(1.3, row)
        zooms.append(milliseconds(lambda: view.render(image)))
    return trace, indexed, median(zooms), median(steps[1:])


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application()
    theme().choose("light")
    table = Table("search", title=f"Whole tree of {SIZE[0]} × {SIZE[1]} pixels, medians", title_justify="left")
    for name in ("rows", "bytes a row", "index", "after a zoom", "goal", "met", "after a step"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, job in JOBS:
        trace, indexed, zoomed, stepped = measured(job)
        index = trace.index
        size = sum(column.nbytes for column in (trace.rows, index.left, index.end, index.parent, *index.plies))
        figures = (f"{figure:.1f} ms" for figure in (indexed, zoomed))
        goal, met = f"≤ {GOAL_MILLISECONDS} ms", "yes" if zoomed <= GOAL_MILLISECONDS else "NO"
        table.add_row(name, f"{len(trace):,}", f"{size / len(trace):.0f}", *figures, goal, met, f"{stepped:.1f} ms")
    console().print(table)


if __name__ == "__main__":
    main()
