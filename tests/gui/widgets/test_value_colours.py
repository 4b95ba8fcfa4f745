"""The colours of values are those of the players, where they can be told from a draw on a card; and so are marks."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from engine import registry
from gui.style.colours import contrast
from gui.style.theme import theme
from gui.widgets.board_painter import EDGE, paint_mark_on_card
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


@pytest.mark.parametrize("scheme", ["light", "dark", "contrast light", "contrast dark"])
@pytest.mark.parametrize("spec", ["tictactoe", "connect-four", "othello", "ultimate"])
def test_a_mark_beside_a_text_stands_out_from_the_card(qtbot: QtBot, scheme: str, spec: str) -> None:
    """Othello's black disc on a dark card, its white one on a light card."""
    theme().choose(scheme)
    try:
        view, card = registry.game(spec).view, theme().colour("card")
        for player in (0, 1):
            image = QImage(18, 18, QImage.Format.Format_RGB32)
            image.fill(card)
            painter = QPainter(image)
            paint_mark_on_card(painter, QRectF(0, 0, 18, 18), view, player)
            painter.end()
            assert max(contrast(image.pixelColor(x, y), card) for x in range(18) for y in range(18)) >= EDGE
    finally:
        theme().choose("light")
