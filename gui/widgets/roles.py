"""The roles of a widget's colours. Qt would style a widget again though its role is the same."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget


def set_foreground(widget: QWidget, role: QPalette.ColorRole) -> None:
    """Give the text a role."""
    if widget.foregroundRole() != role:
        widget.setForegroundRole(role)


def set_background(widget: QWidget, role: QPalette.ColorRole) -> None:
    """Give the ground a role."""
    if widget.backgroundRole() != role:
        widget.setBackgroundRole(role)
