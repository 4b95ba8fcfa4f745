"""The strip under a zoomed whole tree: its frame stands for the part on display, and the mouse moves it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.trace.record import Trace
from engine.trace.widths import Width
from gui.style.theme import theme
from gui.tree.icicle_colours import Colouring, Look
from gui.tree.icicle_minimap import Minimap
from gui.tree.icicle_painter import Moment
from gui.tree.icicle_picture import TreePicture

WIDE = 600
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(scope="module")
def trace() -> Trace:
    job = Job(position="x../.../...", algorithm="alphabeta", backend="interpreted", record=10_000)
    found = backends.solve(job).trace
    assert found is not None
    return found


@pytest.fixture
def minimap(trace: Trace, qtbot: QtBot) -> Iterator[Minimap]:
    """Under a picture of 600 pixels for 2,338 nodes, by visited nodes, that has been shown as a whole."""
    theme().choose("light")
    page = QWidget()
    qtbot.addWidget(page)
    picture = TreePicture()
    made = Minimap(picture)
    for view, top, height in ((picture, 0, 100), (made, 100, made.sizeHint().height())):
        view.setParent(page)
        view.setGeometry(0, top, WIDE, height)
    picture.show_places(trace.places(Width.VISITED))
    picture.show_look(Look(registry.game("tictactoe"), trace))
    page.show()
    qtbot.waitUntil(lambda: not picture.is_behind)
    page.grab()
    assert made.isHidden()
    yield made
    picture.runner.close()
    page.close()  # and held until now


def test_a_drag_of_the_frame_pans_and_a_click_centres(minimap: Minimap, trace: Trace, qtbot: QtBot) -> None:
    picture, high, whole = minimap._picture, minimap.height() // 2, len(trace)
    picture.zoom_to(0, whole / 4)
    assert minimap.isVisible()
    frame = minimap.frame()
    assert (frame.left(), frame.right()) == (0, pytest.approx(WIDE / 4))
    qtbot.mousePress(minimap, LEFT, pos=QPoint(20, high))
    assert picture.span == (0, whole / 4), "a press in the frame leaves it where it is"
    qtbot.mouseMove(minimap, QPoint(20 + WIDE // 2, high))
    assert picture.span == (pytest.approx(whole / 2), pytest.approx(whole * 3 / 4))
    qtbot.mouseMove(minimap, QPoint(WIDE + 500, high))
    assert picture.span == (pytest.approx(whole * 3 / 4), pytest.approx(whole)), "no further than the record"
    qtbot.mouseRelease(minimap, LEFT, pos=QPoint(WIDE + 500, high))
    qtbot.mouseMove(minimap, QPoint(40, high))
    assert picture.span.end == pytest.approx(whole), "released"
    qtbot.mouseClick(minimap, LEFT, pos=QPoint(WIDE // 4, high))
    assert picture.span == (pytest.approx(whole / 8), pytest.approx(whole * 3 / 8))
    picture.zoom_to(1_000, 1_008)
    assert minimap.frame().width() == 6, "it can still be grabbed"
    picture.show_all()
    assert minimap.isHidden()


def test_a_picture_is_seen_until_the_next_one_is_made(minimap: Minimap, trace: Trace, qtbot: QtBot) -> None:
    picture = minimap._picture
    before, point = picture.grab().toImage(), QPoint(WIDE // 2, 5)
    assert picture.row_at(QPointF(point)) is not None
    picture.show_look(Look(registry.game("tictactoe"), trace, None, Colouring.TIME))
    assert picture.is_behind
    assert picture.grab().toImage() == before
    assert picture.row_at(QPointF(point)) is None, "the picture before tells no row of this record"
    qtbot.waitUntil(lambda: not picture.is_behind)
    assert picture.grab().toImage() != before
    picture.show_places(None)
    picture.show_look(None)
    qtbot.waitUntil(lambda: not picture.is_behind)
    assert picture.grab().toImage().pixelColor(point) == minimap.palette().window().color()


def test_a_picture_that_no_longer_fits_is_made_when_it_is_painted(minimap: Minimap, trace: Trace, qtbot: QtBot) -> None:
    picture = minimap._picture
    picture.show_look(Look(registry.game("tictactoe"), trace, None, Colouring.TIME))
    picture._soon.stop()
    with qtbot.waitSignal(picture.runner.finished):
        picture._begin()
        picture.zoom_to(0, len(trace) / 4)
    picture.grab()
    assert picture._picture is not None
    assert picture._picture._span == picture.span


def test_it_is_the_whole_tree_at_the_moment_of_the_picture(minimap: Minimap, trace: Trace, qtbot: QtBot) -> None:
    picture, row = minimap._picture, len(trace) // 2
    kept = picture._picture
    picture.zoom_to(0, len(trace) / 4)
    picture.grab()
    minimap.grab()
    assert picture.whole_picture() is kept, "not painted a second time"
    assert picture._picture is not kept
    ink, card = theme().colour("ink"), theme().colour("card")
    for moment in (None, Moment(row, tuple(trace.path(row)))):
        picture.moment = moment
        image = minimap.grab().toImage()
        middle = minimap.height() // 2
        assert image.pixelColor(0, middle) == ink, "the frame"
        assert image.pixelColor(WIDE // 4 - 2, middle) == ink
        beyond = {image.pixelColor(x, 4).name() for x in range(WIDE // 2 + 5, WIDE - 2)}
        assert (beyond == {card.name()}) == (moment is not None), "not visited yet"
    picture.show_look(Look(registry.game("tictactoe"), trace, None, Colouring.TIME))
    qtbot.waitUntil(lambda: not picture.is_behind)
    minimap.grab()
    assert minimap._whole is picture.whole_picture() is not kept, "in the new colours"
