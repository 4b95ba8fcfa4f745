"""A view's own thread does one task after another, until it is closed."""

import os

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from gui.work.runner import Runner


def test_once_closed_it_starts_nothing_more(qtbot: QtBot) -> None:
    """A rejected dialog of a closing window, or a queued signal, may call it."""
    done: list[object] = []
    runner = Runner("work", lambda request: done.append(request.asked))
    with qtbot.waitSignal(runner.finished):
        runner.start("first")
    runner.close()
    runner.start("second")
    assert not any(thread.isRunning() for thread in runner.findChildren(QThread))
    assert done == ["first"]


def test_its_thread_runs_below_a_window_that_was_started_by_nice(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root may raise a priority; for others its thread ended, and no search began."""
    asked: list[int] = []
    monkeypatch.setattr(os, "getpriority", lambda *_: 10)
    monkeypatch.setattr(os, "setpriority", lambda _kind, _number, niceness: asked.append(niceness))
    runner = Runner("work", lambda _: "done", niceness=5)
    with qtbot.waitSignal(runner.finished):
        runner.start(None)
    runner.close()
    assert asked == [15]


def test_where_no_thread_can_be_started_the_work_fails(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a user who has as many threads as the system allows."""
    done: list[object] = []
    runner = Runner("work", lambda request: done.append(request.asked))
    with monkeypatch.context() as full, qtbot.waitSignal(runner.failed) as failed:
        full.setattr(QThread, "start", lambda _: None)
        runner.start("first")
    assert failed.args == [1, "The work cannot begin: the system starts no more threads."]
    with qtbot.waitSignal(runner.finished, check_params_cb=lambda number, _: number == 2):
        runner.start("second")
    runner.close()
    assert done == ["second"]
