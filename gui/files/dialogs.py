"""Messages about the game's file."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from gui.i18n.language import tr


def refuse(window: QWidget, title: str, reason: str) -> None:
    """Say in a message box why something was not done."""
    box = _box(window, title, reason, QMessageBox.StandardButton.Ok)
    box.open()


def ask_about_change(window: QWidget, path: Path) -> tuple[QPushButton, QPushButton]:
    """Ask what to do with a file that another program has changed; returns the buttons "Save as…" and "Overwrite"."""
    reason = tr(
        "{name} was changed since this window opened or saved it, by another window or program. Save this game under "
        "another name, or overwrite the file with it.",
        name=path.name,
    )
    box = _box(window, tr("The game was not saved"), reason, QMessageBox.StandardButton.NoButton)
    elsewhere = box.addButton(tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
    over = box.addButton(tr("Overwrite"), QMessageBox.ButtonRole.DestructiveRole)
    box.setEscapeButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(elsewhere)
    box.open()
    return elsewhere, over


def _box(window: QWidget, title: str, reason: str, button: QMessageBox.StandardButton) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Warning, title, reason, button, window)
    box.setTextFormat(Qt.TextFormat.PlainText)  # a file may have any name
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
