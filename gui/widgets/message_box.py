"""Message boxes that warn or ask."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from gui.style.theme import theme
from gui.widgets.long_words import WIDE, fitting


def warning(window: QWidget, title: str, reason: str, button: QMessageBox.StandardButton) -> QMessageBox:
    """A box with a reason and a button, or without one; to be opened."""
    return _box(QMessageBox.Icon.Warning, window, title, reason, button)


def refuse(window: QWidget, title: str, reason: str) -> None:
    """Say why something was not done."""
    warning(window, title, reason, QMessageBox.StandardButton.Ok).open()


def agrees(window: QWidget, title: str, question: str) -> bool:
    """Whether the person answers a question with Yes."""
    buttons = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
    box = _box(QMessageBox.Icon.Question, window, title, question, buttons)
    return box.exec() == QMessageBox.StandardButton.Yes


def _box(
    icon: QMessageBox.Icon, window: QWidget, title: str, words: str, buttons: QMessageBox.StandardButton
) -> QMessageBox:
    box = QMessageBox(icon, title, fitting(words, window.font(), theme().px(WIDE)), buttons, window)
    box.setTextFormat(Qt.TextFormat.PlainText)  # a file may have any name
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
