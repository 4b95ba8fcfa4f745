"""The question where a file is to be written."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def ask_where(window: QWidget, title: str, suggested: Path, filters: str) -> Path | None:
    """Ask for a file to write, with the ending of the chosen kind if the name has none; None if cancelled."""
    dialog = QFileDialog(window, title, str(suggested.parent), filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(suggested.name)
    dialog.setDefaultSuffix(suggested.suffix)
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind.rpartition("*")[2].rstrip(")")))
    agreed = dialog.exec()
    names = dialog.selectedFiles()
    dialog.deleteLater()
    return Path(names[0]) if agreed and names else None
