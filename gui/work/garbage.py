"""Python's garbage collector, on the window's thread alone.

By itself it runs on whichever thread has just made an object. QObjects in a cycle are then destroyed there, and one
that has timers, or events that wait for it, may only be destroyed on its own thread: Qt's lists are damaged, and the
program ends later, elsewhere.
"""

import gc
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt, QTimer

MILLISECONDS = 1000
"""Between two looks at how much garbage there may be."""
THRESHOLDS = 700, 10, 10
"""Of the three generations, as Python has them. The engine's would let one collection take 50 ms."""
_LOADED: set[Hashable] = set()
_LOADING: list[Hashable] = []


class GarbageCollector(QObject):
    """Replaces the automatic collections by those of a timer of the thread that makes it, under THRESHOLDS."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        gc.freeze()  # what is loaded lives for good
        timer = QTimer(self)
        timer.setTimerType(Qt.TimerType.VeryCoarseTimer)
        timer.timeout.connect(collect)
        timer.start(MILLISECONDS)


def collect() -> None:
    """Collect the oldest generation whose threshold is passed, and the younger ones; none while something is loaded."""
    passed = [count > threshold for count, threshold in zip(gc.get_count(), THRESHOLDS, strict=True)]
    if any(passed) and not _LOADING:
        gc.collect(max(generation for generation in range(3) if passed[generation]))


@contextmanager
def collected_later(loaded: Hashable) -> Iterator[None]:
    """Collect nothing meanwhile, and exclude all objects from later collections: those that numba makes for `loaded`
    live for good. A full collection over them takes 50 ms, in which no thread can interpret.

    Nothing is done the second time: what is loaded already makes none, and excluded garbage is never freed.
    """
    if loaded in _LOADED:
        yield
        return
    _LOADED.add(loaded)
    _LOADING.append(loaded)
    try:
        yield
    finally:
        gc.freeze()
        _LOADING.remove(loaded)
