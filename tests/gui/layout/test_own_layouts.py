"""Layouts with a name are taken by a key, stored between starts, and checked when they are read."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui.layout.arrangements import LECTURE_ZOOM
from gui.layout.layout_file import KEY, LONGEST, MOST, read_layouts, write_layouts
from gui.layout.layouts_dialog import LayoutsDialog
from gui.settings.ini_file import open_settings
from gui.style.theme import theme
from gui.widgets.actions import bind, command
from gui.window import Window
from gui.work.settings_file import SettingsFile


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
    take, save, change = own.actions()[0], *own.actions()[-2:]
    assert not take.isVisible()
    assert not change.isEnabled()
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
    bind(own.actions()[1], [])
    assert own.save("a") == "The layout a is saved: the menu View brings it back.", "a person has removed its key"
    own.store([layout for layout in own.layouts if layout.name != "b"])
    other, settings = SettingsFile(open_settings(file)[0]), window.settings
    assert settings is not None
    qtbot.waitUntil(lambda: not settings._unwritten)
    write_layouts(other, own.layouts[:2])
    other.close()
    own.save("c")
    assert [layout.name for layout in own.layouts] == ["my & talk", "a", "c"], "another window has removed one"
    window.close()

    again = shown(qtbot, file)
    measuring = again.arrangements.actions()[3]
    measuring.trigger()
    qtbot.waitUntil(lambda: opened(again) == {"speedup", "workers"})
    qtbot.keyClick(again, Qt.Key.Key_6, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: opened(again) == {"runs", "figures"})
    assert [made.isVisible() for made in again.own_layouts.actions()[:MOST]] == [True, True, True, False]
    again.close()


@pytest.mark.usefixtures("as_before")
def test_an_own_layout_ends_the_zoom_of_a_lecture(window: Window) -> None:
    window.own_layouts.save("mine")
    lecture = command(window, "Arrange for a lecture")
    assert lecture is not None
    lecture.trigger()
    assert theme().zoom == LECTURE_ZOOM
    window.own_layouts.take(window.own_layouts.layouts[0])
    assert theme().zoom == 1.0


def test_own_layouts_are_renamed_moved_to_other_keys_and_removed(qtbot: QtBot, file: Path) -> None:
    window = shown(qtbot, file)
    own = window.own_layouts
    for name in ("talk", "seminar", "exam"):
        own.save(name)

    def opened_dialog() -> LayoutsDialog:
        own.actions()[-1].trigger()
        return next(filter(LayoutsDialog.isVisible, window.findChildren(LayoutsDialog)))

    def names() -> list[str]:
        return [layout.name for layout in own.layouts]

    dialog = opened_dialog()
    assert [dialog.table.verticalHeaderItem(row).text() for row in range(3)] == ["Alt+6", "Alt+7", "Alt+8"]
    assert not dialog.up.isEnabled()
    qtbot.keyClick(dialog.table, Qt.Key.Key_F2)
    qtbot.keyClicks(dialog.table.findChild(QLineEdit), "  big   room ")
    qtbot.keyClick(dialog.table.findChild(QLineEdit), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.table.item(0, 0).text() == "big room")
    dialog.down.click()
    dialog.down.click()
    assert dialog.table.currentRow() == 2
    assert not dialog.down.isEnabled()
    assert names() == ["talk", "seminar", "exam"], "nothing changes before OK"
    dialog.ok.click()
    assert names() == ["seminar", "exam", "big room"]
    assert [made.text() for made in own.actions()[:3]] == names()

    dialog = opened_dialog()
    dialog.table.item(1, 0).setText("seminar")
    assert dialog.answer.text() == "Two layouts have the name seminar: change one of them."
    assert not dialog.ok.isEnabled()
    dialog.table.item(1, 0).setText("")
    assert dialog.answer.text().startswith("A layout's name has 1 to")
    dialog.remove.click()
    assert dialog.ok.isEnabled()
    dialog.reject()
    assert names() == ["seminar", "exam", "big room"]

    dialog = opened_dialog()
    for _ in range(3):
        dialog.remove.click()
    assert not dialog.remove.isEnabled()
    dialog.ok.click()
    assert names() == []
    assert not own.actions()[-1].isEnabled()
    window.close()


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
    ids=["nested", "dict", "mixed", "gone", "infinite", "many"],
)
def test_what_cannot_be_read_is_left_out(
    file: Path, stored: str | bytes, names: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    settings = SettingsFile(open_settings(file)[0])
    settings.set({KEY: stored.decode() if isinstance(stored, bytes) else stored})
    layouts, has_all = read_layouts(settings, ("runs",))
    settings.close()
    assert ([layout.name for layout in layouts], has_all) == (names, False)
    assert "layout" in caplog.text


def test_what_cannot_be_read_is_said_once_and_kept_aside(qtbot: QtBot, file: Path) -> None:
    settings = open_settings(file)[0]
    settings.setValue(KEY, '[{"name": "a", "columns": [["runs"]], "board": 0.3, "path": 0.5}, 7]')
    settings.sync()
    window = Window(settings)
    qtbot.addWidget(window)
    assert [layout.name for layout in window.own_layouts.layouts] == ["a"]
    assert "could not be read (layouts)" in window.notice.text
    assert KEY in file.with_name(f"{file.name}.damaged").read_text()
    window.close()
    layouts, has_all = read_layouts(SettingsFile(open_settings(file)[0]), window.drawers)
    assert ([layout.name for layout in layouts], has_all) == (["a"], True)
