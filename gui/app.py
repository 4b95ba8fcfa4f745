"""Opens the window, or paints it into a file."""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QEventLoop,
    QMessageLogContext,
    QSettings,
    QSize,
    QThread,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from gui.theme import theme
from gui.window import Window

SWITCH_SECONDS = 0.001
"""How long the search thread may interpret before the window gets its turn; Python's own 5 ms can be felt."""
PICTURE_SIZE = (1440, 900)
PICTURE_SECONDS = 60


def application() -> QApplication:
    """The one QApplication, with the program's name and icon."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    QCoreApplication.setOrganizationName("Plyscope")
    QCoreApplication.setApplicationName("Plyscope")
    sys.setswitchinterval(SWITCH_SECONDS)
    qInstallMessageHandler(_log_qt)
    made = QApplication(sys.argv[:1])
    made.setApplicationDisplayName("Plyscope")
    made.setDesktopFileName("plyscope")
    made.setStyle("Fusion")
    made.setWindowIcon(QIcon(str(files("resources") / "icons" / "plyscope.svg")))
    return made


def open_window() -> int:
    """Show the window until it is closed. Gives the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # so that Ctrl+C in the terminal ends it; Python would wait for a slot
    running = application()
    theme().apply()
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Plyscope", "Plyscope")
    window = Window(settings)
    window.show()
    window.warm()
    code = running.exec()
    if any(thread.isRunning() for thread in window.findChildren(QThread)):
        # A compiler cannot be interrupted, and Qt aborts where a thread outlives its object.
        logging.getLogger(__name__).warning("A search is still being compiled: left behind.")
        logging.shutdown()
        os._exit(code)
    return code


def save_screenshot(path: Path, size: tuple[int, int] = PICTURE_SIZE, choice: str = "light") -> None:
    """Paint the window into a PNG file, after a scripted game and searches: X on a1, O to move, the searches of that
    position side by side, alpha-beta's last.

    `choice` is a theme. Raises ValueError where the size is not possible or the file cannot be written.
    """
    if min(size) < 1 or max(size) > 16_384:
        raise ValueError(f"A picture of {size[0]} x {size[1]} pixels is not possible: choose 1 to 16384 each way.")
    application()
    theme().choose(choice)
    window = Window()
    window.resize(QSize(*size))
    window.show()
    for step in SCRIPT:
        step(window)
        _wait_until(lambda: not window.is_busy)
    application().processEvents()
    written = window.grab().save(str(path), "PNG")
    window.close()
    window.deleteLater()
    if not written:
        raise ValueError(f"The picture could not be written to {path}: choose a folder that exists and can be written.")


def _search(algorithm: str, backend: str) -> Callable[[Window], None]:
    def search(window: Window) -> None:
        window.analysis.change(algorithm=algorithm, backend=backend)
        window.think()

    return search


def _play_first_square(window: Window) -> None:
    window.record.set_computer(frozenset())
    window.play(0)
    window.values_action.setChecked(True)


def _walk_to_a_cutoff(window: Window) -> None:
    """O in the centre, X on b1, O on a2: X wins with c1, and nothing else need be looked at."""
    trace = window.analysis.result.trace if window.analysis.result else None
    row: int | None = 0
    for move in (4, 1, 3):
        row = trace.child_row(row, move) if trace is not None and row is not None else None
    if row is not None:
        window.path.go(row)


def _log_qt(kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
    """What Qt says belongs into the log; that painting needs no size hints, not even there."""
    if "propagateSizeHints" not in text:
        level = logging.WARNING if kind == QtMsgType.QtWarningMsg else logging.ERROR
        logging.getLogger("qt").log(level if kind in LOUD else logging.DEBUG, text)


LOUD = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)

SCRIPT: tuple[Callable[[Window], None], ...] = (
    _play_first_square,
    _search("minimax", "serial"),
    _search("minimax", "threads"),
    lambda window: window.speedup.measure(),
    _search("alphabeta", "serial"),
    _walk_to_a_cutoff,
)
"""What is done before the picture is taken; each step waits until the window is at rest."""


def _wait_until(condition: Callable[[], bool]) -> None:
    """Let the window live until a condition holds. Raises TimeoutError after PICTURE_SECONDS."""
    end = time.monotonic() + PICTURE_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"The scripted searches took more than {PICTURE_SECONDS} s.")
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
