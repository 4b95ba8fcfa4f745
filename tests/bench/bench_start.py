"""The duration of a start: until the window is visible, and then until the computer has answered the first click, which
is immediate. Cold is a first start, without compiled kernels; warm is any later one.

Whole processes, from their start on, one after the other; absolute times, so no test checks them.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from tests.bench.timing import FILE_WIDTH

ROOT = Path(__file__).parents[2]
COLD_ROUNDS, WARM_ROUNDS = 3, 7
GOALS = {"window": 1.5, "window to answer, cold": 1.0, "window to answer, warm": 0.5}
"""Seconds."""
PROGRAM = """
import contextlib, sys, time
import main
from engine.prewarm import background

def say(word):
    print(word, time.clock_gettime(time.CLOCK_MONOTONIC), flush=True)

def click(window):
    say("window")
    window.record.changed.connect(lambda: len(window.record.moves) == 2 and (say("answer"), window.close()))
    window.play(0)

@contextlib.contextmanager
def compiling(job, begin=background.compiling):
    with begin(job):
        from PySide6.QtCore import QTimer
        from gui import window

        class Clicked(window.Window):
            def show(self):
                super().show()
                QTimer.singleShot(0, lambda: QTimer.singleShot(0, lambda: click(self)))

        window.Window = Clicked
        yield

background.compiling = compiling
sys.argv = ["plyscope"]
sys.exit(main.main())
"""


def started(cache: str) -> tuple[float, float]:
    """Seconds from the start of the process to the window, and to the computer's answer."""
    with tempfile.TemporaryDirectory() as settings:
        own = {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
        own |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), settings)
        begun = time.clock_gettime(time.CLOCK_MONOTONIC)
        command = [sys.executable, "-P", "-c", PROGRAM]
        ended = subprocess.run(command, env=os.environ | own, stdout=subprocess.PIPE, text=True, check=True)
    told = dict(line.split() for line in ended.stdout.splitlines())
    return float(told["window"]) - begun, float(told["answer"]) - begun


def measured() -> dict[str, list[float]]:
    """The times of each of GOALS, in seconds."""
    found: dict[str, list[float]] = {name: [] for name in GOALS}
    for _ in range(COLD_ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            window, answer = started(cache)
            found["window to answer, cold"].append(answer - window)
    with tempfile.TemporaryDirectory() as cache:
        started(cache)
        for _ in range(WARM_ROUNDS):
            window, answer = started(cache)
            found["window"].append(window)
            found["window to answer, warm"].append(answer - window)
    return found


def main() -> None:
    table = Table("what", title="Start, in seconds", title_justify="left")
    for name in ("median", "least", "most", "goal", "met"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, times in measured().items():
        figures = (f"{figure:.2f}" for figure in (median(times), min(times), max(times)))
        table.add_row(name, *figures, f"≤ {GOALS[name]}", "yes" if median(times) <= GOALS[name] else "NO")
    console = Console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    console.print(table)


if __name__ == "__main__":
    main()
