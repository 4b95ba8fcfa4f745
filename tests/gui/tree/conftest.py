"""Fixtures for the tests of the tree."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from engine.result import Result
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.tree.code import CodePanel
from gui.tree.why_line import WhyLine
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
