"""The options of a search that stand in the card itself: what does not fit the game on the board cannot be chosen."""

import re

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine import registry
from engine.options.choices import Scoring
from gui.controls.commands import option_commands
from gui.controls.options import OptionsView
from gui.state.game_record import GameRecord
from gui.widgets.actions import entries
from gui.widgets.card import LEAST_WIDTH
from gui.window import Window
from tests.gui.shown import Shown


@pytest.mark.parametrize(
    ("spec", "why"),
    [("othello:4,discs", "count by how much one wins"), ("random-turn:3,3,3", "are averages over chance")],
)
def test_scores_that_a_game_has_not_cannot_be_chosen(qtbot: QtBot, analysis: Shown, spec: str, why: str) -> None:
    """Not in the palette either; the choice is kept for the next game."""
    record, owner = GameRecord(registry.game("tictactoe")), QObject()
    analysis.change(scoring=Scoring.SOONEST)
    view = OptionsView(record, analysis, str, 2)
    qtbot.addWidget(view)
    scores = view.fields["Scores"]
    assert (scores.isEnabled(), "so sooner is not better" in scores.toolTip()) == (True, False)
    record.new(registry.game(spec))
    assert not scores.isEnabled()
    assert f"{why}, so sooner is not better" in scores.toolTip()
    assert scores.accessibleDescription() in scores.toolTip()
    offered = dict(option_commands(view, owner))
    assert not offered["Options › Scores › sooner is better"].isEnabled()
    assert analysis.settings.scoring is Scoring.SOONEST
    record.new(registry.game("tictactoe"))
    assert scores.isEnabled()


def test_the_narrowest_card_has_room_for_every_field(qtbot: QtBot, analysis: Shown) -> None:
    """However long the title of a game is."""
    view = OptionsView(GameRecord(registry.game("tictactoe")), analysis, lambda spec: 9 * spec, 2)
    qtbot.addWidget(view)
    view.expert.open()
    view.resize(view.minimumSizeHint().width(), 400)
    view.show()
    QApplication.processEvents()
    assert view.widget().width() == view.viewport().width()
    assert view.minimumSizeHint().width() < LEAST_WIDTH


def test_no_tool_tip_names_the_marks_of_one_game(qtbot: QtBot, window: Window) -> None:
    """The same tips are shown in Othello, whose players are Black and White."""
    window.choose_game("othello:4")
    edit = next(made for _, made in entries(window) if made.objectName() == "Edit position")
    for tip in (edit.statusTip(), *(field.toolTip() for field in window.options.fields.values())):
        assert not {"X", "X's", "O", "O's"} & {*re.split(r"[ .,:]+", tip)}
