"""The text of numbers, in one place, so that all views write a number in the same way.

Thousands are separated. Rates and durations have three significant digits and a unit. Negative numbers have a true
minus sign. An unknown number is a dash, never 0.
"""

import math

from engine.result import INFINITY, Bound, Number, Value

DASH = "–"
MINUS = "−"
SIGNS = {Bound.EXACT: "", Bound.LOWER: "≥ ", Bound.UPPER: "≤ "}
"""The sign before a value that is only a bound."""

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_MINUTES_FROM = 120.0
"""Durations from so many seconds on are written in minutes."""


def thousands(number: int | None) -> str:
    """A whole number.

    >>> thousands(549946), thousands(-1126), thousands(0), thousands(None)
    ('549,946', '−1,126', '0', '–')
    """
    return DASH if number is None else f"{number:,}".replace("-", MINUS)


def counted(number: int, one: str, many: str = "") -> str:
    """A whole number with its noun; `many` is the plural where that is not `one` with an s.

    >>> counted(1, "ply", "plies"), counted(0, "ply", "plies"), counted(2338, "node")
    ('1 ply', '0 plies', '2,338 nodes')
    """
    return f"{thousands(number)} {one if number == 1 else many or f'{one}s'}"


def significant(number: float, digits: int = 3) -> str:
    """A positive number to so many significant digits, without an exponent.

    >>> significant(162.7), significant(59.705), significant(0.04567), significant(9.999), significant(0)
    ('163', '59.7', '0.0457', '10.0', '0')
    """
    if number == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(number)))
    decimals = digits - 1 - math.floor(math.log10(abs(round(number, decimals))))
    return f"{round(number, decimals):,.{max(0, decimals)}f}"


def about(number: float) -> str:
    """An estimate, to one digit; a large one as a power of ten.

    >>> about(986_410), about(1.68e12), about(9.99e63), about(7)
    ('1,000,000', '2 × 10¹²', '1 × 10⁶⁴', '7')
    """
    if number < 1e9:
        return significant(number, 1)
    digit, _, power = f"{number:.0e}".partition("e+")
    return f"{digit} × 10{str(int(power)).translate(SUPERSCRIPTS)}"


SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def rate(per_second: float | None) -> str:
    """A rate per second, without "/ s", which is in its label.

    >>> rate(162_700_000), rate(59_705), rate(999_900), rate(12.34), rate(None)
    ('163 M', '59.7 k', '1.00 M', '12.3', '–')
    """
    if per_second is None or not math.isfinite(per_second):
        return DASH
    for size, prefix in _PREFIXES:
        if per_second >= size * 0.9995:
            return f"{significant(per_second / size)} {prefix}"
    return thousands(int(per_second)) if per_second == int(per_second) else significant(per_second)


def duration(seconds: float | None) -> str:
    """A span of time.

    >>> duration(0.000014), duration(0.00021), duration(1.5), duration(119.96), duration(754), duration(None)
    ('14.0 µs', '210 µs', '1.50 s', '2 min 00 s', '12 min 34 s', '–')
    """
    if seconds is None or not math.isfinite(seconds):
        return DASH
    if seconds >= _MINUTES_FROM - 0.5:
        return f"{round(seconds) // 60:,} min {round(seconds) % 60:02d} s"
    if seconds <= 0:
        return "0 s"
    for size, unit in _TIMES:
        if seconds >= size * 0.9995:
            return f"{significant(seconds / size)} {unit}"
    return "< 1 ns"


def signed(value: Number | None, decimals: int = 2) -> str:
    """A number of wins with its sign. A fraction has so many decimals, or three if it would look whole with two.

    >>> signed(1), signed(0), signed(-1), signed(INFINITY), signed(-INFINITY), signed(None)
    ('+1', '0', '−1', '+∞', '−∞', '–')
    >>> signed(0.1225), signed(-0.5), signed(0.0025), signed(0.9975), signed(-1.25)
    ('+0.12', '−0.50', '+0.003', '+0.998', '−1.25')
    """
    if value is None:
        return DASH
    size = abs(value)
    digits = "∞" if size >= INFINITY else f"{size:,}"
    if isinstance(value, float) and size < INFINITY:
        places = 3 if round(size, 2) == round(size) else decimals
        digits = f"{math.floor(size * 10**places + 0.5) / 10**places:,.{places}f}"
    return f"+{digits}" if value > 0 else f"{MINUS}{digits}" if value < 0 else "0"


def precise(value: Number) -> str:
    """A number of wins with its sign, for sentences and windows: a fraction has three decimals, which tell neighbouring
    estimates apart.

    >>> precise(-1), precise(-INFINITY), precise(36 / 300), precise(37 / 300)
    ('−1', '−∞', '+0.120', '+0.123')
    """
    return signed(value, 3)


def bounded(value: Value | None) -> str:
    """A value, with a sign before it where it is only a bound.

    >>> bounded(Value(1)), bounded(Value(0, Bound.LOWER)), bounded(Value(-1, Bound.UPPER)), bounded(None)
    ('+1', '≥ 0', '≤ −1', '–')
    """
    return DASH if value is None else f"{SIGNS[value.bound]}{signed(value.number)}"


def percent(part: float, whole: float) -> str:
    """A share in percent; 0 and 100 only if exact.

    >>> percent(2338, 59705), percent(1, 3), percent(59704, 59705), percent(1, 10**9), percent(0, 5), percent(5, 5)
    ('3.9 %', '33 %', '> 99.9 %', '< 0.01 %', '0 %', '100 %')
    """
    if whole <= 0:
        return DASH
    share = 100 * part / whole
    if part in (0, whole):
        return f"{share:.0f} %"
    if share < 0.01:
        return "< 0.01 %"
    if share >= 99.5:
        return f"{share:.1f} %" if share < 99.95 else "> 99.9 %"
    return f"{significant(share, 2)} %"


def share(part: float | None) -> str:
    """A share, 0 to 1, in percent; 0 and 100 only if exact.

    >>> share(0.0312), share(1.0), share(2 / 2**26), share(None)
    ('3.1 %', '100 %', '< 0.01 %', '–')
    """
    return DASH if part is None else percent(part, 1)


def whole_percent(part: float) -> str:
    """A measured share in whole percent, for tables; it may be greater than 1.

    >>> whole_percent(0.956), whole_percent(1.02), whole_percent(0.004)
    ('96 %', '102 %', '0 %')
    """
    return f"{100 * part:.0f} %"
