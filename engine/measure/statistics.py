"""Medians with intervals, and the laws of parallel speedup fitted to measured speedups.

An interval is the central 95 % of what the same statistic gives for resamples of the runs, drawn with replacement (the
percentile bootstrap). It needs no assumption about the distribution of times, which has a long tail.

Sources: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13. G. M. Amdahl, Validity of the
single processor approach (1967). J. L. Gustafson, Reevaluating Amdahl's law (1988). A. H. Karp, H. P. Flatt, Measuring
parallel processor performance (1990).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95
RESAMPLES = 2_000
"""The ends of an interval vary by about 1 % of its width from one seed to another."""


class Interval(NamedTuple):
    """A statistic and its interval."""

    lower: float
    value: float
    upper: float

    @property
    def half(self) -> float:
        """Half the width of the interval: the "±" after a value."""
        return (self.upper - self.lower) / 2


def bootstrap(samples: ArrayLike, statistic: Callable[[NDArray[Any]], Any], seed: int = 0) -> Interval:
    """A statistic of samples with its interval. The first axis of `samples` counts the runs, at least one; `statistic`
    takes [resamples, runs, ...] and returns [resamples]. One run alone gives an interval of no width."""
    array = np.asarray(samples, float)
    runs = len(array)
    drawn = np.random.default_rng(seed).integers(runs, size=(RESAMPLES, runs))
    outside = (1 - CONFIDENCE) / 2
    lower, upper = np.quantile(statistic(array[drawn]), [outside, 1 - outside])
    return Interval(float(lower), float(statistic(array[np.newaxis])[0]), float(upper))


@lru_cache(maxsize=1_000)
def median_of(values: tuple[float, ...]) -> Interval:
    """The median of at least one value."""
    return bootstrap(values, lambda drawn: np.median(drawn, axis=1))


def karp_flatt(speedup: float, workers: int) -> float:
    """The serial fraction that a speedup on several workers amounts to; 0 is ideal. It grows with the number of workers
    where overhead grows, and stays the same where a part of the work is serial."""
    return (1 / speedup - 1 / workers) / (1 - 1 / workers)


def gustafson_fraction(speedup: float, workers: int) -> float:
    """The serial fraction of the parallel run that a scaled speedup on several workers amounts to; 0 is ideal."""
    return (workers - speedup) / (workers - 1)


def amdahl(fraction: float, workers: float) -> float:
    """The speedup of the same work with a serial fraction."""
    return 1 / (fraction + (1 - fraction) / workers)


def gustafson(fraction: float, workers: float) -> float:
    """The scaled speedup of work that grows with the workers, with a serial fraction of the parallel run."""
    return workers + (1 - workers) * fraction


def fit_amdahl(workers: Sequence[int], speedups: ArrayLike) -> Interval:
    """The serial fraction of Amdahl's law that fits best to `speedups` [runs, numbers of workers]. At least one number
    is above 1. Least squares of 1 / S - 1 / p = f (1 - 1 / p), with the medians of the runs."""
    inverse = 1 / np.asarray(workers, float)
    return bootstrap(speedups, lambda drawn: _slope(1 - inverse, 1 / np.median(drawn, axis=1) - inverse))


def fit_gustafson(workers: Sequence[int], speedups: ArrayLike) -> Interval:
    """The serial fraction of Gustafson's law that fits best to scaled `speedups` [runs, numbers of workers]. At least
    one number is above 1. Least squares of p - S = f (p - 1), with the medians of the runs."""
    number = np.asarray(workers, float)
    return bootstrap(speedups, lambda drawn: _slope(number - 1, number - np.median(drawn, axis=1)))


def _slope(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """[resamples]: the slope of the line through the origin with the least squares; y is [resamples, len(x)]."""
    return y @ x / (x @ x)
