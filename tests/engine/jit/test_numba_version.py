"""A numba whose version is not known is used as it is: it compiles, runs and caches the same kernels."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.backends import solve
from engine.job import Job
from engine.result import Result

ROOT = Path(__file__).parents[3]

WARNING = "not among the versions"

REPLACED = """
import sys

def replaced():
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in ("numba", "llvmlite")]
    holders = modules + [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    ours = {
        f"{holder.__name__}.{name}"
        for holder in holders
        for name, value in list(vars(holder).items())
        if str(getattr(value, "__module__", "")).startswith("engine.")
    }
    from numba.core.registry import cpu_target
    generator = type(cpu_target.target_context.codegen())
    return sorted(ours | {generator.__name__} if generator.__module__.startswith("engine.") else ours)
"""
"""Code: the names of numba's functions, methods and objects that the engine has replaced."""

LATE = {"position": "xo./.x./...", "record": 5_000}
"""Options of a short search with a record."""

SEARCHES = (
    REPLACED
    + """
import json
from engine.kernels import subtree
subtree.RECORDED_BELOW = 2
from tests.engine.jit.test_numba_version import LATE, Job, moves_of, solve
found = solve(Job(backend="threads", workers=2, **LATE))
print(json.dumps([moves_of(found), replaced()]))
"""
)
"""Code: searches on threads, whose kernel has all that the serial one has. Two plies of recursion compile faster than
five."""

CALL = """
from engine.jit.kernel import kernel
from engine.rules.bits import rest
print(kernel(rest)(0b0111))
"""
"""Code: calls a kernel, which compiles in no time."""

BESIDE = """
import logging
from engine.control import Control
from engine.job import Job
from engine.prewarm.background import compile_beside
control = Control()

class Stop(logging.Handler):
    def emit(self, record):
        print(record.getMessage())
        control.stop()

logging.getLogger().addHandler(Stop())
compile_beside(Job(position=".../.../..."), control)
"""
"""Code: has another process compile, until something is logged."""

LOST_OPTIONS = """
from numba.core import cpu
options = cpu.CPUTargetOptions.__mro__[1]
lost = {name: vars(options)[name] for name in ("forceinline", "no_cpython_wrapper", "no_cfunc_wrapper")}
for name in lost:
    delattr(options, name)
from engine.backends import serial, solve
from engine.kernels import subtree
subtree.MAX_BELOW = 2
from engine.jit.kernel import CALLED, INLINED, INNER
from engine.job import Job
for name, option in lost.items():
    setattr(options, name, option)
print(INNER | CALLED | INLINED, solve(Job(position="x../.../...")).info.counters.nodes)
"""
"""Code: a search as by a numba without the options that help the engine only. numba's own functions need them still."""

LOST_CACHES = {
    "class": "from numba.core import caching; del caching.CompileResultCacheImpl",
    "parameter": "from numba.core import caching; caching.CompileResultCacheImpl.__init__ = lambda self: None",
    "attribute": "from numba.core import caching; del caching.CacheImpl.filename_base",
    "processor": "from numba.core import codegen; del codegen.CPUCodegen.magic_tuple",
}
"""Code: takes away one thing that the kernels' cache needs."""


def moves_of(result: Result) -> list[list[int]]:
    """The root moves of a result, with their values."""
    return [[root_move.move, root_move.value.number] for root_move in result.root_moves]


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which numba claims another version: Python asks the first such folder."""
    folder = tmp_path_factory.mktemp("newer")
    (folder / "numba-0.99.0.dist-info").mkdir()
    (folder / "numba-0.99.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: numba\nVersion: 0.99.0\n")
    return {"PYTHONPATH": str(folder)}


def run(program: str, **environment: str) -> tuple[str, str]:
    """The output of a program, and what it logged."""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip(), ended.stderr


def files(folder: Path) -> dict[Path, int]:
    """The kernels' files, with the time of the last change of each."""
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*.nbc")}


def test_a_known_numba_is_tuned() -> None:
    """Fails with a newer numba: name it in `numba_version.FITTING`, and see whether the tests of the tuning pass."""
    ready = "from engine.jit.cache import get_ready\nget_ready()\n"
    tuned, told = run(f"{REPLACED}{CALL}{ready}print(len(replaced()), 'Expr.list_vars' in replaced())")
    assert (tuned, told) == ("6\n10 True", "")


def test_an_unknown_numba_searches_untouched(newer: dict[str, str], tmp_path: Path) -> None:
    """From an empty cache, and then from the full one, as plain Python does."""
    own: Any = newer | {"NUMBA_CACHE_DIR": str(tmp_path)}
    cold, told = run(SEARCHES, **own)
    compiled = files(tmp_path)
    warm, told_again = run(SEARCHES, **own)
    assert (told.count(WARNING), told_again) == (1, "")
    assert files(tmp_path) == compiled != {}
    twin = solve(Job(backend="interpreted", **LATE))
    assert json.loads(cold) == json.loads(warm) == [moves_of(twin), []]


def test_the_kernels_of_a_tuned_and_of_a_plain_numba_do_not_mix(newer: dict[str, str], tmp_path: Path) -> None:
    own = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(CALL, **own) == ("6", "")
    tuned = files(tmp_path)
    answer, told = run(CALL, **own | newer)
    assert (answer, told.count(WARNING)) == ("6", 1)
    both = files(tmp_path)
    assert len(both) == 2 * len(tuned) == 2
    assert both.items() > tuned.items()
    assert run(CALL, **own) == run(CALL, **own | newer) == ("6", "")
    assert files(tmp_path) == both


def test_the_window_logs_an_unknown_numba_though_another_process_compiles(
    newer: dict[str, str], tmp_path: Path
) -> None:
    """The output of that process is read only where it fails."""
    answer, _ = run(BESIDE, NUMBA_CACHE_DIR=str(tmp_path), **newer)
    assert WARNING in answer


@pytest.mark.parametrize("lost", LOST_CACHES.values(), ids=LOST_CACHES)
def test_a_numba_with_another_cache_is_told_once_and_done_without(
    newer: dict[str, str], tmp_path: Path, lost: str
) -> None:
    """Two kernels, one warning."""
    answer, told = run(f"{lost}\n{CALL}{CALL}", NUMBA_CACHE_DIR=str(tmp_path), **newer)
    assert answer.split() == ["6", "6"]
    assert (told.count("could not be kept"), told.count(WARNING), told.count("\n")) == (1, 1, 2)
    assert files(tmp_path) == {}


def test_a_numba_without_an_option_for_speed_searches_the_same(tmp_path: Path) -> None:
    assert run(LOST_OPTIONS, NUMBA_CACHE_DIR=str(tmp_path)) == ("{} 59705", "")
