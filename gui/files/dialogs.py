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


def ask_about_earlier(window: QWidget, count: int, folder: Path) -> QPushButton:
    """Ask whether to lose this many games that were replaced by others and cannot be written to the folder. Returns the
    button that loses them."""
    reason = tr(
        "%n earlier game(s) (is|are) not saved: {folder} cannot be written. (It|They) (waits|wait) for that folder "
        "while the window is open. If you close the window now, (it|they) (is|are) lost.",
        "",
        count,
        folder=folder,
    )
    box, over = _box(window, tr("Earlier games are not kept"), reason, tr("Close all the same"))
    box.open()
    return over


def _ask(window: QWidget, title: str, reason: str, otherwise: str) -> tuple[QPushButton, QPushButton]:
    box, over = _box(window, title, reason, otherwise)
    elsewhere = box.addButton(tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(elsewhere)
    box.open()
    return elsewhere, over


def _box(window: QWidget, title: str, reason: str, otherwise: str) -> tuple[QMessageBox, QPushButton]:
    """A box that can be left with Cancel, and its button for what loses something."""
    box = warning(window, title, reason, QMessageBox.StandardButton.NoButton)
    over = box.addButton(otherwise, QMessageBox.ButtonRole.DestructiveRole)
    cancel = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setEscapeButton(cancel)
    box.setDefaultButton(cancel)
    return box, over
