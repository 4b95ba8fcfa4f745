"""The folder that keeps compiled kernels between runs. It is known without loading the compiler.

kernels-<hash>/                          one folder a version of the engine
    engine_backends_<hash>/*.nbc         `engine.jit.kernel` writes and checks them
    ready-<hash>                         all kernels of a kind of search are there (`engine.prewarm.background`)
    loading-<host>-<process>-<thread>    a kernel is being loaded; it stays only where that ends the process
"""

import hashlib
import logging
import os
import platform
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

import platformdirs

log = logging.getLogger(__name__)

ENGINE = Path(__file__).parents[1]
UNUSED_SECONDS = 14 * 86_400
"""After so long without a start, the kernels of another version are removed."""


def _folder() -> Path:
    """Named by a hash of the engine's sources, of where they are and of what compiles them.

    numba itself compares the path and the time stamp of one file, so it would miss a rule that changed in another.
    """
    checks = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest = hashlib.sha256(f"{version('numba')} {version('llvmlite')} {checks} {ENGINE}".encode())
    for source in sorted(ENGINE.rglob("*.py")):
        digest.update(source.read_bytes())
    above = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("plyscope")
    return Path(above) / f"kernels-{digest.hexdigest()[:16]}"


def _opened() -> Path | None:
    """The folder, or None where it cannot be written."""
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)  # `_remove_unused` looks at it
        if any(map(_is_left, folder.glob(_mark_name("*", "*")))):
            log.warning("Loading the compiled kernels ended the program the last time; they are compiled anew.")
            drop(folder)
        _remove_unused(folder)
    except OSError as error:
        log.warning("Compiled kernels cannot be kept (%s); they are compiled anew at each start.", error)
        return None
    return folder


def drop(folder: Path) -> None:
    """Remove all kernels. A program that uses them goes on with those it has loaded."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def loading(folder: Path) -> Iterator[None]:
    """Leave a mark if the process dies meanwhile: the next start drops the folder."""
    mark = folder / _mark_name(os.getpid(), threading.get_ident())
    with suppress(OSError):  # a full disk is no reason not to load
        mark.touch()
    try:
        yield
    finally:
        with suppress(OSError):
            mark.unlink()


def _mark_name(process: object, thread: object) -> str:
    return f"loading-{platform.node()}-{process}-{thread}"


def _is_left(mark: Path) -> bool:
    """Whether the process that made a mark, on this host, has ended. Our own has made none before it began: a mark with
    its number is an earlier process's."""
    process = int(mark.name.split("-")[-2])
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return process == os.getpid()


def _remove_unused(own: Path) -> None:
    """Remove other versions' folders, of up to 31 MB each, that have not been used for long."""
    for other in own.parent.glob("kernels-*"):
        with suppress(OSError):
            if other != own and time.time() - other.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(other) if other.is_dir() else other.unlink()


CACHE: Path | None = _opened()
"""None where nothing can be kept."""
