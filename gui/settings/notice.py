"""A sentence that stays at the foot of the window until the person has seen it, and stands in nobody's way."""

from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QPushButton, QWidget

from gui.language import tr
from gui.parts.elided import ElidedLabel


class Notice(QWidget):
    """The sentence, and the button that takes it away."""

    def __init__(self, window: QMainWindow, text: str) -> None:
        super().__init__(window)
        self.words = ElidedLabel(text)
        self.words.setToolTip(text)
        self.words.setAccessibleName(text)
        self.dismiss = QPushButton(tr("Dismiss"))
        self.dismiss.clicked.connect(self.deleteLater)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.dismiss)
        window.statusBar().insertWidget(0, self, 1)
