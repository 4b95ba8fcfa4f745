"""Atomic operations on the fields of records that workers share.

Each returns the old value. Their machine code is in `engine.jit.intrinsics`; in Python one worker runs at a time.
"""

from typing import Any


def atomic_add(record: Any, field: str, value: int) -> int:
    """Add `value` to a field."""
    old = record[field]
    record[field] = old + value
    return old


def atomic_max(record: Any, field: str, value: int) -> int:
    """Raise a field to `value` if it is less."""
    old = record[field]
    record[field] = max(old, value)
    return old


def atomic_min(record: Any, field: str, value: int) -> int:
    """Lower a field to `value` if it is more."""
    old = record[field]
    record[field] = min(old, value)
    return old
