"""Opens the window."""

import logging
import os
import signal
import sys
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    QThread,
    QThreadPool,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from gui import language
from gui.help.report import start_log
from gui.loading import load_compiler
from gui.runner import left_behind
from gui.settings.file import open_settings, usual_path
from gui.theme import theme
from gui.window import Window

SWITCH_SECONDS = 0.001
"""How long the search thread may interpret before the window gets its turn; Python's own 5 ms can be felt."""


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


def open_window(game: Path | None = None) -> int:
    """Show the window until it is closed, with the game of a file if one is given. Gives the exit code."""
    start_log()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # so that Ctrl+C in the terminal ends it; Python would wait for a slot
    running = application()
    QThreadPool.globalInstance().start(load_compiler)
    theme().apply()
    settings, notice = open_settings(usual_path())
    language.install(str(settings.value("language", language.SYSTEM)))
    try:
        window = Window(settings)
    except Exception:
        logging.getLogger(__name__).exception("The window could not be built.")
        raise
    window.help.errors.catch_all()
    if notice:
        window.notice.add(notice)
    window.show()
    window.warm()
    if game is not None:
        window.files.open(game)
    code = running.exec()
    if left_behind() or any(thread.isRunning() for thread in window.findChildren(QThread)):
        # A compiler cannot be interrupted, and Qt aborts where a thread outlives its object.
        logging.getLogger(__name__).warning("A search is still being compiled: left behind.")
        logging.shutdown()
        os._exit(code)
    return code


def _log_qt(kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
    """What Qt says belongs into the log; that painting needs no size hints, not even there."""
    if "propagateSizeHints" not in text:
        level = logging.WARNING if kind == QtMsgType.QtWarningMsg else logging.ERROR
        logging.getLogger("qt").log(level if kind in LOUD else logging.DEBUG, text)


LOUD = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
