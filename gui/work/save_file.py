"""Writes the files that people name: whatever happens, such a file holds what it held or what it was to hold. And
keeps those aside that cannot be read."""

import errno
import os
import shutil
import stat
import tempfile
from itertools import count
from pathlib import Path

from gui.i18n.language import tr

WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def save_file(path: Path, content: bytes, durable: bool = True) -> None:
    """Put content into a file; one that is there keeps its permissions and its hard links.

    `durable` also waits for the disk, so that the content outlives a power cut. Raises OSError, whose `strerror` says
    why in words that go into a sentence; a write-protected file is refused, to root as well.
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
    """Write a file beside it, and rename that."""
    aside = _beside(path)
    try:
        with aside.open("xb") as file:
            if path.exists():
                shutil.copystat(path, aside)
            file.write(content)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def _write_in_place(path: Path, content: bytes) -> None:
    """Change the file itself, for it has other names, or nothing can be made beside it. A copy lies beside it, or in
    the folder for temporary files, until that is done."""
    before, backup = path.read_bytes(), _beside(path)
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
                said = tr("{why}; what it held is in {backup}", why=error.strerror, backup=backup)
                raise OSError(error.errno, said) from error
        backup.unlink(missing_ok=True)
        raise
    backup.unlink()


def _overwrite(path: Path, content: bytes) -> None:
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _beside(path: Path) -> Path:
    """A name that no file has; it is short, for a name may be as long as the system allows."""
    aside = path.with_name(f".plyscope-{os.getpid()}")
    aside.unlink(missing_ok=True)
    return aside


def keep_aside(path: Path) -> Path:
    """Rename what cannot be read to `<name>.damaged`, or `<name>.damaged-2` and so on; gives the new name. Raises
    OSError."""
    return path.rename(_damaged(path))


def copy_aside(path: Path) -> Path:
    """Copy a file, part of which cannot be read, to such a name. Raises OSError."""
    return Path(shutil.copy2(path, _damaged(path)))


def _damaged(path: Path) -> Path:
    """The first such name that is free."""
    names = (path.with_name(f"{path.name}.damaged{f'-{number}' if number > 1 else ''}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))
