"""A search whose kernels are not compiled: a short one runs interpreted, and is compiled meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from engine import backends
from engine.control import Control
from engine.job import RECORD_ROWS, Job
from engine.options.catalogue import Limit
from engine.options.choices import Order
from engine.prepare import prepare
from engine.prewarm import background
from engine.registry import game
from engine.result import Result
from gui.state.analysis import Analysis
from gui.state.wording import mode
from gui.window import Window
from gui.work import prewarm, search_job
from gui.work.prewarm import Prewarm
from gui.work.runner import Request
from gui.work.search_job import Search, as_run
from tests.engine.naive import EMPTY, X_ON_A1

GAME = game("tictactoe")
START, NEXT = GAME.start, GAME.notation.parse(X_ON_A1)
SHORT = Job(position=X_ON_A1, record=RECORD_ROWS)


@pytest.fixture(autouse=True)
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled_first: None) -> None:
    """No kernel is compiled, and short searches are interpreted."""
    monkeypatch.setattr(background, "CACHE", tmp_path)
    monkeypatch.setattr(search_job, "INTERPRETED_SECONDS", 1.0)


def compile_now(job: Job) -> None:
    background._marker(job).touch()


@pytest.mark.parametrize(
    ("job", "backend"),
    [
        (SHORT, "interpreted"),
        (Job(game="connect-four", position="", algorithm="alphabeta", limit=Limit(depth=4)), "interpreted"),
        (Job(position=EMPTY), "serial"),  # seconds
        (Job(game="connect-four", position="", algorithm="alphabeta", limit=Limit(depth=9)), "serial"),
        (replace(SHORT, algorithm="alphabeta", order=(Order.BEST,)), "serial"),  # after another search
        (replace(SHORT, backend="threads", workers=2), "threads"),
        (replace(SHORT, game="chess"), "serial"),  # running it gives the reason
    ],
)
def test_a_short_serial_search_is_interpreted_until_it_is_compiled(job: Job, backend: str) -> None:
    assert as_run(job) == replace(job, backend=backend)
    if backend == "interpreted":
        compile_now(job)
        assert as_run(job) is job


def test_what_is_interpreted_says_so_and_the_next_search_is_compiled(qtbot: QtBot, window: Window) -> None:
    window.play(0)
    analysis, figures, facts = window.analysis, window.figures, list[str]()
    figures.fact_changed.connect(facts.append)
    started = list[str]()
    analysis.started.connect(lambda: started.append("" if analysis.job is None else mode(analysis.job)))
    for backend in ("interpreted", "serial"):
        with qtbot.waitSignal(analysis.finished, timeout=60_000):
            window.think_action.trigger()
        assert started[-1] == backend, "before anything is counted"
        assert analysis.job is not None
        assert analysis.result is not None
        assert (analysis.result.job, analysis.result.info.counters.nodes) == (analysis.job, 59_705)
        assert (backend == "interpreted") == ("by Python" in figures.note("rate"))
        assert figures._rows["overhead"].isHidden(), "it has one worker"
        assert facts[-1].startswith(f"minimax · {backend} · ")
        compile_now(replace(analysis.job, backend="serial"))
    assert window._prewarm._waiting.get() == analysis.job, "wanted next"
    analysis.take(analysis.settings.like(replace(SHORT, backend="interpreted")))
    assert analysis.settings.backend == "serial", "no mode of the window"


@pytest.mark.parametrize(("backend", "delays"), [("serial", True), ("threads", True), ("mpi", False)])
def test_only_kernels_that_this_process_loads_delay_collections(
    monkeypatch: pytest.MonkeyPatch, backend: str, delays: bool
) -> None:
    """The kernels of a serial search and of one on ranks are the same."""
    job = replace(SHORT, backend=backend, workers=1 if backend == "serial" else 2)
    loaded: list[str] = []
    compile_now(job)

    @contextmanager
    def collected_later(kernels: str) -> Iterator[None]:
        loaded.append(kernels)
        yield

    def run(job: Job, control: Control) -> Iterator[Result]:
        yield solved

    solved = backends.solve(replace(SHORT, backend="interpreted", record=0))
    monkeypatch.setattr(search_job, "collected_later", collected_later)
    monkeypatch.setattr(backends, "run", run)
    assert Search()(Request(1, job, Control(), lambda _: None)) is solved
    assert loaded == ([prepare(job).kernels] if delays else [])


def test_a_kernel_that_is_wanted_is_compiled_next(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def compile_beside(job: Job, *_: object, **__: object) -> None:
        begun.append(job.algorithm)
        if len(begun) == 1:
            warmer.want(replace(SHORT, algorithm="pvs"))

    monkeypatch.setattr(prewarm, "compile_beside", compile_beside)
    warmer = Prewarm([SHORT, replace(SHORT, algorithm="alphabeta")])
    with qtbot.waitSignal(warmer.progressed, check_params_cb=lambda done, _: done == 3):
        warmer.start()
    warmer.close()
    assert begun == ["minimax", "pvs", "alphabeta"]


def test_stopping_an_interpreted_search_shows_what_it_found(qtbot: QtBot) -> None:
    analysis = Analysis()
    analysis.think(GAME, NEXT, paused=True)
    for _ in range(3):
        analysis.step(100)
    qtbot.waitUntil(lambda: analysis.info is not None and analysis.info.counters.nodes == 300)
    with qtbot.waitSignal(analysis.finished):
        analysis.stop()
    assert analysis.result is not None
    assert (analysis.result.job.backend, analysis.result.end) == ("interpreted", "stopped")
    analysis.close()
