"""Errors are shown once, logged, and never end the window."""

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from engine.job import Job
from gui.help.bug_report import LOG, log_folder, report, start_log
from gui.help.errors import ErrorDialog, Errors
from tests.gui.program import NO_COMPILER, Start

JOB = Job(position="x../.../...", algorithm="alphabeta")


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def errors(window: QMainWindow, monkeypatch: pytest.MonkeyPatch) -> Errors:
    """An Errors object with all hooks installed, until the test is over."""
    for place, name in ((sys, "excepthook"), (threading, "excepthook"), (sys, "unraisablehook")):
        monkeypatch.setattr(place, name, getattr(place, name))
    made = Errors(window, lambda: JOB)
    made.catch_all()
    return made


@pytest.fixture
def log_files() -> Iterator[Path]:
    """The files of the program's root logger, in the test's own folder."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    start_log()
    yield log_folder()
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def dialogs(window: QWidget) -> list[ErrorDialog]:
    return [dialog for dialog in window.findChildren(ErrorDialog) if dialog.isVisible()]


def fail() -> None:
    raise ZeroDivisionError("on purpose")


def test_an_exception_in_a_slot_is_shown_and_logged(
    qtbot: QtBot, window: QMainWindow, errors: Errors, caplog: pytest.LogCaptureFixture
) -> None:
    QTimer.singleShot(0, window, fail)
    qtbot.waitUntil(lambda: len(dialogs(window)) == 1)
    assert dialogs(window)[0].what.text() == "ZeroDivisionError: on purpose"
    assert "in fail" in caplog.text


def test_an_exception_in_a_thread_is_shown(qtbot: QtBot, window: QMainWindow, errors: Errors) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(dialogs(window)) == 1)


def test_further_errors_are_counted_and_not_stacked(qtbot: QtBot, window: QMainWindow, errors: Errors) -> None:
    class Broken(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            fail()

    broken = Broken(window)
    broken.show()
    qtbot.waitUntil(lambda: len(dialogs(window)) == 1)
    (dialog,) = dialogs(window)
    broken.update()
    qtbot.waitUntil(lambda: "more since then" in dialog.count.text())
    assert dialogs(window) == [dialog]
    broken.hide()


def test_after_it_was_closed_the_next_error_is_shown_anew(qtbot: QtBot, window: QMainWindow, errors: Errors) -> None:
    errors.search_failed("The search failed (ValueError): one")
    dialogs(window)[0].close()
    errors.search_failed("The search failed (ValueError): two")
    assert [dialog.what.text() for dialog in dialogs(window)] == ["The search failed (ValueError): two"]


def test_the_report_goes_to_the_clipboard_as_text(window: QMainWindow, errors: Errors, log_files: Path) -> None:
    logging.getLogger("test").error("what went wrong in %s", Path.home() / "lessons")
    errors.tell("Something", "went wrong")
    (copy,) = (push for push in dialogs(window)[0].findChildren(QPushButton) if push.text() == "Copy report")
    copy.click()
    text = QGuiApplication.clipboard().text()
    for expected in ("Plyscope", "PySide6", "numba", "pyqtgraph", "mpi4py", '"algorithm":"alphabeta"'):
        assert expected in text
    assert "what went wrong in ~/lessons" in text, "the home folder's name is nobody's business"


def test_the_log_is_written_into_the_users_folder(log_files: Path, own_settings: Path) -> None:
    logging.getLogger("test").info("one line")
    assert own_settings in log_files.parents
    assert "one line" in (log_files / LOG).read_text()


def test_where_no_log_can_be_written_the_program_runs_and_says_so(
    own_settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_settings / "plyscope").write_text("a file where the folder should be")
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    start_log()
    assert "There is no log file" in capsys.readouterr().err
    assert "Plyscope" in report(None)


def test_the_program_shows_an_error_that_nobody_expected(start: Start) -> None:
    act = """
from gui.help.errors import ErrorDialog
def tell():
    say(*[dialog.what.text() for dialog in w.findChildren(ErrorDialog)])
    w.close()
QTimer.singleShot(0, lambda: 1 / 0)
QTimer.singleShot(0, lambda: QTimer.singleShot(0, tell))
"""
    lines, errors = start(act, first=NO_COMPILER + "Window.warm = lambda self: None").communicate(timeout=60)
    assert lines == "ZeroDivisionError: division by zero\n"
    assert "Not expected" in errors
