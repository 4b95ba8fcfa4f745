"""What is freed is given back to the system."""

import subprocess
import sys
from pathlib import Path

import pytest

BEGIN = """
import sys
import time
import numpy as np
from PySide6.QtCore import QEventLoop
from gui.app import application
from gui.work.runner import Runner

def resident():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

app = application()
"""

ARRAYS = """
np.ones(30 << 20, np.uint8)  # from here on glibc would keep blocks of up to 30 MiB
before = resident()
arrays = [np.ones(4 << 20, np.uint8) for _ in range(10)]
last = np.ones(2 << 20, np.uint8)
held = resident()
del arrays
print(held - before, resident() - before)
"""


BLOCKS = """
before = resident()
arrays = [np.ones(200_000, np.uint8) for _ in range(200)]
last = np.ones(200_000, np.uint8)
held = resident()
del arrays
runner = Runner("test", lambda request: None)
loop = QEventLoop()
runner.finished.connect(loop.quit)
runner.start(None)
loop.exec()
end = time.monotonic() + 10
while resident() - before > 20 and time.monotonic() < end:
    time.sleep(0.01)
print(held - before, resident() - before)
runner.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program's memory so")
def test_what_is_freed_is_given_back_though_later_memory_is_held() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", BEGIN + ARRAYS + BLOCKS],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in ended.stdout.splitlines():
        held, kept = map(float, line.split())
        assert held > 35
        assert kept < 20
