"""A label of one line that shows where its text was cut."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """One line. A text that does not fit is replaced by its short form if it has one, else it ends in "…"."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._short = ""

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
        text = self.text() if metrics.horizontalAdvance(self.text()) <= self.width() else self._short or self.text()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
