"""Message boxes that warn."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def warning(window: QWidget, title: str, reason: str, button: QMessageBox.StandardButton) -> QMessageBox:
    """A box with a reason and a button, or without one; to be opened."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, reason, button, window)
    box.setTextFormat(Qt.TextFormat.PlainText)  # a file may have any name
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def refuse(window: QWidget, title: str, reason: str) -> None:
    """Say why something was not done."""
    warning(window, title, reason, QMessageBox.StandardButton.Ok).open()
