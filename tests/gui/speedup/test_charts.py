"""Charts that are read by pointer and keyboard, their fitted laws, predictions and logarithmic axes."""

import math
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from engine.job import Job
from engine.measure.experiment import Experiment, Run, Timing
from engine.measure.speedup import modes
from engine.measure.statistics import amdahl, gustafson
from gui.speedup.chart import Chart
from gui.speedup.figure import FITTED, over_workers, speedup_figure, time_figure
from gui.speedup.kinds import KINDS
from gui.speedup.picture import EXPORT, MARGIN, paint
from gui.speedup.series import LineStyle
from gui.speedup.view import SpeedupView
from gui.speedup.words import caption
from gui.speedup.work_figures import nodes_figure
from gui.style.theme import NOTE, theme
from tests.gui.program import Start, output

SPREAD = (-0.02, -0.01, 0.0, 0.01, 0.02)


def made(threads: int = 4, fraction: float = 0.2) -> Experiment:
    """Minimax on threads that follows Amdahl's law: the serial runs take 0.98 to 1.02 s."""
    timings = tuple(
        Timing(
            mode,
            tuple(
                Run((1 + off if mode.backend == "serial" else 1.0) / amdahl(fraction, mode.workers), 1.0, 800)
                for off in SPREAD
            ),
        )
        for mode in modes(threads, ["minimax"])
    )
    return Experiment(Job(position="xo./.x./..o"), timings, {"minimax": 0.0}, {"minimax": (100,) * 8})


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    chart = Chart()
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    chart.show_figure(time_figure(made(2)))
    with qtbot.waitExposed(chart):
        chart.show()
    return chart


def test_the_pointer_reads_the_nearest_point_and_keys_the_next(qtbot: QtBot, chart: Chart) -> None:
    serial, one, two = chart._points
    for point in (two, one, serial):
        qtbot.mouseMove(chart, chart.place(point).toPoint() + QPoint(6, -6))
        assert chart.words == point.words == QToolTip.text()
        assert chart._ring.getData()[0][0] == point.x
    assert serial.words == "minimax · serial: 1.00 s\n980 ms to 1.02 s, 5 runs"
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.words == one.words
    for _ in range(2):
        qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.words == two.words
    qtbot.mouseMove(chart, QPoint(5, 5))  # the legend
    assert chart.words == ""
    chart.show_figure(None)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.words == ""


def test_points_of_all_charts_are_read_with_value_interval_and_runs() -> None:
    for name, words in {
        "Speedup": "minimax · 2 threads: 1.67×\n1.63× to 1.70×, 5 runs",
        "Efficiency": "minimax · 2 threads: 83.3 %\n81.7 % to 85.0 %, 5 runs",
        "Serial part": "minimax · 2 threads: 20.0 %\n17.6 % to 22.4 %, 5 runs",
        "Nodes": "minimax · 2 threads: 100.0 %\n100.0 % to 100.0 %, 5 runs",
        "Rate per worker": "minimax · 2 threads: 83.3 %\n81.7 % to 85.0 %, 5 runs",
    }.items():
        (figure,) = (kind.figure for kind in KINDS if kind.name == name)
        assert figure is not None
        assert words in [one for series in figure(made(), False).series for one in series.words]


def test_the_words_of_one_run_have_no_interval_and_no_medians() -> None:
    several = made()
    one = replace(several, timings=tuple(replace(each, runs=each.runs[:1]) for each in several.timings))
    words = [one for series in speedup_figure(one).series for one in series.words]
    assert "minimax · 2 threads: 1.63×\none run" in words
    said = [caption(each, "", has_medians=has) for each in (one, several) for has in (True, False)]
    assert [words.rpartition(" · ")[2] for words in said] == [
        "one run",
        "one run",
        "medians of 5 interleaved runs, bars: 95 % intervals",
        "of 5 interleaved runs the one with the median time",
    ]


def test_a_note_without_a_place_above_or_below_its_point_is_left_out() -> None:
    """Minimax takes 100 and 30 ms, alpha-beta 40 and 8 ms: on the axis, the 8 ms are under 30 ms and close to 0."""
    seconds = {("minimax", 1): 0.1, ("minimax", 4): 0.03, ("alphabeta", 1): 0.04, ("alphabeta", 4): 0.008}
    timings = tuple(
        Timing(mode, (Run(seconds[mode.algorithm, mode.workers], 1.0, 9),) * 5)
        for mode in modes(4)
        if mode.workers in (1, 4)
    )
    figure = time_figure(Experiment(Job(position="xo./.x./..o"), timings, {}))
    notes = {series.notes for series in figure.series if series.line is LineStyle.SOLID}
    assert notes == {("100 ms", "30.0 ms"), ("40.0 ms", "")}


def test_a_fitted_law_is_drawn_and_named_with_its_parameter() -> None:
    (law,) = (series for series in speedup_figure(made()).series if series.line is LineStyle.FITTED)
    assert law.name.startswith("Amdahl, threads: 20.0 % serial (")
    assert [y.value for y in law.ys] == pytest.approx([amdahl(0.2, x) for x in law.xs], rel=1e-3)
    runs = {mode: (Run(1.0, 1.0, round(800 * gustafson(0.1, mode.workers))),) * 5 for mode in modes(4, ["minimax"])}
    weak = replace(made(), timings=tuple(Timing(*each) for each in runs.items()), fixed_time=1.0, subtrees={})
    (law,) = (series for series in speedup_figure(weak).series if series.line is LineStyle.FITTED)
    assert law.name.startswith("Gustafson, threads: 10.0 % serial (")
    assert not any(series.line is LineStyle.FITTED for series in speedup_figure(made(2)).series)
    ranks = [replace(one, mode=one.mode._replace(backend="mpi")) for one in made(4, 0.5).timings[1:]]
    both = replace(made(), timings=(*made().timings, *ranks))
    of_threads, of_ranks = (one for one in speedup_figure(both).series if one.line in FITTED.values())
    assert (of_threads.line, of_ranks.line) == (LineStyle.FITTED, LineStyle.FITTED_MPI)
    assert of_ranks.name.startswith("Amdahl, MPI ranks: 50.0 % serial (")
    assert of_ranks.ys[-1].value == pytest.approx(amdahl(0.5, of_ranks.xs[-1]), rel=1e-3)


def test_logarithmic_axes_reach_to_the_farthest_prediction() -> None:
    figure = speedup_figure(made(), True)
    ideal, predicted, law, measured, _ = figure.series
    assert [label for _, label in figure.x_ticks] == ["1", "4", "16", "64", "256", "1,024"]
    assert [x for x, _ in figure.x_ticks] == [0, 2, 4, 6, 8, 10]
    assert (ideal.xs[-1], ideal.ys[-1].value) == (10, pytest.approx(math.log10(1024)))
    assert (predicted.xs[-1], predicted.ys[-1].value) == (10, pytest.approx(math.log10(8)))
    assert predicted.words[-1] == "minimax, predicted on 1024 workers: 8.00×"
    assert (measured.xs, 10 ** measured.ys[-1].value) == ((0, 1, math.log2(3), 2), pytest.approx(amdahl(0.2, 4)))
    assert law.xs == predicted.xs
    assert {"1×", "10×", "100×", "1,000×"} <= {label for _, label in figure.y_ticks}
    assert nodes_figure(made(), True).y_ticks == nodes_figure(made()).y_ticks
    for kind in KINDS:
        for series in kind.figure(made(), True).series if kind.figure else ():
            assert all(math.isfinite(value) for y in series.ys for value in y)


def test_the_card_states_the_error_of_the_prediction_beside_it(qtbot: QtBot) -> None:
    """Eight equal tasks on four workers: 4×, and Amdahl's law gives 2.5×."""
    view = SpeedupView()
    qtbot.addWidget(view)
    view._show(made())
    page = view.result
    words = "Minimax: the model was 60 % above the measured speedup with 4 workers."
    assert words in page._verdict.text()
    page.log_axes.click()
    assert page.chart._figure == speedup_figure(made(), True)
    page.kinds.setCurrentText("Time")
    assert words not in page._verdict.text()
    page.kinds.setCurrentText("Where it went")
    assert not page.log_axes.isEnabled()


def test_ranks_of_several_threads_have_a_line_with_hollow_points() -> None:
    timings = tuple(
        Timing(mode, (Run(1.0 / mode.all_workers, 1.0, 800),) * 5)
        for mode in modes(2, ["minimax"], ranks=(1, 2), threads=2)
    )
    experiment = replace(made(), timings=timings)
    for kind in KINDS:
        if kind.figure is None:
            continue
        figure = kind.figure(experiment, False)
        (hybrid,) = [
            one for one in figure.series if one.hollow and one.hue is not None and one.line is LineStyle.DOTTED
        ]
        assert [words.partition(":")[0] for words in hybrid.words] == [
            "minimax · 1 × 2 threads",
            "minimax · 2 × 2 threads",
        ]
        ranks = [one for one in figure.series if one.words and "2 ranks" in one.words[-1]]
        assert [one.hollow for one in ranks] == [False]
        assert {"dotted: MPI ranks", "hollow: ranks × threads"} <= {one.name for one in figure.series}
        assert figure.x_label[0].startswith("threads, MPI ranks, or threads of all ranks")
    assert "hollow: ranks × threads" not in {one.name for one in speedup_figure(made()).series}


def test_the_libraries_of_charts_and_kernels_are_loaded_beside_the_window(start: Start) -> None:
    """Each import would take a tenth of its start or more; the first chart would else stop it for as long."""
    begin = """
import gui.app
gui.app.CHARTS_AFTER = 0
say({"numba", "pyqtgraph"} & set(sys.modules))
"""
    act = """
from gui.speedup.new_chart import new_chart

def look():
    if "gui.speedup.chart" in sys.modules:
        clock.stop()
        say(type(new_chart()).__name__)
        w.close()

clock = QTimer(w, interval=5)
clock.timeout.connect(look)
clock.start()
QTimer.singleShot(20_000, w, w.close)
"""
    lines, errors = output(start(act, begin))
    assert lines[0] == "set()"
    assert "Chart" in lines
    assert not errors


@pytest.mark.parametrize(("greatest", "ticks"), [(100, "100 %"), (103, "100 %"), (129, "150 %"), (250, "250 %")])
def test_an_axis_goes_on_to_a_value_above_an_interval(greatest: float, ticks: str) -> None:
    figure = over_workers([], 2, ("threads",), greatest, "{value:g} %")
    assert figure.y_ticks[-1][1] == ticks
    assert figure.y_range[1] >= max(greatest, figure.y_ticks[-1][0])


def test_many_bars_leave_the_caption_of_a_picture_its_place(qtbot: QtBot) -> None:
    """At the width of a picture their legend has a row more than at that of a new widget."""
    image = QImage(EXPORT, QImage.Format.Format_RGB32)
    parts = next(kind for kind in KINDS if kind.key == "parts")
    with QPainter(image) as painter:
        paint(painter, partial(parts.made, made(16)), "two\nlines")
    ground = image.pixel(0, 0)
    bars = [y for y in range(image.height()) if image.pixel(MARGIN + 1, y) != ground]
    assert 300 < bars[-1] < image.height() - MARGIN - 2 * QFontMetricsF(theme().font(NOTE)).height()
