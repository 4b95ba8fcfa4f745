"""The C reference (`reference.c`), compiled on the fly and called through ctypes."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("reference.c")


class Count(NamedTuple):
    """What a search in C gave."""

    value: int
    nodes: int
    terminals: int


class Reference:
    """The searches of the compiled library. A position is its two words, the side to move first."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.prepare()

    def minimax_3x3(self, mine: int, theirs: int) -> Count:
        """The whole game tree below a position of tic-tac-toe."""
        return self._call("minimax_3x3", mine, theirs)

    def alphabeta_4x4(self, mine: int, theirs: int, plies: int) -> Count:
        """Four in a row on 4 x 4, with an open window, down to so many plies; a horizon leaf is worth 0."""
        return self._call("alphabeta_4x4", mine, theirs, plies)

    def _call(self, name: str, *arguments: int) -> Count:
        counts = (ctypes.c_int64 * 2)()
        value = getattr(self._library, name)(*arguments, counts)
        return Count(value, counts[0], counts[1])


@contextmanager
def reference() -> Iterator[Reference | None]:
    """The reference, compiled with -O3 into a folder that lives as long as the context; None without a C compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "reference.so"
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        yield Reference(ctypes.CDLL(str(library)))
