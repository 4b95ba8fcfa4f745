"""Fixtures for the tests of the engine: hypothesis' settings, and the positions of the 3 x 3 board."""

import pytest
from hypothesis import HealthCheck, settings

from engine.registry import game
from engine.rules.contract import Position
from tests.engine import naive

# A first example may compile a kernel, so no example has a deadline; every run has the same examples.
settings.register_profile(
    "engine",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("engine")


@pytest.fixture(scope="session")
def reachable() -> list[Position]:
    """Every position reachable in tic-tac-toe."""
    return naive.reachable(game("tictactoe").start)
