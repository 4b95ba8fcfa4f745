"""A label whose words have formats of their own."""

import math
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QSizePolicy


class FormattedLabel(QLabel):
    """Sentences that wrap.

    A QLabel with a rich text makes a document of each new text and lays its window out again, which took a tenth of a
    step of the replay. Here a new text is only painted, unless it has more lines or fewer.
    """

    def __init__(self) -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._text = ""
        self._formats: tuple[QTextLayout.FormatRange, ...] = ()
        self._layout = QTextLayout()
        self._laid: tuple[object, ...] = ()
        """The width and the font that the layout was made for."""

    def text(self) -> str:
        return self._text

    def say(self, text: str, formats: Sequence[QTextLayout.FormatRange] = ()) -> None:
        """Show a text; `formats` change the font or the colour of its parts."""
        height = self.heightForWidth(self.width())
        self._text, self._formats, self._laid = text, tuple(formats), ()
        self.setAccessibleName(text)
        if self.heightForWidth(self.width()) != height:
            self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay(width)
        return math.ceil(self._layout.boundingRect().height())

    @property
    def line_height(self) -> int:
        """The height of a line in pixels; the line spacing of the font may be one less."""
        return _line_height(self.font())

    def sizeHint(self) -> QSize:
        return QSize(0, self.line_height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay(self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        self._layout.draw(painter, QPointF())
        painter.end()

    def _lay(self, width: int) -> None:
        """Break the text into lines of a width in pixels."""
        laid = width, self.font()
        if laid == self._laid:
            return
        self._laid = laid
        layout, top = self._layout, 0.0
        layout.setText(self._text)
        layout.setFont(self.font())
        layout.setFormats(self._formats)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLeadingIncluded(True)
            line.setLineWidth(width)
            line.setPosition(QPointF(0, top))
            top += line.height()
        layout.endLayout()


@lru_cache(maxsize=16)
def _line_height(font: QFont) -> int:
    layout = QTextLayout("X", font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLeadingIncluded(True)
    layout.endLayout()
    return math.ceil(line.height())
