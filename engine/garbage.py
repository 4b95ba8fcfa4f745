"""Python's garbage collector, while modules are loaded or kernels are compiled."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage in this context: nearly all objects made here stay alive, and looking through them again and
    again would take an eighth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
