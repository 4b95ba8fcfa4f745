"""Counts in ascending arrays: right, and in a time that hardly grows with the array."""

from bisect import bisect_left, bisect_right
from timeit import repeat

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.trace.ascending import count_below, count_up_to

WORDS = st.integers(-(2**31), 2**31 - 1)


@given(st.lists(WORDS), WORDS)
def test_counts_agree_with_bisect(numbers: list[int], number: int) -> None:
    ascending = np.array(sorted(numbers), np.int32)
    assert count_below(ascending, number) == bisect_left(sorted(numbers), number)
    assert count_up_to(ascending, number) == bisect_right(sorted(numbers), number)


def test_a_long_array_takes_little_longer_than_a_short_one() -> None:
    """To copy the long one would take a thousand times as long as a search in the short one."""
    short, long = (np.arange(size, dtype=np.int32) for size in (8, 2**22))
    for count in (count_below, count_up_to):
        times = [min(repeat(lambda one=one, count=count: count(one, 5), number=20, repeat=9)) for one in (short, long)]
        assert times[1] < 50 * times[0]
