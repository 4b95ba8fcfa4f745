"""Compiles kernels and keeps them: numba's settings and its cache. What kernels may call is in `engine.lowering`.

Only these two, `engine.compiler` and the backends know numba.
"""

import logging
import pickle
import shutil
from collections.abc import Callable
from typing import Any

import numba
from filelock import FileLock
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

from engine.cache import CACHE
from engine.compiler import get_ready

log = logging.getLogger(__name__)

settings: Any = config
"""numba's own, which are made at run time."""

INNER: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options for what only kernels call: making it callable for others took an eighth of the time to compile."""

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
        found = None
        try:
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)
        except _DAMAGE as error:
            log.warning("The compiled kernels in %s are damaged (%s); compiling anew.", CACHE, error)
            if CACHE is not None:
                shutil.rmtree(CACHE, ignore_errors=True)
        if found is None:
            get_ready()
        return found

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
    options: Any = {"nogil": True, "parallel": parallel, "no_cfunc_wrapper": True}
    return _kept(numba.njit(**options)(body))


def part(body: Callable[..., Any]) -> Any:
    """The same for what only kernels call; whoever calls it, it is the same code."""
    return _kept(numba.njit(nogil=True, forceinline=False, **INNER)(body))


def _kept(dispatcher: Any) -> Any:
    if CACHE is not None:
        settings.CACHE_DIR = str(CACHE)  # each time: whenever it compiles, numba may read the environment anew
        dispatcher._cache = _KernelCache(dispatcher.py_func)
    return dispatcher
