"""The memory available to a search. The system kills a process that takes more, without a message."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MEBIBYTE = 1 << 20
SPARE = 256 * MEBIBYTE
"""Bytes reserved for everything else."""

LIMITS = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files with the memory limit of a container."""


def available() -> int:
    """An upper bound on the bytes that this process may still take: of a container's limit, what is in use already is
    not subtracted, for the file cache that it includes can be freed."""
    return max(0, min(_bounds()) - SPARE)


def _bounds() -> Iterator[int]:
    page = os.sysconf("SC_PAGE_SIZE")
    yield os.sysconf("SC_PHYS_PAGES") * page
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024
    for file in LIMITS:
        with suppress(OSError, ValueError):  # no such file, or it holds "max"
            yield int(file.read_text(encoding="ascii"))
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and sys.platform == "linux":
        yield most - int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * page
