"""The whole tree: every recorded node has its place, and mouse and keys lead through it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEventLoop, QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine import backends
from engine.job import Job
from engine.kernels.worker_memory import CUTOFF
from engine.options.catalogue import Limit
from engine.options.choices import Form, Scoring
from engine.registry import game
from engine.result import End, Result, State, Value
from engine.text.numbers import percent, thousands
from engine.trace.compare import Comparison
from engine.trace.record import Trace
from engine.trace.widths import Gap, Width
from gui.access.text_view import TextView
from gui.state import tree_shape
from gui.state.analysis import Phase
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from gui.style.theme import NOTE, theme
from gui.tree.icicle import WholeTree
from gui.tree.icicle_colours import Colouring
from gui.tree.icicle_painter import IciclePicture
from gui.tree.icicle_picture import TreePicture
from gui.tree.icicle_text import about as about_node
from gui.tree.icicle_text import about_gap, difference, pruned_at, recorded, recorded_so_far, shares, title_of
from gui.tree.path import PathView
from gui.tree.path_canvas import Spot
from gui.tree.path_layout import names_width
from gui.window import Window
from gui.work import search_job
from gui.work.kernels import Kernels
from gui.work.picture_file import save_picture
from gui.work.runner import Request
from tests.gui.shown import Shown
from tests.gui.tree.conftest import Zone


def drawn(window: Window | Zone, width: Width = Width.VISITED) -> tuple[TreePicture, IciclePicture, Trace]:
    """The picture of a search as it is on the screen now, and its record."""
    picture, shape = window.tree.picture, window.tree.shape
    window.tree.choices.widths[width].trigger()
    wait_until(lambda: not shape.is_computing and not picture.is_behind)
    picture.grab()
    assert picture._picture is not None
    assert window.tree._trace is not None
    return picture, picture._picture, window.tree._trace


def wait_until(condition: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds; the extents are computed on a thread."""
    while not condition():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def middle(window: Window | Zone, row: int) -> QPoint:
    """The middle of a node on the screen."""
    picture, made, trace = drawn(window)
    left, right = (picture.span.place(place, picture.width()) for place in window.tree.shape.places.extent(row))
    ply = trace.index.ply(row)
    return QPoint(int((max(0.0, left) + min(right, picture.width())) / 2), sum(made.tops[ply : ply + 2]) // 2)


def test_a_node_is_as_wide_as_its_subtree_and_coloured_by_value(searched: Zone) -> None:
    picture, made, trace = drawn(searched)
    assert len(made.heights) == len(trace.index.plies)
    for child in trace.children(0):
        width = picture.span.place(trace.end(child), picture.width()) - picture.span.place(child, picture.width())
        columns = made.raster.rows[1] == child
        assert columns.sum() == pytest.approx(width * picture.devicePixelRatioF(), abs=1)
        point = middle(searched, child)
        assert picture.row_at(QPointF(point)) == child
    wins = [child for child in trace.children(0) if trace.found(child) == Value(1)]
    image = picture.grab().toImage()
    place = middle(searched, wins[0]) * picture.devicePixelRatioF()
    assert image.pixelColor(place.x(), int(made.tops[1]) + 1).name().upper() == "#0072B2", "X wins, in X's blue"
    assert searched.tree_part.fact == "2,338 nodes"


def test_the_mouse_goes_zooms_and_pans(searched: Zone, qtbot: QtBot) -> None:
    picture, _, trace = drawn(searched)
    child = trace.children(0)[3]
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=middle(searched, child))
    assert searched.replay.row == child
    assert picture.chain == (0, child)
    qtbot.mouseDClick(picture, Qt.MouseButton.LeftButton, pos=middle(searched, child))
    assert tuple(picture.span) == (child, trace.end(child))
    assert searched.tree_part.fact.startswith(f"2,338 nodes · b2: {trace.end(child) - child} shown")
    before, point = picture.span, QPoint(300, 20)
    qtbot.mousePress(picture, Qt.MouseButton.LeftButton, pos=point)
    qtbot.mouseClick(picture, Qt.MouseButton.RightButton, pos=point)
    assert searched.replay.row == child, "another button ends no click of the left one"
    qtbot.mouseMove(picture, point + QPoint(60, 0))
    qtbot.mouseRelease(picture, Qt.MouseButton.LeftButton, pos=point + QPoint(60, 0))
    moved = 60 / picture.width() * (before.end - before.first)
    assert before.first - picture.span.first == pytest.approx(moved)
    assert searched.replay.row == child, "a drag is no click"
    at = before.first - moved + 100 / picture.width() * (before.end - before.first)
    place = QPointF(100, 20)
    for turn in (120, -120):
        none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        wheel = QWheelEvent(
            place, picture.mapToGlobal(place), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton, none, phase, False
        )
        QApplication.sendEvent(picture, wheel)
        assert picture.span.place(at, picture.width()) == pytest.approx(100), "what is at the pointer stays there"
    qtbot.mousePress(picture, Qt.MouseButton.LeftButton, pos=point)
    QApplication.sendEvent(picture, wheel)
    zoomed = picture.span.end - picture.span.first
    qtbot.mouseMove(picture, point + QPoint(20, 0))
    qtbot.mouseRelease(picture, Qt.MouseButton.LeftButton, pos=point + QPoint(20, 0))
    assert picture.span.end - picture.span.first == pytest.approx(zoomed), "a drag goes on from a turn of the wheel"
    qtbot.keyClick(searched.tree, Qt.Key.Key_Escape)
    assert tuple(picture.span) == (0, len(trace))
    assert not picture.is_zoomed


def test_the_keys_of_the_path_work_and_the_node_comes_into_view(searched: Zone, qtbot: QtBot) -> None:
    picture, _, trace = drawn(searched)
    first, *_, last = trace.children(0)
    picture.zoom_to(first, trace.end(first))
    searched.replay.go_to_row(0)
    qtbot.keyClick(searched.tree, Qt.Key.Key_Home)
    assert not picture.is_zoomed
    picture.zoom_to(last, trace.end(last))
    qtbot.keyClick(searched.tree, Qt.Key.Key_Down)
    assert searched.replay.row == first
    assert picture.span.first <= first < picture.span.end
    qtbot.keyClick(searched.tree, Qt.Key.Key_Escape)
    for key, is_zoomed in ((Qt.Key.Key_Plus, True), (Qt.Key.Key_Minus, False)):
        qtbot.keyClick(searched.tree, key)
        assert picture.is_zoomed is is_zoomed
    with qtbot.waitSignal(searched.path.position_requested):
        qtbot.keyClick(searched.tree, Qt.Key.Key_Return)


def test_a_node_in_words(searched_window: Window) -> None:
    window, trace = searched_window, drawn(searched_window)[2]
    b1, c1 = trace.children(0)[:2]
    size = trace.end(b1) - b1
    share = percent(size, 2338)
    told = window.tree.about.node(b1).splitlines()
    assert told[:3] == ["b1", "X to move", "+1 for X"]
    assert told[3:] == [f"{size:,} of 2,338 recorded nodes, {share}", "Every move was searched."]
    assert "at least +1 for X: a bound" in window.tree.about.node(c1)
    assert f"Move b1: {size:,} nodes, {share}" in window.tree.lines()
    window.replay.go_to_row(b1)
    assert window.tree.about.node(b1).splitlines()[0] in window.tree.accessibleDescription()
    window.analysis.change(form=Form.NEGAMAX)
    assert "+1 for X" in window.tree.about.node(b1), "X is to move there"
    window.drawers["text"].toggleViewAction().trigger()
    (view,) = window.drawers["text"].findChildren(TextView)
    QApplication.processEvents()
    assert "THE WHOLE TREE\n2,338 nodes\nMove b1: " in view.toPlainText()


def test_a_legend_without_room_counts_what_it_leaves_out(searched: Zone) -> None:
    legend = searched.tree.legend
    every = legend.toolTip().split("\n")
    for width in (60, 120, 200, 400, 3_000):
        legend.resize(width, 40)
        *shown, last = legend.shown()
        if last == every[-1]:
            assert [*shown, last] == every
        else:
            assert last == (f"+ {len(every) - len(shown)} more" if shown else "Legend")
            assert shown == every[: len(shown)]
        assert (last == every[-1]) == (width >= 400)


def test_pruned_moves_are_striped_and_tell_why_when_pressed(
    searched_window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = searched_window
    picture, made, trace = drawn(window, Width.MINIMAX)
    assert picture.whole == 59_705, "minimax's nodes"
    ply, column = np.argwhere(made.raster.owners >= 0)[0]
    owner = int(made.raster.owners[ply, column])
    assert trace.why(owner) == CUTOFF
    point = QPoint(int(column / picture.devicePixelRatioF()), int(made.tops[ply]) + 2)
    assert picture.row_at(QPointF(point)) is None
    assert picture.owner_at(QPointF(point)) == owner
    said = window.tree.about.gap(owner)
    moves, nodes = trace.unsearched.moves[owner], trace.unsearched.nodes[owner]
    assert said.startswith(f"{moves} moves pruned after ")
    assert f"minimax's nodes below: {nodes:,.0f}" in said
    box = picture.grab().toImage().copy(int(column), int(made.tops[ply]), 6, made.heights[ply] - 1)
    colours = {box.pixelColor(x, y).name() for x in range(6) for y in range(box.height())}
    assert {theme().colour("pruned").name()} < colours, "stripes on dark"
    assert "pruned: 57,367 nodes of the full tree" in window.tree.legend.shown()
    assert "a bound" in window.tree.legend.shown()
    window.replay.go(3)
    picture.grab()
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=point)
    assert window.replay.row == owner
    assert window.why.note.startswith("Pruned: ")
    assert not window.why._button.isHidden(), "Search ... anyway"
    window.tree.resize(240, 120)
    window.tree.legend.resize(120, 40)
    assert all(QFontMetrics(theme().font(NOTE)).horizontalAdvance(one) <= 120 for one in window.tree.legend.shown())
    monkeypatch.setattr(search_job, "INTERPRETED_SECONDS", 1.0)
    window.choose_game("connect-four")
    window.analysis.change(algorithm="minimax", limit=Limit(depth=2))
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think_action.trigger()
    assert window.tree.shape.is_computing
    window.tree.legend.resize(800, 40)
    shown = window.tree.legend.shown()
    assert "good for Red" in shown, "of the tree on the screen, while its widths are computed"
    assert "the widths are being computed" in shown
    assert "a bound" not in window.tree.legend.accessibleName(), "minimax has none"
    assert not any("57,367" in words for words in shown)


def test_a_press_on_a_node_or_a_pruned_move_pauses_the_replay(searched: Zone, qtbot: QtBot) -> None:
    """What it shows would be gone at the next moment."""
    playback = searched.replay.playback
    picture, made, trace = drawn(searched, Width.MINIMAX)
    places = [np.argwhere(made.raster.owners >= 0)[0], np.argwhere(made.raster.rows == trace.children(0)[1])[0]]
    gap, node = (
        QPoint(int(column / picture.devicePixelRatioF()) + 1, int(made.tops[ply]) + 2) for ply, column in places
    )
    for point in (node, gap):
        searched.replay.go(0)
        playback.play()
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=point)
        assert not playback.is_active
    row = searched.path.rows[-1]
    tile = next(place for place in range(len(row)) if row.state(place) is State.PRUNED)
    boards = searched.path._picture
    points = (QPoint(x, y) for y in range(0, boards.height(), 4) for x in range(0, boards.width(), 4))
    board = next(point for point in points if boards.spot_at(point) == Spot(row.ply, tile))
    playback.play()
    playback._clock.setInterval(10**9)  # the boards stay as they are until the press
    qtbot.mouseMove(boards, board)
    assert boards.cursor().shape() is Qt.CursorShape.PointingHandCursor
    qtbot.mouseClick(boards, Qt.MouseButton.LeftButton, pos=board)
    assert not playback.is_active
    assert not searched.why._button.isHidden()


def test_a_zoomed_tree_follows_the_replay_until_it_is_dragged(searched: Zone) -> None:
    cursor = searched.replay
    picture, _, trace = drawn(searched)
    cursor.go(0)
    picture.zoom_to_row(trace.children(0)[3])
    wide, replay = picture.span.end - picture.span.first, cursor.replay
    assert replay is not None
    assert picture.is_zoomed
    assert not picture.shows(0)
    cursor.playback.play()
    for row in (0, 700, 701, 2_000, 2_300, 40):
        moment = replay.entered(row)
        cursor.go(moment)
        assert picture.shows(row)
        assert picture.span.end - picture.span.first == pytest.approx(wide)
    picture.zoom_to(2_000, 2_000 + wide)
    before = picture.span
    cursor.go(replay.entered(45))
    assert picture.span == before, "the user looks elsewhere"
    assert cursor.playback.is_active
    cursor.playback.pause()
    cursor.go(replay.entered(2_300))
    picture.zoom_to(0, wide)
    cursor.playback.play()
    assert picture.shows(2_300)
    cursor.playback.pause()


def test_colours_by_cutoff_by_type_by_time_and_by_worker(searched: Zone) -> None:
    tree = searched.tree
    _picture, made, _trace = drawn(searched)
    seen = made.raster.rows >= 0
    for colouring, count in ((Colouring.CUT, 9), (Colouring.TYPE, 4), (Colouring.TIME, 24), (Colouring.WORKER, 1)):
        tree.choices.colours[colouring].trigger()
        _, made, _ = drawn(searched)
        assert len(set(made.ended.colours[seen].tolist())) <= count
        assert made.ended.colours[0, 0] != made.ended.colours[-1, -1] or colouring is Colouring.WORKER
        is_cut = made.raster.why == CUTOFF
        if colouring is Colouring.CUT:
            assert not set(made.ended.colours[seen & is_cut].tolist()) & set(
                made.ended.colours[seen & ~is_cut].tolist()
            )
    assert made.ended.colours[0, 0] == theme().worker(0).rgb(), "a serial search is one worker's task"
    assert tree.choices.text() == "colour: worker · width: nodes visited"


def test_a_tree_with_chance_nodes_has_no_types_of_nodes(searched: Zone) -> None:
    """Expectiminimax needs every node, in any order of the moves."""
    analysis, choices = searched.analysis, searched.tree.choices
    before = analysis.result
    assert before is not None
    choices.colours[Colouring.TYPE].trigger()
    chance = Job(game="random-turn:3,3,3", position="xo./xo./.xo x", algorithm="expectiminimax", record=1_000)
    analysis.recall(backends.solve(replace(chance, backend="interpreted")))
    assert (choices.colouring, choices.text()) == (Colouring.VALUE, "colour: value · width: nodes of the full tree")
    analysis.recall(before)
    assert choices.colouring is Colouring.TYPE, "as it was chosen"


def test_the_whole_tree_is_saved_as_a_picture(searched: Zone, tmp_path: Path) -> None:
    drawn(searched, Width.MINIMAX)
    pdf, svg, png = paths = [tmp_path / f"tree.{kind}" for kind in ("pdf", "svg", "png")]
    drawing = searched.tree.drawing()
    assert drawing is not None
    for path in paths:
        save_picture(path, drawing)
    assert pdf.read_bytes().startswith(b"%PDF")
    tree = searched.tree
    width, height = 2 * tree.width(), max(2 * tree.height(), 400)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    assert "<image" not in svg.read_text(), "it is sharp at any size"
    blue, dark = (theme().colour(name) for name in ("x", "pruned"))
    for one in (image, QImage(str(png)).scaled(width, height)):
        seen = {one.pixelColor(x, y).name() for x in range(0, width, 10) for y in range(0, height, 10)}
        assert {blue.name(), dark.name()} <= seen
    with pytest.raises(ValueError, match=r"\.svg or \.pdf"):
        save_picture(tmp_path / "tree.txt", drawing)


def test_after_the_moment_nothing_is_visited(searched: Zone) -> None:
    searched.resize(4_000, 780)  # so wide that few nodes share a column
    picture, made, trace = drawn(searched, Width.MINIMAX)
    replay = searched.replay.replay
    assert replay is not None
    owner = next(row for row in range(trace.children(0)[3], len(trace)) if trace.why(row) == CUTOFF)
    for moment, is_cut in ((int(replay.left(owner)) - 1, True), (int(replay.entered(owner)), False)):
        searched.replay.go(moment)
        picture.grab()
        now, last = picture._picture, replay.newest(moment)
        assert now is not None
        assert picture.moment is not None
        is_later = np.arange(now.raster.rows.shape[1]) >= now.starts_later(picture.moment)[:, None]
        colours = np.where(is_later, now.unvisited.colours, now.ended.colours)
        gaps = np.where(is_later, now.unvisited.gaps, now.ended.gaps)
        cut = [row for row in range(last + 1) if trace.why(row) == CUTOFF and replay.left(row) <= moment]
        nodes = trace.unsearched.nodes[[*cut, *[owner] * is_cut]].sum()
        assert pruned_at(trace, picture.moment) == nodes, "a cutoff prunes at once"
        assert f"pruned: {nodes:,.0f} nodes of the full tree" in searched.tree.legend.shown()
        later, chain = now.raster.rows > last, searched.replay.chain
        assert later.any()
        assert set(colours[later].tolist()) == {theme().colour("card").rgb()}
        before = (now.raster.rows >= 0) & ~later & ~np.isin(now.raster.rows, chain)
        assert (colours[before] == made.ended.colours[before]).all()
        pruned = np.isin(now.raster.owners, [*cut, *[owner] * is_cut])
        assert (gaps[pruned] == Gap.PRUNED).all()
        assert (gaps[(now.raster.owners >= 0) & ~pruned] == Gap.UNVISITED).all()


def test_no_spoilers_hides_values_in_colours_and_words(searched: Zone) -> None:
    _, made, _ = drawn(searched)
    assert len(set(made.ended.colours.flat)) > 6
    spoilers().hide(True)
    _, made, trace = drawn(searched)
    assert len(set(made.ended.colours.flat)) == 2, "a node, and none"
    told = searched.tree.about.node(trace.children(0)[0])
    assert "value hidden" in told
    assert "+1" not in told


def test_one_node_below_a_move_is_one() -> None:
    trace = backends.solve(Job(position="x../.../...", record=100, backend="interpreted")).trace
    assert trace is not None
    told = shares(game("tictactoe"), trace, newest=1)
    assert told[0] == "Move b1: 1 node so far"
    assert {line.split(": ")[1] for line in told[1:]} <= {"not visited yet"}


def test_the_nodes_of_a_truncated_record_are_no_count_of_the_search() -> None:
    """alpha-beta visits 373 nodes below c1, and 2,338 in all."""
    trace = backends.solve(Job(position="x../.../...", algorithm="alphabeta", record=1000, backend="interpreted")).trace
    assert trace is not None
    assert shares(game("tictactoe"), trace) == [
        "Move b1: 749 recorded nodes, 75 %",
        "Move c1: 250 recorded nodes, 25 %",
    ]


def test_a_difference_of_one_node_is_one() -> None:
    jobs = [
        Job(position="x.o/xo./.x.", algorithm=name, record=100, backend="interpreted") for name in ("alphabeta", "pvs")
    ]
    alphabeta, pvs = (backends.solve(job) for job in jobs)
    assert alphabeta.trace is not None
    assert pvs.trace is not None
    assert difference(alphabeta, pvs, Comparison(alphabeta.trace, pvs.trace)) == "1 node more above than below in all"
    assert difference(pvs, alphabeta, Comparison(pvs.trace, alphabeta.trace)).startswith("1 node fewer above")


def test_a_move_that_is_searched_twice_has_one_share() -> None:
    """Two would tell that it is better than those before it, also while values are hidden."""
    job = Job(position="x../.../...", algorithm="pvs", scoring=Scoring.SOONEST, record=10_000, backend="interpreted")
    trace = backends.solve(job).trace
    assert trace is not None
    [again] = [child for child in trace.children(0) if trace.is_repeat(child)]
    told = {line.split(":")[0]: line for line in shares(game("tictactoe"), trace)}
    assert len(told) == len(shares(game("tictactoe"), trace)) == 8
    nodes = [trace.end(child) - child for child in trace.children(0) if trace.move(child) == trace.move(again)]
    assert told["Move b2"] == f"Move b2: {thousands(sum(nodes))} nodes, {percent(sum(nodes), len(trace))}"
    name = game("tictactoe").notation.move_name
    searched = about_gap(game("tictactoe"), trace, 0).split("searched: ")[1]
    assert searched.startswith(", ".join(map(name, range(1, 9)))), "each move once"


def tree_of(qtbot: QtBot, analysis: Shown) -> WholeTree:
    """The whole tree of an analysis, without the window around it."""
    cursor = Cursor(analysis, analysis)
    path = PathView(analysis, cursor)
    tree = WholeTree(analysis, cursor, path, Kernels())
    for view in (path, tree):
        qtbot.addWidget(view)
    return tree


def test_a_search_that_leaves_nothing_out_has_counted_the_tree(qtbot: QtBot) -> None:
    """The legend tells the nodes without a place exactly where nobody else has counted them."""
    analysis = Shown()
    tree = tree_of(qtbot, analysis)
    minimax = Job(position="x../.../...", algorithm="minimax", record=400)
    cut = replace(minimax, algorithm="alphabeta"), replace(minimax, limit=Limit(nodes=700))
    counted = []
    for job in (minimax, *cut):
        analysis.begin(job)
        with qtbot.waitSignal(tree.shape.changed):
            analysis.end(backends.solve(job))
        counted.append(tree._whole)
    tree.close_work()
    analysis.close()
    assert counted == [59_705, None, None]


UNRECORDED = (
    "This search does not record its nodes. Record, in the Settings under Limits, says how many nodes the next one may "
    "record."
)


def test_without_a_record_the_card_says_what_would_fill_it(qtbot: QtBot) -> None:
    analysis = Shown()
    tree = tree_of(qtbot, analysis)
    tree.resize(600, 120)
    tree.show()
    job = Job(position="x../.../...", algorithm="alphabeta")

    def line() -> str:
        return tree._empty._line.text() if tree._stack.currentWidget() is tree._empty else ""

    assert line().startswith("Press Think")
    analysis.begin(job)
    assert line() == UNRECORDED
    analysis.end(backends.solve(job))
    assert line() == UNRECORDED
    analysis.begin(recorded := replace(job, record=500))
    analysis.end(replace(backends.solve(recorded), trace=None))
    assert line().startswith("The nodes of this search were not recorded, or are no longer stored.")
    analysis.begin(replace(job, record=500))
    assert line() == "The tree grows here when its first nodes are laid out."
    for room in (500, 1):
        fact = f"the first {room} of 2,338 nodes {'is' if room == 1 else 'are'} recorded"
        cut_short = backends.solve(replace(job, record=room))
        analysis.begin(cut_short.job)
        assert line()
        with qtbot.waitSignal(tree.fact_changed, check_params_cb=lambda said, fact=fact: said == fact):
            analysis.end(cut_short)
        assert not line()
        tree.grab()
    tree.close_work()
    analysis.close()


def test_a_tree_of_one_node_has_no_nodes() -> None:
    over = backends.solve(Job(position="xxx/oo./...", record=10))
    assert over.trace is not None
    trace = over.trace
    assert len(trace) == 1
    found = Comparison(trace, trace, (False, False))
    assert recorded(trace) == "1 node"
    assert recorded_so_far(trace, None) == "1 node so far"
    assert " · 1 node in all · " in title_of(over, found, 0)
    about = about_node(game("tictactoe"), over, trace, 0, negamax=False).splitlines()
    assert "1 of 1 recorded node, 100 %" in about


def test_the_layout_of_a_tree_begins_when_the_result_is_painted(qtbot: QtBot, zone: Zone) -> None:
    runner, begun = zone.tree.shape._runner, list[object]()
    zone.analysis.shown.connect(lambda _: begun.append(runner._request.asked))
    for _ in range(2):
        with qtbot.waitSignal(zone.analysis.finished, timeout=60_000):
            zone.think()
        wait_until(lambda: not zone.tree.shape.is_computing)
    assert begun == [None, None]


def test_a_layout_of_the_record_so_far_comes_too_late(qtbot: QtBot, zone: Zone) -> None:
    shape, analysis, asked = zone.tree.shape, zone.analysis, list[Request]()

    def come(result: Result) -> None:
        """The layout of an answer to an earlier question ends when the result is shown, before its layout begins."""
        shape._runner.end(asked[-1], (replace(result, end=End.STOPPED), shape.places, None), "")
        shape._runner._tell()

    analysis.started.connect(lambda: asked.append(shape._runner._request))
    analysis.shown.connect(come)
    with qtbot.waitSignal(analysis.finished, timeout=60_000):
        zone.think()
    assert shape.is_computing
    wait_until(lambda: not shape.is_computing)
    assert shape.result is analysis.result


def test_a_press_on_the_tree_of_a_running_search_pauses_it_there(qtbot: QtBot, zone: Zone) -> None:
    tree, analysis, said = zone.tree, zone.analysis, list[str]()
    tree.refused.connect(said.append)
    analysis.change(algorithm="alphabeta", speed=600.0)
    zone.think()
    qtbot.waitUntil(lambda: tree._trace is not None and len(tree._trace) > 100, timeout=60_000)
    assert tree._trace is not None
    row = next(row for row in range(20, 60) if tree._trace.end(row) - row > 1)
    moves = tree._trace.moves(row)
    tree._on_pressed(row)
    qtbot.waitUntil(lambda: zone.replay.row == row, timeout=60_000)
    assert (analysis.phase, said) == (Phase.PAUSED, [])
    assert zone.path.rows[-1].moves[: len(moves)] == moves
    analysis.resume()
    qtbot.waitUntil(lambda: zone.replay.moments is None)
    analysis.stop()
    qtbot.waitUntil(lambda: not analysis.is_searching)


@pytest.mark.parametrize("settings", [{"backend": "threads", "workers": 2}, {"record": 200}])
def test_without_events_in_the_record_a_press_goes_nowhere_and_says_so(
    qtbot: QtBot, window: Window, settings: dict[str, Any]
) -> None:
    tree, analysis, said = window.tree, window.analysis, list[str]()
    tree.refused.connect(said.append)
    analysis.change(algorithm="alphabeta", speed=1000.0, **settings)
    window.think()
    qtbot.waitUntil(
        lambda: tree._trace is not None and analysis.info is not None and analysis.info.counters.nodes > 300,
        timeout=60_000,
    )
    tree._on_pressed(1)
    assert (analysis.phase, len(said)) == (Phase.RUNNING, 1)
    assert said == [window.board_panel.notice.text]
    analysis.stop()
    qtbot.waitUntil(lambda: not analysis.is_searching)
    assert not window.board_panel.notice.text


def test_the_tree_of_a_running_search_grows(qtbot: QtBot, window: Window) -> None:
    """By each step of a paused one too, its path to the node of that event; and it becomes that of the replay."""
    tree, analysis, saving = window.tree, window.analysis, window.pictures.actions()[1]

    def is_shown() -> bool:
        """Whether the picture has the nodes visited, and the path to the node where the search is."""
        info, trace = analysis.info, tree._trace
        if info is None or trace is None or tree._fact() != f"{info.counters.nodes} nodes so far":
            return False
        return trace.moves(tree.picture.chain[-1]) == info.workers[0].path

    analysis.change(algorithm="alphabeta")
    analysis.think(window.record.game, window.record.position, paused=True)
    analysis.step(400)
    qtbot.waitUntil(lambda: is_shown() and tree._fact().startswith("400 "), timeout=60_000)
    assert "width: nodes visited" in tree.choices.text()
    assert tree.picture.whole == 400
    assert not saving.isEnabled()
    moments = set[object]()
    for _ in range(15):
        with qtbot.waitSignal(analysis.moved):
            analysis.step()
        qtbot.waitUntil(is_shown)
        moments.add(tree.picture.moment)
        assert not tree.picture.grab().isNull()
    assert len(moments) == 15
    with qtbot.waitSignal(analysis.finished, timeout=60_000):
        analysis.resume()
    assert analysis.result is not None
    assert tree._trace is analysis.result.trace
    assert "so far" not in tree._fact()
    assert "width: nodes of the full tree" in tree.choices.text()
    assert saving.isEnabled()


def test_a_search_at_full_speed_rests_between_two_layouts(
    qtbot: QtBot, zone: Zone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is paused, it is asked at once."""
    monkeypatch.setattr(tree_shape, "PAUSE", 10_000)
    analysis, board = zone.analysis, game("mnk:4,4,4")
    zone.record.new(board)
    analysis.change(algorithm="minimax")
    with qtbot.waitSignal(zone.tree.shape.changed, timeout=60_000, check_params_cb=lambda: bool(analysis.so_far)):
        analysis.think(board, board.start)
    answers = list[None]()
    analysis.answered.connect(lambda: answers.append(None))
    for _ in range(2):
        with qtbot.waitSignal(analysis.moved):
            pass
    assert not answers
    with qtbot.waitSignal(analysis.answered):
        analysis.pause()
    analysis.stop()


def test_the_whole_tree_begins_under_the_boards_of_the_path(searched_window: Window) -> None:
    window, zone = searched_window, searched_window.tree_zone
    QApplication.processEvents()
    left = [part.mapTo(zone, QPoint()).x() for part in (window.path, window.tree.picture)]
    assert window.tree.mapTo(zone, QPoint()).y() > window.path.mapTo(zone, QPoint(0, window.path.height())).y()
    assert left[1] - left[0] == names_width(window.record.game)


def test_what_is_not_visited_at_the_moment_is_not_told(searched: Zone, tmp_path: Path) -> None:
    """Neither by a tool tip nor in a saved picture."""
    picture, _, trace = drawn(searched)
    last = trace.children(0)[-1]
    ended = searched.tree.about.node(last)
    searched.replay.go(60)
    picture.grab()
    number = trace.index.entered(last) + 1
    assert searched.tree.about.node(last).endswith(f"not visited yet: it is at moment {number:,}")
    assert searched.tree.about.gap(last).startswith("not visited yet")
    drawing = searched.tree.drawing()
    assert drawing is not None
    nodes = searched.replay.replay.newest(60) + 1
    assert f"{nodes} of {len(trace):,} nodes so far" in drawing.story
    assert "values are X's" in drawing.story
    save_picture(tmp_path / "then.svg", drawing)
    then = (tmp_path / "then.svg").read_text()
    searched.replay.go_to_end()
    assert searched.tree.about.node(last) == ended
    drawing = searched.tree.drawing()
    assert drawing is not None
    save_picture(tmp_path / "ended.svg", drawing)
    values = [(text.count("≤"), text.count("≥")) for text in (then, (tmp_path / "ended.svg").read_text())]
    assert sum(values[0]) < sum(values[1]), "a node has no bound before its end"
