"""The menus of the board, the path and the whole tree, for the right button and the keyboard's menu key: commands that
the window's menus have too."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui.widgets.actions import command

BOARD = ("Hint", "Values"), ("Undo", "Redo"), ("Copy position", "Copy game", "Paste"), ("Edit position",)
IN_SEARCH = ("Look ahead",), ("Previous cutoff", "Next cutoff", "Why these moves are pruned")
PATH = *IN_SEARCH, ("Save the path…",)
TREE = *IN_SEARCH, ("Save the whole tree…", "Save the record…")


def context_menu(view: QWidget, groups: Iterable[Iterable[str]], owners: Iterable[QWidget]) -> None:
    """Give a view the commands of these object names, which are actions of `owners`, as its menu."""
    for number, names in enumerate(groups):
        if number:
            separator = QAction(view)
            separator.setSeparator(True)
            view.addAction(separator)
        found = (command(owner, name) for name in names for owner in owners)
        view.addActions([made for made in found if made is not None])
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
