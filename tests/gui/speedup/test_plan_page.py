"""The page on which an experiment is chosen, and the guess that stays with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine.backends.mpi_job import launch
from engine.cores import cores
from engine.job import Job
from engine.measure.experiment import Experiment, Mode, Run, Timing
from engine.measure.presets import PRESETS
from engine.measure.speedup import ALGORITHMS, modes
from engine.measure.speedup_files import read
from engine.options.choices import Schedule
from engine.registry import game
from engine.text.speedup_report import to_markdown
from gui.speedup import plan_page
from gui.speedup.figure import efficiency_figure, speedup_figure
from gui.speedup.plan_page import Plan, PlanPage
from gui.speedup.view import ChartPage, SpeedupView
from gui.state.search_settings import Settings
from gui.work.save_file import save_file

TINY = Job(position="xo./.x./..o")


@pytest.fixture
def page(qtbot: QtBot) -> PlanPage:
    page = PlanPage()
    qtbot.addWidget(page)
    page.set_job(TINY, "", 0)
    return page


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[SpeedupView]:
    view = SpeedupView()
    view.file_requested.connect(save_file)
    qtbot.addWidget(view)
    view.set_position(game("tictactoe"), game("tictactoe").notation.parse(TINY.position), Settings())
    yield view
    view.close()


def words(page: PlanPage) -> str:
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page))


def test_the_page_begins_with_what_one_click_measures(page: PlanPage) -> None:
    assert page.plan() == Plan(TINY, modes(cores(), ALGORITHMS))
    assert "An estimate: " in words(page)
    assert not page.ranks.isEnabled()
    page.set_job(TINY, "", 2)
    page.algorithms["alphabeta"].setChecked(False)
    page.threads.setValue(3)
    page.split.setValue(2)
    page.repeats.setValue(7)
    page.expected.setValue(1.8)
    ranks = (Mode("minimax", "mpi", 1), Mode("minimax", "mpi", 2))
    threads = (Mode("minimax", "threads", number) for number in (1, 2, 3))
    assert page.plan() == Plan(replace(TINY, split=2), (Mode("minimax"), *threads, *ranks), 7, False, 1.8)
    assert "Your guess for 3 workers" in words(page)


def test_what_is_filled_in_stays_when_the_window_changes(view: SpeedupView) -> None:
    """The computer's move, or another speed, changes neither schedule nor split of the settings."""
    board, page = game("tictactoe"), view._plan
    view.choose()
    assert page.ranks.toolTip() == "MPI is not ready"
    view.set_ranks((1, 2))
    assert page.ranks.maximum() == launch.most_ranks(), "more would be refused, after all that were fewer"
    assert (page.ranks.isEnabled(), page.ranks.value()) == (True, 2), "MPI was found meanwhile"
    page.schedule.setCurrentIndex(page.schedule.findData(Schedule.STATIC))
    page.split.setValue(3)
    page.ranks.setValue(1)
    view.set_position(board, board.notation.parse("xo./.x./oxo"), Settings())
    plan = page.plan()
    assert plan is not None
    assert (plan.job.position, plan.job.schedule, plan.job.split) == ("xo./.x./oxo", Schedule.STATIC, 3)
    assert max(mode.workers for mode in plan.modes if mode.backend == "mpi") == 1
    view.set_position(board, board.start, Settings(split=2))
    assert page.split.value() == 2, "a change of the settings itself is taken over"


def test_ranks_have_threads_as_far_as_there_are_cores(page: PlanPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def hybrid(number: int) -> list[tuple[int, int]]:
        monkeypatch.setattr(plan_page, "cores", lambda: number)
        page.set_job(TINY, "", 3)
        plan = page.plan()
        assert plan is not None
        return [(mode.workers, mode.threads) for mode in plan.modes if mode.is_hybrid and mode.algorithm == "minimax"]

    assert not page.ranks_threads.isEnabled()
    assert page.ranks_threads.toolTip() == "MPI is not ready"
    assert hybrid(4) == []
    assert page.ranks_threads.isEnabled()
    page.ranks_threads.setMaximum(4)
    page.ranks_threads.setValue(3)
    assert hybrid(4) == [(1, 2), (2, 2), (1, 3)]
    assert "Ranks × threads beyond the 4 cores are left out." in words(page)
    assert hybrid(9) == [(ranks, threads) for threads in (2, 3) for ranks in (1, 2, 3)]
    assert "left out" not in words(page)
    page.ranks.setValue(0)
    assert page.ranks_threads.toolTip() == "Choose MPI ranks first."
    assert hybrid(1) == []
    assert "this machine has one" in page.ranks_threads.toolTip()


def test_what_cannot_be_measured_is_refused_with_its_reason(page: PlanPage) -> None:
    page.scaling.setCurrentIndex(1)
    assert "choose minimax alone" in words(page)
    assert not page.start.isEnabled()
    assert page.plan() is None
    page.algorithms["alphabeta"].setChecked(False)
    assert page.start.isEnabled()
    page.algorithms["minimax"].setChecked(False)
    assert "at least one algorithm" in words(page)
    page.algorithms["minimax"].setChecked(True)
    page.set_job(TINY, "The game is over.", 0)
    assert "The game is over." in words(page)
    page.position.setCurrentIndex(3)
    assert page.start.isEnabled(), "a position that is not the one on the board"
    plan = page.plan()
    assert plan is not None
    assert plan.job == replace(PRESETS[2].job, schedule=TINY.schedule)
    assert "38,458,454 positions" in words(page)


def test_a_chosen_experiment_sets_up_its_position_and_is_measured(qtbot: QtBot, view: SpeedupView) -> None:
    view.choose()
    assert view.page is ChartPage.CHOOSING
    board = game("tictactoe")
    view.set_position(board, board.notation.parse("xo./.x./oxo"), Settings())
    plan = view._plan.plan()
    assert plan is not None
    assert plan.job.position == "xo./.x./oxo", "the position on the board, whenever it changes"
    view.set_position(board, board.notation.parse(TINY.position), Settings())
    view._plan.algorithms["alphabeta"].setChecked(False)
    view._plan.threads.setValue(1)
    view._plan.repeats.setValue(5)
    view._plan.expected.setValue(1.5)
    with qtbot.waitSignals([view.tasks_requested, view.measured], timeout=90_000):
        view._plan.start.click()
    experiment = view.experiment
    assert experiment is not None
    assert [timing.mode for timing in experiment.timings] == [Mode("minimax"), Mode("minimax", "threads", 1)]
    assert (experiment.rounds, experiment.expected) == (5, 1.5)
    with qtbot.waitSignal(view.measured, timeout=90_000) as again:
        view.again_button.click()
    assert [timing.mode for timing in again.args[0].timings] == [timing.mode for timing in experiment.timings]
    view.choose()
    view._plan.position.setCurrentIndex(2)
    asked: list[Job] = []
    view.preset_requested.connect(asked.append)
    view.tasks_requested.connect(asked.append)
    view._plan.start.click()
    assert asked == [PRESETS[1].job] * 2
    view.cancel()


def test_a_guess_stays_on_the_chart_in_the_file_and_in_the_report(view: SpeedupView, tmp_path: Path) -> None:
    runs = {1: (Run(1.0, 1.0, 9, 0.9),) * 5, 2: (Run(0.6, 0.6, 9, 1.0),) * 5}
    timings = (Timing(Mode("minimax"), runs[1]), Timing(Mode("minimax", "threads", 2), runs[2]))
    guessed = Experiment(TINY, timings, {"minimax": 1e-6}, expected=2.5)
    view._show(guessed)
    assert "Your guess before the runs: 2.50× on 2 workers" in view.result._verdict.text()
    for figure, height in ((speedup_figure(guessed), 2.5), (efficiency_figure(guessed), 125.0)):
        (mark,) = [one for one in figure.series if one.name == "your guess"]
        assert (mark.xs, mark.ys[0].value) == ((2.0,), height)
        assert figure.y_range[1] >= height
    view.save(tmp_path / "runs.json")
    assert read(tmp_path / "runs.json") == guessed
    assert "Expected before the runs: 2.50× on 2 workers." in to_markdown(guessed)
    assert not [one for one in speedup_figure(replace(guessed, expected=None)).series if one.sign]
