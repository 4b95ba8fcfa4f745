"""Carets over the whole tree, at the rows of the workers of a parallel search."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.options.choices import Form
from engine.result import Result
from engine.text.numbers import signed
from engine.trace.widths import Width
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import painted_in, theme
from gui.tree.film import MARGIN, SPACE, Film, Stage
from gui.tree.icicle import WholeTree
from gui.tree.icicle_colours import Colouring, Fills, Look
from gui.tree.icicle_workers import Carets
from gui.tree.path import PathView
from gui.tree.path_root import worker_in_words
from gui.work.kernels import Kernels
from tests.gui.shown import Shown

JOB = Job(position="x../.../...", algorithm="alphabeta", backend="threads", workers=2, split=2, record=10_000)
LEGEND = "▼ worker at that time, about"


@pytest.fixture(scope="module")
def timed() -> Result:
    """Two workers begin two tasks at once; the first has all others, one a second, from then on."""
    result = backends.solve(JOB)
    one, two, *others = (replace(task, worker=0) for task in result.tasks)
    at_once = replace(one, start=0.0, end=1.0), replace(two, worker=1, start=0.0, end=2.0)
    later = [replace(task, start=2.0 + number, end=3.0 + number) for number, task in enumerate(others)]
    return replace(result, tasks=(*at_once, *later))


@pytest.fixture
def tree(analysis: Shown, qtbot: QtBot) -> Iterator[WholeTree]:
    theme().choose("light")
    cursor = Cursor(analysis, analysis)
    path = PathView(analysis, cursor)
    qtbot.addWidget(path)
    made = WholeTree(analysis, cursor, path, Kernels())
    qtbot.addWidget(made)
    made.resize(700, 200)
    made.choices.widths[Width.VISITED].trigger()
    made.show()
    yield made
    made.close_work()


def test_colours_by_time_are_those_of_the_tasks_not_of_the_record(timed: Result) -> None:
    trace = timed.trace
    assert trace is not None
    look = Look(registry.game("tictactoe"), trace, timed, Colouring.TIME)
    raster, fills = trace.raster(trace.places(Width.VISITED), 0, len(trace), len(trace)), Fills(look)
    one, two, third, *_, last = (int(fills.of(raster)[2, task.first_row]) & 0xFF for task in timed.tasks)
    assert one == two, "begun at once"
    assert two > third > last, "the later the darker"


def tips(carets: Carets) -> dict[int, float]:
    """The pixel of the tip of each worker's caret; its colour is checked in its frame."""
    found, image = {}, carets.grab().toImage()
    for place, tip, box, _ in carets.carets():
        corner = (box.topLeft().toPoint() + QPoint(2, 2)) * carets.devicePixelRatioF()
        assert image.pixelColor(corner) == theme().worker(place.worker)
        is_framed = image.pixelColor(corner.x(), 0).lightness() < 128
        assert is_framed == place.is_own
        found[place.worker] = tip
    return found


def test_a_caret_stands_over_the_row_of_each_worker(tree: WholeTree, analysis: Shown, timed: Result) -> None:
    analysis.begin(timed.job)
    analysis.end(timed)
    cursor, carets, (one, two, three, *_) = tree._cursor, tree.carets, timed.tasks
    assert (tips(carets), carets.isVisible()) == ({}, True), "the place is kept, so that the tree does not move"
    row = one.first_row + one.nodes // 2
    cursor.go(cursor.replay.entered(row) if cursor.replay else 0)
    rows = {0: row, 1: two.first_row + int((row - one.first_row) / one.nodes / 2 * two.nodes + 1e-3)}
    wide, span = carets.width(), tree.picture.span
    assert tips(carets) == {worker: pytest.approx(span.place(at, wide)) for worker, at in rows.items()}
    assert LEGEND in tree.legend.shown()
    said = tree.lines()[1:3]
    assert said[0].startswith("worker 1, this moment's: task b1 c1; in the record from node ")
    assert f"; at node {row + 1:,}; begun with window −∞ to " in said[0]
    about = f"; about at node {rows[1] + 1:,}: interpolated, not measured; begun with window "
    assert said[1].startswith("worker 2: task b1 a2; ")
    assert about in said[1]

    point = QPoint(round(tips(carets)[1]), 5)
    place = carets.mapTo(tree, point)
    QApplication.sendEvent(tree, QHelpEvent(QEvent.Type.ToolTip, place, tree.mapToGlobal(place)))
    assert QToolTip.text() == said[1].replace("; ", "\n")
    tree.picture.zoom_to(two.first_row, two.end_row)
    assert list(tips(carets)) == [1], "the other one's row is not on display"
    tree.picture.show_all()

    cursor.go(cursor.replay.entered(three.first_row + three.nodes - 1) if cursor.replay else 0)
    assert list(tips(carets)) == [0]
    assert tree.lines()[2] == "worker 2: all its tasks have ended"
    cursor.go(0)
    assert tips(carets) == {}, "the root is above the tasks"
    assert LEGEND not in tree.legend.shown()


def test_the_film_has_the_carets_of_its_moments(tree: WholeTree, analysis: Shown, timed: Result) -> None:
    analysis.begin(timed.job)
    analysis.end(timed)
    film, (one, two, *_) = tree.film(), timed.tasks
    assert film is not None
    row = one.first_row + one.nodes // 2
    here, before = (film.replay.entered(at) for at in (row, two.first_row))
    with painted_in("light"):
        stage, hues = Stage(film, [0, here, film.replay.last], (1280, 720)), [theme().worker(n) for n in (0, 1)]

        def columns(moment: int) -> list[tuple[int, int]]:
            """The first and the last pixel of each worker's colour in the strip over the tree."""
            image, height = stage.frame(moment), stage._room.bottom() + SPACE + 3
            seen = [[x for x in range(image.width()) if image.pixelColor(x, height) == hue] for hue in hues]
            return [(found[0], found[-1]) for found in seen if found]

        left, wide = MARGIN + stage._measures.left, stage._width - stage._measures.left
        tips = [left + stage._whole.place(film.places.extent(at)[0], wide) for at in rows_of(film, here)]
        assert all(first - 1 <= tip <= last + 1 for (first, last), tip in zip(columns(here), tips, strict=True))
        assert len(columns(before)) == 2
        assert columns(0) == columns(film.replay.last) == [], "above the tasks, and after the end"


def rows_of(film: Film, moment: int) -> list[int]:
    """The rows of the workers at a moment."""
    return [place.row for place in film.workers.places(film.replay.newest(moment)) if place.row is not None]


def test_a_window_is_in_the_point_of_view_of_the_values(tree: WholeTree, analysis: Shown, timed: Result) -> None:
    trace, cursor = timed.trace, tree._cursor
    assert trace is not None
    analysis.begin(timed.job)
    analysis.end(timed)
    one_sided = next(task for task in timed.tasks if abs(sum(trace.window(task.first_row))) > 1)
    alpha, beta = trace.window(one_sided.first_row)
    cursor.go(cursor.replay.entered(one_sided.first_row) if cursor.replay else 0)
    analysis.change(form=Form.NEGAMAX)
    movers = f"; begun with window {signed(alpha)} to {signed(beta)}, values are the mover's"
    assert tree.lines()[1 + one_sided.worker].endswith(movers)
    analysis.change(form=Form.MAXMIN)
    of_x = f"; begun with window {signed(-beta)} to {signed(-alpha)}, values are X's"
    assert tree.lines()[1 + one_sided.worker].endswith(of_x)
    spoilers().hide(True)
    assert "window" not in " ".join(tree.lines())


def test_a_serial_search_has_no_carets(tree: WholeTree, analysis: Shown) -> None:
    result = backends.solve(replace(JOB, backend="serial", workers=1))
    analysis.begin(result.job)
    analysis.end(result)
    tree._cursor.go(1_000)
    assert not tree.carets.isVisible()
    assert not any("worker" in line for line in tree.lines())


@pytest.mark.parametrize(
    ("backend", "threads", "name", "number"),
    [("threads", 1, "worker 2", "2"), ("mpi", 1, "rank 1", "1"), ("mpi", 2, "rank 0, thread 2", "0.2")],
)
def test_a_worker_has_one_name_everywhere(
    tree: WholeTree, analysis: Shown, timed: Result, backend: str, threads: int, name: str, number: str
) -> None:
    """Ranks count from 0, as in MPI; workers and threads from 1."""
    result = replace(timed, job=replace(timed.job, backend=backend, threads=threads))
    analysis.begin(result.job)
    analysis.end(result)
    cursor, second = tree._cursor, result.tasks[1]
    assert cursor.replay is not None
    cursor.go(cursor.replay.entered(second.first_row + 1))
    caret = tree.carets.carets()[-1]
    assert (caret.number, worker_in_words(cursor)) == (number, name)
    tree.choices.colours[Colouring.WORKER].trigger()
    assert name in tree.legend.shown()
    assert f"▼ {name.split()[0]} at that time, about" in tree.legend.shown()
    assert any(line.startswith(f"{name}, this moment's: task") for line in tree.lines())
