"""Failures around the window, each with real causes: the program itself, in a process of its own, on a
disk without room, without fonts, without its resources, with libraries and packages that are not what they should be.
"""

import os
import resource
import select
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QWidget
from pytestqt.qtbot import QtBot

from engine import backends
from engine.control import Control
from engine.job import Job
from engine.prepare import prepare
from engine.result import Result, Snapshot
from engine.text.numbers import DASH
from gui.help.errors import ErrorDialog
from gui.state.analysis import Phase
from gui.window import Window
from tests.gui.program import ROOT, Start, how_ended, output

LONG = 60_000
"""Milliseconds: with a cold cache a search is compiled first."""

ANSWER = """
w.analysis.phase_changed.connect(lambda: say(w.analysis.phase.value))
w.record.changed.connect(lambda: (say("moves", *w.record.moves), w.close()) if len(w.record.moves) == 2 else None)
w.play(0)
"""
"""Code: X on a1; the computer answers on b2, the only move that does not lose, and the window closes."""

LOSE = """
from PySide6.QtWidgets import QMessageBox
def lose(w):
    next(b for b in w.findChild(QMessageBox).buttons() if b.text() == "Close without it").click()
"""
"""Code: close the window without its game."""

COMPILES_NOTHING_ELSE = """
from gui.state.move_values import MoveValues
MoveValues.measure = Window.warm = lambda *_: None
"""
"""Code for a program that compiles only what its searches need."""


# Files and caches


def full_disk() -> None:
    """Let no file grow: for a program that is a full disk, also for root."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_on_a_full_disk_and_without_its_resources_the_window_works(start: Start, tmp_path: Path) -> None:
    """It says what is not kept, and what is not there."""
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "__init__.py").touch()
    act = "from PySide6.QtGui import QAction\nfor name in ('Help', 'Glossary', 'About Plyscope'):\n"
    act += "    w.findChild(QAction, name).trigger()\n" + ANSWER.replace("w.close()", "(w.close(), lose(w))") + LOSE
    lines, errors = output(start(act, prepare=full_disk, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}"))
    assert "moves 0 4" in lines
    assert errors.count("The log cannot be written") == 1
    assert "The game cannot be written" in errors
    assert "There is no glossary." in errors
    assert "There is no help page." in errors
    assert "plyscope.svg" in errors


def test_on_a_full_disk_kernels_are_compiled_and_not_kept(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, ROOT / "main.py", "perft", "--depth", "3"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        preexec_fn=full_disk,
        check=True,
    )
    assert "504" in ended.stdout
    assert "could not be kept" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_two_windows_on_an_empty_cache_and_one_closed_as_it_compiles(start: Start, tmp_path: Path) -> None:
    cold = {"first": COMPILES_NOTHING_ELSE, "NUMBA_CACHE_DIR": str(tmp_path)}
    answer = ANSWER.replace("w.play", 'w.analysis.change(backend="threads", workers=2)\nw.play')
    close = "w.analysis.phase_changed.connect(lambda: w.analysis.phase.value == 'compiling' and w.close())\n"
    elsewhere = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(tmp_path / "another's"))
    stays, goes = start(answer, **cold), start(answer.replace("w.play", close + "w.play"), **cold, **elsewhere)
    assert goes.stdout is not None
    assert "compiling\n" in iter(goes.stdout.readline, ""), "It ended before it compiled."
    assert "Left behind" not in output(goes)[1], "It waited for the end of the compilation."
    lines = output(stays)[0]
    assert lines.index("compiling") < lines.index("moves 0 4"), "on threads a search is never interpreted"


# Searches


def test_the_window_measures_and_searches_with_the_workqueue_layer(start: Start) -> None:
    """numba's workqueue ends the process where two threads are in a parallel kernel at once.
    `test_two_searches_at_once_with_the_workqueue_layer` proves that one waits for the other."""
    act = """
w.drawers["workers"].show()
w.workers.fact_changed.connect(lambda fact: say(fact))
w.record.set_computer(frozenset())
w.analysis.change(backend="threads", workers=2)
def search_and_close(_):
    say("measured")
    w.analysis.finished.connect(lambda _: (say("searched"), w.close()))  # not earlier: one may end before it is stopped
    w.think()

w.speedup.measured.connect(search_and_close)
for turn in range(5):
    w.speedup.measure(repeats=5)
    w.think()
    w.values_action.trigger()
w.speedup.measure(repeats=2)
"""
    lines, _ = output(start(act, NUMBA_THREADING_LAYER="workqueue"))
    assert "searched" in lines
    assert "measured" in lines
    assert any("workqueue layer" in line for line in lines)


@pytest.fixture
def window(window: Window) -> Window:
    window.resize(1280, 800)
    return window


def test_an_error_in_a_search_keeps_its_counts_and_is_not_called_done(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real search whose output is passed on up to a point."""
    run = backends.run

    def breaks(job: Job, control: Control) -> Iterator[Snapshot | Result]:
        for said in run(job, control):
            yield said
            if isinstance(said, Snapshot) and said.counters.nodes > 20:
                raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(backends, "run", breaks)
    done: list[Result] = []
    window.analysis.finished.connect(done.append)
    window.analysis.change(speed=500.0)
    with qtbot.waitSignal(window.analysis.failed, timeout=LONG) as failed:
        window.think_action.trigger()
    assert failed.args == ["The search failed (ZeroDivisionError): on purpose"]
    assert not done
    assert window.analysis.phase is Phase.IDLE
    assert window.analysis.info is not None
    assert window.figures.figure("nodes") == f"{window.analysis.info.counters.nodes:,}" != DASH
    assert window.think_action.isEnabled()
    window.findChild(ErrorDialog).close()


@pytest.mark.parametrize("rows", [1, 100])
def test_a_record_that_is_full_is_said_to_be_cut_short_and_can_be_walked(
    qtbot: QtBot, window: Window, rows: int
) -> None:
    window.analysis.change(record=rows)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    facts: list[str] = []
    window.path.fact_changed.connect(facts.append)
    for row in (rows - 1, 0):
        window.replay.go_to_row(row)
        assert f" · node {row + 1} of 549,946, {rows} recorded" in facts[-1]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Home):
        QTest.keyClick(window.path, key)
    assert window.figures.figure("nodes") == "549,946"


def test_any_part_of_the_window_may_be_without_a_pixel(qtbot: QtBot, window: Window) -> None:
    window.record.new(start=window.record.game.notation.parse("xo./.x./..o"))
    with qtbot.waitSignal(window.speedup.measured, timeout=LONG):
        window.speedup.measure(repeats=5)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    window.drawers["text"].toggleViewAction().trigger()
    picture = QPixmap(200, 200)
    with qtbot.captureExceptions() as caught:
        for widget in window.findChildren(QWidget):
            for size in (QSize(0, 0), QSize(1, 1), QSize(0, 200), QSize(200, 0)):
                widget.resize(size)
                QWidget.render(widget, picture, QPoint(), renderFlags=QWidget.RenderFlag.DrawWindowBackground)
    assert not caught, f"{caught[0][1]!r}"


TYPED = ("0", "-5", "abc", "1e9", "99999999999999999999", "", " ", "1.5", "½", "nan", "-0")


def test_whatever_is_typed_into_a_field_leaves_a_search_that_can_run(qtbot: QtBot, window: Window) -> None:
    window.analysis.change(backend="threads")
    assert isinstance(window.options.expert.field("Seed"), QAbstractSpinBox)
    fields = [window.modes.thread_count, window.modes.rank_count, *window.options.findChildren(QAbstractSpinBox)]
    assert len(fields) == 9
    for field, typed in product(fields, TYPED):
        field.setEnabled(True)
        field.setFocus()
        field.selectAll()
        QTest.keyClick(field, Qt.Key.Key_Delete)
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        for backend in ("serial", "threads", "mpi"):
            asked = replace(window.analysis.settings, backend=backend)
            prepare(asked.job(window.record.game, window.record.position))
    window.board.setFocus()


def test_a_size_that_cannot_be_is_refused_and_the_game_stays(window: Window) -> None:
    window.play(0)
    for typed in ("", "mnk", "mnk:", "mnk:0,0,0", "mnk:-3,3,3", "mnk:3,3", "mnk:9,9,5", "mnk:a,b,c", "go", "½"):
        window.choose_game(typed)
        assert window.record.moves == (0,)
        assert window.board_panel.notice.text.endswith("."), typed
        window.board_panel.notice.clear()


ON_RANKS = """
w.record.set_computer(frozenset())
w.analysis.change(backend="mpi", ranks=1, speed=1e4)
def tell():
    pids = [rank.pid for rank in w.analysis.info.ranks]
    if all(worker.counters.nodes for worker in w.analysis.info.workers):
        say("ranks", *pids)
w.analysis.counted.connect(tell)
w.think()
"""
"""Code: a search on one rank that takes a minute."""


@pytest.mark.mpi
def test_a_rank_does_not_outlive_a_window_that_is_killed(start: Start) -> None:
    process = start(ON_RANKS, first=COMPILES_NOTHING_ELSE)
    assert process.stdout is not None
    while not (line := process.stdout.readline()).startswith("ranks "):
        assert line, how_ended(process)
    rank = os.pidfd_open(int(line.split()[1]))
    process.kill()
    assert select.select([rank], [], [], 10)[0], "The rank runs on."
    os.close(rank)


USES_EVERY_CLASS = """
import gui
import threading
from PySide6 import QtCore, QtGui, QtWidgets

MODULES = QtCore, QtGui, QtWidgets
late = [name for module in MODULES for name in dir(module) if name.startswith("Q") and name not in vars(module)]

def use():
    together.wait()
    for module in MODULES:
        for name in dir(module):
            getattr(module, name)

together = threading.Barrier(2)
other = threading.Thread(target=use)
other.start()
use()
other.join()
print("made later:", late)
"""


def test_two_threads_may_use_any_class_of_qt_at_once() -> None:
    """Each class was made at its first use, and the program ended without a word where two were made at once."""
    environ = {name: value for name, value in os.environ.items() if name != "PYSIDE6_OPTION_LAZY"}
    done = subprocess.run([sys.executable, "-c", USES_EVERY_CLASS], env=environ, cwd=ROOT, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"made later: []\n"), done.stderr.decode()


IN_A_FOLDER = """
import os, sys
sys.argv = [os.fsdecode(b"/caf\\xe9/main.py")]
from gui.app import application
from PySide6.QtGui import QBrush, QImage, QLinearGradient, QPainter

print(application().applicationDisplayName())
image = QImage(1000, 1000, QImage.Format.Format_ARGB32_Premultiplied)
before = os.listdir("/proc/self/task")
with QPainter(image) as painter:
    painter.fillRect(image.rect(), QBrush(QLinearGradient(0, 0, 1000, 1000)))
print("more threads:", len(os.listdir("/proc/self/task")) - len(before))
"""


def test_qt_begins_in_a_folder_not_named_in_utf_8_and_fills_without_threads() -> None:
    """It crashed at that folder as the first word of the command. A large fill stood still for ever where the system
    started no more threads."""
    done = subprocess.run([sys.executable, "-c", IN_A_FOLDER], cwd=ROOT, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"Plyscope\nmore threads: 0\n"), done.stderr.decode()
