"""A view's own thread does one task after another, until it is closed."""

import os
import threading

import pytest
from PySide6.QtCore import QCoreApplication, QThread
from pytestqt.qtbot import QtBot

from engine.job import JobError
from gui.work.runner import Request, Runner


def told_by(runner: Runner) -> list[object]:
    """The arguments of the signals of a runner, as they come."""
    told: list[object] = []
    for signal in (runner.progressed, runner.finished, runner.failed):
        signal.connect(told.append)
    return told


@pytest.mark.parametrize("fails", [False, True])
def test_signals_of_a_replaced_request_are_dropped_on_delivery(qtbot: QtBot, fails: bool) -> None:
    has_published, has_begun, may_end = threading.Event(), threading.Event(), threading.Event()

    def work(request: Request) -> object:
        if request.asked == "second":
            has_begun.set()
            may_end.wait()
        request.publish(f"news of the {request.asked}")
        has_published.set()
        if fails and request.asked == "first":
            raise JobError("on purpose")
        return request.asked

    runner = Runner("work", work)
    told = told_by(runner)
    runner.start("first")
    has_published.wait()
    runner.start("second")
    qtbot.waitUntil(has_begun.is_set)
    QCoreApplication.sendPostedEvents(runner)
    qtbot.waitUntil(lambda: not runner._idle.isActive())
    with qtbot.waitSignal(runner.finished):
        may_end.set()
    assert told == ["news of the second", "second"]
    runner.close()


def test_what_was_dropped_is_not_told_though_its_end_was_delivered(qtbot: QtBot) -> None:
    """A result waits until no event does."""
    runner = Runner("work", lambda request: request.asked)
    told = told_by(runner)
    with qtbot.waitSignal(runner.finished):
        runner.start("first")
    runner.end(runner._request, "late", "")
    runner.drop()
    assert not runner._idle.isActive()
    QCoreApplication.processEvents()
    assert told == ["first"]
    runner.close()


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
    assert failed.args == ["The work cannot begin: the system starts no more threads."]
    with qtbot.waitSignal(runner.finished):
        runner.start("second")
    runner.close()
    assert done == ["second"]
