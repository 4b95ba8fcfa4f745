"""The figures of a measurement: their series, and the ticks of their axes. Nothing here paints."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.measure.experiment import Experiment, Mode, Speedup, Timing
from engine.measure.models import FARTHEST, Law, laws
from engine.measure.statistics import Interval
from engine.text.numbers import duration, thousands
from gui.i18n.language import localized, tr
from gui.speedup.log_axes import logarithmic_axis, logarithmic_values, logarithmic_workers
from gui.speedup.series import Figure, LineStyle, Series, exact
from gui.speedup.words import mode_words
from gui.state.wording import algorithm

LIMIT_FACTOR, LEAST_LIMIT = 2, 4
"""Predictions are drawn up to this multiple of the measured workers, or this number of workers: enough to
show where it levels off, with half of the chart left to the measurements."""

LOG_FROM = 20.0
"""The ratio of the longest to the shortest time from which the axis is logarithmic."""

FEW_POINTS = 5
"""The number of worker counts up to which times are written beside the points."""


ROOM = 1.04
"""The end of an axis from 0, as a multiple of the greatest value."""

NOTE_SHARE = 0.22
"""The share of a small chart's height that a note takes with its point."""


LINES = {"threads": LineStyle.SOLID, "mpi": LineStyle.DOTTED}
"""The backends that have several workers, and their lines."""

FITTED = {"threads": LineStyle.FITTED, "mpi": LineStyle.FITTED_MPI}
"""The lines of the laws that are fitted to them."""

T = TypeVar("T", Speedup, Timing)


def speedup_figure(experiment: Experiment, is_log: bool = False) -> Figure:
    """Speedup over workers, with the ideal line, dashed what is predicted from the tasks, and the fitted laws. With
    logarithmic axes the predictions go on to FARTHEST workers."""
    measured = experiment.workers
    last = max(LEAST_LIMIT, FARTHEST if is_log else LIMIT_FACTOR * measured)
    predictions = _predictions(experiment, last)
    if not predictions:
        last = max(2, measured)
    series = [Series(tr("ideal"), None, (1, last), (exact(1), exact(last)), signs=False), *predictions]
    series += [*_laws(experiment, last), *_measured(experiment, lambda speedup: speedup.paired, times)]
    series += _expected(experiment, 1)
    series += guides(experiment, bool(predictions))
    labels = workers_words(experiment)
    if last > measured:
        labels = (*(tr("{workers} · measured: 1 to {number}", workers=one, number=measured) for one in labels), *labels)
    figure = over_workers(series, last, labels, float(last), "{value:,.12g}×", is_log)
    return logarithmic_values(figure, "{value:,g}×") if is_log else figure


def efficiency_figure(experiment: Experiment, is_log: bool = False) -> Figure:
    """Speedup per worker over workers, in percent; the ideal is 100 %."""
    last = max(2, experiment.workers)
    series = [Series(tr("ideal"), None, (1, last), (exact(100), exact(100)), signs=False)]
    series += _measured(experiment, lambda speedup: Interval(*(100 * end for end in speedup.efficiency)), percent)
    series += _expected(experiment, 100 / experiment.workers)
    return in_percent(experiment, series, 100.0, is_log)


def serial_fraction_figure(experiment: Experiment, is_log: bool = False) -> Figure:
    """Karp and Flatt's serial fraction over workers, in percent; the ideal is 0 %. Less than 0 % is drawn as 0 %."""
    last = max(2, experiment.workers)
    several = [one for one in experiment.all_speedups() if one.serial_fraction]

    def fraction(speedup: Speedup) -> Interval:
        return Interval(*(100 * end for end in speedup.serial_fraction or ()))

    series = [Series(tr("ideal"), None, (1, last), (exact(0), exact(0)), signs=False)]
    measured = _measured(experiment, fraction, percent, several)
    series += [replace(one, ys=tuple(Interval(*(max(0.0, end) for end in y)) for y in one.ys)) for one in measured]
    return in_percent(experiment, series, 10.0, is_log)


def in_percent(experiment: Experiment, series: list[Series], top: float, is_log: bool) -> Figure:
    """The figure of shares in percent over all workers of a measurement, from 0 to `top` or the greatest share, with
    the legend's entries for its lines."""
    last = max(2, experiment.workers)
    shown, labels = [*series, *guides(experiment)], workers_words(experiment)
    return over_workers(shown, last, labels, top, "{value:,.12g} %", is_log)


def _measured(
    experiment: Experiment,
    figure: Callable[[Speedup], Interval],
    write: Callable[[float], str],
    chosen: Sequence[Speedup] | None = None,
) -> list[Series]:
    """A series of each algorithm on each backend: a figure of its speedups, those `chosen` or all."""
    speedups = experiment.all_speedups() if chosen is None else chosen
    found = []
    for hue, name in enumerate(experiment.algorithms):
        for own in by_line(one for one in speedups if one.mode.algorithm == name):
            values = [figure(one) for one in own]
            words = [point_words(experiment, one.mode, y, write) for one, y in zip(own, values, strict=True)]
            found.append(series_of([one.mode for one in own], hue, values, words))
    return found


def by_line(measured: Iterable[T]) -> list[list[T]]:
    """Parted into those that one line joins: on the same backend, with as many threads of each rank."""
    parts: dict[tuple[str, int], list[T]] = {}
    for one in measured:
        parts.setdefault((one.mode.backend, one.mode.threads), []).append(one)
    return list(parts.values())


def series_of(modes: Sequence[Mode], hue: int, values: Sequence[Interval], words: Sequence[str]) -> Series:
    """The series of modes that one line joins, over their workers. Hybrid modes have hollow points."""
    mode = modes[0]
    return Series(
        algorithm(mode.algorithm) if mode.backend == "threads" else "",
        hue,
        tuple(float(one.all_workers) for one in modes),
        tuple(values),
        LINES[mode.backend],
        hollow=mode.is_hybrid,
        words=tuple(words),
    )


def _expected(experiment: Experiment, unit: float) -> list[Series]:
    """The speedup that a person expected, as a point on the most workers; `unit` is the height of a speedup of 1."""
    if experiment.expected is None:
        return []
    where, what = (float(experiment.workers),), (exact(unit * experiment.expected),)
    words = tr("Your guess before the runs: {speedup}", speedup=times(experiment.expected))
    return [Series(tr("your guess"), None, where, what, LineStyle.NONE, sign="star", words=(words,))]


def times(value: float) -> str:
    """A speedup: "1.95×"."""
    return f"{value:.2f}×"


def percent(value: float) -> str:
    """A number of percent: "12.3 %"."""
    return tr("{share} %", share=f"{value:,.1f}")


def point_words(experiment: Experiment, mode: Mode, interval: Interval, write: Callable[[float], str]) -> str:
    """What a reader of a measured point is told: its search, value, number of runs, and their interval if several."""
    lower, value, upper = (write(end) for end in interval)
    spread = tr("one run")
    if experiment.rounds > 1:
        spread = tr("{lower} to {upper}, %n run(s)", "", experiment.rounds, lower=lower, upper=upper)
    return tr("{search}: {value}", search=mode_words(mode), value=value) + f"\n{spread}"


def over_workers(
    series: list[Series], last: int, labels: tuple[str, ...], top: float, tick: str, is_log: bool = False
) -> Figure:
    """The figure of these series over 1 to `last` workers, from 0 to `top` or the greatest value, and on to the next
    value of the axis where that is well above the last one; `tick` formats a value."""
    every = max(1, math.ceil(last / 8))
    top = max([top, *(y.upper for one in series for y in one.ys)])
    values = steps(top)
    if top > ROOM * values[-1]:
        values = (*values, values[-1] + values[1])
    figure = Figure(
        tuple(series),
        (1 - 0.04 * last, last + 0.04 * last),
        tuple(
            (float(workers), thousands(workers))
            for workers in range(1, last + 1)
            if workers == 1 or workers % every == 0
        ),
        labels,
        (0.0, ROOM * max(top, values[-1])),
        tuple((value, tick.format(value=value)) for value in values),
    )
    return logarithmic_workers(figure, last) if is_log else figure


def time_figure(experiment: Experiment, is_log: bool = False) -> Figure:
    """Time over workers, the serial run on the left. Times far apart have a logarithmic axis in any case."""
    timings = (*experiment.timings, *(experiment.compared.timings if experiment.compared else ()))
    shortest, longest = min(timing.time.lower for timing in timings), max(timing.time.upper for timing in timings)
    logarithmic = (is_log or longest >= LOG_FROM * shortest) and shortest > 0
    parallel = sorted({timing.mode.all_workers for timing in timings if timing.mode.backend != "serial"})
    place = {workers: float(number) for number, workers in enumerate(parallel, start=1)}
    few = len(place) < FEW_POINTS

    def seen(time: Interval) -> Interval:
        return Interval(*map(math.log10, time)) if logarithmic else time

    series = []
    for hue, name in enumerate(experiment.algorithms):
        own = [timing for timing in experiment.timings if timing.mode.algorithm == name]
        for chosen in by_line(own):
            mode = chosen[0].mode
            is_serial = mode.backend == "serial"
            intervals = [timing.time for timing in chosen]
            series.append(
                Series(
                    "" if mode.backend != "threads" and len(chosen) < len(own) else algorithm(name),
                    hue,
                    tuple(0.0 if is_serial else place[timing.mode.all_workers] for timing in chosen),
                    tuple(map(seen, intervals)),
                    LINES.get(mode.backend, LineStyle.NONE),
                    hollow=is_serial or mode.is_hybrid,
                    notes=tuple(duration(time.value) for time in intervals) if few and mode.backend != "mpi" else (),
                    words=tuple(point_words(experiment, one.mode, one.time, duration) for one in chosen),
                )
            )
    series += guides(experiment)
    ticks, y_range = _decades(shortest, longest) if logarithmic else _linear(longest)
    return Figure(
        tuple(_parted(one, series, *y_range) for one in series),
        (-0.45, len(place) + 0.45),
        ((0.0, tr("serial")), *((where, thousands(workers)) for workers, where in place.items())),
        workers_words(experiment),
        y_range,
        ticks,
    )


def workers_words(experiment: Experiment) -> tuple[str, ...]:
    """The label of the workers' axis, in full and in short, for all measurements on display."""
    shown = _on_display(experiment)
    if any(one.has_hybrid for one in shown):
        return (tr("threads, MPI ranks, or threads of all ranks"), tr("workers"))
    return (tr("threads, or MPI ranks"), tr("workers")) if any(one.has_mpi for one in shown) else (tr("threads"),)


def _on_display(experiment: Experiment) -> tuple[Experiment, ...]:
    """The measurement, and the one that it is compared with."""
    return (experiment, *filter(None, (experiment.compared,)))


def guides(experiment: Experiment, is_predicted: bool = False) -> list[Series]:
    """The legend's entries for dashed and dotted lines, and hollow points, of all measurements on display."""
    shown = _on_display(experiment)
    dashed = [Series(tr("dashed: predicted from the tasks"), None, (), (), LineStyle.DASHED, signs=False)]
    dotted = [Series(tr("dotted: MPI ranks"), None, (), (), LineStyle.DOTTED, signs=False)]
    hollow = [Series(tr("hollow: ranks × threads"), None, (), (), LineStyle.DOTTED, hollow=True)]
    return [
        *(dashed if is_predicted else []),
        *(dotted if any(one.has_mpi for one in shown) else []),
        *(hollow if any(one.has_hybrid for one in shown) else []),
    ]


def steps(top: float, most: int = 5) -> tuple[float, ...]:
    """Round numbers from 0 to `top` at the most, 1, 2 or 5 times a power of ten apart, at most `most` + 1 of them.

    >>> steps(8.3), steps(2.1), steps(0.0047)
    ((0.0, 2.0, 4.0, 6.0, 8.0), (0.0, 0.5, 1.0, 1.5, 2.0), (0.0, 0.001, 0.002, 0.003, 0.004))
    """
    power = 10.0 ** math.floor(math.log10(top / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * most >= top)
    return tuple(round(number * step, 12) for number in range(int(top / step + 1e-9) + 1))


def _predictions(experiment: Experiment, last: int) -> list[Series]:
    """The speedups predicted from the tasks on 1 to `last` workers, a line for each algorithm that is large enough for
    threads. One that prunes has two: its tasks know all bounds of those before, or none."""
    workers, found = worker_numbers(last), []
    for hue, name in enumerate(experiment.algorithms):
        if experiment.is_too_small(name):
            continue
        extremes = {True: tr("bounds shared at once"), False: tr("no bounds shared")}
        for shares, extreme in extremes.items():
            all_ys = [experiment.predicted(name, number, shares_bounds=shares) for number in workers]
            ys = tuple(exact(y) for y in all_ys if y is not None)
            if not ys:
                continue
            has_two = name in experiment.unshared
            notes = ("",) * (len(ys) - 1) + (extreme,) if has_two else ()
            search = (
                tr("{algorithm}, {extreme}", algorithm=algorithm(name), extreme=extreme) if has_two else algorithm(name)
            )
            words = tuple(
                tr("{search}, predicted on %n worker(s): {speedup}", "", number, search=search, speedup=times(y.value))
                for number, y in zip(workers, ys, strict=True)
            )
            under = frozenset() if shares else frozenset({len(ys) - 1})
            xs = tuple(map(float, workers))
            found.append(Series("", hue, xs, ys, LineStyle.DASHED, signs=False, notes=notes, under=under, words=words))
    return found


def _laws(experiment: Experiment, last: int) -> list[Series]:
    """The laws that are fitted to the speedups on threads and on MPI ranks, on 1 to `last` workers."""
    found = []
    for hue, name in enumerate(experiment.algorithms):
        for fitted in laws(experiment, name):
            if isinstance(fitted, Law):
                xs = tuple(map(float, worker_numbers(last)))
                ys = tuple(exact(fitted.speedup(x)) for x in xs)
                found.append(Series(localized(fitted.words), hue, xs, ys, FITTED[fitted.backend], signs=False))
    return found


def worker_numbers(last: int) -> tuple[int, ...]:
    """Numbers of workers for a line from 1 to `last`: all up to 64, then sixteen for each doubling."""
    return tuple(number for number in range(1, last + 1) if number % max(1, 2 ** (number.bit_length() - 6)) == 0)


def _parted(series: Series, others: list[Series], low: float, high: float) -> Series:
    """The series on an axis from `low` to `high`, with a note moved below its point where the point of another
    algorithm is close above, and left out where there is no place below either."""
    room = NOTE_SHARE * (high - low)
    above = [
        (x, y.value) for other in others if other.hue != series.hue for x, y in zip(other.xs, other.ys, strict=True)
    ]
    points = enumerate(zip(series.xs, series.ys, strict=True))
    under = frozenset(
        number for number, (x, y) in points if any(x == place and 0 <= top - y.value < room for place, top in above)
    )
    cut = {number for number in under if series.ys[number].lower - low < room / 2}
    return replace(
        series, under=under, notes=tuple("" if number in cut else note for number, note in enumerate(series.notes))
    )


def _linear(longest: float) -> tuple[tuple[tuple[float, str], ...], tuple[float, float]]:
    return tuple((value, _tick(value)) for value in steps(longest)), (0.0, longest * 1.3)


def _decades(shortest: float, longest: float) -> tuple[tuple[tuple[float, str], ...], tuple[float, float]]:
    low, high = math.log10(shortest), math.log10(longest)
    room = 0.2 * (high - low)
    y_range, values = logarithmic_axis(low - room, high + 2 * room)
    return tuple((math.log10(value), _tick(value)) for value in values), y_range


def _tick(seconds: float) -> str:
    """A round time without needless noughts: "2 ms".

    >>> _tick(0.002), _tick(0.00025), _tick(0), _tick(1)
    ('2 ms', '250 µs', '0', '1 s')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size * 0.9999:
            return f"{round(seconds / size, 3):g} {unit}"
    return "0"
