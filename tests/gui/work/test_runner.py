"""A view's own thread does one task after another, until it is closed."""

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
