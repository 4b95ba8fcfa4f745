"""The replay as it plays: its direction, its speed, and the clock that moves the cursor on."""

from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

FRAME_MILLISECONDS = 33
SLOWEST = 1.0
"""Moments a second."""
READABLE = 10.0
"""The moments a second up to which texts tell of each."""
SHORTEST_SECONDS = 2.0
"""The duration of a whole search at the greatest speed."""


class Moments(Protocol):
    """What is played: moments from 0 to `last`."""

    @property
    def moment(self) -> int: ...

    @property
    def last(self) -> int: ...

    def go(self, moment: int) -> None:
        """Go to a moment, or to the nearest there is."""


class Playback(QObject):
    """Moves `moments` on or back while it is active."""

    changed = Signal()
    """Playing has begun or ended, or its speed has changed."""
    begun = Signal()
    """Playing has begun; `changed` follows."""
    paused = Signal()
    """Playing has ended; `changed` follows."""

    def __init__(self, moments: Moments, parent: QObject) -> None:
        super().__init__(parent)
        self._moments = moments
        self._speed = 6.0
        """The speed that was set, which may be too great for the present record."""
        self._rest = 0.0
        """Moments that are due, but less than one."""
        self._direction = 1
        self._since = QElapsedTimer()
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._on_clock)

    @property
    def is_active(self) -> bool:
        return self._clock.isActive()

    @property
    def is_readable(self) -> bool:
        """Whether texts can tell of each moment: it does not play, or not too fast."""
        return not self.is_active or self.speed <= READABLE

    @property
    def speed(self) -> float:
        """Moments a second, while it plays: those that were set, at most `fastest`."""
        return min(self._speed, self.fastest)

    @property
    def fastest(self) -> float:
        """The greatest speed, with which the whole search takes SHORTEST_SECONDS; at least READABLE."""
        return max(READABLE, self._moments.last / SHORTEST_SECONDS)

    def set_speed(self, speed: float) -> None:
        """Set the moments a second, at least SLOWEST."""
        self._speed = max(SLOWEST, speed)
        if self.is_active:
            self._start()
        self.changed.emit()

    def play(self, direction: int = 1) -> None:
        """Play on (1) or backwards (-1); from the start where the moment is the last, and the other way round."""
        last = self._moments.last
        end = last if direction > 0 else 0
        if self._moments.moment == end:
            self._moments.go(last - end)
        self._direction, self._rest = direction, 0.0
        self._start()
        self.begun.emit()
        self.changed.emit()

    def pause(self) -> None:
        """Stop playing."""
        if self.is_active:
            self._clock.stop()
            self.paused.emit()
            self.changed.emit()

    def _start(self) -> None:
        self._since.start()
        self._clock.start(max(FRAME_MILLISECONDS, int(1000 / self.speed)))

    def _on_clock(self) -> None:
        self._rest += self._since.restart() / 1000 * self.speed
        steps = max(1, int(self._rest)) if self._clock.interval() > FRAME_MILLISECONDS else int(self._rest)
        self._rest = max(0.0, self._rest - steps)
        if steps:
            self._moments.go(self._moments.moment + self._direction * steps)
        if self._moments.moment == (self._moments.last if self._direction > 0 else 0):
            self.pause()
