"""The colours of values are those of the players, where they can be told from a draw on a card."""

import pytest
from pytestqt.qtbot import QtBot

from engine import registry
from gui.style.colours import contrast
from gui.style.theme import theme
from gui.widgets.board_painter import EDGE
from gui.widgets.value_colours import value_colours


@pytest.mark.parametrize("scheme", ["light", "dark", "contrast light", "contrast dark"])
@pytest.mark.parametrize("spec", ["tictactoe", "connect-four", "othello", "ultimate"])
def test_what_is_good_for_a_player_has_the_players_hue(qtbot: QtBot, scheme: str, spec: str) -> None:
    theme().choose(scheme)
    try:
        view, card = registry.game(spec).view, theme().colour("card")
        first, second = value_colours(view)
        assert min(contrast(colour, card) for colour in (first, second)) >= EDGE
        names = ("x", "o") if "black" in view.colours else view.colours
        for colour, name in zip((first, second), names, strict=True):
            assert abs(colour.hsvHue() - theme().colour(name).hsvHue()) < 12
    finally:
        theme().choose("light")
