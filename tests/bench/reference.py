"""The references in C, compiled on the fly: `reference.c` and `reference_games.c`, called through ctypes, and
`reference_mpi.c`, launched."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.backends.mpi_job import launch
from engine.job import Job

SOURCES = Path(__file__).with_name("reference.c"), Path(__file__).with_name("reference_games.c")
MPI_SOURCE = Path(__file__).with_name("reference_mpi.c")

LAUNCH_SECONDS = 120
"""Seconds after which a launched program counts as failed."""


class Count(NamedTuple):
    """The result of a search in C."""

    value: int
    nodes: int
    terminals: int


class Reference:
    """The searches of the compiled library. A position is its words, the side to move first.

    It counts in memory of its own, so two searches at the same time need a `twin` of it. `native` is compiled for this
    machine, as the engine's kernels are.
    """

    def __init__(self, file: Path, twin: Path | None = None, native: Path | None = None) -> None:
        self._library = ctypes.CDLL(str(file))
        self._library.prepare()
        self._library.prepare_games()
        self.twin = Reference(twin) if twin else self
        self.native = Reference(native) if native else self

    def minimax_3x3(self, mine: int, theirs: int) -> Count:
        """The whole game tree below a position of tic-tac-toe."""
        return self._call("minimax_3x3", mine, theirs)

    def alphabeta_4x4(self, mine: int, theirs: int, plies: int) -> Count:
        """Four in a row on 4 x 4, with an open window, down to so many plies; a horizon leaf is worth 0."""
        return self._call("alphabeta_4x4", mine, theirs, plies)

    def best_minimax_3x3(self, mine: int, theirs: int) -> Count:
        """The same in our fastest C."""
        return self._call("best_minimax_3x3", mine, theirs)

    def best_alphabeta_4x4(self, mine: int, theirs: int, plies: int) -> Count:
        return self._call("best_alphabeta_4x4", mine, theirs, plies)

    def solve_4x4(self, mine: int, theirs: int, entries: int) -> Count:
        """Four in a row on 4 x 4 to its end, with a transposition table of so many entries, a power of two."""
        return self._call("solve_4x4", mine, theirs, ctypes.c_int64(entries))

    def solve_4x4_in(self, memory: NDArray[np.int64], mine: int, theirs: int) -> Count:
        """The same with a given, empty table."""
        address, entries = ctypes.c_void_p(memory.ctypes.data), ctypes.c_int64(len(memory) // 2)
        return self._call("solve_4x4_in", address, mine, theirs, entries)

    def alphabeta_othello(self, mine: int, theirs: int, plies: int) -> Count:
        """Othello on 8 x 8, with an open window, down to so many plies; a horizon leaf is worth its discs."""
        return self._call("alphabeta_othello", ctypes.c_uint64(mine), ctypes.c_uint64(theirs), plies)

    def alphabeta_ultimate(self, words: Sequence[int], plies: int) -> Count:
        """Ultimate tic-tac-toe in the same way, from the engine's words; a horizon leaf is worth the boards won."""
        return self._call("alphabeta_ultimate", (ctypes.c_int64 * 5)(*words), plies)

    def _call(self, name: str, *arguments: object) -> Count:
        counts = (ctypes.c_int64 * 2)()
        value = getattr(self._library, name)(*arguments, counts)
        return Count(value, counts[0], counts[1])


@contextmanager
def reference() -> Iterator[Reference | None]:
    """The reference, compiled with -O3 into a folder that lives as long as the context; None without a C compiler. For
    this machine -O2 is faster: with -O3, gcc 12 vectorises Othello's eight directions into code that takes 1.8 times as
    long."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "reference.so"
        native = Path(folder) / "native.so"
        for file, options in ((library, ["-O3"]), (native, ["-O2", "-march=native"])):
            subprocess.run([compiler, *options, "-shared", "-fPIC", "-o", file, *SOURCES], check=True)
        yield Reference(library, shutil.copy(library, Path(folder) / "twin.so"), native)


class MpiCount(NamedTuple):
    """The result of the textbook's scheme."""

    ranks: int
    value: int
    move: int
    nodes: int
    seconds: float


def mpi_minimax_4x4(program: Path, mine: int, theirs: int, ranks: int) -> MpiCount:
    """The whole game tree below a position of four in a row on 4 x 4."""
    found, value, move, nodes, seconds = launched(ranks, str(program), str(mine), str(theirs)).split()
    return MpiCount(int(found), int(value), int(move), int(nodes), float(seconds))


def launched(ranks: int, *words: str) -> str:
    """Run a program on that many ranks with the engine's launcher, and return its output."""
    launcher = launch.find(launch.choice())
    command = launch.command(launcher, launch.choice(), Job(position="", workers=ranks))
    return subprocess.run(
        [*command[: command.index(sys.executable)], *words],
        env=launch.environment(launcher),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        timeout=LAUNCH_SECONDS,
        check=True,
    ).stdout


@contextmanager
def mpi_reference() -> Iterator[Path | None]:
    """The textbook's scheme as a program, compiled by the mpicc beside the launcher or the first on PATH; None where
    there is none that makes programs for this launcher."""
    beside = shutil.which("mpicc", path=Path(launch.find(launch.choice()).words[0]).parent)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "reference_mpi"
        command = [beside or shutil.which("mpicc") or "mpicc", "-O3", "-o", str(program), str(MPI_SOURCE)]
        try:
            subprocess.run(command, stderr=subprocess.PIPE, check=True)
            works = mpi_minimax_4x4(program, 0xFF, 0xF00, 2).ranks == 2
        except (OSError, ValueError, subprocess.SubprocessError):
            works = False
        yield program if works else None
