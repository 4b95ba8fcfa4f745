"""The window as a person uses it: real clicks and keys, the compiled engine, real threads."""

import gc
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

from engine.options.catalogue import Limit
from engine.options.choices import Form, Schedule, Scoring
from engine.result import End, Result
from gui import screenshots
from gui.help.errors import ErrorDialog
from gui.screenshots import save_screenshot
from gui.state.analysis import Phase
from gui.style.theme import theme
from gui.window import Window
from gui.work.runner import left_behind

LONG = 60_000
"""Milliseconds: with a cold cache a search is compiled first."""
NOBODY: frozenset[int] = frozenset()
MINIMAX_BELOW_A1, ALPHABETA_BELOW_A1 = 59_705, 2_338
"""Known counts: X on a1, O to move, +1/0/-1."""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    theme().choose("light")
    made = Window()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    yield made
    made.close()


def click(qtbot: QtBot, window: Window, square: int) -> None:
    place = window.board.square_rect(square).center()
    qtbot.mouseClick(window.board, Qt.MouseButton.LeftButton, pos=QPoint(round(place.x()), round(place.y())))


def search(qtbot: QtBot, window: Window, **settings: object) -> Result:
    """Change the settings, press Think, and wait for the result."""
    window.analysis.change(**settings)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG) as finished:
        window.think_action.trigger()
    assert finished.args is not None
    return finished.args[0]


def test_a_whole_game_by_clicks_against_the_computer_is_not_won(qtbot: QtBot, window: Window) -> None:
    while not window.record.is_over:
        free = next(
            s for s, stone in enumerate(window.record.game.notation.cells(window.record.position)) if stone is None
        )
        click(qtbot, window, free)
        qtbot.waitUntil(lambda: not window.record.computer_to_move, timeout=LONG)
    assert window.record.winner != 0
    assert len(window.analysis.runs) == len(window.record.moves) // 2
    assert all(run.job.scoring is Scoring.TEXTBOOK for run in window.analysis.runs)


def test_the_search_that_answered_stays_on_display_after_the_answer(qtbot: QtBot, window: Window) -> None:
    click(qtbot, window, 0)
    qtbot.waitUntil(lambda: len(window.record.moves) == 2, timeout=LONG)
    result = window.analysis.result
    assert result is not None
    assert result.info.best == window.record.last_move == 4
    assert window.figures.figure("nodes") == f"{MINIMAX_BELOW_A1:,}"


def test_alphabeta_shows_how_much_it_saved(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    click(qtbot, window, 0)
    result = search(qtbot, window, algorithm="alphabeta")
    qtbot.waitUntil(lambda: window.move_values.tree_size == MINIMAX_BELOW_A1, timeout=LONG)
    assert result.info.counters.nodes == ALPHABETA_BELOW_A1
    assert window.figures.figure("never") == f"{MINIMAX_BELOW_A1 - ALPHABETA_BELOW_A1:,}"


def test_a_small_window_has_a_useful_tree_that_begins_at_one_x(qtbot: QtBot, window: Window) -> None:
    window.resize(900, 600)
    search(qtbot, window, algorithm="alphabeta", backend="serial")
    tree, line = window.tree.picture, window.transport.timeline
    qtbot.waitUntil(lambda: tree.height() >= 80)
    assert window.path.height() > tree.height()
    assert tree.mapToGlobal(QPoint()).x() == line.mapToGlobal(QPoint()).x()


def test_hint_and_values_never_touch_the_counters_on_display(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    click(qtbot, window, 0)
    result = search(qtbot, window, algorithm="minimax")
    window.values_action.setChecked(True)
    window.hint_action.trigger()
    game, position = window.record.game, window.record.position
    qtbot.waitUntil(lambda: window.move_values.best_of(game, position) is not None, timeout=LONG)
    assert window.move_values.best_of(game, position) == 4
    values = window.move_values.values_of(game, position)
    assert {move for move, found in values.items() if found.value.number >= 0} == {4}, "only the centre holds a corner"
    assert window.analysis.result is result
    assert len(window.analysis.runs) == 1


def test_a_change_of_the_board_ends_the_search_for_the_next(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    window.analysis.change(speed=20.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    click(qtbot, window, 4)
    assert window.analysis.phase is Phase.IDLE
    result = search(qtbot, window, speed=1e9)
    assert window.analysis.result is result
    assert result.job.position == ".../.x./..."


def test_another_game_cancels_the_search_even_where_its_board_looks_alike(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    window.analysis.change(speed=20.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    window.choose_game("mnk:4,4,4")
    assert window.record.position == window.record.game.start == (0, 0)
    assert window.analysis.phase is Phase.IDLE


def test_held_back_the_search_is_live_and_pauses_and_goes_on(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    window.analysis.change(speed=200.0)
    with qtbot.waitSignals([window.analysis.moved] * 5, timeout=LONG):
        window.think_action.trigger()
    info = window.analysis.info
    assert info is not None
    assert info.path
    qtbot.waitUntil(lambda: window.path.accessibleDescription().startswith("X to move"))
    window.pause_action.trigger()
    assert window.analysis.phase is Phase.PAUSED
    window.pause_action.trigger()
    assert window.analysis.phase is Phase.RUNNING
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.stop_action.trigger()
    assert window.analysis.result is not None
    assert window.analysis.result.end is End.STOPPED


def nodes_of(window: Window) -> int:
    return window.analysis.info.counters.nodes if window.analysis.info else 0


def test_step_begins_a_search_and_shows_one_event_each_time(qtbot: QtBot, window: Window) -> None:
    """Eight nodes are entered, down to the end of a game; then the value of the last comes up."""
    window.record.set_computer(NOBODY)
    for moment in range(9):
        window.step_action.trigger()
        qtbot.waitUntil(lambda moment=moment: getattr(window.analysis.info, "moment", None) == moment, timeout=LONG)
        assert nodes_of(window) == min(8, moment + 1)
    assert window.analysis.phase is Phase.PAUSED


@pytest.mark.parametrize(("algorithm", "backend"), [("minimax", "threads"), ("alphabeta", "serial")])
def test_every_control_can_be_toggled_during_a_search(
    qtbot: QtBot, window: Window, algorithm: str, backend: str
) -> None:
    window.record.set_computer(NOBODY)
    window.analysis.change(algorithm=algorithm, backend=backend, speed=500.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: nodes_of(window) > 0, timeout=LONG)
    for made in (*window.modes.algorithms.values(), *window.modes.backends.values(), *window.view_menu.themes.values()):
        made.trigger()
    for schedule in Schedule:
        window.analysis.change(schedule=schedule)
    window.analysis.change(split=2, limit=Limit(depth=3), scoring=Scoring.SOONEST)
    look = window.view_menu
    for made in (window.slower_action, window.faster_action, look.larger, look.smaller, look.usual):
        made.trigger()
    for made in (window.pause_action, window.pause_action, window.values_action, window.hint_action):
        made.trigger()
    window.analysis.change(form=Form.NEGAMAX)
    window.resize(1000, 640)
    window.resize(1500, 900)
    assert window.analysis.job is not None
    assert window.analysis.job.algorithm == algorithm, (
        "what runs keeps its settings; the next search takes the new ones"
    )
    window.speed.set_speed(1e9)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.stop_action.trigger()


def test_pause_step_stop_and_new_clicked_fast_in_any_order(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    search(qtbot, window)
    window.analysis.change(speed=100.0)
    actions = (window.think_action, window.pause_action, window.step_action, window.stop_action, window.new_action)
    for turn in range(60):
        actions[turn * 7 % 5].trigger()
        actions[turn * 3 % 5].trigger()
    window.new_action.trigger()
    assert search(qtbot, window, speed=1e9).info.counters.nodes == 549_946


@pytest.mark.parametrize("backend", ["serial", "threads"])
def test_the_window_can_be_closed_during_a_search(qtbot: QtBot, window: Window, backend: str) -> None:
    window.record.set_computer(NOBODY)
    window.choose_game("mnk:4,4,4")
    window.analysis.change(backend=backend)
    window.think_action.trigger()
    window.size_notice.anyway_button.click()
    qtbot.waitUntil(lambda: nodes_of(window) > 0, timeout=LONG)
    window.close()
    # Threads left running fail the test: see conftest.


def test_a_search_stopped_at_once_says_so_and_the_computer_waits(qtbot: QtBot, window: Window) -> None:
    window.analysis.change(speed=1.0, watch_answers=True)
    click(qtbot, window, 0)
    qtbot.waitUntil(lambda: nodes_of(window) > 0, timeout=LONG)
    window.stop_action.trigger()
    qtbot.waitUntil(lambda: "stopped before a move" in window.board_panel.notice.text, timeout=LONG)
    assert window.record.moves == (0,)
    window.analysis.change(speed=1e9)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: len(window.record.moves) == 2, timeout=LONG)


def test_a_size_that_does_not_exist_is_refused_and_the_game_goes_on(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(NOBODY)
    click(qtbot, window, 0)
    window.choose_game("mnk:9,9,5")
    assert "1 to 64 squares" in window.board_panel.notice.text
    assert window.record.moves == (0,)


def test_what_was_chosen_is_there_again_at_the_next_start(qtbot: QtBot, tmp_path: Path) -> None:
    kept = QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)
    first = Window(kept)
    qtbot.addWidget(first)
    first.analysis.change(algorithm="alphabeta", scoring=Scoring.SOONEST, split=3, limit=Limit(depth=4))
    first.options.expert.open()
    first.choose_game("mnk:4,4,3")
    first.record.set_computer(frozenset({0}))
    first.analysis.drop()
    theme().choose("dark")
    first.close()
    theme().choose("light")
    second = Window(kept)
    qtbot.addWidget(second)
    assert second.analysis.settings == first.analysis.settings
    assert second.record.game.spec == "mnk:4,4,3"
    assert second.record.computer == frozenset({0})
    assert second.options.expert.is_open
    assert theme().choice == "dark"
    second.options.expert.open(False)
    second.close()
    third = Window(kept)
    qtbot.addWidget(third)
    assert not third.options.expert.is_open
    third.close()
    theme().choose("light")


def test_damaged_settings_are_left_at_their_defaults(qtbot: QtBot, tmp_path: Path) -> None:
    kept = QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)
    for name, value in (("layout", 1), ("search", "{"), ("theme", "mauve"), ("geometry", "x"), ("game", "go")):
        kept.setValue(name, value)
    window = Window(kept)
    qtbot.addWidget(window)
    assert window.record.game.spec == "tictactoe"
    window.close()


def test_an_error_in_the_search_thread_is_shown_and_the_window_lives(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    import engine.backends

    def broken(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    window.record.set_computer(NOBODY)
    search(qtbot, window)
    with monkeypatch.context() as patched:
        patched.setattr(engine.backends, "run", broken)
        with qtbot.waitSignal(window.analysis.failed, timeout=LONG):
            window.think_action.trigger()
    dialog = window.findChild(ErrorDialog)
    assert dialog is not None
    assert "on purpose" in dialog.what.text()
    dialog.close()
    assert window.analysis.phase is Phase.IDLE
    assert search(qtbot, window).end is End.COMPLETE


@pytest.mark.no_qt_log  # it keeps Qt's messages, which a small window makes with every update
def test_updates_leak_nothing(qtbot: QtBot, window: Window) -> None:
    window.resize(700, 500)
    window.record.set_computer(NOBODY)
    search(qtbot, window, algorithm="alphabeta")
    counts = []
    for _ in range(3):
        for turn in range(10):
            window.record.new()
            window.record.play(turn % 9)
            window.figures.refresh()
            window.path.repaint()
            window.board.repaint()
        gc.collect()
        counts.append((len(gc.get_objects()), sys.getrefcount(None), threading.active_count()))
    _, first, last = counts
    assert last[0] <= first[0] + 3
    if sys.version_info < (3, 12):  # from then on None lives for ever, and not all references to it are counted
        assert last[1] >= first[1] - 3, "a PySide6 that loses a reference to None with every call is to be pinned out"
    assert last[2] == first[2]


@pytest.mark.parametrize(("choice", "scene"), [("light", "lesson"), ("contrast dark", "a move")])
def test_a_picture_of_the_window_shows_the_scripted_game_in_its_colours(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choice: str, scene: str
) -> None:
    file = tmp_path / "window.png"
    monkeypatch.setitem(screenshots.SCENES, "a move", a_move)
    save_screenshot(file, (1200, 800), choice, scene)
    picture = QImage(str(file))
    assert (picture.width(), picture.height()) == (1200, 800)
    assert picture.pixelColor(2, 300).name().upper() == theme().colours.ground
    seen = {picture.pixelColor(x, y).name().upper() for x in range(0, 500, 3) for y in range(60, 500, 3)}
    assert theme().colours.x in seen
    assert theme().colours.card in seen
    theme().choose("light")


def a_move(window: Window) -> None:
    """A scene that takes no time."""
    window.record.set_computer(NOBODY)
    window.play(0)


def test_a_picture_cannot_be_written_where_there_is_no_folder(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(screenshots.SCENES, "a move", a_move)
    with pytest.raises(ValueError, match="cannot be written"):
        save_screenshot(tmp_path / "missing" / "window.png", (800, 600), scene="a move")
    with pytest.raises(ValueError, match="not possible"):
        save_screenshot(tmp_path / "window.png", (0, 600))
    with pytest.raises(ValueError, match="choose at least"):
        save_screenshot(tmp_path / "window.png", (100, 600))


def test_a_picture_whose_searches_take_too_long_is_refused(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screenshots, "PATIENCE_SECONDS", -1)
    with pytest.raises(ValueError, match="took more than"):
        save_screenshot(tmp_path / "window.png")
    assert not left_behind(), "Qt aborts a process that ends before such a thread"


def test_every_view_is_right_after_searches_one_upon_the_other(qtbot: QtBot, window: Window) -> None:
    searches = 8
    window.drawers["workers"].show()
    window.record.set_computer(NOBODY)
    click(qtbot, window, 0)
    window.analysis.change(algorithm="alphabeta")
    window.analysis.finished.connect(lambda _: window.think() if len(window.analysis.runs) < searches else None)
    window.think()
    table = window.runs.model()
    qtbot.waitUntil(lambda: table.rowCount() == searches, timeout=LONG)
    assert not window.analysis.is_running
    assert table.index(0, 3).data().split("\n")[0] == window.figures.figure("nodes") == f"{ALPHABETA_BELOW_A1:,}"
    result = window.analysis.result
    assert result is not None
    assert result.trace is not None
    assert result.trace.moves(window.replay.row or 0) == result.info.pv
    assert window.workers.accessibleDescription() == f"worker 1: {ALPHABETA_BELOW_A1:,} nodes"


def test_a_click_on_the_speed_takes_it_there(qtbot: QtBot, window: Window) -> None:
    slider = window.speed.findChild(QSlider)
    for share in (0.0, 0.5, 1.0):
        spot = QPoint(round(share * (slider.width() - 1)), slider.height() // 2)
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=spot)
        assert slider.value() == pytest.approx(share * slider.maximum(), abs=1)


def test_with_less_motion_a_move_is_there_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    kept = QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)
    first = Window(kept)
    qtbot.addWidget(first)
    first.show()
    first.record.set_computer(NOBODY)
    first.play(0)
    assert first.board.is_moving
    first.view_menu.motion.trigger()
    assert not first.board.is_moving
    first.close()
    theme().set_motion(True)
    second = Window(kept)
    qtbot.addWidget(second)
    second.show()
    assert second.view_menu.motion.isChecked()
    second.record.set_computer(NOBODY)
    second.play(1)
    assert not second.board.is_moving
    second.close()
    theme().set_motion(True)
