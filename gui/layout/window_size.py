"""The size that a person gave the window: it comes back after the window filled the screen, or had to grow."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QWindowStateChangeEvent
from PySide6.QtWidgets import QMainWindow

from gui.style.theme import theme

FILLING = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


class WindowSize(QObject):
    """Watches a window, and restores its size as soon as its least size allows."""

    changed = Signal()
    """The window has another size, or the theme another scale. Emitted in a step of the event loop of its own: Qt may
    crash where docks are moved while it lays them out."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wanted: QSize | None = None
        self._coming_back = self._filled = False
        self._soon = QTimer(window, singleShot=True)
        self._soon.timeout.connect(self._settle)
        window.installEventFilter(self)
        theme().changed.connect(self._settle_soon)

    @property
    def now(self) -> QSize:
        """The size that the person wants: the present one, or the one that will come back."""
        return self._window.size() if self._wanted is None or self._fills_screen() else self._wanted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWindowStateChangeEvent):
            self._note_state(event.oldState())
            self._settle_soon()
        elif isinstance(event, QResizeEvent):
            self._note_size(event.oldSize(), event.size())
            self._settle_soon()
        elif event.type() == QEvent.Type.LayoutRequest and self._wanted is not None:
            self._settle_soon()
        return False

    def _settle_soon(self) -> None:
        self._soon.start(0)

    def _settle(self) -> None:
        self._come_back()
        self.changed.emit()

    def _note_state(self, before: Qt.WindowState) -> None:
        """Store the size of a window that is about to fill the screen: it gets it back, whatever the zoom is by
        then."""
        if self._fills_screen() and not before & FILLING:
            usual = self._window.normalGeometry().size()
            if self._wanted is None and usual.isValid():
                self._wanted = usual
            self._filled = True

    def _note_size(self, old: QSize, new: QSize) -> None:
        """Store the person's size of a window that a larger zoom makes grow to its least size."""
        least = self._window.minimumSize()
        at_least = new.width() in (old.width(), least.width()) and new.height() in (old.height(), least.height())
        if self._fills_screen() or self._coming_back:
            return
        if self._filled:
            self._filled = False
            return
        if not at_least:
            self._wanted = None
        elif self._wanted is None and old.isValid() and new.expandedTo(old) == new:
            self._wanted = old

    def _come_back(self) -> None:
        """Restore the size that a person gave the window, as far as its least size allows."""
        if self._wanted is None or self._fills_screen():
            return
        self._coming_back = True
        self._window.resize(self._wanted.expandedTo(self._window.minimumSize()))
        self._coming_back = False
        if self._window.size() == self._wanted:
            self._wanted = None

    def _fills_screen(self) -> bool:
        return bool(self._window.windowState() & FILLING)
