"""The import of numba by several threads at once, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from gui.work.load_numba import load_compiler

sys.setswitchinterval(1e-5)

def load_once_imported(name):
    while name not in sys.modules:
        sleep(0)
    load_compiler()
    return sys.modules["engine.backends.threads"].layer()

with ThreadPoolExecutor(4) as pool:
    others = [pool.submit(load_once_imported, name) for name in ("llvmlite", "numba", "engine.backends.serial")]
    pool.submit(load_compiler).result()
    assert [other.result() for other in others] == [None] * 3
"""


def test_a_thread_waits_until_another_has_imported_all_of_numba() -> None:
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM], env=environ, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
