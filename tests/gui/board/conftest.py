"""Fixtures for the tests of the board."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.board.panel import BoardPanel
from gui.state.game_record import GameRecord
from tests.gui.exposed import expose


@pytest.fixture
def panel(qtbot: QtBot, record: GameRecord) -> Iterator[BoardPanel]:
    """The board with its moves, of the record that a test module makes; without animation."""
    made = BoardPanel(record)
    made.board.set_motion(False)
    expose(qtbot, made, 320, 460)
    yield made
    made.close()
