"""Imports numba without freezing the window, which waits whenever an import holds the interpreter's lock."""

import importlib.util
import sys
from pathlib import Path

from engine import backends
from gui.work.garbage import collected_later

READ_AT_ONCE = 1 << 20
"""Bytes to read at a time."""


def load_compiler() -> None:
    """Import the modules that compile and run searches, or wait until another thread has imported them. Call it on
    another thread than the window's: it takes longer than opening the window."""
    with backends.IMPORTING:
        if "numba" not in sys.modules:
            _read_ahead("llvmlite")
            with collected_later("numba"):
                for name in backends.LOCAL:
                    backends.load(name)


def _read_ahead(package: str) -> None:
    """Have the system read a package's libraries from the disk. Reading releases the lock; importing a library of 180
    MB that is not in memory holds it for 150 ms, one that is in memory for 25."""
    found = importlib.util.find_spec(package)
    piece = bytearray(READ_AT_ONCE)
    for folder in (found.submodule_search_locations or ()) if found else ():
        for library in Path(folder).rglob("*.so"):
            with library.open("rb", buffering=0) as stream:
                while stream.readinto(piece):
                    pass
