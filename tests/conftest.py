"""What every test gets: no screen needed, settings of its own, and an account of what it left running."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

FAILED = pytest.StashKey[bool]()
"""Set on a test that failed: it may leave things behind, its failure is report enough."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for this test's settings and those of the programs it starts.

    The cache folder stays as it is: kernels are compiled once for all tests.
    """
    folder = tmp_path_factory.mktemp("settings")
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a non-daemon thread or a child process behind."""
    threads, children = set(threading.enumerate()), child_processes()
    yield
    if request.node.stash.get(FAILED, False):
        return
    for thread in set(threading.enumerate()) - threads:
        if not thread.daemon:
            thread.join(0.5)
            assert not thread.is_alive(), f"The test left the thread {thread.name!r} behind."
    left = {number: name for number, name in child_processes().items() if number not in children}
    assert not left, f"The test left child processes behind: {left}."


def child_processes() -> dict[int, str]:
    """Our running children by number, with their commands; empty on systems without /proc.

    Ended children are left out, and so is the tracker that multiprocessing keeps until we exit.
    """
    children = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == os.getpid() and state not in "ZX" and "multiprocessing.resource_tracker" not in command:
            children[int(folder.name)] = command
    return children
