"""The dial searches the board's position in an order, and says and draws how many leaves that took."""

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.measure.ordering import Bounds, Detent, bounds, measure, plain, searches
from engine.options.catalogue import Limit
from engine.prewarm.background import compile_here
from engine.registry import game
from engine.trace.node_types import node_types
from gui.ordering.figures import DETENTS, Measured, in_words, leaves_figure
from gui.ordering.view import OrderingView
from gui.state.game_record import GameRecord
from gui.tree.icicle_colours import Colouring
from gui.window import Window
from gui.work.runner import left_behind
from tests.gui.shown import Shown


@pytest.fixture
def record() -> GameRecord:
    """A board whose kernels other tests have."""
    made = GameRecord(game("mnk:4,4,4"))
    made.set_computer(frozenset())
    made.new(made.game, made.game.notation.parse("xoxo/xoxo/ox../...."))
    return made


@pytest.fixture
def view(qtbot: QtBot, record: GameRecord, analysis: Shown) -> Iterator[OrderingView]:
    made = OrderingView(record, analysis)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def test_words_and_chart_say_what_was_measured() -> None:
    measured = Measured(Bounds(31_973, 351), {Detent.NATURAL: (1_203,), Detent.RANDOM: (900, 1_000, 800)})
    assert in_words(measured) == (
        "Alpha-beta with natural order visits 1,203 of minimax's 31,973 leaves. "
        "Alpha-beta with random order, seeds 1 to 3 visits 800 to 1,000 (median 900) of minimax's 31,973 leaves. "
        "Knuth and Moore's minimum of this tree is 351: no search proves the value with fewer."
    )
    figure = leaves_figure(measured)
    assert figure is not None
    minimax, minimum, found = figure.series
    assert (minimax.name, minimum.name) == ("minimax: 31,973", "minimum: 351")
    assert [round(10**y.value) for y in found.ys] == [1_203, 900]
    assert [round(10**end) for end in (found.ys[1].lower, found.ys[1].upper)] == [800, 1_000]
    assert found.xs == (1.0, 2.0)
    assert leaves_figure(Measured()) is None


def test_no_minimum_is_drawn_or_said_where_it_is_not_counted() -> None:
    figure = leaves_figure(Measured(Bounds(900, None)))
    assert figure is not None
    assert [series.name for series in figure.series] == ["minimax: 900"]
    assert in_words(Measured(Bounds(900, None))).startswith("The minimum is not counted")


def test_the_dial_searches_the_boards_position_in_its_order(view: OrderingView, analysis: Shown, qtbot: QtBot) -> None:
    analysis.change(limit=Limit(depth=4))
    assert view.tree is not None
    for search in (plain(view.tree), *searches(view.tree, Detent.WORST)):
        compile_here(search)  # in no process of its own, which takes a second to start
    qtbot.keyClick(view.dial, Qt.Key.Key_Left)
    assert view.detent is Detent.WORST
    assert view.is_measuring
    qtbot.waitUntil(lambda: not view.is_measuring, timeout=60_000)
    job = view.tree
    assert job is not None
    leaves, around = measure(job, Detent.WORST), bounds(job)
    assert leaves is not None
    assert around is not None
    said = f"Alpha-beta with worst first visits {leaves[0]} of minimax's {around.minimax} leaves."
    assert view.words.text() == said
    assert said in view.dial.accessibleDescription()
    assert str(around.minimum) in view.minimum.text()
    assert said in view.chart.accessibleDescription()

    view.measure(DETENTS)
    view.stop()
    assert not view.is_measuring
    view.measure((Detent.WORST,))
    assert not view.is_measuring, "what is known is not searched again"


def test_news_is_shown_once_an_event_loop_step_and_drawn_where_it_is_new(
    view: OrderingView, analysis: Shown, qtbot: QtBot
) -> None:
    """Otherwise a queue of news, each drawn anew, would make the window wait."""
    analysis.change(limit=Limit(depth=4))
    view.measure((Detent.WORST,))
    shown = list[str]()
    view.fact_changed.connect(shown.append)
    for number in range(3):
        view._on_progress(f"{number} searched")
    assert not shown
    qtbot.waitUntil(lambda: bool(shown))
    qtbot.waitUntil(lambda: not view.is_measuring, timeout=60_000)
    items = list(view.chart._item.items)
    view._show()
    assert all(now is before for now, before in zip(view.chart._item.items, items, strict=True))


def test_the_tree_of_the_dials_search_has_the_colours_of_its_types(window: Window, qtbot: QtBot) -> None:
    game, dial = window.record.game, window.ordering
    window.record.new(game, game.notation.parse("xo./.x./..o"))
    window.analysis.change(algorithm="minimax", deepen=True, limit=Limit(depth=3, nodes=7))
    form, depth = window.analysis.settings.form, window.analysis.settings.limit.depth
    assert dial.tree is not None
    compile_here(replace(searches(dial.tree, Detent.BEST)[0], record=window.analysis.settings.record))
    dial.dial.setValue(DETENTS.index(Detent.BEST))
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        qtbot.mouseClick(dial.tree_button, Qt.MouseButton.LeftButton)
    result = window.analysis.result
    assert result is not None
    assert result.job == replace(searches(dial.tree, Detent.BEST)[0], form=form, record=result.job.record)
    assert result.job.limit == Limit(depth=depth)
    assert window.tree.choices.colouring is Colouring.TYPE
    assert result.trace is not None
    rows = np.arange(len(result.trace), dtype=np.int32)
    assert node_types(result.trace, rows).all(), "best first visits no node without a type"


def test_a_large_position_and_a_finished_game_are_refused(
    view: OrderingView, record: GameRecord, analysis: Shown
) -> None:
    big = game("mnk:5,5,4")
    record.new(big, big.start)
    analysis.change(limit=Limit(depth=8))
    view.measure((Detent.NATURAL,))
    assert not view.is_measuring
    assert "minimax would take about" in view.words.text()
    assert not view.minimum.text(), "the figures of the earlier position are gone"
    small = game("tictactoe")
    record.new(small, small.notation.parse("xxx/oo./..."))
    assert view.words.text() == "The game is over: there is nothing to search."
    assert not view.dial.isEnabled()


def test_closed_while_its_kernels_are_compiled_it_ends_at_once(
    view: OrderingView, record: GameRecord, qtbot: QtBot
) -> None:
    """Kernels that a search compiles itself cannot be stopped for seconds."""
    unused = game("mnk:5,2,3")
    record.new(unused, unused.start)
    view.measure((Detent.NATURAL,))
    qtbot.waitUntil(lambda: "compiled for the first time" in view.words.text(), timeout=60_000)
    view.close()
    assert "comparison of orders" not in left_behind()
