"""The checks of the fixtures work: they see everything that a test of the window leaves behind."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

LEAKS = """
import subprocess, threading
import pytest
from PySide6.QtCore import QObject, QThread, QTimer
from PySide6.QtWidgets import QLabel, QWidget

kept = []

@pytest.fixture(autouse=True, scope="module")
def tidy():
    yield
    for end in kept:
        end()

def keep(thing, *ends):
    kept.extend([lambda: thing, *ends])

def test_widget(qapp):
    keep(QWidget())

def test_hidden_widget_with_a_child(qapp):
    top = QWidget()
    keep(QLabel("child", top), top.close)

def test_timer(qapp):
    timer = QTimer()
    timer.start(1000)
    keep(timer, timer.stop)

def test_timer_of_an_object_by_a_signal(qapp):
    owner = QObject()
    timer = QTimer(owner)
    owner.objectNameChanged.connect(lambda: timer.start(1000))
    owner.setObjectName("owner")
    keep(owner, timer.stop)

def test_qt_thread(qapp):
    thread = QThread()
    thread.start()
    keep(thread, thread.quit, thread.wait)

def test_thread():
    going = threading.Event()
    threading.Thread(target=going.wait).start()
    keep(going, going.set)

def test_process():
    process = subprocess.Popen(["sleep", "60"])
    keep(process, process.kill, process.wait)

def test_nothing(qapp, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    QTimer.singleShot(0, widget, lambda: None)
"""


def test_a_test_that_leaves_something_behind_fails_and_says_what(tmp_path: Path) -> None:
    (tmp_path / "test_leaks.py").write_text(LEAKS)
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.conftest",
            "-p",
            "tests.gui.conftest",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "--rootdir",
            tmp_path,
            tmp_path,
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )
    for name, left in (
        ("test_widget", "left widgets behind"),
        ("test_hidden_widget_with_a_child", "left widgets behind"),
        ("test_timer", "left timers active"),
        ("test_timer_of_an_object_by_a_signal", "left timers active"),
        ("test_qt_thread", "left threads running"),
        ("test_thread", "left the thread"),
        ("test_process", "left child processes behind"),
    ):
        assert f"::{name} - AssertionError: The test {left}" in ended.stdout, ended.stdout
    assert "8 passed, 7 errors" in ended.stdout
