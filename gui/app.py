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
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

import gui.features  # noqa: F401  # first: it makes the other imports faster
from gui.help.bug_report import start_log
from gui.i18n import language
from gui.i18n.language import tr
from gui.settings.ini_file import open_settings, usual_path
from gui.speedup.new_chart import load_charts
from gui.style.theme import theme
from gui.termination import TerminationSignals, before_lost_display_ends_it
from gui.window import Window
from gui.work.allocator import return_freed_arrays
from gui.work.garbage import GarbageCollector
from gui.work.load_numba import load_compiler
from gui.work.runner import left_behind

log = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0002
"""The time that another thread may interpret while the window's waits. It waits so at each view that it paints, up to
Python's own 5 ms, which can be felt."""

NO_PAINTING_THREADS = "QT_NO_GUI_THREADPOOL"
"""An environment variable of Qt. Without it Qt divides large fills among threads, and the window's thread waits for
ever for one that the system does not start. A window is painted in the same time either way."""

CHARTS_AFTER = 5000
"""The milliseconds from the start after which the library of charts is imported: beside it, the answer to a first click
comes 0.15 s later (tests.bench.bench_start)."""


def application() -> QApplication:
    """The one QApplication, with the program's name and icon."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    QCoreApplication.setOrganizationName("Plyscope")
    QCoreApplication.setApplicationName("Plyscope")
    sys.setswitchinterval(SWITCH_SECONDS)
    return_freed_arrays()
    qInstallMessageHandler(_log_qt)
    os.environ[NO_PAINTING_THREADS] = "1"
    made = QApplication(["plyscope"])  # not the path that started it: Qt crashes at one that is not UTF-8
    made.setApplicationDisplayName("Plyscope")
    made.setDesktopFileName("plyscope")
    made.setStyle("Fusion")
    made.setWindowIcon(QIcon(str(files("resources") / "icons" / "plyscope.svg")))
    GarbageCollector(made)
    return made


def open_window(game: Path | None = None) -> int:
    """Show the window until it is closed, with the game of a file if one is given. Returns the exit code."""
    crashed = start_log()
    running = application()
    signals = TerminationSignals()
    QThreadPool.globalInstance().start(load_compiler)
    theme().apply()
    settings, notice = open_settings(usual_path())
    language.install(str(settings.value("language", language.SYSTEM)))
    try:
        window = Window(settings)
    except Exception:
        log.exception("The window could not be built.")
        raise
    window.help.errors.catch_all()
    signals.received.connect(lambda number: _end(window, number))
    if notice:
        window.notice.add(notice)
    if crashed:
        sentence = tr("Plyscope crashed when it last ran. The report says where: send it, with a word on what you did.")
        window.notice.add(sentence, tr("Copy report"), window.help.errors.copy_report)
    window.show()
    window.warm()
    QTimer.singleShot(CHARTS_AFTER, lambda: QThreadPool.globalInstance().start(load_charts))
    if game is not None:
        window.files.open(game)
    before_lost_display_ends_it(lambda: _end_without_display(window))
    code = running.exec()
    if not window.is_ended:
        _end_without_display(window)
    signals.close()
    running_on = [thread.objectName() for thread in window.findChildren(QThread) if thread.isRunning()]
    if left := [*left_behind(), *running_on]:
        # A compilation cannot be interrupted, and Qt aborts where a thread outlives its object.
        log.warning("Left behind, for it would not end: the %s.", ", the ".join(left))
        logging.shutdown()
        os._exit(code)
    return code


def _end(window: Window, number: int) -> None:
    """Save everything as when a person closes the window, and return the exit code that shells expect of a signal."""
    log.info("Ended by %s.", signal.Signals(number).name)
    window.end()
    QCoreApplication.exit(128 + number)


def _end_without_display(window: Window) -> None:
    log.error("The display was lost: the game and the settings are kept.")
    window.end()


def _log_qt(kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
    """Write Qt's messages to the log, except one on size hints that painting does not need."""
    if "propagateSizeHints" not in text:
        level = logging.WARNING if kind == QtMsgType.QtWarningMsg else logging.ERROR
        logging.getLogger("qt").log(level if kind in LOUD else logging.DEBUG, text)


LOUD = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
