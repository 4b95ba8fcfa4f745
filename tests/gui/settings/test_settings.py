"""Settings: one dialog for all owners, a file that loses no content, and a language."""

import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.backends.mpi_job import launch
from engine.options.catalogue import Limit
from engine.options.choices import Fail
from engine.play.levels import LEVELS
from gui.files import storage
from gui.help.keys import KeysDialog
from gui.i18n import language
from gui.layout.arrangements import LECTURE_ZOOM
from gui.settings.dialog import SettingsDialog
from gui.settings.ini_file import MOST_BYTES, open_settings
from gui.settings.remembered import VERSION
from gui.state.search_settings import Settings
from gui.style.theme import theme
from gui.window import Window

NOBODY: frozenset[int] = frozenset()


pytestmark = pytest.mark.usefixtures("as_before")


@pytest.fixture
def window(qtbot: QtBot, file: Path) -> Iterator[Window]:
    made = Window(open_settings(file)[0])
    qtbot.addWidget(made)
    made.record.set_computer(NOBODY)
    made.show()
    yield made
    made.close()


@pytest.fixture
def dialog(window: Window) -> SettingsDialog:
    window.settings_action.trigger()
    (made,) = window.findChildren(SettingsDialog)
    return made


def shown(dialog: SettingsDialog) -> list[str]:
    """The names of the visible settings."""
    return [name for name, row in dialog.rows().items() if row.isVisible()]


def choose(dialog: SettingsDialog, name: str, text: str) -> None:
    """Choose one of a setting's texts, in the way of a person."""
    field = dialog.rows()[name].field
    assert isinstance(field, QComboBox)
    field.setCurrentText(text)
    field.activated.emit(field.currentIndex())


# The dialog


def test_what_is_chosen_acts_at_once_on_the_owner_and_every_view_shows_it(
    window: Window, dialog: SettingsDialog
) -> None:
    choose(dialog, "Theme", "Dark, colour-blind safe")
    choose(dialog, "Algorithm", "Alpha-beta")
    choose(dialog, "Level", "Club")
    assert theme().choice == "safe dark"
    assert window.view_menu.themes["safe dark"].isChecked()
    assert window.modes.algorithms["alphabeta"].isChecked()
    assert window.record.level == LEVELS["Club"]
    dialog.reject()


def test_what_is_chosen_elsewhere_is_seen_but_spares_what_is_being_typed(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    window.view_menu.themes["contrast dark"].trigger()
    window.analysis.change(split=3)
    theme().set_zoom(1.5)
    rows = dialog.rows()
    theme_field, split, zoom = (rows[name].field for name in ("Theme", "Split depth", "Zoom"))
    assert isinstance(theme_field, QComboBox)
    assert isinstance(split, QSpinBox)
    assert isinstance(zoom, QSpinBox)
    assert (theme_field.currentText(), split.value(), zoom.text()) == ("Dark, high contrast", 3, "150 %")
    for name, text in (("Hosts", "node1, no"), ("Zoom", "12"), ("Depth limit", "5")):
        field = rows[name].field
        assert isinstance(field, QLineEdit | QSpinBox)
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, text)
        theme().set_zoom(1.2)
        window.record.changed.emit()
        assert field.text().startswith(text), "it is not applied yet"
    dialog.search.setFocus()
    assert window.analysis.settings.limit.depth == 5
    window.analysis.change(limit=Limit(depth=7))
    assert rows["Depth limit"].field.text() == "7 plies"
    dialog.reject()
    assert theme().choice == "contrast dark", "Cancel takes back only what was chosen in the dialog"


def test_the_setting_of_a_records_length_says_how_much_memory_it_takes(window: Window, dialog: SettingsDialog) -> None:
    row = dialog.rows()["Record"]
    assert isinstance(row.field, QSpinBox)
    assert row.field.text() == "2,000,000 nodes"
    row.field.setValue(5_000_000)
    assert window.analysis.settings.job(window.record.game, window.record.game.start).record == 5_000_000
    assert row.says.text().startswith("A record of that length takes 105 MB; while a search runs, 40.0 MB for each")
    dialog.accept()


def test_cancel_takes_everything_back_and_the_defaults_too(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    window.analysis.change(algorithm="alphabeta", split=2)
    theme().choose("dark")
    before = window.analysis.settings
    choose(dialog, "Theme", "Light, high contrast")
    choose(dialog, "Level", "Beginner")
    dialog.usual.click()
    assert (theme().choice, window.analysis.settings.split, window.record.level.name) == ("system", 1, "Strongest")
    limit = dialog.rows()["Depth limit"].field
    assert isinstance(limit, QSpinBox)
    dialog.activateWindow()
    limit.setFocus()
    limit.selectAll()
    qtbot.keyClicks(limit, "5")
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(limit, Qt.Key.Key_Escape)
    assert (theme().choice, window.analysis.settings, window.record.level.name) == ("dark", before, "Strongest")


def test_what_is_agreed_to_is_written_without_delay(
    qtbot: QtBot, window: Window, dialog: SettingsDialog, file: Path
) -> None:
    window.session._clock.setInterval(10**9)
    choose(dialog, "Theme", "Light, high contrast")
    zoom = dialog.rows()["Zoom"].field
    zoom.setFocus()
    qtbot.keyClick(zoom, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(zoom, "130")
    dialog.accept()
    assert theme().zoom == pytest.approx(1.3), "what was being typed counts"
    qtbot.waitUntil(lambda: "contrast light" in file.read_text())
    theme().choose("light")
    theme().set_zoom(1.0)
    again = Window(open_settings(file)[0])
    qtbot.addWidget(again)
    assert (theme().choice, theme().zoom) == ("contrast light", pytest.approx(1.3))
    again.close()


def test_the_line_finds_settings_by_their_names_and_tips(qtbot: QtBot, dialog: SettingsDialog) -> None:
    everything = list(dialog.rows())
    qtbot.keyClicks(dialog.search, "animation")
    assert shown(dialog) == ["Reduce motion"]
    assert "font-weight: 600" in dialog.rows()["Reduce motion"].tip.text(), "the word is marked"
    dialog.search.setText("limit seconds")
    assert shown(dialog) == ["Time limit"]
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.focusWidget() is dialog.rows()["Time limit"].field
    dialog.search.setText("<b> &")
    assert not shown(dialog)
    assert dialog.nothing.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert shown(dialog) == everything
    assert not dialog.nothing.isVisible()
    assert dialog.isVisible(), "the first Esc empties the line"
    dialog.reject()


def test_every_setting_has_a_tip_its_default_and_its_place_for_tab(dialog: SettingsDialog) -> None:
    theme().choose("system")
    for name, row in dialog.rows().items():
        assert row.setting.tip.endswith("."), name
        assert name == "Computer plays" or row.setting.value() == row.setting.usual, name
    fields = [row.field for row in dialog.rows().values()]
    order, widget = [], dialog.search.nextInFocusChain()
    while widget is not None and widget is not dialog.search:
        if widget in fields or widget in (dialog.usual, dialog.cancel):
            order.append(widget)
        widget = widget.nextInFocusChain()
    assert order[: len(fields)] == fields
    assert set(order[len(fields) :]) == {dialog.usual, dialog.cancel}
    dialog.reject()


def turn_wheel(field: QWidget) -> None:
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(field.mapToGlobal(QPoint(5, 5))),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(field, wheel)


def test_the_wheel_passes_over_a_field_that_has_not_the_keyboard(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    turn_wheel(dialog.rows()["Algorithm"].field)
    assert window.analysis.settings.algorithm == "minimax"
    dialog.reject()
    window.options.expert.open()
    games, before = window.record.game, window.analysis.settings
    for field in window.options.findChildren(QComboBox):
        turn_wheel(field)
    assert (window.record.game, window.analysis.settings) == (games, before), "nor in the card of options"
    box = window.options.expert.field("Fail")
    window.analysis.change(algorithm="alphabeta")
    with qtbot.waitActive(window):
        window.activateWindow()
    box.setFocus()
    turn_wheel(box)
    assert window.analysis.settings.fail is Fail.HARD


def test_what_cannot_be_is_refused_with_a_sentence(window: Window, dialog: SettingsDialog) -> None:
    choose(dialog, "Run on", "MPI")
    assert "MPI" in dialog.notice.text()
    assert window.analysis.settings.backend == "serial"
    field = dialog.rows()["Run on"].field
    assert isinstance(field, QComboBox)
    assert field.currentText() == "Serial"
    choose(dialog, "Run on", "Serial")
    assert not dialog.notice.isVisible(), "it is that of the last change"
    dialog.reject()


def test_as_many_ranks_as_the_present_hosts_allow_can_be_chosen_and_come_back(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    here = launch.most(launch.LaunchChoice())

    def fields(dialog: SettingsDialog) -> tuple[QLineEdit, QSpinBox]:
        hosts, ranks = dialog.rows()["Hosts"].field, dialog.rows()["Ranks"].field
        assert isinstance(hosts, QLineEdit)
        assert isinstance(ranks, QSpinBox)
        return hosts, ranks

    def name(hosts: QLineEdit, text: str) -> None:
        with qtbot.waitSignal(window.mpi.changed):
            hosts.setText(text)
            hosts.editingFinished.emit()

    hosts, ranks = fields(dialog)
    assert ranks.maximum() == here
    name(hosts, "node1,node2")
    ranks.setValue(1024)
    assert window.analysis.settings.ranks == 1024
    dialog.accept()
    window.settings_action.trigger()
    again = next(filter(SettingsDialog.isVisible, window.findChildren(SettingsDialog)))
    hosts, ranks = fields(again)
    name(hosts, "")
    assert (ranks.value(), window.analysis.settings.ranks) == (here, here)
    with qtbot.waitSignal(window.mpi.changed):
        again.reject()
    assert (launch.choice().hosts, window.analysis.settings.ranks) == ("node1,node2", 1024)


def test_the_launch_of_ranks_is_tried_and_the_answer_stands_below(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    row = dialog.rows()["Launch command"]
    assert isinstance(row.field, QLineEdit)
    with qtbot.waitSignal(window.mpi.changed):
        row.field.setText("no-such-program -n {ranks}")
        row.field.editingFinished.emit()
    assert "no-such-program" in row.says.text()
    assert row.says.textFormat() is Qt.TextFormat.PlainText, "a command may look like HTML"
    assert launch.choice().template == "no-such-program -n {ranks}"
    with qtbot.waitSignal(window.mpi.changed):
        dialog.reject()
    assert launch.choice().template == ""


def test_cancel_restores_the_backend_that_a_bad_launch_command_replaced(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    with qtbot.waitSignal(window.mpi.changed):
        window.mpi.look(launch.choice())
    window.analysis.change(backend="mpi")
    row = dialog.rows()["Launch command"]
    assert isinstance(row.field, QLineEdit)
    with qtbot.waitSignal(window.mpi.changed):
        row.field.setText("no-such-program -n {ranks}")
        row.field.editingFinished.emit()
    assert window.analysis.settings.backend == "serial"
    with qtbot.waitSignal(window.mpi.changed):
        dialog.reject()
    assert (window.analysis.settings.backend, window.mpi.reason) == ("mpi", "")

    window.analysis.change(backend="serial")
    window.settings_action.trigger()
    again = next(filter(SettingsDialog.isVisible, window.findChildren(SettingsDialog)))
    choose(again, "Run on", "MPI")
    assert window.analysis.settings.backend == "mpi"
    row = again.rows()["Launch command"]
    assert isinstance(row.field, QLineEdit)
    with qtbot.waitSignal(window.mpi.changed):
        row.field.setText("no-such-program -n {ranks}")
        row.field.editingFinished.emit()
    with qtbot.waitSignal(window.mpi.changed):
        again.reject()
    assert (window.analysis.settings.backend, window.mpi.reason) == ("serial", ""), "chosen in the dialog, not before"


def test_the_dialog_comes_back_and_leads_to_the_keys(qtbot: QtBot, window: Window, dialog: SettingsDialog) -> None:
    window.settings_action.trigger()
    assert window.findChildren(SettingsDialog) == [dialog]
    qtbot.mouseClick(dialog.rows()["Keys"].field, Qt.MouseButton.LeftButton)
    (keys,) = window.findChildren(KeysDialog)
    assert keys.isVisible()
    keys.close()
    dialog.reject()


def test_long_names_of_chapters_are_not_cut_off(dialog: SettingsDialog) -> None:
    for number in range(dialog.list.count()):
        dialog.list.item(number).setText("Spielverlauf und gespeicherte Dateien")
    dialog.refresh()
    assert dialog.list.viewport().width() >= dialog.list.sizeHintForColumn(0)


def test_the_speed_names_the_keys_that_are_its_own_at_the_time(window: Window) -> None:
    (slider,) = window.speed.findChildren(QSlider)
    assert slider.toolTip().endswith("([ / ])")
    keys = window.help.keys.show()
    keys.edits[window.slower_action].setKeySequence("J")
    keys.edits[window.slower_action].editingFinished.emit()
    assert slider.toolTip().endswith("(J / ])")
    keys.close()


# The game at the start


def test_the_last_game_is_on_the_board_or_on_the_shelf(qtbot: QtBot, window: Window, file: Path) -> None:
    window.play(4)
    for resumes in (True, False):
        window.files.set_resumes(resumes)
        window.close()
        window = Window(open_settings(file)[0])
        qtbot.addWidget(window)
        shelved = list((storage.folder() / "unsaved").glob("*"))
        assert (window.record.moves, len(shelved)) == (((4,), 0) if resumes else ((), 1))
        assert window.record.computer == NOBODY
    window.close()


# The file


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "is not a text file"),
        (b"this is no settings file\nat all\n", "cannot be understood"),
        (b"[General]\ntheme=dark\n", "has an unknown version"),
        (b"[General]\nversion=-1\ntheme=dark\n", "has an unknown version"),
        (b"[General]\nversion=1\nx=" + b"1" * MOST_BYTES, "is too large"),
    ],
    ids=["binary", "not ini", "no version", "bad version", "huge"],
)
def test_a_broken_file_is_kept_aside_and_said_so_once(file: Path, content: bytes, why: str) -> None:
    file.with_name("Plyscope.ini.damaged").write_text("of an earlier time")
    file.write_bytes(content)
    settings, said = open_settings(file)
    assert why in said
    assert "Plyscope.ini.damaged-2" in said
    assert file.with_name("Plyscope.ini.damaged-2").read_bytes() == content
    assert file.with_name("Plyscope.ini.damaged").read_text() == "of an earlier time"
    assert (settings.allKeys(), str(settings.value("version"))) == (["version"], str(VERSION))
    assert open_settings(file)[1] == ""


def test_a_file_of_a_newer_version_is_left_alone(file: Path) -> None:
    newer = "[General]\nversion=2\ntheme=mauve\n"
    file.write_text(newer)
    settings, said = open_settings(file)
    assert "newer version" in said
    settings.setValue("theme", "dark")
    settings.sync()
    assert file.read_text() == newer
    again, said = open_settings(file)
    assert (again.value("theme"), said) == ("dark", "")


def test_a_good_file_and_a_missing_and_an_empty_one_need_no_word(file: Path) -> None:
    assert open_settings(file)[1] == ""
    file.write_text("")
    assert open_settings(file)[1] == ""
    file.write_text("[General]\nversion=1\ntheme=dark\n")
    settings, said = open_settings(file)
    assert (settings.value("theme"), said) == ("dark", "")


def test_one_bad_value_leaves_the_others_in_force(qtbot: QtBot, file: Path, caplog: pytest.LogCaptureFixture) -> None:
    given = {
        "algorithm": "alphabeta",
        "backend": "interpreted",
        "split": -3,
        "speed": "fast",
        "scoring": "soonest",
        "hue": 1,
        "evaluation": "of a game that was removed",
    }
    settings, _ = open_settings(file)
    for name, value in (
        ("theme", "mauve"),
        ("zoom", "nan"),
        ("motion", "reduced"),
        ("launch", "{}"),
        ("tree_height", "inf"),
    ):
        settings.setValue(name, value)
    settings.setValue("search", msgspec.json.encode(given).decode())
    window = Window(settings)
    qtbot.addWidget(window)
    taken, usual = window.analysis.settings, Settings()
    assert (taken.algorithm, taken.scoring) == ("alphabeta", "soonest")
    assert (taken.backend, taken.split, taken.speed) == (usual.backend, usual.split, usual.speed)
    assert taken.evaluation == usual.evaluation, "with it no start could read the game of the last one"
    assert (theme().choice, theme().zoom, theme().motion) == ("light", 1.0, False)
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    for name in ("theme", "zoom", "launch", "tree_height", "backend", "split", "speed", "evaluation"):
        assert any(f"kept {name} " in line for line in told), name
    window.close()


def test_a_window_in_full_screen_is_so_at_the_next_start_and_leaves_it(
    qtbot: QtBot, window: Window, file: Path
) -> None:
    window.view_menu.full_screen.trigger()
    assert window.isFullScreen()
    window.close()
    again = Window(open_settings(file)[0])
    qtbot.addWidget(again)
    again.show()
    assert (again.isFullScreen(), again.view_menu.full_screen.isChecked()) == (True, True)
    again.view_menu.full_screen.trigger()
    assert (again.isFullScreen(), again.view_menu.full_screen.isChecked()) == (False, False)
    again.close()


def test_a_maximised_window_is_so_after_full_screen(window: Window) -> None:
    window.showMaximized()
    for is_full in (True, False):
        window.view_menu.full_screen.trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (is_full, True)
    window.showFullScreen()
    assert window.view_menu.full_screen.isChecked()


def test_the_next_start_has_the_ranks_of_other_machines_and_no_slow_speed(
    qtbot: QtBot, window: Window, file: Path
) -> None:
    """Without hosts or a launch command so many ranks are refused."""
    here = launch.choice()
    launch.choose(launch.LaunchChoice(hosts="node1,node2"))
    window.analysis.change(speed=20.0, split=2, watch_answers=True, ranks=64)
    window.close()
    launch.choose(here)
    again = Window(open_settings(file)[0])
    qtbot.addWidget(again)
    assert again.analysis.settings == Settings(split=2, watch_answers=True, ranks=64)
    assert again.watch_action.isChecked()
    assert again.modes.rank_count.value() == 64
    assert again.modes.rank_count.toolTip() == "Ranks: 1 to 1,024"
    again.close()


def test_the_zoom_of_a_lecture_ends_with_it_after_a_restart_too(qtbot: QtBot, window: Window, file: Path) -> None:
    theme().set_zoom(1.1)
    *_, lecture, _ = window.arrangements.actions()
    lecture.trigger()
    window.close()
    theme().set_zoom(1.0)
    again = Window(open_settings(file)[0])
    qtbot.addWidget(again)
    assert theme().zoom == LECTURE_ZOOM
    again.arrangements.actions()[0].trigger()
    assert theme().zoom == 1.1
    again.close()


def test_where_nothing_can_be_written_the_program_says_so_and_runs(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("")
    settings, said = open_settings(tmp_path / "no folder" / "Plyscope.ini")
    assert "cannot be written" in said
    window = Window(settings)
    qtbot.addWidget(window)
    window.settings_action.trigger()
    (dialog,) = window.findChildren(SettingsDialog)
    choose(dialog, "Theme", "Dark")
    dialog.accept()
    assert theme().choice == "dark"
    qtbot.waitUntil(lambda: "cannot be written" in window.notice.text)
    window.close()


def test_a_notice_stays_until_it_was_seen_and_blocks_nothing(qtbot: QtBot, window: Window) -> None:
    window.show()
    window.notice.add("The settings file is of no known version: it is kept.")
    window.say("something else")
    window.record.play(0)
    assert window.notice.isVisible()
    assert QApplication.activeModalWidget() is None
    window.notice.add("One thing more.")
    assert window.notice.text.splitlines() == [
        "The settings file is of no known version: it is kept.",
        "One thing more.",
    ]
    qtbot.mouseClick(window.notice.dismiss, Qt.MouseButton.LeftButton)
    assert not window.notice.isVisible()


# The language


def test_a_translation_that_is_there_can_be_chosen_and_is_installed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    qts = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / "qtbase_de.qm"
    (tmp_path / "plyscope_de.qm").write_bytes(qts.read_bytes())
    assert language.names(tmp_path) == {"system": "System language", "en": "English", "de": "Deutsch"}
    QLocale.setDefault(QLocale("de"))
    installed = language.install("de", tmp_path)
    try:
        assert QLocale().toString(2000.5) == "2,000.5", "in fields as in labels"
        assert (len(installed), language.choice()) == (2, "de")
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    finally:
        for translator in installed:
            QCoreApplication.removeTranslator(translator)
    assert language.install("en", tmp_path) == []
    assert language.install("tlh", tmp_path) == []
    assert "no translation for the language 'tlh'" in caplog.text


def test_a_damaged_translation_leaves_the_texts_english(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "plyscope_xx.qm").write_text("no translation")
    assert language.install("xx", tmp_path) == []
    assert "plyscope_xx.qm" in caplog.text


def test_the_language_is_remembered(qtbot: QtBot, dialog: SettingsDialog, file: Path) -> None:
    choose(dialog, "Language", "English")
    assert "restart" in dialog.rows()["Language"].findChildren(QLabel)[1].text()
    dialog.accept()
    qtbot.waitUntil(lambda: "language=en" in file.read_text())


# Units


def test_every_number_has_its_unit_behind_it(window: Window, dialog: SettingsDialog) -> None:
    window.analysis.change(limit=Limit(depth=1, nodes=2_000, seconds=2.5), split=2)
    rows = dialog.rows()
    names = "Depth limit", "Node limit", "Time limit"
    options = [window.options.fields[name] for name in names]
    for fields in (options, [rows[name].field for name in names]):
        texts = [field.text() for field in fields if isinstance(field, QAbstractSpinBox)]
        assert texts == ["1 ply", "2,000 nodes", "2.50 s"]
    split = rows["Split depth"].field
    assert isinstance(split, QAbstractSpinBox)
    assert split.text() == "2 plies"
    window.analysis.change(limit=Limit(depth=3))
    assert [field.text() for field in options[:2] if isinstance(field, QAbstractSpinBox)] == ["3 plies", "none"]


# The environment


def test_the_environment_decides_the_launch_and_is_not_written_down(
    qtbot: QtBot, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window took it into the settings at its first start, and never looked at it again."""

    def opened() -> Window:
        made = Window(open_settings(file)[0])
        qtbot.addWidget(made)
        return made

    monkeypatch.setenv("PLYSCOPE_MPIEXEC", "first -n {ranks}")
    opened().close()
    monkeypatch.setenv("PLYSCOPE_MPIEXEC", "second -n {ranks}")
    monkeypatch.setenv("PLYSCOPE_HOSTS", "node1,node2")
    window = opened()
    assert launch.choice() == launch.LaunchChoice("second -n {ranks}", "node1,node2")
    window.settings_action.trigger()
    (dialog,) = window.findChildren(SettingsDialog)
    field = dialog.rows()["Hosts"].field
    assert isinstance(field, QLineEdit)
    field.setText("mine")
    field.editingFinished.emit()
    assert launch.choice() == launch.LaunchChoice("second -n {ranks}", "mine"), "what a person types counts at once"
    dialog.reject()
    window.close()
    window = opened()
    assert launch.choice() == launch.LaunchChoice("second -n {ranks}", "node1,node2"), (
        "at the next start it counts again"
    )
    window.close()
    monkeypatch.delenv("PLYSCOPE_MPIEXEC")
    monkeypatch.delenv("PLYSCOPE_HOSTS")
    window = opened()
    assert launch.choice() == launch.LaunchChoice("", "mine"), (
        "without it, the settings: what a person typed, and no more"
    )
    window.close()
