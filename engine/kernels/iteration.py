"""Successive searches of the root: iterative deepening, and the windows of each iteration.

Each function is a generator. It yields root searches and is sent the value of each, in the kernel's units, for the side
to move at the root.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from engine.result import INFINITY


class RootSearch(NamedTuple):
    """One search of the root."""

    depth: int
    """Plies."""
    alpha: int = -INFINITY
    beta: int = INFINITY


Driver = Generator[RootSearch, int, int]
"""Yields root searches, is sent their values, and returns the final value."""
Closing = Callable[[int, int | None], Driver]
"""Finds the value at a depth. Its second argument is the value of the previous depth, or None."""


def openly(depth: int, guess: int | None) -> Driver:
    """One root search with an open window."""
    return (yield RootSearch(depth))


def aspiration(width: int) -> Closing:
    """Aspiration windows: first guess - width to guess + width, within infinity; a side that fails is opened."""

    def close_in(depth: int, guess: int | None) -> Driver:
        if guess is None:
            return (yield RootSearch(depth))
        alpha, beta = max(guess - width, -INFINITY), min(guess + width, INFINITY)
        while True:
            value = yield RootSearch(depth, alpha, beta)
            if value <= alpha and alpha > -INFINITY:
                alpha = -INFINITY
            elif value >= beta and beta < INFINITY:
                beta = INFINITY
            else:
                return value

    return close_in


def null_windows(depth: int, guess: int | None) -> Driver:
    """MTD(f): null windows only, each placed at the bound that the previous one returned.

    Source: A. Plaat et al., Best-first fixed-depth minimax algorithms, Artificial Intelligence 87 (1996).
    """
    value, lower, upper = guess or 0, -INFINITY, INFINITY
    while lower < upper:
        beta = max(value, lower + 1)
        value = yield RootSearch(depth, beta - 1, beta)
        if value < beta:
            upper = value
        else:
            lower = value
    return value


def bisection(depth: int, guess: int | None) -> Driver:
    """MTD(f) for fail-hard values, each of which moves a bound by one point only: the windows are 1, 2, 4 ... points
    from the guess until the value lies between two bounds, which are then halved.

    Source: MTD(bi) of A. Plaat et al., Best-first fixed-depth minimax algorithms, Artificial Intelligence 87 (1996).
    """
    first = beta = guess or 0
    lower, upper, away = -INFINITY, INFINITY, 1
    while lower < upper:
        value = yield RootSearch(depth, beta - 1, beta)
        if value < beta:
            upper = value
        else:
            lower = value
        if lower > -INFINITY and upper < INFINITY:
            beta = (lower + upper + 1) // 2
        else:
            beta = min(max(first + (away if upper == INFINITY else -away), lower + 1), upper)
            away *= 2
    return lower


def deepening(depths: int, close_in: Closing, is_settled: Callable[[], bool]) -> Driver:
    """Depth 1, 2, 3 ... to `depths`; the guess of each is the value of the last. The iteration after which
    `is_settled` returns true is the last: a deeper one would find the same value."""
    value = None
    for depth in range(1, max(1, depths) + 1):
        value = yield from close_in(depth, value)
        if is_settled():
            break
    return value or 0
