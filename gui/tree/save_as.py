"""The command that saves a picture of the tree."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gui.i18n.language import tr


def offer_saving(owner: QWidget, name: str, save: Callable[[Path], None]) -> QAction:
    """Give a widget's context menu a command that asks for a file and calls `save`, which raises ValueError, with a
    sentence, if it fails. `name` is the suggested file's, without its ending. Returns the command."""
    made = QAction(tr("Save picture…"), owner)

    def ask() -> None:
        kinds = "SVG (*.svg);;PNG (*.png);;PDF (*.pdf)"
        path, _ = QFileDialog.getSaveFileName(owner, tr("Save the picture"), f"{name}.svg", kinds)
        if not path:
            return
        try:
            save(Path(path))
        except ValueError as error:
            title, kind = tr("The picture was not saved"), QMessageBox.Icon.Warning
            box = QMessageBox(kind, title, str(error), QMessageBox.StandardButton.Ok, owner)
            box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            box.open()

    made.triggered.connect(ask)
    owner.addAction(made)
    owner.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    return made
