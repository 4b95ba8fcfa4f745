"""The timeline of the workers: what its bars and marks mean, zooming, and the way from a task to its node."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import RECORD_ROWS, Job
from engine.result import Result
from engine.trace.bound_updates import bound_updates
from gui.counters import timeline as timeline_module
from gui.counters.lanes import RANK_FIGURES, THREAD_FIGURES, Lane, moves_of, task_in_words
from gui.counters.task_bars import paint_bar
from gui.counters.timeline import PICTURE, ZOOM_STEP, Timeline
from gui.counters.timeline_layout import TimelineLayout
from gui.counters.workers import WorkersView
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from tests.gui.shown import Shown

GAME = registry.game("tictactoe")
JOB = Job(position="x../.../...", algorithm="alphabeta", backend="threads", workers=2, record=RECORD_ROWS)


@pytest.fixture
def cursor(analysis: Shown) -> Cursor:
    return Cursor(analysis, analysis)


@pytest.fixture
def workers(qtbot: QtBot, analysis: Shown, cursor: Cursor) -> WorkersView:
    view = WorkersView(analysis, cursor)
    qtbot.addWidget(view)
    return view


def searched(workers: WorkersView, analysis: Shown, job: Job) -> tuple[Timeline, Result]:
    """The timeline of a search that has ended, 900 pixels wide."""
    result = backends.solve(job)
    analysis.begin(job)
    analysis.end(result)
    workers.resize(900, 120)
    workers.show()
    return workers.findChild(Timeline), result


def test_tasks_are_zoomed_and_a_click_goes_to_their_node(
    workers: WorkersView, analysis: Shown, cursor: Cursor, qtbot: QtBot
) -> None:
    timeline, result = searched(workers, analysis, JOB)
    task = max(result.tasks, key=lambda task: task.end - task.start)
    frame = timeline._layout.lane(task.worker)
    whole = timeline._task_frame(task, frame)
    span = min(4 * (task.end - task.start), result.info.seconds)
    timeline._show_span(task.start, span)  # in all of the time of a busy machine, every task may be a hairline
    before = timeline._task_frame(task, frame)
    point = before.center()
    turn = QWheelEvent(
        point,
        timeline.mapToGlobal(point),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(timeline, turn)
    zoomed = timeline._task_frame(task, frame)
    assert zoomed.width() == pytest.approx((before.width() + 1.5) * ZOOM_STEP**2 - 1.5, rel=0.01)
    assert zoomed.contains(point), "the time under the pointer stays"
    with qtbot.waitSignal(timeline.pressed):
        qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=zoomed.intersected(frame).center().toPoint())
    assert cursor.row == task.first_row
    seconds, away = result.info.seconds, QPoint(QApplication.startDragDistance() + 20, 0)
    timeline._show_span(0.4 * seconds, 0.2 * seconds)  # there is room on both sides
    left = timeline._task_frame(task, frame).left()
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=frame.center())
    qtbot.mouseMove(timeline, frame.center() - away)
    with qtbot.assertNotEmitted(timeline.pressed):
        qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=frame.center() - away)
    assert timeline._task_frame(task, frame).left() == pytest.approx(left - away.x(), abs=1)
    qtbot.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=frame.center())
    assert timeline._task_frame(task, frame) == whole

    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        qtbot.keyClick(timeline, key)
    chosen = timeline._chosen
    assert chosen in result.tasks
    assert timeline.accessibleDescription().startswith(moves_of(GAME, chosen))
    qtbot.keyClick(timeline, Qt.Key.Key_Return)
    assert cursor.row == chosen.first_row
    searched(workers, analysis, replace(JOB, position="xo./.../..."))
    assert timeline.accessibleDescription() == "", "the task is of the search before"
    assert timeline.accessibleName()


def test_a_search_that_no_rank_has_begun_has_no_messages(workers: WorkersView, analysis: Shown) -> None:
    """One that was stopped at once: its cutoffs stood under "messages", and its tool tip was an error."""
    timeline, result = searched(workers, analysis, JOB)
    assert not result.info.ranks
    stopped = replace(result, job=replace(JOB, backend="mpi"))
    analysis.begin(stopped.job)
    analysis.end(stopped)
    words = timeline._tool_tip(timeline._layout.row(0).topLeft()).splitlines()
    assert f"cutoffs: {result.info.workers[0].counters.cutoffs}" in words


def test_bars_have_the_colours_of_root_moves_and_marks_at_bounds(workers: WorkersView, analysis: Shown) -> None:
    timeline, result = searched(workers, analysis, replace(JOB, split=2))
    colours = {task.moves[0]: timeline._colour_of(task) for task in result.tasks}
    assert len({colour.name() for colour in colours.values()}) == len(colours) == 8
    for task in (result.tasks[0], result.tasks[-1]):
        timeline._show_span(task.start, 1.2 * (task.end - task.start))
        bar = timeline._task_frame(task, timeline._layout.lane(task.worker))
        painted = timeline.grab().toImage().pixelColor(round(bar.left()) + 3, round(bar.bottom()) - 3)
        assert painted.name() == colours[task.moves[0]].name()
    assert result.trace is not None
    cut = next(update for update in bound_updates(result.trace, result.tasks) if update.is_cutoff)
    timeline._show_span(cut.task.start, 1.2 * (cut.task.end - cut.task.start))
    frame = timeline._layout.lane(cut.task.worker)
    end, below = int(timeline._x(cut.task.end, frame)), frame.bottom() - 1
    image = timeline.grab().toImage()
    assert theme().colour("cut") in [image.pixelColor(end + away, below) for away in (-1, 0, 1)]
    for hidden in (False, True):  # it is not a cut of the root
        spoilers().hide(hidden)
        assert "its value cut off the other moves" in task_in_words(GAME, cut.task, timeline._updates)


def test_while_results_are_hidden_no_task_tells_that_its_move_is_the_best(
    workers: WorkersView, analysis: Shown
) -> None:
    """The last root move whose value raised the bound is the best one: O has b2 alone."""
    timeline, result = searched(workers, analysis, JOB)
    *_, last = timeline._updates
    assert last.task.moves == (result.info.best,)
    timeline._chosen = last.task
    raised = "its value raised a bound"
    for hidden in (True, False):
        spoilers().hide(hidden)
        told = task_in_words(GAME, last.task, timeline._updates), timeline.accessibleDescription()
        assert [raised in words for words in told] == [not hidden] * 2


@pytest.mark.usefixtures("as_before")
def test_texts_are_measured_once_for_all_lanes_and_moments(
    workers: WorkersView, analysis: Shown, cursor: Cursor
) -> None:
    """Measured for every lane, those of 64 workers took 100 ms of each picture of a replay."""
    timeline, _ = searched(workers, analysis, replace(JOB, split=2))
    places = list[TimelineLayout]()
    for moment in [1, cursor.last // 2, cursor.last] * 2:
        cursor.go(moment)
        cursor.counted.emit()
        timeline.grab()
        places.append(timeline._layout)
    assert len({*places[2:]}) == 1, "all figures have been shown"
    workers.resize(400, 120)
    assert timeline._layout not in places
    narrow = timeline._layout
    theme().zoom_by(1.5)
    assert timeline._layout is not narrow


def test_the_tasks_are_painted_once_for_all_moments(
    workers: WorkersView, analysis: Shown, cursor: Cursor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand still whatever the figures beside them. Those of 1,500 tasks took 17 ms of each moment of a replay."""
    timeline, result = searched(workers, analysis, replace(JOB, split=2))
    painted, bar, frames = list[int](), paint_bar, list[tuple[int, ...]]()
    monkeypatch.setattr(timeline_module, "paint_bar", lambda *asked: painted.append(0) or bar(*asked))
    moments = [*range(1, cursor.last, cursor.last // 20)] * 2
    for moment in moments:
        cursor.go(moment)
        cursor.counted.emit()
        frames.append(timeline._layout.lane(0).getRect())
    assert len({*frames[len(moments) // 2 :]}) == 1, "also beside figures that have become narrower"
    first, *images = [timeline.grab().toImage()]
    for moment in moments[:3]:
        cursor.go(moment)
        cursor.counted.emit()
        images.append(timeline.grab().toImage())
    assert len(painted) == len(result.tasks)
    cursor.go(moments[-1])
    cursor.counted.emit()
    assert first not in images
    assert timeline.grab().toImage() == first
    timeline._show_span(0.0, result.info.seconds / 2)
    assert timeline.grab().toImage() != first
    for figures in (THREAD_FIGURES, RANK_FIGURES):  # a search on ranks is begun while one on threads is on display
        lane = Lane("", ("1",) * len(figures), 1, 1.0, "", ())
        timeline.show_lanes(GAME, figures, (lane,), 0.0)
        timeline.show_time(None, (lane,))
        assert {name for name, _ in timeline._layout.columns} <= {*figures}


def test_the_picture_of_a_hidden_or_narrow_timeline_is_wide(workers: WorkersView, analysis: Shown) -> None:
    result, least = backends.solve(JOB), theme().px(PICTURE)
    analysis.begin(JOB)
    analysis.end(result)
    workers.timeline.resize(180, 46)
    hidden = workers.drawing()
    assert hidden is not None
    assert hidden.size.toSize() == QSize(least, workers.timeline.minimumHeight())
    image = QImage(hidden.size.toSize(), QImage.Format.Format_RGB32)
    image.fill(hidden.ground)
    painter = QPainter(image)
    hidden.paint(painter)
    painter.end()
    assert {image.pixelColor(x, 25).name() for x in range(least - 20, least)} != {hidden.ground.name()}
    for width, saved in ((300, least), (900, 900)):
        workers.resize(width, 120)
        workers.show()
        drawing = workers.drawing()
        assert drawing is not None
        assert drawing.size.width() == saved
        assert workers.timeline.width() == width, "the card is as before"
