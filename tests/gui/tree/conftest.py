"""Fixtures for the tests of the tree."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from engine.registry import game
from engine.result import Result
from gui.layout.tree_zone import LabelledTree
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.tree.code import CodePanel
from gui.tree.icicle import WholeTree
from gui.tree.path import PathView
from gui.tree.why_line import WhyLine
from gui.work.kernels import Kernels
from tests.gui.exposed import expose
from tests.gui.shown import Shown


class Views:
    """The two views of one search."""

    def __init__(self, qtbot: QtBot) -> None:
        self.analysis = Shown()
        self.cursor = Cursor(self.analysis, self.analysis)
        self.why, self.code = WhyLine(self.analysis, self.cursor), CodePanel(self.analysis, self.cursor)
        for view in (self.why, self.code):
            qtbot.addWidget(view)
        self.code.show()

    def show(self, result: Result) -> None:
        self.analysis.begin(result.job)
        self.analysis.end(result)


@pytest.fixture
def views(qtbot: QtBot) -> Iterator[Views]:
    made = Views(qtbot)
    yield made
    made.why.close_search()
    made.analysis.close()
    spoilers().hide(False)


class Zone(QWidget):
    """The path, the whole tree and the why-line with a game and its searches, connected as the window does."""

    def __init__(self) -> None:
        super().__init__()
        self.record = GameRecord(game("tictactoe"))
        self.record.set_computer(frozenset())
        self.play = self.record.play
        self.analysis = Analysis(self)
        self.replay = Cursor(self.analysis, self)
        self._kernels = Kernels()
        self.path = PathView(self.analysis, self.replay)
        self.tree = WholeTree(self.analysis, self.replay, self.path, self._kernels)
        self.why = WhyLine(self.analysis, self.replay)
        self.tree_part = LabelledTree(self.analysis, self.path, self.tree, QLabel(self))
        for event in (self.tree.shape.changed, self.analysis.phase_changed):
            event.connect(lambda: self.replay.take_so_far(self.tree.shape.result))
        for view in (self.path, self.tree):
            view.pruned_pressed.connect(self.why.ask)
        column = QVBoxLayout(self)
        column.addWidget(self.path, 2)
        for part in (self.tree_part, self.why):
            column.addWidget(part, 1)

    def think(self) -> None:
        self.analysis.think(self.record.game, self.record.position)

    def end(self) -> None:
        """Stop all work."""
        for close in (self.analysis.close, self.tree.close_work, self.why.close_search, self._kernels.close):
            close()


@pytest.fixture
def zone(qtbot: QtBot) -> Iterator[Zone]:
    """As large as in a window of the usual size, in light colours."""
    theme().choose("light")
    made = Zone()
    expose(qtbot, made, 1080, 780)
    yield made
    made.end()


@pytest.fixture
def searched(qtbot: QtBot, zone: Zone) -> Zone:
    """With X on a1, and alpha-beta's search of it."""
    zone.play(0)
    zone.analysis.change(algorithm="alphabeta")
    with qtbot.waitSignal(zone.analysis.finished, timeout=60_000):
        zone.think()
    return zone
