"""The question where to save: the name fits the chosen kind of file, and nothing is replaced without a question."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.file_dialog import ask_where

PICTURES = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
GAMES = "Games (*.plyscope);;All files (*)"


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def answer(monkeypatch: pytest.MonkeyPatch, name: Path, kind: str = "") -> None:
    """Make every file dialog answer with this name and this kind, as one of the desktop's own that changes neither; the
    kind is that of the start if it is empty."""
    monkeypatch.setattr(QFileDialog, "exec", lambda _: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: [str(name)])
    if kind:
        monkeypatch.setattr(QFileDialog, "selectedNameFilter", lambda _: kind)


@pytest.mark.parametrize(
    ("suggested", "filters", "typed", "kind", "name"),
    [
        ("figure.svg", PICTURES, "figure", "PNG (*.png)", "figure.png"),
        ("figure.svg", PICTURES, "figure", "", "figure.svg"),
        ("figure.svg", PICTURES, "figure.PDF", "", "figure.PDF"),
        ("figure.svg", PICTURES, "figure.svg", "PNG (*.png)", "figure.png"),
        ("figure.svg", PICTURES, "figure.v2", "PDF (*.pdf)", "figure.v2.pdf"),
        ("replay.gif", "GIF (*.gif)", "talk.txt", "", "talk.txt.gif"),
        ("game.plyscope", GAMES, "game", "", "game.plyscope"),
        ("game.plyscope", GAMES, "game", "All files (*)", "game"),
        ("game.txt", GAMES, "game.txt", "", "game.txt"),
        ("path.svg", PICTURES, "x" * 300, "SVG (*.svg)", f"{'x' * 300}.svg"),
    ],
)
def test_a_name_has_the_ending_of_the_chosen_kind(
    parent: QWidget,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    suggested: str,
    filters: str,
    typed: str,
    kind: str,
    name: str,
) -> None:
    answer(monkeypatch, tmp_path / typed, kind)
    assert ask_where(parent, "Save", tmp_path / suggested, filters) == tmp_path / name


def test_qts_own_dialog_adds_the_ending_of_the_chosen_kind(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def save(dialog: QFileDialog) -> int:
        boxes = dialog.findChildren(QComboBox)
        box = next(box for box in boxes if box.itemText(0) == "PNG (*.png)")
        assert box.currentText() == "SVG (*.svg)"
        box.setCurrentIndex(2)
        box.activated.emit(2)
        dialog.findChildren(QLineEdit)[0].setText("figure")
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(QFileDialog, "exec", save)
    assert ask_where(parent, "Save", tmp_path / "path.svg", PICTURES) == tmp_path / "figure.pdf"


def test_a_file_of_the_completed_name_is_replaced_only_if_agreed(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked, button = list[tuple[str, Qt.TextFormat]](), QMessageBox.StandardButton
    answer(monkeypatch, tmp_path / "<b>x.svg", "PNG (*.png)")
    (tmp_path / "<b>x.png").touch()
    for pressed, path in ((button.No, None), (button.Yes, tmp_path / "<b>x.png")):
        monkeypatch.setattr(
            QMessageBox, "exec", lambda box, pressed=pressed: (asked.append((box.text(), box.textFormat())), pressed)[1]
        )
        assert ask_where(parent, "Save", tmp_path / "path.svg", PICTURES) == path
    assert asked == [("<b>x.png exists already. Replace it?", Qt.TextFormat.PlainText)] * 2
