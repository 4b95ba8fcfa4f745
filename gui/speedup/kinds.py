"""The kinds of charts of one measurement, in the order of their list."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from engine.measure.experiment import Experiment
from gui.i18n.language import mark
from gui.speedup.compared import with_other
from gui.speedup.figure import efficiency_figure, serial_fraction_figure, speedup_figure, time_figure
from gui.speedup.new_chart import new_chart
from gui.speedup.parts import PartsChart
from gui.speedup.series import Figure
from gui.speedup.work_figures import nodes_figure, rate_figure


class Kind(NamedTuple):
    key: str
    """The word for it in `engine.cli.speedup.Chart`."""
    name: str
    hint: str
    figure: Callable[[Experiment, bool], Figure] | None
    """Makes the Figure of a Chart, with logarithmic axes if told; None for the PartsChart."""

    def made(self, experiment: Experiment, is_log: bool = False) -> QWidget:
        """A new chart of this kind."""
        if self.figure is None:
            parts = PartsChart()
            parts.show_experiment(experiment)
            return parts
        chart = new_chart()
        chart.show_figure(self.figure(experiment, is_log))
        return chart


KINDS = (
    Kind(
        "speedup",
        mark("Speedup"),
        mark("How many times as fast as one serial run. A law is fitted to three or more numbers of threads or ranks"),
        with_other(speedup_figure),
    ),
    Kind("time", mark("Time"), mark("How long a run takes"), with_other(time_figure)),
    Kind("efficiency", mark("Efficiency"), mark("Speedup per worker"), with_other(efficiency_figure)),
    Kind(
        "serial-part",
        mark("Serial part"),
        mark("The serial fraction that the speedup amounts to, by Karp and Flatt; in a fixed time by Gustafson"),
        with_other(serial_fraction_figure),
    ),
    Kind(
        "nodes",
        mark("Nodes"),
        mark("Nodes visited, compared with the serial run. Where the work is the same, more is search overhead"),
        with_other(nodes_figure),
    ),
    Kind(
        "rate",
        mark("Rate per worker"),
        mark("Nodes a second of each worker, compared with the serial run"),
        with_other(rate_figure),
    ),
    Kind("parts", mark("Where it went"), mark("What the workers did in the time that a person waited"), None),
)
