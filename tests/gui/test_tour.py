"""The tour: it points at the window's own parts, goes on when something was done there, and costs nobody a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from engine import registry
from gui.actions import entries
from gui.help import tour as tour_module
from gui.help.spotlight import beside
from gui.help.tour import MISSING, read_steps
from gui.help.welcome import Invitation
from gui.theme import theme
from gui.window import Window

LONG = 60_000


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setattr(tour_module, "GOING_ON_MILLISECONDS", 0)
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


def click(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def reach(qtbot: QtBot, window: Window, wanted: str) -> None:
    """Wait until the tour has gone there by itself."""
    qtbot.waitUntil(lambda: title(window) == wanted, timeout=LONG)


def test_the_whole_tour_goes_on_by_what_the_person_does(qtbot: QtBot, window: Window, settings: QSettings) -> None:
    (invitation,) = window.findChildren(Invitation)
    assert invitation.isVisible()
    click(qtbot, invitation)
    assert not invitation.isVisible()
    card = window.tour.spotlight.card
    assert (title(window), card.place.text()) == ("Play", "Step 1 of 9")
    qtbot.waitUntil(card.isVisible)
    square = window.board.square_rect(0).center().toPoint()
    at = window.board.mapTo(window, square)
    assert window.childAt(at) is window.board, "what is lit can be clicked"
    assert window.childAt(window.rect().center()) is window.tour.spotlight, "the rest cannot"
    qtbot.mouseClick(window.board, Qt.MouseButton.LeftButton, pos=QPoint(square))
    reach(qtbot, window, "The search behind the answer")
    click(qtbot, card.on_button)
    click(qtbot, card.on_button)
    window.think_action.trigger()
    reach(qtbot, window, "One node at a time")
    for _ in range(3):
        window.step_action.trigger()
    reach(qtbot, window, "Alpha-beta")
    qtbot.waitUntil(lambda: not window.analysis.is_running, timeout=LONG)
    window.modes.algorithms["alphabeta"].trigger()
    window.think_action.trigger()
    reach(qtbot, window, "Compare the two")
    click(qtbot, card.on_button)
    qtbot.keyClick(window.path, Qt.Key.Key_Down)
    qtbot.keyClick(window.path, Qt.Key.Key_Right)
    reach(qtbot, window, "What more threads buy")
    assert card.on_button.text() == "&Done"
    click(qtbot, card.on_button)
    assert not window.tour.is_on
    assert not window.tour.spotlight.isVisible()
    assert settings.contains(tour_module.TAKEN)


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
    assert not window.files.is_kept, "two moves have come since"
    window.files.recent.aboutToShow.emit()
    assert [made.text() for made in window.files.recent.actions() if made.text()] == ["mine"]


@pytest.mark.parametrize("leave", ["escape", "button", "close"])
def test_it_can_be_left_at_any_moment_by_keyboard_too(qtbot: QtBot, window: Window, leave: str) -> None:
    window.record.set_computer(frozenset())
    window.play(8)
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
    assert not window.tour.is_on
    assert window.record.moves == (8,)


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab], ids=["Tab", "Shift+Tab"])
def test_tab_goes_round_in_what_is_lit_and_on_the_card(qtbot: QtBot, window: Window, key: Qt.Key) -> None:
    window.tour.start()
    card = window.tour.spotlight.card
    qtbot.waitUntil(card.isVisible)
    for step in read_steps():
        lit = [part for part in window.tour._watched if part.isVisible()]
        reached = set()
        for _ in range(40):
            at = window.focusWidget()
            assert at is not None
            assert any(part is at or part.isAncestorOf(at) for part in (*lit, card)), step.title
            reached.add(at)
            qtbot.keyClick(at, key)
        assert reached >= {card.leave_button, card.on_button}, step.title
        window.tour.go_on()
    assert not window.tour.is_on


def test_esc_leaves_the_tour_and_not_the_search_that_runs(qtbot: QtBot, window: Window) -> None:
    window.tour_action.trigger()
    window.step_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    stopped: list[object] = []
    window.analysis.finished.connect(stopped.append)
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)  # as the system sends it, shortcuts first
    assert not window.tour.is_on
    assert stopped == []


@pytest.mark.parametrize(("size", "zoom"), [((1440, 900), 1.0), ((1024, 680), 1.0), ((1024, 680), 1.5)])
def test_every_step_lights_something_and_its_card_is_in_the_window(
    qtbot: QtBot, window: Window, size: tuple[int, int], zoom: float
) -> None:
    theme().set_zoom(zoom)
    window.resize(*size)
    window.tour.start()
    names = {made.objectName() for _, made in entries(window)}
    for step in read_steps():
        QApplication.processEvents()
        spotlight = window.tour.spotlight
        assert title(window) == step.title
        assert window.rect().contains(spotlight.card.geometry())
        lit = window.rect().width() * window.rect().height() - sum(
            part.width() * part.height() for part in spotlight.mask()
        )
        assert lit > 0, step.title
        text = spotlight.card.text
        assert text.height() >= text.heightForWidth(text.width()), "no line is cut off"
        assert "{" not in text.text(), "the key of a command that is not there"
        assert not step.end or step.end in names
        window.tour.go_on()
    assert not window.tour.is_on


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
