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
    return _ask(window, tr("The game was not saved"), reason, tr("Overwrite"))


def ask_about_loss(window: QWidget) -> tuple[QPushButton, QPushButton]:
    """Ask what to do with a game that would be lost. Returns the buttons "Save as…" and "Close without it"."""
    reason = tr(
        "The game is not saved, and cannot be kept for the next start. Save it in another place, or it is lost."
    )
    return _ask(window, tr("The game is not kept"), reason, tr("Close without it"))


def _ask(window: QWidget, title: str, reason: str, otherwise: str) -> tuple[QPushButton, QPushButton]:
    box = warning(window, title, reason, QMessageBox.StandardButton.NoButton)
    elsewhere = box.addButton(tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
    over = box.addButton(otherwise, QMessageBox.ButtonRole.DestructiveRole)
    box.setEscapeButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(elsewhere)
    box.open()
    return elsewhere, over
