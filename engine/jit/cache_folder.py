"""The cache folder of compiled kernels. This module does not import the compiler.

kernels-<hash>/                          one folder per version of the engine
    engine_backends_<hash>/*.nbc         written and checked by `engine.jit.cache_files`
    ready-<hash>                         all kernels of a kind of search are compiled (`engine.prewarm.background`)
    loading-<host>-<session>-<process>-<thread>    a kernel is being loaded; remains only if loading ends the process
"""

import hashlib
import logging
import os
import pickle
import platform
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

from engine.jit.numba_version import VERSION

log = logging.getLogger(__name__)

ENGINE = Path(__file__).parents[1]
UNUSED_SECONDS = 14 * 86_400
"""Kernels of another version that were not used for so long are removed."""

UNUSABLE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    OSError,
    pickle.PickleError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Exceptions raised when a damaged or unsuitable file is read and its code loaded, or by a cache of a newer numba."""


def _folder() -> Path:
    """The path of the cache folder. Its name is a hash of the engine's sources, their path and the compiler's versions.

    numba compares only the path and time stamp of one file, so it would miss a rule changed in another file.
    """
    checks = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest = hashlib.sha256(f"{VERSION} {version('llvmlite')} {checks} ".encode() + os.fsencode(ENGINE))
    for source in sorted(ENGINE.rglob("*.py")):
        digest.update(source.read_bytes())
    above = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("plyscope")
    return Path(above) / f"kernels-{digest.hexdigest()[:16]}"


def _opened() -> Path | None:
    """The cache folder, or None if it cannot be written."""
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)  # read by `_remove_unused`
        if any(_has_ended(process) for _, _, process in _marks(folder)):
            log.warning("Loading the compiled kernels ended the program the last time; they are compiled anew.")
            drop(folder)
        _remove_unused(folder)
    except OSError as error:
        log.warning("Compiled kernels cannot be kept (%s); they are compiled anew at each start.", error)
        return None
    return folder


def drop(folder: Path) -> None:
    """Remove all kernels. A running program keeps those it has loaded."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


@cache
def _warn_of_reason(reason: str) -> None:
    log.warning("Compiled kernels could not be kept: %s.", reason)


def warn_of_saving(error: Exception) -> None:
    """Log a warning once for each reason, not for each kernel."""
    _warn_of_reason(getattr(error, "strerror", None) or str(error))


@contextmanager
def loading(folder: Path) -> Iterator[None]:
    """A mark file exists inside this context. If the process dies in it, the next start removes the folder."""
    mark = folder / _mark_name(_session(), os.getpid(), threading.get_ident())
    with suppress(OSError):  # a full disk must not prevent loading
        mark.touch()
    try:
        yield
    finally:
        with suppress(OSError):
            mark.unlink()


def forget_loading(folder: Path, session: int) -> None:
    """Remove the mark files of a session whose processes were killed: what they were loading has not ended them."""
    for mark, number, _ in _marks(folder):
        if number == session:
            with suppress(OSError):
                mark.unlink()


def _session() -> int:
    return os.getsid(0) if hasattr(os, "getsid") else 0


def _mark_name(session: int, process: int, thread: int) -> str:
    return f"loading-{platform.node()}-{session}-{process}-{thread}"


def _marks(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """Each mark file of this host, with its session and its process. Other files are left out."""
    pattern = re.compile(rf"loading-{re.escape(platform.node())}-(\d+)-(\d+)-\d+")
    for file in folder.glob("loading-*"):
        if name := pattern.fullmatch(file.name):
            yield file, int(name[1]), int(name[2])


def _has_ended(process: int) -> bool:
    """Whether the process that made a mark has ended. At the start this process has made no mark: one with its number
    is that of an earlier process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OverflowError, PermissionError):
        return False
    return process == os.getpid()


def _remove_unused(own: Path) -> None:
    """Remove other versions' folders, up to 31 MB each, not used for UNUSED_SECONDS."""
    for other in own.parent.glob("kernels-*"):
        with suppress(OSError):
            if other != own and time.time() - other.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(other) if other.is_dir() else other.unlink()


CACHE: Path | None = _opened()
"""The cache folder; None if it cannot be written."""
