"""A hint in three steps: the area, the move, and the reason; always by an exact search of its own."""

from collections.abc import Callable

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine import registry
from engine.play import move_values
from engine.result import Value
from engine.text.numbers import DASH
from gui.board import hint_text
from gui.board.hint_text import Advised, area
from gui.board.hints import HintStep
from gui.state.spoilers import spoilers
from gui.window import Window

LONG = 60_000


@pytest.fixture
def window(window: Window) -> Window:
    window.resize(1280, 800)
    return window


def begin(window: Window, position: str, spec: str = "tictactoe") -> None:
    game = registry.game(spec)
    window.record.new(game, game.notation.parse(position))


def ask(qtbot: QtBot, window: Window, step: HintStep) -> None:
    """Press Hint up to that step."""
    while window.hints.step < step:
        window.hint_action.trigger()
    qtbot.waitUntil(lambda: not window.move_values.is_looking, timeout=LONG)


def wait_for_a_depth(qtbot: QtBot, window: Window) -> None:
    """Wait until every move has a value from some depth."""
    game, position = window.record.game, window.record.position
    qtbot.waitUntil(lambda: window.move_values.depth_of(game, position) is not None, timeout=LONG)


def picture(window: Window) -> QImage:
    return window.board.grab().toImage()


def test_the_first_press_says_where_the_second_which_the_third_why(qtbot: QtBot, window: Window) -> None:
    begin(window, "x../.../...")
    ask(qtbot, window, HintStep.AREA)
    seen = window.board.picture()
    assert seen.note == "Look at row 2."
    assert seen.area == {3, 4, 5}
    assert seen.hint is None
    tinted = picture(window)
    ask(qtbot, window, HintStep.MOVE)
    seen = window.board.picture()
    assert (seen.note, seen.hint, seen.area, seen.line) == ("Play b2.", 4, frozenset(), ())
    ask(qtbot, window, HintStep.WHY)
    seen = window.board.picture()
    assert seen.hint == seen.line[0] == 4
    assert len(seen.line) == 8, "best play to the end, to be looked at on the board"
    why = next(label for label in window.findChildren(QLabel) if label.accessibleName() == "Why this hint")
    assert why.isVisible()
    assert why.text() == "b2 is the only move that holds the draw: b1, for example, loses to a2, in 6 plies."
    assert picture(window) != tinted
    window.hint_action.trigger()
    assert (window.board.picture().hint, window.hints.words, window.hints.why) == (None, "", "")


def test_the_reason_comes_from_the_exact_values(qtbot: QtBot, window: Window) -> None:
    for position, why in {
        "xx./oo./...": "c1 wins immediately.",
        "xo./.../...": "a2 wins soonest, in 5 plies: a2 a3 b2 c1 c2.",
        "x../.o./..x": "b1 draws, as do other moves; but c1, for example, loses to a3, in 4 plies.",
        "xx./o../...": "Every move loses. c1 delays the loss longest, 4 plies: c1 b2 c2 b3.",
        "xo./.x./o..": "c3 wins immediately.",
        "xox/xoo/ox.": "c3 is the only legal move.",
        ".../.../...": "Every move draws.",
        "x.o/.../x.o": "a2 wins immediately.",
    }.items():
        begin(window, position)
        ask(qtbot, window, HintStep.WHY)
        assert window.hints.why == why


def test_the_values_name_the_one_best_move(qtbot: QtBot, window: Window) -> None:
    """As a chance or as the longest resistance; not the only legal move."""
    window.hints.want_values(True)
    strip = window.board_panel.value
    for position, words, first in (
        ("x../.../...", "a draw, but only with b2", "0"),
        ("xo./.x./...", "O loses in 4 plies with c3; any other move is worse", "+1"),
        ("xox/xoo/ox.", "a draw", "0"),
        (".../.../...", "a draw", "0"),
    ):
        begin(window, position)
        qtbot.waitUntil(lambda: not window.move_values.is_looking, timeout=LONG)
        assert (window.hints.words, strip.text) == (words, first)
        assert strip.toolTip() == f"{first} for X, by the values of its moves"
    window.hints.want_values(False)
    assert (strip.text, strip.toolTip()) == (DASH, "The value of this position is not known: press Think")


@pytest.mark.usefixtures("interpreted")
def test_of_two_wins_the_sooner_is_named_whatever_boards_close(qtbot: QtBot, window: Window) -> None:
    """e5 wins in 3 plies, and leaves more plies at most."""
    begin(
        window, ".....xo../xxxooo.o./..x....oo/oo.oxo..x/..x..oxxo/xx.x.xxox/xxx.xooxx/..o.o.o.o/oxoox.o..", "ultimate"
    )
    ask(qtbot, window, HintStep.WHY)
    assert window.hints.why == "c6 wins immediately."
    window.hints.want_values(True)
    name, values = window.record.game.view.square_name, window.board.picture().values
    words = {name(square): value.words for square, value in values.items()}
    assert (words["c6"], words["e5"]) == ("wins in 1", "wins in 3")


def test_an_area_leaves_a_choice_where_there_is_one() -> None:
    """In row 1 only c1 is left; in column c there are three squares."""
    game = registry.game("tictactoe")
    position = game.notation.parse("xo./.../...")
    values = {move: Value(int(move == 2)) for move in range(2, 9)}
    assert area(Advised(game, position, values, lambda move: (move,))) == ("Look at column c.", frozenset({2, 5, 8}))
    full = game.notation.parse("xo./.../xox")
    values = {move: Value(int(move == 2)) for move in range(2, 6)}
    assert area(Advised(game, full, values, lambda move: (move,)))[0] == "Look at column c.", "of two, the smaller"


@pytest.mark.usefixtures("interpreted")
def test_a_larger_board_is_quartered(qtbot: QtBot, window: Window) -> None:
    begin(window, "xxx./ooo./xxoo/ox..", "mnk:4,4,4")
    ask(qtbot, window, HintStep.AREA)
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
        ask(qtbot, window, HintStep.WHY)
        assert window.board.picture().hint is not None
        happens()
        assert window.hints.step is HintStep.NOTHING
        assert (window.board.picture().hint, window.board.picture().line) == (None, ())
    begin(window, "xxx/oo./...")
    assert not window.hint_action.isEnabled()
    window.hints.want_hint()
    assert window.hints.step is HintStep.NOTHING


def test_a_hint_leaves_the_search_on_display_alone(qtbot: QtBot, window: Window) -> None:
    window.play(0)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.think_action.trigger()
    result, figure = window.analysis.result, window.figures.figure("nodes")
    ask(qtbot, window, HintStep.WHY)
    assert window.analysis.result is result
    assert window.figures.figure("nodes") == figure
    assert len(window.analysis.runs) == 1


# Boards that are too large to search to the end

LARGE = ("......./......./......./......./......./...x...", "connect-four")  # whose kernels other tests have
Action = Callable[[Window], object]


@pytest.fixture
def seen_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, so that little is searched."""
    monkeypatch.setattr(move_values, "NODES", 1_000_000)


@pytest.mark.usefixtures("seen_soon")
def test_of_a_position_too_large_the_best_so_far_is_said_to_be_that(qtbot: QtBot, window: Window) -> None:
    begin(window, *LARGE)
    ask(qtbot, window, HintStep.MOVE)
    seen = window.board.picture()
    assert seen.note.startswith("so far, ")
    assert " plies ahead: Play " in seen.note
    assert seen.hint in {31, 37, 39}, "a neighbour of the stone"
    window.hint_action.trigger()
    assert "Nothing is proven" in window.hints.why
    window.values_action.setChecked(True)
    unproven = [value for value in window.board.picture().values.values() if not value.proven]
    assert unproven
    assert all(value.sign.startswith("≈") and value.winner(1) is None for value in unproven)
    window.hint_action.trigger()
    assert "looks best" in window.board.picture().note


@pytest.mark.usefixtures("seen_soon")
def test_a_search_of_one_ply_has_no_line_to_tell() -> None:
    game = registry.game("connect6:6,6,5")
    values = {0: Value(0.09), 1: Value(0.02)}
    sentence = hint_text.why(Advised(game, game.start, values, lambda move: (move,), 1))
    assert sentence.startswith("a1 looks best 1 ply ahead, by an estimate of +0.09 for X. Nothing is proven: ")
    sentence = hint_text.why(Advised(game, game.start, values, lambda move: (move, 7), 2))
    assert sentence.startswith("a1 looks best 2 plies ahead, by an estimate of +0.09 for X: a1 b2. Nothing is proven: ")


def test_what_is_proven_on_a_large_board_is_told_beside_what_is_not(qtbot: QtBot, window: Window) -> None:
    begin(window, "......./......./......./......./..ooo../..xxx..", "connect-four")
    window.values_action.setChecked(True)
    qtbot.waitUntil(lambda: not window.move_values.is_looking, timeout=LONG)
    values = window.board.picture().values
    assert {square for square, value in values.items() if value.proven and value.words == "wins in 1"} == {36, 40}


def test_before_its_time_nothing_unproven_is_told_but_where_one_stops_it(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_values, "NODES", 1 << 60)
    window.move_values._patience.setInterval(10 * LONG)
    begin(window, *LARGE)
    window.hint_action.trigger()
    window.hint_action.trigger()
    wait_for_a_depth(qtbot, window)
    assert window.board.picture().note == "looking at every move…"
    window.stop_action.trigger()
    assert window.board.picture().note.startswith("so far, ")
    assert not window.stop_action.isEnabled()


def values(window: Window) -> None:
    window.values_action.trigger()


def hint(window: Window) -> None:
    window.hint_action.trigger()


ENDS: dict[str, tuple[Action, Action]] = {
    "V off": (values, values),
    "Esc": (values, lambda window: window.stop_action.trigger()),
    "no spoilers": (values, lambda window: window.spoilers_action.trigger()),
    "Esc in a hint": (hint, lambda window: window.stop_action.trigger()),
    "new": (hint, lambda window: window.new_action.trigger()),
    "another game": (hint, lambda window: window.choose_game("mnk:4,4,4")),
    "a move": (hint, lambda window: window.play(35)),
}
"""What a person asks for, and what ends the search."""


def test_a_large_board_is_looked_at_no_longer_than_one_wants_to_know(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_values, "NODES", 1 << 60)
    for column, (name, (asks, happens)) in enumerate(ENDS.items()):
        spoilers().hide(False)
        window.values_action.setChecked(False)
        begin(window, "......./" * 5 + f"{'.' * column}x{'.' * (6 - column)}", LARGE[1])  # each is searched anew
        assert window.move_values.depth_of(window.record.game, window.record.position) is None, name
        asks(window)
        assert window.move_values.is_looking, name
        assert window.stop_action.isEnabled(), name
        wait_for_a_depth(qtbot, window)
        control = window.move_values._looker.control
        happens(window)
        assert control.stopped, name
        assert not window.move_values.is_looking, name
        assert not window.stop_action.isEnabled(), name
