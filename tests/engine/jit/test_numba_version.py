"""A numba whose version is not known is used as it is: it compiles, runs and caches the same kernels."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core import caching, codegen

from engine.backends import solve
from engine.jit import cache_folder
from engine.jit.kernel import kernel
from engine.job import Job
from engine.result import Result
from engine.rules.bits import rest

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
from numba.core import cpu
options = cpu.CPUTargetOptions.__mro__[1]
lost = {name: vars(options)[name] for name in ("forceinline", "no_cpython_wrapper", "no_cfunc_wrapper")}
for name in lost:
    delattr(options, name)
from engine.jit.kernel import CALLED, INLINED, INNER
from engine.kernels import subtree
subtree.RECORDED_BELOW = 2
from tests.engine.jit.test_numba_version import LATE, Job, moves_of, solve
for name, option in lost.items():
    setattr(options, name, option)
found = solve(Job(backend="threads", workers=2, **LATE))
print(json.dumps([moves_of(found), replaced(), INNER | CALLED | INLINED]))
"""
)
"""Code: searches on threads, whose kernel has all that the serial one has, as by a numba without the options that help
the engine only. numba's own functions need them still. Two plies of recursion compile faster than five."""

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


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    """The output of a program with the numba that is known here, what it logged, and its cache."""
    folder = tmp_path_factory.mktemp("tuned")
    return *run(
        f"{REPLACED}{CALL}print(len(replaced()), 'Expr.list_vars' in replaced())", NUMBA_CACHE_DIR=str(folder)
    ), folder


def test_a_known_numba_is_tuned(tuned: tuple[str, str, Path]) -> None:
    """Fails with a newer numba: name it in `numba_version.FITTING`, and see whether the tests of the tuning pass."""
    assert tuned[:2] == ("6\n29 True", "")


def test_an_unknown_numba_searches_untouched(newer: dict[str, str], tmp_path: Path) -> None:
    """Without the options for speed, too: from an empty cache, and then from the full one, as plain Python does."""
    own: Any = newer | {"NUMBA_CACHE_DIR": str(tmp_path)}
    cold, told = run(SEARCHES, **own)
    compiled = files(tmp_path)
    warm, told_again = run(SEARCHES, **own)
    assert (told.count(WARNING), told_again) == (1, "")
    assert files(tmp_path) == compiled != {}
    twin = solve(Job(backend="interpreted", **LATE))
    assert json.loads(cold) == json.loads(warm) == [moves_of(twin), [], {}]


def test_the_kernels_of_a_tuned_and_of_a_plain_numba_do_not_mix(
    newer: dict[str, str], tuned: tuple[str, str, Path]
) -> None:
    *_, folder = tuned
    own, before = {"NUMBA_CACHE_DIR": str(folder)}, files(folder)
    answer, told = run(CALL, **own | newer)
    assert (answer, told.count(WARNING)) == ("6", 1)
    both = files(folder)
    assert len(both) == 2 * len(before) == 2
    assert both.items() > before.items()
    assert run(CALL, **own) == ("6", "")
    assert files(folder) == both


def test_the_window_logs_an_unknown_numba_though_another_process_compiles(
    newer: dict[str, str], tmp_path: Path
) -> None:
    """The output of that process is read only where it fails."""
    answer, _ = run(BESIDE, NUMBA_CACHE_DIR=str(tmp_path), **newer)
    assert WARNING in answer


def test_a_numba_with_another_cache_is_told_once_and_done_without(newer: dict[str, str], tmp_path: Path) -> None:
    """Two kernels, one warning."""
    lost = "from numba.core import caching; del caching.CompileResultCacheImpl"
    answer, told = run(f"{lost}\n{CALL}{CALL}", NUMBA_CACHE_DIR=str(tmp_path), **newer)
    assert answer.split() == ["6", "6"]
    assert (told.count("could not be kept"), told.count(WARNING), told.count("\n")) == (1, 1, 2)
    assert files(tmp_path) == {}


@pytest.mark.parametrize(
    ("owner", "lost", "instead"),
    [
        (caching.CompileResultCacheImpl, "__init__", lambda self: None),
        (caching.CacheImpl, "filename_base", None),
        (codegen.CPUCodegen, "magic_tuple", None),
    ],
    ids=["parameter", "attribute", "processor"],
)
def test_a_cache_without_one_thing_that_kernels_need_is_done_without(
    owner: Any, lost: str, instead: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache_folder._warn_of_reason.cache_clear()
    if instead is None:
        monkeypatch.delattr(owner, lost)
    else:
        monkeypatch.setattr(owner, lost, instead)
    for made in (kernel(rest), kernel(rest)):
        assert made(0b0111) == 0b0110
        assert type(made._cache) is caching.NullCache
    assert [message.count("could not be kept") for message in caplog.messages] == [1]
