"""Board, path, whole tree and the list of searches have menus, which the keyboard's menu key opens too."""

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui.window import Window

OF_SEARCH = ["Look ahead", "", "Previous cutoff", "Next cutoff", "Why these moves are pruned", ""]


def opened(view: QWidget) -> list[str]:
    """The entries of the menu that the keyboard opens, with an empty text for a separator."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), view.mapToGlobal(QPoint(5, 5)))
    texts: list[str] = []

    def read() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        texts.extend(made.text() for made in menu.actions())
        menu.close()

    QTimer.singleShot(0, read)  # the menu has an event loop of its own
    QApplication.sendEvent(view, event)
    return texts


def test_a_view_has_the_menu_of_its_commands(qtbot: QtBot, window: Window) -> None:
    board = ["Hint", "Values", "", "Undo", "Redo", "", "Copy position", "Copy game", "Paste", "", "Edit position"]
    assert opened(window.board) == board
    assert opened(window.path) == [*OF_SEARCH, "Save the path…"]
    assert opened(window.tree) == [*OF_SEARCH, "Save the whole tree…", "Save the record…"]
    assert window.tree.picture.contextMenuPolicy() is Qt.ContextMenuPolicy.DefaultContextMenu, "its parent's menu"
    assert opened(window.runs) == ["Show it again", "Search it again", "Copy the table"]
