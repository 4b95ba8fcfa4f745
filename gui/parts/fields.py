"""Fields on a page that scrolls: the wheel passes over them on its way, unless they have the keyboard."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QWidget

_Mixin = QWidget if TYPE_CHECKING else object


class _Passed(_Mixin):
    """Leaves the wheel to the page, and so does not take the keyboard by it either."""

    def __init__(self, *args: Any, **properties: Any) -> None:
        super().__init__(*args, **properties)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Box(_Passed, QComboBox):
    """One of several entries."""


class Number(_Passed, QSpinBox):
    """A whole number."""


class Decimal(_Passed, QDoubleSpinBox):
    """A number with decimals."""
