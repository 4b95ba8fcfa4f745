"""A notice lies over an edge of its host, moves nothing, and stays until it is dismissed."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.notice import Notice

WORDS = "The rows of the position have different lengths: give each the same number of squares."


@pytest.fixture
def host(qtbot: QtBot) -> Iterator[QWidget]:
    made = QWidget()
    QVBoxLayout(made).addWidget(QLabel("what the notice is about"))
    qtbot.addWidget(made)
    made.resize(240, 400)
    made.show()
    yield made
    made.close()


@pytest.mark.parametrize("edge", [Qt.Edge.TopEdge, Qt.Edge.BottomEdge])
def test_it_lies_over_an_edge_with_all_its_words_and_moves_nothing(host: QWidget, edge: Qt.Edge) -> None:
    notice, label = Notice(host, edge), host.findChildren(QLabel)[0]
    before = QRect(label.geometry())
    notice.tell(WORDS)
    for width in (240, 500):
        host.resize(width, 400)
        assert notice.width() == width
        assert (notice.y() == 0) == (edge is Qt.Edge.TopEdge)
        assert (notice.geometry().bottom() == 399) == (edge is Qt.Edge.BottomEdge)
        assert notice.words.height() >= notice.words.heightForWidth(notice.words.width())
    host.resize(240, 400)
    assert label.geometry() == before


def test_a_word_that_is_too_wide_is_whole_in_the_tool_tip(host: QWidget) -> None:
    notice, name = Notice(host), f"{'game' * 25}.plyscope"
    notice.tell(f"There is no file /home/{name}.")
    for width in (240, 500):
        host.resize(width, 400)
        metrics = notice.words.fontMetrics()
        assert max(map(metrics.horizontalAdvance, notice.words.text().split())) > width // 3
        assert metrics.horizontalAdvance(notice.words.text().rpartition("/")[2]) <= notice.words.width()
        assert notice.words.text().startswith("There is no file /home/game")
        assert notice.words.text().endswith(".plyscope.")
        assert notice.text == notice.words.toolTip() == f"There is no file /home/{name}."
    host.resize(2000, 400)
    assert (notice.words.text(), notice.words.toolTip()) == (notice.text, "")


def test_one_sentence_of_several_can_be_taken_away(host: QWidget) -> None:
    notice = Notice(host)
    notice.add("One.")
    notice.add("Two.", "Undo")
    notice.remove("Three.")
    assert notice.text == "One.\nTwo."
    notice.remove("One.")
    assert (notice.text, notice.button.text()) == ("Two.", "Undo")
    notice.remove("Two.")
    assert notice.isHidden()


def test_its_button_takes_it_away_and_does_what_it_says(host: QWidget) -> None:
    notice, done = Notice(host), []
    notice.tell(WORDS, "Undo", lambda: done.append(True))
    notice.button.click()
    assert (notice.text, done) == ("", [True])
    notice.tell(WORDS)
    assert notice.button.isHidden()
    notice.dismiss.click()
    assert notice.text == ""
