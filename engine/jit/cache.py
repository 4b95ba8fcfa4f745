"""Has numba store the kernels that it compiles: in files of our own (`engine.jit.cache_files`), in a folder for this
version of the engine (`engine.jit.cache_folder`)."""

from typing import Any

from numba.core import config

from engine.jit.cache_folder import CACHE, UNUSABLE, warn_of_saving
from engine.jit.numba_version import IS_FITTING, warn_of_version

if IS_FITTING:
    from engine.jit.numba_tuning import get_ready
else:
    get_ready = warn_of_version

settings: Any = config
"""numba's config; its attributes are made at run time."""


def cached(dispatcher: Any) -> Any:
    """The dispatcher. Its kernels are cached, unless there is no folder or numba's cache is not as known here."""
    if CACHE is None:
        get_ready()
        return dispatcher
    settings.CACHE_DIR = str(CACHE)  # each time: numba may read the environment again when it compiles
    try:
        from engine.jit.cache_files import KernelCache  # here: a newer numba may have no such cache

        dispatcher._cache = KernelCache(dispatcher.py_func, CACHE, get_ready)
    except UNUSABLE as error:
        warn_of_saving(error)
        get_ready()
    return dispatcher
