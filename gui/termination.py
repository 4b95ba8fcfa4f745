"""Makes signals end the window as a click on its close button does: the game and the settings are saved.

Python runs a handler between two of its own instructions, and Qt's event loop has none while it waits. So the number
of each signal is written into a socket, which the event loop listens to.

An X server that goes away ends the process too, inside a library: there one can only be told just before.
"""

import ctypes
import logging
import os
import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtGui import QGuiApplication

NUMBERS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class TerminationSignals(QObject):
    """Emits the first signal; a second one ends the process at once, whatever blocks it. Signals that the process was
    started to ignore, as by nohup, are ignored."""

    received = Signal(int)
    """The number of a signal."""

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_activated)
        self._before = {number: signal.getsignal(number) for number in NUMBERS}
        signal.set_wakeup_fd(self._writer.fileno())
        for number, handler in self._before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)

    def close(self) -> None:
        """Restore the earlier handlers of the signals."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _on_signal(self, *_: object) -> None:
        for number, handler in self._before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)

    def _on_activated(self) -> None:
        for number in self._reader.recv(64):
            if number in NUMBERS:
                self.received.emit(number)
                return


_HANDLERS: list[object] = []
"""Functions that C calls and that must not be collected."""


def before_lost_display_ends_it(act: Callable[[], object]) -> None:
    """Call `act` when Xlib finds that the X server is gone, and end the process with exit code 1.

    Xlib would end it as well, but with the libraries' own clean-up, in which running threads have crashed it. Qt leaves
    the event loop where it finds out first, as in a window that is idle, or on another platform.
    """

    def end(_display: object) -> None:
        try:
            act()
        finally:
            logging.shutdown()
            os._exit(1)

    if QGuiApplication.platformName() == "xcb":
        handler = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(end)
        ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(handler)
        _HANDLERS.append(handler)
