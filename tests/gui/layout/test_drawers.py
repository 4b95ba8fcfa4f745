"""The window keeps the size that a person gave it, one drawer of a stack is open at a time, and the board's squares
stay where they are, whatever opens and whatever text is below them. Where there is no room for the board and a drawer,
the drawer has its place."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSettings, QSize, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from engine.measure.experiment import Mode
from engine.measure.speedup import Progress
from gui.board.moves import line_height
from gui.board.remarks import Remarks
from gui.layout.arrangements import LECTURE_ZOOM
from gui.layout.drawers import BOARD_WIDTH, NARROW, SHORT, SMALL_BOARD_WIDTH
from gui.speedup.view import ChartPage
from gui.style.theme import theme
from gui.tree.path_layout import least_height
from gui.widgets.actions import entries
from gui.widgets.card import LEAST_WIDTH
from gui.widgets.elided import ElidedLabel
from gui.window import Window
from tests.gui.conftest import delete_closed
from tests.gui.exposed import expose

SMALL = QSize(1024, 680)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    theme().choose("light")
    made = Window()
    expose(qtbot, made, SMALL.width(), SMALL.height())
    made.record.set_computer(frozenset())
    settle()
    yield made
    made.close()
    delete_closed()
    theme().set_zoom(1.0)


def settle() -> None:
    for _ in range(20):
        QApplication.processEvents()


def test_a_window_that_was_large_comes_back_to_its_size(window: Window) -> None:
    low, large, larger = QSize(900, 600), QSize(1440, 900), QSize(1920, 1080)
    for size in (SMALL, larger, SMALL, large, SMALL, low, larger, low, large, low):
        window.resize(size)
        settle()
        assert window.size() == size, "what a large window needs at least does not keep it from being a small one"


def test_a_window_that_grew_with_the_zoom_comes_back_with_it(qtbot: QtBot, window: Window) -> None:
    """Unless a size is chosen while it is large."""
    for chosen in (SMALL, QSize(1500, 900)):
        theme().set_zoom(2.0)
        qtbot.waitUntil(lambda: window.width() > SMALL.width())
        settle()
        if chosen != SMALL:
            window.resize(chosen)
            settle()
        theme().set_zoom(1.0)
        settle()
        qtbot.waitUntil(lambda chosen=chosen: window.size() == chosen)


def opened(window: Window) -> list[str]:
    """The names of the open drawers."""
    return [name for name, card in window.drawers.items() if card.isVisible()]


def test_one_drawer_of_a_stack_is_open_and_the_board_stays(qtbot: QtBot, window: Window) -> None:
    assert opened(window) == [], "what teaches is seen: the board and the tree"
    assert window.path.isVisible()
    window.resize(1440, 900)
    settle()
    square, zone = window.board.square_rect(8), window.tree_zone.width()
    window.drawers["options"].toggleViewAction().trigger()
    qtbot.waitUntil(lambda: window.tree_zone.width() < zone)
    window.drawers["speedup"].toggleViewAction().trigger()
    qtbot.waitUntil(lambda: opened(window) == ["speedup"])
    runs, speedup = window.drawers["runs"], window.drawers["speedup"]
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, runs, Qt.Orientation.Vertical)
    runs.show()
    settle()
    assert opened(window) == ["speedup", "runs"], "one that was dragged out of the stack stands beside it"
    assert window.board.square_rect(8) == square
    speedup.toggleViewAction().trigger()
    runs.toggleViewAction().trigger()
    settle()
    assert opened(window) == []
    assert window.tree_zone.width() == zone
    assert window.board.square_rect(8) == square


def test_a_window_comes_back_to_its_size_though_the_zoom_changed(qtbot: QtBot, window: Window) -> None:
    fillings = Qt.WindowState.WindowMaximized, Qt.WindowState.WindowFullScreen
    for filling, (before, meanwhile) in zip(fillings, ((1.0, 2.0), (2.0, 1.0)), strict=True):
        theme().set_zoom(before)
        settle()
        window.setWindowState(filling)
        settle()
        theme().set_zoom(meanwhile)
        settle()
        window.setWindowState(Qt.WindowState.WindowNoState)
        settle()
        small = window.size() == SMALL
        assert small == (meanwhile == 1.0), f"{filling}, {before}: as small as it was, as far as the zoom lets it"
        theme().set_zoom(1.0)
        qtbot.waitUntil(lambda: window.size() == SMALL)
        settle()


def test_a_window_is_small_that_is_narrow_or_low(qtbot: QtBot, window: Window) -> None:
    px, large = theme().px, ((NARROW + 200, SHORT + 200), BOARD_WIDTH)
    narrow, low = ((size, SMALL_BOARD_WIDTH) for size in ((NARROW - 10, SHORT + 200), (NARROW + 200, SHORT - 10)))
    for size, wide in (large, narrow, large, low):
        window.resize(*map(px, size))
        least = window.board_card.minimumSizeHint().width()
        qtbot.waitUntil(lambda wide=wide, least=least: window.board_card.width() == max(px(wide), least))


def test_reset_layout_closes_the_drawers_and_brings_the_board_back(qtbot: QtBot, window: Window) -> None:
    window.resize(1440, 900)
    settle()
    before = window.board_card.geometry()
    for name in ("figures", "runs"):
        window.drawers[name].setFloating(True)
        window.drawers[name].show()
    window.board_card.hide()
    window.resizeDocks([window.board_card], [500], Qt.Orientation.Horizontal)
    settle()
    assert opened(window) == ["runs", "figures"]
    (reset,) = (made for where, made in entries(window) if where.endswith("Reset layout"))
    reset.trigger()
    qtbot.waitUntil(lambda: opened(window) == [] and window.board_card.geometry() == before)
    assert not window.drawers["runs"].isFloating()


def test_an_arrangement_opens_its_drawers_and_its_zoom_goes_with_it(qtbot: QtBot, window: Window) -> None:
    window.resize(1440, 900)
    settle()
    playing, watching, comparing, measuring, lecture, reset = window.arrangements.actions()
    usual = window.board_card.width()
    for made, names in ((comparing, {"runs", "figures"}), (measuring, {"speedup", "workers"}), (lecture, set())):
        made.trigger()
        qtbot.waitUntil(lambda names=names: set(opened(window)) == names)
    assert theme().zoom == LECTURE_ZOOM
    assert window.path.isVisible()
    assert window.board.isVisible()
    watching.trigger()
    qtbot.waitUntil(lambda: window.board_card.width() == usual)
    assert theme().zoom == 1.0
    lecture.trigger()
    assert theme().zoom == LECTURE_ZOOM
    reset.trigger()
    assert theme().zoom == 1.0
    playing.trigger()
    qtbot.waitUntil(lambda: window.board_card.width() > 1.5 * usual)


def test_after_a_lecture_the_board_has_its_usual_width(qtbot: QtBot, window: Window) -> None:
    _, watching, comparing, measuring, *_, lecture, _ = window.arrangements.actions()
    small, large = QSize(900, 600), QSize(1440, 900)
    for size, after in (small, comparing), (large, measuring):
        window.resize(size)
        watching.trigger()
        settle()
        usual = window.board_card.width()
        lecture.trigger()
        qtbot.waitUntil(lambda usual=usual: window.board_card.width() > usual)
        settle()
        after.trigger()
        qtbot.waitUntil(lambda usual=usual: window.board_card.width() == usual)


def test_a_notice_does_not_cover_whose_turn_it_is(window: Window) -> None:
    notice = window.board_panel.notice
    for size, zoom in ((SMALL, 1.0), (QSize(900, 600), 1.0), (SMALL, 1.5)):
        theme().set_zoom(zoom)
        window.resize(size)
        settle()
        for text in ("x.../.o../..../....", "x....../" * 6 + "......o", "xx./.../...", "1. a1 a1"):
            notice.dismiss.click()
            window.files.clipboard.take_text(text)
            settle()
            assert notice.isVisible(), text
            assert notice.y() >= window.board.y() + window.board.verdict_bottom, (size, zoom)
            assert window.board_panel.rect().contains(notice.geometry()), (size, zoom)
            if not notice.button.isHidden():
                assert notice.rect().contains(notice.button.geometry()), (size, zoom)
            assert notice.rect().contains(notice.dismiss.geometry()), (size, zoom)


def test_the_board_stays_as_large_as_it_is_whatever_comes_and_goes(qtbot: QtBot, window: Window) -> None:
    record, hints, panel = window.record, window.hints, window.board_panel

    def stays(square: QRect) -> bool:
        settle()
        return window.board.square_rect(8) == square

    for size, zoom in ((1440, 900), 1.0), ((900, 600), 1.0), ((1024, 680), 1.5):
        record.new()
        theme().set_zoom(zoom)
        window.resize(*size)
        settle()
        square = window.board.square_rect(8)
        assert square.width() > 20
        for move in (0, 1, 4, 2):
            window.play(move)
            assert stays(square)
        window.values_action.trigger()
        assert stays(square)
        qtbot.waitUntil(lambda: window.move_values.best_of(record.game, record.position) is not None, timeout=60_000)
        for _ in range(4):
            window.hint_action.trigger()
            assert stays(square), hints.step
            if hints.why:
                assert panel.foot.rect().contains(afterword(window).geometry())
                assert panel.moves.height() >= line_height()
        window.values_action.trigger()
        panel.edit()
        assert panel.draft is not None
        for cell in (0, None, 0, 0):
            panel.draft.put(3, cell)
            assert stays(square)
            assert panel.editor.geometry().top() >= square.bottom()
            assert panel.rect().contains(panel.editor.geometry())
        panel.leave()
        window.play(8)
        qtbot.waitUntil(lambda: bool(window.review.words), timeout=60_000)
        assert stays(square)
        assert afterword(window).height() > 0
        for ply, move in ((3, 5), (2, 6), (0, 7)):
            record.go_to(ply)
            window.play(move)
            assert stays(square), "variations"
        window.files.new()
        window.opponent.hold()
        record.set_computer(frozenset({0, 1}))
        window.opponent.hold()
        assert stays(square), "the button that pauses a game"
        record.set_computer(frozenset())
        window.play(0)
        with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
            window.think()
        assert stays(square)


def afterword(window: Window) -> Remarks:
    found = window.findChild(Remarks)
    assert found is not None
    return found


def cut(window: Window) -> list[str]:
    """What is wider than its place: figures at the foot, and the fields of the open drawers."""
    made: list[QWidget] = [chip for chip in window.strip.chips.values() if chip.isVisible()]
    cut_off = [each for each in made if each.width() < each.minimumSizeHint().width()]
    areas = [each for card in window.drawers.values() for each in card.findChildren(QScrollArea)]
    for area in filter(QScrollArea.isVisible, areas):
        for each in area.widget().findChildren(QWidget):
            if each.isVisible() and not isinstance(each, ElidedLabel):
                right = each.mapTo(area.widget(), each.rect().topRight()).x()
                if right > area.viewport().width() or each.width() < each.minimumSizeHint().width():
                    cut_off.append(each)
    return [each.accessibleName() or str(each) for each in cut_off]


def test_no_drawer_makes_a_small_window_grow_and_nothing_is_cut(qtbot: QtBot, searched_window: Window) -> None:
    window, size = searched_window, QSize(900, 600)
    window.analysis.change(algorithm="alphabeta", backend="threads", workers=2)
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think()
    window.resize(size)
    for drawer in window.drawers.values():
        drawer.show()
        qtbot.waitUntil(drawer.isVisible)
        settle()
        qtbot.waitUntil(lambda: window.size() == size and cut(window) == [])
    chips = [chip for chip in window.strip.chips.values() if chip.isVisible()]
    assert len(chips) == len(window.strip.chips)
    window.drawers["speedup"].show()
    window.speedup.choose()
    settle()
    qtbot.waitUntil(lambda: window.size() == size and cut(window) == [])
    progress = Progress(8_888, 10_000, Mode("alphabeta", "threads", 1_024), left=3_599.0)
    window.speedup._running.tell("alpha-beta · 1024 threads", progress)
    window.speedup._go(ChartPage.RUNNING)
    settle()
    assert window.size() == size
    window.speedup._go(ChartPage.EMPTY)


def test_a_drawer_of_a_zoomed_window_has_the_place_of_the_board(qtbot: QtBot, searched_window: Window) -> None:
    window = searched_window
    theme().set_zoom(LECTURE_ZOOM)
    for size in (SMALL, QSize(900, 600)):
        window.resize(size)
        settle()
        window.board.setFocus()
        for drawer in window.drawers.values():
            drawer.toggleViewAction().trigger()
            qtbot.waitUntil(lambda drawer=drawer: opened(window) == [drawer.objectName()])
            settle()
            assert window.size() == size
            assert window.board_card.isHidden()
            assert drawer.width() >= theme().px(LEAST_WIDTH)
            assert cut(window) == []
        drawer.toggleViewAction().trigger()
        qtbot.waitUntil(window.board_card.isVisible)
        settle()
        assert window.size() == size
        assert window.focusWidget() is window.board, "moves can be typed on"


def test_no_arrangement_makes_a_small_window_grow(qtbot: QtBot, searched_window: Window) -> None:
    window, low = searched_window, QSize(900, 600)
    window.resize(low)
    settle()
    every = window.arrangements.actions()
    for zoom, chosen in ((LECTURE_ZOOM, every), (1.0, every[::4])):  # smaller texts need less
        for made in chosen:
            theme().set_zoom(zoom)
            made.trigger()
            settle()
            qtbot.waitUntil(lambda: window.size() == low)
            assert window.path.isVisible(), (zoom, made.text())


def test_the_board_that_gave_way_takes_the_place_of_the_drawer(qtbot: QtBot, window: Window) -> None:
    theme().set_zoom(LECTURE_ZOOM)
    settle()
    window.drawers["code"].toggleViewAction().trigger()
    qtbot.waitUntil(lambda: opened(window) == ["code"] and window.board_card.isHidden())
    window.board_card.toggleViewAction().trigger()
    qtbot.waitUntil(lambda: opened(window) == [] and window.board_card.isVisible())
    window.board_card.toggleViewAction().trigger()
    for _ in range(2):
        window.drawers["code"].toggleViewAction().trigger()
        settle()
    assert window.board_card.isHidden(), "as the person wants it"


def test_the_board_that_gave_way_comes_back_in_a_larger_window(qtbot: QtBot, window: Window) -> None:
    window.drawers["code"].toggleViewAction().trigger()
    settle()
    assert window.board_card.isVisible()
    theme().set_zoom(LECTURE_ZOOM)
    qtbot.waitUntil(window.board_card.isHidden)
    qtbot.waitUntil(lambda: window.size() == SMALL)
    window.resize(1440, 900)
    qtbot.waitUntil(window.board_card.isVisible)
    assert opened(window) == ["code"]


@pytest.mark.usefixtures("as_before")
def test_after_a_start_the_board_comes_back_when_its_drawer_closes(qtbot: QtBot, tmp_path: Path) -> None:
    settings = QSettings(f"{tmp_path}/plyscope.ini", QSettings.Format.IniFormat)
    theme().set_zoom(LECTURE_ZOOM)
    for number in range(2):
        made = Window(settings)
        expose(qtbot, made, SMALL.width(), SMALL.height())
        settle()
        code = made.drawers["code"]
        code.toggleViewAction().trigger()
        qtbot.waitUntil(lambda code=code, number=number: code.isVisible() == (number == 0))
        qtbot.waitUntil(lambda made=made, number=number: made.board_card.isVisible() == (number == 1))
        made.close()


def test_a_zoomed_window_and_its_title_bar_fit_into_a_small_screen(qtbot: QtBot, searched_window: Window) -> None:
    """A title bar of 15 pixels, with the tree's controls in four rows. The tree is folded while it has no room."""
    window = searched_window
    window.resize(900, 600)
    settle()
    assert window.tree_part.isVisible()
    theme().set_zoom(LECTURE_ZOOM)
    qtbot.waitUntil(window.tree_part.isHidden)
    settle()
    assert window.width() == 900
    assert window.minimumSizeHint().height() <= 585
    assert window.path.height() >= least_height(1)
    window.resize(900, 585)
    settle()
    assert window.path.height() >= least_height(1)
    window.resize(900, 800)
    qtbot.waitUntil(window.tree_part.isVisible)
    qtbot.waitUntil(lambda: window.tree.picture.height() > 0)
