"""Kernels are compiled once, whoever waits for them."""

import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from engine import registry
from engine.control import Control
from engine.jit import cache_folder
from engine.job import Job
from engine.prewarm import background
from gui.work.kernels import Kernels
from gui.work.prewarm import kernels_of
from tests.conftest import comes_true, no_threads, processes_with

TICTACTOE, CONNECT_FOUR, OTHELLO = (
    kernels_of(registry.game(spec))[0] for spec in ("tictactoe", "connect-four:4,4", "othello:4")
)


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernels]:
    """In an empty folder."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(background, "CACHE", folder)
    made = Kernels()
    yield made
    made.close()


class Asker:
    """Asks for the kernels of a job on a thread, as a picture or a search does."""

    def __init__(self, kernels: Kernels, job: Job) -> None:
        self.control = Control()
        self._thread = Thread(target=lambda: kernels.get_ready(job, self.control))
        self._thread.start()

    def stop(self) -> None:
        self.control.stop()
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_a_compilation_goes_on_for_the_next_that_asks(kernels: Kernels, own_settings: Path) -> None:
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

    compiling = kernels._control
    other = Asker(kernels, OTHELLO)
    assert comes_true(lambda: {*compilers()} - {begun}, 10)
    assert comes_true(lambda: begun not in compilers(), 10)
    assert compiling.stopped, "nobody waits for it any more"
    begun = compilers()[0]
    last = Asker(kernels, CONNECT_FOUR)
    assert not comes_true(lambda: begun not in compilers(), 0.3), "somebody waits for it"
    kernels.close()
    assert comes_true(lambda: not compilers())
    for asker in (other, last):
        asker.stop()


def test_who_waits_is_told_when_they_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with the kernels of other tests, none of them marked as compiled: so the compiler ends soon."""
    assert cache_folder.CACHE is not None
    folder, marks = tmp_path / cache_folder.CACHE.name, shutil.ignore_patterns("ready-*", "loading-*")
    shutil.copytree(cache_folder.CACHE, folder, copy_function=os.symlink, ignore=marks)
    monkeypatch.setattr(background, "CACHE", folder)
    kernels, control = Kernels(), Control()
    assert not background.is_warm(TICTACTOE)
    assert kernels.get_ready(TICTACTOE, control)
    assert background.is_warm(TICTACTOE)
    control.stop()
    assert not kernels.get_ready(TICTACTOE, control)
    kernels.close()
    assert not kernels.get_ready(TICTACTOE, Control())


def test_kernels_for_which_no_thread_began_are_compiled_later(kernels: Kernels, own_settings: Path) -> None:
    with no_threads(), pytest.raises(RuntimeError, match="can't start new thread"):
        kernels.get_ready(CONNECT_FOUR, Control())
    asker = Asker(kernels, CONNECT_FOUR)
    assert comes_true(lambda: processes_with(own_settings), 10)
    asker.stop()


def test_a_compilation_that_is_stopped_leaves_no_pipe_open(kernels: Kernels, own_settings: Path) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        asker = Asker(kernels, CONNECT_FOUR)
        assert comes_true(lambda: processes_with(own_settings), 10)
        asker.stop()
        kernels.close()
    assert [str(warning.message) for warning in warned] == []
