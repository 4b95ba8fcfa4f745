"""Writes the files that people name: after any failure, such a file has either its old or its new content. Renames or
copies files that cannot be read."""

import errno
import os
import shutil
import stat
import tempfile
from itertools import count
from pathlib import Path

from engine.new_file import beside, new_file
from gui.i18n.language import tr

WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def save_file(path: Path, content: bytes, durable: bool = True) -> None:
    """Write content to a file. An existing file keeps its permissions and its hard links.

    `durable` also waits for the disk, so that the content survives a power cut. Raises OSError, whose `strerror` says
    why in words that fit into a sentence; a write-protected file is refused, to root as well.
    """
    path = Path(os.path.realpath(path))
    try:
        found = path.stat()
    except FileNotFoundError:
        _replace(path, content, durable)
        return
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, tr("it is not a file"))
    if not found.st_mode & WRITE_BITS or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, tr("it is write-protected"))
    if found.st_nlink > 1 or not os.access(path.parent, os.W_OK):
        _write_in_place(path, content)
    else:
        _replace(path, content, durable)


def _replace(path: Path, content: bytes, durable: bool) -> None:
    """Write a new file beside it, and rename that one."""
    with new_file(path, durable) as file:
        file.write(content)


def _write_in_place(path: Path, content: bytes) -> None:
    """Write into the file itself, because it has other hard links or its folder is not writable. Until that is done, a
    copy lies beside it or in the folder for temporary files."""
    before, backup = path.read_bytes(), beside(path)
    if not os.access(path.parent, os.W_OK):
        backup = Path(tempfile.gettempdir()) / backup.name
    try:
        backup.write_bytes(before)
        _overwrite(path, content)
    except OSError as error:
        if path.read_bytes() != before:
            try:
                _overwrite(path, before)
            except OSError:
                sentence = tr("{why}; what it held is in {backup}", why=error.strerror, backup=backup)
                raise OSError(error.errno, sentence) from error
        backup.unlink(missing_ok=True)
        raise
    backup.unlink()


def _overwrite(path: Path, content: bytes) -> None:
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def keep_aside(path: Path) -> Path:
    """Rename an unreadable file to `<name>.damaged`, or `<name>.damaged-2` and so on; returns the new name. Raises
    OSError."""
    return path.rename(_damaged(path))


def copy_aside(path: Path) -> Path:
    """Copy a file that is unreadable in part, to a name as in `keep_aside`. Raises OSError."""
    return Path(shutil.copy2(path, _damaged(path)))


def _damaged(path: Path) -> Path:
    """The first unused name of the form `<name>.damaged`."""
    names = (path.with_name(f"{path.name}.damaged{f'-{number}' if number > 1 else ''}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))
