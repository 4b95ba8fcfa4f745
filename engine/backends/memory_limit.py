"""The memory available to a search. The system kills a process that takes more, without a message."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MEBIBYTE = 1 << 20
SPARE = 256 * MEBIBYTE
"""Bytes reserved for everything else."""

CGROUP = Path("/sys/fs/cgroup")
"""The folder of a container's control group."""


class Accounts(NamedTuple):
    """The files of a control group in CGROUP. Source: Linux, Documentation/admin-guide/cgroup-v2.rst and
    cgroup-v1/memory.rst."""

    limit: str
    """The limit in bytes, or "max"."""
    usage: str
    """The bytes in use, file cache included."""
    statistics: str
    """One line for each kind of memory: its name and bytes."""
    freeable: str
    """The kind that the kernel frees where memory is short: file cache without recent use."""


VERSIONS = (
    Accounts("memory.max", "memory.current", "memory.stat", "inactive_file"),
    Accounts(
        "memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"
    ),
)
"""Versions 2 and 1 of control groups."""


def available() -> int:
    """The bytes that this process may still take: the least of what the machine, its container and its own limit
    leave."""
    return max(0, min(_bounds()) - SPARE)


def _bounds() -> Iterator[int]:
    page = os.sysconf("SC_PAGE_SIZE")
    yield os.sysconf("SC_PHYS_PAGES") * page
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024
    for accounts in VERSIONS:
        with suppress(OSError, ValueError):  # no such file, or it holds "max"
            yield int(_text(accounts.limit)) - _unfreeable(accounts)
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and sys.platform == "linux":
        yield most - int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * page


def _unfreeable(accounts: Accounts) -> int:
    """The bytes that the control group uses and cannot free; 0 where the use is not known."""
    try:
        used = int(_text(accounts.usage))
        kinds = dict(line.split() for line in _text(accounts.statistics).splitlines())
        return max(0, used - int(kinds.get(accounts.freeable, 0)))
    except OSError:
        return 0


def _text(name: str) -> str:
    return (CGROUP / name).read_text(encoding="ascii")
