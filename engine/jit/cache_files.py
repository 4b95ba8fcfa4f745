"""Stores compiled kernels in files, in place of numba's own cache. numba's classes used here are not in its reference;
`engine.jit.cache` does without this module where numba no longer has them.
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

from numba.core import registry
from numba.core.caching import CompileResultCacheImpl, NullCache
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from engine.jit.cache_folder import UNUSABLE, drop, loading, warn_of_saving

log = logging.getLogger(__name__)

target: Any = registry.cpu_target

DIGEST_BYTES = 32
"""Length of a SHA-256 digest."""


class _Kernels:
    """The compiled kernels of a function, one file each: a digest, then numba's pickle. numba's own files have no
    digest, and one wrong bit in them ends the process.

    The file's name is a hash of the key, so there is no index file that two processes could change at once.
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


class KernelCache(NullCache):
    """The cache of a function's compiled kernels. A damaged or unwritable file causes a compilation instead of an
    error. `get_ready` is called before a compilation."""

    def __init__(self, function: Callable[..., Any], folder: Path, get_ready: Callable[[], None]) -> None:
        self._folder, self._get_ready = folder, get_ready
        self._numbas = CompileResultCacheImpl(function)
        self._kernels = _Kernels(self.cache_path, self._numbas.filename_base)
        values = [cell.cell_contents for cell in function.__closure__ or ()]
        code = sha256(function.__code__.co_code + dumps(values)).hexdigest()
        self._made_of = target.target_context.codegen().magic_tuple(), code

    @property
    def cache_path(self) -> Any:
        """The folder of the kernels' files."""
        return self._numbas.locator.get_cache_path()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel of a signature; None if it is to be compiled."""
        found = None
        try:
            rtsys.initialize(target_context)
            with loading(self._folder):
                data = self._kernels.load((sig, *self._made_of))
                found = None if data is None else self._numbas.rebuild(target_context, data)
        except UNUSABLE as error:
            _warn_of_damage(self._folder, str(error))
            drop(self._folder)
        if found is None:
            self._get_ready()
        return found

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Store the compiled kernel of a signature."""
        try:
            if self._numbas.check_cachable(cres):
                self._kernels.save((sig, *self._made_of), self._numbas.reduce(cres))
        except UNUSABLE as error:
            warn_of_saving(error)


@cache
def _warn_of_damage(folder: Path, reason: str) -> None:
    """Log a warning once, not for each kernel."""
    log.warning("The compiled kernels in %s are damaged (%s); compiling anew.", folder, reason)
