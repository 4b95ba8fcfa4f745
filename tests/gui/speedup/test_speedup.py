"""The speedup card: from the empty state by one click to true charts, and to files."""

import csv
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

import main as main  # gives the command line its painters
from engine import cli
from engine.cores import cores
from engine.job import Job
from engine.measure.experiment import Experiment, Mode, Run, Timing
from engine.measure.machine import Machine
from engine.measure.speedup import PRESET, modes
from engine.measure.speedup_files import from_json
from engine.options.catalogue import Limit
from engine.options.choices import Order, Schedule
from engine.prewarm.background import is_warm
from engine.registry import game
from engine.text.speedup_report import to_markdown
from gui.speedup.chart import HUES, LEAST
from gui.speedup.figure import efficiency_figure, serial_fraction_figure, speedup_figure, time_figure
from gui.speedup.kinds import KINDS
from gui.speedup.parts import PartsChart
from gui.speedup.picture import EXPORT, EXPORT_SCALE
from gui.speedup.saving import fitted
from gui.speedup.series import LineStyle
from gui.speedup.view import ChartPage, SpeedupView
from gui.speedup.words import in_words, verdicts
from gui.state.search_settings import Settings
from gui.style.colours import DARK, LIGHT
from gui.style.theme import NOTE, theme
from gui.work.save_file import save_file

MEASURE_MILLISECONDS = 90_000
"""A first run compiles every mode."""
TINY = "xo./.x./..o"


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[SpeedupView]:
    view = SpeedupView()
    view.file_requested.connect(save_file)
    qtbot.addWidget(view)
    put(view, TINY)
    view.resize(330, 300)
    with qtbot.waitExposed(view):
        view.show()
    yield view
    theme().choose("system")
    theme().set_zoom(1.0)


def put(view: SpeedupView, position: str, spec: str = "tictactoe", settings: Settings | None = None) -> None:
    chosen = game(spec)
    view.set_position(chosen, chosen.notation.parse(position), settings or Settings())


def button(view: SpeedupView, text: str) -> QPushButton:
    (found,) = [one for one in view.findChildren(QPushButton) if one.text() == text and one.isVisibleTo(view)]
    return found


def press(qtbot: QtBot, view: SpeedupView, text: str) -> None:
    qtbot.mouseClick(button(view, text), Qt.MouseButton.LeftButton)


def measured(qtbot: QtBot, view: SpeedupView) -> Experiment:
    with qtbot.waitSignal(view.measured, timeout=MEASURE_MILLISECONDS) as signal:
        view.measure(repeats=5)
    return signal.args[0]


def made(serial: float, parallel: float, start: float = 1e-6, threads: int = 2) -> Experiment:
    """An experiment of minimax and alpha-beta with given medians on one and more threads, and a little spread."""

    def around(seconds: float) -> tuple[Run, ...]:
        return tuple(Run(seconds * (1 + off), seconds * 2, 9, seconds) for off in (-0.02, -0.01, 0, 0.01, 0.02))

    timings = tuple(
        Timing(mode, around((serial if mode.workers == 1 else parallel) * (1 if mode.algorithm == "minimax" else 0.1)))
        for mode in modes(threads)
    )
    starts = {"minimax": start, "alphabeta": start}
    return Experiment(Job(position=TINY), timings, starts, {"minimax": (2, 2, 2, 2)})


def words(view: SpeedupView) -> str:
    return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view))


def test_the_empty_card_says_what_it_is_for_and_offers_the_button(view: SpeedupView) -> None:
    assert view.page is ChartPage.EMPTY
    assert "threads" in words(view)
    assert button(view, "Measure this position").isEnabled()


def test_one_click_measures_every_mode_and_shows_what_came_out(qtbot: QtBot, view: SpeedupView) -> None:
    with qtbot.waitSignal(view.measured, timeout=MEASURE_MILLISECONDS) as signal:
        press(qtbot, view, "Measure this position")
        assert view.page is ChartPage.RUNNING
        assert view.findChild(QProgressBar).isVisible()
    (experiment,) = signal.args
    assert tuple(timing.mode for timing in experiment.timings) == modes(cores())
    assert experiment is view.experiment
    assert experiment.job.position == TINY
    assert view.page is ChartPage.MEASURED
    assert "minimax" in words(view)
    assert "alpha-beta" in words(view)
    assert view.again_button.text() == "Measure again"


def test_again_is_said_of_the_measured_position_alone(view: SpeedupView) -> None:
    """Another one with as many marks has the same name."""
    view._running_words = view._words
    view._on_finished(made(1.0, 0.6))
    assert view.again_button.text() == "Measure again"
    put(view, "xo./.x./.o.")
    assert view.again_button.text() == "Measure this position"
    put(view, TINY)
    assert view.again_button.text() == "Measure again"


def test_a_game_of_chance_is_measured_with_its_own_algorithm(qtbot: QtBot, view: SpeedupView) -> None:
    """tests/engine/cli/test_speedup.py measures one to the end, with the kernels of other tests."""
    put(view, "xo./.x./..o", "random-turn:3,3,3")
    view.measure()
    qtbot.waitUntil(lambda: "expectiminimax · serial" in words(view), timeout=MEASURE_MILLISECONDS)
    with qtbot.waitSignal(view._runner.finished, timeout=MEASURE_MILLISECONDS):
        view.cancel()


def test_an_option_of_one_algorithm_does_not_refuse_the_measurement(qtbot: QtBot, view: SpeedupView) -> None:
    put(view, TINY, settings=Settings(algorithm="alphabeta", order=(Order.KILLERS,), schedule=Schedule.CYCLIC, split=2))
    experiment = measured(qtbot, view)
    assert experiment.algorithms == ("minimax", "alphabeta")
    assert (experiment.job.order, experiment.job.schedule, experiment.job.split) == ((), Schedule.CYCLIC, 2)


def test_a_position_of_a_few_nodes_is_called_too_small(qtbot: QtBot, view: SpeedupView) -> None:
    assert measured(qtbot, view).too_small
    assert "too small for threads" in words(view)
    with qtbot.waitSignal(view.preset_requested) as signal:
        press(qtbot, view, "Try a 4 × 4 position")
    assert signal.args == [PRESET]


def test_cancel_returns_to_what_was_there_before(qtbot: QtBot, view: SpeedupView) -> None:
    put(view, PRESET.position, PRESET.game)
    view.measure()
    with qtbot.waitSignal(view._runner.finished) as signal:
        press(qtbot, view, "Cancel")
    assert signal.args == [None]
    assert view.page is ChartPage.EMPTY
    assert view.experiment is None


def test_a_second_measurement_replaces_the_first_whose_result_is_dropped(qtbot: QtBot, view: SpeedupView) -> None:
    put(view, PRESET.position, PRESET.game)
    view.measure()
    put(view, TINY)
    assert measured(qtbot, view).job.position == TINY


def test_closing_during_a_measurement_ends_its_thread(qtbot: QtBot, view: SpeedupView) -> None:
    put(view, PRESET.position, PRESET.game)
    view.measure()
    qtbot.waitUntil(lambda: view._running.doing.text() != "Starting…", timeout=10_000)
    view.close()
    assert view._runner._thread.isFinished()


def test_a_failure_is_one_sentence_and_the_card_goes_back(qtbot: QtBot, view: SpeedupView) -> None:
    view._job = Job(position="chess")
    view.measure()
    qtbot.waitUntil(lambda: view.page is ChartPage.REFUSED, timeout=10_000)
    assert "chess" in words(view)
    press(qtbot, view, "Dismiss")
    assert view.page is ChartPage.EMPTY


def test_what_is_too_large_is_said_in_the_card_until_it_changes(qtbot: QtBot, view: SpeedupView) -> None:
    """16 moves, of which 16^6 are 17 million positions."""
    put(view, "..../..../..../....", "mnk:4,4,4")
    view.measure()
    qtbot.waitUntil(lambda: view.page is ChartPage.REFUSED, timeout=MEASURE_MILLISECONDS)
    assert "too large to measure: minimax · serial takes longer" in words(view)
    with qtbot.waitSignal(view.depth_requested) as depth:
        press(qtbot, view, "Measure to depth 6")
    assert depth.args == [6]
    with qtbot.waitSignal(view.preset_requested) as preset:
        press(qtbot, view, "Try a 4 × 4 position")
    assert preset.args == [PRESET]
    assert view.page is ChartPage.REFUSED
    put(view, "x.../..../..../....", "mnk:4,4,4")
    assert view.page is ChartPage.EMPTY


def test_what_is_surely_too_large_is_refused_before_it_is_compiled(qtbot: QtBot, view: SpeedupView) -> None:
    empty = "/".join(["....."] * 5)
    put(view, empty, "mnk:5,5,4")
    view.measure()
    qtbot.waitUntil(lambda: view.page is ChartPage.REFUSED, timeout=MEASURE_MILLISECONDS)
    assert not is_warm(Job(game="mnk:5,5,4", position=empty))


def test_a_measurement_that_gives_way_says_why_and_can_be_had_again(qtbot: QtBot, view: SpeedupView) -> None:
    put(view, PRESET.position, PRESET.game)
    view.measure()
    with qtbot.waitSignal(view._runner.finished, timeout=MEASURE_MILLISECONDS):
        view.cancel("A search began.")
    assert "A search began." in words(view)
    press(qtbot, view, "Measure again")
    assert view.page is ChartPage.RUNNING
    with qtbot.waitSignal(view._runner.finished, timeout=MEASURE_MILLISECONDS):
        view.cancel("A search began.")
    view._on_finished(made(2.0, 1.0))  # as where enough rounds were whole
    assert "A search began." in words(view), "it can be read"
    press(qtbot, view, "Dismiss")
    assert view.page is ChartPage.MEASURED


def test_a_game_that_is_over_cannot_be_measured(view: SpeedupView) -> None:
    put(view, "xxx/oo./...")
    assert not button(view, "Measure this position").isEnabled()
    view.measure()
    assert view.page is ChartPage.EMPTY


@pytest.mark.parametrize(
    ("spec", "position", "depth", "fact"),
    [
        ("tictactoe", ".../.../...", None, "empty board"),
        ("tictactoe", "x../.../...", None, "1 mark"),
        ("mnk:4,4,4", "xo../xo../..../....", 6, "4 × 4, 4 in a row · 4 marks · depth 6"),
    ],
)
def test_the_fact_names_the_position(
    qtbot: QtBot, view: SpeedupView, spec: str, position: str, depth: int | None, fact: str
) -> None:
    with qtbot.waitSignal(view.fact_changed) as signal:
        put(view, position, spec, Settings(limit=Limit(depth=depth)))
    assert signal.args == [fact]


def test_the_fact_stays_with_what_is_shown(qtbot: QtBot, view: SpeedupView) -> None:
    measured(qtbot, view)
    facts: list[str] = []
    view.fact_changed.connect(facts.append)
    put(view, ".../.../...")
    assert facts == ["4 marks"]
    assert view.again_button.text() == "Measure this position"


def test_the_verdict_names_the_best_number_of_threads_with_its_spread() -> None:
    line, _, waits, _ = verdicts(made(1.91, 1.0), "#000")
    assert "minimax: <b>1.91×</b> on 2 threads" in line
    assert "(1.91&nbsp;to&nbsp;1.91, 5 runs)" in line
    assert "From call to answer, alpha-beta: serial 382 ms, 1 thread 382 ms, 2 threads 200 ms" in waits


def test_a_search_that_is_mostly_start_up_is_called_too_short() -> None:
    late = made(1.91, 1.0)
    soon = tuple(
        replace(timing, runs=tuple(replace(run, waited=run.seconds) for run in timing.runs)) for timing in late.timings
    )
    words = "start-up takes 50 % of the time from call to answer, so the search is too short to show parallel speed."
    assert any(words in line for line in verdicts(late, "#000"))
    assert not any("too short" in line for line in verdicts(replace(late, timings=soon), "#000"))


def test_no_speedup_is_stated_where_another_program_used_the_cores() -> None:
    quiet = made(1.91, 1.0)
    busy = tuple(
        replace(timing, runs=tuple(replace(run, kept_waiting=0.4 * run.seconds) for run in timing.runs))
        for timing in quiet.timings
    )
    line, *_ = verdicts(replace(quiet, timings=busy), "#000")
    assert "minimax: <b>no verdict</b>, for another program used 0.40 of the 2 cores" in line
    assert "(measured: 1.91× on 2 threads)" in line


def test_a_sound_speedup_is_stated_though_a_doubtful_one_is_greater() -> None:
    """Of three workers on two cores."""
    sound = made(1.91, 1.0)
    more = tuple(
        Timing(Mode(name, "threads", 3), (Run(0.99, 1.0, 1000),) * len(sound.timings[0].runs))
        for name in sound.algorithms
    )
    line, *_ = verdicts(replace(sound, timings=(*sound.timings, *more), machine=Machine(2)), "#000")
    assert line.startswith("minimax: <b>1.91×</b> on 2 threads")


def test_the_charts_are_told_in_words_too() -> None:
    told = in_words(made(0.002, 0.001)).split("; ")
    assert "minimax · serial: 2.00 ms" in told
    assert "minimax · 2 threads: 1.00 ms, speedup 2.00" in told


def test_the_speedup_chart_has_the_ideal_line_and_whole_threads_only() -> None:
    figure = speedup_figure(made(2.0, 1.0))
    ideal, _, minimax, alphabeta, _ = figure.series
    assert [(x, y.value) for x, y in zip(ideal.xs, ideal.ys, strict=True)] == [(1, 1), (4, 4)]
    assert minimax.xs == (1, 2)
    assert minimax.ys[1].value == pytest.approx(2)
    assert minimax.hue != alphabeta.hue
    assert [label for _, label in figure.x_ticks] == ["1", "2", "3", "4"]
    assert figure.x_label == ("threads · measured: 1 to 2", "threads")


def test_what_is_predicted_begins_where_the_measurement_does() -> None:
    """However little came of it: 1.04× was measured. Four equal tasks allow 1, 2, 2 and 4 times on 1 to 4 workers; a
    node costs a ninth of the serial time, and there are eight in the tasks."""
    poor = made(1.04, 1.0)
    ideal, predicted, minimax, _, guide = speedup_figure(poor).series
    assert (guide.name, guide.line) == ("dashed: predicted from the tasks", LineStyle.DASHED)
    assert (predicted.line, predicted.hue, ideal.line) == (LineStyle.DASHED, minimax.hue, LineStyle.SOLID)
    assert predicted.xs == (1, 2, 3, 4)
    assert [y.value for y in predicted.ys] == pytest.approx([9 / 8, 9 / 4, 9 / 4, 9 / 2], rel=1e-3)
    assert (minimax.xs[0], minimax.ys[0].value) == (1, 1)
    line, *_ = verdicts(poor, "#000")
    assert "<b>1.04×</b> on 2 threads" in line
    assert line.endswith("its tasks allow 2.00× at most")


def test_alpha_beta_is_predicted_between_two_labelled_extremes() -> None:
    tasks = {"alphabeta": (2, 2, 2, 2)}
    figure = speedup_figure(replace(made(1.9, 1.0), subtrees=tasks, unshared={"alphabeta": (3, 3, 3, 3)}))
    shared, unshared = (series for series in figure.series if series.line is LineStyle.DASHED and series.xs)
    assert (shared.notes[-1], unshared.notes[-1]) == ("bounds shared at once", "no bounds shared")
    assert all(most.value > least.value for most, least in zip(shared.ys, unshared.ys, strict=True))


def test_efficiency_and_the_serial_part_are_drawn_in_percent() -> None:
    experiment = made(1.6, 1.0)
    _, minimax, _ = efficiency_figure(experiment).series
    assert [y.value for y in minimax.ys] == pytest.approx([100, 80])
    _, minimax, _ = serial_fraction_figure(experiment).series
    assert (minimax.xs, minimax.ys[0].value) == ((2,), pytest.approx(25))


def test_no_limit_is_drawn_for_a_search_too_small_for_threads() -> None:
    figure = speedup_figure(made(2.0, 1.0, start=1.0))
    assert figure.x_label == ("threads",)
    assert [label for _, label in figure.x_ticks] == ["1", "2"]


def test_times_far_apart_are_shown_on_a_logarithmic_axis() -> None:
    near, far = time_figure(made(0.05, 0.03)), time_figure(made(0.5, 0.003))
    assert near.y_range[0] == 0
    assert far.y_range[0] < -3 < far.y_range[1]
    assert {"1 ms", "10 ms", "100 ms"} <= {label for _, label in far.y_ticks}
    assert near.x_ticks[0] == (0.0, "serial")


@pytest.mark.parametrize("threads", [1, 2, 8, 64])
def test_every_point_of_a_chart_lies_inside_its_ranges(threads: int) -> None:
    experiment = made(0.4, 0.1, threads=threads)
    for made_of in (kind.figure for kind in KINDS if kind.figure is not None):
        figure = made_of(experiment)
        for series in figure.series:
            assert all(figure.x_range[0] <= x <= figure.x_range[1] for x in series.xs)
            assert all(figure.y_range[0] <= y.lower <= y.upper <= figure.y_range[1] for y in series.ys)


def test_a_measurement_is_saved_in_every_format(qtbot: QtBot, view: SpeedupView, tmp_path: Path) -> None:
    """Pictures have light colours in a dark window: they are printed."""
    theme().choose("dark")
    view._show(made(1.9, 1.0))
    for kind in ("Speedup", "Where it went"):
        view.result.kinds.setCurrentText(kind)
        view.save(tmp_path / "chart.png")
        view.save(tmp_path / "chart.svg")
        svg = (tmp_path / "chart.svg").read_bytes()
        for image in (QImage(str(tmp_path / "chart.png")), rendered(svg)):
            assert image.size() == EXPORT * EXPORT_SCALE
            assert image.pixelColor(2, 2) == QColor(LIGHT.card)
            lightness = [
                image.pixelColor(x, y).lightness()
                for x in range(0, image.width(), 3)
                for y in range(0, image.height(), 3)
            ]
            assert len(set(lightness)) > 20
            assert sum(one > 200 for one in lightness) > len(lightness) / 2
    view.result.kinds.setCurrentText("Speedup")
    view.save(tmp_path / "chart.svg")
    assert b"<image" not in (tmp_path / "chart.svg").read_bytes()
    for suffix in ("csv", "json", "md"):
        view.save(tmp_path / f"runs.{suffix}")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "runs.csv").read_text())))
    assert len(rows) == len(modes(2)) * 5
    assert from_json((tmp_path / "runs.json").read_bytes()) == view.experiment
    assert "| Minimax | 2 threads |" in (tmp_path / "runs.md").read_text()


def test_a_measurement_is_saved_in_the_chosen_format(
    view: SpeedupView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "exec", lambda _: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: [str(tmp_path / "speedup.png")])
    monkeypatch.setattr(QFileDialog, "selectedNameFilter", lambda _: "CSV (*.csv)")
    view._show(made(1.9, 1.0))
    view.result.save.click()
    assert [file.name for file in tmp_path.iterdir()] == ["speedup.csv"]


def test_the_command_line_saves_the_same_pictures(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["speedup", "--position", "xo./.x./...", "--algorithms", "minimax", "--workers", "2", "--repeats", "1"]
    QApplication.setFont(QFont())
    files = {kind: tmp_path / f"chart.{kind}" for kind in ("png", "svg", "pdf")}
    asked = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    assert cli.run([*line, "--chart", "time", "--log", *asked]) == 0
    for image in (QImage(str(files["png"])), rendered(files["svg"].read_bytes())):
        assert image.size() == EXPORT * EXPORT_SCALE
        assert image.pixelColor(2, 2) == QColor(LIGHT.card)
    texts = {part.partition("<")[0].strip() for part in files["svg"].read_text().split(">")}
    said = " ".join(text for text in texts if text)
    assert "Time · " in said
    assert "one run" in said, "of which there are no medians and no intervals"
    assert "interleaved" not in said
    assert QApplication.font() == theme().font(), "Qt's own font is that of the axes' labels"
    assert any(re.fullmatch(r"[\d.]+ [µm]?s", text) for text in texts), "it is the chart of times"
    assert len(re.findall(rb"/Type /Page\b", files["pdf"].read_bytes())) == 1
    capsys.readouterr()
    assert cli.run([*line, "--svg", str(tmp_path / "missing" / "chart.svg")]) == 2
    assert "cannot be written: there is no folder" in capsys.readouterr().err
    assert cli.run([*line, "--png", str(tmp_path / "chart.svg")]) == 2
    assert "The picture is a PNG: choose a name with .png instead of chart.svg." in capsys.readouterr().err


def rendered(svg: bytes) -> QImage:
    """The picture of an SVG on a ground that is neither light nor dark."""
    renderer, image = QSvgRenderer(QByteArray(svg)), QImage(EXPORT * EXPORT_SCALE, QImage.Format.Format_RGB32)
    assert renderer.isValid()
    image.fill(0x808080)
    with QPainter(image) as painter:
        renderer.render(painter)
    return image


def test_a_page_is_one_sheet_with_dark_text_and_drawn_charts(view: SpeedupView, tmp_path: Path) -> None:
    """The operator scn sets the colour of fills, and so of text."""
    theme().choose("dark")
    view._show(made(1.9, 1.0))
    view.save(tmp_path / "page.pdf")
    content = (tmp_path / "page.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    assert b"/Subtype /Image" not in content, "charts are drawn, not dots"
    found = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) scn", b"".join(streams(content)))
    inks = {QColor.fromRgbF(*map(float, each)).name() for each in found}
    assert {"#000000", *(QColor(LIGHT.workers[hue]).name() for hue in HUES[:2])} <= inks
    assert not {QColor(colour).name() for colour in (DARK.ink, DARK.card, DARK.dim)} & inks


@pytest.mark.parametrize("threads", [2, 64])
def test_the_text_of_a_page_leaves_its_place_to_the_charts(qapp: QApplication, threads: int) -> None:
    device = QImage(700, 1000, QImage.Format.Format_RGB32)
    text, scale = fitted(to_markdown(made(0.4, 0.1, threads=threads)), device, 450)
    assert text.size().height() * scale <= 450
    assert text.size().width() * scale == pytest.approx(700, abs=2), "Qt rounds the widths of columns"


def streams(content: bytes) -> Iterator[bytes]:
    """The compressed streams of a PDF that hold what is drawn."""
    for found in re.finditer(rb"stream\r?\n(?=\x78)", content):
        yield zlib.decompressobj().decompress(content[found.end() :])


def test_the_bars_show_where_the_time_of_all_workers_went(qtbot: QtBot) -> None:
    chart = PartsChart()
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    chart.show_experiment(made(2.0, 2.0))
    serial, two = chart._bars[0], chart._bars[2]
    assert (serial.name, two.name) == ("minimax · serial", "minimax · 2 threads")
    assert sum(segment.width() for _, segment in chart._segments(2)) == pytest.approx(400)
    # Both ran for 2 s and a person waited for 4 s: half of all time is the start, a quarter useful on two workers.
    widths = {name: segment.width() for name, segment in chart._segments(2)}
    assert widths == {"useful": pytest.approx(100), "waiting": pytest.approx(100), "start": pytest.approx(200)}
    (useful,) = (segment for name, segment in chart._segments(2) if name == "useful")
    assert chart.words_at(useful.center().toPoint()).startswith("useful: 2.00 s, 25.0 %\n")
    assert chart.words_at(QPoint(0, 0)) == ""
    narrow = chart.minimumHeight()
    chart.resize(150, 300)
    chart.grab()
    assert chart.minimumHeight() > narrow, "the legend has more rows"


@pytest.mark.parametrize("zoom", [1.0, 1.5])
@pytest.mark.parametrize("mpi", [False, True])
@pytest.mark.parametrize("width", [200, 260, 330, 600])
def test_axes_have_their_least_height_and_whole_labels_in_any_card(
    qtbot: QtBot, view: SpeedupView, width: int, mpi: bool, zoom: float
) -> None:
    theme().set_zoom(zoom)
    experiment = made(2.0, 1.0)
    ranks = tuple(replace(timing, mode=Mode("minimax", "mpi", 2)) for timing in experiment.timings[:1])
    view._show(replace(experiment, timings=(*experiment.timings, *(ranks if mpi else ()))))
    view.resize(round(width * zoom), 90)
    view.grab()
    chart, legend = view.result.chart, view.result.chart._legend
    assert chart._plot.height() >= theme().px(LEAST.height())
    bottom = chart._item.getAxis("bottom")
    text = bottom.label.boundingRect()
    assert text.width() <= chart._plot.width()
    drawn = bottom.label.sceneBoundingRect()
    assert drawn.right() <= chart._plot.width()
    assert drawn.center().x() == pytest.approx(bottom.sceneBoundingRect().center().x(), abs=2)
    metrics = QFontMetricsF(theme().font(NOTE))
    left = chart._item.getAxis("left")
    assert all(metrics.horizontalAdvance(label) <= left.width() for _, label in chart._figure.y_ticks)
    named = [series.name for series in legend._series]
    assert named[0] == "minimax"
    assert len(legend._frames) == len(named)
    assert all(frame.right() <= chart.width() and frame.bottom() <= legend.height() + 1 for frame in legend._frames)


def test_the_chart_follows_the_theme_and_the_choice_of_chart(qtbot: QtBot, view: SpeedupView) -> None:
    measured(qtbot, view)
    pictures = []
    for name in ("light", "dark"):
        theme().choose(name)
        qtbot.waitUntil(lambda: view.palette().window().color() == theme().colour("ground"))
        for kind in ("Speedup", "Time"):
            view.result.kinds.setCurrentText(kind)
            image = view.grab().toImage()
            ground = view.result.chart.mapTo(view, view.result.chart.rect().bottomRight()) - QPoint(3, 3)
            assert image.pixelColor(ground) == theme().colour("ground"), "whatever it stands on"
            pictures.append(image)
    assert all(one != other for place, one in enumerate(pictures) for other in pictures[:place])


def test_the_wheel_does_not_move_the_chart(qtbot: QtBot, view: SpeedupView) -> None:
    measured(qtbot, view)
    box = view.result.chart._item.getViewBox()
    assert box.mouseEnabled() == [False, False]
    assert box.state["autoRange"] == [False, False]


def test_modes_are_named_as_people_say_them() -> None:
    assert [mode.label for mode in modes(2, ["minimax"])] == ["serial", "1 thread", "2 threads"]
    assert Mode("minimax").label == "serial"
