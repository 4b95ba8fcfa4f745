"""The questions before a file is written: where, and whether another one is replaced."""

import os
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from gui.i18n.language import tr
from gui.widgets.message_box import agrees


def ask_where(window: QWidget, title: str, suggested: Path, filters: str) -> Path | None:
    """Ask for a file to write; None if cancelled. The name has the ending of the chosen filter, such as "PNG (*.png)".
    Where none was chosen, an ending that is typed chooses it."""
    kinds = filters.split(";;")
    dialog = QFileDialog(window, title, str(suggested.parent), filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    first = next((kind for kind in kinds if _fits(suggested, kind)), kinds[0])
    dialog.selectNameFilter(first)
    dialog.selectFile(suggested.name)
    dialog.setDefaultSuffix(_ending(first))
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(_ending(kind)))
    agreed, names, kind = dialog.exec(), dialog.selectedFiles(), dialog.selectedNameFilter()
    dialog.deleteLater()
    if not agreed or not names:
        return None
    typed = Path(names[0])
    known = [each for each in kinds if _ending(each) and _fits(typed, each)]
    if _fits(typed, kind) or (known and kind == first):
        return typed
    path = typed.with_name((typed.stem if known else typed.name) + _ending(kind))
    return path if may_write(window, title, path) else None


def may_write(window: QWidget, title: str, path: Path) -> bool:
    """Whether there is no such file, or the person agrees to replace it."""
    question = tr("{name} exists already. Replace it?", name=path.name)
    return not os.path.exists(path) or agrees(window, title, question)


def _fits(path: Path, kind: str) -> bool:
    return path.suffix.lower() == _ending(kind) or not _ending(kind)


def _ending(kind: str) -> str:
    """The ending of a filter's files; empty where any will do."""
    return kind.rpartition("*")[2].rstrip(")")
