"""The kernels of a game are compiled once, whoever waits for them."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from engine import registry
from engine.control import Control
from engine.prewarm import background
from engine.rules.contract import Game
from gui.work.game_kernels import GameKernels
from gui.work.prewarm import kernels_of
from tests.conftest import comes_true, processes_with

CONNECT_FOUR, OTHELLO = registry.game("connect-four:4,4"), registry.game("othello:4")


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GameKernels]:
    """In an empty folder."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(background, "CACHE", folder)
    made = GameKernels()
    yield made
    made.close()


class Asker:
    """Asks for the kernels of a game on a thread, as a picture does."""

    def __init__(self, kernels: GameKernels, game: Game) -> None:
        self.control = Control()
        self._thread = Thread(target=lambda: kernels.get_ready(game, self.control))
        self._thread.start()

    def stop(self) -> None:
        self.control.stop()
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_a_compilation_goes_on_for_the_next_that_asks(kernels: GameKernels, own_settings: Path) -> None:
    def compilers() -> list[int]:
        return [number for number, words in processes_with(own_settings).items() if "background" in words]

    first = Asker(kernels, CONNECT_FOUR)
    assert comes_true(compilers, 10)
    begun = compilers()[0]
    first.stop()
    next_one, beside = Asker(kernels, CONNECT_FOUR), Asker(kernels, CONNECT_FOUR)
    assert not comes_true(lambda: begun not in compilers(), 0.3)
    assert len(compilers()) == 1
    for asker in (next_one, beside):
        asker.stop()
    assert begun in compilers()

    other = Asker(kernels, OTHELLO)
    assert comes_true(lambda: compilers() and begun not in compilers(), 10)
    kernels.close()
    assert comes_true(lambda: not compilers())
    other.stop()


def test_who_waits_is_told_when_they_are_compiled() -> None:
    kernels, control = GameKernels(), Control()
    assert kernels.get_ready(CONNECT_FOUR, control)
    assert background.is_warm(kernels_of(CONNECT_FOUR)[0])
    control.stop()
    assert not kernels.get_ready(CONNECT_FOUR, control)
    kernels.close()
