"""The role of a widget's text colour."""

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget


def set_foreground(widget: QWidget, role: QPalette.ColorRole) -> None:
    """Give the text a role. Qt would style the widget again though the role is the same."""
    if widget.foregroundRole() != role:
        widget.setForegroundRole(role)
