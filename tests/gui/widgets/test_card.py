"""A card's title shows as much of its fact as there is room for."""

from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.style.theme import theme
from gui.widgets.card import Card, CardTitle
from gui.widgets.scrolled import Scrolled


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


def test_a_fact_has_the_ground_of_its_title(qtbot: QtBot) -> None:
    """It paints it itself. A title within another one, as over the tree, has that one's, which does not fade."""
    theme().choose("light")
    header, card = QFrame(), Card("path", "The path of the search", QWidget())
    header.setObjectName("cardTitle")
    within = CardTitle("")
    within.setObjectName("fact")
    QHBoxLayout(header).addWidget(within)
    for title, whole in ((card.title, card), (within, header)):
        qtbot.addWidget(whole)
        whole.setStyleSheet(theme().style_sheet())
        whole.show()
        place = title._fact.mapTo(whole, title._fact.rect().center())
        for faded in (None, True, False):
            if faded is not None:
                title.say("", (), faded)
            shown = whole.grab().toImage()
            assert shown.pixelColor(place) == shown.pixelColor(place.x(), 2), (faded, title.objectName())


def test_a_closed_card_lays_nothing_out_and_knows_its_least_size(qtbot: QtBot) -> None:
    """A window opens without the work for drawers that may never be opened."""
    window, page, label = QMainWindow(), QWidget(), QLabel("text " * 20)
    qtbot.addWidget(window)
    window.setStyleSheet("QLabel { padding: 7px }")
    QVBoxLayout(page).addWidget(label)
    card = Card("path", "The path of the search", Scrolled(page), window)
    card.hide()
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, card)
    assert not label.testAttribute(Qt.WidgetAttribute.WA_WState_Polished)
    before = card.minimumSizeHint(), card.sizeHint()
    card.show()
    window.show()
    assert (card.minimumSizeHint(), card.sizeHint()) == before
    assert card.minimumSizeHint().width() > label.width() >= label.minimumSizeHint().width() > 14
