"""The kinds of fields that a setting or an option can have.

Each of these returns a function that makes the field: it takes a callable for the values that a person chooses,
and returns the widget and a function that shows a value in it. A text that a person is typing stays until it is
applied, whatever value is to be shown meanwhile.
"""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QLineEdit, QPushButton, QWidget

from gui.widgets.fields import Box, Decimal, Number

Show = Callable[[Any], object]
Field = Callable[[Callable[[Any], object]], tuple[QWidget, Show]]


class _Typing:
    """Whether a person is typing in a field: its text is not applied yet. QLineEdit.isModified is false again where a
    number gets its unit."""

    def __init__(self, field: QLineEdit) -> None:
        self.is_on = False
        field.textEdited.connect(self._begin)

    def _begin(self) -> None:
        self.is_on = True


def choice(texts: Mapping[Any, str]) -> Field:
    """A field for one of these values, shown by its text."""
    values = list(texts)

    def make(change: Callable[[Any], object]) -> tuple[QWidget, Show]:
        field = Box()
        field.addItems(list(texts.values()))
        field.activated.connect(lambda place: change(values[place]))
        return field, lambda value: field.setCurrentIndex(values.index(value) if value in values else -1)

    return make


def number(
    least: float,
    most: float,
    unit: str | Callable[[int], str] = "",
    none: str = "",
    decimals: int = 0,
    prefix: str = "",
    step: float = 0,
) -> Field:
    """A field for a number, whole unless it has decimals. With `none`, 0 stands for None and is shown as that text. The
    unit of a whole number may depend on the number. Without a `step` it is 1, or adapts to the number if 0 is None or
    the number has a unit that depends on it."""

    def make(change: Callable[[Any], object]) -> tuple[QWidget, Show]:
        if decimals:
            field = Decimal(decimals=decimals, prefix=prefix, minimum=least, maximum=most)
        else:
            field = Number(prefix=prefix, minimum=int(least), maximum=int(most))
        if isinstance(unit, str):
            field.setSuffix(unit)
        elif isinstance(field, Number):
            field.set_unit(unit)
        field.setKeyboardTracking(False)
        field.setGroupSeparatorShown(True)
        if none:
            field.setSpecialValueText(none)
        if none or callable(unit):
            field.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        if step and isinstance(field, Decimal):
            field.setStepType(QAbstractSpinBox.StepType.DefaultStepType)
            field.setSingleStep(step)
        typing = _Typing(field.lineEdit())

        def apply() -> None:
            typing.is_on = False
            change((field.value() or None) if none else field.value())

        field.valueChanged.connect(apply)
        field.editingFinished.connect(lambda: apply() if typing.is_on else None)
        return field, lambda value: None if typing.is_on else field.setValue(value or 0)

    return make


def count(most: Callable[[], int]) -> Field:
    """A field for a whole number from 1 on. What it is at most is asked for whenever a number is shown."""

    def make(change: Callable[[Any], object]) -> tuple[QWidget, Show]:
        field, show_number = number(1, most())(change)

        def show(value: Any) -> None:
            if isinstance(field, Number):
                field.setMaximum(most())
            show_number(value)

        return field, show

    return make


def switch() -> Field:
    """A field for on or off."""

    def make(change: Callable[[Any], object]) -> tuple[QWidget, Show]:
        field = QCheckBox()
        field.clicked.connect(change)
        return field, field.setChecked

    return make


def line(empty: str) -> Field:
    """A field for a line of text, with a placeholder for an empty one."""

    def make(change: Callable[[Any], object]) -> tuple[QWidget, Show]:
        field = QLineEdit(placeholderText=empty)
        typing = _Typing(field)

        def apply() -> None:
            typing.is_on = False
            change(field.text().strip())

        field.editingFinished.connect(apply)
        return field, lambda text: None if typing.is_on or text == field.text() else field.setText(text)

    return make


def button(words: str, do: Callable[[], object]) -> Field:
    """A button in place of a field: no value, only an action."""

    def make(_: Callable[[Any], object]) -> tuple[QWidget, Show]:
        field = QPushButton(words)
        field.clicked.connect(lambda: do())
        return field, lambda _: None

    return make
