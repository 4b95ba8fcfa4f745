"""Damaged files of the user's: with any content the window opens, and the files are put aside."""

import os
import random
from collections import ChainMap
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow, QMessageBox
from pytestqt.qtbot import QtBot

from engine import registry
from gui.controls.options import OptionsView
from gui.files import storage
from gui.help.keys import Keys
from gui.i18n import language
from gui.settings.ini_file import open_settings
from gui.settings.remembered import restore, state
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.search_settings import Settings
from gui.style.theme import theme
from gui.window import Window
from gui.work.settings_file import SettingsFile, write

NESTED = '{"order":' + "[" * 50_000


pytestmark = pytest.mark.usefixtures("as_before")


def opened(qtbot: QtBot, file: Path) -> Window:
    made = Window(open_settings(file)[0])
    qtbot.addWidget(made)
    made.show()
    return made


def test_settings_nested_too_deep_have_defaults_and_are_kept_aside(qtbot: QtBot, file: Path) -> None:
    settings, _ = open_settings(file)
    settings.setValue("theme", "dark")
    settings.setValue("search", NESTED)
    settings.sync()
    window = opened(qtbot, file)
    assert window.analysis.settings == Settings()
    assert theme().choice == "dark"
    assert "could not be read (search)" in window.notice.text
    assert f"{file.name}.damaged" in window.notice.text
    aside = QSettings(str(file.with_name(f"{file.name}.damaged")), QSettings.Format.IniFormat)
    assert aside.value("search") == NESTED
    window.close()
    again = opened(qtbot, file)
    assert again.notice.text == "", "it is said once"
    again.close()


def test_a_last_game_that_cannot_be_read_is_kept_aside(qtbot: QtBot, file: Path) -> None:
    """A number has 5,000 digits; the game is of a newer version, and said not to be damaged."""
    game = storage.folder() / "game-1.plyscope"
    damaged = f'plyscope = 1\n[game]\nrules = "tictactoe"\n[computer]\nseed = {"9" * 5000}\n'
    newer = 'plyscope = 99\n[game]\nrules = "tictactoe"\n'
    for number, text, why in (("", damaged, "is damaged"), ("-2", newer, "by a newer version")):
        game.parent.mkdir(parents=True, exist_ok=True)
        game.write_text(text)
        window = opened(qtbot, file)
        aside = game.with_name(f"game-1.plyscope.damaged{number}")
        assert aside.read_text() == text
        assert aside.name in window.notice.text
        assert [words in window.notice.text for words in ("is damaged", why)] == [why == "is damaged", True]
        window.record.set_computer(frozenset())
        window.play(4)
        window.close()


def test_folders_that_may_not_be_entered_keep_nothing_and_stop_nothing(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a folder whose name is too long nothing can be asked either, also by root."""
    closed = tmp_path / ("x" * 300)
    monkeypatch.setenv("XDG_DATA_HOME", str(closed))
    settings, said = open_settings(closed / "Plyscope.ini")
    assert said.startswith("Settings are not kept for the next start")
    window = Window(settings)
    qtbot.addWidget(window)
    window.record.set_computer(frozenset())
    window.play(4)
    window.files.last.remember(registry.game("connect-four"), closed / "left.plyscope")
    window.choose_game("connect-four")
    window.files.recent.aboutToShow.emit()
    window.files.clipboard.take_text("x../.o./...")
    assert len(window.record.position) == 2
    assert "Games are not kept for the next start" in window.notice.text
    assert not window.close(), "a game is not saved"
    next(one for one in window.findChild(QMessageBox).buttons() if one.text() == "Close all the same").click()
    assert window.is_ended


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_a_folder_in_the_settings_place_is_left_alone(file: Path, make: Callable[[Path], None]) -> None:
    make(file)
    settings, said = open_settings(file)
    assert "is not a file: it stays unchanged" in said
    settings.setValue("theme", "dark")
    settings.sync()
    assert not file.is_file()
    assert open_settings(file)[0].value("theme") == "dark"


@pytest.mark.parametrize(
    "text",
    [f"[General]\nversion={'1' * 5000}\n", "[General]\nversion=1\n\n[keys]\nUndo\n", "[General]\nversion=1\ntheme\n"],
    ids=["a version of 5,000 digits", "a line of keys without a value", "a line without a value"],
)
def test_what_qt_or_python_cannot_read_is_put_aside(file: Path, text: str) -> None:
    file.write_text(text)
    settings, said = open_settings(file)
    assert "was renamed to Plyscope.ini.damaged" in said
    assert file.with_name("Plyscope.ini.damaged").read_text() == text
    settings.setValue("theme", "dark")
    settings.sync()
    assert open_settings(file)[0].value("theme") == "dark"


def test_a_damaged_layout_is_left_alone(qtbot: QtBot, file: Path) -> None:
    """Qt does not get it: damaged bytes have crashed Qt."""
    opened(qtbot, file).close()
    settings = open_settings(file)[0]
    good = settings.value("state")
    window, analysis = QMainWindow(), Analysis()
    options = OptionsView(GameRecord(registry.game("tictactoe")), analysis, str, 2)
    for widget in (window, options):
        qtbot.addWidget(widget)
    for place in range(good.size()):
        settings.setValue("state", good[:place] + bytes([good[place][0] ^ 1]) + good[place + 1 :])
        assert not restore(SettingsFile(settings), window, analysis, options, 2)[0]
    settings.setValue("state", good)
    assert restore(SettingsFile(settings), window, analysis, options, 2) == (True, [])
    analysis.close()


WORDS = ("[", "{", "@ByteArray(", "@Variant(", "@Invalid()", "%", "=", "\\x0", "9" * 5000, "\n", '"', ";", NESTED)


def damaged(good: bytes, dice: random.Random) -> bytes:
    """The bytes of a file with parts changed, doubled or cut out."""
    text = bytearray(good)
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(text) + 1)
        match dice.randrange(5):
            case 0:
                text[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                text[at:at] = dice.choice(WORDS).encode()
            case 2:
                del text[at : at + dice.randint(1, 40)]
            case 3:
                line = dice.choice(good.splitlines(keepends=True))
                text[at:at] = line[: dice.randint(1, len(line))]
            case 4:
                name, _, _ = dice.choice(good.splitlines()[1:]).partition(b"=")
                text += name + b"=" + dice.choice(WORDS).encode() + b"\n"
    return bytes(text)


def test_150_damaged_settings_files_can_all_be_started_with(qtbot: QtBot, file: Path) -> None:
    """Each with what reads settings at the start, and some of them with a whole window."""
    window = opened(qtbot, file)
    window.record.set_computer(frozenset())
    window.play(4)
    window.help.keys.give(window.undo_action, QKeySequence("J"))
    window.files.save_to(file.with_name("game.plyscope"))
    window.close()
    good, dice = file.read_bytes(), random.Random(15)
    main, analysis, record = QMainWindow(), Analysis(), GameRecord(registry.game("tictactoe"))
    options = OptionsView(record, analysis, str, 2)
    for widget in (main, options):
        qtbot.addWidget(widget)
    for number in range(150):
        place = file.parent / str(number) / file.name
        place.parent.mkdir()
        place.write_bytes(damaged(good, dice))
        settings, said = open_settings(place)
        assert said == "" or said.endswith(".")
        language.install(str(settings.value("language", language.SYSTEM)))
        values = SettingsFile(settings)
        restore(values, main, analysis, options, 2)
        Keys(main, values).restore()
        if number % 10 == 0:
            assert write(values.path, dict(ChainMap(*state(main, analysis, options))))
            again, said = open_settings(values.path)
            assert (said, restore(SettingsFile(again), main, analysis, options, 2)[1]) == ("", []), (
                "what is written is good"
            )
        if number % 50 == 0:
            opened(qtbot, place).close()
    analysis.close()
