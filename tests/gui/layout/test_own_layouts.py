"""Layouts with a name are taken by a key, stored between starts, and checked when they are read."""

import logging
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.layout.own_layouts import KEY, KEYS, LONGEST
from gui.settings.ini_file import open_settings
from gui.window import Window


def opened(window: Window) -> set[str]:
    return {name for name, card in window.drawers.items() if card.isVisible()}


def shown(qtbot: QtBot, file: Path) -> Window:
    window = Window(open_settings(file)[0])
    qtbot.addWidget(window)
    window.resize(1440, 900)
    window.show()
    for _ in range(20):
        QApplication.processEvents()
    return window


def test_a_layout_is_saved_taken_by_its_key_and_there_at_the_next_start(qtbot: QtBot, file: Path) -> None:
    window = shown(qtbot, file)
    own, (_, _, comparing, measuring, *_) = window.own_layouts, window.arrangements.actions()
    take, save, remove = own.actions()[0], *own.actions()[-2:]
    assert not take.isVisible()
    assert not remove.isEnabled()
    assert save.isEnabled()
    comparing.trigger()
    qtbot.waitUntil(lambda: opened(window) == {"runs", "figures"})
    assert own.save("  my &  talk ") == "The layout my & talk is saved: Alt+6 brings it back."
    assert take.text() == "my && talk"
    assert own.layouts[0].columns == (("runs", "figures"),)
    for wrong in ("", " \t", "x" * (LONGEST + 1)):
        assert own.save(wrong) == f"A layout's name has 1 to {LONGEST} characters: choose another."
    for name in "abc":
        own.save(name)
    assert own.save("d") == "There are 4 layouts already: remove one first."
    own.remove("b")
    assert [layout.name for layout in own.layouts] == ["my & talk", "a", "c"]
    window.close()

    again = shown(qtbot, file)
    measuring = again.arrangements.actions()[3]
    measuring.trigger()
    qtbot.waitUntil(lambda: opened(again) == {"speedup", "workers"})
    qtbot.keyClick(again, Qt.Key.Key_6, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: opened(again) == {"runs", "figures"})
    assert [made.isVisible() for made in again.own_layouts.actions()[: len(KEYS)]] == [True, True, True, False]
    again.close()


@pytest.mark.parametrize(
    ("stored", "names"),
    [
        ("[" * 50_000, []),
        ("{}", []),
        ('[{"name": "a", "columns": [["runs"]], "board": 0.3, "path": 0.5}, 7, {"name": ""}]', ["a"]),
        ('[{"name": "a", "columns": [["gone"]], "board": 0.3, "path": 0.5}]', []),
        ('[{"name": "a", "columns": [], "board": 1e999, "path": 0.5}]', []),
        (msgspec.json.encode([{"name": n, "columns": [], "board": 0.3, "path": 0.5} for n in "aabcde"]), list("abcd")),
    ],
)
def test_what_cannot_be_read_is_left_out(
    qtbot: QtBot, file: Path, stored: str | bytes, names: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    settings = open_settings(file)[0]
    settings.setValue(KEY, stored.decode() if isinstance(stored, bytes) else stored)
    settings.sync()
    with caplog.at_level(logging.WARNING):
        window = Window(settings)
    qtbot.addWidget(window)
    assert [layout.name for layout in window.own_layouts.layouts] == names
    assert "layout" in caplog.text
    window.close()
