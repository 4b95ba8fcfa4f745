"""A layout inside a boundary lays out the window only where it needs another size."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLabel, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.relayout_boundary import RelayoutBoundary


class Requests(QObject):
    """Counts the layout requests of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_only_another_size_lays_out_the_window(qtbot: QtBot) -> None:
    window, inside, label, other = QMainWindow(), QWidget(), QLabel("before"), QLabel("other")
    qtbot.addWidget(window)
    column = QVBoxLayout(inside)
    for part in (label, other):
        part.setFixedWidth(60)
        column.addWidget(part)
    window.setCentralWidget(RelayoutBoundary(inside))
    window.resize(300, 200)
    window.show()
    qtbot.waitUntil(lambda: inside.size() == window.centralWidget().size())
    outside, within = Requests(window), Requests(inside)
    for words in ("shown for the first time", "after"):
        outside.count = within.count = 0
        label.setText(words)
        qtbot.waitUntil(lambda: within.count > 0)
    assert outside.count == 0
    label.setFixedWidth(500)
    qtbot.waitUntil(lambda: window.width() >= 500)
    assert inside.width() >= 500
