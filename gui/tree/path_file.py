"""The path as a picture file: a title, the rows, and the sentences on the event that is shown."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QRegion

from gui.style.theme import NOTE, TEXT, theme
from gui.tree.path_layout import ROOMY, WIDE_GAP, legible, spread, visible
from gui.tree.path_model import Row
from gui.tree.path_painter import PathPainter
from gui.tree.path_text import sentence
from gui.tree.path_tile import bold
from gui.work.picture_file import Drawing

MARGIN, SPACE = 16, 10
"""The empty space on each side, and between rows and texts, in pixels."""
BOARD = 64
"""The size of a board in pixels."""
LEAST, MOST = 6, 10
"""The boards beside each other for which a picture is wide enough."""


class TextLine(NamedTuple):
    """A text across the picture."""

    text: str
    font: QFont
    colour: QColor

    def height(self, width: int) -> int:
        """The height in pixels of the text, wrapped at a width."""
        return QFontMetrics(self.font).boundingRect(QRect(0, 0, width, 0), Qt.TextFlag.TextWordWrap, self.text).height()

    def paint(self, painter: QPainter, width: int) -> None:
        """Draw the text, and move the painter below it."""
        painter.setFont(self.font)
        painter.setPen(self.colour)
        painter.drawText(QRect(0, 0, width, self.height(width)), Qt.TextFlag.TextWordWrap, self.text)
        painter.translate(0, self.height(width))


def path_drawing(rows: Sequence[Row], title: str, fact: str, words: Sequence[str], log: Sequence[str] = ()) -> Drawing:
    """The rows of a path, a title and a fact above them, sentences below. The description has all of that in words, and
    the events of a log."""
    look = theme()
    ink, dim = look.colour("ink"), look.colour("dim")
    measures = spread(rows, ROOMY, max(look.px(BOARD), legible(rows)), look.px(WIDE_GAP))
    width = measures.left + measures.step * min(MOST, max(LEAST, *map(len, rows))) + look.px(MARGIN)
    head = [TextLine(title, bold(TEXT), ink), TextLine(fact, look.font(NOTE + 1), dim)]
    foot = [TextLine(said, look.font(TEXT), ink) for said in words]
    space, high = look.px(SPACE), len(rows) * measures.pitch
    height = high + 2 * space + sum(line.height(width) for line in (*head, *foot))

    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(look.px(MARGIN), look.px(MARGIN))
        for line in head:
            line.paint(painter, width)
        painter.translate(0, 2 * space)
        drawn = PathPainter(painter, measures, None, rows[0].game)
        drawn.paint_legend(rows, width)
        area = QRegion(0, 0, width, high)
        drawn.paint(rows, lambda row: visible(row, measures, width), area, frozenset(), 1.0)
        painter.translate(0, high)
        for line in foot:
            line.paint(painter, width)

    size = QSizeF(width + 2 * look.px(MARGIN), height + 2 * look.px(MARGIN))
    story = "\n".join([title, fact, *map(sentence, rows), *log])
    return Drawing(size, look.colour("card"), paint, story)
