"""What the tests of the engine share: hypothesis' settings, and the positions of the 3 x 3 board."""

import pytest
from hypothesis import HealthCheck, settings

from engine.registry import game
from engine.rules.contract import Position
from tests.engine import naive

# A first example may compile a kernel, so no example has a deadline; the same examples come each time.
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
    """Every position that a game of tic-tac-toe can come to."""
    return naive.reachable(game("tictactoe").start)
