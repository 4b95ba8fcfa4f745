"""The picture of a small tree with nodes and edges."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

import main  # noqa: F401  # it sets the painter
from engine import registry
from engine.backends import solve
from engine.cli import run
from engine.job import Job
from engine.options.catalogue import Limit
from engine.trace.tidy_tree import SMALL, tidy_tree
from engine.trace.widths import Gap
from gui.state.same_positions import Same
from gui.tree import node_link
from gui.tree.node_link import NodeLinkPicture
from gui.tree.node_link_painter import DIAMOND, NodeLinkPainter, Scale, Subject
from tests.gui.tree.conftest import Zone

ZERO = QPointF()


@pytest.fixture
def picture(qtbot: QtBot, zone: Zone) -> Iterator[NodeLinkPicture]:
    """Alpha-beta's tree after three stones."""
    for move in (0, 4, 8):
        zone.play(move)
    zone.analysis.change(algorithm="alphabeta")
    with qtbot.waitSignal(zone.analysis.finished, timeout=60_000):
        zone.think()
    with qtbot.waitSignal(zone.tree.links.drawn, timeout=60_000):
        zone.tree.choices.pictures[True].trigger()
    return zone.tree.links


def shown(qtbot: QtBot, picture: NodeLinkPicture, area: QRect | None = None) -> QImage:
    """What is on the screen when it has been painted."""
    picture.grab()
    qtbot.waitUntil(lambda: not picture.is_behind, timeout=60_000)
    return picture.grab(area or picture.rect()).toImage()


def place(picture: NodeLinkPicture, row: int) -> QPoint:
    assert picture.subject is not None
    return picture._scale().at(picture.subject.tree.x[row], picture.subject.ply(row)).toPoint()


def test_a_click_goes_to_a_node_and_the_pointer_tells_it(qtbot: QtBot, zone: Zone, picture: NodeLinkPicture) -> None:
    assert picture.subject is not None
    trace = picture.subject.trace
    for row in (0, 1, trace.children(0)[3]):
        assert picture.row_at(QPointF(place(picture, row))) == row
    child = trace.children(0)[3]
    with qtbot.waitSignal(zone.tree.looked_at, check_params_cb=lambda moves: moves == trace.moves(child)):
        qtbot.mouseMove(picture, place(picture, child))
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=place(picture, child))
    assert zone.replay.row == child
    middle = QPointF(place(picture, child))
    picture.zoom_at(4, middle)
    assert (QPointF(place(picture, child)) - middle).manhattanLength() < 3, "what is at the pointer stays there"
    last = len(trace) - 1
    zone.replay.go_to_row(last)
    assert picture.rect().contains(place(picture, last)), "the end of the path comes into view"
    with qtbot.waitSignal(picture.drawn, timeout=60_000):
        qtbot.mouseDClick(picture, Qt.MouseButton.LeftButton, pos=place(picture, trace.parent(last)))
    assert picture.subject is not None
    assert zone.tree_part.fact.endswith(picture.fact)
    assert picture.fact.startswith("drawn: the ")
    with qtbot.waitSignal(picture.drawn, timeout=60_000):
        qtbot.keyClick(zone.tree, Qt.Key.Key_Escape)
    assert picture.fact == "", "all of it again"


def test_the_keys_of_the_whole_tree_act_on_this_picture(qtbot: QtBot, zone: Zone, picture: NodeLinkPicture) -> None:
    tree, hidden = zone.tree, zone.tree.picture.span
    assert picture.subject is not None
    row = len(picture.subject.trace) - 1
    zone.replay.go_to_row(row)
    before, step = place(picture, row), picture._scale().step
    qtbot.keyClick(tree, Qt.Key.Key_Plus)
    assert picture._scale().step > step
    assert (place(picture, row) - before).manhattanLength() < 3, "the end of the path stays where it is"
    assert tree.picture.span == hidden
    qtbot.keyClick(tree, Qt.Key.Key_Escape)
    assert (picture._scale().step, zone.replay.row) == (step, row)
    assert not picture.is_zoomed
    qtbot.keyClick(tree, Qt.Key.Key_Home)
    assert zone.replay.row == 0, "the root, as where all of the other picture is shown"


def test_a_drag_leaves_a_node_in_view_and_a_double_click_on_the_top_shows_all_of_it(
    qtbot: QtBot, zone: Zone, picture: NodeLinkPicture
) -> None:
    assert picture.subject is not None
    rows, left, here = picture.subject.tree.x, Qt.MouseButton.LeftButton, place(picture, 0)

    def in_view() -> list[int]:
        return [row for row in rows if picture.rect().contains(place(picture, row))]

    for far in (QPoint(3_000, 0), QPoint(-3_000, 900), QPoint(0, -3_000)):
        picture.zoom_at(3, QPointF(here))
        qtbot.mousePress(picture, left, pos=here)
        for to in (here + far / 50, here + far):
            qtbot.mouseMove(picture, to)
        qtbot.mouseRelease(picture, left, pos=here + far)
        assert in_view(), far
    picture.resize(picture.width() // 2, picture.height() // 2)
    assert in_view(), "after a resize as well"
    picture.zoom_at(3, QPointF(here))
    picture.reveal(0)
    with qtbot.assertNotEmitted(picture.drawn):
        qtbot.mouseDClick(picture, left, pos=place(picture, 0))
    assert not picture.is_zoomed


def test_a_node_under_the_pointer_is_forgotten_with_its_search(
    qtbot: QtBot, zone: Zone, picture: NodeLinkPicture
) -> None:
    """Its row is none of the record that follows, in which the same position is sought."""
    zone.tree.choices.same[Same.EQUAL].trigger()
    assert picture.subject is not None
    row = len(picture.subject.trace) - 1
    qtbot.mouseMove(picture, QPoint(1, 1))
    qtbot.mouseMove(picture, place(picture, row))
    assert zone.tree._pointed == row
    for move in (2, 6):
        zone.play(move)
    with qtbot.waitSignal(zone.analysis.finished, timeout=60_000):
        zone.think()
    assert zone.tree._trace is not None
    assert len(zone.tree._trace) < row
    qtbot.waitUntil(lambda: zone.tree.same.groups(zone.tree._trace) is not None, timeout=60_000)
    assert zone.tree._pointed is None


def test_a_bar_tells_why_its_moves_are_pruned(qtbot: QtBot, zone: Zone, picture: NodeLinkPicture) -> None:
    """As a gap of the whole tree does; its number too."""
    assert picture.subject is not None
    trace, tree, scale = picture.subject.trace, picture.subject.tree, picture._scale()
    owners = [row for row in tree.stubs if trace.gap(row) is Gap.PRUNED]
    for row in owners[:5]:
        ply = picture.subject.ply(row)
        end = scale.at(tree.stubs[row], ply + 1)
        for point in (scale.stub_end(scale.at(tree.x[row], ply), end).toPoint(), end.toPoint()):
            assert (picture.row_at(QPointF(point)), picture.owner_at(QPointF(point))) == (None, row)
            qtbot.mouseMove(picture, point)
            assert picture.cursor().shape() is Qt.CursorShape.PointingHandCursor
            there, on_screen = picture.mapTo(zone.tree, point), picture.mapToGlobal(point)
            QApplication.sendEvent(zone.tree, QHelpEvent(QEvent.Type.ToolTip, there, on_screen))
            assert QToolTip.text() == zone.tree.about.gap(row)
            assert QToolTip.text().endswith("Press to see why.")
            QToolTip.hideText()
            zone.replay.go_to_row(0)
            qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=point)
            assert zone.replay.row == row
            assert zone.why.note.startswith("Pruned: ")
            assert not zone.why._button.isHidden(), "Search ... anyway"
    zone.replay.go(0)
    assert picture.owner_at(QPointF(point)) is None, "not visited yet"


def test_it_shows_the_tree_of_the_cursors_moment(qtbot: QtBot, zone: Zone, picture: NodeLinkPicture) -> None:
    assert picture.subject is not None
    trace = picture.subject.trace
    pruned = next(
        row for row in picture.subject.tree.stubs if trace.gap(row) is Gap.PRUNED and trace.index.ply(row) < 3
    )
    stubs, ply = picture.subject.tree.stubs, picture.subject.ply(pruned)
    picture.zoom_at(3, QPointF(place(picture, pruned)))

    def bars() -> int:
        image = shown(qtbot, picture)
        middle = QPointF(place(picture, pruned)) * 0.45 + picture._scale().at(stubs[pruned], ply + 1) * 0.55
        around = [middle.toPoint() + QPoint(x, y) for x in range(-2, 3) for y in range(-2, 3)]
        colours = [image.pixelColor(point) for point in around if image.rect().contains(point)]
        return sum(colour.red() - colour.green() > 80 for colour in colours)

    assert bars()
    later = next(row for row in range(len(trace) - 1, 0, -1) if picture.rect().contains(place(picture, row)))
    at = place(picture, later)
    around = QRect(at - QPoint(3, 3), QSize(7, 7))
    assert picture.row_at(QPointF(at)) == later
    assert len(colours_in(qtbot, picture, around)) > 1
    zone.replay.go(trace.index.entered(pruned))
    assert not bars(), "its moves are not pruned yet"
    assert picture.row_at(QPointF(at)) is None, "it is not entered yet"
    replay = zone.replay.replay
    assert replay is not None
    zone.replay.go(replay.left(trace.children(pruned)[-1]))
    assert bars(), "they are pruned at this moment"
    zone.replay.go(trace.index.entered(pruned))
    assert len(colours_in(qtbot, picture, around)) == 1, "nothing is drawn there"


def colours_in(qtbot: QtBot, picture: NodeLinkPicture, area: QRect) -> set[int]:
    image = shown(qtbot, picture, area)
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def test_the_legend_names_what_is_drawn(qtbot: QtBot, zone: Zone, picture: NodeLinkPicture) -> None:
    assert picture.subject is not None
    shown(qtbot, picture)
    bar, dot, dashed = "bar: pruned moves", "dot: whom its value is good for", "dashed: not finished"
    legend = zone.tree.legend.accessibleName()
    assert "square: MAX moves" in legend
    assert bar in legend
    assert dashed not in legend, "the search has ended"
    assert dot in legend, "there is no room for values"
    picture.zoom_at(60, QPointF(place(picture, 0)))
    shown(qtbot, picture)
    assert dot not in zone.tree.legend.accessibleName()
    zone.replay.go(1)
    shown(qtbot, picture)
    assert bar not in zone.tree.legend.accessibleName(), "nothing is pruned yet"


def test_of_a_large_tree_the_part_around_the_path_is_drawn(qtbot: QtBot, zone: Zone) -> None:
    zone.play(0)
    with qtbot.waitSignal(zone.analysis.finished, timeout=60_000):
        zone.think()
    with qtbot.waitSignal(zone.tree.links.drawn, timeout=60_000):
        zone.tree.choices.pictures[True].trigger()
        image = zone.tree.links.grab().toImage()
        seen = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        assert len(seen) > 1, "it says that it is being drawn"
    subject = zone.tree.links.subject
    assert subject is not None
    assert len(subject.trace) > SMALL >= len(subject.tree.x)
    assert zone.replay.row in subject.tree.x
    assert f"drawn: the {len(subject.tree.x):,} nodes after " in zone.tree_part.fact
    elsewhere = subject.trace.children(0)[-1]
    with qtbot.waitSignal(zone.tree.links.drawn, timeout=60_000):
        zone.replay.go_to_row(elsewhere + 1)
    drawing = zone.tree.drawing()
    assert drawing is not None
    assert 500 < drawing.size.width() <= 10_100
    assert "values are X's" in drawing.story
    assert drawing.story.count(": ") > 200, "the values"


def test_the_tree_of_a_paused_search_grows_with_each_step(qtbot: QtBot, zone: Zone) -> None:
    """Also where the path leaves the subtree that is drawn. At full speed the columns are shown until the end."""
    tree, analysis = zone.tree, zone.analysis
    tree.choices.pictures[True].trigger()
    analysis.change(algorithm="alphabeta")
    analysis.think(zone.record.game, zone.record.position, paused=True)
    tops = set()
    for nodes in (20, 1, 1, 3_000):
        analysis.step(nodes)
        visited = (0 if tree.links.subject is None else len(tree.links.subject.trace)) + nodes
        qtbot.waitUntil(
            lambda least=visited: tree.links.subject is not None and len(tree.links.subject.trace) >= least,
            timeout=60_000,
        )
        subject = tree.links.subject
        assert subject is not None
        assert tree.links.isVisible()
        end = tree.links._chain[-1]
        assert tree.links._chain == tuple(subject.trace.path(end))
        assert end in subject.trace.path(len(subject.trace) - 1), "the newest event has entered or left the last row"
        assert end in subject.tree.x, "the path's end is drawn"
        tops.add(subject.tree.top)
        at = place(tree.links, end)
        assert len({shown(qtbot, tree.links).pixel(at.x() + x, at.y()) for x in range(-9, 10)}) > 1, "it is painted"
    assert 0 in tops
    assert len(tops) > 1
    columns = list[bool]()
    analysis.phase_changed.connect(lambda: columns.append(tree.links.isHidden()))
    with qtbot.waitSignal(analysis.finished, timeout=60_000):
        analysis.resume()
    assert True in columns
    assert tree.links.isVisible()


def test_the_command_line_draws_a_subtree_and_refuses_a_large_tree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tree.svg"
    asked = ["tree", "--position", "x.o/.x./o..", "--algorithm", "alphabeta", "--picture", "node-link", "--svg"]
    assert run([*asked, str(file)]) == 0
    assert QSvgRenderer(str(file)).isValid()
    assert run(["tree", "--picture", "node-link", "--svg", str(file)]) == 2
    assert "choose a smaller subtree" in capsys.readouterr().err


JOBS = {
    "chance": Job(game="random-turn:3,3,3", position="xo./.x./.oo", algorithm="expectiminimax", backend="interpreted"),
    "pruned": Job(position="xo./.x./...", algorithm="alphabeta", backend="interpreted"),
}


@pytest.mark.parametrize(("step", "high"), [(30, 40), (30, 84), (46, 50), (70, 62)])
@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_no_text_lies_on_a_node_or_on_another_text(qtbot: QtBot, job: Job, step: int, high: int) -> None:
    trace = solve(replace(job, record=1_000)).trace
    assert trace is not None
    subject, scale = Subject(registry.game(job.game), trace, tidy_tree(trace, 0), False, False), Scale(step, high, ZERO)
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    drawn = NodeLinkPainter(painter, subject, scale, None)
    drawn.paint(QRectF(0, 0, 1e5, 1e4), ())
    painter.end()
    nodes = [scale.at(x, subject.ply(row)) for row, x in subject.tree.x.items()]
    texts: list[QRectF] = []
    for words, middle, _ in drawn._texts:
        texts.append(QRectF(0, 0, drawn._metrics.horizontalAdvance(words), drawn._metrics.ascent()))
        texts[-1].moveCenter(middle)
    assert texts
    boxes = [QRectF(0, 0, 2 * scale.half, 2 * scale.half) for _ in nodes]
    for box, middle in zip(boxes, nodes, strict=True):
        box.moveCenter(middle)
    for text in texts:
        assert not any(box.intersects(text) and not box.contains(text) for box in boxes)
        assert sum(other.intersects(text) for other in texts) == 1, "itself"


def test_until_the_tree_of_another_game_is_laid_out_the_one_before_keeps_its_own(
    qtbot: QtBot, picture: NodeLinkPicture
) -> None:
    """A search at full speed has no edges. When it was paused, its game was asked about the tree before."""
    before, other = picture.subject, registry.game("mnk:4,4,4")
    start = other.notation.format(other.start)
    trace = solve(Job(game=other.spec, position=start, backend="interpreted", limit=Limit(depth=1), record=100)).trace
    with qtbot.waitSignal(picture.drawn, timeout=60_000):
        picture.show_tree(other, trace)
        assert picture.subject == before
    assert picture.subject is not None
    assert (picture.subject.game, picture.subject.trace) == (other, trace)


def test_a_picture_that_cannot_be_painted_leaves_the_one_before(
    qtbot: QtBot, picture: NodeLinkPicture, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(qtbot, picture)
    before = picture._image
    monkeypatch.setattr(node_link, "NodeLinkPainter", None)
    picture.zoom_at(2, ZERO)
    with qtbot.waitSignal(picture._painting.failed):
        picture.grab()
        assert picture.is_behind
    assert not picture.is_behind
    assert picture._image is before


@pytest.mark.parametrize("step", [15, 18, 22, 46])
def test_a_value_in_a_node_leaves_its_outline(qtbot: QtBot, step: int) -> None:
    trace = solve(replace(JOBS["chance"], record=1_000)).trace
    assert trace is not None
    subject = Subject(registry.game("random-turn:3,3,3"), trace, tidy_tree(trace, 0), False, False)
    scale, pictures = Scale(step, 44, ZERO), []
    for has_values in (False, True):
        image = QImage(1_000, 400, QImage.Format.Format_Grayscale8)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        drawn = NodeLinkPainter(painter, subject, scale, None)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(drawn._edge)
        painter.setBrush(drawn._card)
        for row, x in () if has_values else subject.tree.x.items():
            box = QRectF(0, 0, 2 * scale.half, 2 * scale.half)
            box.moveCenter(scale.at(x, subject.ply(row)))
            drawn._paint_shape(row, box)
        if has_values:
            drawn.paint(QRectF(0, 0, 1_000, 400), ())
        painter.end()
        pictures.append(np.frombuffer(image.constBits(), np.uint8) < 250)
    outlines, whole = pictures
    assert outlines.any()
    assert not (outlines & ~whole).any()


def test_a_chance_node_is_as_high_as_others(qtbot: QtBot) -> None:
    result = solve(replace(JOBS["chance"], record=1_000))
    assert result.trace is not None
    subject = Subject(registry.game("random-turn:3,3,3"), result.trace, tidy_tree(result.trace, 0), False, False)
    scale, side = Scale(300, 300, ZERO), 300
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    NodeLinkPainter(painter, subject, scale, None)._paint_shape(0, QRectF(100, 100, 100, 100))
    painter.end()
    rows = [y for y in range(side) if image.pixelColor(side // 2, y) != Qt.GlobalColor.white]
    columns = [x for x in range(side) if image.pixelColor(x, side // 2) != Qt.GlobalColor.white]
    assert abs(rows[-1] - rows[0] - 100) <= 2
    assert abs(columns[-1] - columns[0] - 100 * DIAMOND) <= 2
