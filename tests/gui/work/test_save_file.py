"""Files that people name: existing files keep their permissions and links, and no file is left half written."""

import os
import resource
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine import registry
from gui.board.export import board_drawing
from gui.board.view import BoardWidget
from gui.state.game_record import GameRecord
from gui.work.picture_file import save_picture
from gui.work.save_file import save_file

LONG = b"0123456789" * 1000


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file grow beyond that size: for a program that is an almost full disk, also for root."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "game.plyscope"
    made.write_bytes(b"old")
    return made


def names(file: Path) -> list[str]:
    return sorted(path.name for path in file.parent.iterdir())


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_permissions(file: Path, mode: int) -> None:
    file.chmod(mode)
    save_file(file, b"new")
    assert (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) == (mode, b"new")
    assert names(file) == [file.name]


def test_a_new_file_has_the_permissions_that_the_user_gives_new_files(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    save_file(tmp_path / "new", b"new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_write_protected_file_is_refused_in_words(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(PermissionError, match="it is write-protected"):
        save_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert names(file) == [file.name]


def test_a_folder_or_a_pipe_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(OSError, match="it is not a file"):
            save_file(path, b"new")


def test_hard_links_stay_links_and_symbolic_ones_are_followed(file: Path) -> None:
    other, symbolic = file.with_name("other"), file.with_name("symbolic")
    os.link(file, other)
    symbolic.symlink_to(file)
    for number, path in enumerate((file, other, symbolic)):
        content = LONG[number:]
        save_file(path, content)
        assert (file.read_bytes(), other.read_bytes()) == (content, content)
    assert file.samefile(other)
    assert symbolic.is_symlink()
    assert names(file) == ["game.plyscope", "other", "symbolic"]


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("room", [0, 5000])
def test_on_a_full_disk_the_old_content_stays(file: Path, room: int, linked: bool) -> None:
    if linked:
        os.link(file, file.with_name("other"))
    before = names(file)
    with pytest.raises(OSError, match="File too large"), room_for(room):
        save_file(file, LONG)
    assert file.read_bytes() == b"old"
    assert names(file) == before


def test_where_the_folder_takes_no_new_file_the_file_itself_is_changed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`os.access` is replaced, because root may write anywhere."""
    number = file.stat().st_ino
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != file.parent)
    save_file(file, b"new")
    assert (file.stat().st_ino, file.read_bytes()) == (number, b"new")
    with pytest.raises(OSError, match="File too large"), room_for(5000):
        save_file(file, LONG)
    assert file.read_bytes() == b"new"


def test_two_threads_save_files_of_one_folder_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = threading.Thread(target=save_file, args=(tmp_path / "second", b"second", False))

    def meanwhile(_: int) -> None:
        second.start()
        second.join()

    monkeypatch.setattr(os, "fsync", meanwhile)
    save_file(tmp_path / "first", b"first")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"first": "first", "second": "second"}


def test_no_cut_off_picture_is_left_on_a_full_disk(qtbot: QtBot, tmp_path: Path) -> None:
    board = BoardWidget(GameRecord(registry.game("tictactoe")))
    qtbot.addWidget(board)
    for name in ("board.png", "board.svg"):
        with pytest.raises(ValueError, match="cannot be written"), room_for(1000):
            save_picture(tmp_path / name, board_drawing(board.picture()))
    assert list(tmp_path.iterdir()) == []
