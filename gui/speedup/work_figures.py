"""Charts of the work behind a speedup: the nodes visited, and the rate of nodes."""

from collections.abc import Callable

from engine.measure.experiment import Experiment, Timing
from engine.measure.statistics import Interval, median_of
from gui.i18n.language import tr
from gui.speedup.figure import (
    by_line,
    in_percent,
    percent,
    point_words,
    series_of,
    worker_numbers,
)
from gui.speedup.series import Figure, Series, exact


def nodes_figure(experiment: Experiment, is_log: bool = False) -> Figure:
    """Nodes over workers in percent of the serial search's; above 100 % is search overhead. In a fixed time the ideal
    grows with the workers."""
    grows = experiment.fixed_time is not None
    return _share_figure(experiment, lambda timing: tuple(float(run.nodes) for run in timing.runs), grows, is_log)


def rate_figure(experiment: Experiment, is_log: bool = False) -> Figure:
    """Nodes a second of one worker over workers, in percent of the serial search's rate."""
    return _share_figure(
        experiment, lambda timing: tuple(run.rate / timing.mode.all_workers for run in timing.runs), False, is_log
    )


def _share_figure(
    experiment: Experiment, figure: Callable[[Timing], tuple[float, ...]], grows: bool, is_log: bool
) -> Figure:
    """Medians over the rounds of the ratios to the serial run of the same round, in percent."""
    numbers = worker_numbers(max(2, experiment.workers))
    ideal = tuple(exact(100 * number if grows else 100) for number in numbers)
    series = [Series(tr("ideal"), None, tuple(map(float, numbers)), ideal, signs=False)]
    for hue, name in enumerate(experiment.algorithms):
        serial = experiment.serial(name)
        for own in by_line(one for one in experiment.all_speedups() if one.mode.algorithm == name):
            modes = [speedup.mode for speedup in own]
            timings = [timing for mode in modes if (timing := experiment.timing(mode))]
            if serial is not None:
                ys = [_percent(figure(timing), figure(serial)) for timing in timings]
                words = [point_words(experiment, mode, y, percent) for mode, y in zip(modes, ys, strict=True)]
                series.append(series_of(modes, hue, ys, words))
    return in_percent(experiment, series, 100.0, is_log)


def _percent(several: tuple[float, ...], serial: tuple[float, ...]) -> Interval:
    return median_of(tuple(100 * one / alone for one, alone in zip(several, serial, strict=True)))
