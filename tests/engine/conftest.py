"""Fixtures for the tests of the engine: hypothesis' settings, and the positions of the 3 x 3 board."""

import random

import pytest
from hypothesis import HealthCheck, settings

from engine.registry import game
from engine.rules.contract import Position, key, transformed
from tests.engine import naive

# A first example may compile a kernel, so no example has a deadline; every run has the same examples.
settings.register_profile(
    "engine",
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("engine")


@pytest.fixture(scope="session")
def reachable() -> list[Position]:
    """Every position reachable in tic-tac-toe."""
    return naive.reachable(game("tictactoe").start)


@pytest.fixture(scope="session")
def distinct(reachable: list[Position]) -> list[Position]:
    """One position of tic-tac-toe from each class of symmetric positions, chosen by a fixed seed: 765."""
    dice, symmetries = random.Random(8), range(len(game("tictactoe").symmetries))
    classes: dict[int, list[Position]] = {}
    for position in reachable:
        least = min(key(transformed(position, symmetry)) for symmetry in symmetries)
        classes.setdefault(least, []).append(position)
    return [dice.choice(members) for members in classes.values()]
