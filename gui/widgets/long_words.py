"""Words that are too long for a line, such as names of files: text is only broken between words."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

WORD = re.compile(r"[^\s/]+")
"""The folders of a path are words, too."""
WIDE = 400
"""The most pixels at 100 % of a word in a dialog or a menu, which it would widen."""


def fitting(text: str, font: QFont, width: int) -> str:
    """The text with no word wider than that many pixels: of a longer one, characters in the middle are left out."""
    metrics = QFontMetrics(font)
    return WORD.sub(lambda word: metrics.elidedText(word[0], Qt.TextElideMode.ElideMiddle, width), text)
