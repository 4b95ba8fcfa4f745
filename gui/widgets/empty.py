"""The empty state of a view: one line on what would fill it, and a button that does so."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from gui.style.theme import QUIET, theme


class EmptyState(QWidget):
    """One line, and below it a button if it has a name."""

    pressed = Signal()

    def __init__(self, line: str, button: str = "") -> None:
        super().__init__()
        self._line = QLabel(line, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._line.setForegroundRole(QUIET)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch()
        column.addWidget(self._line)
        self._button = QPushButton(button)
        self._button.clicked.connect(lambda: self.pressed.emit())
        column.addSpacing(8)
        column.addWidget(self._button, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._button.setVisible(bool(button))
        column.addStretch()
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_line(self, line: str, is_possible: bool = True) -> None:
        """Show a line; the button is there where what it does is possible."""
        self._line.setText(line)
        self._button.setVisible(is_possible and bool(self._button.text()))

    def _restyle(self) -> None:
        self._line.setFont(theme().font())
