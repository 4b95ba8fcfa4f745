"""Medians with intervals, and fitted laws, on samples whose answer is known."""

import numpy as np
import pytest

from engine.measure.statistics import (
    Interval,
    amdahl,
    bootstrap,
    fit_amdahl,
    fit_gustafson,
    gustafson,
    karp_flatt,
    median_of,
)

WORKERS = (1, 2, 4, 8, 16)


def test_an_interval_of_the_median_is_scipys() -> None:
    from scipy import stats  # here: the processes of other tests need not load it

    values = np.random.default_rng(5).exponential(size=31)
    theirs = stats.bootstrap((values,), np.median, method="percentile", n_resamples=20_000).confidence_interval
    assert median_of(tuple(values)) == pytest.approx((theirs.low, np.median(values), theirs.high), abs=0.06)


def test_intervals_of_a_true_median_hold_it_nineteen_times_in_twenty() -> None:
    draw = np.random.default_rng(1)
    found = [median_of(tuple(draw.normal(10, 1, 25))) for _ in range(200)]
    assert 0.9 <= np.mean([one.lower <= 10 <= one.upper for one in found]) <= 0.99


def test_few_runs_give_their_range_and_one_run_no_width() -> None:
    assert median_of((3.0, 1.0, 2.0)) == (1.0, 2.0, 3.0)
    assert median_of((7.0,)) == (7.0, 7.0, 7.0)
    assert Interval(1.0, 2.0, 4.0).half == 1.5


def test_the_same_runs_give_the_same_interval() -> None:
    values = tuple(np.random.default_rng(3).normal(size=9))
    assert median_of.__wrapped__(values) == median_of(values)
    assert bootstrap(values, lambda drawn: np.median(drawn, axis=1), seed=1).value == median_of(values).value


@pytest.mark.parametrize("fraction", [0.0, 0.05, 0.3])
def test_a_known_serial_fraction_is_found_again(fraction: float) -> None:
    noise = 1 + np.random.default_rng(2).normal(0, 0.01, (21, len(WORKERS)))
    for law, fit in ((amdahl, fit_amdahl), (gustafson, fit_gustafson)):
        speedups = np.array([law(fraction, workers) for workers in WORKERS])
        assert fit(WORKERS, [speedups] * 3) == pytest.approx((fraction,) * 3, abs=1e-12)
        found = fit(WORKERS, speedups * noise)
        assert found.value == pytest.approx(fraction, abs=0.01)
        assert found.lower < found.value < found.upper < found.lower + 0.03
    for workers in WORKERS[1:]:
        assert karp_flatt(amdahl(fraction, workers), workers) == pytest.approx(fraction)
