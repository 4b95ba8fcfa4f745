"""The transport leads through the moments of a search, by its buttons, its timeline and its keys."""

from collections.abc import Iterator
from itertools import takewhile

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from engine import backends
from engine.job import Job
from engine.kernels.worker_memory import CUTOFF
from engine.result import Result
from engine.trace.replay import EventKind, Replay
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.colours import contrast
from gui.style.theme import theme
from gui.tree import moment_slider
from gui.tree.replay_actions import ReplayActions
from gui.tree.transport import Transport
from gui.window import Window
from tests.gui.shown import Shown


@pytest.fixture(scope="module")
def solved() -> Result:
    return backends.solve(Job(position="x../.../...", algorithm="alphabeta", backend="interpreted", record=10_000))


@pytest.fixture
def transport(qtbot: QtBot, solved: Result) -> Iterator[Transport]:
    analysis, window = Shown(), QMainWindow()
    qtbot.addWidget(window)
    cursor = Cursor(analysis, analysis)
    live = QLabel("the speed of the search", minimumWidth=300)
    made = Transport(cursor, ReplayActions(window, cursor), live)
    window.setCentralWidget(made)
    window.resize(900, 120)
    window.show()
    assert made.timeline.isHidden()
    analysis.begin(solved.job)
    assert not made.place
    assert live.isVisible()
    analysis.end(solved)
    assert made.timeline.isVisible()
    assert not live.isVisible(), "a narrow window has room for the replay alone"
    assert made._members[-1].isVisible()
    yield made
    analysis.close()


def test_every_step_leads_to_its_moment_and_back(transport: Transport) -> None:
    cursor, steps = transport._cursor, transport._actions.steps
    replay = cursor.replay
    assert replay is not None

    def go(name: str) -> int:
        assert steps[name].isEnabled()
        steps[name].trigger()
        return cursor.moment

    assert not steps["on"].isEnabled()
    assert go("start") == 0
    assert not steps["back"].isEnabled()
    assert transport.place == "1 of 4,676"
    assert [go("on"), go("over"), go("back over")] == [1, replay.left(1), 1]
    brother = replay.left(replay.trace.children(0)[1])
    assert [go("over"), go("over"), go("start"), go("on")] == [replay.left(1), brother, 0, 1]
    assert go("next cutoff") == replay.cutoffs[0]
    assert go("next cutoff") == replay.cutoffs[1]
    assert go("previous cutoff") == replay.cutoffs[0]
    row = cursor.row or 0
    assert [go("back out"), go("out")] == [replay.entered(row), replay.left(row)]
    assert go("next change") == replay.root_changes[0] == replay.left(1)
    assert go("next change") == 3_814, "O's b2, the only draw"
    assert go("previous change") == replay.left(1)
    assert not steps["next task"].isEnabled()
    assert go("end") == cursor.last
    assert cursor.trace is not None
    assert cursor.trace.moves(cursor.row or 0)
    assert go("back") == cursor.last - 1


def test_hidden_values_have_no_step_to_a_change(transport: Transport) -> None:
    """The last one is the best move."""
    cursor, steps = transport._cursor, transport._actions.steps
    cursor.go(cursor.last // 2)
    changes = steps["next change"], steps["previous change"]
    for hidden in (True, False):
        spoilers().hide(hidden)
        assert [step.isEnabled() for step in changes] == [not hidden] * 2


def test_a_search_without_cutoffs_has_no_step_to_one(transport: Transport) -> None:
    """Minimax: the root's values can be gone to."""
    cursor, steps = transport._cursor, transport._actions.steps
    job = Job(position="xox/.../...", algorithm="minimax", backend="interpreted", record=10_000)
    analysis = transport._cursor._analysis
    analysis.begin(job)
    analysis.end(backends.solve(job))
    for moment in (0, cursor.last // 2, cursor.last):
        cursor.go(moment)
        enabled = {name for name, step in steps.items() if step.isEnabled()}
        assert not enabled & {"next cutoff", "previous cutoff"}
        assert ("next change" in enabled, "previous change" in enabled) == (moment < cursor.last, moment > 0)


def test_every_painting_of_the_timeline_ends(transport: Transport, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a record and without one. Python may destroy a painter too late."""
    ended: list[bool] = []

    class Painter(QPainter):
        def end(self) -> bool:
            ended.append(self.isActive())
            return super().end()

    line = transport.timeline
    line.grab()
    monkeypatch.setattr(moment_slider, "QPainter", Painter)
    for has_record in (True, False):
        assert (transport._cursor.moments is not None) == has_record
        ended.clear()
        line.grab()
        assert ended == [True]
        transport._cursor._analysis.begin(Job(position="x../.../..."))


@pytest.mark.usefixtures("as_before")
def test_the_timeline_scrubs_and_has_a_tick_at_each_cutoff(transport: Transport, qtbot: QtBot) -> None:
    cursor, line = transport._cursor, transport.timeline
    replay = cursor.replay
    assert replay is not None
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(0, 5))
    assert cursor.moment == 0
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(line.width() // 2, 5))
    assert abs(cursor.moment - cursor.last / 2) < 10
    qtbot.keyClick(line, Qt.Key.Key_End)
    assert cursor.is_at_end
    read_out = QAccessible.queryAccessibleInterface(line).text(QAccessible.Text.Value)
    assert line.accessibleDescription() == f"moment {int(read_out):,} of {cursor.last + 1:,}"
    theme().choose("contrast dark")
    picture, columns = line.grab().toImage(), replay.cut_plies(line.width(), cursor.last).tolist()
    places = [columns.index(least) for least in (min(ply for ply in columns if ply >= 0), -1)]
    tick, ground = (picture.pixelColor(x, line.height() // 2) for x in places)
    assert contrast(tick, ground) >= 3
    for width, last in ((50, replay.last), (10_000, replay.last), (300, 1000)):
        least = np.full(width, -1)
        for moment in range(last, -1, -1):
            event = replay.event(moment)
            if event.kind is EventKind.LEFT and event.cut:
                parent = replay.trace.parent(event.row)
                assert replay.trace.why(parent) == CUTOFF
                ply, column = replay.trace.index.ply(parent), moment * width // (last + 1)
                least[column] = ply if least[column] < 0 else min(ply, least[column])
        assert replay.cut_plies(width, last).tolist() == least.tolist()


def test_a_speed_lasts_and_playing_ends_when_hidden(transport: Transport) -> None:
    cursor = transport._cursor
    transport.speed.setValue(0)
    assert cursor.playback.speed == 1
    transport.speed.setValue(100)
    assert cursor.playback.speed == pytest.approx(cursor.last / 2)
    transport._actions.play.trigger()
    assert cursor.playback.is_active
    assert cursor.moment == 0
    transport.hide()
    assert not cursor.playback.is_active
    transport._actions.slower.trigger()
    assert cursor.playback.speed < cursor.last / 2


def test_a_speed_too_great_for_a_smaller_record_is_its_greatest(transport: Transport, solved: Result) -> None:
    """Else the replay would be over at once. A larger record is played as fast as before."""
    cursor, analysis = transport._cursor, transport._cursor._analysis
    job = Job(position="xox/.../...", backend="interpreted", record=100)
    small = backends.solve(job)
    before = cursor.last / 2
    cursor.playback.set_speed(before)
    for result, speed in ((small, 100), (solved, before)):
        analysis.begin(result.job)
        analysis.end(result)
        assert cursor.playback.speed == pytest.approx(speed, rel=0.1)
        assert transport.speed.value() == 100
        assert transport._pace.text() == f"{round(cursor.playback.speed):,} moments / s"
    for _ in range(5):
        transport._actions.faster.trigger()
    assert cursor.playback.speed == before


def test_a_great_record_has_ticks_where_its_plies_are_too_wide(solved: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solved.trace is not None
    replay = Replay(solved.trace)
    exact = replay.cut_plies(300, replay.last)
    monkeypatch.setattr("engine.trace.replay.MOST", 60)
    rough = replay.cut_plies(300, replay.last)
    few = len(list(takewhile(lambda ply: len(ply) <= 60, solved.trace.index.plies)))
    assert 2 < few < 8
    assert np.array_equal(rough, np.where(exact > few, few, exact))


def test_a_search_that_is_over_at_once_moves_nothing(transport: Transport, solved: Result, qtbot: QtBot) -> None:
    analysis, live, last = transport._cursor._analysis, transport._live, transport._members[-1]
    assert isinstance(analysis, Shown)
    analysis.begin(solved.job)
    assert (last.isVisible(), live.isVisible()) == (True, False)
    analysis.end(solved)
    assert (last.isVisible(), live.isVisible()) == (True, False)
    assert not transport._later.isActive()
    analysis.begin(solved.job)
    qtbot.waitUntil(live.isVisible)
    assert not last.isVisible(), "a long search is governed by the speed of searches"
    assert not transport.speed.isVisible(), "beside it, without its label, it would be taken for the other"
    analysis.end(solved)
    assert (last.isVisible(), live.isVisible()) == (True, False)


def test_the_moment_has_room_at_any_zoom(transport: Transport) -> None:
    label = transport._place
    for zoom in (1.5, 0.8, 1.0):
        theme().set_zoom(zoom)
        assert label.minimumWidth() == label.maximumWidth() == label.fontMetrics().horizontalAdvance(label.text())
        assert label.minimumHeight() == label.fontMetrics().height()


class Layouts(QObject):
    """Counts how often a widget is asked to lay its children out."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_a_moment_rarely_lays_the_window_out_again(searched_window: Window) -> None:
    """That takes as long as to paint a card. The sentence on the moment does so where it has another line."""
    layouts, moments = Layouts(), range(0, searched_window.replay.last, 97)
    for moment in moments:
        searched_window.replay.go(moment)
        QApplication.processEvents()
        if not moment:  # figures appear that the end of the search has not
            searched_window.installEventFilter(layouts)
    searched_window.removeEventFilter(layouts)
    assert layouts.count < len(moments) / 4
