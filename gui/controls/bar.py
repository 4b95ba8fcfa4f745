"""Buttons of actions, fields for numbers, and groups of them."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSpinBox, QToolButton, QWidget

from engine.text.numbers import thousands
from gui.i18n.language import tr


def button(action: QAction) -> QToolButton:
    """A button that shows and triggers an action, and is hidden with it."""
    made = QToolButton()
    made.setDefaultAction(action)
    made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if not action.isVisible():
        made.hide()
    action.visibleChanged.connect(lambda: made.setVisible(action.isVisible()))
    return made


def count(name: str, most: int, change: Callable[[int], object]) -> QSpinBox:
    """A field for a number from 1 to `most`."""
    made = QSpinBox()
    made.setMinimum(1)
    made.setAccessibleName(name)
    set_most(made, most)
    made.setKeyboardTracking(False)
    made.valueChanged.connect(change)
    return made


def set_most(field: QSpinBox, most: int) -> None:
    """Set the greatest number of such a field, and say it in its tip."""
    field.setMaximum(most)
    field.setToolTip(tr("{name}: 1 to {most}", name=field.accessibleName(), most=thousands(most)))


def beside(*widgets: QWidget) -> QWidget:
    """Widgets beside each other that a narrow window does not part."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for widget in widgets:
        row.addWidget(widget)
    return made


def group(*members: QAction | QWidget) -> QWidget:
    """Buttons and fields that belong together, in one frame."""
    made = QFrame()
    made.setObjectName("group")
    row = QHBoxLayout(made)
    row.setContentsMargins(2, 2, 2, 2)
    row.setSpacing(2)
    for member in members:
        row.addWidget(button(member) if isinstance(member, QAction) else member)
    return made
