"""Messages about the game's file."""

from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from gui.i18n.language import tr
from gui.widgets.message_box import warning


def ask_about_change(window: QWidget, path: Path) -> tuple[QPushButton, QPushButton]:
    """Ask what to do with a file that another program has changed; returns the buttons "Save as…" and "Overwrite"."""
    reason = tr(
        "{name} was changed since this window opened or saved it, by another window or program. Save this game under "
        "another name, or overwrite the file with it.",
        name=path.name,
    )
    box = warning(window, tr("The game was not saved"), reason, QMessageBox.StandardButton.NoButton)
    elsewhere = box.addButton(tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
    over = box.addButton(tr("Overwrite"), QMessageBox.ButtonRole.DestructiveRole)
    box.setEscapeButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(elsewhere)
    box.open()
    return elsewhere, over
