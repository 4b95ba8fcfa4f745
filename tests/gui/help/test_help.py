"""The Help menu: every command can be found, every key changed, every word is explained; and the desktop entry is
valid."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QAction, QColor, QKeySequence
from PySide6.QtWidgets import QLabel, QTableWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from gui.counters.search_panel import WORDS as FIGURE_WORDS
from gui.help.keys import KeysDialog
from gui.help.menu import HelpPage
from gui.help.palette import SYNONYMS, CommandPalette, matching
from gui.help.welcome import PLAYED
from gui.help.welcome import WORDS as WELCOME
from gui.i18n import glossary
from gui.settings.dialog import SettingsDialog
from gui.style.colours import contrast
from gui.style.theme import theme
from gui.widgets.actions import entries
from gui.window import Window

RESOURCES = Path(str(files("resources")))


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings) -> Iterator[Window]:
    theme().choose("light")
    made = Window(settings)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def command(window: Window, name: str) -> QAction:
    (found,) = (made for where, made in entries(window) if where.endswith(f"› {name}"))
    return found


def opened(window: Window) -> CommandPalette:
    """The palette, opened by its command."""
    command(window, "Find a command").trigger()
    (palette,) = filter(CommandPalette.isVisible, window.findChildren(CommandPalette))
    return palette


def found(qtbot: QtBot, palette: CommandPalette, typed: str) -> list[str]:
    """The commands that the palette lists."""
    palette.line.clear()
    qtbot.keyClicks(palette.line, typed)
    items = (palette.list.topLevelItem(place) for place in range(palette.list.topLevelItemCount()))
    return [item.text(0).removesuffix("   ✓") for item in items if item is not None]


# Commands


def test_every_action_can_be_found_with_its_place_in_the_menus(borrowed: Window) -> None:
    names = [name for name, _ in entries(borrowed)]
    assert {"File › New", "Search › Alpha-beta", "View › Board", "Help › Glossary"} <= set(names)
    assert len(names) == len(set(names))
    assert all("›" in name for name in names), "an action that no menu has"


def test_all_typed_words_must_occur_in_any_order(borrowed: Window) -> None:
    found = {
        "dark": "Dark",
        "he gl": "Glossary",
        "take back": "Undo",
        "gif": "Save the replay…",
        "tree svg": "Save the whole tree…",
        "path pdf": "Save the path…",
    }
    assert {typed: matching(typed, entries(borrowed))[0][1].text() for typed in found} == found


def test_a_command_is_typed_and_done_without_the_mouse(qtbot: QtBot, window: Window) -> None:
    palette = opened(window)
    qtbot.keyClicks(palette.line, "alpha")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.analysis.settings.algorithm == "alphabeta"
    assert not palette.isVisible()


def test_the_arrow_keys_pass_over_what_cannot_be_done(qtbot: QtBot, borrowed: Window) -> None:
    palette = opened(borrowed)
    qtbot.keyClicks(palette.line, "game")
    chosen = []
    for _ in range(3):
        item = palette.list.currentItem()
        chosen.append(item.text(0))
        qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert chosen[0] == "File › Copy game"
    assert not {"Game › Undo", "Game › Redo"} & set(chosen), "there is nothing to undo"
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_what_cannot_be_done_is_shown_and_does_nothing(qtbot: QtBot, borrowed: Window) -> None:
    palette = opened(borrowed)
    qtbot.keyClicks(palette.line, "undo")
    item = palette.list.topLevelItem(0)
    assert item is not None
    assert item.isDisabled()
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.close()


TYPED = [
    ("4x4", "Options › Game › 4 × 4, 4 in a row"),
    ("4 x 4", "Options › Game › 4 × 4, 4 in a row"),
    ("4,4,4", "Options › Game › 4 × 4, 4 in a row"),
    ("tic", "Options › Game › Tic-tac-toe"),
    ("other size", "Game › Choose game…"),
    ("level", "Options › Level › Strongest"),
    ("difficulty", "Options › Level › Strongest"),
    ("perfect", "Options › Level › Strongest"),
    ("zoom", "View › Larger"),
    ("zoom", "Settings › Zoom…"),
    ("depth", "Options › Depth limit…"),
    ("seconds", "Options › Time limit…"),
    ("scores", "Options › Scores › +1 / 0 / −1"),
    ("transposition", "Options › Expert"),
    ("schedule", "Settings › Schedule…"),
    ("theme", "Settings › Theme…"),
    ("shortcuts", "Help › Keys"),
    ("restart", "File › New"),
]
"""What people type, and an entry that is found by it."""


def test_games_options_and_settings_are_found_by_what_people_type(qtbot: QtBot, borrowed: Window) -> None:
    palette = opened(borrowed)
    for typed, wanted in TYPED:
        assert wanted in found(qtbot, palette, typed), typed
    palette.close()


def test_every_synonym_is_of_something_that_is_there(borrowed: Window) -> None:
    palette = opened(borrowed)
    assert set(SYNONYMS) <= {made.objectName() for _, made in palette._commands}
    palette.close()


def test_a_game_and_a_level_are_chosen_in_the_palette(qtbot: QtBot, window: Window) -> None:
    for typed in ("4x4, 3", "beginner"):
        palette = opened(window)
        qtbot.keyClicks(palette.line, typed)
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.record.game.spec == "mnk:4,4,3"
    assert window.record.level.name == "Beginner"


def test_a_field_of_the_options_and_a_setting_are_gone_to(qtbot: QtBot, window: Window) -> None:
    window.drawers["options"].hide()
    palette = opened(window)
    qtbot.keyClicks(palette.line, "depth limit")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    at = window.focusWidget()
    assert at is not None
    assert at.accessibleName() == "Depth limit"
    assert window.drawers["options"].isVisible()
    palette = opened(window)
    qtbot.keyClicks(palette.line, "settings zoom")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    (dialog,) = window.findChildren(SettingsDialog)
    assert [name for name, row in dialog.rows().items() if row.isVisibleTo(dialog)] == ["Zoom"]
    dialog.close()


# Keys


def test_a_key_is_given_to_something_else_and_kept(qtbot: QtBot, window: Window, settings: QSettings) -> None:
    dialog = window.help.keys.show()
    qtbot.keyClick(dialog.edits[window.think_action], Qt.Key.Key_J)
    assert window.think_action.shortcuts() == [QKeySequence("J"), QKeySequence("F5")]
    assert window.think_action.toolTip().endswith("(J)")
    dialog.close()
    qtbot.waitUntil(lambda: settings.contains("keys/Think"))
    again = Window(settings)
    qtbot.addWidget(again)
    assert again.think_action.shortcut() == QKeySequence("J")
    again.help.keys.reset()
    assert again.think_action.shortcut() == QKeySequence("T")
    qtbot.waitUntil(lambda: not settings.contains("keys/Think"))
    again.close()


def test_a_key_that_is_taken_is_refused_until_it_is_taken_from_there(qtbot: QtBot, borrowed: Window) -> None:
    dialog = borrowed.help.keys.show()
    qtbot.keyClick(dialog.edits[borrowed.hint_action], Qt.Key.Key_V)
    assert "“Values”" in dialog.notice.text()
    assert borrowed.hint_action.shortcut() == QKeySequence("H")
    assert dialog.edits[borrowed.hint_action].keySequence() == QKeySequence("H")
    dialog.take.click()
    assert borrowed.hint_action.shortcut() == QKeySequence("V")
    assert borrowed.values_action.shortcuts() == []
    borrowed.help.keys.reset()
    dialog.close()


def test_the_keys_of_the_board_and_of_the_menus_cannot_be_given_away(qtbot: QtBot, borrowed: Window) -> None:
    dialog, usual = borrowed.help.keys.show(), borrowed.hint_action.shortcuts()
    for key, modifier, words in (
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, "is used by the board"),
        (Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier, "Alt+F opens the menu “File”"),
    ):
        qtbot.keyClick(dialog.edits[borrowed.hint_action], key, modifier)
        assert words in dialog.notice.text()
        assert not dialog.take.isVisible()
        assert borrowed.hint_action.shortcuts() == usual
    qtbot.keyClick(dialog.edits[borrowed.hint_action], Qt.Key.Key_Backspace)
    assert borrowed.hint_action.shortcuts() == []
    borrowed.help.keys.reset()
    dialog.close()


def test_kept_keys_that_are_nonsense_or_taken_leave_the_usual_ones(qtbot: QtBot, settings: QSettings) -> None:
    for name, keys in (("Hint", "no such key"), ("Values", "Ctrl+N"), ("Step", "J")):
        settings.setValue(f"keys/{name}", keys)
    window = Window(settings)
    qtbot.addWidget(window)
    assert window.hint_action.shortcut() == QKeySequence("H")
    assert window.new_action.shortcut() == QKeySequence("Ctrl+N")
    assert window.values_action.shortcuts() == []
    assert window.step_action.shortcut() == QKeySequence("J")
    window.close()


def test_a_new_key_works(qtbot: QtBot, window: Window) -> None:
    window.help.keys.give(window.values_action, QKeySequence("J"))
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_J)
    assert window.values_action.isChecked()


@pytest.mark.usefixtures("as_before")
def test_the_keys_follow_the_theme_and_the_zoom(qtbot: QtBot, window: Window) -> None:
    dialog = window.help.keys.show()
    edit, (table,) = dialog.edits[window.hint_action], dialog.findChildren(QTableWidget)
    before = table.rowHeight(0), table.columnWidth(1)
    for key, sentence in ((Qt.Key.Key_H, "Click a key"), (Qt.Key.Key_Left, "is used by the board")):
        theme().choose("light")
        qtbot.keyClick(edit, key)
        assert sentence in dialog.notice.text()
        with qtbot.waitSignal(window.styler.finished):
            theme().choose("contrast dark")
        image = dialog.notice.grab().toImage()
        ground = theme().colour("ground")
        colours = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        assert max(contrast(QColor(colour), ground) for colour in colours) >= 7
    with qtbot.waitSignal(window.styler.finished):
        theme().set_zoom(1.5)
    assert (table.rowHeight(0), table.columnWidth(1)) == pytest.approx([1.5 * length for length in before], abs=1)
    dialog.close()


def test_the_window_may_go_while_a_key_is_awaited(qtbot: QtBot) -> None:
    window = Window()
    dialog = window.help.keys.show()
    dialog.activateWindow()
    edit = dialog.edits[window.hint_action]
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    qtbot.keyPress(edit, Qt.Key.Key_J)
    window.close()
    with qtbot.captureExceptions() as caught:
        Shiboken.delete(window)
    assert not caught


def test_the_dialog_comes_back_and_is_not_opened_twice(window: Window) -> None:
    command(window, "Keys").trigger()
    command(window, "Keys").trigger()
    assert len(window.findChildren(KeysDialog)) == 1


# Words and pages


def test_every_word_has_one_sentence() -> None:
    assert {"ply", "alpha", "beta", "node", "cutoff", "speedup", "efficiency"} <= set(glossary.meanings())
    for word, meaning in glossary.meanings().items():
        assert re.fullmatch(r"[^.]+\.", meaning), f"{word}: one sentence, with one full stop"
        assert not {"X", "O"} & {*re.findall(r"\w+", meaning)}, f"{word}: Othello has Black and White"


def test_a_word_is_explained_where_it_stands(borrowed: Window) -> None:
    assert "plies" in borrowed.options.expert.field("Split depth").toolTip()
    tips = {label.text(): label.toolTip() for label in borrowed.findChildren(QLabel)}
    for label, word in (("Cutoffs", "cutoff"), ("Split depth", "split depth"), ("Depth limit", "horizon")):
        assert glossary.tip(word) in tips[label]
    assert all(glossary.tip(word) for word in FIGURE_WORDS.values())


def test_the_help_page_names_the_keys_in_force_and_the_folders(qtbot: QtBot, window: Window) -> None:
    window.help.keys.give(window.think_action, QKeySequence("J"))
    command(window, "Help").trigger()
    command(window, "Help").trigger()
    (page,) = window.findChildren(HelpPage)
    qtbot.waitUntil(lambda: bool(page.text.toPlainText()))
    text = page.text.toPlainText()
    assert "J F5\nThink: Search the position on the board" in text
    assert "plyscope.ini" in text
    assert "$" not in text, "a placeholder that nobody fills"
    page.close()


def test_the_help_page_tells_of_pruned_moves_and_of_compared_trees() -> None:
    page = (RESOURCES / "help.md").read_text(encoding="utf-8")
    for words in (
        "**Search … anyway**",
        "A dark gap stands for pruned moves: press it",
        "a click with Ctrl compares its tree",
    ):
        assert words in page


# The first start


def test_at_the_first_start_one_line_says_what_to_click(qtbot: QtBot, window: Window, settings: QSettings) -> None:
    assert window.board.picture().note == WELCOME
    window.record.set_computer(frozenset())
    place = window.board.square_rect(4).center().toPoint()
    qtbot.mouseClick(window.board, Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert window.board.picture().note == ""
    window.new_action.trigger()
    assert window.board.picture().note == ""
    qtbot.waitUntil(lambda: settings.contains(PLAYED))
    again = Window(settings)
    qtbot.addWidget(again)
    assert WELCOME not in again.board.picture().note
    again.close()


# The desktop


@pytest.mark.parametrize(
    "command",
    [
        ["desktop-file-validate", str(RESOURCES / "plyscope.desktop")],
        ["appstreamcli", "validate", "--no-net", str(RESOURCES / "org.plyscope.Plyscope.metainfo.xml")],
    ],
    ids=["desktop entry", "metainfo"],
)
def test_what_a_desktop_is_told_is_valid(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    assert subprocess.run(command, check=False).returncode == 0


def test_the_icon_of_the_desktop_entry_exists() -> None:
    entry = (RESOURCES / "plyscope.desktop").read_text()
    (icon,) = re.findall(r"^Icon=(.+)$", entry, re.MULTILINE)
    assert (RESOURCES / "icons" / f"{icon}.svg").exists()
