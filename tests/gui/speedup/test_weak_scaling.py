"""Weak scaling in the speedup card: one click, a result of its own, and a refusal of what is soon searched."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from engine.job import Job
from engine.measure.speedup import WEAK_PRESET
from engine.options.catalogue import Limit
from engine.registry import game
from gui.speedup.view import ChartPage, SpeedupView
from gui.state.search_settings import Settings

MEASURE_MILLISECONDS = 90_000
"""A first run compiles every mode."""


def put(view: SpeedupView, job: Job, limit: Limit = Limit()) -> None:
    chosen = game(job.game)
    view.set_position(chosen, chosen.notation.parse(job.position), Settings(limit=limit))


def words(view: SpeedupView) -> str:
    return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view))


def test_weak_scaling_is_one_click_and_refuses_what_is_soon_searched(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.speedup.view.WEAK_SECONDS", 0.02)
    view = SpeedupView()
    qtbot.addWidget(view)
    put(view, Job(position="xo./.x./..o"))
    view.result.scaling.click()
    qtbot.waitUntil(lambda: view.page is ChartPage.REFUSED, timeout=MEASURE_MILLISECONDS)
    assert "too small for weak scaling: minimax · serial takes less than 0.02 s" in words(view)
    (remedy,) = (one for one in view.findChildren(QPushButton) if one.text() == "Set up the empty 4 × 4 board")
    with qtbot.waitSignal(view.preset_requested) as preset:
        remedy.click()
    assert preset.args == [WEAK_PRESET]
    put(view, WEAK_PRESET, Limit(depth=15))  # the kernels of other tests
    with qtbot.waitSignal(view.measured, timeout=MEASURE_MILLISECONDS) as measured:
        view.measure(repeats=5, weak=True)
    (experiment,) = measured.args
    assert experiment.algorithms == ("minimax",)
    assert all(run.seconds >= 0.02 for timing in experiment.timings for run in timing.runs)
    assert "Weak scaling: nodes a second, each run 0.02 s" in words(view)
    assert view.result.scaling.text() == "Strong scaling"
    assert view.again_button.text() == "Measure again"
    with qtbot.waitSignal(view.measured, timeout=MEASURE_MILLISECONDS) as again:
        view.again_button.click()
    assert again.args[0].fixed_time == experiment.fixed_time
