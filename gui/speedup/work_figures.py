"""Charts of the work behind a speedup: the nodes visited, and the rate of nodes."""

from collections.abc import Callable

from engine.measure.experiment import Experiment, Timing
from engine.measure.statistics import Interval, median_of
from gui.i18n.language import tr
from gui.speedup.figure import PARALLEL, Figure, Line, Series, exact, guides, over_workers, workers_words
from gui.state.wording import algorithm


def nodes_figure(experiment: Experiment) -> Figure:
    """Nodes over workers in percent of the serial search's; above 100 % is search overhead. In a fixed time the ideal
    grows with the workers."""
    grows = experiment.fixed_time is not None
    return _share_figure(experiment, lambda timing: tuple(float(run.nodes) for run in timing.runs), grows)


def rate_figure(experiment: Experiment) -> Figure:
    """Nodes a second of one worker over workers, in percent of the serial search's rate."""
    return _share_figure(
        experiment, lambda timing: tuple(run.rate / timing.mode.all_workers for run in timing.runs), grows=False
    )


def _share_figure(experiment: Experiment, figure: Callable[[Timing], tuple[float, ...]], grows: bool) -> Figure:
    """Medians over the rounds of the ratios to the serial run of the same round, in percent."""
    last = max(2, experiment.workers)
    series = [Series(tr("ideal"), None, (1, last), (exact(100), exact(100 * last if grows else 100)), signs=False)]
    for hue, name in enumerate(experiment.algorithms):
        serial = experiment.serial(name)
        for backend, line in PARALLEL.items():
            modes = [speedup.mode for speedup in experiment.speedups(name, backend)]
            timings = [timing for mode in modes if (timing := experiment.timing(mode))]
            if serial is None or not timings:
                continue
            ys = tuple(_percent(figure(timing), figure(serial)) for timing in timings)
            xs = tuple(float(mode.all_workers) for mode in modes)
            series.append(Series(algorithm(name) if line is Line.SOLID else "", hue, xs, ys, line))
    series += guides(experiment)
    top = max(100.0, *(interval.upper for one in series for interval in one.ys))
    return over_workers(series, last, workers_words(experiment), top, "{value:g} %")


def _percent(several: tuple[float, ...], serial: tuple[float, ...]) -> Interval:
    return median_of(tuple(100 * one / alone for one, alone in zip(several, serial, strict=True)))
