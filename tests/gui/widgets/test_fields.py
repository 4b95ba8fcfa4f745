"""Fields for numbers, as people type into them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.widgets.fields import Decimal


@pytest.mark.parametrize("most", [64, 86_400])
@pytest.mark.parametrize(
    ("typed", "value"),
    [("1.5", 1.5), ("1,5", 1.5), ("0,25", 0.25), (",5", 0.5), ("1,500", 1500), ("1,500.25", 1500.25), ("12345", 12345)],
)
def test_a_comma_is_a_decimal_one_unless_it_groups_thousands(qtbot: QtBot, most: int, typed: str, value: float) -> None:
    field = Decimal(decimals=2, maximum=most, suffix=" s")
    qtbot.addWidget(field)
    field.setGroupSeparatorShown(True)
    field.setKeyboardTracking(False)
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == value or value > most
