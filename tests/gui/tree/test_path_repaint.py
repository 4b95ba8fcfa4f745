"""Only the rows of the path that have changed are painted again, and what is on the screen is the whole picture."""

import random
import statistics

import pytest
from PySide6.QtCore import QAbstractAnimation, QEvent, QObject, QPoint, QRect
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine import backends
from engine.job import Job
from engine.options.catalogue import Limit
from engine.registry import game
from engine.trace.widths import Width
from gui.layout.tree_zone import TreeZone
from gui.style.theme import theme
from gui.tree.icicle import WholeTree
from gui.window import Window

ANY = random.Random(5)
ULTIMATE = game("ultimate").notation.format(game("ultimate").start)


def on_screen(window: Window) -> QImage:
    """The pixels of the path, the whole tree and its legend as they were painted last."""
    QApplication.processEvents()
    zone = window.findChild(TreeZone)
    place = QRect(zone.mapTo(window, QPoint(0, 0)), zone.size())
    return window.screen().grabWindow(window.winId(), *place.getRect()).toImage()


def painted_anew(window: Window) -> QImage:
    """The same after each part of them was painted whole."""
    zone = window.findChild(TreeZone)
    for part in (zone, *zone.findChildren(QWidget)):
        part.update()
    return on_screen(window)


JOBS = (
    Job(position="x../.../...", algorithm="alphabeta", record=20_000),
    Job(position="x.o/.../...", algorithm="minimax", record=20_000),
    Job(position=".../.../...", algorithm="pvs", record=50_000),
    Job(game="ultimate", position=ULTIMATE, backend="interpreted", record=50_000, limit=Limit(2)),
)


@pytest.mark.usefixtures("interpreted")
def test_what_is_painted_of_a_moment_is_all_that_has_changed(qtbot: QtBot, window: Window) -> None:
    """The last ones with values that fade in."""
    window.resize(1000, 900)  # as high as usual, for a line from a cut leads far
    whole = window.findChild(WholeTree)
    for job in JOBS:
        theme().set_motion(False)
        if job.game == "ultimate":
            window.tree.choices.widths[Width.VISITED].trigger()  # the others need its kernels
        chosen, result = game(job.game), backends.solve(job)
        window.record.new(chosen, chosen.notation.parse(job.position))  # that of another position is one faded image
        window.analysis.recall(result)
        qtbot.waitUntil(lambda result=result: window.replay.trace is result.trace)
        moment, cuts = ANY.randrange(window.replay.last), window.replay.cutoffs.tolist()
        for number in range(9):
            moment = ANY.choice((moment + 1, moment - 1, moment + 7, ANY.randrange(window.replay.last)))
            if cuts and number % 2:  # a line leads to its cause, until the next moment
                moment = ANY.choice(cuts)
            window.replay.go(max(0, moment))
            if number == 3 and job in (JOBS[0], JOBS[-1]):
                with qtbot.waitSignal(window.styler.finished):
                    theme().choose("light" if theme().choice == "safe light" else "safe light")
            if number == 6:
                theme().set_motion(True)
            qtbot.waitUntil(lambda: window.path._fade.state() is QAbstractAnimation.State.Stopped)
            qtbot.waitUntil(lambda: not whole.shape.is_computing and not whole.picture.is_behind, timeout=60_000)
            shown = on_screen(window)
            assert shown == painted_anew(window), f"{job.game}, {job.algorithm}, moment {moment}"
        assert shown.width() > 400


def test_a_picture_has_the_ground_of_its_card(qtbot: QtBot, window: Window) -> None:
    """Also where the card is faded, for its search is of another position."""
    window.analysis.recall(backends.solve(Job(position="x../.../...", algorithm="alphabeta", record=20_000)))
    picture, body = window.path._picture, window.findChild(TreeZone).body
    for colours in ("dark", "light"):
        with qtbot.waitSignal(window.styler.finished):
            theme().choose(colours)
        for position in (".../.../...", "x../.../..."):
            window.record.new(window.record.game, window.record.game.notation.parse(position))
            QApplication.processEvents()
            assert body.is_faded is (position == ".../.../...")
            shot, seen = window.grab().toImage(), picture.visibleRegion().boundingRect()
            inside, edge = picture.mapTo(window, seen.bottomRight()), body.mapTo(window, QPoint(12, 4))
            assert shot.pixelColor(inside) == shot.pixelColor(edge), f"{colours}, {position}"


def test_a_card_that_fades_or_comes_back_is_painted_whole(qtbot: QtBot, window: Window) -> None:
    """Qt leaves out the opaque views of a card that is given an effect: the tree kept its colours."""
    window.analysis.recall(backends.solve(Job(position="x../.../...", algorithm="alphabeta", record=20_000)))
    whole, body = window.tree, window.findChild(TreeZone).body
    for position in (".../.../...", "x../.../..."):
        window.record.new(window.record.game, window.record.game.notation.parse(position))
        qtbot.waitUntil(lambda: not whole.shape.is_computing and not whole.picture.is_behind, timeout=60_000)
        qtbot.waitUntil(lambda faded=position == ".../.../...": body.is_faded is faded)
        shown = on_screen(window)
        assert shown == painted_anew(window), position


class Painted(QObject):
    """Notes the areas of a widget that are painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.areas: list[QRect] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.areas.append(event.region().boundingRect())
        return False


def test_a_step_paints_only_the_rows_that_have_changed(window: Window) -> None:
    """Most steps leave the first rows as they are, where the path does not scroll; what lies behind the
    fact is never painted."""
    theme().set_motion(False)
    window.resize(1440, 1200)
    window.analysis.recall(backends.solve(Job(position=".../.../...", algorithm="alphabeta", record=20_000)))
    window.replay.go(200)
    QApplication.processEvents()
    picture = window.path._picture
    painted, behind = Painted(picture), Painted(window.tree_zone.header)
    for moment in range(201, 221):
        window.replay.go(moment)
        QApplication.processEvents()
    assert len(painted.areas) >= 20
    assert statistics.median(area.top() for area in painted.areas) > 2 * picture.measures.pitch
    assert not behind.areas
