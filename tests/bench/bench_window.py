"""The times in which the window does not answer: gaps between the ticks of a timer on its thread, during all kinds of
work.

A program of its own, because kernels are compiled in a new folder, as at a first start. Witnesses, a process for each
core that only reads the clock, detect when a core stood still: gaps shared with a witness are left out, and counted.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles

from PySide6.QtCore import QEventLoop, QThreadPool, QTimer
from rich.console import Console
from rich.table import Table

from engine.control import FULL_SPEED
from gui.app import application
from gui.style.theme import theme
from gui.window import Window
from gui.work.load_numba import load_compiler
from tests.bench.timing import FILE_WIDTH

TICK_MILLISECONDS = 2
STANDSTILL_MILLISECONDS = 25
"""A witness's gap from which on the machine is to blame, not the program."""
WITNESS = """
import os, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {%d})
last = time.perf_counter()
while True:
    time.sleep(0.002)
    now = time.perf_counter()
    if now - last > %d / 1000:
        print(last, now, flush=True)
    last = now
"""
SIZE = 1440, 900
"""The size of the window: every card is visible."""
GOAL_P99, GOAL_LONGEST = 16, 50
"""Milliseconds."""

Ticks = tuple[str, list[float]]
"""The work, and the times of the timer's ticks."""


@dataclass(frozen=True)
class Gaps:
    """One line of the table; milliseconds."""

    what: str
    median: float
    p99: float
    longest: float
    shared: int
    """Gaps shared with a witness, not counted in the other figures."""

    @property
    def is_met(self) -> bool:
        return self.p99 <= GOAL_P99 and self.longest <= GOAL_LONGEST


def measured() -> list[Gaps]:
    """Open the window offscreen, use it, and measure."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with _fresh_cache(), _standstills() as still:
        application()
        theme().choose("light")
        QThreadPool.globalInstance().start(load_compiler)  # as the program does at its start
        window = Window()
        window.resize(*SIZE)
        window.show()
        rows = [
            _gaps("the window at rest", lambda: None, 1.0),
            _gaps(
                "the first answer, compiled beside", lambda: window.play(0), 12.0, lambda: bool(window.analysis.runs)
            ),
        ]
        rows.append(_gaps("the computer against itself", _itself(window), 6.0))
        window.record.set_computer(frozenset())
        again = window.analysis.finished.connect(lambda: QTimer.singleShot(0, window.think))
        rows += [
            _gaps("minimax at full speed, again and again", _again(window), 3.0),
            _gaps("the same on threads, compiled beside", _again(window, backend="threads"), 15.0),
            _gaps("held back to 1,000 nodes a second", _again(window, backend="serial", speed=1e3), 4.0),
            _gaps("held back to 100,000 nodes a second", _again(window, speed=1e5), 4.0),
        ]
        window.analysis.finished.disconnect(again)
        window.analysis.change(speed=FULL_SPEED)
        window.choose_game("mnk:4,4,4")
        rows += [
            _gaps("4 x 4 at full speed, compiled beside", _without_end(window), 12.0),
            _gaps("4 x 4 and the value of every square", lambda: window.values_action.setChecked(True), 12.0),
        ]
        window.close()
        window.deleteLater()
    return [_judged(what, ticks, still) for what, ticks in rows]


@contextmanager
def _fresh_cache() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        yield


@contextmanager
def _standstills() -> Iterator[list[tuple[float, float]]]:
    """A list that is filled at the end with the intervals in which a core stood still."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    looks = [[sys.executable, "-c", WITNESS % (core, STANDSTILL_MILLISECONDS)] for core in cores]
    witnesses = [subprocess.Popen(look, stdout=subprocess.PIPE, text=True) for look in looks]
    still: list[tuple[float, float]] = []
    try:
        yield still
    finally:
        for witness in witnesses:
            witness.kill()
            told = [float(word) for word in witness.communicate()[0].split()]
            still += zip(told[::2], told[1::2], strict=False)


def _itself(window: Window) -> Callable[[], None]:
    """Games one after another: a new one begins when one is over."""

    def begin() -> None:
        window.record.changed.connect(lambda: QTimer.singleShot(0, play) if window.record.is_over else None)
        play()

    def play() -> None:
        if len(window.record.computer) == 2:
            window.new_action.trigger()

    window.record.set_computer(frozenset({0, 1}))
    return begin


def _without_end(window: Window) -> Callable[[], None]:
    def begin() -> None:
        window.think()
        window.size_notice.anyway_button.click()

    return begin


def _again(window: Window, **settings: object) -> Callable[[], None]:
    def begin() -> None:
        window.analysis.change(**settings)
        window.new_action.trigger()
        window.think()

    return begin


def _gaps(what: str, begin: Callable[[], None], seconds: float, is_over: Callable[[], bool] = lambda: False) -> Ticks:
    """Begin some work and run the event loop for that many seconds, or until the work is over; returns the timer's
    ticks."""
    ticks: list[float] = [time.perf_counter()]
    timer, loop = QTimer(), QEventLoop()
    timer.setInterval(TICK_MILLISECONDS)
    end = time.perf_counter() + seconds

    def tick() -> None:
        ticks.append(time.perf_counter())
        if ticks[-1] > end or is_over():
            loop.quit()

    timer.timeout.connect(tick)
    timer.start()
    QTimer.singleShot(0, begin)
    loop.exec()
    timer.stop()
    return what, ticks


def _judged(what: str, ticks: list[float], still: list[tuple[float, float]]) -> Gaps:
    """Leave out the gaps in which the machine stood still."""
    own, shared = [], 0
    for before, after in pairwise(ticks):
        if (after - before) * 1000 > STANDSTILL_MILLISECONDS and any(a < after and before < b for a, b in still):
            shared += 1
        else:
            own.append((after - before) * 1000)
    cut = quantiles(own, n=100, method="inclusive")  # the other one guesses beyond the longest
    return Gaps(what, cut[49], cut[98], max(own), shared)


def main() -> None:
    table = Table("what", title="Window: gaps on its thread, in ms", title_justify="left")
    for name in ("median", "p99", "longest", "machine stood still", "goal", "met"):
        table.add_column(name, justify="right", no_wrap=True)
    goal = f"p99 ≤ {GOAL_P99}, longest ≤ {GOAL_LONGEST}"
    for row in measured():
        figures = (f"{figure:.1f}" for figure in (row.median, row.p99, row.longest))
        table.add_row(row.what, *figures, f"{row.shared} x", goal, "yes" if row.is_met else "NO")
    console = Console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    console.print(table)


if __name__ == "__main__":
    main()
