"""The zone of the tree shares its height between the path and the whole tree."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QSplitter
from pytestqt.qtbot import QtBot

from gui.layout.edge import EdgeTab
from gui.layout.tree_zone import LEAST_PICTURE
from gui.settings.ini_file import open_settings
from gui.style.theme import theme
from gui.tree.icicle import MORE
from gui.tree.path_layout import least_height
from gui.widgets.actions import command
from gui.window import Window


@pytest.mark.usefixtures("as_before")
def test_two_rows_of_the_path_are_seen_in_a_low_window(qtbot: QtBot, searched_window: Window) -> None:
    """The one of a cut, and the one above it; the tree takes its height back in a higher window."""
    window = searched_window
    for arrangement in "Arrange for a lecture", "Arrange for watching":
        made = command(window, arrangement)
        assert made is not None
        made.trigger()
        qtbot.waitUntil(lambda: not window.styler.is_applying)
        window.resize(1280, 900)
        QApplication.processEvents()
        before = window.tree_part.height()
        for height, usual in ((720, None), (900, before)):
            window.resize(1280, height)
            QApplication.processEvents()
            assert window.path.height() >= least_height(2), arrangement
            assert usual in (None, window.tree_part.height()), arrangement


@pytest.mark.usefixtures("as_before")
def test_a_small_window_with_large_texts_shows_a_row_and_the_tree(qtbot: QtBot, searched_window: Window) -> None:
    window = searched_window
    for zoom in 1.25, 1.5:
        theme().set_zoom(zoom)
        qtbot.waitUntil(lambda: not window.styler.is_applying)
        window.resize(1024, 680)
        QApplication.processEvents()
        assert window.path.height() >= least_height(1), zoom
        assert window.tree.picture.height() >= theme().px(LEAST_PICTURE), zoom
        for tab in window.findChildren(EdgeTab):
            assert tab.shown_text == tab.text(), zoom


@pytest.mark.usefixtures("as_before")
def test_compared_trees_have_the_room_of_the_path_in_a_lecture(qtbot: QtBot, searched_window: Window) -> None:
    window, made = searched_window, command(searched_window, "Arrange for a lecture")
    window.analysis.change(algorithm="minimax")
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think_action.trigger()
    assert made is not None
    made.trigger()
    window.resize(1280, 720)
    QApplication.processEvents()
    assert window.path.isVisible()
    assert window.tree.isVisible()
    window.tree.compare(window.analysis.runs[1])
    qtbot.waitUntil(lambda: not window.path.isVisible())
    for tree in (window.tree, window.tree.second):
        assert tree.picture.height() >= theme().px(LEAST_PICTURE)
    window.resize(1280, 900)
    qtbot.waitUntil(window.path.isVisible)
    assert window.tree.second.isVisible()
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: not window.path.isVisible())
    window.analysis.recall(window.analysis.runs[1])
    qtbot.waitUntil(window.path.isVisible)
    assert not window.tree.second.isVisible()
    assert window.tree.picture.height() >= theme().px(LEAST_PICTURE)


def test_a_dragged_height_of_the_tree_is_there_after_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    heights = []
    for drag in True, False:
        window = Window(open_settings(tmp_path / "Plyscope.ini")[0])
        qtbot.addWidget(window)
        window.resize(1440, 900)
        window.show()
        if drag:
            window.play(0)  # the game is there again, too
        with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
            window.think_action.trigger()
        QApplication.processEvents()
        if drag:
            before = window.tree_part.height()
            splitter = window.findChild(QSplitter)
            splitter.moveSplitter(splitter.sizes()[0] - 150, 1)
            assert window.tree_part.height() == before + 150
        heights.append(window.tree_part.height())
        window.close()
    assert heights[0] == heights[1]


def test_nodes_and_edges_have_more_height_and_a_row_above_stays_whole(qtbot: QtBot, window: Window) -> None:
    for move in (0, 4, 8, 2, 6):
        window.play(move)
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think_action.trigger()
    QApplication.processEvents()
    usual, choices = window.tree_part.height(), window.tree.choices
    choices.pictures[True].trigger()
    QApplication.processEvents()
    high = window.tree_part.height()
    assert high == usual + theme().px(MORE)
    window.resize(1440, 600)
    QApplication.processEvents()
    assert window.tree_part.height() < high
    assert window.path.height() >= least_height(2)
    window.resize(1440, 900)
    choices.pictures[False].trigger()
    QApplication.processEvents()
    assert window.tree_part.height() == usual
