"""Rows of widgets: the next row begins where one does not fit."""

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.flow import Flow


def test_the_height_for_a_width_follows_what_stands_in_the_rows(qtbot: QtBot) -> None:
    above = QWidget()
    qtbot.addWidget(above)
    rows = Flow(above, 10, 4)
    rows.setContentsMargins(0, 0, 0, 0)
    labels = [QLabel(minimumWidth=100, minimumHeight=20) for _ in range(3)]
    for label in labels:
        label.setFixedHeight(20)
        rows.addWidget(label)
    above.show()
    assert [rows.heightForWidth(width) for width in (340, 250, 120)] == [20, 44, 68]
    labels[0].setMinimumWidth(150)
    assert rows.heightForWidth(340) == 44
    labels[2].hide()
    assert [rows.heightForWidth(width) for width in (340, 250)] == [20, 44]
