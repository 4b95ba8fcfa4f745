"""A search too large to end soon does not begin at once: a notice has its size, and offers limits."""

from itertools import product

import pytest
from pytestqt.qtbot import QtBot

from engine.options.catalogue import Limit
from gui.window import Window

LONG = 60_000


@pytest.fixture
def window(window: Window) -> Window:
    window.choose_game("mnk:7,7,5")
    return window


def test_it_says_the_size_and_begins_nothing(window: Window) -> None:
    sizes = {"minimax": "3 × 10⁶²", "alphabeta": "4 × 10⁴⁰"}
    for algorithm, backend in product(sizes, ("serial", "threads", "mpi")):
        window.analysis.change(algorithm=algorithm, backend=backend)
        assert not window.size_notice.isVisible(), "it was of other options"
        window.think_action.trigger()
        assert not window.analysis.is_searching
        assert window.size_notice.isVisible()
        assert f"about {sizes[algorithm]} nodes, by an estimate" in window.size_notice.accessibleName()


def test_a_button_begins_the_search_with_its_limit_for_this_once(qtbot: QtBot, window: Window) -> None:
    notice = window.size_notice
    for button, limit in (
        (notice.depth_button, Limit(depth=5)),
        (notice.seconds_button, Limit(seconds=10.0)),
        (notice.anyway_button, Limit()),
    ):
        window.think_action.trigger()
        with qtbot.waitSignal(window.analysis.started, timeout=LONG):
            button.click()
        assert window.analysis.is_running
        assert window.analysis.job is not None
        assert window.analysis.job.limit == limit
        assert window.analysis.settings.limit == Limit()
        assert not notice.isVisible()
        window.stop_action.trigger()
        qtbot.waitUntil(lambda: not window.analysis.is_searching, timeout=LONG)


def test_it_goes_when_cancelled_or_with_another_position_or_limit(window: Window) -> None:
    for happens in (
        window.size_notice.cancel_button.click,
        lambda: window.play(0),
        lambda: window.analysis.change(limit=Limit(depth=3)),
    ):
        window.think_action.trigger()
        assert window.size_notice.isVisible()
        happens()
        assert not window.size_notice.isVisible()
        assert not window.analysis.is_searching


@pytest.mark.usefixtures("interpreted")
def test_a_search_with_a_limit_begins_at_once(qtbot: QtBot, window: Window) -> None:
    window.choose_game("mnk:4,4,4")
    for limit in Limit(depth=3), Limit(nodes=1000), Limit(seconds=0.1):
        window.analysis.change(limit=Limit())
        window.think_action.trigger()
        assert window.size_notice.isVisible(), "without a limit it does not"
        window.analysis.change(limit=limit)
        with qtbot.waitSignal(window.analysis.started, timeout=LONG):
            window.think_action.trigger()
        assert not window.size_notice.isVisible()
        window.stop_action.trigger()  # it may have ended already
        qtbot.waitUntil(lambda: not window.analysis.is_searching, timeout=LONG)


def test_the_computers_own_answer_and_a_single_step_are_not_asked_about(qtbot: QtBot, window: Window) -> None:
    window.step_action.trigger()
    assert window.analysis.is_running
    assert not window.size_notice.isVisible()
    window.stop_action.trigger()
