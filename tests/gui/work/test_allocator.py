"""What is freed is given back to the system."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import numpy as np
from gui.app import application

def resident():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

app = application()
np.ones(30 << 20, np.uint8)  # from here on glibc would keep blocks of up to 30 MiB
before = resident()
arrays = [np.ones(4 << 20, np.uint8) for _ in range(40)]
last = np.ones(2 << 20, np.uint8)
held = resident()
del arrays
print(held - before, resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program's memory so")
def test_freed_arrays_are_given_back_though_a_later_one_is_held() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True
    )
    held, kept = map(float, ended.stdout.split())
    assert held > 150
    assert kept < 20
