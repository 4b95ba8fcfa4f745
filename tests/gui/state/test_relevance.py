"""The results of a search or a measurement name their position, and no action loses them."""

from collections.abc import Callable
from itertools import product

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from engine import registry
from engine.options.catalogue import Limit
from engine.result import End
from gui.access.text_view import TextView
from gui.speedup.chart import Chart
from gui.speedup.view import ChartPage
from gui.state.analysis import Phase
from gui.state.game_record import GameRecord
from gui.state.relevance import relevance
from gui.style.colours import PALETTES
from gui.style.theme import theme
from gui.tree.position_dialog import show_position
from gui.widgets.board_painter import paint_mark
from gui.widgets.card import Card
from gui.window import Window

LONG = 60_000
NOBODY: frozenset[int] = frozenset()
ALPHABETA_BELOW_A1 = 2_338
NODE = "values are X's · node 1,204"
"""The end of alpha-beta's principal variation."""
GAME = registry.game("tictactoe")


@pytest.fixture
def window(searched_window: Window) -> Window:
    return searched_window


def faded(window: Window) -> set[str]:
    """The faded cards; they fade in an event loop step of their own."""
    QApplication.processEvents()
    cards = {**window.drawers, "path": window.tree_zone}
    return {name for name, card in cards.items() if card.body.is_faded}


def fact(window: Window, name: str = "path") -> str:
    return {**window.drawers, "path": window.tree_zone}[name].title.fact


def open_figures(window: Window) -> None:
    """Open the drawers of figures, which do no work while they are hidden."""
    for name in ("workers", "figures"):
        window.drawers[name].show()


def record_after(*moves: int) -> GameRecord:
    made = GameRecord(GAME)
    for move in moves:
        made.play(move)
    return made


@pytest.mark.parametrize("computer", [frozenset({0}), frozenset({1}), frozenset({0, 1})])
def test_an_outcome_of_chance_is_no_move_of_the_computer(computer: frozenset[int]) -> None:
    game = registry.game("random-turn:3,3,3")
    record = GameRecord(game)
    record.set_computer(computer)
    record.new(game, lines=[(9,)])
    assert relevance(record, game, game.start).is_stale


def test_a_position_of_the_game_is_named_by_the_move_next_to_it() -> None:
    record = record_after(0, 4, 8)
    start, a1, b2, c3 = record.positions
    assert relevance(record, GAME, c3) == ("", "", False, (0, 4, 8))
    assert relevance(record, GAME, a1)[:3] == ("an earlier position, before O b2", "earlier position", True)
    assert relevance(record, GAME, b2).words == "an earlier position, before X c3"
    record.go_to(1)
    assert relevance(record, GAME, c3).words == "a later position, after X c3"
    assert relevance(record, GAME, start).words == "an earlier position, before X a1"


def test_the_position_that_the_computer_answered_is_named_and_not_stale() -> None:
    record = record_after(0, 4)
    record.set_computer(frozenset({1}))
    assert relevance(record, GAME, record.positions[1])[:3] == ("the position before O b2", "before O b2", False)
    record.play(8)
    assert relevance(record, GAME, record.positions[1]).is_stale


def test_a_position_of_a_variation_is_named_by_its_move_and_gone_to(window: Window) -> None:
    window.play(4)
    with_b2 = window.record.position
    window.record.go_to(1)
    window.play(8)
    assert relevance(window.record, GAME, with_b2)[:2] == ("a variation, after O b2", "variation")
    window.search.look_at(GAME, with_b2)
    assert window.record.moves == (0, 4)
    assert len(window.record.variations.lines) == 2


def test_a_position_of_no_moment_of_the_game_is_another() -> None:
    record = record_after(0)
    assert relevance(record, GAME, GAME.notation.parse("xo./.../...")).words == "another position"
    other = registry.game("mnk:4,4,4")
    assert relevance(record, other, record.position)[:3] == ("another game, 4 × 4, 4 in a row", "another game", True)


ELSEWHERE: dict[str, tuple[Callable[[Window], object], str]] = {
    "a move": (lambda window: window.play(4), "search of an earlier position, before O b2"),
    "undo": (lambda window: window.undo_action.trigger(), "search of a later position, after X a1"),
    "New": (lambda window: window.new_action.trigger(), "search of another position"),
    "another game": (lambda window: window.choose_game("mnk:4,3,3"), "search of another game, Tic-tac-toe"),
    "the editor": (
        lambda window: (window.board_panel.edit(), window.board_panel.draft.put(1, 1), window.board_panel.take()),  # pyright: ignore
        "search of another position",
    ),
    "the tour": (lambda window: window.tour.start(), "search of another position"),
}


def test_what_was_found_stays_and_says_of_what_it_is(window: Window) -> None:
    open_figures(window)
    before = window.path.rows, window.figures.figure("nodes"), window.workers.accessibleDescription()
    node = fact(window)
    assert node.startswith(f"{NODE} of {ALPHABETA_BELOW_A1:,}")
    for what, (go, words) in ELSEWHERE.items():
        assert faded(window) == set(), what
        go(window)
        after = window.path.rows, window.figures.figure("nodes"), window.workers.accessibleDescription()
        assert after == before, what
        assert faded(window) == {"path", "figures", "workers"}, f"{what}: the other cards are not of it"
        named = "" if window.analysis.settings.algorithm == "alphabeta" else "alpha-beta, serial · "
        assert fact(window) == f"{words} · {named}{node}", "the tour has chosen another algorithm"
        assert fact(window, "figures").startswith("of a"), what
        assert window.marks.show_button.isVisible(), what
        assert window.marks.search_button.isVisible(), what
        window.tour.leave()
        window.record.new(GAME, lines=[(0,)])


def test_a_game_that_is_over_is_not_offered_for_a_search(window: Window) -> None:
    for move in (1, 3, 4, 5, 7):
        assert not window.record.is_over
        window.play(move)
    button = window.marks.search_button
    assert window.record.is_over
    assert window.marks.show_button.isVisible()
    assert not button.isVisible()
    assert not window.think_action.isEnabled()
    window.undo_action.trigger()
    assert button.isVisible()
    window.redo_action.trigger()
    assert not button.isVisible()
    window.files._panel.edit()
    assert button.isVisible(), "the draft can be searched"
    window.files._panel.leave()
    assert not button.isVisible()


def test_the_searched_position_can_be_read_beside_the_buttons(qtbot: QtBot, window: Window) -> None:
    title = window.tree_zone.title
    for size, (spec, moves, name) in product(
        (QSize(1440, 900), QSize(1024, 680), QSize(900, 600)),
        (("tictactoe", (0, 4), "earlier position"), ("mnk:4,3,3", (), "another game")),
    ):
        window.resize(size)
        window.record.new(registry.game(spec), lines=[moves])
        window.replay.go(777)
        qtbot.waitUntil(lambda name=name: name in title.fact_shown and "…" not in title.fact_shown)


def test_what_was_found_is_as_it_was_when_its_position_comes_back(window: Window) -> None:
    before = fact(window)
    window.play(4)
    assert faded(window)
    window.undo_action.trigger()
    assert faded(window) == set()
    assert fact(window) == before
    assert not window.marks.show_button.isVisible()


def test_show_it_goes_to_the_moment_of_the_game_and_loses_no_move(qtbot: QtBot, window: Window) -> None:
    for move in (4, 8, 2):
        window.play(move)
    qtbot.mouseClick(window.marks.show_button, Qt.MouseButton.LeftButton)
    assert window.record.moves == (0,)
    assert window.record.line == (0, 4, 8, 2)
    assert faded(window) == set()


def test_show_it_opens_a_window_where_the_position_is_none_of_the_game(qtbot: QtBot, window: Window) -> None:
    window.new_action.trigger()
    window.play(4)
    qtbot.mouseClick(window.marks.show_button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(QDialog)
    assert dialog.windowTitle() == "x../.../..."
    assert window.record.line == (4,)
    dialog.close()


@pytest.mark.usefixtures("as_before")
def test_the_window_of_a_position_is_read_aloud_and_follows_the_theme(window: Window) -> None:
    show_position(window, window.record.game, window.record.position)
    (dialog,) = window.findChildren(QDialog)
    (board,) = dialog.findChildren(QLabel)
    assert board.accessibleName() == "Position"
    assert board.accessibleDescription().startswith("Row 1: X, empty, empty; Row 2: ")
    assert board.accessibleDescription().endswith("; O to move")
    before = board.grab().toImage().pixelColor(60, 60)
    theme().choose("dark")
    assert board.grab().toImage().pixelColor(60, 60) != before
    width = board.pixmap().deviceIndependentSize().width()
    theme().set_zoom(1.5)
    assert board.pixmap().deviceIndependentSize().width() == pytest.approx(1.5 * width, abs=2)
    dialog.close()


def test_show_it_does_not_let_the_computer_search_over_what_it_shows(qtbot: QtBot, window: Window) -> None:
    result = window.analysis.result
    window.undo_action.trigger()
    window.record.set_computer(frozenset({1}))
    qtbot.mouseClick(window.marks.show_button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(QDialog)
    dialog.close()
    assert window.analysis.result is result
    assert window.record.line == (0,)


def test_search_this_searches_the_position_on_the_board(qtbot: QtBot, window: Window) -> None:
    window.play(4)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        qtbot.mouseClick(window.marks.search_button, Qt.MouseButton.LeftButton)
    assert window.analysis.position == window.record.position
    assert faded(window) == set()


def test_search_this_replaces_a_paused_search_of_another_position(qtbot: QtBot, window: Window) -> None:
    run = window.analysis.runs[0]
    window.play(4)
    window.analysis.change(speed=20.0)
    window.search.search_again(run)
    window.pause_action.trigger()
    assert "search of an earlier position" in fact(window)
    qtbot.mouseClick(window.marks.search_button, Qt.MouseButton.LeftButton)
    assert window.analysis.phase is Phase.RUNNING
    assert window.analysis.position == window.record.position


def test_a_search_that_the_board_leaves_behind_stays_as_a_stopped_one(qtbot: QtBot, window: Window) -> None:
    open_figures(window)
    window.analysis.change(speed=200.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: bool(window.analysis.info and window.analysis.info.path), timeout=LONG)
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG) as finished:
        window.play(4)
        assert window.analysis.phase is Phase.IDLE
        assert window.analysis.info is not None, "what there is by now is not cleared"
    assert finished.args is not None
    assert finished.args[0].end is End.STOPPED
    assert faded(window) == {"path", "figures", "workers"}
    assert window.figures.figure("nodes") == f"{finished.args[0].info.counters.nodes:,}"
    assert fact(window, "figures").endswith("stopped")
    assert window.path.rows


def test_the_computers_answer_leaves_its_search_as_it_is_and_named(qtbot: QtBot, window: Window) -> None:
    window.new_action.trigger()
    window.record.set_computer(frozenset({1}))
    window.play(0)
    qtbot.waitUntil(lambda: len(window.record.moves) == 2, timeout=LONG)
    assert faded(window) == set()
    assert fact(window).startswith(f"the position before O b2 · {NODE} of ")
    assert not window.marks.show_button.isVisible()
    assert window.marks.search_button.isVisible()


def test_the_text_view_says_of_which_position_the_search_is(qtbot: QtBot, window: Window) -> None:
    window.drawers["text"].toggleViewAction().trigger()
    (view,) = window.findChildren(TextView)
    assert "THE SEARCH\nIt is of the position on the board.\nAlpha-beta" in view.toPlainText()
    with qtbot.waitSignal(view.textChanged):  # by a timer of 0 ms, which one `processEvents` may leave waiting
        window.play(4)
    assert "THE SEARCH\nIt is of an earlier position, before O b2.\nAlpha-beta" in view.toPlainText()


def test_no_spoilers_hides_no_less_of_a_faded_search(window: Window) -> None:
    open_figures(window)
    window.spoilers_action.trigger()
    window.play(4)
    assert faded(window) == {"path", "figures", "workers"}
    assert "values are hidden" in fact(window)
    assert window.figures.figure("best") == "hidden"


def test_a_measurement_is_of_its_position_and_of_its_settings(qtbot: QtBot, window: Window) -> None:
    for move in (4, 8, 2):
        window.play(move)
    with qtbot.waitSignal(window.speedup.measured, timeout=LONG):
        window.speedup.measure(repeats=3)
    button = window.measurement_marks.show_button
    assert "speedup" not in faded(window)
    window.play(6)
    assert "speedup" in faded(window)
    assert fact(window, "speedup").startswith("of an earlier position, before X a3 · ")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.record.moves == (0, 4, 8, 2)
    assert "speedup" not in faded(window)
    window.analysis.change(speed=50.0)
    assert "speedup" not in faded(window), "the speed is not measured"
    window.analysis.change(deepen=True)
    assert "speedup" not in faded(window), "expert options are not measured: it would be the same again"
    window.analysis.change(limit=Limit(depth=3))
    assert fact(window, "speedup").startswith("of other settings · ")
    assert not button.isVisible(), "its position is on the board"
    window.analysis.change(limit=Limit())
    assert "speedup" not in faded(window)
    assert window.speedup.page is ChartPage.MEASURED
    measured = window.speedup.experiment
    assert measured is not None
    window.speedup.tasks_requested.emit(replace(measured.job, split=2, limit=Limit(depth=4)))
    assert (window.analysis.settings.split, window.analysis.settings.limit) == (2, Limit(depth=4))
    assert "speedup" in faded(window)


def shown(qtbot: QtBot, view: QWidget) -> Card:
    """A card around a view, as the window shows it."""
    card = Card("view", "View", view)
    card.setStyleSheet(theme().style_sheet())
    qtbot.addWidget(card)
    card.set_fact("a fact")
    card.show()
    return card


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_the_chart_has_the_ground_of_its_card_faded_or_not(qtbot: QtBot, palette: str) -> None:
    """It stayed white on a faded card."""
    theme().choose(palette)
    chart = Chart()
    chart.setFixedSize(QSize(300, 200))
    card = shown(qtbot, chart)
    for is_faded, ground in ((False, theme().colours.card), (True, theme().colours.ground)):
        card.mark("of another position" if is_faded else "", "", is_faded)
        QApplication.processEvents()
        picture, corner = card.body.grab().toImage(), chart.mapTo(card.body, QPoint())
        for x, y in ((2, 197), (150, 100), (297, 40)):
            colour = picture.pixelColor(corner + QPoint(x, y))
            assert abs(colour.lightness() - QColor(ground).lightness()) < 3, (is_faded, x, y)
    theme().choose("light")


class Swatches(QWidget):
    """Every text colour, side by side."""

    NAMES = ("ink", "dim", "x", "o", "draw")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, name in enumerate(self.NAMES):
            painter.fillRect(QRect(place * 10, 0, 10, 10), theme().colour(name))
        painter.end()


def luminance(colour: QColor) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("palette", PALETTES)
def test_whatever_is_written_on_a_faded_card_can_be_read(qtbot: QtBot, palette: str) -> None:
    theme().choose(palette)
    view = Swatches()
    view.setFixedSize(QSize(50, 10))
    card = shown(qtbot, view)
    card.mark("of another position", "another position", True)
    QApplication.processEvents()
    picture, corner = card.body.grab().toImage(), view.mapTo(card.body, QPoint())
    ground = picture.pixelColor(corner + QPoint(25, 14))
    assert abs(ground.lightness() - QColor(theme().colours.ground).lightness()) < 3, "on the quiet ground"
    for place, name in enumerate(Swatches.NAMES):
        colour = picture.pixelColor(corner + QPoint(place * 10 + 5, 5))
        assert colour.hsvSaturation() == 0, "it is grey"
        low, high = sorted((luminance(colour), luminance(ground)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, name
    theme().choose("light")


def test_a_card_fades_in_an_event_loop_step_of_its_own(window: Window) -> None:
    """With a move's other changes it would take longer than a frame."""
    body = window.tree_zone.body
    window.play(4)
    assert fact(window).startswith("search of ")
    assert not body.is_faded
    QApplication.processEvents()
    assert body.is_faded
    window.record.undo()
    window.record.redo()
    QApplication.processEvents()
    assert body.is_faded
    window.record.undo()
    QApplication.processEvents()
    assert not body.is_faded


def test_a_title_is_as_high_with_its_buttons_as_without(window: Window) -> None:
    before = window.tree_zone.body.geometry()
    window.play(4)
    assert window.marks.show_button.isVisible()
    assert window.tree_zone.body.geometry() == before
    window.analysis.change(backend="threads")
    assert window.modes.thread_count.isVisible()
    assert window.tree_zone.body.geometry() == before, "nor does the number of threads need a row of its own"


def test_other_settings_are_said_to_wait_for_the_next_search(qtbot: QtBot, window: Window) -> None:
    open_figures(window)
    waiting = window.modes.waiting
    window.analysis.change(algorithm="minimax")
    assert not waiting.isVisible(), "nothing runs"
    window.analysis.change(speed=20.0)
    window.think_action.trigger()
    qtbot.waitUntil(lambda: window.analysis.info is not None, timeout=LONG)
    window.analysis.change(speed=30.0)
    assert not waiting.isVisible(), "the speed acts at once"
    window.modes.algorithms["alphabeta"].trigger()
    assert waiting.isVisible()
    assert waiting.text() == "from the next search"
    assert "minimax, serial, continues as it began" in waiting.toolTip()
    assert fact(window, "figures").startswith("minimax · serial")
    window.modes.algorithms["minimax"].trigger()
    assert not waiting.isVisible(), "what runs is what is chosen"
    window.modes.backends["threads"].trigger()
    assert waiting.isVisible()
    with qtbot.waitSignal(window.analysis.finished, timeout=LONG):
        window.stop_action.trigger()
    assert not waiting.isVisible()


class Discs(QWidget):
    """A disc of each player on a rack, as small as on the boards of the path."""

    SIDE = 10

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, view = QPainter(self), registry.game("connect-four").view
        painter.fillRect(self.rect(), theme().colour("plate"))
        for player in range(2):
            paint_mark(painter, QRectF(player * self.SIDE, 0, self.SIDE, self.SIDE), view, player)
        painter.end()


@pytest.mark.parametrize("palette", PALETTES)
def test_discs_on_a_faded_card_are_told_apart_by_a_ring(qtbot: QtBot, palette: str) -> None:
    theme().choose(palette)
    view, side = Discs(), Discs.SIDE
    view.setFixedSize(QSize(2 * side, side))
    card = shown(qtbot, view)
    card.mark("of another position", "another position", True)
    QApplication.processEvents()
    picture, corner = card.body.grab().toImage(), view.mapTo(card.body, QPoint())
    for player, is_ringed in ((0, True), (1, False)):
        middle = corner + QPoint(player * side + side // 2, side // 2)
        row = [picture.pixelColor(middle + QPoint(x, 0)) for x in range(-2, 3)]
        assert all(colour.hsvSaturation() == 0 for colour in row), "grey"
        low, high = min(map(luminance, row)), max(map(luminance, row))
        assert ((high + 0.05) / (low + 0.05) > 1.5) == is_ringed
    theme().choose("light")
