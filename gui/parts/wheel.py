"""The wheel passes over a field on its way down a page, unless the field has the keyboard."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


def pass_wheel(field: QWidget) -> None:
    """Have the wheel scroll the page around a field, and neither change the field nor give it the keyboard."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_Passes(field))


class _Passes(QObject):
    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._field = field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and not self._field.hasFocus():
            event.ignore()
            return True
        return False
