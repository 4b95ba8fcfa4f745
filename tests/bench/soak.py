"""A soak test: the window is used for an hour, and its use of memory, threads and files is recorded.

`python -m tests.bench.soak [MINUTES] [SEED]` plays games, searches with every algorithm on every back end, stops
searches, measures, and changes games, sizes, themes and zoom, in rounds whose order is drawn by the seed. After each
round everything has ended. The table has the medians over each twelfth of the time; a column is flat where the last
quarter holds no more than the second quarter does, but for SLACK. The first quarter is warm-up. It begins with a search
that fills the record: its memory is kept for the next search, and a search that is stopped late would else be the first
to use it all. The exit code is 1 where a column is not flat or an error was logged.
"""

import ctypes
import gc
import logging
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication
from rich.table import Table

from engine.job import RECORD_ROWS
from gui.app import application
from gui.speedup.view import ChartPage
from gui.style.theme import theme
from gui.window import Window
from tests.bench.timing import console
from tests.conftest import child_processes

MINUTES, PARTS = 60.0, 12
POLL_MILLISECONDS = 5
PATIENCE_SECONDS = 120
"""Seconds after which a round counts as stuck."""
SLACK = {
    "memory": 1.03,
    "allocated": 1.03,
    "threads": 1.0,
    "files": 1.0,
    "processes": 1.0,
    "Qt objects": 1.01,
    "Python objects": 1.01,
}
"""The factor by which a column may grow. The memory that numpy and malloc return late differs from round to round."""
MALLINFO = ["arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"]
GAMES = ("tictactoe", "mnk:4,3,3", "mnk:4,4,4")
SIZES = ((1440, 900), (1024, 680), (900, 600), (1600, 1000))
THEMES = ("light", "dark", "contrast light", "contrast dark")


class Sample(NamedTuple):
    """The resources of the process after a round."""

    seconds: float
    """Since the start of the test."""
    memory: float
    """Resident, in MiB."""
    allocated: float
    """Allocated by the C library and not freed, in MiB: without what it keeps for later, and without code."""
    threads: int
    files: int
    """Open descriptors."""
    processes: int
    """Children that run."""
    qt_objects: int
    """Below the window."""
    python_objects: int
    """The objects known to the garbage collector, those frozen by the program included."""


class Soak:
    """Uses one window, round after round."""

    def __init__(self, window: Window, dice: random.Random, folder: Path) -> None:
        self._window, self._dice, self._folder = window, dice, folder
        self._scenes: tuple[Callable[[], None], ...] = (
            self._play_a_game,
            self._search_in_every_way,
            self._search_with_a_table,
            self._stop_a_search,
            self._ask_for_hints,
            self._look_around,
            self._export,
            self._measure,
            self._search_on_ranks,
        )
        self.scenes = 0

    def round(self) -> None:
        """Play every scene once."""
        for scene in self._dice.sample(self._scenes, len(self._scenes)):
            logging.getLogger(__name__).debug("%s", scene.__name__)
            scene()
            self.rest()
            self.scenes += 1

    def fill_the_record(self) -> None:
        """Search on each thread until no row of its record is left."""
        window = self._window
        self._alone("mnk:4,4,4")
        window.analysis.change(algorithm="minimax", backend="threads")
        window.analysis.think(window.record.game, window.record.position)
        self._wait_until(lambda: all(nodes > RECORD_ROWS for nodes in self._nodes_of_workers()))
        window.analysis.stop()
        self.rest()

    def _nodes_of_workers(self) -> list[int]:
        info = self._window.analysis.info
        return [0] if info is None else [worker.counters.nodes for worker in info.workers]

    def rest(self) -> None:
        """Wait until no work is running."""
        self._wait_until(lambda: not self._window.is_busy)

    def _play_a_game(self) -> None:
        window = self._window
        window.choose_game("tictactoe")
        window.record.set_computer(frozenset({1}))
        while not window.record.is_over:
            self._wait_until(lambda: window.record.is_over or not window.record.computer_to_move)
            if not window.record.is_over:
                window.play(self._any_move())
        self.rest()
        window.undo_action.trigger()
        self.rest()

    def _search_in_every_way(self) -> None:
        self._alone(self._dice.choice(GAMES[:2]))
        for algorithm in ("minimax", "alphabeta", "pvs", "mtdf"):
            for backend in ("serial", "threads"):
                if algorithm != "mtdf" or backend == "serial":
                    self._think(algorithm=algorithm, backend=backend)

    def _search_with_a_table(self) -> None:
        window = self._window
        self._alone("mnk:4,4,4")
        window.play(self._any_move())
        self._think(algorithm="alphabeta", backend="serial", deepen=True, table=4.0)
        window.analysis.reset_options()

    def _stop_a_search(self) -> None:
        window = self._window
        self._alone("mnk:4,4,4")
        window.analysis.change(algorithm="minimax", backend=self._dice.choice(("serial", "threads")))
        for end in (window.analysis.stop, window.new_action.trigger):
            window.play(self._any_move())
            window.analysis.think(window.record.game, window.record.position)
            self._wait_until(lambda: window.analysis.info is not None and window.analysis.info.counters.nodes > 0)
            end()
            self.rest()

    def _ask_for_hints(self) -> None:
        window = self._window
        self._alone("tictactoe")
        window.play(self._any_move())
        for _ in range(3):
            window.hint_action.trigger()
            self.rest()
        window.values_action.setChecked(True)
        self.rest()
        window.values_action.setChecked(False)

    def _look_around(self) -> None:
        theme().choose(self._dice.choice(THEMES))
        theme().set_zoom(self._dice.choice((1.0, 1.5)))
        self._window.resize(*self._dice.choice(SIZES))
        for action in (self._window.settings_action, self._window.tour_action):
            action.trigger()
            self._live(50)
            self._window.tour.leave()
            for top in QApplication.topLevelWidgets():
                if top is not self._window and top.isVisible():
                    top.close()
        theme().set_zoom(1.0)
        theme().choose("light")
        self._live(200)

    def _export(self) -> None:
        self._window.grab().save(str(self._folder / "window.png"), "PNG")

    def _measure(self) -> None:
        window = self._window
        self._alone("tictactoe")
        window.speedup.measure()
        self._wait_until(lambda: window.speedup.page is ChartPage.RUNNING)
        self._live(500)
        window.speedup.cancel()

    def _search_on_ranks(self) -> None:
        self._alone("tictactoe")
        self._think(algorithm="minimax", backend="mpi")
        self._window.analysis.change(backend="serial")

    def _alone(self, game: str) -> None:
        """Start a new game without the computer."""
        self._window.record.set_computer(frozenset())
        self._window.choose_game(game)

    def _any_move(self) -> int:
        record = self._window.record
        empty = [square for square, mark in enumerate(record.game.notation.cells(record.position)) if mark is None]
        return self._dice.choice(empty)

    def _think(self, **settings: object) -> None:
        self._window.analysis.change(**settings)
        self._window.analysis.think(self._window.record.game, self._window.record.position)
        self.rest()

    def _wait_until(self, condition: Callable[[], bool]) -> None:
        """Run the event loop until a condition holds. Raises TimeoutError after PATIENCE_SECONDS."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"A round of the soak took more than {PATIENCE_SECONDS} s.")
            self._live(POLL_MILLISECONDS)

    @staticmethod
    def _live(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()


class Errors(logging.Handler):
    """Collects logged errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def sample(window: Window, begun: float) -> Sample:
    """The resources of this process now. Only Linux has all of them."""
    gc.collect()
    memory = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return Sample(
        time.monotonic() - begun,
        int(memory.split()[1]) / 1024,
        allocated() / 2**20,
        len(os.listdir("/proc/self/task")),
        len(os.listdir("/proc/self/fd")),
        len(child_processes()),
        objects_below(window),
        len(gc.get_objects()) + gc.get_freeze_count(),
    )


class _MallInfo(ctypes.Structure):
    """The structure of mallinfo2(3)."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in MALLINFO)


def allocated() -> int:
    """The bytes that are allocated by the C library, in all arenas and mapped on their own."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _MallInfo
    found = mallinfo()
    return found.uordblks + found.hblkhd


def objects_below(parent: QObject) -> int:
    """The number of Qt objects below another. `findChildren` would keep Python's object of each."""
    return sum(1 + objects_below(child) for child in parent.children())


def growth(samples: Sequence[Sample]) -> dict[str, float]:
    """By column, the median of the last quarter divided by that of the second quarter."""
    quarter = max(1, len(samples) // 4)
    columns = list(zip(*(one[1:] for one in samples), strict=True))
    return {
        name: max(1e-9, median(column[-quarter:])) / max(1e-9, median(column[quarter : 2 * quarter] or column))
        for name, column in zip(SLACK, columns, strict=True)
    }


def main() -> int:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    errors, samples = Errors(), []
    logging.getLogger().addHandler(errors)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = os.environ["XDG_STATE_HOME"] = folder
        application()
        window = Window()
        window.resize(*SIZES[0])
        window.show()
        soak = Soak(window, random.Random(seed), Path(folder))
        soak.fill_the_record()
        begun = time.monotonic()
        while not samples or time.monotonic() - begun < 60 * minutes:
            soak.round()
            samples.append(sample(window, begun))
        window.close()
        window.deleteLater()
    return report(samples, soak.scenes, errors.messages)


def report(samples: Sequence[Sample], scenes: int, errors: Sequence[str]) -> int:
    """Print the table and the verdict; returns the exit code."""
    title = f"Soak: {len(samples)} rounds, {scenes} scenes, {samples[-1].seconds / 60:.0f} minutes"
    table = Table("minutes", title=title, title_justify="left")
    for name in SLACK:
        table.add_column(f"{name}, MiB" if name in ("memory", "allocated") else name, justify="right", no_wrap=True)
    parts = min(PARTS, len(samples))
    for part in range(parts):
        of_part = samples[part * len(samples) // parts : (part + 1) * len(samples) // parts]
        middles = [median(column) for column in zip(*of_part, strict=True)]
        table.add_row(f"{of_part[-1].seconds / 60:.1f}", *(f"{middle:,.0f}" for middle in middles[1:]))
    grown = growth(samples)
    table.add_section()
    table.add_row("last / second quarter", *(f"{grown[name]:.3f}" for name in SLACK))
    table.add_row("flat", *("yes" if grown[name] <= SLACK[name] else "NO" for name in SLACK))
    paper = console()
    paper.print(table)
    for message in errors[:10]:
        paper.print(f"logged as an error: {message}", markup=False)
    return int(bool(errors) or any(grown[name] > SLACK[name] for name in SLACK))


if __name__ == "__main__":
    sys.exit(main())
