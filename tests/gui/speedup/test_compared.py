"""A measurement from a file, beside the one on display: no search runs here."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine.job import Job
from engine.measure.experiment import Experiment, Mode, Run, Timing
from engine.measure.machine import Machine
from engine.measure.speedup_files import to_json
from gui.speedup.kinds import KINDS
from gui.speedup.series import LineStyle
from gui.speedup.view import ChartPage, SpeedupView


def made(processor: str, workers: int, algorithms: tuple[str, ...] = ("minimax", "alphabeta")) -> Experiment:
    """Times that halve from 1 to `workers` threads, on a machine with as many cores."""
    timings = tuple(
        Timing(mode, (Run(1 / mode.workers, 1 / mode.workers, 100, 0.9),) * 5)
        for name in algorithms
        for mode in (Mode(name), *(Mode(name, "threads", number) for number in range(1, workers + 1)))
    )
    machine = Machine(cores=workers, processor=processor)
    return Experiment(Job(position="xo./.x./..o"), timings, dict.fromkeys(algorithms, 1e-6), machine=machine)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[SpeedupView]:
    view = SpeedupView()
    qtbot.addWidget(view)
    yield view
    view.close()


def words(view: SpeedupView) -> str:
    return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view))


def test_a_file_is_shown_then_compared_and_a_bad_one_loses_nothing(view: SpeedupView, tmp_path: Path) -> None:
    for name, text in {
        "here": to_json(made("Xeon", 2)),
        "there": to_json(replace(made("EPYC", 8), job=Job(position="xo./.x./..."))),
        "foreign": b"{}",
    }.items():
        (tmp_path / name).write_bytes(text)
    assert not view._alone.isVisible(), "there is nothing to compare"
    view.open(tmp_path / "here")
    assert view.page is ChartPage.MEASURED
    assert view.experiment == made("Xeon", 2)
    assert not view._alone.isVisible()
    view.open(tmp_path / "there")
    assert view.experiment is not None
    compared = view.experiment.compared
    assert compared is not None
    assert compared.machine == Machine(cores=8, processor="EPYC")
    assert "another position" in words(view)
    legend = view.result.chart._legend.accessibleName()
    assert "here, Xeon, 2 cores" in legend
    assert "there, EPYC, 8 cores" in legend
    bars = view.result._parts.accessibleDescription()
    assert "minimax · serial · here, Xeon, 2 cores: useful" in bars
    assert "minimax · serial · there, EPYC, 8 cores: useful" in bars
    for name, why in (("foreign", "not a measurement"), ("gone", "gone could not be opened")):
        view.open(tmp_path / name)
        assert view.page is ChartPage.REFUSED
        assert why in words(view)
        view._rest()
        assert view.experiment.compared == compared
    view._alone.trigger()
    assert view.experiment == made("Xeon", 2)
    assert "EPYC" not in view.result.chart._legend.accessibleName()


def test_points_of_the_other_machine_have_signs_of_their_own() -> None:
    here, there = made("Xeon", 2), made("EPYC", 8, ("pvs", "alphabeta"))
    for kind in KINDS:
        if kind.figure is None:
            continue
        figure = kind.figure(replace(here, compared=there))
        crosses = [one for one in figure.series if one.sign and one.hue is not None]
        assert {one.hue for one in crosses} == {1, 2}, "alpha-beta as here, PVS has a colour that is free"
        assert len({one.sign for one in crosses}) == 2
        own = {one.hue for one in figure.series if one.xs and not one.sign and one.signs and one.hue is not None}
        assert own == {0, 1}
        assert {one.name for one in crosses} == {"", "PVS"}, "the legend names an algorithm once"
        for series in figure.series:
            assert all(figure.x_range[0] <= x <= figure.x_range[1] for x in series.xs)
            assert all(figure.y_range[0] <= y.lower <= y.upper <= figure.y_range[1] for y in series.ys)


def test_the_legend_is_that_of_all_lines_and_points_of_both() -> None:
    """Threads alone here, and there ranks, or ranks of threads too; and the other way round."""
    threads = made("Xeon", 2)
    runs = threads.timings[0].runs
    ranks = tuple(Timing(Mode("minimax", "mpi", number), runs) for number in (1, 2))
    hybrid = Timing(Mode("minimax", "mpi", 2, 2), runs)
    with_ranks = replace(threads, timings=(*threads.timings, *ranks))
    with_both = replace(threads, timings=(*with_ranks.timings, hybrid))
    for here, there in permutations((threads, with_ranks, with_both), 2):
        for kind in KINDS:
            if kind.figure is None:
                continue
            figure = kind.figure(replace(here, compared=there))
            names, drawn = {one.name for one in figure.series}, [one for one in figure.series if one.xs]
            has_hybrid = with_both in (here, there)
            assert any(one.line is LineStyle.DOTTED for one in drawn)
            assert any(one.hollow and one.line is LineStyle.DOTTED for one in drawn) == has_hybrid
            assert "dotted: MPI ranks" in names
            assert ("hollow: ranks × threads" in names) == has_hybrid
            assert ("threads of all ranks" in figure.x_label[0]) == has_hybrid
            assert "MPI ranks" in figure.x_label[0]
    for kind in KINDS:
        figure = kind.figure and kind.figure(replace(threads, compared=threads))
        assert figure is None or not any("MPI" in name for name in (*figure.x_label, *(s.name for s in figure.series)))


def test_a_time_has_the_same_place_on_the_axes_of_both() -> None:
    (time,) = (kind.figure for kind in KINDS if kind.name == "Time")
    assert time is not None
    figure = time(replace(made("Xeon", 2, ("minimax",)), compared=made("EPYC", 8, ("minimax",))))
    at = [
        dict(zip(one.xs, one.ys, strict=True))
        for one in figure.series
        if one.hue is not None and bool(one.xs) and len(one.xs) > 1
    ]
    assert at[0][2.0] == at[1][2.0]
    assert figure.x_range[1] > 8
