"""The zone of the tree shares its height between the path and the whole tree."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.tree.path_layout import least_height
from gui.widgets.actions import command
from gui.window import Window


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("arrangement", ["Arrange for a lecture", "Arrange for watching"])
def test_two_rows_of_the_path_are_seen_in_a_low_window(qtbot: QtBot, searched_window: Window, arrangement: str) -> None:
    """The one of a cut, and the one above it; the tree takes its height back in a higher window."""
    window, made = searched_window, command(searched_window, arrangement)
    assert made is not None
    made.trigger()
    window.resize(1280, 900)
    QApplication.processEvents()
    before = window.tree_part.height()
    for height, usual in ((720, None), (900, before)):
        window.resize(1280, height)
        QApplication.processEvents()
        assert window.path.height() >= least_height(2)
        assert usual in (None, window.tree_part.height())
