"""The charts of nodes and rates: shares of the serial search's."""

import pytest
from msgspec.structs import replace

from engine.job import Job
from engine.measure.experiment import Experiment, Run, Timing
from engine.measure.speedup import modes
from gui.speedup.figure import over_workers
from gui.speedup.work_figures import nodes_figure, rate_figure


def test_nodes_and_rates_are_drawn_as_shares_of_the_serial_ones() -> None:
    """Two workers take 0.6 of the time and visit 1.2 times as many nodes: each has the serial rate."""
    runs = {1: Run(1.0, 1.0, 100), 2: Run(0.6, 0.6, 120)}
    timings = tuple(Timing(mode, (runs[mode.workers],) * 5) for mode in modes(2, ["alphabeta"]))
    experiment = Experiment(Job(position="..."), timings, {})
    _, alphabeta = nodes_figure(experiment).series
    assert [y.value for y in alphabeta.ys] == pytest.approx([100, 120])
    _, alphabeta = rate_figure(experiment).series
    assert [y.value for y in alphabeta.ys] == pytest.approx([100, 100])
    ideal, _ = nodes_figure(replace(experiment, fixed_time=1.0)).series
    assert [y.value for y in ideal.ys] == [100, 200]


def test_thousands_are_separated_in_a_chart() -> None:
    """A search on threads may visit thousands of times as many nodes as the serial one."""
    serial, *parallel = modes(2, ["alphabeta"])
    timings = (
        Timing(serial, (Run(1.0, 1.0, 100),) * 5),
        *(Timing(mode, (Run(1.0, 1.0, 3_000_000),) * 5) for mode in parallel),
    )
    figure = nodes_figure(Experiment(Job(position="..."), timings, {}))
    assert [words for _, words in figure.y_ticks] == ["0 %", "1,000,000 %", "2,000,000 %", "3,000,000 %"]
    assert "3,000,000.0 %" in figure.series[1].words[0]
    many = over_workers([], 1_024, ("threads",), 1_024.0, "{value:g}")
    assert many.x_ticks[-1] == (1_024.0, "1,024")
