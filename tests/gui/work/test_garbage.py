"""Which thread collects garbage, and when."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from gui.work.garbage import THRESHOLDS, collect, collected_later

ROOT = Path(__file__).parents[3]

PROGRAM = """
import gc, sys, threading
from PySide6.QtCore import QObject, Qt, QTimer
from gui import app
from gui.work import garbage

garbage.MILLISECONDS = 1
gc.set_threshold(*garbage.THRESHOLDS)  # each thread would pass them
running = app.application()
collector = running.findChild(garbage.GarbageCollector)
timer = collector.findChild(QTimer)
timer.setTimerType(Qt.PreciseTimer)  # a very coarse one waits for the next second, and is busy
timer.start()  # it takes its type from here on
destroyed = []

class Cycle(QObject):
    def __init__(self):
        super().__init__()
        self.me = self
        self.timer = QTimer(self)
        self.timer.start(1_000_000)
        self.destroyed.connect(lambda: destroyed.append(threading.current_thread().name), Qt.DirectConnection)

def allocate():
    return [[number] for number in range(10 * gc.get_threshold()[0])]

for _ in range(5):
    Cycle()
    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()
assert not destroyed, destroyed
alive = allocate()
look = QTimer()
look.timeout.connect(lambda: destroyed and running.quit())
look.start(1)
QTimer.singleShot(30_000, running.quit)
running.exec()
assert set(destroyed) == {"MainThread"}, destroyed
"""


def test_qt_objects_in_cycles_are_destroyed_on_the_windows_thread_only(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def garbage() -> None:
    for number in range(2 * THRESHOLDS[0]):
        cycle: list[object] = [number]
        cycle.append(cycle)


def test_nothing_is_collected_while_something_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", collected.append)
    with collected_later("a long load"):
        garbage()
        collect()
    assert collected == []
    garbage()
    collect()
    assert len(collected) == 1


def test_only_the_first_load_excludes_objects_from_collection() -> None:
    """Those excluded are never freed: of all that is alive, garbage in cycles too."""
    with collected_later("a test"):
        pass
    before, alive = gc.get_freeze_count(), [[number] for number in range(10)]
    with collected_later("a test"):
        pass
    assert gc.get_freeze_count() <= before
    with collected_later("another"):
        pass
    assert gc.get_freeze_count() >= before + len(alive)
    gc.unfreeze()
