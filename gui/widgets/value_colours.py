"""The colours of values: whom they are good for."""

from functools import lru_cache

from PySide6.QtGui import QColor

from engine.rules.board_view import BoardView
from gui.style.colours import contrast
from gui.style.theme import theme
from gui.widgets.board_painter import EDGE, rim

LEAST_CHROMA = 0.25
"""Below this a colour is taken for a grey, which is the colour of a draw."""


def value_colours(view: BoardView) -> tuple[QColor, QColor]:
    """The colours of what is good for each player: those of the players' marks, as dark as a card needs.

    Black and white discs have no hue: the values of their games have X's and O's colours."""
    return _value_colours(view, theme().colours.name)


@lru_cache(maxsize=32)
def _value_colours(view: BoardView, _look: str) -> tuple[QColor, QColor]:
    own = [theme().colour(name) for name in view.colours]
    if min(colour.hsvSaturationF() * colour.valueF() for colour in own) < LEAST_CHROMA:
        own = [theme().colour(name) for name in ("x", "o")]
    card = theme().colour("card")
    first, second = (colour if contrast(colour, card) >= EDGE else rim(colour, theme().colours) for colour in own)
    return first, second
