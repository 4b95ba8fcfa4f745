"""The convergence of iterations, without a search: any function with alpha-beta's guarantee serves as the search."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernels.iteration import Driver, RootSearch, aspiration, bisection, deepening, null_windows, openly
from engine.result import INFINITY

Answer = Callable[[int, RootSearch], int]


def soft(value: int, asked: RootSearch) -> int:
    """The value itself: as tight as a bound can be."""
    return value


def hard(value: int, asked: RootSearch) -> int:
    """The window's end, where the value is outside."""
    return min(max(value, asked.alpha), asked.beta)


def closed_in(search: Driver, value_at: Callable[[int], int], answer: Answer = soft) -> tuple[list[RootSearch], int]:
    """The iterations for a search whose value at each depth is given, and their final value."""
    asked = [next(search)]
    while len(asked) < 1000:
        try:
            asked.append(search.send(answer(value_at(asked[-1].depth), asked[-1])))
        except StopIteration as end:
            return asked, end.value
    raise AssertionError("It does not end.")


def test_an_open_pass_is_one() -> None:
    assert closed_in(openly(3, None), lambda _: 7) == ([RootSearch(3)], 7)


@pytest.mark.parametrize("answer", [soft, hard])
@given(value=st.integers(-40, 40), guess=st.none() | st.integers(-40, 40), width=st.integers(1, 20))
def test_an_aspiration_window_is_opened_where_the_value_is_not_inside(
    answer: Answer, value: int, guess: int | None, width: int
) -> None:
    """A value at its edge is only a bound, too."""
    asked, found = closed_in(aspiration(width)(5, guess), lambda _: value, answer)
    assert found == value
    assert asked[-1].alpha < value < asked[-1].beta
    if guess is None:
        assert asked == [RootSearch(5)]
    else:
        assert asked[0] == RootSearch(5, guess - width, guess + width)
        assert len(asked) == (1 if abs(value - guess) < width else 2)


@pytest.mark.parametrize("guess", [-19_000, 19_000])
def test_an_aspiration_window_ends_at_infinity(guess: int) -> None:
    """A record has 16 bits for each bound."""
    asked, found = closed_in(aspiration(19_200)(5, guess), lambda _: guess)
    assert asked == [RootSearch(5, max(guess - 19_200, -INFINITY), min(guess + 19_200, INFINITY))]
    assert found == guess


@pytest.mark.parametrize("answer", [soft, hard])
@given(value=st.integers(-40, 40), guess=st.none() | st.integers(-40, 40))
def test_null_windows_ask_nothing_twice_and_end_at_the_value(answer: Answer, value: int, guess: int | None) -> None:
    asked, found = closed_in(null_windows(5, guess), lambda _: value, answer)
    assert found == value
    assert len({*asked}) == len(asked)
    assert all(one.beta == one.alpha + 1 for one in asked)
    assert len(asked) <= (2 if answer is soft else 2 + abs(value - (guess or 0)))


@pytest.mark.parametrize("answer", [soft, hard])
@given(value=st.integers(-27_000, 27_000), guess=st.none() | st.integers(-27_000, 27_000))
def test_a_bisection_ends_at_the_value_after_few_passes(answer: Answer, value: int, guess: int | None) -> None:
    asked, found = closed_in(bisection(5, guess), lambda _: value, answer)
    assert found == value
    assert len({*asked}) == len(asked)
    assert all(one.beta == one.alpha + 1 for one in asked)
    assert len(asked) <= 2 + 2 * abs(value - (guess or 0)).bit_length()


def test_a_deepening_goes_on_by_one_ply_until_all_was_seen() -> None:
    asked, found = closed_in(deepening(9, aspiration(2), lambda: False), lambda depth: depth)
    assert [one.depth for one in asked] == [*range(1, 10)]
    assert asked[:3] == [RootSearch(1), RootSearch(2, -1, 3), RootSearch(3, 0, 4)]
    assert found == 9
    seen = iter([False, False, True])
    asked = [RootSearch(1), RootSearch(2), RootSearch(3)]
    assert closed_in(deepening(9, openly, lambda: next(seen)), lambda depth: depth) == (asked, 3)
    assert closed_in(deepening(0, openly, lambda: False), lambda depth: INFINITY) == ([RootSearch(1)], INFINITY)
