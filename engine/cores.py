"""The cores that this process may use."""

import os


def cores() -> int:
    """Their number, at least 1. It may be less than the machine has: see taskset(1)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
