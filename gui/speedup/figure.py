"""The charts as data: their series, and the ticks of their axes. Nothing here paints."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from engine.measure.experiment import Experiment, Speedup
from engine.measure.statistics import Interval
from engine.text.numbers import duration
from gui.i18n.language import tr
from gui.state.wording import algorithm

LIMIT_FACTOR, LEAST_LIMIT = 2, 4
"""Predictions are drawn up to this multiple of the measured workers, or this number of workers: enough to
show where it levels off, with half of the chart left to the measurements."""

LOG_FROM = 20.0
"""The ratio of the longest to the shortest time from which the axis is logarithmic."""

FEW_POINTS = 5
"""The number of worker counts up to which times are written beside the points."""


NOTE_SHARE = 0.22
"""The share of a small chart's height that a note takes with its point."""


class Line(Enum):
    NONE = "none"
    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    """The line of MPI."""


PARALLEL = {"threads": Line.SOLID, "mpi": Line.DOTTED}
"""The backends that have several workers, and their lines."""


@dataclass(frozen=True)
class Series:
    """One series of points."""

    name: str
    """The name in the legend; empty for none."""
    hue: int | None
    """The index of the algorithm's colour and sign; None for a plain guide."""
    xs: tuple[float, ...]
    ys: tuple[Interval, ...]
    line: Line = Line.SOLID
    hollow: bool = False
    signs: bool = True
    sign: str = ""
    """pyqtgraph's name of the sign; empty: that of the algorithm."""
    notes: tuple[str, ...] = ()
    """A text for each point, above it; below it for the points in `under`, which have another close above them."""
    under: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Figure:
    """A chart with fixed ranges, so that nothing jumps."""

    series: tuple[Series, ...]
    x_range: tuple[float, float]
    x_ticks: tuple[tuple[float, str], ...]
    x_label: tuple[str, ...]
    """Several labels, longest first, for charts of different widths."""
    y_range: tuple[float, float]
    y_ticks: tuple[tuple[float, str], ...]


def exact(value: float) -> Interval:
    return Interval(value, value, value)


def speedup_figure(experiment: Experiment) -> Figure:
    """Speedup over workers, with the ideal line, and dashed what is predicted from the tasks."""
    measured = experiment.workers
    predictions = _predictions(experiment)
    last = max(LEAST_LIMIT, LIMIT_FACTOR * measured) if predictions else max(2, measured)
    series = [Series(tr("ideal"), None, (1, last), (exact(1), exact(last)), signs=False), *predictions]
    series += _measured(experiment, lambda speedup: speedup.paired)
    series += guides(experiment, bool(predictions))
    top = max(float(last), *(interval.upper for one in series for interval in one.ys))
    labels = workers_words(experiment)
    if last > measured:
        labels = (*(tr("{workers} · measured: 1 to {number}", workers=one, number=measured) for one in labels), *labels)
    return over_workers(series, last, labels, top, "{value:g}×")


def efficiency_figure(experiment: Experiment) -> Figure:
    """Speedup per worker over workers, in percent; the ideal is 100 %."""
    last = max(2, experiment.workers)
    series = [Series(tr("ideal"), None, (1, last), (exact(100), exact(100)), signs=False)]
    series += _measured(experiment, lambda speedup: Interval(*(100 * end for end in speedup.efficiency)))
    series += guides(experiment)
    top = max(100.0, *(interval.upper for one in series for interval in one.ys))
    return over_workers(series, last, workers_words(experiment), top, "{value:g} %")


def serial_fraction_figure(experiment: Experiment) -> Figure:
    """Karp and Flatt's serial fraction over workers, in percent; the ideal is 0 %. Less than 0 % is drawn as 0 %."""
    last = max(2, experiment.workers)
    several = [one for one in experiment.all_speedups() if one.serial_fraction]

    def percent(speedup: Speedup) -> Interval:
        return Interval(*(max(0.0, 100 * end) for end in speedup.serial_fraction or ()))

    series = [Series(tr("ideal"), None, (1, last), (exact(0), exact(0)), signs=False)]
    series += _measured(experiment, percent, several)
    series += guides(experiment)
    top = max(10.0, *(interval.upper for one in series for interval in one.ys))
    return over_workers(series, last, workers_words(experiment), top, "{value:g} %")


def _measured(
    experiment: Experiment, figure: Callable[[Speedup], Interval], chosen: Sequence[Speedup] | None = None
) -> list[Series]:
    """A series of each algorithm on each backend: a figure of its speedups, those `chosen` or all."""
    speedups = experiment.all_speedups() if chosen is None else chosen
    found = []
    for hue, name in enumerate(experiment.algorithms):
        for backend, line in PARALLEL.items():
            own = [one for one in speedups if (one.mode.algorithm, one.mode.backend) == (name, backend)]
            if own:
                xs, ys = tuple(float(one.mode.all_workers) for one in own), tuple(map(figure, own))
                found.append(Series(algorithm(name) if line is Line.SOLID else "", hue, xs, ys, line))
    return found


def over_workers(series: list[Series], last: int, labels: tuple[str, ...], top: float, tick: str) -> Figure:
    """The figure of these series over 1 to `last` workers, from 0 to `top`; `tick` formats a value of the axis."""
    every = max(1, math.ceil(last / 8))
    return Figure(
        tuple(series),
        (1 - 0.04 * last, last + 0.04 * last),
        tuple((float(workers), str(workers)) for workers in range(1, last + 1) if workers == 1 or workers % every == 0),
        labels,
        (0.0, top * 1.04),
        tuple((value, tick.format(value=value)) for value in steps(top)),
    )


def time_figure(experiment: Experiment) -> Figure:
    """Time over workers, the serial run on the left."""
    timings = (*experiment.timings, *(experiment.compared.timings if experiment.compared else ()))
    times = [timing.time for timing in timings]
    shortest, longest = min(time.lower for time in times), max(time.upper for time in times)
    logarithmic = longest >= LOG_FROM * shortest > 0
    parallel = sorted({timing.mode.all_workers for timing in timings if timing.mode.backend != "serial"})
    place = {workers: float(number) for number, workers in enumerate(parallel, start=1)}
    few = len(place) < FEW_POINTS

    def seen(time: Interval) -> Interval:
        return Interval(*map(math.log10, time)) if logarithmic else time

    series = []
    for hue, name in enumerate(experiment.algorithms):
        own = [timing for timing in experiment.timings if timing.mode.algorithm == name]
        for backend, line in {**PARALLEL, "serial": Line.NONE}.items():
            chosen = [timing for timing in own if timing.mode.backend == backend]
            is_serial = backend == "serial"
            if chosen:
                series.append(
                    Series(
                        "" if backend != "threads" and len(chosen) < len(own) else algorithm(name),
                        hue,
                        tuple(0.0 if is_serial else place[timing.mode.all_workers] for timing in chosen),
                        tuple(seen(timing.time) for timing in chosen),
                        line,
                        hollow=is_serial,
                        notes=tuple(duration(timing.time.value) for timing in chosen)
                        if few and backend != "mpi"
                        else (),
                    )
                )
    series += guides(experiment)
    ticks, y_range = _decades(shortest, longest) if logarithmic else _linear(longest)
    return Figure(
        tuple(_parted(one, series, NOTE_SHARE * (y_range[1] - y_range[0])) for one in series),
        (-0.45, len(place) + 0.45),
        ((0.0, tr("serial")), *((where, str(workers)) for workers, where in place.items())),
        workers_words(experiment),
        y_range,
        ticks,
    )


def workers_words(experiment: Experiment) -> tuple[str, ...]:
    """The label of the workers' axis, in full and in short."""
    return (tr("threads, or MPI ranks"), tr("workers")) if experiment.has_mpi else (tr("threads"),)


def guides(experiment: Experiment, is_predicted: bool = False) -> list[Series]:
    """The legend's entries for dashed and dotted lines."""
    dashed = [Series(tr("dashed: predicted from the tasks"), None, (), (), Line.DASHED, signs=False)]
    dotted = [Series(tr("dotted: MPI ranks"), None, (), (), Line.DOTTED, signs=False)]
    return (dashed if is_predicted else []) + (dotted if experiment.has_mpi else [])


def steps(top: float, most: int = 5) -> tuple[float, ...]:
    """Round numbers from 0 to `top` at the most, 1, 2 or 5 times a power of ten apart, at most `most` + 1 of them.

    >>> steps(8.3), steps(2.1), steps(0.0047)
    ((0.0, 2.0, 4.0, 6.0, 8.0), (0.0, 0.5, 1.0, 1.5, 2.0), (0.0, 0.001, 0.002, 0.003, 0.004))
    """
    power = 10.0 ** math.floor(math.log10(top / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * most >= top)
    return tuple(round(number * step, 12) for number in range(int(top / step + 1e-9) + 1))


def _predictions(experiment: Experiment) -> list[Series]:
    """The speedups predicted from the tasks on 1, 2, 3 ... workers, a line for each algorithm that is large enough for
    threads. One that prunes has two: its tasks know all bounds of those before, or none."""
    last = max(LEAST_LIMIT, LIMIT_FACTOR * experiment.workers)
    found = []
    for hue, name in enumerate(experiment.algorithms):
        if experiment.is_too_small(name):
            continue
        extremes = {True: tr("bounds shared at once"), False: tr("no bounds shared")}
        for shares, words in extremes.items():
            all_ys = [experiment.predicted(name, workers, shares_bounds=shares) for workers in range(1, last + 1)]
            ys = tuple(exact(y) for y in all_ys if y is not None)
            if ys:
                xs = tuple(float(workers) for workers in range(1, last + 1))
                notes = ("",) * (last - 1) + (words,) if name in experiment.unshared else ()
                under = frozenset() if shares else frozenset({last - 1})
                found.append(Series("", hue, xs, ys, Line.DASHED, signs=False, notes=notes, under=under))
    return found


def _parted(series: Series, others: list[Series], room: float) -> Series:
    """The series, with a note moved below its point where another series' point is less than `room` above it."""
    above = [
        (x, y.value) for other in others if other.hue != series.hue for x, y in zip(other.xs, other.ys, strict=True)
    ]
    points = enumerate(zip(series.xs, series.ys, strict=True))
    under = frozenset(
        number for number, (x, y) in points if any(x == place and 0 <= top - y.value < room for place, top in above)
    )
    return replace(series, under=under)


def _linear(longest: float) -> tuple[tuple[tuple[float, str], ...], tuple[float, float]]:
    return tuple((value, _tick(value)) for value in steps(longest)), (0.0, longest * 1.3)


def _decades(shortest: float, longest: float) -> tuple[tuple[tuple[float, str], ...], tuple[float, float]]:
    low, high = math.log10(shortest), math.log10(longest)
    room = 0.2 * (high - low)
    powers = range(math.ceil(low - room), math.floor(high + 2 * room) + 1)
    return tuple((float(power), _tick(10.0**power)) for power in powers), (low - room, high + 2 * room)


def _tick(seconds: float) -> str:
    """A round time without needless noughts: "2 ms".

    >>> _tick(0.002), _tick(0.00025), _tick(0), _tick(1)
    ('2 ms', '250 µs', '0', '1 s')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size * 0.9999:
            return f"{round(seconds / size, 3):g} {unit}"
    return "0"
