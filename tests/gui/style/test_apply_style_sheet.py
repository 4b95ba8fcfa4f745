"""A theme chosen later looks the same as one from the start."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.style.theme import theme
from gui.window import Window
from tests.gui.conftest import delete_closed
from tests.gui.exposed import expose


@pytest.fixture(autouse=True)
def usual_look() -> Iterator[None]:
    theme().choose("light")
    yield
    delete_closed()
    theme().set_zoom(1.0)
    theme().choose("light")


def shown(qtbot: QtBot) -> Window:
    made = Window()
    expose(qtbot, made, 1440, 900)
    return made


def picture(window: Window) -> QImage:
    window.statusBar().clearMessage()
    return window.grab().toImage()


@pytest.mark.parametrize("choice", ["dark", "contrast light"])
def test_a_theme_chosen_later_is_that_of_a_window_that_begins_with_it(qtbot: QtBot, choice: str) -> None:
    changed = shown(qtbot)
    before = picture(changed)
    with qtbot.waitSignal(changed.styler.finished):
        theme().choose(choice)
    begun = shown(qtbot)
    qtbot.waitUntil(lambda: picture(changed) == picture(begun) != before)


def test_the_window_is_painted_after_every_change(qtbot: QtBot) -> None:
    window = shown(qtbot)
    painted = Painted(window.board)
    for choice in ("dark", "contrast light", "light"):
        with qtbot.waitSignal(window.styler.finished):
            theme().choose(choice)
        painted.times = 0
        window.update()
        qtbot.waitUntil(lambda: painted.times > 0)
    window.arrangements.actions()[-1].trigger()
    painted.times = 0
    window.update()
    qtbot.waitUntil(lambda: painted.times > 0)


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_a_zoom_reaches_bars_and_cards(qtbot: QtBot) -> None:
    window = shown(qtbot)
    parts = window.menuBar(), *window.findChildren(QPushButton)
    before = [part.sizeHint().height() for part in parts]
    with qtbot.waitSignal(window.styler.finished):
        theme().set_zoom(1.5)
    assert all(part.sizeHint().height() > 1.2 * height for part, height in zip(parts, before, strict=True))


def test_a_dialog_that_opens_later_has_the_look_too(qtbot: QtBot) -> None:
    window = shown(qtbot)
    with qtbot.waitSignal(window.styler.finished):
        theme().choose("dark")
    box = QMessageBox(window)
    with qtbot.waitExposed(box):
        box.show()
    assert box.palette().window().color() == theme().colour("ground")
    assert box.styleSheet() == theme().style_sheet()
    box.close()


def test_the_buttons_of_a_file_dialog_have_room_for_their_icons(qtbot: QtBot) -> None:
    window = shown(qtbot)
    dialog = QFileDialog(window)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    buttons = [button for button in dialog.findChildren(QToolButton) if button.isVisible()]
    assert len(buttons) >= 5
    for button in buttons:
        assert ink(button) >= button.iconSize().width() // 2, button.toolTip()
    dialog.close()
    window.close()


def ink(button: QToolButton) -> int:
    """The larger of the width and the height of the drawing inside a button's border, in pixels."""
    image, border = button.grab().toImage(), 4
    across, down = range(border, image.width() - border), range(border, image.height() - border)
    ground = image.pixel(border, border)
    found = [(x, y) for x in across for y in down if image.pixel(x, y) != ground]
    spans = [max(places) - min(places) + 1 for places in zip(*found, strict=True)]
    return max(spans, default=0)
