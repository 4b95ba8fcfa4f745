"""A label with formats wraps, colours its words, and lays nothing out for a new text of as many lines."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.formatted_label import FormattedLabel

SHORT, LONG = "O at c1 returns −1", "O at c1 returns −1: " + "beta 0 is reached, " * 6


class Requests(QObject):
    """Counts the requests to lay a widget's children out."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


def test_a_text_is_laid_out_again_only_for_another_number_of_lines(qtbot: QtBot) -> None:
    host, label = QWidget(), FormattedLabel()
    qtbot.addWidget(host)
    QVBoxLayout(host).addWidget(label)
    host.resize(300, 200)
    host.show()
    label.say(SHORT)
    QApplication.processEvents()
    requests = Requests()
    host.installEventFilter(requests)
    asked = []
    for text in (SHORT.replace("c1", "a2"), LONG, SHORT):
        requests.count = 0
        label.say(text)
        QApplication.processEvents()
        asked.append(requests.count)
        assert label.text() == label.accessibleName() == text
    assert asked == [0, 1, 1]
    line = label.fontMetrics().lineSpacing()
    assert [round(label.heightForWidth(width) / line) for width in (10_000, label.width())] == [1, 1]
    label.say(LONG)
    assert label.heightForWidth(10_000) < label.heightForWidth(label.width()) < label.heightForWidth(100)


def test_a_format_colours_its_words_alone(qtbot: QtBot) -> None:
    label, part = FormattedLabel(), QTextLayout.FormatRange()
    qtbot.addWidget(label)
    part.start, part.length, red = SHORT.index("c1"), 2, QTextCharFormat()
    red.setForeground(QColor("red"))
    part.format = red
    label.resize(300, 30)
    label.say(SHORT, [part])
    image = label.grab().toImage()
    metrics, scale = label.fontMetrics(), image.width() / label.width()
    left = metrics.horizontalAdvance(SHORT[: part.start]) * scale
    right = metrics.horizontalAdvance(SHORT[: part.start + 2]) * scale
    reds = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y).red() > 200 > 120 > image.pixelColor(x, y).green() for y in range(image.height()))
    ]
    assert reds
    assert left - 2 <= min(reds) <= max(reds) <= right + 2
