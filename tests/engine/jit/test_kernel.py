"""Kernels are cached between runs, and a search runs even where they cannot be cached, or are damaged."""

import os
import pickle
import platform
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.control import Control
from engine.jit import cache, cache_files, cache_folder
from engine.jit.kernel import kernel
from engine.job import Job
from engine.prewarm import background
from tests.conftest import comes_true, no_threads, processes_with

ROOT = Path(__file__).parents[3]

CALLS = """
from engine.jit.kernel import kernel
from engine.rules.bits import rest, without
print(kernel(rest)(0b0111), kernel(without)(0b0111, 1))
"""
"""Code: calls two kernels, which compile in no time."""
ANSWERS = "6 5"

LOADS_ONLY = """
import importlib.metadata, sys
import numba, numpy
importlib.metadata.entry_points = None
"""
NOTHING_ELSE = """
from numba.core.runtime import rtsys
numba.typeof(numpy.zeros(2, "i8, i8"))
print("numpy.ma" in sys.modules, rtsys._library)
"""
"""Code around CALLS: what numba compiles and imports for a kernel that it loads."""

ON_TWO_THREADS = """
import threading
from engine.backends import solve, threads
from engine.job import Job

def search():
    for _ in range(100):
        solve(Job(position="x../.../...", backend="threads", workers=2))

searching = [threading.Thread(target=search) for _ in range(2)]
for thread in searching:
    thread.start()
for thread in searching:
    thread.join()
print(threads.layer())
"""

SEARCHES = """
from itertools import product
from engine.kernels import subtree
subtree.RECORDED_BELOW = subtree.LIMITED_BELOW = 2
from engine.backends import solve
from engine.job import Job
from engine.options.catalogue import Limit
from engine.options.choices import Scoring
for record, depth, scoring in product((50, 5_000), (1, 2, 7), Scoring):
    way = {"record": record, "scoring": scoring, "limit": Limit(depth=depth)}
    solve(Job(position="x../.../...", algorithm="alphabeta", **way))
way = {"table": 0.01, "fold": True, "order": ("table", "killers", "history"), "replacement": "deeper", "deepen": True}
for position, table in product(("x../.../...", "xox/oxo/ox."), (16 / 2**20, 0.01, 1.0)):
    solve(Job(position=position, algorithm="pvs", record=5_000, **way | {"table": table}))
print("fine")
"""
"""Code: every feature of a kernel. Two plies of recursion test as much as four, and compile in half the time; minimax,
and a search without a limit of depth, have less code than alpha-beta with one."""


def start(program: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output(process: "subprocess.Popen[str]") -> tuple[str, str]:
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return out.strip(), errors


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that two processes, started at once, have filled with two kernels."""
    folder = tmp_path_factory.mktemp("cache")
    both = [start(CALLS, NUMBA_CACHE_DIR=str(folder)) for _ in range(2)]
    assert [output(process) for process in both] == [(ANSWERS, "")] * 2
    return folder


def kernels(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.suffix in (".nbi", ".nbc")]


def test_two_processes_fill_an_empty_cache_at_once(own_cache: Path) -> None:
    """A third process compiles nothing, not even numba's runtime: no file is newer than before. It looks for no
    extensions of numba, and imports no masked arrays."""
    before = {file: file.stat().st_mtime_ns for file in kernels(own_cache)}
    assert len(before) == 2
    loads = start(LOADS_ONLY + CALLS + NOTHING_ELSE, NUMBA_CACHE_DIR=str(own_cache))
    assert output(loads) == (f"{ANSWERS}\nFalse None", "")
    assert {file: file.stat().st_mtime_ns for file in kernels(own_cache)} == before


def test_a_damaged_cache_is_told_once_and_compiled_anew(own_cache: Path, tmp_path: Path) -> None:
    """Files of other programs beside it stay."""
    folder = Path(shutil.copytree(own_cache, tmp_path / "cache"))
    (folder / "of another program").write_text("not ours")
    damaged = {file: code[: len(code) // 2] for file in kernels(folder) if (code := file.read_bytes())}
    for file, code in damaged.items():
        file.write_bytes(code)
    said, errors = output(start(CALLS, NUMBA_CACHE_DIR=str(folder)))
    assert said == ANSWERS
    assert errors.count("are damaged") == 1
    assert "Traceback" not in errors
    assert (folder / "of another program").read_text() == "not ours"
    assert all(file.read_bytes() != code for file, code in damaged.items())


def damages(content: bytes) -> Iterator[bytes]:
    """The content with each one of its bits wrong, with a page of zeros, and cut off at each place."""
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)
    yield content[: len(content) // 2] + bytes(4096)
    for length in range(len(content)):
        yield content[:length]


def test_no_damage_of_a_kernel_is_unnoticed(tmp_path: Path) -> None:
    kernels = cache_files._Kernels(str(tmp_path), "a kernel")
    kernels.save("its key", ["its code"])
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    for damaged in damages(content):
        file.write_bytes(damaged)
        with pytest.raises(pickle.UnpicklingError, match="digest"):
            kernels.load("its key")
    file.write_bytes(content)
    assert kernels.load("its key") == ["its code"]


DIE_LOADING = """
import os, signal
from numba.core.caching import CompileResultCacheImpl
CompileResultCacheImpl.rebuild = lambda *_: os.kill(os.getpid(), signal.SIGSEGV)
"""


def test_kernels_that_end_the_program_are_dropped_by_the_next_start(own_cache: Path, tmp_path: Path) -> None:
    """Simulates a compiler library that does not fit the code, with no bit of the code changed."""
    folder = Path(shutil.copytree(own_cache, tmp_path / "cache"))
    process = start(DIE_LOADING + CALLS, NUMBA_CACHE_DIR=str(folder))
    process.communicate()
    assert process.returncode == -signal.SIGSEGV
    before = kernels(folder)
    said, errors = output(start(CALLS, NUMBA_CACHE_DIR=str(folder)))
    assert (said, errors.count("ended the program the last time")) == (ANSWERS, 1)
    assert all(file.exists() for file in before)
    assert output(start(CALLS, NUMBA_CACHE_DIR=str(folder))) == (ANSWERS, "")


@pytest.mark.parametrize("name", ["x", f"{platform.node()}-a-b-c", f"{platform.node()}-1-{1 << 99}-1"])
def test_another_file_in_the_folder_is_left_alone(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program stopped at its start, where the module is imported."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = cache_folder._opened()
    assert folder is not None
    other = folder / f"loading-{name}"
    other.touch()
    assert cache_folder._opened() == folder
    cache_folder.forget_loading(folder, os.getsid(0))
    assert other.exists()


class Others(NamedTuple):
    """What another start has left of a cache folder of several programs."""

    folder: Path
    on_another_host: Path
    meanwhile: list[Path]
    before: set[Path]
    old: float


@pytest.fixture(scope="module")
def others(own_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Others:
    """A start beside kernels of other versions, while this process and another host load a kernel. On that host, whose
    name begins with that of this one, the process has a number that there is none of here."""
    folder = Path(shutil.copytree(own_cache, tmp_path_factory.mktemp("others") / "cache"))
    (own,) = (path for path in folder.glob("kernels-*") if path.is_dir())
    mark = own / f"loading-{platform.node()}-2-1-{1 << 30}-1"
    mark.touch()
    for name in ("kernels-recent", "kernels-old", "another-old"):
        (folder / name / "engine").mkdir(parents=True)
        (folder / name / "engine" / "of it.nbc").touch()
    (folder / "kernels-old.lock").touch()
    old = time.time() - cache_folder.UNUSED_SECONDS - 60
    for path in (own, *(folder / name for name in ("kernels-old", "another-old", "kernels-old.lock"))):
        os.utime(path, (old, old))
    before = {*kernels(own)}
    with cache_folder.loading(own):
        os.utime(own, (old, old))
        assert output(start(CALLS, NUMBA_CACHE_DIR=str(folder))) == (ANSWERS, "")
        meanwhile = [*own.glob("loading-*")]
    return Others(folder, mark, meanwhile, before, old)


def test_kernels_that_another_host_loads_are_left_alone(others: Others) -> None:
    assert others.on_another_host.exists()
    assert all(file.exists() for file in others.before)


def test_a_kernel_that_another_process_loads_meanwhile_is_left_alone(others: Others) -> None:
    assert len(others.meanwhile) == 2
    assert [*others.on_another_host.parent.glob("loading-*")] == [others.on_another_host]


def test_kernels_of_other_versions_go_when_long_unused(others: Others) -> None:
    names = {path.name for path in others.folder.iterdir()} - {others.on_another_host.parent.name}
    assert {name for name in names if "old" in name or "recent" in name} == {"kernels-recent", "another-old"}
    assert others.on_another_host.parent.stat().st_mtime > others.old, "what is used does not grow old"


def test_a_cache_that_cannot_be_written_is_told_and_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said, errors = output(start(CALLS, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache")))
    assert said == ANSWERS
    assert errors.count("cannot be kept") == 1
    assert "Traceback" not in errors


def test_a_full_disk_is_told_once_and_done_without(tmp_path: Path) -> None:
    """The warning comes once, not once a kernel. A limit on the size of files acts like a full disk."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))\n"
    limit += "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    said, errors = output(start(limit + CALLS, NUMBA_CACHE_DIR=str(tmp_path)))
    assert said == ANSWERS
    assert errors.count("could not be kept") == 1
    assert errors.count("\n") == 1


def test_two_searches_at_once_with_the_workqueue_layer() -> None:
    """workqueue ends the process when two threads are inside prange at once."""
    out, _ = output(start(ON_TWO_THREADS, NUMBA_THREADING_LAYER="workqueue"))
    assert out == "workqueue"


def test_no_kernel_reads_or_writes_beyond_its_arrays(tmp_path: Path) -> None:
    """numba checks every index then."""
    assert output(start(SEARCHES, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path)))[0] == "fine"


def test_kernels_are_kept_in_a_folder_named_by_the_sources() -> None:
    assert cache_folder.CACHE is not None
    assert cache_folder.CACHE.name.startswith("kernels-")


def test_a_kernel_made_after_numba_reads_its_environment_is_kept_too() -> None:
    """It does so whenever it compiles, if that has changed. Elsewhere a kernel outlives a change of what it calls."""
    cache.settings._env_reloader.update(force=True)
    made = kernel(lambda: 0)
    assert cache_folder.CACHE is not None
    assert Path(made._cache.cache_path).is_relative_to(cache_folder.CACHE)


def test_a_compiler_that_is_stopped_takes_its_other_half_along(
    own_settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(background, "CACHE", folder)
    control = Control()
    compiling = threading.Thread(target=background.compile_beside, args=(Job(position=".../.../..."), control))
    compiling.start()
    assert comes_true(lambda: len(processes_with(own_settings)) == 2, seconds=60)
    assert compiling.is_alive()
    control.stop()
    compiling.join()
    assert comes_true(lambda: not processes_with(own_settings))


WAITS_LOADING = """
from pathlib import Path
from time import sleep
touch = Path.touch
Path.touch = lambda file: (touch(file), file.name.startswith("loading-") and sleep(60))
"""
"""Code: loads a kernel for long."""


def test_a_compiler_that_is_stopped_as_it_loads_a_kernel_drops_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next start would take its mark for one of a kernel that ends the program."""
    assert cache_folder.CACHE is not None
    folder = tmp_path / cache_folder.CACHE.name
    folder.mkdir()
    monkeypatch.setattr(background, "CACHE", folder)
    (tmp_path / "sitecustomize.py").write_text(WAITS_LOADING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    control = Control()
    compiling = threading.Thread(target=background.compile_beside, args=(Job(position=".../.../..."), control))
    compiling.start()
    assert comes_true(lambda: [*folder.glob("loading-*")], seconds=60)
    control.stop()
    compiling.join()
    assert not [*folder.glob("loading-*")]


def test_where_no_thread_can_be_started_nothing_is_compiled_ahead(caplog: pytest.LogCaptureFixture) -> None:
    with no_threads(), background.compiling(Job(position=".../.../...")):
        pass
    assert caplog.messages == ["No kernel is compiled ahead: can't start new thread."]


def test_the_engine_may_lie_in_a_folder_whose_name_is_not_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "ENGINE", Path(os.fsdecode(b"/caf\xe9/engine")))
    assert cache_folder._folder().name.startswith("kernels-")
