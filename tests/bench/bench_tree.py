"""The whole tree and the path: the times to index a record, to draw its tree anew after a zoom, to draw a step of the
path in it, to draw the path, and to go to a random moment in the window; and the memory of a row with its index."""

import os
import random
import time
from collections.abc import Callable
from statistics import median

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from rich.table import Table

from engine import backends, registry
from engine.job import Job
from engine.options.catalogue import Limit
from engine.result import Result
from engine.trace.record import Trace
from engine.trace.replay import Replay
from engine.trace.widths import Width
from gui.app import application
from gui.style.theme import theme
from gui.tree.icicle_colours import Look
from gui.tree.icicle_picture import TreePicture
from gui.window import Window
from tests.bench.timing import console

SIZE = 931, 101
"""The card's picture in a window of 1440 x 900."""
WINDOW_SIZE = 1440, 900
ROUNDS = 15
JUMPS = 60
GOAL_MILLISECONDS = 16
SETTLE_SECONDS = 2.0
"""A new record is laid out and drawn in less."""
GOAL_JUMP = 5
"""Milliseconds to go to a random moment, the window's pictures and texts included."""
GOAL_BYTES = 24
"""Bytes of a recorded node and all that is computed from the record for its replay."""
JOBS = (
    ("alpha-beta, 3 × 3", Job(position=".../.../...", algorithm="alphabeta", record=10_000)),
    ("minimax, 3 × 3", Job(position=".../.../...", record=600_000)),
    (
        "minimax, 4 × 4",
        Job(game="mnk:4,4,4", position="/".join(["...."] * 4), record=100_000, limit=Limit(nodes=100_000)),
    ),
    (
        "minimax, 4 × 4",
        Job(game="mnk:4,4,4", position="/".join(["...."] * 4), record=5_000_000, limit=Limit(nodes=5_000_000)),
    ),
)


def milliseconds(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return (time.perf_counter() - start) * 1e3


def measured(job: Job, result: Result) -> tuple[float, float, float]:
    """The milliseconds of a record's index, of a picture after a zoom, and of one with another path."""
    trace = recorded(result)
    indexed = milliseconds(trace.prepare)
    view, image = TreePicture(), QImage(*SIZE, QImage.Format.Format_RGB32)
    view.resize(*SIZE)
    view.show_look(Look(registry.game(job.game), trace))
    view.show_places(trace.places(Width.MINIMAX))
    settle()
    zooms, steps = [], []
    for number in range(ROUNDS):
        row = number * len(trace) // ROUNDS
        view.chain = tuple(trace.path(row))
        steps.append(milliseconds(lambda: view.render(image)))
        view.zoom_at_row(1.3, row)
        zooms.append(milliseconds(lambda: view.render(image)))
    view.runner.close()
    return indexed, median(zooms), median(steps[1:])


def jumped(result: Result) -> tuple[float, float]:
    """The median milliseconds from the request for a random moment until the whole window shows it, and those to paint
    all of its path. The board has the position searched: the cards of another are faded, which takes longer than to
    paint them."""
    window = Window()
    window.resize(*WINDOW_SIZE)
    window.show()
    window.choose_game(result.job.game)
    window.analysis.recall(result)
    settle()
    moments = random.Random(0).sample(range(window.replay.last), JUMPS)

    def jump(moment: int) -> None:
        window.replay.go(moment)
        QApplication.processEvents()

    times = [milliseconds(lambda moment=moment: jump(moment)) for moment in moments]
    painted = []
    for moment in moments[:ROUNDS]:  # after the jumps, which pictures in between would slow
        jump(moment)
        painted.append(milliseconds(window.path.grab))
    window.close()
    window.deleteLater()
    return median(times), median(painted)


def settle() -> None:
    """Run the event loop until the tree is drawn."""
    end = time.perf_counter() + SETTLE_SECONDS
    while time.perf_counter() < end:
        QApplication.processEvents()


def recorded(result: Result) -> Trace:
    assert result.trace is not None
    return result.trace


def size(trace: Trace) -> float:
    """Bytes a row, of the record and of what is computed from it for its replay."""
    Replay(trace).counters(0)  # counts leaves
    index, leaves = trace.index, (column for ended in trace.totals._ended.values() for column in ended)
    columns = (trace.rows, trace.whys, trace.totals.cutoffs, index.left, index.end, index.parent, *index.plies, *leaves)
    return sum(column.nbytes for column in columns) / len(trace)


def judged(figure: float, goal: float) -> str:
    return f"{figure:.1f} {'≤' if figure <= goal else '>'} {goal}"


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application()
    theme().choose("light")
    title = f"Whole tree of {SIZE[0]} × {SIZE[1]} pixels, window of {WINDOW_SIZE[0]} × {WINDOW_SIZE[1]}; ms, medians"
    table = Table("search", title=title, title_justify="left")
    columns = "rows", "bytes a row", "index", "after a zoom", "after a step", "path", "to a random moment", "all met"
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for name, job in JOBS:
        result = backends.solve(job)
        indexed, zoomed, stepped = measured(job, result)
        memory, (jump, painted) = size(recorded(result)), jumped(result)
        goals = (memory, GOAL_BYTES), (zoomed, GOAL_MILLISECONDS), (painted, GOAL_MILLISECONDS), (jump, GOAL_JUMP)
        bytes_a_row, zoom, path, random_jump = (judged(figure, goal) for figure, goal in goals)
        met = "yes" if all(figure <= goal for figure, goal in goals) else "NO"
        figures = f"{indexed:.1f}", zoom, f"{stepped:.1f}", path, random_jump
        table.add_row(name, f"{len(recorded(result)):,}", bytes_a_row, *figures, met)
    console().print(table)


if __name__ == "__main__":
    main()
