"""Logarithmic axes of a Figure: its series, ranges and ticks are computed anew.

pyqtgraph's own logarithmic axes do not move error bars, texts and lines of constant value."""

import math
from dataclasses import replace

from engine.measure.statistics import Interval
from engine.text.numbers import thousands
from gui.speedup.series import Figure

MOST_TICKS = 8
"""The most numbers of workers written at an axis."""


def logarithmic_workers(figure: Figure, last: int) -> Figure:
    """The figure with a logarithmic axis of 1 to `last` workers: powers of two at equal distances."""
    series = tuple(replace(one, xs=tuple(map(math.log2, one.xs))) for one in figure.series)
    length = math.log2(last)
    every = math.ceil((int(length) + 1) / MOST_TICKS)
    ticks = tuple((float(power), thousands(2**power)) for power in range(0, int(length) + 1, every))
    return replace(figure, series=series, x_range=(-0.04 * length, 1.04 * length), x_ticks=ticks)


def logarithmic_values(figure: Figure, tick: str) -> Figure:
    """The figure with a logarithmic axis of values above 0; `tick` formats one of them."""
    ends = [y for one in figure.series for y in one.ys]
    low = math.log10(min(y.lower for y in ends))
    high = math.log10(max(y.upper for y in ends))
    room = 0.05 * (high - low)
    y_range, values = logarithmic_axis(low - room, high + room)
    return replace(
        figure,
        series=tuple(replace(one, ys=tuple(Interval(*map(math.log10, y)) for y in one.ys)) for one in figure.series),
        y_range=y_range,
        y_ticks=tuple((math.log10(value), tick.format(value=value)) for value in values),
    )


def logarithmic_axis(low: float, high: float) -> tuple[tuple[float, float], list[float]]:
    """The range of an axis from 10 ** low to 10 ** high, in powers of ten, and the round values to be written at it.
    These are at least two: where fewer lie between, the axis goes on to the next ones."""
    values = _round_values(low, high)
    if len(values) < 2:
        around = [math.log10(value) for value in _values(low - 1, high + 1, (1, 2, 5))]
        low, high = max(one for one in around if one < low), min(one for one in around if one > high)
        values = _round_values(low, high)
    return (low, high), values


def _round_values(low: float, high: float) -> list[float]:
    """The powers of ten from 10 ** low to 10 ** high; where they are few, twice and five times these too."""
    values = _values(low, high, (1, 2, 5) if high - low < 2 else (1,))
    return [value for value in values if low <= math.log10(value) <= high]


def _values(low: float, high: float, factors: tuple[int, ...]) -> list[float]:
    """The powers of ten around 10 ** low to 10 ** high, times each of the factors."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    return [factor * 10.0**power for power in powers for factor in factors]
