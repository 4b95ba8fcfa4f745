"""Keeps the loading of the compiler from being felt: what holds the interpreter's lock holds the window up."""

import gc
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

READ_AT_ONCE = 1 << 20
"""Bytes."""

COMPILER = "engine.backends.serial"
"""What imports all of it."""


@contextmanager
def collected_later() -> Iterator[None]:
    """Do without the garbage collector meanwhile, and leave out of later collections what was made: it stays for good.

    A full collection over all that numba makes takes 50 ms, in which no thread can interpret.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def load_compiler() -> None:
    """Import what compiles searches and runs them. On a thread of its own: it takes longer than the window to open."""
    if COMPILER not in sys.modules:
        _read_ahead("llvmlite")
        with collected_later():
            importlib.import_module(COMPILER)


def _read_ahead(package: str) -> None:
    """Have the system read a package's libraries from the disk: reading lets go of the lock, but importing a library of
    180 MB that is not yet in memory holds it for 150 ms, and then for 25."""
    found = importlib.util.find_spec(package)
    piece = bytearray(READ_AT_ONCE)
    for folder in (found.submodule_search_locations or ()) if found else ():
        for library in Path(folder).rglob("*.so"):
            with library.open("rb", buffering=0) as stream:
                while stream.readinto(piece):
                    pass
