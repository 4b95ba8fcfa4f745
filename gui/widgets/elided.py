"""A label of one line that shows where its text was cut."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from gui.style.theme import width_in


class ElidedLabel(QLabel):
    """One line. A text that does not fit is replaced by the first shorter form that does; the last ends in "…" where it
    must.

    Its height is that of its font. A new text is only painted, while a new text of a QLabel lays its window out again.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._text, self._shorter = "", ()
        self.setText(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(width_in(self.font(), self._text), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    @property
    def shown(self) -> str:
        """The text that is painted."""
        font, width, texts = self.font(), self.width(), (self._text, *self._shorter)
        fitting = (text for text in texts if width_in(font, text) <= width)
        return next(fitting, None) or QFontMetrics(font).elidedText(texts[-1], Qt.TextElideMode.ElideRight, width)

    def shorten(self, *texts: str) -> None:
        """Set the texts where the line does not fit, the longest first."""
        if texts != self._shorter:
            self._shorter = texts
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, self.shown)
        painter.end()
