"""Keeps Python's garbage collector from being felt: a full collection over all that numba makes takes 50 ms, in which
no thread can interpret, the window's least of all."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_later() -> Iterator[None]:
    """Do without the collector meanwhile, and leave out of later collections what was made: it stays for good."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
