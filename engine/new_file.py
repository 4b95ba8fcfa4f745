"""A file that takes the place of another one when it is whole: after any failure that one has its old content."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def new_file(path: Path, durable: bool = False) -> Iterator[BinaryIO]:
    """A stream into a new file, which takes the place of the one at `path` and its permissions when the context ends
    without an error. `durable` also waits for the disk then. `path` is no symbolic link. Raises OSError."""
    aside = beside(path)
    try:
        with aside.open("xb") as file:
            if path.exists():
                shutil.copystat(path, aside)
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def beside(path: Path) -> Path:
    """An unused name in the same folder, which no other thread uses; it is short, because the file's own name may be as
    long as the system allows."""
    aside = path.with_name(f".plyscope-{os.getpid()}-{threading.get_native_id()}")
    aside.unlink(missing_ok=True)
    return aside
