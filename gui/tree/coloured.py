"""Sentences on a game as HTML, with the players' names in their colours."""

import html
import re

from PySide6.QtGui import QFont

from engine.rules.contract import Game
from gui.style.theme import theme

WASH = 0.07
"""The opacity of the colour behind such a sentence, at most."""


def in_colours(text: str, game: Game) -> str:
    """Plain text as HTML, in which each player's name is bold and has the player's colour."""
    names = [html.escape(name) for name in game.notation.players]
    colours = dict(zip(names, game.view.colours, strict=True))

    def span(found: re.Match[str]) -> str:
        colour = theme().text_colour(colours[found[0]], WASH).name()
        return f'<span style="color: {colour}; font-weight: {QFont.Weight.DemiBold.value}">{found[0]}</span>'

    return re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", span, html.escape(text))
