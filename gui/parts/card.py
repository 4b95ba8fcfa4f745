"""The card: a panel with a small dim title on the left and its one telling fact on the right."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.parts.elided import ElidedLabel
from gui.theme import NOTE, QUIET, TEXT, theme


class CardTitle(QFrame):
    """The upper edge of a card."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setObjectName("cardTitle")
        self._title = QLabel(title)
        self._fact = ElidedLabel("")
        self._fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for label in (self._title, self._fact):
            label.setForegroundRole(QUIET)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 14, 4)
        row.addWidget(self._title)
        row.addWidget(self._fact, 1)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_fact(self, text: str) -> None:
        if text != self._fact.text():
            self._fact.setText(text)
            self._fact.setToolTip(text)

    def _restyle(self) -> None:
        look = theme()
        self._title.setFont(look.font(TEXT, QFont.Weight.DemiBold))
        self._fact.setFont(look.font(NOTE + 1))


class Card(QDockWidget):
    """A view in a dock, dressed as a card. `objectName` identifies it in the saved layout."""

    def __init__(self, name: str, title: str, view: QWidget) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.title = CardTitle(title)
        self.setTitleBarWidget(self.title)
        self.setWidget(card_body(view))


def card_body(view: QWidget) -> QFrame:
    """The lower part of a card, with `view` inside."""
    body = QFrame()
    body.setObjectName("cardBody")
    column = QVBoxLayout(body)
    column.setContentsMargins(14, 4, 14, 12)
    column.addWidget(view)
    return body


class CardFrame(QWidget):
    """A view that stays where it is, dressed as a card."""

    def __init__(self, title: str, view: QWidget) -> None:
        super().__init__()
        self.title = CardTitle(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(card_body(view), 1)
