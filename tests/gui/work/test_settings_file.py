"""The settings' file: written in the background, and nothing that was set is lost."""

from pathlib import Path

from PySide6.QtCore import QLockFile
from pytestqt.qtbot import QtBot

from gui.settings.ini_file import open_settings
from gui.work.settings_file import SettingsFile, write


def test_a_write_that_has_to_wait_blocks_nothing_and_loses_nothing(qtbot: QtBot, file: Path) -> None:
    settings = SettingsFile(open_settings(file)[0])
    other = QLockFile(f"{file}.lock")
    assert other.lock(), "as another window does while it writes"
    settings.set({"theme": "dark"})
    settings.set({"zoom": 2, "motion": "reduced"})
    assert (settings.value("theme"), settings.value("zoom")) == ("dark", 2)
    assert "dark" not in file.read_text()
    other.unlock()
    qtbot.waitUntil(lambda: "zoom=2" in file.read_text())
    assert "theme=dark" in file.read_text(), "the replaced task is in the later one"
    settings.set({"theme": None})
    qtbot.waitUntil(lambda: "theme" not in file.read_text())
    file.unlink()
    settings.set({"zoom": 3})
    settings.close()
    assert not settings.contains("theme")
    assert sorted(file.read_text().split()) == ["[General]", "motion=reduced", "version=1", "zoom=3"]


def test_only_a_new_value_replaces_what_another_window_has_written(qtbot: QtBot, file: Path) -> None:
    assert write(file, {"version": 1, "theme": "light", "geometry": "1", "state": "1"})
    first, second = (SettingsFile(open_settings(file)[0]) for _ in range(2))
    first.set({"theme": "dark", "recent": ["a", "b"]})
    first.set({"geometry": "2", "state": "2"})
    first.close()
    with qtbot.waitSignal(second._writer.finished):
        second.set({"zoom": 2})
    second.set({"theme": "light"})
    second.set({"geometry": "1", "state": "3"})
    assert second.latest("recent") == ["a", "b"]
    second.set({"recent": ["c"]})
    assert second.latest("recent") == ["c"], "it waits to be written"
    second.close()
    lines = file.read_text().split()
    assert "theme=dark" in lines
    assert {"geometry=1", "state=3"} < set(lines), "of one window"


def test_that_nothing_can_be_written_is_said_once(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("")
    settings, said = open_settings(tmp_path / "no folder" / "Plyscope.ini")
    file, told, outdated = SettingsFile(settings), [], []
    file.failed.connect(told.append)
    file.recovered.connect(outdated.append)
    for zoom in (1, 2):
        with qtbot.waitSignal(file._writer.finished):
            file.set({"zoom": zoom})
    assert (told, outdated) == ([said], [])
    (tmp_path / "no folder").unlink()
    with qtbot.waitSignal(file._writer.finished):
        file.set({"theme": "dark"})
    assert "zoom=2" in file.path.read_text(), "what could not be written is tried again"
    assert (told, outdated) == ([said], [said])
    file.close()
