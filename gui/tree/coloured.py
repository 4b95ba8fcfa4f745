"""Sentences on a game, with the players' names in their colours."""

import re
from functools import cache

from PySide6.QtGui import QFont, QTextCharFormat, QTextLayout

from engine.rules.contract import Game
from gui.style.theme import theme

WASH = 0.07
"""The opacity of the colour behind such a sentence, at most."""


def in_colours(text: str, game: Game) -> list[QTextLayout.FormatRange]:
    """The formats of a text in which each player's name is bold and has the player's colour."""
    found: list[QTextLayout.FormatRange] = []
    for name in _names(game.notation.players).finditer(text):
        part = QTextLayout.FormatRange()
        part.start, part.length = name.start(), len(name[0])
        part.format = _format(game.view.colours[game.notation.players.index(name[0])], theme().colours.name)
        found.append(part)
    return found


@cache
def _names(players: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(map(re.escape, players))})\b")


@cache
def _format(colour: str, _look: str) -> QTextCharFormat:
    """Bold, in a player's colour as the present look has it."""
    made = QTextCharFormat()
    made.setFontWeight(QFont.Weight.DemiBold)
    made.setForeground(theme().text_colour(colour, WASH))
    return made
