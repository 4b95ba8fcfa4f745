"""What is asked and said about files."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget


def ask_where(window: QWidget, title: str, suggested: Path, filters: str) -> Path | None:
    """Where to write, with the ending of the kind that is chosen if none is given; None if nowhere."""
    dialog = QFileDialog(window, title, str(suggested.parent), filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(suggested.name)
    dialog.setDefaultSuffix(suggested.suffix)
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind.rpartition("*")[2].rstrip(")")))
    agreed = dialog.exec()
    names = dialog.selectedFiles()
    dialog.deleteLater()
    return Path(names[0]) if agreed and names else None


def refuse(window: QWidget, title: str, reason: str) -> QMessageBox:
    """Say why something was not done, in a box of its own; gives the box, to which buttons can be added."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, reason, QMessageBox.StandardButton.Ok, window)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
