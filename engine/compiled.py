"""Compiles kernels and keeps them: numba's settings and its cache. What kernels may call is in `engine.lowering`.

Only these two modules and the backends know numba.
"""

import hashlib
import logging
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("NUMBA_THREADING_LAYER_PRIORITY", "omp tbb workqueue")

import numba
import platformdirs
from filelock import FileLock
from numba.core import config
from numba.core.caching import FunctionCache

from engine import lowering as lowering

log = logging.getLogger(__name__)

settings: Any = config
"""numba's own, which are made at run time."""


def _cache_folder() -> Path:
    """Named by a hash of the engine's sources, of where they are and of what compiles them.

    numba itself compares the path and the time stamp of one file, so it would miss a rule that changed in another.
    """
    digest = hashlib.sha256(f"{numba.__version__} {settings.BOUNDSCHECK} {Path(__file__).parent}".encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    above = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("plyscope")
    return Path(above) / f"kernels-{digest.hexdigest()[:16]}"


def _open_cache() -> Path | None:
    """The folder that kernels are kept in between runs, or None where it cannot be written."""
    folder = _cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        log.warning("Compiled kernels cannot be kept (%s); they are compiled anew at each start.", error)
        return None
    settings.CACHE_DIR = str(folder)
    return folder


CACHE: Path | None = _open_cache()
"""Where compiled kernels are kept; None where they are not."""


_DAMAGE = (
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
"""What reading a damaged pickle or object file may raise."""


class _KernelCache(FunctionCache):
    """numba's cache, but a damaged or unwritable one costs a compilation, not the search."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except _DAMAGE as error:
            log.warning("The compiled kernels in %s are damaged (%s); compiling anew.", CACHE, error)
            if CACHE is not None:
                shutil.rmtree(CACHE, ignore_errors=True)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """numba reads, changes and writes an index: two processes at once would lose each other's kernels."""
        try:
            with FileLock(f"{CACHE}.lock"):
                super().save_overload(sig, data)
        except OSError as error:
            log.warning("A compiled kernel could not be kept: %s.", error)


def kernel(body: Callable[..., Any], parallel: bool = False) -> Any:
    """Compile a function for the types that it is called with, without the interpreter's lock, and keep the code.

    Parallel ones go through the cache as well; numba lets go of the lock for both.
    """
    dispatcher: Any = numba.njit(nogil=True, parallel=parallel)(body)
    if CACHE is not None:
        dispatcher._cache = _KernelCache(body)
    return dispatcher
