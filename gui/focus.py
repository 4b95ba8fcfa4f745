"""The keyboard's way through the window: in which order Tab goes, and that one sees where it is."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QDockWidget, QWidget

from gui.parts.ring import INSIDE, FocusRing


def order(window: QWidget, *parts: QWidget) -> None:
    """Have Tab go through these parts of a window one after the other, inside each as it was built; also after one of
    them was taken out of the window and put back."""

    def chain() -> None:
        found = (stop for part in parts for stop in stops(part) if stop.window() is window)
        for before, after in pairwise(found):
            QWidget.setTabOrder(before, after)

    for part in parts:
        guide = _Guide(part)
        for stop in stops(part):
            stop.installEventFilter(guide)
            if isinstance(stop, QAbstractButton) and stop.isCheckable():
                FocusRing(stop, INSIDE)  # one that is checked has the border of one that has the keyboard
        if isinstance(part, QDockWidget):
            part.topLevelChanged.connect(lambda _: chain())
    chain()


def stops(part: QWidget) -> list[QWidget]:
    """Whatever in a part can have the keyboard when it is shown; the line inside a field belongs to the field."""
    return [
        widget
        for widget in (part, *part.findChildren(QWidget))
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)
    ]


class _Guide(QObject):
    """Brings the card forward that the keyboard comes to: for Qt, one behind a tab can be seen. And lets Space press
    the button that has the keyboard, also while Space is the key of something else."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part)
        self._part = part

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            if isinstance(self._part, QDockWidget) and self._part.visibleRegion().isEmpty():
                self._part.raise_()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space and isinstance(watched, QAbstractButton):
            event.accept()  # an override of the shortcut; a press goes its way
        return False
