"""Writes the files that a command line names: after any failure, such a file has either its old or its new content."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from engine.new_file import new_file


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A stream into a new file, which takes the place of the old one and its permissions when the context ends without
    an error. A device, a pipe, a file with several hard links and one in a protected folder are written in place.
    Raises OSError, which names the file."""
    target = Path(os.path.realpath(path))
    is_own = path.stat().st_nlink == 1 if path.is_file() else not path.exists()
    try:
        with new_file(target) if is_own and os.access(target.parent, os.W_OK) else path.open("wb") as file:
            yield file
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def write(path: Path, content: bytes) -> None:
    """Write content as `writing` does."""
    with writing(path) as file:
        file.write(content)
