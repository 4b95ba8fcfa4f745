"""Fixtures for every test of the window: a folder for Qt's settings, and a check for objects left in Qt."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QSettings, QThread, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from engine.backends.mpi_job import launch
from gui.i18n import language
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.window import Window
from gui.work import search_job
from gui.work.runner import left_behind
from tests.conftest import FAILED, comes_true
from tests.gui.program import Start, starter
from tests.gui.shown import Shown

T = TypeVar("T", QThread, QTimer)

PATIENCE = 20_000
"""Milliseconds that `qtbot` waits where a test does not say it: its own 5,000 may pass on a busy machine."""

for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
    wait.__kwdefaults__["timeout"] = PATIENCE


@pytest.fixture(autouse=True)
def own_qt_settings(own_settings: Path) -> None:
    """Set the folder of QSettings, which reads the environment only once in a process."""
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(own_settings))


@pytest.fixture(autouse=True)
def compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpret no search: what a test sees must not depend on the kernels that earlier ones have compiled."""
    monkeypatch.setattr(search_job, "INTERPRETED_SECONDS", 0.0)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch, compiled_first: None) -> None:
    """Interpret every short search, whatever is compiled: for games whose kernels no other test needs."""
    for name in ("INTERPRETED_SECONDS", "AHEAD_SECONDS"):
        monkeypatch.setattr(search_job, name, 1.0)
    monkeypatch.setattr(search_job, "is_warm", lambda job: job.backend == "interpreted")


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the program with some initial code in a process of its own; ends it if the test has not."""
    with starter() as program:
        yield program


@pytest.fixture
def analysis() -> Iterator[Shown]:
    """An analysis that is given the results of searches."""
    made = Shown()
    yield made
    made.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file for a test's settings."""
    return tmp_path / "Plyscope.ini"


@pytest.fixture
def as_before() -> Iterator[None]:
    """Restores the objects shared by all windows: the theme, the launch of ranks, the language."""
    launched = launch.stored()
    theme().choose("light")
    yield
    delete_closed()
    theme().choose("light")
    theme().set_zoom(1.0)
    theme().set_motion(True)
    launch.restore(launched)
    language.choose(language.SYSTEM)


def delete_closed() -> None:
    """Delete the windows that are closed: each would follow a change of the theme, for nobody to see."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    """A window of the usual size, in light colours, with a game between two people."""
    theme().choose("light")
    made = Window()
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    made.record.set_computer(frozenset())
    yield made
    made.close()


@pytest.fixture
def searched_window(qtbot: QtBot, window: Window) -> Window:
    """A window with X on a1, and alpha-beta's search of it."""
    window.activateWindow()
    window.play(0)
    window.analysis.change(algorithm="alphabeta")
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):  # with a cold cache its kernels are compiled first
        window.think_action.trigger()
    return window


@pytest.fixture(scope="module")
def shared_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window as `window` for all tests of a file that leave it as they found it: see `borrowed`."""
    theme().choose("light")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("shared")))
        made = Window()
        made.resize(1440, 900)
        made.show()
        made.record.set_computer(frozenset())
        yield made
        made.close()
        made.deleteLater()
        delete_closed()


@pytest.fixture(scope="module")
def shared_search(shared_window: Window) -> Window:
    """The shared window with X on a1, and alpha-beta's search of it."""
    shared_window.play(0)
    shared_window.analysis.change(algorithm="alphabeta")
    ended = QEventLoop()
    shared_window.analysis.finished.connect(ended.quit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_job, "INTERPRETED_SECONDS", 0.0)
        shared_window.think_action.trigger()
        ended.exec()
    while shared_window.is_busy:
        QApplication.processEvents()
    return shared_window


@pytest.fixture
def borrowed(qtbot: QtBot, request: pytest.FixtureRequest, shared_window: Window) -> Iterator[Window]:
    """The shared window, with the shared search where a test's file asks for it. A test that changes it fails."""
    theme().choose("light")
    shared_window.replay.go_to_end()  # another test may have hidden results, in all windows of the process
    before = state_of(shared_window)
    with qtbot.waitActive(shared_window):
        shared_window.activateWindow()
    shared_window.board.setFocus()
    yield shared_window
    delete_closed()
    assert comes_true(lambda: not timers_of(shared_window)), f"The test left timers: {timers_of(shared_window)}."
    if not request.node.stash.get(FAILED, False):
        assert state_of(shared_window) == before, "The test changed a window that others use."


def timers_of(window: Window) -> list[QObject | None]:
    """The owners of the window's active timers, after an event loop step."""
    QApplication.processEvents()
    return [timer.parent() for timer in window.findChildren(QTimer) if timer.isActive()]


def state_of(window: Window) -> dict[str, object]:
    """What tests of a window change."""
    record, analysis, replay = window.record, window.analysis, window.replay
    actions = [made for made in window.findChildren(QAction) if made.objectName()]
    return {
        "game": (record.game, record.line, record.moves, record.computer, record.level),
        "search": (analysis.settings, analysis.result, analysis.phase, len(analysis.runs)),
        "replay": (replay.moment, replay.row, replay.chain),
        "cards": {name: (card.isVisible(), card.isFloating()) for name, card in window.drawers.items()},
        "actions": {made.objectName(): (made.shortcuts(), made.isChecked(), made.isEnabled()) for made in actions},
        "look": (window.size(), theme().choice, theme().zoom, spoilers().hidden),
        "dialogs": [widget for widget in _top_level_widgets() if widget.isVisible()],
        "children": [child for child in window.findChildren(QWidget) if child.isWindow() and child.isVisible()],
    }


@pytest.fixture(autouse=True)
def nothing_hidden() -> Iterator[None]:
    """Shows search results again: all windows of a process share the switch, and a random test may have changed it."""
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
    delete_closed()
    if request.node.stash.get(FAILED, False):
        return
    late = left_behind()  # what imports numba cannot be interrupted: it ends, but on a busy machine later
    there = [thread for thread in threads if Shiboken.isValid(thread)]
    running = [thread for thread in there if not thread.wait(30_000 if thread.objectName() in late else 100)]
    assert not running, f"The test left threads running: {running}."
    if _top_level_widgets() - before:
        gc.collect()
    widgets = _top_level_widgets() - before
    assert not widgets, f"The test left widgets behind: {widgets}."
    active = [timer for timer in timers if Shiboken.isValid(timer) and timer.isActive()]
    active = [timer for timer in active if _root(timer) not in before]  # a shared window follows what is hidden
    assert not active, f"The test left timers active: {[(timer, timer.parent()) for timer in active]}."


def _started(kind: type[T], monkeypatch: pytest.MonkeyPatch) -> list[T]:
    """A list that collects each object of this kind whose `start` is called."""
    started: list[T] = []
    start: Callable[..., None] = kind.start

    def note(self: T, *arguments: object) -> None:
        started.append(self)
        start(self, *arguments)

    monkeypatch.setattr(kind, "start", note)
    return started


def _root(thing: QObject) -> QObject:
    while (parent := thing.parent()) is not None:
        thing = parent
    return thing


def _top_level_widgets() -> set[QWidget]:
    """The windows without a parent, except for Qt's own tool tip."""
    return {
        widget
        for widget in QApplication.topLevelWidgets()
        if widget.parent() is None and widget.metaObject().className() != "QTipLabel"
    }
