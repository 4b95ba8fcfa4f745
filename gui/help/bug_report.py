"""The log, and the report that a person can send with a bug: versions, the machine, the job, and the log's end."""

import errno
import faulthandler
import importlib.metadata
import logging
import os
import platform
import sys
from datetime import datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from shutil import copy2

import msgspec
import platformdirs
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from engine.cores import cores
from engine.job import Job
from engine.text.numbers import counted
from engine.version import version

log = logging.getLogger(__name__)

LOG, CRASHES, LAST_CRASH = "plyscope.log", "crashes.txt", "last-crash.txt"
LOG_BYTES, OLD_LOGS = 500_000, 2
QUOTED_LINES, CRASH_LINES = 60, 200
PACKAGES = ("PySide6-Essentials", "numba", "numpy", "pyqtgraph", "mpi4py", "mpich")


def log_folder() -> Path:
    """The log's folder, whether or not it exists."""
    return platformdirs.user_log_path("plyscope")


def start_log() -> bool:
    """Log to stderr and to a file of limited size; a crash writes its traceback beside it. Returns whether the program
    has crashed since the last start; that traceback is kept for the report, until the next crash.

    Where the file cannot be written, the log goes to stderr alone and says so.
    """
    crashed = False
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    obstacle: OSError | None = None
    try:
        log_folder().mkdir(parents=True, exist_ok=True)
        for name in (LOG, CRASHES):
            if (log_folder() / name).exists() and not (log_folder() / name).is_file():
                raise OSError(errno.EINVAL, "It is not a file", str(log_folder() / name))
        handlers.append(_LogFile(log_folder() / LOG, maxBytes=LOG_BYTES, backupCount=OLD_LOGS, encoding="utf-8"))
        crashed = _keep_crash(log_folder())
        faulthandler.enable((log_folder() / CRASHES).open("a"))
    except OSError as error:
        obstacle = error
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", handlers=handlers, force=True
    )
    if obstacle is not None:
        log.warning("There is no log file: %s", obstacle)
    return crashed


def _keep_crash(folder: Path) -> bool:
    """Make the traceback of a new crash the last crash's; returns whether there was one. The file of crashes stays, for
    programs that are running write to it. Raises OSError."""
    left = folder / CRASHES
    if not left.exists() or not left.stat().st_size:
        return False
    copy2(left, folder / LAST_CRASH)
    os.truncate(left, 0)
    return True


class _LogFile(RotatingFileHandler):
    """A log file that reports a failed write, as on a full disk, once and without a traceback for each."""

    _complained = False

    def handleError(self, record: logging.LogRecord) -> None:
        if not self._complained:
            self._complained = True
            print(f"The log cannot be written to {self.baseFilename}: {sys.exc_info()[1]}", file=sys.stderr)


def report(job: Job | None) -> str:
    """The facts that a developer needs first to correct an error, deliberately in English. The home folder's name is
    left out."""
    versions = [f"{name} {_version(name)}" for name in PACKAGES]
    parts = [
        f"Plyscope {version()}",
        " · ".join([f"Python {platform.python_version()}", f"Qt {qVersion()}", *versions]),
        f"{platform.platform()} · {counted(cores(), 'core')} · {QGuiApplication.platformName()}",
        f"Job: {msgspec.json.encode(job).decode() if job is not None else 'none'}",
        *(f"{name}, its end:\n{tail}" for name in (LOG, CRASHES) if (tail := _tail(log_folder() / name))),
        *_last_crash(log_folder() / LAST_CRASH),
    ]
    return "\n".join(parts).replace(str(Path.home()), "~")


MISSING = "–"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return MISSING


def _last_crash(file: Path) -> list[str]:
    """The time and the traceback of the last crash; empty if there was none."""
    try:
        when = datetime.fromtimestamp(file.stat().st_mtime)
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [f"The last crash, at {when:%Y-%m-%d %H:%M}:", *lines[:CRASH_LINES]]


def _tail(file: Path) -> str:
    """The last lines of a file; empty where there are none to read."""
    try:
        return "\n".join(file.read_text(encoding="utf-8", errors="replace").splitlines()[-QUOTED_LINES:])
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            log.warning("%s", error)
        return ""
