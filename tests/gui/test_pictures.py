"""Pictures of the path, the whole tree and the timeline as files, written outside the window's thread."""

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog
from pytestqt.qtbot import QtBot

import main
from engine import cli, registry
from engine.control import Control
from engine.options.catalogue import Limit
from engine.trace import export
from gui import pictures
from gui.state.spoilers import spoilers
from gui.style.theme import theme
from gui.tree.path_file import path_drawing
from gui.tree.path_model import rows
from gui.window import Window
from gui.work.picture_file import Drawing, save_picture
from gui.work.record_file import FORMATS, record_content
from gui.work.save_file import save_file
from tests.gui.speedup.test_charts import made
from tests.gui.tree.test_path import GAME, SKETCH, X_A1


def colours(image: QImage) -> set[str]:
    """The names of the colours in an image, by a grid of points."""
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_whole_path_is_in_a_picture_and_in_its_words(qtbot: QtBot, tmp_path: Path, kind: str) -> None:
    shown, path = rows(GAME, X_A1, SKETCH), tmp_path / f"path.{kind}"
    drawing = path_drawing(shown, "title", "fact", ["X wins with c1."], ["Moment 7: X wins."])
    save_picture(path, drawing)
    words = "title\nfact\nO to move, best ≤ +1, window −∞ to +1\n"
    assert drawing.story.startswith(words)
    assert drawing.story.endswith("\nMoment 7: X wins.")
    if kind == "pdf":
        assert b"/EmbeddedFile" in path.read_bytes()
        return
    image = QImage(drawing.size.toSize(), QImage.Format.Format_RGB32)
    if kind == "png":
        image = QImage(str(path))
        assert image.text("Description") == drawing.story
    else:
        text = path.read_text()
        assert words in text
        assert "<image" not in text, "it is sharp at any size"
        assert {"MIN", "X wins with c1."} <= {part.partition("<")[0].strip() for part in text.split(">")}
        painter = QPainter(image)
        QSvgRenderer(str(path)).render(painter)
        painter.end()
    low = image.copy(0, image.height() * 3 // 4, image.width(), image.height() // 4)
    assert theme().colour("x").name() in colours(low), "the last row has its boards"


def test_a_vector_file_of_discs_has_no_pixels(qtbot: QtBot, tmp_path: Path) -> None:
    game = registry.game("othello")
    drawing = path_drawing(rows(game, game.start, ()), "", "", [])
    for kind, pixels in (("svg", b"<image"), ("pdf", b"/Subtype /Image")):
        save_picture(tmp_path / f"path.{kind}", drawing)
        assert pixels not in (tmp_path / f"path.{kind}").read_bytes()


def test_a_picture_that_is_too_large_for_a_png_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    wide = Drawing(QSizeF(1e8, 1), theme().colour("card"), lambda _: None)
    with pytest.raises(ValueError, match="No PNG of 300,000,000 × 3 pixels"):
        save_picture(tmp_path / "wide.png", wide)
    assert not list(tmp_path.iterdir())


def test_the_command_line_saves_the_path_to_a_line(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.tree_files.painter is main.paint_tree
    before, file = theme().choice, tmp_path / "path.svg"
    asked = f"tree --position x../.../... --algorithm alphabeta --picture path --size 640x360 --svg {file}"
    for line, told in (("b2 b1 a2", "Pruned: c2, a3, b3, c3."), ("", "node 1,")):
        assert cli.run([*asked.split(), *(["--line", line] if line else [])]) == 0
        assert 'viewBox="0 0 640 360"' in file.read_text()
        assert told in file.read_text()
    capsys.readouterr()
    for height, pixels in ((1, "1 pixel"), (2, "2 pixels")):
        whole = f"tree --position xox/xo./... --size 640x{height} --png {tmp_path / 'whole.png'}"
        assert cli.run(whole.split()) == 2
        assert capsys.readouterr().err == f"A picture of {pixels} has no room for the tree.\n"
    theme().choose(before)


def test_a_picture_is_written_on_a_thread_and_says_so(searched_window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    window, painted_on = searched_window, []
    window.replay.go_before(window.replay.cutoffs)
    drawing = window.path.drawing(window.why.words(), window.why.lines())
    assert drawing is not None
    assert window.why.text in drawing.story

    def paint(painter: QPainter) -> None:
        painted_on.append(threading.current_thread())
        drawing.paint(painter)

    save = window.pictures.actions()[0]
    for folder in (tmp_path, tmp_path / "missing"):
        window.pictures.save(folder / "path.svg", drawing._replace(paint=paint))
        cursor = QGuiApplication.overrideCursor()
        assert cursor is not None
        assert cursor.shape() is Qt.CursorShape.BusyCursor
        assert not save.isEnabled(), "one at a time"
        qtbot.waitUntil(save.isEnabled)
        assert QGuiApplication.overrideCursor() is None
    assert threading.main_thread() not in painted_on
    assert window.why.text.split(".")[0] in (tmp_path / "path.svg").read_text()
    (box,) = window.findChildren(QMessageBox)
    assert box.text() == (
        f"The picture cannot be written to {tmp_path / 'missing' / 'path.svg'}: No such file or directory. "
        "Choose another place."
    )
    box.close()


def test_a_picture_without_an_ending_gets_that_of_its_kind(
    searched_window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = searched_window.pictures.actions()[1]
    monkeypatch.setattr(QFileDialog, "exec", lambda _: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: [str(tmp_path / "figure")])
    monkeypatch.setattr(QFileDialog, "selectedNameFilter", lambda _: "PNG (*.png)")
    save.trigger()
    qtbot.waitUntil(save.isEnabled, timeout=30_000)
    assert [file.name for file in tmp_path.iterdir()] == ["figure.png"]


def test_a_measurement_is_written_on_a_thread_and_says_so(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_on = list[threading.Thread]()

    def save(path: Path, content: bytes) -> None:
        written_on.append(threading.current_thread())
        save_file(path, content)

    monkeypatch.setattr(pictures, "save_file", save)
    window.speedup._show(made())
    file, missing = tmp_path / "runs.csv", tmp_path / "missing" / "runs.csv"
    for path in (file, missing):
        window.speedup.save(path)
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    assert file.read_text().startswith("game,")
    assert len(written_on) == 2
    assert threading.main_thread() not in written_on
    (box,) = window.findChildren(QMessageBox)
    assert box.text() == f"{missing} cannot be written: No such file or directory. Choose another place."
    box.close()


def test_the_timeline_is_saved_as_a_picture_and_as_a_trace(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = window.pictures.actions()[3]
    assert not save.isEnabled(), "there is no timeline"
    window.drawers["workers"].show()
    window.analysis.change(algorithm="alphabeta", backend="threads", workers=2)
    with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
        window.think()
    for name in ("timeline.svg", "timeline.json", "missing/timeline.json"):
        monkeypatch.setattr(pictures, "ask_where", lambda *_, name=name: tmp_path / name)
        save.trigger()
        qtbot.waitUntil(save.isEnabled, timeout=30_000)
    texts = {part.partition("<")[0].strip() for part in (tmp_path / "timeline.svg").read_text().split(">")}
    assert {"worker 1", "worker 2"} <= texts
    events = json.loads((tmp_path / "timeline.json").read_bytes())["traceEvents"]
    result = window.analysis.result
    assert result is not None
    assert len([event for event in events if event["ph"] == "X"]) == len(result.tasks)
    (box,) = window.findChildren(QMessageBox)
    missing = tmp_path / "missing" / "timeline.json"
    assert box.text() == f"{missing} cannot be written: No such file or directory. Choose another place."
    box.close()


def test_the_question_for_a_record_counts_its_nodes(searched_window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a search has ended, the current node is the end of the best line, whose subtree is that node alone."""
    asked = []
    monkeypatch.setattr(pictures, "ask_where", lambda *given: asked.append(given[-1].split(";;")))
    save, replay = searched_window.pictures.actions()[4], searched_window.replay
    save.trigger()
    replay.go_to_row(0)
    save.trigger()
    for filters, nodes in zip(asked, ("1 node", "2,338 nodes"), strict=True):
        assert filters[:2] == ["NumPy, all 2,338 recorded nodes (*.npz)", "CSV, all 2,338 recorded nodes (*.csv)"]
        assert [f"subtree of {nodes} (*." in each for each in filters] == [False, False, True, True, True]


def test_the_record_is_saved_as_data(searched_window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    window, pictures, trace = searched_window, searched_window.pictures, searched_window.replay.trace
    result = window.analysis.result
    save, game = pictures.actions()[4], window.analysis.game
    assert save in window.tree.choices.menu().actions()
    assert trace is not None
    assert result is not None
    assert game is not None
    row = next(row for row in range(len(trace)) if 100 < trace.end(row) - row < 200)
    window.replay.go_to_row(row)

    def saved(name: str) -> Path:
        record = window.tree.record()
        assert record is not None
        pictures.save(tmp_path / name, record)
        assert not save.isEnabled(), "one at a time"
        qtbot.waitUntil(save.isEnabled, timeout=30_000)
        return tmp_path / name

    for kind, subtree in export.SUBTREES.items():
        assert saved(f"tree.{kind}").read_text(encoding="utf-8") == subtree(game, result, row)
    assert len(saved("tree.csv").read_text().splitlines()) == 1 + len(trace)
    with np.load(saved("tree.npz")) as columns:
        assert len(columns["value"]) == len(trace) == 2338
    assert not window.findChildren(QMessageBox)

    window.replay.go_to_row(0)
    names = ["tree.dot", "tree.txt", "missing/tree.csv"]
    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name in names:
        saved(name)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == whole
    boxes = window.findChildren(QMessageBox)
    assert [box.text().removeprefix(f"{tmp_path}/") for box in boxes] == [
        "The subtree has 2,338 nodes, and this format is for 2,000: choose a smaller subtree.",
        "The name tree.txt does not tell the format: choose a name with .npz, .csv, .dot, .efg or .json.",
        "missing/tree.csv cannot be written: No such file or directory. Choose another place.",
    ]
    for box in boxes:
        box.close()
    spoilers().hide(True)
    assert not save.isEnabled(), "the data has the values"


def test_what_is_saved_was_on_display_when_the_question_began(
    searched_window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another search ends before the file is named."""
    window, asked = searched_window, list[Any]()
    drawing = window.path.drawing(window.why.words(), window.why.lines())
    assert drawing is not None

    def ask(*_: object) -> Path:
        window.analysis.change(limit=Limit(depth=len(asked) + 1))
        with qtbot.waitSignal(window.analysis.finished, timeout=60_000):
            window.think_action.trigger()
        return tmp_path / "file"

    monkeypatch.setattr(pictures, "ask_where", ask)
    monkeypatch.setattr(window.pictures, "save", lambda _, content: asked.append(content))
    save_path, _, _, _, save_record = window.pictures.actions()
    save_path.trigger()
    assert asked[0].story == drawing.story
    record = window.tree.record()
    save_record.trigger()
    assert asked[1] == record != window.tree.record()
    window.pictures.close()


@pytest.mark.parametrize("folder", ["", "missing"])
def test_a_window_stays_open_until_its_files_are_written(
    window: Window, qtbot: QtBot, tmp_path: Path, folder: str
) -> None:
    closed, begun = threading.Event(), threading.Event()

    def paint(_: QPainter) -> None:
        begun.set()
        closed.wait(60)

    picture = Drawing(QSizeF(10, 10), theme().colour("card"), paint)
    window.pictures.save(tmp_path / folder / "a.svg", picture)
    window.pictures.save(tmp_path / "b.txt", b"after it")
    assert begun.wait(60)
    assert not window.close()
    said = "The window closes when a.svg is saved. Close it again to stop the saving."
    assert window.statusBar().currentMessage() == said
    closed.set()
    qtbot.waitUntil(lambda: (tmp_path / "b.txt").exists() and QGuiApplication.overrideCursor() is None)
    boxes = window.findChildren(QMessageBox)
    assert window.is_ended is not bool(folder), "the reason of a failure is to be seen"
    assert len(boxes) == bool(folder)
    for box in boxes:
        box.close()
    assert (tmp_path / "a.svg").exists() is not bool(folder)


@pytest.mark.parametrize("is_told", [False, True])
def test_a_window_that_stayed_open_closes_with_no_later_file(
    is_told: bool, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    """It stayed open because the game could not be saved, which it tells before it closes or as it does."""

    def save_game(said: str) -> None:
        if said.endswith("a.txt") and said.startswith("Saved as"):
            window.files.save_to(tmp_path / "a.txt" / "game.plyscope")
            if is_told:
                window.files.finish_saving()

    window.statusBar().messageChanged.connect(save_game)
    window.pictures.save(tmp_path / "a.txt", b"first")
    assert not window.close()
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    for box in window.findChildren(QMessageBox):
        box.close()
    assert (tmp_path / "a.txt").exists()
    window.pictures.save(tmp_path / "b.txt", b"second")
    qtbot.waitUntil(lambda: (tmp_path / "b.txt").exists() and QGuiApplication.overrideCursor() is None)
    assert not window.is_ended


def test_a_window_that_is_closed_twice_waits_for_no_file(window: Window, tmp_path: Path) -> None:
    stopped, begun = threading.Event(), threading.Event()

    def paint(_: QPainter) -> None:
        begun.set()
        stopped.wait(60)

    window.pictures.save(tmp_path / "a.svg", Drawing(QSizeF(10, 10), theme().colour("card"), paint))
    window.pictures.save(tmp_path / "b.txt", b"waits")
    assert begun.wait(60)
    assert [window.close(), window.is_ended] == [False, False]
    threading.Timer(0.2, stopped.set).start()
    assert [window.close(), window.is_ended] == [True, True]
    assert [file.name for file in tmp_path.iterdir()] == ["a.svg"]


def test_the_writing_of_a_record_can_be_stopped(
    searched_window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, save = searched_window, searched_window.pictures.actions()[4]
    cancelled = threading.Event()

    def write(*asked: Any) -> None:
        cancelled.wait(60)
        export.write_csv(*asked)

    monkeypatch.setattr("gui.work.record_file.write_csv", write)
    monkeypatch.setattr("gui.pictures.PATIENCE", 0)
    record = window.tree.record()
    assert record is not None
    window.pictures.save(tmp_path / "picture.txt", b"before it")
    window.pictures.save(tmp_path / "tree.csv", record)
    qtbot.waitUntil(lambda: bool(window.findChildren(QProgressDialog)))
    (dialog,) = window.findChildren(QProgressDialog)
    dialog.canceled.emit()
    cancelled.set()
    qtbot.waitUntil(save.isEnabled)
    assert window.statusBar().currentMessage() == "Stopped: nothing was saved."
    assert [file.name for file in tmp_path.iterdir()] == ["picture.txt"]

    assert {"npz", "csv", *export.SUBTREES} == set(FORMATS)
    for kind in ("npz", "csv"):
        control, made = Control(), list[int]()

        def tell(length: int, control: Control = control, made: list[int] = made) -> None:
            made.append(length)
            control.stop()

        assert record_content(tmp_path / f"tree.{kind}", record, control, tell) is None
        assert len(made) == 1
