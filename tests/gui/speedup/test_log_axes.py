"""A logarithmic axis has numbers, whatever it shows."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui.speedup.log_axes import logarithmic_axis


@settings(deadline=None, derandomize=True)
@given(st.floats(-9, 9), st.floats(0, 12))
def test_an_axis_has_two_round_numbers_at_least(low: float, length: float) -> None:
    (first, last), values = logarithmic_axis(low, low + length)
    assert first <= low
    assert low + length <= last
    assert len(values) >= 2
    assert values == sorted(set(values))
    assert all(first <= math.log10(value) <= last for value in values)
    assert all(f"{value:e}"[0] in "125" for value in values)


@pytest.mark.parametrize(("shortest", "longest"), [(105e-6, 113e-6), (1e-3, 1e-3), (0.3, 0.4)])
def test_times_between_two_round_ones_have_these_at_the_axis(shortest: float, longest: float) -> None:
    (first, last), values = logarithmic_axis(math.log10(shortest), math.log10(longest))
    assert (values[0], values[-1]) == pytest.approx((10**first, 10**last))
    assert values[0] < shortest <= longest < values[-1]
