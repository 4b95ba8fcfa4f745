"""Makes charts. Their library, pyqtgraph, is imported beside the window: it would take an eighth of its start
(tests.bench.bench_start)."""

import importlib
from typing import TYPE_CHECKING

from gui.work.garbage import collected_later

if TYPE_CHECKING:
    from gui.speedup.chart import Chart


def load_charts() -> None:
    """Import pyqtgraph, or wait until another thread has imported it. Call it on another thread than the window's: it
    takes a tenth of a second."""
    with collected_later("pyqtgraph"):
        importlib.import_module("gui.speedup.chart")


def new_chart() -> "Chart":
    """An empty chart."""
    from gui.speedup.chart import Chart

    return Chart()
