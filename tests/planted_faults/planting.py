"""Plants a fault in a copy of the checkout, runs tests there, and returns which one failed."""

import ast
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tests.conftest import processes_with

ROOT = Path(__file__).parents[2]

TEST_SECONDS, RUN_SECONDS = 100, 300
"""For one test, where pytest-timeout can end it; and for all that one fault is given."""

COMPILED = (
    *("games/*", "jit/*", "kernels/*", "rules/*", "search/*"),
    *("backends/state", "backends/threads", "backends/worker", "measure/perft", "result"),
)
"""Modules of the engine that kernels are made of: a fault in another one needs no kernel to be compiled anew."""

RESULT = re.compile(r"^(tests/.+?::.+?) (PASSED|FAILED|ERROR)\b", re.MULTILINE)
STARTED = re.compile(r"^(tests/.+?::\S+)", re.MULTILINE)
BROKEN = re.compile(
    r"^E +(?:NameError|ImportError|ModuleNotFoundError|SyntaxError|UnboundLocalError)\b.*", re.MULTILINE
)
"""What a fault raises that is none but a slip in its own text."""


class Fault(NamedTuple):
    name: str
    file: str
    text: str
    """Is in the file once."""
    instead: str
    tests: str
    """Files or ids of tests, with spaces between."""


class StaleEntry(Exception):
    """A fault that cannot be planted any more, and one sentence on why."""


class Noticed(Enum):
    FAILED = "failed"
    HUNG = "did not end"
    DIED = "ended the process"


class Catch(NamedTuple):
    test: str
    how: Noticed


def planted(fault: Fault, root: Path = ROOT) -> str:
    """The text of the fault's file with the fault in it. Raises StaleEntry."""
    try:
        before = (root / fault.file).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StaleEntry(f"Stale entry {fault.name!r}: there is no {fault.file}.") from None
    if (found := before.count(fault.text)) != 1:
        raise StaleEntry(f"Stale entry {fault.name!r}: its text is {found} times in {fault.file}, and should be once.")
    for test in fault.tests.split():
        path, _, name = test.partition("::")
        source = root / path
        if not source.exists() or (name and f"def {name.partition('[')[0]}(" not in source.read_text(encoding="utf-8")):
            raise StaleEntry(f"Stale entry {fault.name!r}: there is no test {test}.")
    after = before.replace(fault.text, fault.instead)
    try:
        ast.parse(after)
    except SyntaxError as error:
        raise StaleEntry(f"Broken entry {fault.name!r}: {error}.") from error
    return after


class Copy:
    """A copy of the checkout, without git-ignored files, and with its own cache of kernels."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._cache = folder / "checkout", folder / "cache"
        self._passed: dict[str, bool] = {}
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
            if (ROOT / name).is_file():
                (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
                (self._folder / name).write_bytes((ROOT / name).read_bytes())

    def catch(self, fault: Fault) -> Catch | None:
        """The first test that fails with a fault and passes without it; None if there is none. Raises StaleEntry where
        the fault cannot be planted, or is merely an error of its own."""
        clean = self._kernels
        file = self._folder / fault.file
        before = file.read_text(encoding="utf-8")
        file.write_text(planted(fault, self._folder), encoding="utf-8")
        try:
            self._share_kernels(fault.file, clean)
            caught, said = self._run(fault.tests.split())
        finally:
            file.write_text(before, encoding="utf-8")
        if caught is None:
            return None
        if slip := BROKEN.search(said):
            raise StaleEntry(f"Broken entry {fault.name!r}: {slip[0]}")
        if caught.test not in self._passed:
            self._passed[caught.test] = self._run([caught.test])[0] is None
        if not self._passed[caught.test]:
            raise StaleEntry(f"{caught.test} fails without the fault {fault.name!r}, too.")
        return caught

    @cached_property
    def _kernels(self) -> Path:
        """The folder of the kernels of the present sources."""
        return self._kernels_now()

    def _kernels_now(self) -> Path:
        ask = [sys.executable, "-c", "from engine.jit.cache_folder import CACHE; print(CACHE)"]
        told = subprocess.run(ask, cwd=self._folder, env=self._environment, capture_output=True, check=True, text=True)
        return Path(told.stdout.strip())

    def _share_kernels(self, file: str, clean: Path) -> None:
        """Let a module that is in no kernel use the kernels compiled without a fault."""
        if file.startswith("engine/") and not any(Path(file).match(f"engine/{name}.py") for name in COMPILED):
            now = self._kernels_now()
            if now != clean and not now.is_symlink():
                now.rmdir()
                now.symlink_to(clean)

    @property
    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "PYTHONPATH": str(self._folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(self._cache),
            "PYTEST_TIMEOUT": str(TEST_SECONDS),
        }

    def _run(self, tests: list[str]) -> tuple[Catch | None, str]:
        """The first test that fails or does not end, and the whole output."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "0",
            "-x",
            "-v",
            "--color=no",
            "-p",
            "no:cacheprovider",
            *tests,
        ]
        end = time.monotonic() + RUN_SECONDS
        with (self._folder.parent / "said").open("w+", errors="replace") as file:
            process = subprocess.Popen(
                command, cwd=self._folder, env=self._environment, stdout=file, stderr=file, start_new_session=True
            )
            try:
                code: int | None = process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                code = None
            finally:
                self._kill_all(process)
            file.seek(0)
            said = file.read()
        if code == 0:
            return None, said
        failed = [found[1] for found in RESULT.finditer(said) if found[2] != "PASSED"]
        if code == 1 and failed:
            return Catch(failed[-1], Noticed.FAILED), said
        begun = STARTED.findall(said)
        if code is not None and (code >= 0 or not begun):
            raise StaleEntry(f"pytest ended with {code}:\n{said}")
        return Catch(begun[-1] if begun else tests[0], Noticed.HUNG if code is None else Noticed.DIED), said

    def _kill_all(self, process: "subprocess.Popen[bytes]") -> None:
        """Kill the tests' processes, which may outlive them where the fault is in their ending."""
        for _ in range(3):
            left = {process.pid} | set(processes_with(self._cache))
            for number in left if process.poll() is None else left - {process.pid}:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
        process.wait()
