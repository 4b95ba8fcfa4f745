"""Another size is asked for in three fields, and what cannot be says why."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from gui.controls.options import FIRST_SIZE, OTHER_GAME
from gui.controls.size_dialog import SizeDialog
from gui.window import Window


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[Window]:
    made = opened(qtbot, tmp_path)
    yield made
    made.close()


def opened(qtbot: QtBot, folder: Path) -> Window:
    made = Window(QSettings(str(folder / "plyscope.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(made)
    made.show()
    return made


def ask(window: Window) -> SizeDialog:
    window.options.choose_game(OTHER_GAME)
    (dialog,) = (found for found in window.findChildren(SizeDialog) if found.isVisible())
    return dialog


def fill(dialog: SizeDialog, *size: int) -> None:
    for field, number in zip(dialog.fields, size, strict=True):
        field.setValue(number)


@pytest.mark.parametrize(
    ("size", "says"),
    [
        ((6, 5, 4), "6 × 5, 4 in a row: 30 squares"),
        ((3, 3, 3), "Tic-tac-toe: 9 squares"),
        ((1, 1, 1), "1 × 1, 1 in a row: 1 square"),
    ],
)
def test_a_size_says_which_game_it_is_and_begins_it(window: Window, size: tuple[int, int, int], says: str) -> None:
    dialog = ask(window)
    fill(dialog, *size)
    assert dialog.answer.text() == says
    dialog.ok.click()
    game = window.record.game
    assert f"{game.title}:" in says
    assert (game.notation.columns, game.notation.rows) == size[:2]


@pytest.mark.parametrize(
    ("size", "why"), [((9, 8, 4), "1 to 64 squares"), ((4, 3, 5), "5 in a row do not fit on 4 × 3: choose 1 to 4")]
)
def test_a_size_that_cannot_be_says_why_and_is_not_taken(window: Window, size: tuple[int, int, int], why: str) -> None:
    window.play(0)
    dialog = ask(window)
    fill(dialog, *size)
    assert why in dialog.answer.text()
    assert not dialog.ok.isEnabled()
    fill(dialog, 0, 65, 4)
    assert dialog.size_chosen == (1, 64, 4), "the fields hold to their limits"
    assert dialog.ok.isEnabled()
    dialog.reject()
    assert window.record.moves == (0,)
    assert window.options._game.currentText() == "Tic-tac-toe"


def test_the_dialog_begins_with_the_last_size_also_after_a_start(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    dialog = ask(window)
    assert dialog.size_chosen == FIRST_SIZE
    fill(dialog, 6, 5, 4)
    dialog.reject()
    dialog = ask(window)
    assert dialog.size_chosen == FIRST_SIZE, "it was not taken"
    fill(dialog, 6, 5, 4)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    window.close()
    second = opened(qtbot, tmp_path)
    dialog = ask(second)
    assert dialog.size_chosen == (6, 5, 4)
    dialog.reject()
    second.close()
