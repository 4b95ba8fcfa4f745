"""The replay as an animated picture: its frames are the moments asked for, and it can be stopped."""

import signal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QImageReader
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

import main as main  # gives the command line its painters
from engine import cli
from gui.style.colours import DARK
from gui.style.theme import painted_in, theme
from gui.tree.film import HEIGHT, MARGIN, REST, SPACE, TREE, FilmOptions, Stage
from gui.tree.film_dialog import FilmDialog
from gui.tree.icicle_colours import _of_searches
from gui.window import Window
from tests.gui.tree.conftest import Zone


def test_moments_are_at_equal_distances_and_none_comes_twice() -> None:
    whole = FilmOptions(0, 100, 10, 2, (960, 540), "light")
    assert whole.moments == [round(number * 100 / 19) for number in range(20)]
    assert whole._replace(first=97).moments == [97, 98, 99, 100]


def test_the_replay_is_saved_as_an_animated_picture(searched_window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    window, card = searched_window, theme().colour("card")
    window.replay.go(window.replay.last - 3)
    window.pictures.actions()[2].trigger()
    (dialog,) = window.findChildren(FilmDialog)
    assert dialog.fact == "100 frames; from one to the next about 47 moments"
    assert not dialog.buttons.standardButtons(), "on which Qt puts icons, on no other dialog's"
    dialog.seconds.setValue(120)
    dialog.save(tmp_path / "film.gif")
    qtbot.waitUntil(lambda: dialog._progress.value() > 0, timeout=30_000)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: dialog.fact == "Stopped: nothing was saved.", timeout=30_000)
    assert not list(tmp_path.iterdir())

    dialog.range.setCurrentIndex(1)
    assert dialog.fact == "4 frames, one a moment"
    dialog.rate.setCurrentIndex(dialog.rate.findData(2))
    dialog.size_box.setCurrentIndex(2)
    dialog.colours.setCurrentIndex(dialog.colours.findData("dark"))
    dialog.narration.setChecked(True)
    dialog.save(tmp_path / "missing" / "film.gif")
    qtbot.waitUntil(lambda: "No such file or directory. Choose another place." in dialog.fact, timeout=30_000)
    with qtbot.waitSignal(dialog.accepted, timeout=30_000):
        dialog.save(tmp_path / "film.gif")
    assert window.statusBar().currentMessage() == f"Saved as {tmp_path / 'film.gif'}"
    assert theme().colour("card") == card, "the window keeps its colours"
    reader, frames = QImageReader(str(tmp_path / "film.gif")), []
    while reader.canRead():
        frames.append((reader.read(), reader.nextImageDelay()))
    assert [delay for _, delay in frames] == [500, 500, 500, 10 * REST]
    for before, (frame, _) in zip([None, *(frame for frame, _ in frames)], frames, strict=False):
        assert (frame.width(), frame.height()) == (960, 540)
        assert frame.pixelColor(2, 2) == QColor(DARK.card)
        assert frame != before, "another moment"
    story = (tmp_path / "film.txt").read_text().splitlines()
    assert story[0].startswith("Tic-tac-toe · x../.../... · alpha-beta")
    assert [line.partition(":")[0] for line in story[1:]] == [
        f"{number / 2:.1f} s, moment {4673 + number:,}" for number in range(4)
    ]
    assert "The search of the root ends: 0 for X." in story[-1]
    window.pictures.actions()[2].trigger()
    (dialog,) = filter(QWidget.isVisible, window.findChildren(FilmDialog))
    dialog.seconds.setValue(120)
    dialog.save(tmp_path / "another.gif")
    window.close()  # it ends what is being saved
    assert not dialog.isVisible()


def test_the_replay_of_one_tree_has_the_legend_of_all_its_frames(qtbot: QtBot, searched: Zone) -> None:
    qtbot.waitUntil(lambda: not searched.tree.shape.is_computing)
    film = searched.tree.film()
    assert film is not None
    words = [entry.words for entry in film.content.entries]
    assert {"good for X", "good for O", "pruned", "not visited yet"} <= {*words}
    assert not any("node" in entry for entry in words), "a count would differ from frame to frame"


def test_the_text_beside_the_replay_says_which_iteration_it_tells(qtbot: QtBot, zone: Zone) -> None:
    """Its sentences are those of one search of the root: an earlier one has another depth and other values."""
    zone.play(0)
    zone.analysis.change(algorithm="alphabeta", deepen=True)
    with qtbot.waitSignal(zone.analysis.finished, timeout=60_000):
        zone.think()
    titles = []
    for step in (0, -1):
        if step:
            zone.replay.go_to_iteration(step)
        film = zone.tree.film()
        assert film is not None
        titles.append(film.narration(FilmOptions(0, 3, 10, 1, (320, 180), "light")).partition("\n")[0])
    usual = "Tic-tac-toe · x../.../... · alpha-beta · deepening · "
    assert all(title.startswith(usual) for title in titles)
    assert [title.rpartition(" · ")[2] for title in titles] == ["last of 8 iterations", "iteration 7, depth 7"]


def test_a_text_beside_the_replay_is_replaced_only_if_the_person_agrees(
    searched_window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, notes, button = searched_window, tmp_path / "talk.txt", QMessageBox.StandardButton
    notes.write_text("my notes")
    monkeypatch.setattr(QFileDialog, "exec", lambda _: 1)
    window.pictures.actions()[2].trigger()
    (dialog,) = window.findChildren(FilmDialog)
    dialog.narration.setChecked(True)
    asked = list[str]()
    monkeypatch.setattr(FilmDialog, "save", lambda _, path: asked.append(f"save {path.name}"))
    for name, pressed in (("talk", button.No), ("talk.gif", button.Yes), ("talk.txt", button.No)):
        monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _, name=name: [str(tmp_path / name)])
        monkeypatch.setattr(QMessageBox, "exec", lambda box, pressed=pressed: (asked.append(box.text()), pressed)[1])
        dialog.buttons.accepted.emit()
    question = "talk.txt exists already. Replace it?"
    assert asked == [question, question, "save talk.gif", "save talk.txt.gif"]
    dialog.close()


def test_the_command_line_saves_the_replay_and_can_be_stopped(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = theme().choice
    asked = ["tree", "--position", "xox/.../...", "--algorithm", "alphabeta", "--size", "320x180", "--length", "1"]
    assert cli.run([*asked, "--animate", str(tmp_path / "replay.mp4")]) == 2
    assert "choose a name with .gif instead of replay.mp4." in capsys.readouterr().err
    assert cli.run([*asked, "--size", "320x0", "--animate", str(tmp_path / "replay.gif")]) == 2
    assert "A picture of 320x0 pixels is not possible" in capsys.readouterr().err
    assert cli.run([*asked, "--animate", str(tmp_path / "replay.gif")]) == 0
    reader = QImageReader(str(tmp_path / "replay.gif"))
    assert (reader.imageCount(), reader.size().toTuple()) == (10, (320, 180))
    capsys.readouterr()

    frame = Stage.frame

    def interrupted(stage: Stage, moment: int) -> QImage:
        if moment == 0:
            monkeypatch.undo()
            signal.raise_signal(signal.SIGINT)
        return frame(stage, moment)

    monkeypatch.setattr(Stage, "frame", interrupted)
    stopped = tmp_path / "stopped.gif"
    assert cli.run([*asked, "--animate", str(stopped)]) == 128 + signal.SIGINT
    assert capsys.readouterr().err == f"Stopped: {stopped} was not written.\n"
    assert not stopped.exists()
    theme().choose(before)


def test_the_replay_of_two_compared_searches_has_both_trees(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first no node is of one search only, in the second some are, once they are visited."""
    before, frame, seen = theme().choice, Stage.frame, list[tuple[int, int]]()
    with painted_in("light"):
        one = _of_searches()[1].rgb()

    def counted(stage: Stage, moment: int) -> QImage:
        image, top = frame(stage, moment), stage._room.bottom() + SPACE
        ratio = image.height() / HEIGHT
        found = [
            sum(
                image.pixel(x, y) == one
                for x in range(round(MARGIN + stage._measures.left), image.width() - MARGIN, 2)
                for y in range(round(upper * ratio), round((upper + TREE) * ratio))
            )
            for upper in (top + 20, top + TREE + 40)
        ]
        seen.append((found[0], found[1]))
        return image

    monkeypatch.setattr(Stage, "frame", counted)
    asked = ["tree", "--position", "xox/.../...", "--algorithm", "alphabeta", "--compare", "minimax"]
    assert cli.run([*asked, "--size", "640x360", "--length", "1", "--animate", str(tmp_path / "both.gif")]) == 0
    assert {above for above, _ in seen} == {0}
    assert seen[0][1] == 0, "nothing is visited yet"
    assert seen[-1][1] > 50
    theme().choose(before)
