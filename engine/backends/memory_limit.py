"""How much memory a search can have: one that takes more than there is would be ended by the system, in silence."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MEBIBYTE = 1 << 20
SPARE = 256 * MEBIBYTE
"""What is left for everything else."""

LIMITS = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where a container says how much all in it may have."""


def available() -> int:
    """Bytes that this process may still take."""
    return max(0, min(_bounds()) - SPARE)


def _bounds() -> Iterator[int]:
    page = os.sysconf("SC_PAGE_SIZE")
    yield os.sysconf("SC_PHYS_PAGES") * page
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024
    for file in LIMITS:
        with suppress(OSError, ValueError):  # there is none, or it says "max"
            yield int(file.read_text(encoding="ascii"))
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and sys.platform == "linux":
        yield most - int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * page
