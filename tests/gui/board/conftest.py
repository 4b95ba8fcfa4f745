"""Fixtures for the tests of the board."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.board.panel import BoardPanel
from gui.state.game_record import GameRecord


@pytest.fixture
def panel(qtbot: QtBot, record: GameRecord) -> Iterator[BoardPanel]:
    """The board with its moves, of the record that a test module makes; without animation."""
    made = BoardPanel(record)
    made.board.set_motion(False)
    qtbot.addWidget(made)
    made.resize(320, 460)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close()
