"""Numbers are written in one way, everywhere."""

import doctest

import pytest

from engine.result import INFINITY
from engine.text import numbers
from engine.text.numbers import DASH, duration, percent, rate, signed, significant, thousands


def test_every_example_in_the_docstrings_holds() -> None:
    failed, tried = doctest.testmod(numbers)
    assert tried >= 6
    assert not failed


@pytest.mark.parametrize("write", [thousands, rate, duration, signed])
def test_the_unknown_is_a_dash_and_never_a_zero(write) -> None:
    assert write(None) == DASH


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (9.996e-7, "1.00 µs"),
        (0.9996, "1.00 s"),
        (0.0123456, "12.3 ms"),
        (float("inf"), DASH),
        (3600.0, "60 min 00 s"),
    ],
)
def test_a_duration_has_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("number", "text"), [(999, "999"), (999.6, "1.00 k"), (2.5e9, "2.50 G"), (0.5, "0.500")])
def test_a_rate_never_shows_a_thousand_of_a_smaller_unit(number: float, text: str) -> None:
    assert rate(number) == text


def test_rounding_never_adds_a_digit() -> None:
    assert significant(99.96) == "100"
    assert significant(0.09999) == "0.100"


def test_signs_are_true_minus_signs_and_open_windows_infinite() -> None:
    assert signed(-12) == "−12"
    assert (signed(-INFINITY), signed(INFINITY)) == ("−∞", "+∞")


def test_a_share_is_all_or_nothing_only_if_it_is() -> None:
    assert percent(999_999, 1_000_000) == "> 99.9 %"
    assert percent(0, 0) == DASH
