"""The C library's memory, on Linux."""

import ctypes
from contextlib import suppress

M_MMAP_THRESHOLD = -3
"""The parameter of mallopt(3) from which size on a block is mapped on its own."""
LARGE = 1 << 20
"""Bytes."""


def return_freed_arrays() -> None:
    """Have arrays of LARGE bytes and more given back to the system when they are freed.

    By itself glibc raises that size to that of the largest freed block, up to 32 MiB, and keeps what is freed below:
    after a hundred searches of different lengths some 200 MiB. Other C libraries are left alone.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def give_back_freed() -> None:
    """Give freed blocks of whole pages back to the system, those below blocks in use too, which glibc keeps: 20 to 25
    MiB after a minute of searches. It takes 1 to 6 ms."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
