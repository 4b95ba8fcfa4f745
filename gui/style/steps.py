"""Long work on the window's thread, in steps of the event loop."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal


class Steps(QObject):
    """Runs an iterator one step at a time; events are handled in between."""

    finished = Signal()
    """All steps have run."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._take)

    @property
    def is_running(self) -> bool:
        """Whether steps remain."""
        return self._timer.isActive()

    def start(self, steps: Iterator[object]) -> None:
        """Run these steps, from the event loop's next step on; the rest of earlier ones is dropped."""
        self._steps = steps
        self._timer.start()

    def finish(self) -> None:
        """Run all remaining steps now."""
        while self.is_running:
            self._take()

    def _take(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._timer.stop()
            self.finished.emit()
