"""What every test of the window gets: Qt's settings in a folder of its own, and an account of what it left in Qt."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from gui.spoilers import spoilers
from tests.conftest import FAILED
from tests.gui.program import Start, starter

T = TypeVar("T", QThread, QTimer)


@pytest.fixture(autouse=True)
def own_qt_settings(own_settings: Path) -> None:
    """QSettings looks its folders up once in a process, so the environment alone does not move it."""
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(own_settings))


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the program in a process of its own, with what it does at first; ends it if the test has not."""
    with starter() as program:
        yield program


@pytest.fixture(autouse=True)
def nothing_hidden() -> Iterator[None]:
    """There is one switch for all windows of a process, and a monkey may have thrown it."""
    yield
    spoilers().hide(False)


@pytest.fixture(autouse=True)
def nothing_left_in_qt(
    request: pytest.FixtureRequest, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Fail a test that leaves a running QThread, an active QTimer or a top-level widget behind."""
    threads, timers = _started(QThread, monkeypatch), _started(QTimer, monkeypatch)
    before = _top_level_widgets()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if request.node.stash.get(FAILED, False):
        return
    running = [thread for thread in threads if Shiboken.isValid(thread) and not thread.wait(100)]
    assert not running, f"The test left threads running: {running}."
    if _top_level_widgets() - before:
        gc.collect()
    widgets = _top_level_widgets() - before
    assert not widgets, f"The test left widgets behind: {widgets}."
    active = [timer for timer in timers if Shiboken.isValid(timer) and timer.isActive()]
    assert not active, f"The test left timers active: {[(timer, timer.parent()) for timer in active]}."


def _started(kind: type[T], monkeypatch: pytest.MonkeyPatch) -> list[T]:
    """A list that grows by each object of this kind whose `start` is called."""
    started: list[T] = []
    start: Callable[..., None] = kind.start

    def note(self: T, *arguments: object) -> None:
        started.append(self)
        start(self, *arguments)

    monkeypatch.setattr(kind, "start", note)
    return started


def _top_level_widgets() -> set[QWidget]:
    """Windows without a parent; the one tool tip that Qt keeps for itself is left out."""
    return {
        widget
        for widget in QApplication.topLevelWidgets()
        if widget.parent() is None and widget.metaObject().className() != "QTipLabel"
    }
