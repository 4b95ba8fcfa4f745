"""Makes charts. pyqtgraph is imported with the first: it would take a sixth of the start of the window."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.speedup.chart import Chart


def new_chart() -> "Chart":
    """An empty chart."""
    from gui.speedup.chart import Chart

    return Chart()
