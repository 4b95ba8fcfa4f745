"""Fields on a page that scrolls: a field ignores the wheel unless it has the focus."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from gui.i18n.language import tr

DECIMAL_COMMA = re.compile(r",(?=\d{0,2}\D*$)")
"""A comma with at most two digits behind it: three would be thousands."""

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
    """A number with decimals. A comma may part them, as in many languages."""

    def validate(self, input: str, pos: int, /) -> tuple[QValidator.State, str, int]:
        with_point = DECIMAL_COMMA.sub(".", input)
        state, text, place = super().validate(with_point, pos)
        return state, text if with_point == input else input, place  # a third digit may follow

    def valueFromText(self, text: str, /) -> float:
        return super().valueFromText(DECIMAL_COMMA.sub(".", text))


def plies(number: int) -> str:
    """The unit of a number of plies, with a space before it."""
    return tr(" pl(y|ies)", "behind a number", number)


def nodes(number: int) -> str:
    """The unit of a number of nodes, with a space before it."""
    return tr(" node(s)", "behind a number", number)
