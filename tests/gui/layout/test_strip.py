"""The strip's figures are those of the search on display, and each opens its drawer."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from engine import backends
from engine.job import Job
from engine.result import Bound, Counters, Snapshot, Value
from gui.layout.strip import APART, FIGURES, MESSAGE, Strip, at_foot
from gui.state.replay import Cursor
from gui.state.spoilers import spoilers
from tests.gui.shown import Shown

MINIMAX_BELOW_A1 = 59_705


@pytest.fixture
def strip(qtbot: QtBot, analysis: Shown) -> Strip:
    drawers = {name: QAction(f"Drawer {name}", checkable=True) for name in FIGURES}
    made = Strip(analysis, Cursor(analysis, analysis), drawers)
    qtbot.addWidget(made)
    made.resize(1200, made.height())
    made.show()
    return made


def shown(strip: Strip) -> dict[str, str]:
    """The texts of the visible figures, by their drawers."""
    return {name: chip.text_shown for name, chip in strip.chips.items() if chip.isVisible()}


def search(analysis: Shown, **options: object) -> None:
    result = backends.solve(Job(position="x../.../...", **options))
    analysis.begin(result.job)
    analysis.end(result)


def test_the_figures_are_those_of_the_search_and_none_is_empty(strip: Strip, analysis: Shown) -> None:
    height = strip.height()
    assert shown(strip) == {}
    search(analysis, algorithm="alphabeta")
    strip.set_tree_size(MINIMAX_BELOW_A1)
    texts = shown(strip)
    assert texts.pop("speedup").endswith(" nodes / s")
    assert texts == {
        "iterations": "draw, best b2",
        "figures": "2,338 nodes, 3.9 % of minimax",
        "runs": "624 cutoffs, 1,126 moves pruned",
        "workers": "serial",
    }
    spoilers().hide(True)
    assert "iterations" not in shown(strip)
    spoilers().hide(False)
    search(analysis, algorithm="minimax")
    assert shown(strip)["figures"] == "59,705 nodes", "and no share of itself"
    assert "runs" not in shown(strip), "minimax cuts nothing"
    assert strip.height() == height


def test_the_figures_follow_the_cursor_and_say_of_when_they_are(strip: Strip, analysis: Shown) -> None:
    search(analysis, algorithm="alphabeta", record=10_000)
    at_end, cursor = shown(strip), strip._cursor
    cursor.go(4_148)
    texts = shown(strip)
    time = texts.pop("speedup")
    assert time.endswith(" in all"), "the record has no times"
    assert texts == {
        "iterations": "≥ 0 for O so far",
        "figures": "2,076 nodes so far",
        "runs": "563 cutoffs so far",
        "workers": "serial",
    }
    assert "Alpha-beta, serial, moment 4,149 of 4,676" in strip.chips["runs"].toolTip()
    cursor.go(0)
    assert shown(strip)["iterations"] == "no value yet"
    cursor.go_to_end()
    assert shown(strip) == at_end


def test_a_value_that_proves_no_move_says_so(strip: Strip, analysis: Shown) -> None:
    analysis.begin(Job(position="x../.../..."))
    analysis.tell(Snapshot(Counters(nodes=5), Value(0, Bound.UPPER), 1, (1, 2), (), (), 1e-6))
    assert shown(strip)["iterations"] == "≤ 0 for O, no best move yet"


def test_the_figures_of_several_workers_say_in_which_order_they_count(strip: Strip, analysis: Shown) -> None:
    search(analysis, backend="threads", workers=2, record=100_000)
    strip._cursor.go(40_000)
    assert shown(strip)["figures"] == "20,004 nodes up to here"
    assert "the workers' own counts are those of a time" in strip.chips["figures"].toolTip()


def test_the_figures_of_an_iteration_say_so(strip: Strip, analysis: Shown) -> None:
    """The search had visited the nodes of those before it, too."""
    search(analysis, algorithm="mtdf", record=10_000)
    assert shown(strip)["figures"] == "2,216 nodes"
    strip._cursor.go(20)
    assert shown(strip)["figures"] == "13 nodes so far, in this iteration"


def test_a_figure_opens_its_drawer_and_names_its_search(strip: Strip, analysis: Shown, qtbot: QtBot) -> None:
    search(analysis, algorithm="alphabeta")
    chip = strip.chips["runs"]
    for is_open in (True, False):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
        assert chip._drawer.isChecked() is is_open
        assert chip.isChecked() is is_open
    strip.mark("an earlier position", "earlier", True)
    assert "Alpha-beta, serial, an earlier position" in chip.toolTip()
    strip.mark()
    assert "earlier" not in chip.toolTip()


def test_a_message_shortens_the_figures_and_leaves_one_out_at_last(qtbot: QtBot, strip: Strip, analysis: Shown) -> None:
    search(analysis, algorithm="alphabeta", backend="threads", workers=2)
    whole = shown(strip)
    wide = sum(chip.width() for chip in strip.chips.values()) + 80
    window = QMainWindow()
    qtbot.addWidget(window)
    at_foot(window, strip, QLabel())
    window.resize(wide, 100)
    window.show()
    message = strip._message
    qtbot.waitUntil(lambda: message.width() > 0)
    assert shown(strip) == whole
    window.statusBar().showMessage("Saved as a picture with a long name in a folder with a long name.svg")
    short = shown(strip)
    assert message.text().endswith("name.svg")
    assert short.keys() == whole.keys()
    assert short["runs"] == whole["runs"].partition(",")[0]
    window.resize(420, 100)
    qtbot.waitUntil(lambda: message.width() > MESSAGE - APART)
    assert list(shown(strip)) == list(whole)[: len(shown(strip))]
    assert 0 < len(shown(strip)) < len(whole)
    window.statusBar().clearMessage()
    window.resize(wide, 100)
    qtbot.waitUntil(lambda: shown(strip) == whole)
    strip.setParent(None)  # the test's strip is not the window's to delete
