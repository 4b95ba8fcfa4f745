"""A label of one line that shows where its text was cut."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """One line. A text that does not fit is replaced by its short form if it has one, else it ends in "…".

    Its height is that of its font. A new text is only painted, while a new text of a QLabel lays its window out again.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._text = self._short = ""
        self.setText(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._text), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    @property
    def short(self) -> str:
        """The text where the line does not fit."""
        return self._short

    def shorten(self, text: str) -> None:
        """Set the text where the line does not fit."""
        self._short = text

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        text = self._text if metrics.horizontalAdvance(self._text) <= self.width() else self._short or self._text
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
