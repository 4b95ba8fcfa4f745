"""Compiles kernels and stores them in numba's cache. `engine.jit.lowering` registers the functions that kernels call.

Only `engine.jit`, the backends and `engine.prewarm` use numba.
"""

import logging
import os
import pickle
import threading
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from numba.core import config, types
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from engine.jit.cache import CACHE, drop, loading
from engine.jit.numba_tuning import get_ready, typing_context

log = logging.getLogger(__name__)

settings: Any = config
"""numba's config; its attributes are made at run time."""

INNER: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options for functions called only by kernels. Wrappers for other callers took an eighth of the compile time."""

DIGEST_BYTES = 32
"""Length of a SHA-256 digest."""

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
"""Exceptions raised when a damaged or unsuitable file is read and its code loaded."""


class _Kernels:
    """The compiled kernels of a function, one file each: a digest, then numba's pickle. numba's own files have no
    digest, and one wrong bit in them ends the process.

    It replaces numba's `IndexDataCacheFile`. The file's name is a hash of the key, so there is no index file that two
    processes could change at once.
    """

    def __init__(self, folder: str, name: str) -> None:
        self._folder, self._name = Path(folder), name

    def load(self, key: Any) -> Any:
        """The data saved under a key; None if there is none. Raises UnpicklingError if the file is damaged."""
        file = self._file(key)
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        digest, pickled = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if sha256(pickled).digest() != digest:
            raise pickle.UnpicklingError(f"the digest of {file.name} is wrong")
        found, data = pickle.loads(pickled)
        return data if found == key else None

    def save(self, key: Any, data: Any) -> None:
        """Write the data of a key. Raises OSError if it cannot be written."""
        self._folder.mkdir(parents=True, exist_ok=True)
        pickled = dumps((key, data))
        part = self._folder / f"{os.getpid()}-{threading.get_ident()}.part"
        try:
            part.write_bytes(sha256(pickled).digest() + pickled)
            part.replace(self._file(key))
        finally:
            part.unlink(missing_ok=True)

    def _file(self, key: Any) -> Path:
        return self._folder / f"{self._name}.{sha256(str(key).encode()).hexdigest()[:16]}.nbc"


class _KernelCache(FunctionCache):
    """numba's cache. A damaged or unwritable file causes a compilation instead of an error."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        super().__init__(function)
        self._folder = folder
        self._cache_file = _Kernels(self.cache_path, self._impl.filename_base)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        try:
            rtsys.initialize(target_context)
            with loading(self._folder):
                found = self._load_overload(sig, target_context)
        except _DAMAGE as error:
            log.warning("The compiled kernels in %s are damaged (%s); compiling anew.", self._folder, error)
            drop(self._folder)
        if found is None:
            get_ready()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_of_saving(error.strerror or str(error))


@cache
def _warn_of_saving(reason: str) -> None:
    """Log a warning once, not for each kernel."""
    log.warning("Compiled kernels could not be kept: %s.", reason)


def kernel(body: Callable[..., Any], parallel: bool = False) -> Any:
    """A function compiled for the types of its arguments, with its code cached. It runs without the interpreter's lock.

    Parallel kernels are cached in the same way.
    """
    options: Any = {"nogil": True, "parallel": parallel, "no_cfunc_wrapper": True}
    return _kept(numba.njit(**options)(body))


def part(body: Callable[..., Any]) -> Any:
    """The same for a function called only by kernels, by the name of `body`. All callers share its compiled code."""
    made = _kept(numba.njit(nogil=True, forceinline=False, **INNER)(body))
    typing_context.insert_global(body, types.Dispatcher(made))
    _PARTS.append(made)
    return made


_PARTS: list[Any] = []
"""All parts: numba has only weak references to them."""


def _kept(dispatcher: Any) -> Any:
    if CACHE is not None:
        settings.CACHE_DIR = str(CACHE)  # each time: numba may read the environment again when it compiles
        dispatcher._cache = _KernelCache(dispatcher.py_func, CACHE)
    return dispatcher
