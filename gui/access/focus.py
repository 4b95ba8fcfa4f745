"""The keyboard's way through the window: the Tab order, and a visible focus."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QDockWidget, QWidget
from shiboken6 import isValid

from gui.widgets.focus_ring import INSIDE, WANTED, FocusRing, want_ring

BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


def order(window: QWidget, *parts: QWidget) -> None:
    """Set the Tab order of these parts of a window, each in the order in which it was built; also after one of them was
    taken out of the window and put back."""

    def chain() -> None:
        found = [stop for part in parts for stop in stops(part)]
        for stop in found:
            if isinstance(stop, QAbstractButton) and stop.isCheckable():
                want_ring(stop, INSIDE)  # a checked button has the same border as a focused one
        for before, after in pairwise(stop for stop in found if stop.window() is window):
            QWidget.setTabOrder(before, after)

    for part in parts:
        if isinstance(part, QDockWidget):
            part.topLevelChanged.connect(lambda _: chain())
    chain()


def stops(part: QWidget) -> list[QWidget]:
    """The widgets of a part that can have the focus when it is shown; a field's inner line belongs to the field."""
    return [
        widget
        for widget in (part, *part.findChildren(QWidget))
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)
    ]


class Guide(QObject):
    """Follows the focus through a window and its dialogs.

    It raises the card of the focused widget: for Qt, a card behind a tab is visible. It draws the ring of a widget
    without one, where Tab led there. It lets Space press the focused button, also while Space is the key of an action.
    And when the focused widget is disabled, as Stop is when it is pressed, or hidden, the focus goes home instead of to
    the next widget. It watches only the focused widget: a filter in Python at each of a hundred widgets would slow
    every change that all of them follow.
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
                if event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier:
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
        if before is not None and isValid(before) and before.window() is self._window and not _can_have_focus(before):
            if self._window in above and now is not self._home and _can_have_focus(self._home):
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


def _can_have_focus(widget: QWidget) -> bool:
    return widget.isEnabled() and widget.isVisible()


def _above(widget: QWidget | None) -> Iterator[QWidget]:
    """A widget and all its parents, the window that opened its own included."""
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
