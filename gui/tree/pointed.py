"""What is under the pointer in a picture."""

from typing import Any

from PySide6.QtCore import QEvent, Signal

from gui.widgets.card import OnGround


class Pointed(OnGround):
    """A picture that tells what the pointer is on. Its class decides what is where."""

    pointed = Signal(object)
    """What is under the pointer; None where nothing is any more."""

    def __init__(self) -> None:
        super().__init__()
        self._pointed: Any = None
        self.setMouseTracking(True)

    def point(self, found: Any) -> None:
        """Tell what is under the pointer, if that is new; None: nothing."""
        if found != self._pointed:
            self._pointed = found
            self.pointed.emit(found)

    def leaveEvent(self, event: QEvent) -> None:
        self.point(None)
