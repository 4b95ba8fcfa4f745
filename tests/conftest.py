"""Fixtures for every test: no screen needed, its own settings, and a check for threads and processes left running."""

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest

import gui.features  # noqa: F401  # it sets how PySide6 is imported, and the plugin for Qt imports that next

if TYPE_CHECKING:
    from engine.job import Job

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Searches take microseconds: threads that spin between them would take the cores of other tests.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# So would MPICH's ranks that wait for each other: they sleep for a moment between two looks.
os.environ.setdefault("MPIR_CVAR_ENABLE_HEAVY_YIELD", "1")
# UCX, which MPICH may use, replaces malloc and mmap at its start, for networks that read memory: half of MPI's start.
os.environ.setdefault("UCX_MEM_EVENTS", "no")
# Seconds a test may take, several times as long as the longest takes: pytest-timeout ends one that hangs.
os.environ.setdefault("PYTEST_TIMEOUT", "600")

EXAMPLES = int(os.environ.get("PLYSCOPE_EXAMPLES", "1"))
"""The factor by which each property is tried with more examples than usual, and with others at each run. By hand:
PLYSCOPE_EXAMPLES=20 python -m pytest tests/engine/trace --hypothesis-seed=5"""

FAILED = pytest.StashKey[bool]()
"""Set on a failed test: it may leave things behind without another error."""

LONGEST_FIRST = (
    "test_monkey",
    "test_algorithms",
    "test_every_game",
    "test_mpi_faults",
    "test_cli",
    "test_path",
    "test_bounds",
    "test_faults",
    "test_mpi",
    "test_window",
    "test_hints",
    "test_kernel",
    "test_numba_version",
    "test_depth_first",
    "test_backends",
    "test_limits",
    "test_mpi_window",
    "test_result_so_far",
    "test_games",
    "test_ends",
    "test_levels",
    "test_files",
    "test_speedup",
    "test_access",
    "test_settings",
    "test_display",
    "test_record",
    "test_ordering",
    "test_stream",
    "test_tour",
    "test_damage",
)
"""Modules that take more than ten seconds: started last, one of them would leave the other process idle."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))
    if EXAMPLES > 1:
        try_more_examples(items)


def try_more_examples(items: list[pytest.Item]) -> None:
    """Change the settings of all properties. Tests name their own, which hypothesis has no public way to change."""
    from hypothesis import HealthCheck, settings

    tests: set[Any] = {getattr(item, "function", None) for item in items}
    for test in tests:
        usual = getattr(test, "_hypothesis_internal_use_settings", None)
        if usual is not None:
            more: Any = {"max_examples": EXAMPLES * usual.max_examples, "derandomize": False, "database": None}
            more |= {"deadline": None, "suppress_health_check": [*HealthCheck]}
            test._hypothesis_internal_use_settings = settings(usual, **more)


WORKER = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
"""The number of this test process; "" without processes (-n 0), where a test compiles its own kernels."""

if WORKER:
    # Else each of these processes, and each program that a test starts, would compile all modules for itself.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_sessionstart(session: pytest.Session) -> None:
    gc.disable()  # it would run on any thread: see gui/work/garbage.py
    if WORKER not in ("", "0"):
        compile_common_kernels()


def pytest_collection_finish(session: pytest.Session) -> None:
    if WORKER == "0":
        compile_common_kernels()
    if WORKER:
        gc.freeze()  # loaded and compiled objects stay: collections skip them


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Collect what the test before has left."""
    gc.collect(1)


def pytest_sessionfinish() -> None:
    """Collect what the last test has left. Of what stays, pytest would look five times for what can go."""
    gc.collect(1)
    gc.freeze()


def compile_common_kernels() -> None:
    """Compile the kernels that many tests need before the first test. Processes start at opposite ends of the list, so
    each kernel is compiled once. The first one collects the tests before, and the others afterwards: each test file,
    too, is compiled once."""
    from engine.prewarm.background import compile_here

    for job in common_jobs()[:: -1 if int(WORKER) % 2 else 1]:
        compile_here(job)


def common_jobs() -> "list[Job]":
    from engine.job import Job
    from engine.options.catalogue import Limit

    shallow = Limit(depth=1)
    needed_together = [  # by two modules, which begin at the same time
        Job(position=".../.../...", algorithm="alphabeta", table=0.1, record=1, limit=shallow),
        Job(game="mnk:4,4,4", position="..../..../..../....", backend="threads", limit=shallow),
        Job(
            game="random-turn:3,3,3",
            position=".../.../...",
            algorithm="expectiminimax",
            table=0.1,
            record=1,
            limit=shallow,
        ),
    ]
    return needed_together + [
        Job(position=".../.../...", algorithm=algorithm, backend=backend, record=record, limit=limit)
        for algorithm in ("minimax", "alphabeta", "pvs")
        for limit in (Limit(), shallow)
        for record in (0, 1)
        for backend in ("serial", "threads")
        if algorithm != "pvs" or (backend == "serial" and record)
    ]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="module")
def again() -> Iterator[str]:
    """The game of tests/new_game, in a further folder that the registry searches: some of its moves leave the turn with
    their side, and others do not."""
    import engine.games
    from engine import registry

    folder = Path(__file__).parent / "new_game"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.games, "__path__", [*engine.games.__path__, str(folder)])
        patch.setattr(registry, "games", registry._made_once(registry.games.__wrapped__))  # type: ignore[attr-defined]
        yield "again"


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for the settings of this test and of the programs it starts.

    The cache folder is shared: kernels are compiled once for all tests.
    """
    folder = Path(mkdtemp(prefix="settings-", dir=tmp_path_factory.getbasetemp()))
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest, own_settings: Path) -> Iterator[None]:
    """Fail a test that leaves a non-daemon thread or a child process behind; an MPI test, also one that leaves a
    process of a launcher, or a thread that reads from one."""
    threads, children = set(threading.enumerate()), child_processes()
    yield
    if request.node.stash.get(FAILED, False):
        return
    if request.node.get_closest_marker("mpi") is not None:
        assert comes_true(lambda: not processes_with(own_settings)), "The test left processes behind."
        readers = [thread.name for thread in threading.enumerate() if thread.name == "mpi reader"]
        assert not readers, "The test left a thread behind that listens to ranks."
    for thread in set(threading.enumerate()) - threads:
        if not thread.daemon:
            thread.join(0.5)
            assert not thread.is_alive(), f"The test left the thread {thread.name!r} behind."
    left = {number: name for number, name in child_processes().items() if number not in children}
    assert not left, f"The test left child processes behind: {left}."


def child_processes() -> dict[int, str]:
    """Our running children by process number, with their commands; empty on systems without /proc.

    Ended children are left out, and so is multiprocessing's tracker, which lives until we exit.
    """
    children = {}
    for number in processes() if sys.platform == "linux" and has_children() else []:
        with suppress(OSError):
            state, parent = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state not in "ZX":
                children[number] = command_of(number)
    return {number: words for number, words in children.items() if "multiprocessing.resource_tracker" not in words}


def has_children() -> bool:
    """Whether there are child processes, ended ones included: faster than listing all processes."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def processes() -> list[int]:
    """The numbers of all processes on this machine; empty on systems without /proc."""
    with suppress(FileNotFoundError):
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return []


def command_of(number: int) -> str:
    return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()


@contextmanager
def no_threads() -> Iterator[None]:
    """In this context no thread can be started, as for a user who has as many as the system allows."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with pytest.MonkeyPatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        yield


def comes_true(holds: Callable[[], object], seconds: float = 10.0) -> bool:
    """Whether a condition becomes true within that many seconds, checked a hundred times a second."""
    end = time.monotonic() + seconds
    while not (found := bool(holds())) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def processes_with(own_settings: Path) -> dict[int, str]:
    """The other processes with a test's settings, with their commands: the test or its programs started them."""
    found = {}
    for number in processes():
        with suppress(OSError):
            if number != os.getpid() and bytes(own_settings) in Path(f"/proc/{number}/environ").read_bytes():
                found[number] = command_of(number)
    return found
