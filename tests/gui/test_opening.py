"""A saved game named on the command line, or dropped onto the window, opens as from the menu."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QToolButton

import main
from gui.window import Window


@pytest.fixture
def game(window: Window, tmp_path: Path) -> Path:
    """A saved game with the moves a1 b2."""
    path = tmp_path / "mine.plyscope"
    window.play(0)
    window.play(4)
    window.files.save_to(path)
    window.files.new()
    return path


def drop(window: Window, *paths: Path | QUrl, text: str = "") -> None:
    mime = QMimeData()
    if paths:
        mime.setUrls([path if isinstance(path, QUrl) else QUrl.fromLocalFile(str(path)) for path in paths])
    else:
        mime.setText(text)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(200, 200), copy, mime, left, none)
    QApplication.sendEvent(window, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), copy, mime, left, none))


def test_a_dropped_game_is_opened_and_takes_away_what_was_said_before(
    window: Window, game: Path, tmp_path: Path
) -> None:
    for why in ("it is opened", "it is on the board already"):
        drop(window, tmp_path / "picture.png")
        assert window.board_panel.notice.text.startswith("That is not a saved game")
        drop(window, game)
        assert (window.record.moves, window.files.path) == ((0, 4), game)
        assert not window.board_panel.notice.text, why


def test_a_dropped_text_is_taken_as_a_pasted_one(window: Window, game: Path) -> None:
    """And copied though a move is proposed, here as with Shift: an editor would delete what it has moved."""
    drop(window, text="xo./.../...")
    assert window.record.game.notation.format(window.record.position) == "xo./.../..."
    drop(window, text=game.read_text())
    assert window.record.moves == (0, 4)
    mime, copy, move = QMimeData(), Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
    mime.setText("x../.o./...")
    pressed = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    for event in (
        QDragEnterEvent(QPoint(200, 200), copy | move, mime, *pressed),
        QDropEvent(QPointF(200, 200), copy | move, mime, *pressed),
    ):
        assert event.proposedAction() is move
        QApplication.sendEvent(window, event)
        assert event.isAccepted()
        assert event.dropAction() is copy
    assert window.board_panel.notice.text == "Pasted: a position."


def test_a_dropped_file_that_cannot_be_read_is_refused_as_from_the_menu(window: Window, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.plyscope"
    damaged.write_bytes(b"\xff\xfe")
    window.play(8)
    drop(window, tmp_path / "picture.png")
    drop(window, damaged)
    assert not window.board_panel.notice.text, "the dialog says what is wrong now"
    (box,) = window.findChildren(QMessageBox)
    assert "holds no text" in box.text()
    box.done(0)
    box.deleteLater()
    assert window.record.moves == (8,)


def test_of_anything_else_one_sentence_says_what_can_be_dropped(window: Window, game: Path, tmp_path: Path) -> None:
    window.play(8)
    drop(window, tmp_path / "picture.png")
    assert window.board_panel.notice.text.startswith("That is not a saved game")
    drop(window, game, game)
    assert window.board_panel.notice.text.startswith("Several files")
    remote = QUrl("https://example.org/game.plyscope")
    drop(window, game, remote)
    assert window.board_panel.notice.text.startswith("Several files")
    drop(window, remote)
    assert window.board_panel.notice.text.startswith("That file is on another machine")
    drop(window, text="a dropped sentence")
    assert window.board_panel.notice.text.startswith("This text is neither")
    assert window.record.moves == (8,)


def test_a_game_that_is_dropped_opened_or_pasted_ends_the_tour(window: Window, game: Path, tmp_path: Path) -> None:
    """The tour tells of its own game."""
    window.play(8)
    window.tour.start()
    drop(window, game)
    assert not window.tour.is_on
    assert (window.record.moves, window.files.path) == ((0, 4), game)
    window.tour.start()
    drop(window, tmp_path / "picture.png")
    assert not window.tour.is_on, "the sentence is in the window that it dims"
    assert window.board_panel.notice.text.startswith("That is not a saved game")
    assert (window.record.moves, window.files.path) == ((0, 4), game)
    window.files.new()
    window.play(8)
    window.tour.start()
    window.files.open(game)
    assert not window.tour.is_on
    assert (window.record.moves, window.files.path) == ((0, 4), game)
    window.tour.start()
    window.files.clipboard.take_text("xo./.../...")
    assert not window.tour.is_on
    assert window.record.game.notation.format(window.record.position) == "xo./.../..."
    window.files.clipboard.undo()
    assert (window.record.moves, window.files.path) == ((0, 4), game), "not the game of the tour"


def test_a_file_on_the_command_line_opens_in_the_window(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[Path | None] = []
    monkeypatch.setattr("gui.app.open_window", lambda game=None: opened.append(game) or 0)
    monkeypatch.chdir(tmp_path)
    Path("solve").touch()
    Path("notes.txt").touch()
    for arguments in (["mine.plyscope"], ["notes.txt"], [], ["solve", "--help"], ["nothing.txt"]):
        monkeypatch.setattr(sys, "argv", ["plyscope", *arguments])
        main.main()
    assert opened == [tmp_path / "mine.plyscope", tmp_path / "notes.txt", None]
    assert main.game_file(["solve"]) is None
    assert "nothing.txt" in capsys.readouterr().err


def test_without_a_display_a_game_cannot_be_opened_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "why_no_window", lambda: "There is no display.")
    monkeypatch.setattr(sys, "argv", ["plyscope", "mine.plyscope"])
    assert main.main() == 2
    assert capsys.readouterr().err == "There is no display.\n"


def test_the_pause_button_is_there_where_the_computer_plays_itself(window: Window) -> None:
    (button,) = (made for made in window.findChildren(QToolButton) if made.defaultAction() is window.hold_action)
    assert not button.isVisible()
    window.record.set_computer(frozenset({0, 1}))
    assert button.isVisible()
    assert "(P)" in button.toolTip()
    button.click()
    assert window.opponent.is_held
    assert button.text() == "Resume game"
    window.record.set_computer(frozenset({1}))
    assert not button.isVisible()


def test_without_a_display_and_a_folder_of_ones_own_the_picture_is_in_a_new_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder for temporary files belongs to all: another's file, or a link to any, may have the picture's name."""
    ran: list[list[str]] = []
    for name, value in {"why_no_window": "There is no display.", "why_no_painting": None}.items():
        monkeypatch.setattr(main, name, lambda value=value: value)
    monkeypatch.setattr(main.cli, "run", lambda arguments: ran.append(arguments) or 0)
    monkeypatch.setattr(main.os, "access", lambda *_: False)
    monkeypatch.setattr(main.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["plyscope"])
    assert main.main() == 0
    (folder,) = tmp_path.iterdir()
    assert ran == [["tour"], ["--screenshot", str(folder / "plyscope.png")]]
