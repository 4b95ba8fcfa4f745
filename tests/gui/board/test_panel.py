"""The moves below the board go to any point of the game, and the editor to any position that a game can lead to."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from engine import registry
from engine.options.choices import Scoring
from engine.play.game_file import SavedEvaluation
from engine.result import End
from engine.text.numbers import DASH
from gui.board import moves
from gui.board.panel import BoardPanel
from gui.help.welcome import Invitation
from gui.state.game_record import GameRecord, after
from gui.state.spoilers import spoilers
from gui.window import Window
from tests.gui.exposed import expose

Key = Qt.Key
MOVES = (0, 4, 8, 2, 6)
"""a1 b2 c3 c1 a3."""


@pytest.fixture
def record() -> GameRecord:
    made = GameRecord(registry.game("tictactoe"))
    made.set_computer(frozenset())
    for move in MOVES:
        made.play(move)
    return made


def words(panel: BoardPanel) -> list[str]:
    model = panel.moves.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def click_move(qtbot: QtBot, panel: BoardPanel, row: int) -> None:
    spot = panel.moves.visualRect(panel.moves.model().index(row, 0)).center()
    qtbot.mouseClick(panel.moves.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def click_square(qtbot: QtBot, panel: BoardPanel, square: int) -> None:
    place = panel.board.square_rect(square).center()
    qtbot.mouseClick(panel.board, Qt.MouseButton.LeftButton, pos=QPoint(round(place.x()), round(place.y())))


def press(qtbot: QtBot, panel: BoardPanel, text: str) -> None:
    button = next(found for found in panel.editor.findChildren(QPushButton) if found.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def keyed(window: Window, key: str) -> QAction:
    """The action of a key."""
    return next(made for made in window.actions() if made.shortcut().toString() == key)


def test_moves_are_listed_in_rounds(panel: BoardPanel, record: GameRecord) -> None:
    assert words(panel) == ["start", "1. a1", "b2", "2. c3", "c1", "3. a3"]
    record.new(start=record.game.notation.parse("x../.../..."))
    record.play(4)
    record.play(8)
    assert words(panel) == ["start", "1. … b2", "2. c3"]


def test_a_move_of_a_game_with_many_variations_is_soon_in_their_list(
    panel: BoardPanel, record: GameRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1,500 moves are measured again: by one font, and without a position that is known."""
    lines = [(first, *(move for move in range(50) if move != first)) for first in range(30)]
    record.new(registry.game("mnk:8,8,8"), lines=lines)
    QApplication.processEvents()
    known, fonts = after.cache_info().misses, []
    monkeypatch.setattr(moves, "QFontMetrics", lambda font: fonts.append(font) or QFontMetrics(font))
    record.go_to(3)
    record.play(60)
    QApplication.processEvents()
    assert "e8" in words(panel)
    assert (after.cache_info().misses - known < 10, len(fonts)) == (True, 0)


def test_a_click_goes_to_any_point_and_forgets_nothing(qtbot: QtBot, panel: BoardPanel, record: GameRecord) -> None:
    for row in (2, 0, 5, 3):
        click_move(qtbot, panel, row)
        assert record.moves == MOVES[:row]
        assert record.line == MOVES
    record.play(7)
    assert record.line == (*MOVES[:3], 7)
    assert words(panel) == ["start", "1. a1", "b2", "2. c3", "b3", "(2. … c1", "3. a3)"], "what followed is a variation"
    click_move(qtbot, panel, 6)
    assert record.moves == MOVES
    record.make_main(MOVES)
    assert words(panel) == ["start", "1. a1", "b2", "2. c3", "c1", "(2. … b3)", "3. a3"]


def test_keys_go_through_the_moves(qtbot: QtBot, panel: BoardPanel, record: GameRecord) -> None:
    for key, shown in (
        (Key.Key_Left, 4),
        (Key.Key_PageUp, 2),
        (Key.Key_Home, 0),
        (Key.Key_Left, 0),
        (Key.Key_Right, 1),
        (Key.Key_PageDown, 3),
        (Key.Key_End, 5),
        (Key.Key_Right, 5),
    ):
        qtbot.keyClick(panel.moves, key)
        assert len(record.moves) == shown
        assert panel.moves.currentIndex().row() == shown


def test_the_computer_does_not_answer_while_a_person_looks_back(record: GameRecord) -> None:
    record.set_computer(frozenset({1}))
    assert record.computer_to_move
    record.go_to(3)
    assert record.mover == 1
    assert not record.computer_to_move, "its answer would overwrite what follows"
    record.go_to(5)
    assert record.computer_to_move
    record.go_to(2)
    record.play(8)
    assert record.computer_to_move, "after a move it does"
    assert record.line == MOVES


def test_keys_and_a_menu_go_to_variations_and_change_them(qtbot: QtBot, panel: BoardPanel, record: GameRecord) -> None:
    record.go_to(1)
    record.play(2)
    other, main = (*MOVES[:1], 2), MOVES[:2]
    for key, shown in ((Key.Key_Down, main), (Key.Key_Down, other), (Key.Key_Up, main)):
        qtbot.keyClick(panel.moves, key)
        assert record.moves == shown
    assert "in a variation" in panel.moves.model().index(3, 0).data(Qt.ItemDataRole.ToolTipRole)
    entries = {made.text(): made for made in panel.moves.menu_of(MOVES).actions()}
    entries["Copy line"].trigger()
    assert QGuiApplication.clipboard().text() == "1. a1 b2 2. c3 c1 3. a3"
    assert not entries["Restore deleted moves"].isEnabled()
    entries["Make main line"].trigger()
    assert record.variations.lines == (MOVES, other)
    entries["Delete from here"].trigger()
    assert record.variations.lines == (MOVES[:4], other)
    qtbot.keyClick(panel.moves, Key.Key_Delete)
    assert record.variations.lines == (other,)
    assert record.moves == MOVES[:1]
    record.undo()
    record.restore()
    assert record.variations.lines == (MOVES, other)
    assert not panel.moves.menu_of(MOVES).actions()[0].isEnabled(), "it is the main line"


def test_the_menu_of_a_move_opens_by_mouse_and_by_key(qtbot: QtBot, panel: BoardPanel) -> None:
    spot = panel.moves.visualRect(panel.moves.model().index(2, 0)).center()
    for reason in (QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard):
        QApplication.sendEvent(panel.moves.viewport(), QContextMenuEvent(reason, spot, panel.moves.mapToGlobal(spot)))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        menu.close()


def test_a_position_is_edited_by_clicks_and_taken(qtbot: QtBot, panel: BoardPanel, record: GameRecord) -> None:
    panel.edit()
    press(qtbot, panel, "Clear all")
    click_square(qtbot, panel, 4)
    press(qtbot, panel, "O")
    click_square(qtbot, panel, 0)
    click_square(qtbot, panel, 1)
    assert panel.draft is not None
    assert (panel.draft.text, panel.draft.verdict) == ("oo./.x./...", "Not possible")
    assert "1 x and 2 o" in panel.draft.obstacle
    assert not next(b for b in panel.editor.findChildren(QPushButton) if b.text() == "OK").isEnabled()
    press(qtbot, panel, "OK")
    assert record.line == MOVES, "what is not possible cannot be taken"
    click_square(qtbot, panel, 1)
    assert panel.draft.text == "o../.x./..."
    press(qtbot, panel, "OK")
    assert panel.draft is None
    assert record.game.notation.format(record.position) == "o../.x./..."
    assert record.line == ()


def test_think_searches_the_position_that_is_edited(qtbot: QtBot, window: Window) -> None:
    """Where no game leads to it, it says why, and the draft stays."""
    window.board_panel.edit()
    draft = window.board_panel.draft
    assert draft is not None
    assert not window.undo_action.isEnabled()
    draft.put(1, 1)
    window.think_action.trigger()
    assert window.board_panel.draft is draft
    assert "0 x and 1 o" in window.board_panel.notice.text
    draft.put(0, 0)
    draft.brush_over(2)
    draft.turn()
    draft.clear()
    for text in ("xox/.../...", "xox/.../...", "xo./.../..."):
        window.undo_action.trigger()
        assert draft.text == text, "a change of the draft, not a move of the game"
    window.redo_action.trigger()
    window.redo_action.trigger()
    assert (draft.text, window.redo_action.isEnabled()) == ("xox/.../...", True)
    draft.put(2, None)
    assert not window.redo_action.isEnabled()
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think_action.trigger()
    assert window.board_panel.draft is None
    assert window.analysis.position == window.record.position == window.record.game.notation.parse("xo./.../...")


def test_a_position_is_edited_by_keys_alone(qtbot: QtBot, panel: BoardPanel, record: GameRecord) -> None:
    panel.edit()
    assert panel.draft is not None
    board = panel.board
    for key in (Key.Key_Up, Key.Key_Home, Key.Key_Delete, Key.Key_Right, Key.Key_O, Key.Key_Right, Key.Key_X):
        qtbot.keyClick(board, key)
    assert panel.draft.text == ".ox/.o./x.x"
    assert board.accessibleDescription().startswith("Row 1: empty, O, X; ")
    assert board.square_text(2) == "c1: X"
    qtbot.keyClick(board, Key.Key_Escape)
    assert panel.draft is None
    assert record.moves == MOVES


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("xxx/ooo/...", "both players have a line"),
        ("xxx/oo./o..", "x has a line, so the other player"),
        ("ooo/xx./x.x", "o has a line, so the other player"),
        ("xx./.../...", "2 x and 0 o"),
    ],
)
def test_what_no_game_leads_to_is_explained(panel: BoardPanel, cells: str, sentence: str) -> None:
    panel.edit()
    draft = panel.draft
    assert draft is not None
    for square, glyph in enumerate(cells.replace("/", "")):
        draft.put(square, {"x": 0, "o": 1, ".": None}[glyph])
    assert draft.position is None
    assert sentence in draft.obstacle
    panel.take()
    assert panel.draft is draft


def test_an_unchanged_draft_begins_no_new_game(panel: BoardPanel, record: GameRecord) -> None:
    panel.edit()
    panel.take()
    assert record.line == MOVES


def test_a_draft_outlives_an_answer_but_no_other_game(panel: BoardPanel, record: GameRecord) -> None:
    panel.edit()
    record.play(3)
    assert panel.draft is not None
    record.undo()
    assert panel.draft is not None
    for line in (MOVES, ()):
        record.new(lines=[line])
        assert panel.draft is None
        panel.edit()
    record.new()
    assert panel.draft is None, "that of an empty board"


def test_the_strip_has_the_first_players_value_if_it_is_known(panel: BoardPanel, record: GameRecord) -> None:
    def found(value: int, end: End) -> str:
        position = record.game.notation.format(record.position)
        record.remember(SavedEvaluation(position, "alphabeta", Scoring.TEXTBOOK, end, value, 9, "b1"))
        return panel.value.text

    assert panel.value.text == DASH
    assert record.mover == 1
    assert found(0, End.HORIZON) == DASH, "nobody has seen the end"
    assert panel.value.toolTip().startswith("undecided, by alpha-beta (")
    tip = panel.moves.model().index(panel.moves.model().rowCount() - 1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith(": undecided, best b1, 9 nodes (depth limit)")
    assert found(-1, End.COMPLETE) == "+1", "O loses"
    assert panel.value.toolTip() == "+1 for X, by alpha-beta"
    spoilers().hide(True)
    assert panel.value.text == DASH
    assert "1 for X" not in panel.value.toolTip()
    spoilers().hide(False)
    panel.grab()


@pytest.mark.parametrize(
    ("start", "move", "text", "outcome"),
    [("xx./oo./...", 2, "+1", "X wins"), ("xx./oo./x..", 5, "−1", "O wins"), ("xox/xoo/ox.", 8, "0", "Draw")],
)
def test_a_finished_game_has_the_value_of_its_rules(
    panel: BoardPanel, record: GameRecord, start: str, move: int, text: str, outcome: str
) -> None:
    """Hidden results of searches do not hide it."""
    record.new(start=record.game.notation.parse(start))
    record.play(move)
    spoilers().hide(True)
    assert panel.value.text == text
    assert panel.value.toolTip() == panel.value.accessibleName() == f"The game is over: {outcome}"


def test_a_player_is_chosen_where_it_is_shown(panel: BoardPanel, record: GameRecord) -> None:
    first, second = panel.players.sides
    assert [player.accessibleName() for player in (first, second)] == ["X, You", "O, You, to move"]
    second.menu().aboutToShow.emit()
    (made,) = (made for made in second.menu().actions() if made.text() == "Computer, Beginner")
    made.trigger()
    assert record.computer == {1}
    assert second.accessibleName() == "O, Computer, Beginner, to move"
    second.menu().aboutToShow.emit()
    second.menu().actions()[0].trigger()
    assert record.computer == frozenset()


def test_in_the_window_escape_leaves_the_draft_and_lets_the_search_go_on(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    window.record.set_computer(frozenset())
    window.analysis.change(speed=1.0)
    window.think()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=60_000)
    keyed(window, "Ctrl+E").trigger()
    assert window.board_panel.draft is not None
    qtbot.keyClick(window.board, Key.Key_Escape)
    assert not keyed(window, "Ctrl+E").isChecked()
    assert window.analysis.is_running
    window.record.play(0)
    window.record.play(4)
    for key, shown in (("Alt+Left", 1), ("Alt+Home", 0), ("Alt+Right", 1), ("Alt+End", 2)):
        keyed(window, key).trigger()
        assert len(window.record.moves) == shown
    assert not keyed(window, "Alt+Down").isEnabled()
    window.record.undo()
    window.record.play(8)
    for key, shown in (("Alt+Down", (0, 4)), ("Alt+Up", (0, 8))):
        keyed(window, key).trigger()
        assert window.record.moves == shown
    window.close()


def test_the_smallest_window_has_room_for_the_editor_at_a_first_start_too(qtbot: QtBot, tmp_path: Path) -> None:
    window = Window(QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat))
    expose(qtbot, window, 1024, 680)
    (invitation,) = window.findChildren(Invitation)
    assert invitation.isVisible()
    window.board_panel.edit()
    assert not invitation.isVisible()
    QApplication.processEvents()
    assert window.height() == 680
    window.board_panel.leave()
    assert invitation.isVisible()
    window.close()
