"""A card's title shows as much of its fact as there is room for."""

from itertools import groupby

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.card import Card


def test_a_fact_without_room_leaves_out_its_last_parts(qtbot: QtBot) -> None:
    card = Card("path", "The path of the search", QWidget())
    qtbot.addWidget(card)
    card.set_fact("values are X's · moment 13 of 127,810")
    card.mark("the position before O a1", "before O a1")
    card.show()
    shown: list[str] = []
    for width in range(900, 120, -10):
        card.resize(width, 200)
        shown.append(card.title.fact_shown)
    assert [text for text, _ in groupby(shown) if "…" not in text] == [
        "the position before O a1 · values are X's · moment 13 of 127,810",
        "before O a1 · values are X's · moment 13 of 127,810",
        "before O a1 · values are X's",
        "before O a1",
    ]
    card.set_fact("")
    assert card.title.fact_shown == ""
