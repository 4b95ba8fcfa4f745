"""The window without mouse and pictures: every widget can be reached by Tab, shows its focus, has a name, and is in the
text view."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider, QWidget
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.options.catalogue import Limit
from engine.result import Bound, Snapshot, State
from gui.access.focus import stops
from gui.access.text_view import TextView, text
from gui.state.analysis import Phase
from gui.state.game_record import GameRecord
from gui.state.relevance import Relevance
from gui.state.wording import OVER
from gui.widgets import announce
from gui.window import Window
from tests.gui.shown import Shown

LONG = 60_000
"""Milliseconds: with a cold cache a search is compiled first."""
NOBODY: frozenset[int] = frozenset()
ALPHABETA_BELOW_A1 = 2_338


@pytest.fixture
def window(searched_window: Window) -> Window:
    return searched_window


@pytest.fixture
def seen(shared_search: Window, borrowed: Window) -> Window:
    """As `window`, for a test that leaves it as it found it."""
    return borrowed


@pytest.fixture
def mirror(window: Window) -> TextView:
    (view,) = window.findChildren(TextView)
    assert view.toPlainText() == "", "a hidden text is not written"
    return open_text(window)


@pytest.fixture
def seen_text(seen: Window) -> Iterator[TextView]:
    yield open_text(seen)
    seen.drawers["text"].hide()


def open_text(window: Window) -> TextView:
    """The text view, opened by its key."""
    QTest.keyClick(window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    (view,) = window.findChildren(TextView)
    assert view.hasFocus()
    return view


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The announcements, as if a screen reader was running."""
    heard: list[str] = []
    monkeypatch.setattr(announce.QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(announce.QAccessible, "updateAccessibility", lambda event: None)
    monkeypatch.setattr(announce, "QAccessibleAnnouncementEvent", lambda widget, words: heard.append(words))
    return heard


def by_tab(window: Window) -> Iterator[QWidget]:
    """The widgets in Tab order, from the board until the focus is there again."""
    window.board.setFocus(Qt.FocusReason.TabFocusReason)
    found: list[QWidget] = []
    while (widget := QApplication.focusWidget()) is not None and widget not in found:
        found.append(widget)
        QApplication.processEvents()  # its card may be behind a tab, and is raised
        yield widget
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    assert widget is window.board


def name_of(widget: QWidget) -> str:
    """The name of a widget for a screen reader: its label's text or its own name."""
    heard = QAccessible.queryAccessibleInterface(widget)
    labels = [other.text(QAccessible.Text.Name) for other, _ in heard.relations(QAccessible.RelationFlag.Label)]
    return (labels or [heard.text(QAccessible.Text.Name)])[0]


@pytest.mark.usefixtures("seen_text")
def test_tab_reaches_everything_focusable_and_each_says_its_name(seen: Window) -> None:
    for size in (QSize(1024, 680), seen.size()):
        seen.resize(size)
        reached = list(by_tab(seen))
        there = [widget for widget in stops(seen) if widget.isVisible() and widget.isEnabled()]
        assert set(reached) == set(there), size
        names = [name_of(widget) for widget in reached]
        for widget, name in zip(reached, names, strict=True):
            kinds = [kind.__name__ for kind in type(widget).__mro__]
            assert name, f"{kinds}, in {type(widget.parentWidget()).__name__}"
            assert name not in kinds
        told = [
            (name, QAccessible.queryAccessibleInterface(it).role()) for name, it in zip(names, reached, strict=True)
        ]
        assert len(set(told)) == len(told), f"{size}: two of the same name cannot be told apart"


def test_tab_goes_from_the_board_to_the_controls_the_path_and_the_rest(seen: Window) -> None:
    seen.drawers["options"].show()
    reached = list(by_tab(seen))
    first = [
        next(place for place, widget in enumerate(reached) if part is widget or part.isAncestorOf(widget))
        for part in (
            seen.board,
            seen.board_panel.moves,
            seen.tree_zone.header,
            seen.path,
            seen.tree,
            seen.options,
            seen.strip,
        )
    ]
    assert first == sorted(first)
    seen.drawers["options"].hide()


def test_a_pruned_move_is_asked_for_and_searched_by_keys(window: Window, said: list[str], qtbot: QtBot) -> None:
    why = window.why
    window.replay_actions.steps["start"].trigger()
    assert not window.why_action.isEnabled(), "no cutoff"
    QTest.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert why.note.startswith("Pruned: ")
    assert why._button.isHidden()
    said.clear()
    QTest.keyClick(window, Qt.Key.Key_W)
    assert said == [why.text]
    assert why._button in by_tab(window)
    assert why._button.hasFocus()
    with qtbot.waitSignal(why.search.runner.finished, timeout=60_000):
        QTest.keyClick(why._button, Qt.Key.Key_Space)
    assert " is worth " in why.text
    assert said[-1] == why.text
    QTest.keyClick(window, Qt.Key.Key_W)
    assert " is worth " in why.text, "the answer stays: there is no other move"
    while "," not in why.note:
        QTest.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    offered = list[str]()
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_W)
        offered.append(why._button.text())
    first, second = why.note.removeprefix("Pruned: ").partition(".")[0].split(", ")
    assert offered == [f"Search {move} anyway" for move in (first, second, first)]


def test_tab_goes_through_the_expert_options_in_their_order(window: Window) -> None:
    expert = window.options.expert
    expert.open()
    window.drawers["options"].show()
    last = expert.field("Threads per rank")
    reached = [widget for widget in by_tab(window) if expert.isAncestorOf(widget)]
    assert reached == [widget for widget in stops(expert) if widget.isVisible() and widget.isEnabled()]
    assert len(reached) > 5
    assert last not in reached, "there are no ranks"


def test_a_card_that_was_outside_the_window_is_back_in_its_place(window: Window) -> None:
    window.drawers["options"].show()
    QApplication.processEvents()
    before = list(by_tab(window))
    for card in (window.board_card, window.drawers["options"]):
        card.setFloating(True)
        card.setFloating(False)
    window.activateWindow()
    assert list(by_tab(window)) == before


def picture(window: Window, widget: QWidget) -> QImage:
    """A picture of a widget with its surroundings."""
    return window.grab(QRect(widget.mapTo(window, QPoint()), widget.size()).adjusted(-8, -8, 8, 8)).toImage()


@pytest.mark.usefixtures("mirror")
def test_what_has_the_keyboard_is_seen_to_have_it(window: Window) -> None:
    window.resize(1024, 680)
    for is_pressed in (False, True):
        for switch in (window.values_action, window.spoilers_action):
            switch.setChecked(is_pressed)
        for widget in by_tab(window):
            focused = picture(window, widget)
            parts = widget, *widget.findChildren(QWidget)  # one that paints all of its area hides what is behind it
            assert any(not part.visibleRegion().isEmpty() for part in parts)
            widget.clearFocus()
            assert picture(window, widget) != focused, f"{type(widget).__name__} {name_of(widget)}, {is_pressed}"
            widget.setFocus(Qt.FocusReason.TabFocusReason)


def test_the_ring_of_a_view_covers_nothing_of_it(seen: Window) -> None:
    """Not the names at its edge either, though they begin where the view does."""
    QApplication.processEvents()
    for view in (seen.path, seen.tree):
        own = QRect(view.mapTo(seen, QPoint()), view.size())
        view.setFocus(Qt.FocusReason.TabFocusReason)
        inside, around = seen.grab(own).toImage(), picture(seen, view)
        seen.board.setFocus(Qt.FocusReason.MouseFocusReason)
        assert seen.grab(own).toImage() == inside
        assert picture(seen, view) != around


def test_space_presses_the_focused_button_even_during_a_search(qtbot: QtBot, window: Window) -> None:
    window.analysis.change(speed=50.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    (stop,) = [widget for widget in by_tab(window) if name_of(widget) == "Stop"]
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        QTest.keyClick(stop, Qt.Key.Key_Space)
    assert window.analysis.phase is Phase.IDLE


def test_a_run_is_searched_again_and_a_node_seen_large_by_enter(qtbot: QtBot, window: Window) -> None:
    qtbot.waitUntil(lambda: window.runs.model().rowCount() == 1)
    window.runs.selectRow(0)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        QTest.keyClick(window.runs, Qt.Key.Key_Return)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down):
        QTest.keyClick(window.path, key)
    with qtbot.waitSignal(window.path.position_requested) as asked:
        QTest.keyClick(window.path, Qt.Key.Key_Return)
    (position,) = asked.args
    assert window.record.game.notation.format(position) == "xo./.../..."


def words_of(view: TextView) -> str:
    """The text when the view has taken the change, by its timer of 0 ms: one event loop step may leave that waiting."""
    QApplication.processEvents()
    while any(timer.isActive() for timer in view.findChildren(QTimer)):
        QApplication.processEvents()
    return view.toPlainText()


def test_the_text_tells_the_board_that_the_record_has(window: Window, mirror: TextView) -> None:
    text = words_of(mirror)
    assert text.startswith("THE BOARD\nTic-tac-toe, O to move, last move X on a1.\nRow 1: X, empty, empty\n")
    window.record.play(2)
    assert "last move O on c1.\nRow 1: X, empty, O\nRow 2: empty, empty, empty" in words_of(mirror)
    assert "Moves so far: a1 c1" in words_of(mirror)
    window.record.undo()
    assert words_of(mirror) == text
    window.board_panel.edit()
    draft = window.board_panel.draft
    assert draft is not None
    words = "THE BOARD\nTic-tac-toe, the position is being edited.\nRow 1: X, {},"
    assert words_of(mirror).startswith(words.format("empty"))
    draft.put(1, 1)
    assert words_of(mirror).startswith(words.format("O"))
    assert "\nX to move.\n" in words_of(mirror)
    draft.put(2, 1)
    assert draft.obstacle in words_of(mirror)
    window.board_panel.leave()
    assert words_of(mirror) == text
    game = window.record.game
    window.record.new(game, game.notation.parse("xxx/oo./..."))
    window.analysis.forget()
    assert words_of(mirror).endswith(f"THE SEARCH\n{OVER}")


def test_the_text_tells_the_search_and_the_node_that_was_walked_to(seen: Window, seen_text: TextView) -> None:
    assert f"Alpha-beta, serial, scores +1 / 0 / −1.\nIt has ended.\nNodes: {ALPHABETA_BELOW_A1:,}" in (
        words_of(seen_text)
    )
    assert seen.analysis.result is not None
    trace = seen.analysis.result.trace
    assert trace is not None
    row = next(
        row
        for row in range(len(trace))
        if any(child.state is State.PRUNED for child in trace.path_nodes(row)[-1].children)
    )
    seen.replay.go_to_row(row)
    here = trace.path_nodes(row)[-1]
    notation = seen.record.game.notation
    now = words_of(seen_text).partition("THE CURRENT NODE")[2]
    moves = [node.move for node in trace.path_nodes(row)[:-1]]
    assert f"after {' '.join(map(notation.move_name, moves))}: " in now
    told = [line.partition(":")[0] for line in now.splitlines() if line.startswith("Move ")]
    assert told == [f"Move {notation.move_name(child.move)}" for child in here.children]
    assert now.count(": Pruned: ") == sum(child.state is State.PRUNED for child in here.children)
    seen.replay.go_to_end()


def test_the_text_calls_a_move_the_best_where_its_value_is_exact_only(
    seen: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = seen.analysis.info
    assert info is not None
    for bound, line in (
        (Bound.EXACT, "Best move: b2, draw"),
        (Bound.LOWER, "Best so far: b2, ≥ 0 for O"),
        (Bound.UPPER, "No best move yet: ≤ 0 for O"),
    ):
        monkeypatch.setattr(seen.analysis, "_info", replace(info, value=replace(info.value, bound=bound)))
        now = text(seen.record, seen.analysis, seen.relevance.now, ())
        assert [said for said in now.splitlines() if said.startswith(line)]
        assert ("Principal variation: " in now) == (bound is not Bound.UPPER)


def test_the_text_has_the_value_of_a_chance_node(analysis: Shown) -> None:
    """Nobody moves there, so that no move is the best."""
    game = registry.game("random-turn:2,2,2")
    place = {"game": game.spec, "position": game.notation.format(game.start)}
    result = backends.solve(Job(**place, algorithm="expectiminimax", backend="interpreted"))
    analysis.begin(result.job)
    analysis.end(result)
    assert "Value: 0 for X on average" in text(GameRecord(game), analysis, Relevance(), ()).splitlines()


def test_the_text_is_that_of_the_moment_of_the_replay(seen: Window, seen_text: TextView) -> None:
    ended = words_of(seen_text)
    seen.replay.go(60)
    counted = seen.replay.replay.counters(60)
    now = words_of(seen_text)
    assert "What follows is of moment 61 of 4,676." in now
    assert f"Nodes: {counted['nodes']}, of these terminal: {counted['terminals']}" in now
    assert "Best move" not in now.partition("THE WHOLE TREE")[0]
    assert "Principal variation" not in now
    shares = [line for line in now.splitlines() if line.startswith("Move ") and "node" in line]
    assert shares == [f"Move b1: {counted['nodes'] - 1} nodes so far"]
    assert "Move c1: not visited yet" in now
    seen.replay.go_to_end()
    assert words_of(seen_text) == ended


def test_what_no_spoilers_hides_is_not_in_the_text_either(seen: Window, seen_text: TextView) -> None:
    seen.replay.go_to_row(0)
    before = words_of(seen_text)
    for told in ("Best move: b2, draw", "Principal variation: b2", "best 0, window", "Move b1: +1 for X"):
        assert told in before
    seen.spoilers_action.trigger()
    for secret in ("Best move", "Principal variation", "best", "window", "+1", "−1", ": 0"):
        assert secret not in words_of(seen_text).replace("scores +1 / 0 / −1", "")
    assert f"Nodes: {ALPHABETA_BELOW_A1:,}" in words_of(seen_text)
    seen.spoilers_action.trigger()
    assert words_of(seen_text) == before
    seen.replay.go_to_end()


def test_the_text_keeps_step_with_a_running_search(qtbot: QtBot, window: Window, mirror: TextView) -> None:
    window.analysis.change(speed=200.0)
    window.think_action.trigger()
    with qtbot.waitSignals([window.analysis.counted] * 2, timeout=LONG):
        pass
    window.pause_action.trigger()
    qtbot.waitUntil(lambda: "It is paused." in words_of(mirror))

    def agrees() -> bool:
        info: Snapshot | None = window.analysis.info
        return info is not None and f"Nodes: {info.counters.nodes:,}, " in words_of(mirror)

    qtbot.waitUntil(agrees)
    window.step_action.trigger()
    info = window.analysis.info
    qtbot.waitUntil(lambda: window.analysis.info is not info and agrees())
    window.stop_action.trigger()
    qtbot.waitUntil(lambda: "It is unfinished: stopped." in words_of(mirror), timeout=LONG)


def test_a_selection_in_the_text_stays_when_something_else_changes(window: Window, mirror: TextView) -> None:
    cursor = mirror.textCursor()
    cursor.setPosition(words_of(mirror).index("Alpha-beta"))
    cursor.movePosition(cursor.MoveOperation.EndOfWord, cursor.MoveMode.KeepAnchor, 1)
    mirror.setTextCursor(cursor)
    window.record.play(4)
    assert "Moves so far: a1 b2" in words_of(mirror)
    assert mirror.textCursor().selectedText() == "Alpha"


@pytest.mark.usefixtures("interpreted")
def test_the_text_follows_the_search_of_another_game(qtbot: QtBot, window: Window, mirror: TextView) -> None:
    """It was written while half of the views had taken the new search: a traceback."""
    window.replay.go(60)
    window.choose_game("ultimate")
    window.analysis.change(limit=Limit(depth=2))
    with qtbot.waitSignal(window.analysis.started, timeout=LONG):
        window.step_action.trigger()
    qtbot.waitUntil(lambda: "It is paused." in words_of(mirror), timeout=LONG)
    assert "THE SEARCH\nIt is of the position on the board." in words_of(mirror)
    window.stop_action.trigger()


def test_a_screen_reader_hears_where_the_keyboard_is_and_what_was_played(window: Window, said: list[str]) -> None:
    window.path.setFocus()
    window.board.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(window.board, Qt.Key.Key_Right)
    QTest.keyClick(window.board, Qt.Key.Key_Return)
    assert said == ["b2: empty", "c2: empty", "Tic-tac-toe, X to move, last move O on c2"]
    assert window.board.accessibleName() == "Board: Tic-tac-toe, X to move, last move O on c2"
    QTest.keyClick(window.path, Qt.Key.Key_Home)
    said.clear()
    QTest.keyClick(window.path, Qt.Key.Key_Down)
    assert said == ["X to move, best +1, window +1 to +∞"]


def test_the_figures_and_the_workers_are_told_in_words(seen: Window) -> None:
    for name in ("workers", "figures"):
        seen.drawers[name].show()
    told = seen.figures.accessibleDescription().split("; ")
    assert f"Nodes: {ALPHABETA_BELOW_A1:,}" in told
    assert "Cutoffs: 624, 1,126 moves pruned" in told
    assert seen.workers.accessibleDescription() == f"worker 1: {ALPHABETA_BELOW_A1:,} nodes"
    for name in ("workers", "figures"):
        seen.drawers[name].hide()


def test_after_a_stop_the_keyboard_is_at_the_board_and_seen_there(qtbot: QtBot, window: Window) -> None:
    window.board.setFocus()
    slider = window.speed.findChild(QSlider)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.width() * 0.3), slider.height() // 2))
    assert window.board.hasFocus(), "a click on the speed leaves the keyboard where it is"
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    (stop,) = [widget for widget in by_tab(window) if name_of(widget) == "Stop"]
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not stop.isEnabled()
    assert window.board.hasFocus()
    focused = picture(window, window.board)
    window.board.clearFocus()
    assert picture(window, window.board) != focused
