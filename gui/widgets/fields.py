"""Fields on a page that scrolls: a field ignores the wheel unless it has the focus."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from gui.i18n.language import tr

_Mixin = QWidget if TYPE_CHECKING else object


class _Passed(_Mixin):
    """Leaves the wheel to the page, and does not take the focus by it."""

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

    _unit: Callable[[int], str] | None = None

    def set_unit(self, unit: Callable[[int], str]) -> None:
        """Show a unit behind the number, in the form that the number takes: " ply", " plies"."""
        self._unit = unit
        self.valueChanged.connect(self._show_unit)
        self._show_unit()

    def setValue(self, val: int, /) -> None:
        super().setValue(val)
        self._show_unit()  # its signals may be blocked

    def _show_unit(self) -> None:
        if self._unit is not None:
            self.setSuffix(self._unit(self.value()))


class Decimal(_Passed, QDoubleSpinBox):
    """A number with decimals."""


def plies(number: int) -> str:
    return tr(" pl(y|ies)", "behind a number", number)


def nodes(number: int) -> str:
    return tr(" node(s)", "behind a number", number)
