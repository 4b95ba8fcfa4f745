"""A hint in three steps: where to look, which move, and why; always by an exact search of its own."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine import registry
from gui.board.advice import Step
from gui.theme import theme
from gui.window import Window

LONG = 60_000


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    theme().choose("light")
    made = Window()
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    made.record.set_computer(frozenset())
    yield made
    made.close()


def begin(window: Window, position: str, spec: str = "tictactoe") -> None:
    game = registry.game(spec)
    window.record.new(game, game.notation.parse(position))


def ask(qtbot: QtBot, window: Window, step: Step) -> None:
    """Press Hint until so much is said."""
    while window.advice.step < step:
        window.hint_action.trigger()
    qtbot.waitUntil(lambda: not window.adviser.is_looking, timeout=LONG)


def picture(window: Window) -> QImage:
    return window.board.grab().toImage()


def test_the_first_press_says_where_the_second_which_the_third_why(qtbot: QtBot, window: Window) -> None:
    begin(window, "x../.../...")
    ask(qtbot, window, Step.AREA)
    seen = window.board.picture()
    assert seen.note == "Look at row 2."
    assert seen.area == {3, 4, 5}
    assert seen.hint is None
    tinted = picture(window)
    ask(qtbot, window, Step.MOVE)
    seen = window.board.picture()
    assert (seen.note, seen.hint, seen.area, seen.line) == ("Play b2.", 4, frozenset(), ())
    ask(qtbot, window, Step.WHY)
    seen = window.board.picture()
    assert seen.hint == seen.line[0] == 4
    assert len(seen.line) == 8, "best play to the end, to be looked at on the board"
    why = next(label for label in window.findChildren(QLabel) if label.accessibleName() == "Why this hint")
    assert why.isVisible()
    assert why.text() == "b2 is the only move that holds the draw: b1, for example, loses to a2, in 6 plies."
    assert picture(window) != tinted
    window.hint_action.trigger()
    assert (window.board.picture().hint, window.advice.words, window.advice.why) == (None, "", "")


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("xx./oo./...", "c1 wins immediately."),
        ("xo./.../...", "a2 wins soonest, in 5 plies: a2 a3 b2 c1 c2."),
        ("x../.o./..x", "b1 draws, as do other moves; but c1, for example, loses to a3, in 4 plies."),
        ("xx./o../...", "Every move loses. c1 delays the loss longest, 4 plies: c1 b2 c2 b3."),
        ("xo./.x./o..", "c3 wins immediately."),
        ("xox/xoo/ox.", "c3 is the only legal move."),
        (".../.../...", "Every move draws."),
        ("x.o/.../x.o", "a2 wins immediately."),
    ],
)
def test_the_reason_comes_from_the_exact_values(qtbot: QtBot, window: Window, position: str, why: str) -> None:
    begin(window, position)
    ask(qtbot, window, Step.WHY)
    assert window.advice.why == why


def test_a_larger_board_is_quartered(qtbot: QtBot, window: Window) -> None:
    begin(window, "xxx./ooo./..../....", "mnk:4,4,4")
    ask(qtbot, window, Step.AREA)
    seen = window.board.picture()
    assert seen.note.startswith("Look at ")
    assert 3 in seen.area
    assert len(seen.area) == 4


def test_whatever_happens_to_the_game_takes_the_hint_away(qtbot: QtBot, window: Window) -> None:
    for happens in (
        lambda: window.play(1),
        lambda: window.undo_action.trigger(),
        lambda: window.new_action.trigger(),
    ):
        window.play(0) if not window.record.moves else None
        ask(qtbot, window, Step.WHY)
        assert window.board.picture().hint is not None
        happens()
        assert window.advice.step is Step.NOTHING
        assert (window.board.picture().hint, window.board.picture().line) == (None, ())
    begin(window, "xxx/oo./...")
    assert not window.hint_action.isEnabled()
    window.advice.want_hint()
    assert window.advice.step is Step.NOTHING


def test_a_hint_leaves_the_search_on_display_alone(qtbot: QtBot, window: Window) -> None:
    window.play(0)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    result, figure = window.analysis.result, window.figures.figure("nodes")
    ask(qtbot, window, Step.WHY)
    assert window.analysis.result is result
    assert window.figures.figure("nodes") == figure
    assert len(window.analysis.runs) == 1


def test_a_position_too_large_for_an_exact_search_has_no_hint_and_that_is_said(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.adviser.MOVE_SECONDS", 0.001)
    begin(window, "..../..../..../....", "mnk:4,4,4")
    ask(qtbot, window, Step.AREA)
    assert window.board.picture().note == "There is no hint: this position is too large for an exact search."
    assert window.board.picture().hint is None
