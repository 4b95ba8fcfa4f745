"""The last searches, with the records of the newest of them."""

from collections import deque

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from engine.result import Result

KEPT_RUNS = 20
KEPT_NODES = 5_000_000
"""The recorded nodes of all earlier searches together: some 200 MB with what is computed from them."""
CHANGED_MILLISECONDS = 100


class Runs(QObject):
    """At most KEPT_RUNS results."""

    changed = Signal()
    """Emitted with a delay, once for many results within the delay."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._runs: deque[Result] = deque(maxlen=KEPT_RUNS)
        self._delay = QTimer(self, singleShot=True, interval=CHANGED_MILLISECONDS)
        self._delay.timeout.connect(self.changed)

    @property
    def all(self) -> tuple[Result, ...]:
        """The results, newest first; the older ones without their records, see KEPT_NODES."""
        return tuple(self._runs)

    def add(self, result: Result) -> None:
        """Add a result. Earlier ones lose their records where these are too long together."""
        room = KEPT_NODES
        for place, run in enumerate(self._runs):
            nodes = sum(len(each.trace) for each in (run, *run.earlier) if each is not None and each.trace is not None)
            if nodes > room:
                self._runs[place] = replace(run, trace=None, earlier=())
            else:
                room -= nodes
        self._runs.appendleft(result)
        if not self._delay.isActive():
            self._delay.start()

    def close(self) -> None:
        self._delay.stop()
