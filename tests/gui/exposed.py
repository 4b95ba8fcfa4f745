"""Shows a view to a test."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def expose(qtbot: QtBot, view: QWidget, width: int, height: int) -> None:
    """Show a view in this size, on the screen when this returns; it is deleted after the test."""
    qtbot.addWidget(view)
    view.resize(width, height)
    with qtbot.waitExposed(view):
        view.show()
