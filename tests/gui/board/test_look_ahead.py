"""Resting on a node of the search shows its position on the board, in a frame, and leaves no trace."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine.options.choices import Form
from gui.window import Window


def leave(widget: QWidget) -> None:
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


@pytest.fixture
def window(qtbot: QtBot, searched_window: Window) -> Window:
    qtbot.waitUntil(lambda: not searched_window.is_busy, timeout=60_000)  # with a cold cache kernels are compiled
    return searched_window


def test_a_node_under_the_pointer_is_shown_and_leaves_no_trace(qtbot: QtBot, window: Window) -> None:
    board, path, tree = window.board, window.path._picture, window.tree.picture
    before, name, told = board.grab().toImage(), board.accessibleName(), board.accessibleDescription()
    moves = window.path.rows[2].path(1)
    measures = path.measures
    tile = measures.tile(2, 1).center()
    qtbot.mouseMove(path, tile)
    qtbot.waitUntil(lambda: board.ahead is not None)
    assert board.ahead is not None
    assert board.ahead.cells.count(None) == 9 - 1 - len(moves)
    assert board.ahead.note == "after O b2, X c1: not played"
    assert board.accessibleName() == "Board: look-ahead, after O b2, X c1: not played"
    assert "Row 1: X, empty, X" in board.accessibleDescription()
    assert board.grab().toImage() != before
    leave(path)
    assert (board.grab().toImage(), board.accessibleName(), board.accessibleDescription()) == (before, name, told)
    row = window.replay.trace.child_row(0, 1) if window.replay.trace is not None else None
    assert row is not None
    tree.pointed.emit(row)
    qtbot.waitUntil(lambda: board.ahead is not None)
    assert board.ahead.note == "after O b1: not played"
    window.record.play(4)
    assert board.ahead is None, "the game goes on"
    tree.pointed.emit(0)
    qtbot.waitUntil(lambda: board.ahead is not None)
    assert board.ahead.note == "an earlier position, before O b2"


def test_a_path_that_is_shown_anew_under_the_pointer_ends_the_look_ahead(qtbot: QtBot, window: Window) -> None:
    """As it is at each step of a search: the pointer would leave a board that is no longer known."""
    board, path = window.board, window.path._picture
    for point in (QPoint(1, 1), path.measures.tile(1, 1).center()):  # the pointer may be there from another test
        qtbot.mouseMove(path, point)
    qtbot.waitUntil(lambda: board.ahead is not None)
    window.analysis.change(form=Form.NEGAMAX)
    leave(path)
    assert board.ahead is None


def test_a_key_shows_the_end_of_the_path_until_the_board_is_used(qtbot: QtBot, window: Window) -> None:
    board, cursor = window.board, window.replay
    window.look_ahead.action.trigger()
    assert board.ahead is not None
    assert board.ahead.cells.count(None) == 0, "the end of the principal variation: a draw"
    cursor.go(1)
    assert board.ahead.note == "after O b1: not played"
    cursor.go(0)
    assert board.ahead is None, "the root is the position on the board"
    cursor.go(1)
    assert board.ahead.note == "after O b1: not played"
    moves = window.record.moves
    QApplication.sendEvent(board, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier))
    assert board.ahead is None
    assert not window.look_ahead.action.isChecked()
    assert window.record.moves == moves, "nothing is played unseen"
    window.look_ahead.action.trigger()
    assert board.ahead is not None
    qtbot.mousePress(board, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert board.ahead is None
