"""The keyboard's way through the window: in which order Tab goes, and that one sees where it is."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QDockWidget, QWidget
from shiboken6 import isValid

from gui.widgets.focus_ring import INSIDE, WANTED, FocusRing, want_ring

BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


def order(window: QWidget, *parts: QWidget) -> None:
    """Have Tab go through these parts of a window one after the other, inside each as it was built; also after one of
    them was taken out of the window and put back."""

    def chain() -> None:
        found = (stop for part in parts for stop in stops(part) if stop.window() is window)
        for before, after in pairwise(found):
            QWidget.setTabOrder(before, after)

    for part in parts:
        for stop in stops(part):
            if isinstance(stop, QAbstractButton) and stop.isCheckable():
                want_ring(stop, INSIDE)  # one that is checked has the border of one that has the keyboard
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


class Guide(QObject):
    """Follows the keyboard through a window and its dialogs.

    It brings the card forward that the keyboard comes to: for Qt, one behind a tab can be seen. It draws the ring of
    what has none itself, where Tab led there. It lets Space press the button that has the keyboard, also while Space
    is the key of something else. And where what has the keyboard is switched off, as Stop is when it is pressed, the
    keyboard goes home, and not to whatever is next. It watches only what has the keyboard: a filter in Python at each
    of a hundred widgets would hold up every change that all of them follow.
    """

    def __init__(self, window: QWidget, home: QWidget) -> None:
        super().__init__(window)
        self._window, self._home = window, home
        self._by_keyboard = False
        self._ring: FocusRing | None = None
        application = QGuiApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.FocusAboutToChange if isinstance(event, QFocusEvent):
                self._by_keyboard = event.reason() in BY_KEYBOARD
            case QEvent.Type.Resize | QEvent.Type.Move if self._ring is not None:
                self._ring.place()
            case QEvent.Type.ShortcutOverride if isinstance(event, QKeyEvent) and isinstance(watched, QAbstractButton):
                if event.key() == Qt.Key.Key_Space:
                    event.accept()
        return False

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if self._ring is not None and isValid(self._ring):
            self._ring.hide()
            self._ring.deleteLater()
        self._ring = None
        by_keyboard, self._by_keyboard = self._by_keyboard, False
        above = list(_above(now))
        if before is not None and isValid(before) and before.window() is self._window and not before.isEnabled():
            if self._window in above and now is not self._home:
                self._by_keyboard = True
                self._home.setFocus(Qt.FocusReason.TabFocusReason)
                return
        if now is None or self._window not in above:
            return
        now.installEventFilter(self)
        for card in above:
            if isinstance(card, QDockWidget) and card.visibleRegion().isEmpty():
                card.raise_()
        if by_keyboard and now.property(WANTED) is not None:
            self._ring = FocusRing(now)


def _above(widget: QWidget | None) -> Iterator[QWidget]:
    """A widget and all that it is in, the window that opened its own included."""
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
