"""The first use of the engine by several threads at once, in a process of its own."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine import backends

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from engine import backends, registry
from engine.job import Job, checked
from engine.prepare import prepare
from engine.result import Result

sys.setswitchinterval(1e-5)

def at_once(*uses):
    ready = []

    def do(use):
        ready.append(use)
        while len(ready) < len(uses):
            pass
        return use()

    with ThreadPoolExecutor(len(uses)) as pool:
        return list(pool.map(do, uses))

"""
CHECKED_AND_MADE = """
at_once(*[lambda: checked(Job(position=""))] * 16)
for size in ("4,4", "5,4", "5,5", "6,5", "6,6", "7,6", "7,7", "8,7"):
    made = at_once(*[lambda: registry.game(f"mnk:{size},4")] * 8)
    assert len({type(game.start) for game in made}) == 1
"""
SEARCHED = """
prepare(Job(position=".../.../..."))

def search(backend):
    *_, result = backends.run(Job(position="X.O/.../...", backend=backend))
    assert result.info.value is not None

at_once(*[lambda name=name: search(name) for name in backends.LOCAL * 3])
"""


@pytest.mark.parametrize("use", [CHECKED_AND_MADE, SEARCHED], ids=["checked and made", "searched"])
def test_several_threads_may_use_the_engine_first(use: str) -> None:
    command = [sys.executable, "-P", "-X", "faulthandler", "-c", PROGRAM + use]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_a_compiled_backend_is_imported_by_one_thread_at_a_time() -> None:
    """Of two threads that import numba at once, one may get half-initialised modules. Imported before: a first import
    takes longer than the time limit, with the lock or without."""
    backends.load("serial")
    with ThreadPoolExecutor(1) as pool:
        with backends.IMPORTING:
            loading = pool.submit(backends.load, "serial")
            with pytest.raises(TimeoutError):
                loading.result(timeout=0.2)
        assert loading.result() is sys.modules["engine.backends.serial"]
