"""The tour: it shows the window's own parts, goes on after each tour event, and loses no game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from engine import registry
from engine.options.catalogue import Limit
from engine.result import State
from engine.text.numbers import DASH
from gui.help import tour as tour_module
from gui.help.spotlight import beside
from gui.help.tour import MISSING, read_steps
from gui.help.tour_facts import facts
from gui.help.welcome import Invitation
from gui.style.theme import theme
from gui.tree.path_text import tool_tip, why_pruned
from gui.widgets.actions import entries
from gui.window import Window

LONG = 60_000
GAME = registry.game("tictactoe")


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings) -> Iterator[Window]:
    theme().choose("light")
    made = Window(settings)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    yield made
    made.close()
    theme().set_zoom(1.0)


def title(window: Window) -> str:
    return window.tour.step.title


def said(window: Window) -> str:
    """The text on the card."""
    return window.tour.spotlight.card.text.text()


def click(qtbot: QtBot, button: QWidget) -> None:
    """A real click on a lit part or on the card: a dimmed part would not get it."""
    window = button.window()
    qtbot.waitUntil(lambda: window.childAt(button.mapTo(window, button.rect().center())) is button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def command(window: Window, name: str) -> QToolButton:
    """The button of a command."""
    buttons = window.findChildren(QToolButton)
    return next(button for button in buttons if (made := button.defaultAction()) and made.objectName() == name)


def press_on(qtbot: QtBot, window: Window, wanted: str) -> None:
    """Press the card's button, which leads to the step with this title."""
    click(qtbot, window.tour.spotlight.card.on_button)
    assert title(window) == wanted


def wait_until_done(qtbot: QtBot, window: Window, words: str) -> None:
    """Wait until the card has another text, with this beginning, in the same step."""
    before = title(window)
    qtbot.waitUntil(lambda: said(window).startswith(words), timeout=LONG)
    assert title(window) == before, "there is time to look"
    assert window.tour.spotlight.card.on_button.text() == "&Next"


def lit(window: Window) -> list[QWidget]:
    return [part for part in window.tour._watched if part.isVisible()]


def test_every_claim_of_the_tour_is_so_where_a_person_takes_it(
    qtbot: QtBot, window: Window, settings: QSettings
) -> None:
    (invitation,) = window.findChildren(Invitation)
    click(qtbot, invitation)
    assert not invitation.isVisible()
    card, record, analysis, notation = window.tour.spotlight.card, window.record, window.analysis, GAME.notation
    assert (title(window), card.place.text()) == ("Play", "Step 1 of 9")
    qtbot.waitUntil(card.isVisible)

    # You are X, the computer is O. Click a square, or go there with the arrow keys.
    assert (record.mover, record.computer) == (0, frozenset({1}))
    assert window.focusWidget() is window.board
    square = window.board.square_rect(0).center().toPoint()
    assert window.childAt(window.board.mapTo(window, square)) is window.board, "what is lit can be clicked"
    assert window.childAt(window.rect().center()) is window.tour.spotlight, "the rest cannot"
    qtbot.mouseClick(window.board, Qt.MouseButton.LeftButton, pos=QPoint(square))
    wait_until_done(qtbot, window, "The computer answered O ")
    assert record.last_move is not None
    answer = f"O {notation.move_name(record.last_move)}"
    assert f"answered {answer}." in said(window)
    assert analysis.position == record.positions[-2], "it searched the position after the person's move"

    # This is the search that found the answer; O takes the smallest of X's values, the rows below follow best play.
    press_on(qtbot, window, "The search behind the answer")
    top, moves = window.path.rows[:2]
    cells = [moves.cell(place) for place in range(len(moves))]
    assert f"found {answer}," in said(window)
    assert top.position(0) == record.positions[-2]
    assert notation.players[top.mover] == "O"
    assert moves.view == 0, "values are X's"
    values = {cell.move: cell.value.number for cell in cells if cell.value is not None}
    assert values[record.last_move] == min(values.values())
    chosen = next(cell for cell in cells if cell.move == record.last_move)
    assert said(window).endswith(f"O takes the smallest, {chosen.text}.")
    assert analysis.result is not None
    assert analysis.result.trace is not None
    assert analysis.result.trace.moves(window.replay.row or 0) == analysis.result.info.pv

    # It visited so many nodes. Minimax leaves none out.
    press_on(qtbot, window, "What it cost")
    assert lit(window) == [window.drawers["figures"]]
    assert f"visited {window.figures.figure('nodes')} nodes" in said(window)
    qtbot.waitUntil(lambda: window.figures.figure("never") == "0", timeout=LONG)
    assert analysis.job is not None
    assert analysis.job.algorithm == "minimax"

    # Press Think: your best move. Nothing was played.
    press_on(qtbot, window, "Think")
    line = record.line
    click(qtbot, command(window, "Think"))
    wait_until_done(qtbot, window, "It found ")
    assert analysis.position == record.position
    assert record.line == line
    assert {window.path, window.drawers["figures"]} == set(lit(window))
    best, _, verdict = window.figures.figure("best").partition("  ")
    assert said(window).startswith(f"It found {best}: {verdict}. It visited {window.figures.figure('nodes')} nodes.")
    minimax = window.figures.figure("nodes")

    # Alpha-beta searches the same position.
    press_on(qtbot, window, "Alpha-beta")
    position = analysis.position
    click(qtbot, command(window, "Alpha-beta"))
    click(qtbot, command(window, "Think"))
    wait_until_done(qtbot, window, "It found ")
    assert analysis.position == position
    assert analysis.job.algorithm == "alphabeta"
    alphabeta = window.figures.figure("nodes")
    assert said(window) == f"It found {best}: {verdict}. This time it took {alphabeta} nodes."

    # Each search is a row, the newest on top. Both find the same.
    press_on(qtbot, window, "Compare the two")
    table = window.runs.model()
    qtbot.waitUntil(lambda: table.rowCount() == 3)
    rows = [tuple(table.index(row, column).data().splitlines()[0] for column in (0, 3)) for row in range(2)]
    assert rows == [("alpha-beta", alphabeta), ("minimax", minimax)], "no other search is between them"
    compared = f"Minimax took {minimax} nodes, alpha-beta {alphabeta}. Both find {best}: {verdict}."
    assert compared in said(window)
    newest, before = analysis.runs[:2]
    assert (newest.info.best, newest.info.value) == (before.info.best, before.info.value)
    assert newest.info.counters.nodes < before.info.counters.nodes

    # Click the second move of the row below the top board, or press Home, Down, then Right: what is struck out was
    # never searched, and why.
    press_on(qtbot, window, "A branch that was never searched")
    assert not window.path.shows_pruned, "the person finds it"
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right):
        QTest.keyClick(window.focusWidget(), key)
    assert (len(window.replay.chain), window.path.rows[1].current) == (2, 1)
    picture = window.path._picture
    for place in range(1, len(window.path.rows[1])):
        spots = (QPoint(x, y) for y in range(0, picture.height(), 8) for x in range(0, picture.width(), 8))
        spot = next(spot for spot in spots if picture.spot_at(spot) == (1, place))
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=spot)
        if window.path.shows_pruned:
            break
    wait_until_done(qtbot, window, "What is struck out was never searched. Pruned: ")
    last = window.path.rows[-1]
    states = [last.cell(index).state for index in range(len(last))]
    assert State.PRUNED in states
    assert said(window).endswith(tool_tip(last, states.index(State.PRUNED), False).split("\n")[-1])

    # Press Step three times: one node each time, the path goes down.
    press_on(qtbot, window, "One node at a time")
    plies = []
    for nodes in (1, 2, 3):
        click(qtbot, command(window, "Step"))
        qtbot.waitUntil(lambda nodes=nodes: analysis.info is not None and analysis.info.counters.nodes == nodes)
        plies.append(sum(row.focus is not None for row in window.path.rows))
    assert plies == sorted(set(plies)), "each node is a ply deeper"
    wait_until_done(qtbot, window, "3 nodes so far")
    slider = window.speed.findChild(QSlider)
    click(qtbot, slider)
    assert command(window, "Think").text() == "Resume"

    # Measure this position.
    press_on(qtbot, window, "What more threads buy")
    buttons = [button.text() for button in window.speedup.findChildren(QPushButton) if button.isVisible()]
    assert buttons == ["Measure this position", "More"]
    assert card.on_button.text() == "&Done"
    click(qtbot, card.on_button)
    assert not window.tour.is_on
    assert not window.tour.spotlight.isVisible()
    assert window.focusWidget() is window.board
    qtbot.waitUntil(lambda: settings.contains(tour_module.TAKEN))


def test_show_me_shows_what_the_card_says_whatever_was_done_before(qtbot: QtBot, window: Window) -> None:
    window.tour_action.trigger()
    card, analysis = window.tour.spotlight.card, window.analysis
    qtbot.waitUntil(card.isVisible)
    window.play(0)
    card.on_button.click()
    assert title(window) == "Play", "the answer is coming"
    wait_until_done(qtbot, window, "The computer answered O ")
    while title(window) != "Think":
        window.tour.go_on()
    analysis.change(algorithm="alphabeta", speed=50.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: analysis.info is not None)
    card.on_button.click()
    wait_until_done(qtbot, window, "It found ")
    assert analysis.job is not None
    assert analysis.job.algorithm == "minimax"
    while title(window) != "One node at a time":
        window.tour.go_on()
    card.on_button.click()
    wait_until_done(qtbot, window, "3 nodes so far")
    card.back_button.click()
    with qtbot.waitSignal(analysis.finished, timeout=LONG):
        card.on_button.click()
    card.on_button.click()
    wait_until_done(qtbot, window, "What is struck out was never searched. Pruned: ")


def test_whoever_only_presses_the_cards_button_is_shown_the_same(qtbot: QtBot, window: Window) -> None:
    window.tour_action.trigger()
    card, steps = window.tour.spotlight.card, read_steps()
    qtbot.waitUntil(card.isVisible)
    for step in steps:
        assert title(window) == step.title
        assert DASH not in said(window), "nothing that is told is missing"
        if step.until:
            assert card.on_button.text() == "&Show me"
            click(qtbot, card.on_button)
            qtbot.waitUntil(lambda: card.on_button.text() == "&Next", timeout=LONG)
            assert title(window) == step.title
            assert DASH not in said(window)
        if step.title == "Compare the two":
            assert "Both find" in said(window)
        click(qtbot, card.on_button)
    assert not window.tour.is_on
    assert window.analysis.job is None, "no search was on display before"
    assert (window.path.rows, window.replay.moments) == ((), None)
    assert not [name for name, card in window.drawers.items() if card.isVisible()], "as before it"
    assert not [chip for chip in window.strip.chips.values() if chip.isVisible()]


def test_a_tour_that_is_taken_with_no_spoilers_on_tells_none(qtbot: QtBot, window: Window) -> None:
    window.spoilers_action.trigger()
    window.tour_action.trigger()
    card = window.tour.spotlight.card
    qtbot.waitUntil(card.isVisible)
    click(qtbot, card.on_button)
    qtbot.waitUntil(lambda: card.on_button.text() == "&Next", timeout=LONG)
    for _ in range(3):
        click(qtbot, card.on_button)
    click(qtbot, card.on_button)
    wait_until_done(qtbot, window, "What it found is hidden. It visited ")


def test_of_a_search_that_ended_early_it_says_that_nothing_was_found(qtbot: QtBot, window: Window) -> None:
    window.analysis.change(limit=Limit(nodes=1))
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    assert facts(window.record, window.analysis, window.path)["found"] == "It found no move yet."


def test_the_reason_is_that_of_the_moves_that_are_struck_out(searched_window: Window) -> None:
    """Also where the path goes on beside them."""
    window, beside = searched_window, 0
    assert window.replay.trace is not None
    for row in range(0, 400, 3):
        window.replay.go_to_row(row)
        pruned = [shown for shown in window.path.rows if State.PRUNED in map(shown.state, range(len(shown)))]
        reason = facts(window.record, window.analysis, window.path).get("reason")
        assert reason == (why_pruned(pruned[-1]) if pruned else None)
        assert reason is None or "∞" not in reason, "a bound that was found"
        beside += bool(pruned) and pruned[-1] is not window.path.rows[-1]
    assert beside


def test_the_persons_own_game_comes_back_with_its_file_and_settings(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    window.record.set_computer(frozenset())
    window.record.new(registry.game("mnk:4,3,3"))
    window.analysis.change(algorithm="alphabeta", speed=50.0)
    window.play(5)
    window.files.save_to(tmp_path / "mine.plyscope")
    window.play(0)
    window.play(1)
    window.undo_action.trigger()
    before = window.record.game, window.record.moves, window.record.line, window.record.computer, window.record.seed
    window.tour_action.trigger()
    assert window.record.game.spec == "tictactoe"
    assert window.analysis.settings.algorithm == "minimax"
    window.play(4)
    qtbot.waitUntil(lambda: len(window.record.moves) == 2, timeout=LONG)
    qtbot.keyClick(window.board, Qt.Key.Key_Escape)
    assert not window.tour.is_on
    record = window.record
    assert (record.game, record.moves, record.line, record.computer, record.seed) == before
    assert (window.analysis.settings.algorithm, window.analysis.settings.speed) == ("alphabeta", 50.0)
    assert window.files.path == tmp_path / "mine.plyscope"
    assert not window.files.is_saved, "two moves have come since"
    window.files.recent.aboutToShow.emit()
    assert [made.text() for made in window.files.recent.actions() if made.text()] == ["mine"]


def test_the_search_on_display_comes_back_after_it(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(frozenset())
    window.play(8)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    own = window.analysis.whole
    window.tour.start()
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.play(0)
    assert window.analysis.whole is not own
    window.tour.leave()
    assert window.analysis.whole is own
    assert window.analysis.is_of(window.record.game, window.record.position)


def test_it_can_be_left_at_any_moment_by_keyboard_too(qtbot: QtBot, window: Window) -> None:
    window.record.set_computer(frozenset())
    window.play(8)
    for leave in "escape", "button", "close":
        window.tour_action.trigger()
        window.tour.go_on()
        card = window.tour.spotlight.card
        assert QApplication.focusWidget() is card.on_button or not window.isActiveWindow()
        qtbot.keyClick(card.on_button, Qt.Key.Key_Return)
        assert title(window) == "What it cost"
        qtbot.keyClick(card.back_button, Qt.Key.Key_Return)
        assert title(window) == "The search behind the answer"
        assert card.accessibleName() == "The search behind the answer, Step 2 of 9"
        assert card.accessibleDescription() == card.text.text()
        if leave == "escape":
            qtbot.keyClick(card.on_button, Qt.Key.Key_Escape)
        elif leave == "button":
            click(qtbot, card.leave_button)
        else:
            window.close()
        assert not window.tour.is_on, leave
        assert window.record.moves == (8,), leave


def test_tab_goes_round_in_what_is_lit_and_on_the_card(qtbot: QtBot, window: Window) -> None:
    window.tour.start()
    card = window.tour.spotlight.card
    qtbot.waitUntil(card.isVisible)
    for step in read_steps():
        lit = [part for part in window.tour._watched if part.isVisible()]
        for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            reached = set()
            for _ in range(40):
                at = window.focusWidget()
                assert at is not None
                assert any(part is at or part.isAncestorOf(at) for part in (*lit, card)), (step.title, key)
                reached.add(at)
                qtbot.keyClick(at, key)
            assert reached >= {card.leave_button, card.on_button}, (step.title, key)
        window.tour.go_on()
    assert not window.tour.is_on


def test_esc_leaves_the_tour_and_not_the_search_that_runs(qtbot: QtBot, window: Window) -> None:
    window.tour_action.trigger()
    window.step_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    stopped: list[object] = []
    window.stop_action.triggered.connect(stopped.append)
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)  # as the system sends it, shortcuts first
    assert not window.tour.is_on
    assert stopped == []


def test_every_step_lights_something_and_its_card_is_in_the_window(qtbot: QtBot, window: Window) -> None:
    names = {made.objectName() for _, made in entries(window)}
    spotlight = window.tour.spotlight
    for size, zoom in ((1440, 900), 1.0), ((1024, 680), 1.5):
        theme().set_zoom(zoom)
        window.resize(*size)
        window.tour.start()
        for step in read_steps():
            assert title(window) == step.title
            assert not step.end or step.end in names
            for is_done in (False, True)[: 1 + bool(step.until)]:
                if is_done:
                    window.tour._events.done.emit(step.until)
                QApplication.processEvents()
                qtbot.waitUntil(lambda: window.rect().contains(spotlight.card.geometry()))
                lit = window.rect().width() * window.rect().height() - sum(
                    part.width() * part.height() for part in spotlight.mask()
                )
                assert lit > 0, step.title
                text = spotlight.card.text
                assert text.height() >= text.heightForWidth(text.width()), "no line is cut off"
                assert "{" not in text.text(), "the key of a command that is not there"
            window.tour.go_on()
        assert not window.tour.is_on


def test_the_buttons_of_the_card_have_room_for_long_words(window: Window) -> None:
    window.tour.start()
    card = window.tour.spotlight.card
    card.leave_button.setText("Tour verlassen")
    card.back_button.setText("Einen Schritt zurück")
    card.say("Titel", "Ein Satz.", "Schritt 1 von 9", "Das für mich machen", is_first=True)
    window.tour.spotlight.light([])
    QApplication.processEvents()
    for part in (card.place, card.leave_button, card.back_button, card.on_button):
        assert part.width() >= part.sizeHint().width(), part.text()
    assert window.rect().contains(card.geometry())


def test_the_card_goes_beside_what_is_lit_or_into_the_corner() -> None:
    room, card = QRect(0, 0, 1000, 600), QRect(0, 0, 300, 150)
    for lit in (QRect(0, 0, 300, 300), QRect(700, 100, 300, 400), QRect(100, 0, 800, 100), QRect(100, 500, 800, 100)):
        place = beside(lit, QRect(card), room)
        assert room.contains(place)
        assert not place.intersects(lit)
    assert room.contains(beside(room, QRect(card), room))


def test_without_its_words_the_tour_says_so(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tour_module, "resource", lambda _: Path("nowhere"))
    window.tour_action.trigger()
    assert window.tour.step == MISSING
    window.tour.go_on()
    assert not window.tour.is_on
