"""A message in the place of the chart: why nothing was measured or saved, and what to do."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from gui.style.theme import theme
from gui.widgets.announce import announce


class Refusal(QWidget):
    """A sentence, and a button for each remedy. A screen reader announces the sentence."""

    def __init__(self) -> None:
        super().__init__()
        self._line = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons: list[QPushButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addStretch()
        self._column.addWidget(self._line)
        self._column.addSpacing(8)
        self._column.addStretch()
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def text(self) -> str:
        return self._line.text()

    def tell(self, text: str, remedies: dict[str, Callable[[], object]]) -> None:
        """Show a sentence and the remedies by their buttons' texts, the first one first."""
        self._line.setText(text)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        for name, do in remedies.items():
            button = QPushButton(name)
            button.clicked.connect(lambda _checked=False, do=do: do())
            self._column.insertWidget(self._column.count() - 1, button, alignment=Qt.AlignmentFlag.AlignHCenter)
            self._buttons.append(button)
        announce(self, text)

    def _restyle(self) -> None:
        self._line.setFont(theme().font())
