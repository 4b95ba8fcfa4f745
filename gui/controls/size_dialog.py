"""Asks for the size of a board and for how many in a row win."""

from typing import Annotated

from msgspec import Meta
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engine import registry
from engine.game import MAX_SQUARES
from engine.job import JobError
from gui.language import retold, tr
from gui.parts.fields import Number
from gui.parts.spoken import announce

Side = Annotated[int, Meta(ge=1, le=MAX_SQUARES)]
Size = tuple[Side, Side, Side]
"""Columns, rows and how many in a row win."""


class SizeDialog(QDialog):
    """Three numbers, and the game that they make. OK is off while they make none, and a sentence says why."""

    def __init__(self, size: Size, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Another size"))
        self.fields = tuple(Number(minimum=1, maximum=MAX_SQUARES, value=number) for number in size)
        self.answer = QLabel(wordWrap=True)
        self.answer.setMinimumWidth(320)
        form = QFormLayout()
        for name, field in zip((tr("Columns"), tr("Rows"), tr("In a row to win")), self.fields, strict=True):
            field.setAccessibleName(name)
            form.addRow(name, field)
            field.valueChanged.connect(self._show)
        buttons, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.ok: QPushButton = buttons.addButton(tr("OK"), role.AcceptRole)
        buttons.addButton(tr("Cancel"), role.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.answer)
        column.addWidget(buttons)
        self._show()

    @property
    def size_chosen(self) -> Size:
        columns, rows, k = (field.value() for field in self.fields)
        return columns, rows, k

    @property
    def spec(self) -> str:
        """The size as the registry reads it."""
        return ",".join(map(str, self.size_chosen))

    def _show(self) -> None:
        try:
            game = registry.game(self.spec)
        except JobError as error:
            words, fits = retold(error), False
        else:
            squares = game.notation.columns * game.notation.rows
            words, fits = tr("{game}: %n square(s)", "", squares, game=game.title), True
        self.answer.setText(words)
        self.answer.setObjectName("" if fits else "warning")
        self.answer.style().polish(self.answer)
        announce(self.answer, words)
        self.ok.setEnabled(fits)
