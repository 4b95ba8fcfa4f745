"""Long work on the window's thread, a step in each turn of the event loop."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal


class Steps(QObject):
    """Takes the steps of an iterator, in between which the window lives."""

    finished = Signal()
    """All steps are taken."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._take)

    def start(self, steps: Iterator[object]) -> None:
        """Take these, beginning with the next turn; what is left of others is dropped."""
        self._steps = steps
        self._timer.start()

    def finish(self) -> None:
        """Take all that are left now."""
        while self._timer.isActive():
            self._take()

    def _take(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._timer.stop()
            self.finished.emit()
