"""Saved games: files, the unsaved games, the clipboard, the start after a kill; no move is lost."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMainWindow, QMessageBox
from pytestqt.qtbot import QtBot

from engine import backends, registry
from engine.job import Job
from engine.measure.speedup import PRESET
from engine.options.catalogue import Limit
from engine.play.game_file import SavedError, SavedGame
from engine.play.variations import Variations
from engine.rules.bits import each
from engine.rules.contract import Position, legal, play
from gui.board import export
from gui.board.moves import line_text
from gui.board.panel import BoardPanel
from gui.files import autosave, menu, storage
from gui.files.menu import Files
from gui.files.pasted_text import pasted
from gui.files.writer import GameWriter
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.window import Window
from gui.work.picture_file import save_picture
from gui.work.settings_file import SettingsFile, write
from tests.engine import naive
from tests.gui.conftest import delete_closed
from tests.gui.shown import Shown

NOBODY: frozenset[int] = frozenset()


class Desk(QMainWindow):
    """A window with a board and its files: without what searches, and what shows searches."""

    def __init__(self, settings: QSettings) -> None:
        super().__init__()
        self.settings = SettingsFile(settings, self)
        self.record = GameRecord(registry.game("tictactoe"))
        self.play = self.record.play
        self.analysis = Analysis(self)
        self.board_panel = BoardPanel(self.record)
        self.files = Files(self, self.record, self.analysis, self.board_panel, self.settings)
        self.setCentralWidget(self.board_panel)
        self.files.begin()

    def choose_game(self, spec: str) -> None:
        self.files.choose(registry.game(spec))

    def closeEvent(self, event: QCloseEvent) -> None:
        for part in (self.files, self.analysis, self.settings):
            part.close()
        super().closeEvent(event)


def saved(window: Window | Desk, path: Path | None = None) -> None:
    """Save the game, in its own file where none is given, and wait until it is written."""
    window.files.save() if path is None else window.files.save_to(path)
    window.files.finish_saving()


@pytest.fixture
def kept(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "plyscope.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(qtbot: QtBot, kept: QSettings) -> Iterator[Window]:
    """A window that saves its games, with two moves played between two people."""
    made = opened(qtbot, kept)
    made.record.set_computer(NOBODY)
    made.record.play(0)
    made.record.play(4)
    yield made
    made.close()
    made.end()  # also where its game cannot be kept


@pytest.fixture
def desk(qtbot: QtBot, kept: QSettings) -> Iterator[Desk]:
    """The same game on a desk."""
    made = another(qtbot, kept)
    made.record.set_computer(NOBODY)
    made.record.new(made.record.game, lines=[(0, 4)])
    yield made
    made.close()


def opened(qtbot: QtBot, kept: QSettings) -> Window:
    made = Window(kept)
    qtbot.addWidget(made)
    made.show()
    return made


def another(qtbot: QtBot, kept: QSettings) -> Desk:
    made = Desk(kept)
    qtbot.addWidget(made)
    return made


def all_written(qtbot: QtBot, window: Window | Desk) -> None:
    """Wait until a window's settings are in their file."""
    settings = window.settings
    assert settings is not None
    qtbot.waitUntil(lambda: not settings._unwritten)


def unsaved() -> list[Path]:
    return sorted((storage.folder() / "unsaved").glob("*.plyscope"))


def warning(window: Window | Desk) -> str:
    """The text of the warning on display; it is closed."""
    (box,) = window.findChildren(QMessageBox)
    text = box.text()
    assert box.textFormat() is Qt.TextFormat.PlainText, "the name of a file may look like HTML"
    box.done(0)
    box.deleteLater()
    return text


def test_an_estimate_is_saved_as_one(analysis: Shown) -> None:
    job = Job(position="x../.../...", backend="interpreted", limit=Limit(depth=2), evaluate=True)
    result = backends.solve(job)
    analysis.begin(job)
    analysis.end(result)
    known = storage.evaluation(analysis)
    assert known is not None
    assert known.found == result.info.value
    assert known.is_estimate


def test_a_saved_game_opens_at_the_same_place_with_all_it_had(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    file = tmp_path / "first.plyscope"
    window.analysis.change(algorithm="alphabeta", limit=Limit(depth=7))
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think()
    position = window.record.position
    window.record.undo()
    saved(window, file)
    assert not window.isWindowModified()
    window.files.new()
    window.analysis.change(algorithm="minimax", limit=Limit())
    window.files.open(file)
    assert (window.record.moves, window.record.line) == ((0,), (0, 4))
    assert window.record.computer == NOBODY
    assert (window.analysis.settings.algorithm, window.analysis.settings.limit) == ("alphabeta", Limit(depth=7))
    found = window.record.evaluation(position)
    assert found is not None
    assert found.algorithm == "alphabeta"
    assert f"{found.nodes:,} nodes" in window.board_panel.moves.model().index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert window.files.path == file
    window.record.redo()
    window.record.play(8)
    assert window.isWindowModified()
    saved(window)
    assert 'moves = "a1 b2 c3"' in file.read_text()
    assert [path.name for path in tmp_path.glob("*first*")] == ["first.plyscope"], "nothing is left beside it"


def test_a_file_is_opened_in_one_step(desk: Desk, tmp_path: Path) -> None:
    """The search settings, the game and the file are each told of once, when all of them are in place."""
    file, told = tmp_path / "first.plyscope", list[tuple[object, ...]]()
    desk.analysis.change(algorithm="alphabeta")
    saved(desk, file)
    desk.choose_game("connect-four")
    desk.analysis.change(algorithm="pvs")
    desk.play(38)

    def tell(signal: str) -> Callable[..., None]:
        state = lambda: (desk.record.game.spec, desk.analysis.settings.algorithm, desk.files.path)  # noqa: E731
        return lambda *_: told.append((signal, *state()))

    desk.analysis.settings_changed.connect(tell("settings"))
    desk.record.changed.connect(tell("game"))
    desk.windowTitleChanged.connect(tell("title"))
    desk.files.open(file)
    assert sorted(told) == [(signal, "tictactoe", "alphabeta", file) for signal in ("game", "settings", "title")]
    assert 'algorithm = "pvs"' in unsaved()[-1].read_text(), "the game that was left has its own settings"


def test_variations_go_into_files_the_next_start_and_the_clipboard(
    qtbot: QtBot, desk: Desk, kept: QSettings, tmp_path: Path
) -> None:
    saved(desk, tmp_path / "lines.plyscope")
    desk.record.undo()
    desk.record.play(8)
    lines = ((0, 8), (0, 4))
    assert desk.record.variations.lines == lines
    assert desk.isWindowModified()
    desk.files.clipboard.copy_game()
    saved(desk)
    desk.files.new()
    desk.files.clipboard.paste()
    assert (desk.record.variations.lines, desk.record.moves) == (lines, (0, 8))
    desk.files.open(tmp_path / "lines.plyscope")
    desk.record.go((0, 4))
    assert not desk.isWindowModified(), "to look at a variation changes nothing"
    desk.close()
    second = another(qtbot, kept)
    assert (second.record.variations.lines, second.record.moves) == (lines, (0, 4))
    second.close()


def test_a_file_that_is_no_game_leaves_the_game_and_the_file_alone(qtbot: QtBot, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "odd.plyscope"
    for data in b"", b"\x00\xff", b"plyscope = 9", b'plyscope = 1\n[game]\nrules = "go"\n':
        file.write_bytes(data)
        desk.files.open(file)
        assert warning(desk).endswith("."), data
        qtbot.waitUntil(lambda: not desk.findChildren(QMessageBox))
        assert desk.record.moves == (0, 4), data
        assert file.read_bytes() == data
        assert unsaved() == [], data


def test_a_file_that_cannot_be_written_is_said_and_the_old_one_stays(desk: Desk, tmp_path: Path) -> None:
    saved(desk, tmp_path)
    assert "cannot be written" in warning(desk)
    assert desk.files.path is None


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), MemoryError("of which there is none")], ids=repr
)
def test_a_window_that_is_closed_at_once_says_that_its_game_was_not_saved(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    closing, finish = threading.Event(), GameWriter.finish

    def fail(_: int) -> None:
        closing.wait(5)
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    monkeypatch.setattr(GameWriter, "finish", lambda writer: (closing.set(), finish(writer))[1])
    window.files.save_to(tmp_path / "game.plyscope")
    assert not window.close()
    assert str(error.args[-1]) in warning(window)
    assert window.close()
    assert (window.is_ended, list(tmp_path.rglob("*game.plyscope"))) == (True, [])


def test_a_game_that_no_thread_can_be_started_for_is_said_not_to_be_saved(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        desk.files.save_to(tmp_path / "game.plyscope")
    assert "can't start new thread" in warning(desk)
    saved(desk, tmp_path / "game.plyscope")
    assert desk.files.path == tmp_path / "game.plyscope"


def test_a_game_is_saved_while_the_window_goes_on(
    qtbot: QtBot, desk: Desk, kept: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is slow. A game that is left or closed meanwhile is in its file, which is the game's."""
    disk, files, fsync = threading.Event(), [tmp_path / f"{name}.plyscope" for name in ("first", "second")], os.fsync
    monkeypatch.setattr(os, "fsync", lambda number: disk.wait(5) and fsync(number))
    for file in files:
        desk.files.save_to(file)
    assert (desk.files.path, files[0].exists()) == (None, False)
    disk.set()
    qtbot.waitUntil(lambda: desk.files.path == files[1])
    disk.clear()
    desk.record.play(8)
    desk.files.save()
    desk.record.play(1)
    assert desk.isWindowModified()
    disk.set()
    desk.files.new()
    assert "c3 b1" in unsaved()[0].read_text(), "what came after the saving began"
    desk.files.finish_saving()
    assert desk.files.path is None, "the file is that of the game before"
    desk.record.play(3)
    desk.files.save_to(files[0])
    desk.close()
    second = another(qtbot, kept)
    assert (second.files.path, second.isWindowModified()) == (files[0], False)
    assert [move in file.read_text() for file, move in zip(files, ("a2", "a1 b2 c3"), strict=True)] == [True, True]
    second.close()


def test_a_game_that_another_takes_the_place_of_is_on_the_shelf(desk: Desk) -> None:
    desk.files.new()
    (left,) = unsaved()
    assert left.stem.endswith("Tic-tac-toe, 2 moves")
    desk.choose_game("mnk:4,4,3")
    assert unsaved() == [left], "a game without a move is not worth keeping"
    desk.files.open(left)
    assert desk.record.moves == (0, 4)
    assert desk.files.path is None
    assert unsaved() == [], "the next start goes on with it"
    desk.files.new()
    (again,) = unsaved()
    assert storage.read(again).moves == (0, 4)


def test_an_unsaved_game_is_opened_from_where_nothing_can_be_removed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder that belongs to root."""
    desk.files.new()
    (left,) = unsaved()
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == left:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    desk.files.open(left)
    assert desk.record.moves == (0, 4)


def test_a_game_is_on_the_shelf_under_a_name_that_the_locale_can_have(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ISO-8859-5 of Cyrillic has no multiplication sign."""
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "iso8859-5")
    desk.choose_game("mnk:4,4,3")
    desk.record.play(5)
    desk.files.new()
    assert unsaved()[-1].stem.endswith("4 ? 4, 3 in a row, 1 move")


def test_the_shelf_holds_the_last_few_games_and_none_that_is_saved(desk: Desk, tmp_path: Path) -> None:
    saved(desk, tmp_path / "game.plyscope")
    desk.files.new()
    assert unsaved() == []
    for move in range(storage.MOST_UNSAVED + 3):
        desk.record.play(move % 9)
        desk.files.new()
    assert len(unsaved()) == 1 + storage.MOST_UNSAVED
    desk.record.play(4)
    desk.record.play(5)
    before = unsaved()
    QGuiApplication.clipboard().setText("xo./.../...")
    desk.files.clipboard.paste()
    assert len(unsaved()) == 1 + storage.MOST_UNSAVED
    desk.board_panel.notice.button.click()
    assert unsaved() == before[1:], "the one over is deleted by the next that comes, and no other"
    oldest = unsaved()[0]
    content = storage.read(oldest)
    desk.files.open(oldest)
    assert desk.record.moves == content.moves == (3,)
    desk.files.new()
    assert storage.read(unsaved()[-1]).seed == content.seed, "it was the oldest when it was opened"


@pytest.mark.parametrize("spoil", [Path.unlink, lambda file: file.write_text("of another program")])
def test_a_saved_game_that_its_file_has_no_longer_is_unsaved(
    desk: Desk, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    saved(desk, tmp_path / "game.plyscope")
    spoil(tmp_path / "game.plyscope")
    desk.files.new()
    (left,) = unsaved()
    assert storage.read(left).moves == (0, 4)


def test_a_game_left_just_now_stays_where_the_others_are_of_a_later_date(desk: Desk) -> None:
    """The clock was ahead when they were saved."""
    desk.files.new()
    (first,) = unsaved()
    for second in range(storage.MOST_UNSAVED):
        first.with_name(f"2999-01-01 00-00-{second:02}-000000 Tic-tac-toe, 2 moves.plyscope").write_text("of then")
    for move in (7, 8):
        desk.record.play(move)
        desk.files.new()
    kept = storage.unsaved()
    assert len(kept) == 1 + storage.MOST_UNSAVED
    assert ['moves = "c3"' in kept[0].read_text(), 'moves = "b3"' in kept[1].read_text()] == [True, True]
    assert kept[2] == first
    assert [path.name[17:19] for path in kept[3:]] == ["09", "08", "07", "06", "05", "04", "03", "02"]


def test_open_recent_names_saved_and_unsaved_games(window: Window, tmp_path: Path) -> None:
    saved(window, tmp_path / "tea & cake.plyscope")
    window.files.new()
    window.record.play(8)
    window.files.new()
    recent = window.files.recent
    recent.aboutToShow.emit()
    names = [made.text() for made in recent.actions() if not made.isSeparator()]
    assert names[0] == "tea && cake"
    assert names[1].endswith("Tic-tac-toe, 1 move")
    recent.actions()[1].trigger()
    assert window.record.moves == (0, 4)
    saved(window, tmp_path / f"{'x' * 200}.plyscope")
    recent.aboutToShow.emit()
    assert recent.sizeHint().width() < window.width(), "a long name is shortened"


def test_the_next_start_goes_on_where_the_last_one_ended(
    qtbot: QtBot, window: Window, kept: QSettings, tmp_path: Path
) -> None:
    saved(window, tmp_path / "game.plyscope")
    window.record.undo()
    window.close()
    second = opened(qtbot, kept)
    assert (second.record.moves, second.record.line) == ((0,), (0, 4))
    assert second.record.computer == NOBODY
    assert second.files.path == tmp_path / "game.plyscope"
    assert not second.isWindowModified()
    second.files.new()
    second.close()
    assert second.settings is not None
    write(second.settings.path, {"file": str(tmp_path / "game.plyscope")})
    third = opened(qtbot, kept)
    assert third.files.path is None, "the file is another game's: the power was cut before one of both was written"
    third.close()


def test_a_killed_program_comes_back_to_the_same_place(qtbot: QtBot, kept: QSettings) -> None:
    script = (
        "from PySide6.QtCore import QSettings; from gui.files import autosave; autosave.DELAY_MILLISECONDS = 1\n"
        "from gui.app import application; from gui.window import Window; app = application()\n"
        f"w = Window(QSettings({kept.fileName()!r}, QSettings.Format.IniFormat)); w.record.set_computer(frozenset())\n"
        "w.record.play(8); w.record.play(0); app.exec()"
    )
    running = subprocess.Popen([sys.executable, "-c", script], env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    file = storage.folder() / "game-1.plyscope"
    qtbot.waitUntil(lambda: file.exists() and 'moves = "c3 a1"' in file.read_text(), timeout=30_000)
    running.send_signal(signal.SIGKILL)
    running.wait()
    window = opened(qtbot, kept)
    assert window.record.moves == (8, 0)
    window.close()


def test_a_change_is_written_down_by_itself(qtbot: QtBot, kept: QSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "DELAY_MILLISECONDS", 5)
    desk = another(qtbot, kept)
    desk.record.set_computer(NOBODY)
    desk.record.play(4)
    file = storage.folder() / "game-1.plyscope"
    qtbot.waitUntil(lambda: file.exists() and 'moves = "b2"' in file.read_text())
    desk.close()


def test_a_kill_right_after_another_game_came_loses_none(desk: Desk, tmp_path: Path) -> None:
    """The last run's game is the one whose file is in the settings, or that is no longer among the unsaved ones."""
    desk.files._autosave._clock.setInterval(10**9)
    own, file, settings = storage.folder() / "game-1.plyscope", tmp_path / "game.plyscope", desk.settings
    saved(desk, file)
    desk.files.new()
    assert "\nmoves" not in own.read_text()
    desk.files.open(file)
    assert 'moves = "a1 b2"' in own.read_text()
    desk.record.play(8)
    desk.choose_game("mnk:4,4,3")
    desk.choose_game("tictactoe")
    assert unsaved() == []
    assert 'moves = "a1 b2 c3"' in own.read_text()
    saved(desk, file)
    desk.analysis.change(algorithm="pvs")
    for move in (None, 3):
        if move is not None:
            desk.record.play(move)
        end = desk.files.practise()
        desk.record.play(5)
        desk.files._autosave._write()
        assert (settings.value("file"), "pvs" in own.read_text()) == (str(file), True), "as before the tour"
        assert ('moves = "a1 b2 c3 a2"' if move else 'moves = "a1 b2 c3"') in own.read_text()
        end()
    assert unsaved() == []
    assert 'moves = "a1 b2 c3 a2"' in own.read_text()


def test_every_time_that_games_are_no_longer_kept_is_said_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    desk.files.failed.connect(told.append)
    desk.choose_game("mnk:4,4,3")
    left = unsaved()
    full = partial(fail, OSError(28, "No space left on device"))
    for save_file in (full, full, storage.save_file, full):
        monkeypatch.setattr(storage, "save_file", save_file)
        desk.files._autosave._write()
    assert len(told) == 2
    desk.choose_game("tictactoe")
    assert unsaved() == left, "the game is in no other file"


def fail(error: Exception, *_: object) -> None:
    raise error


def test_a_game_of_the_computer_with_itself_comes_back_paused(qtbot: QtBot, window: Window, kept: QSettings) -> None:
    window.record.go_to(1)
    window.record.set_computer(frozenset({0, 1}))
    window.close()
    second = opened(qtbot, kept)
    assert (second.record.moves, second.record.line) == ((0,), (0, 4))
    assert second.opponent.is_held, "else it would play on, over what follows"
    second.close()


def test_a_damaged_game_of_last_time_is_kept_aside_and_said(qtbot: QtBot, kept: QSettings) -> None:
    storage.folder().mkdir(parents=True)
    (storage.folder() / "game-1.plyscope").write_text("plyscope = 1\n[game")
    window = opened(qtbot, kept)
    aside = storage.folder() / "game-1.plyscope.damaged"
    assert aside.read_text() == "plyscope = 1\n[game"
    assert aside.name in window.notice.text
    assert window.record.moves == ()
    window.close()


def test_two_windows_at_once_keep_a_game_each(qtbot: QtBot, desk: Desk, kept: QSettings) -> None:
    second = another(qtbot, kept)
    assert second.record.moves == ()
    second.record.set_computer(NOBODY)
    second.record.play(8)
    second.close()
    desk.close()
    assert 'moves = "a1 b2"' in (storage.folder() / "game-1.plyscope").read_text()
    assert 'moves = "c3"' in (storage.folder() / "game-2.plyscope").read_text()


def test_a_window_beyond_the_last_place_says_that_its_game_is_not_kept(
    qtbot: QtBot, window: Window, kept: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "MOST_WINDOWS", 1)
    second = opened(qtbot, kept)
    assert "is not kept for the next start: 1 other window is open" in second.notice.text
    second.close()


def test_a_ninth_window_keeps_its_game(qtbot: QtBot, kept: QSettings) -> None:
    with ExitStack() as others:
        storage.folder().mkdir(parents=True)
        for number in range(1, 9):
            others.enter_context(FileLock(storage.folder() / f"game-{number}.lock"))
        ninth = another(qtbot, kept)
        ninth.record.set_computer(NOBODY)
        ninth.record.play(8)
        ninth.close()
    assert 'moves = "c3"' in (storage.folder() / "game-9.plyscope").read_text()


def asked(window: Window, button: str) -> str:
    """The text of the question on display; it is answered."""
    (box,) = filter(QMessageBox.isVisible, window.findChildren(QMessageBox))
    text = box.text()
    next(push for push in box.buttons() if push.text() == button).click()
    window.files.finish_saving()
    return text


def test_a_file_another_window_has_written_is_not_overwritten_unasked(
    qtbot: QtBot, desk: Desk, kept: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, other = tmp_path / "game.plyscope", tmp_path / "mine.plyscope"
    saved(desk, file)
    second = another(qtbot, kept)
    second.files.open(file)
    second.record.set_computer(NOBODY)
    second.record.play(8)
    saved(second)
    theirs = file.read_bytes()
    assert b'moves = "a1 b2 c3"' in theirs
    desk.record.play(1)
    saved(desk)
    assert "game.plyscope was changed" in asked(desk, "Cancel")
    assert (file.read_bytes(), desk.isWindowModified()) == (theirs, True)
    monkeypatch.setattr(menu, "ask_where", lambda *_: other)
    saved(desk)
    asked(desk, "Save as…")
    assert (file.read_bytes(), desk.files.path) == (theirs, other)
    assert b'moves = "a1 b2 b1"' in other.read_bytes()
    file.write_text("something else")
    second.record.undo()
    saved(second)
    asked(second, "Overwrite")
    assert b'undone = "c3"' in file.read_bytes()
    second.record.redo()
    saved(second)
    assert not any(box.isVisible() for box in second.findChildren(QMessageBox)), "what it wrote itself is no change"
    second.close()


def test_a_file_changed_between_two_starts_is_not_overwritten_unasked(
    qtbot: QtBot, desk: Desk, kept: QSettings, tmp_path: Path
) -> None:
    file = tmp_path / "game.plyscope"
    saved(desk, file)
    desk.close()
    file.write_bytes(changed := file.read_bytes().replace(b"b2", b"c3"))
    second = another(qtbot, kept)
    saved(second)
    assert "was changed" in asked(second, "Cancel")
    assert file.read_bytes() == changed
    second.close()


def test_windows_open_at_once_come_back_with_a_file_each(
    qtbot: QtBot, desk: Desk, kept: QSettings, tmp_path: Path
) -> None:
    second = another(qtbot, kept)
    second.record.set_computer(NOBODY)
    second.record.play(8)
    all_written(qtbot, second)
    for name in ("left", "first"):
        saved(desk, tmp_path / f"{name}.plyscope")
    all_written(qtbot, desk)
    saved(second, tmp_path / "second.plyscope")
    second.files.new()
    second.record.play(8)
    second.close()
    desk.close()
    again = [another(qtbot, kept), another(qtbot, kept)]
    assert [made.files.path for made in again] == [tmp_path / "first.plyscope", None]
    assert again[1].record.moves == (8,)
    again[0].files.recent.aboutToShow.emit()
    assert [made.text() for made in again[0].files.recent.actions()][1:4] == ["first", "second", "left"]
    for made in again:
        made.close()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_a_folder_in_a_games_place_is_refused(
    qtbot: QtBot, kept: QSettings, make: Callable[[Path], None]
) -> None:
    last, *others = (storage.folder() / place for place in ("game-1.plyscope", "unsaved/x.plyscope", "else.plyscope"))
    others[0].parent.mkdir(parents=True)
    for path in (last, *others):
        make(path)
    window = opened(qtbot, kept)
    assert not last.exists()
    assert "It was renamed to game-1.plyscope.damaged" in window.notice.text
    for path in others:
        window.files.open(path)
        assert "is not a regular file" in warning(window)
        delete_closed()
    window.record.set_computer(NOBODY)
    window.record.play(4)
    window.close()


def test_where_nothing_can_be_kept_the_window_says_so_and_works(qtbot: QtBot, kept: QSettings) -> None:
    storage.folder().parent.mkdir(parents=True, exist_ok=True)
    storage.folder().write_text("a file where the folder should be")
    window = opened(qtbot, kept)
    assert "not kept for the next start" in window.notice.text
    window.record.set_computer(NOBODY)
    window.record.play(0)
    window.files.new()
    assert not window.close()
    asked(window, "Close all the same")
    assert window.is_ended


def no_room(*_: object, **__: object) -> None:
    raise SavedError("There is no room.")


def test_a_window_stays_open_for_a_game_that_cannot_be_kept(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, elsewhere = storage.write, tmp_path / "a.plyscope"
    window.record.play(1)
    monkeypatch.setattr(storage, "write", no_room)
    for _ in range(2):
        assert not window.close(), "nobody has given it up"
        assert "cannot be kept for the next start" in warning(window)
        qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
    monkeypatch.setattr(storage, "write", write)
    saved(window, elsewhere)
    monkeypatch.setattr(storage, "write", no_room)
    assert window.close(), "it is in a file"


def test_a_game_that_cannot_be_kept_is_lost_where_that_is_said(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "write", no_room)
    assert not window.close()
    asked(window, "Close without it")
    assert window.is_ended


def test_positions_and_games_go_over_the_clipboard_as_text(qtbot: QtBot, window: Window) -> None:
    clipboard = QGuiApplication.clipboard()
    window.board.setFocus()
    window.activateWindow()
    qtbot.keyClick(window.board, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "x../.o./..."
    window.files.clipboard.copy_game()
    game = clipboard.text()
    clipboard.setText("xo.\n.x.\n...\n")
    qtbot.keyClick(window.board, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.record.game.notation.format(window.record.position) == "xo./.x./..."
    assert window.record.moves == ()
    clipboard.setText(game)
    window.files.clipboard.paste()
    assert window.record.moves == (0, 4)


def test_what_is_neither_a_position_nor_a_game_is_not_pasted(desk: Desk) -> None:
    for text in ("", "hello", "xx./.../...", "xo/...", "plyscope = 7", "a/b " * 1000):
        QGuiApplication.clipboard().setText(text)
        desk.files.clipboard.paste()
        assert desk.board_panel.notice.text.endswith("."), text
        assert desk.record.moves == (0, 4)
        desk.record.undo()
        assert not desk.board_panel.notice.text, "it is outdated"
        desk.record.redo()


def test_a_pasted_position_of_another_size_brings_its_game(desk: Desk, tmp_path: Path) -> None:
    saved(desk, tmp_path / "game.plyscope")
    for text, spec in (
        ("x.../.o../..../....", "mnk:4,4,4"),
        ("x......\n" + ".......\n" * 6, "mnk:7,7,5"),
        ("xo.\n.x.\n...", "tictactoe"),
    ):
        QGuiApplication.clipboard().setText(text)
        desk.files.clipboard.paste()
        game = desk.record.game
        assert game.spec == spec
        assert game.notation.format(desk.record.start) == "/".join(text.split())
        assert (game.title in desk.board_panel.notice.text) == (spec != "tictactoe"), "another game is named"
        desk.board_panel.notice.button.click()
        assert (desk.record.game.spec, desk.record.moves) == ("tictactoe", (0, 4)), spec
        assert desk.files.path == tmp_path / "game.plyscope", spec
        assert not desk.board_panel.notice.text, spec


def test_the_squares_of_a_pasted_row_may_have_spaces_between_them(desk: Desk) -> None:
    for text in ("x o .\n. x .\n. . .", "X O . / . X . / . . .\n", "  x o .\r\n  . x .\r\n  . . ."):
        desk.files.new()
        QGuiApplication.clipboard().setText(text)
        desk.files.clipboard.paste()
        assert desk.record.game.spec == "tictactoe"
        assert desk.record.game.notation.format(desk.record.start) == "xo./.x./..."


def test_a_position_of_the_games_own_size_keeps_the_game(desk: Desk) -> None:
    desk.choose_game("mnk:4,4,3")
    QGuiApplication.clipboard().setText("x.../.o../..../....")
    desk.files.clipboard.paste()
    assert desk.record.game.spec == "mnk:4,4,3"


def test_a_pasted_game_can_be_taken_back(desk: Desk) -> None:
    QGuiApplication.clipboard().setText('plyscope = 1\n[game]\nrules = "4,4,3"\nmoves = "b2"\n')
    desk.files.clipboard.paste()
    assert (desk.record.game.spec, desk.record.moves) == ("mnk:4,4,3", (5,))
    desk.board_panel.notice.button.click()
    assert desk.record.moves == (0, 4)
    assert unsaved() == [], "the copy for safety is gone"


def test_the_last_play_of_a_game_outlives_a_pasted_one_and_the_tour(desk: Desk) -> None:
    """Both replace the game on the board for a while, perhaps by another of the kind that was left."""
    left = registry.game("tictactoe")
    desk.choose_game("mnk:4,4,3")
    desk.record.play(5)
    desk.files.clipboard.take_text("x../.o./...")
    desk.files.clipboard.undo()
    desk.files.practise()()
    assert (desk.record.game.spec, desk.record.moves) == ("mnk:4,4,3", (5,))
    found = desk.files.last.find(left)
    assert found is not None
    assert found.moves == (0, 4)


def test_the_end_of_the_tour_discards_its_own_game_only(desk: Desk, tmp_path: Path) -> None:
    desk.files.save_to(tmp_path / "game.plyscope")
    end = desk.files.practise()
    desk.files.open(tmp_path / "game.plyscope")
    desk.record.play(8)
    end()
    assert (desk.record.moves, desk.files.path) == ((0, 4), tmp_path / "game.plyscope")
    (left,) = unsaved()
    assert storage.read(left).moves == (0, 4, 8)


def test_an_unsaved_game_that_was_opened_and_left_again_is_gone_on_with(desk: Desk) -> None:
    desk.choose_game("mnk:4,4,3")
    (left,) = unsaved()
    desk.files.open(left)
    assert desk.record.moves == (0, 4)
    desk.choose_game("mnk:4,4,3")
    assert len(unsaved()) == 1, "it is not stored twice"
    desk.choose_game("tictactoe")
    assert desk.record.moves == (0, 4)


def test_a_game_that_a_preset_replaces_is_left_with_its_sides(window: Window) -> None:
    window.record.set_computer(frozenset({1}))
    window.speedup.preset_requested.emit(PRESET)
    assert (window.record.game.spec, window.record.computer) == (PRESET.game, NOBODY)
    (left,) = unsaved()
    assert storage.read(left).computer == {1}


def test_undo_takes_back_what_was_just_pasted_and_its_moves_first(window: Window) -> None:
    for text in "xo./.../...", "1. b2 a1", 'plyscope = 1\n[game]\nrules = "4,4,3"\nmoves = "b2"\n':
        QGuiApplication.clipboard().setText(text)
        window.files.clipboard.paste()
        pasted = window.record.position
        assert window.undo_action.isEnabled(), text
        window.undo_action.trigger()
        assert (window.record.game.spec, window.record.moves) == ("tictactoe", (0, 4)), text
        assert not window.board_panel.notice.text
        window.files.clipboard.paste()
        window.board_panel.notice.dismiss.click()
        window.play(8)
        window.undo_action.trigger()
        assert window.record.position == pasted, "the move only"
        while window.record.can_undo:
            window.undo_action.trigger()
        assert window.undo_action.isEnabled(), text
        window.undo_action.trigger()
        assert (window.record.game.spec, window.record.moves) == ("tictactoe", (0, 4)), text
    window.files.new()
    assert not window.undo_action.isEnabled()


def test_a_pasted_transcript_is_a_game_with_its_moves(desk: Desk) -> None:
    for spec, text, names in (
        ("othello:8", "F5 D6 C3", "f5 d6 c3"),
        ("othello:4", "a2a3 b4c1 A4 b1a1d2c4d4 d1d3", "a2 a3 b4 c1 a4 pass b1 a1 d2 c4 d4 pass d1 d3"),
        ("connect-four:7,6", "4455", "d1 d2 e1 e2"),
        ("connect-four:7,6", "ddee", "d1 d2 e1 e2"),
        ("connect-four:7,6", "D1d2 e1", "d1 d2 e1"),
        ("ultimate", "e5d4a1", "e5 d4 a1"),
    ):
        desk.choose_game(spec)
        QGuiApplication.clipboard().setText(text)
        desk.files.clipboard.paste()
        record = desk.record
        notation = record.game.notation
        assert " ".join(map(notation.move_name, record.moves)) == names
        assert record.position == notation.parse(text)
        assert desk.board_panel.notice.text == "Pasted: a line of moves."
        desk.files.new()


@settings(deadline=None, derandomize=True)
@given(played=naive.playouts("mnk:4,4,3"), first=st.integers(0, 16))
def test_a_copied_line_can_be_pasted_back(played: list[Position], first: int) -> None:
    """Played from a position on the way, or from the usual start."""
    game, start = registry.game("mnk:4,4,3"), played[min(first, len(played) - 1)]
    record = GameRecord(game)
    record.new(start=start)
    line = tuple(
        next(move for move in each(legal(before)) if play(before, move) == after)
        for before, after in pairwise(played[min(first, len(played) - 1) :])
    )
    for move in line:
        record.play(move)
    text = line_text(record, line)
    assert not line or pasted(text, game) == (game, start, Variations((line,)))


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("x../.../... o", "tictactoe"),
        ("x../.../... x", "random-turn:3,3,3"),
        ("X.../..../..../....  O", "random-turn:4,4,3"),
        ("..../.ox./.xo./.... x", "othello:4"),
        ("/".join(["." * 9] * 9) + " any", "ultimate"),
    ],
)
def test_rows_with_a_word_stay_in_the_game_or_go_to_the_one_that_writes_them_so(text: str, spec: str) -> None:
    found = pasted(text, registry.game("tictactoe"))
    assert not isinstance(found, SavedGame)
    game, start, _ = found
    assert (game.spec, start) == (spec, game.notation.parse(text))


@pytest.mark.parametrize(
    ("spec", "text", "lines"),
    [
        ("tictactoe", "a1 b2 c3", ["a1 b2 c3"]),
        ("tictactoe", "A1, B2, C3", ["a1 b2 c3"]),
        ("tictactoe", "1.a1 b2\n2.c3", ["a1 b2 c3"]),
        (
            "tictactoe",
            "1. A1 B2 (1... B1 2. c3) (1. … a2) 2. C3 (b1 (c1))",
            ["a1 b2 c3", "a1 b2 b1", "a1 b2 c1", "a1 b1 c3", "a1 a2"],
        ),
        ("random-turn:3,3,3", "1. >x a1 >X b1", [">X a1 >X b1"]),
        ("connect-four:7,6", "1. 4 4 2. 5, 5", ["d1 d2 e1 e2"]),
        ("othello:8", "1.F5 2.d6 3.c3", ["f5 d6 c3"]),
        ("othello:4", "1. a2 a3 2. b4 c1 3. a4 b1", ["a2 a3 b4 c1 a4 pass b1"]),
    ],
)
def test_a_line_is_read_as_people_write_it_down(spec: str, text: str, lines: list[str]) -> None:
    found = pasted(text, registry.game(spec))
    assert not isinstance(found, SavedGame)
    game, start, moves = found
    assert (game.spec, start) == (spec, game.start)
    assert [" ".join(map(game.notation.move_name, line)) for line in moves.lines] == lines


@pytest.mark.parametrize(
    "text", ["1.", "1. a1 b2) c3", "1. ()", "b2 b2", "a1 b2 and so on", f"{'word ' * 90}", "1. one"]
)
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be played|neither a game, nor a line"):
        pasted(text, registry.game("tictactoe"))


def test_a_line_that_cannot_be_played_is_refused(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("1. a1 a1")
    desk.files.clipboard.paste()
    assert desk.board_panel.notice.text == "Move 2 of the game, 'a1', cannot be played."
    assert desk.record.moves == (0, 4)


def test_the_board_says_why_a_text_is_not_taken(desk: Desk) -> None:
    for text, why in (
        ("xo./../...", "different lengths"),
        ("xx./.../...", "impossible"),
        ("/".join(["." * 9] * 9), "1 to 64 squares"),
        ("two words", "neither a game, nor a line of moves, nor a position"),
        ("plyscope = ", "damaged"),
    ):
        QGuiApplication.clipboard().setText(text)
        desk.files.clipboard.paste()
        assert why in desk.board_panel.notice.text
        assert desk.record.moves == (0, 4)


def test_the_board_is_exported_as_pixels_and_as_lines(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted_on, paint = [], export.paint
    monkeypatch.setattr(
        export, "paint", lambda *asked: (painted_on.append(threading.current_thread()), paint(*asked))[1]
    )
    for kind in ("png", "svg", "pdf", "txt"):
        window.files.export(tmp_path / f"board.{kind}")
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=30_000)
    assert "with .png, .svg or .pdf" in warning(window)
    saved = {file.suffix for file in tmp_path.glob("board.*")}
    assert saved == {".png", ".svg", ".pdf"}, "none takes the place of one before it"
    assert threading.main_thread() not in painted_on
    assert QImage(str(tmp_path / "board.png")).width() == 1440
    drawing = (tmp_path / "board.svg").read_text()
    assert QSvgRenderer(str(tmp_path / "board.svg")).isValid()
    assert "<image" not in drawing
    assert "<text" not in drawing, "a reader need not have the font"


def test_a_picture_of_the_board_has_neither_pointer_nor_keyboard(window: Window, tmp_path: Path) -> None:
    plain = window.board.picture()
    pictures = [
        replace(plain, **change)
        for change in ({}, {"focus": 8}, {"preview": 8}, {"note": "thinking…"}, {"fresh": (0,), "drawn": 0.1})
    ]
    for number, picture in enumerate(pictures):
        save_picture(tmp_path / f"{number}.svg", export.board_drawing(picture))
    assert len({(tmp_path / f"{number}.svg").read_bytes() for number in range(len(pictures))}) == 1


def test_writing_a_long_game_down_is_not_felt(desk: Desk) -> None:
    desk.choose_game("mnk:8,8,8")
    for move in range(40):
        desk.record.play(move)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        storage.write(storage.folder() / "long.plyscope", storage.taken_down(desk.record, desk.analysis), durable=False)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.016, "the least, for the machine may be busy"


@contextmanager
def home_away() -> Iterator[None]:
    """In this context no game can be kept; those that were are back after it."""
    home, away = storage.folder(), storage.folder().with_name("away")
    home.rename(away)
    home.write_text("a file where the folder was")
    yield
    home.unlink()
    away.rename(home)


def test_a_home_that_is_back_keeps_the_games_file_and_ends_the_notice(
    qtbot: QtBot, kept: QSettings, tmp_path: Path
) -> None:
    window, elsewhere = opened(qtbot, kept), tmp_path / "elsewhere.plyscope"
    window.record.set_computer(NOBODY)
    window.play(4)
    with home_away():
        window.files._autosave._write()
        assert "Games are not kept" in window.notice.text
        saved(window, elsewhere)
    window.close()
    assert not window.notice.text, "they are kept now"
    again = opened(qtbot, kept)
    assert (again.record.line, again.files.path, again.files.is_saved) == ((4,), elsewhere, True)
    again.close()


def test_a_window_stays_open_for_earlier_games_until_they_are_given_up(qtbot: QtBot, kept: QSettings) -> None:
    window = opened(qtbot, kept)
    window.record.set_computer(NOBODY)
    window.play(4)
    with home_away():
        window.files.new()
        window.play(0)
        saved(window, storage.folder().with_name("last.plyscope"))
        assert not window.close()
        assert "it is lost" in warning(window)
        qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
        assert not window.close(), "nobody has given it up"
        asked(window, "Close all the same")
        assert window.is_ended
    assert not storage.unsaved()


@pytest.mark.parametrize("closes", [False, True])
def test_games_left_without_a_home_are_unsaved_games_when_it_is_back(
    qtbot: QtBot, kept: QSettings, closes: bool
) -> None:
    window = opened(qtbot, kept)
    window.record.set_computer(NOBODY)
    window.play(4)
    with home_away():
        for move in (0, 8):
            window.files.new()
            window.play(move)
        assert window.notice.text.count("The previous game could not be saved") == 1
    window.close() if closes else window.files._autosave._write()
    assert "could not be saved" not in window.notice.text
    assert [storage.read(path).moves for path in storage.unsaved()] == [(0,), (4,)], "the newest first"
    window.close()
