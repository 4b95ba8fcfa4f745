"""The bar below a draft: what a click puts down, why the stones are not possible, and how to take or leave them.

It is as high as it may be, whatever it says, and covers the lines of text below the squares.
"""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.board.draft import Draft
from gui.board.foot import Sentences
from gui.language import tr
from gui.theme import NOTE, QUIET, theme


class EditorBar(QWidget):
    """Changes a draft, and says when the person is done with it."""

    taken = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._draft: Draft | None = None
        self._brushes = QButtonGroup(self)
        self._words = Sentences()
        self._words.label.setForegroundRole(QUIET)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        brushes, ends = QHBoxLayout(), QHBoxLayout()
        for number, (text, tip) in enumerate(
            (
                ("X", tr("Put X on the squares that are clicked (the X key: on the current square)")),
                ("O", tr("Put O on the squares that are clicked (the O key: on the current square)")),
                (tr("Clear"), tr("Clear the squares that are clicked (Delete clears the current square)")),
            )
        ):
            brush = _button(text, tip)
            brush.setCheckable(True)
            self._brushes.addButton(brush, number)
            brushes.addWidget(brush)
        self._brushes.idClicked.connect(self._take_brush)
        self._clear = _button(tr("Clear all"), tr("Clear the whole board"))
        self._take = _button(tr("OK"), tr("Play on from this position; the earlier game is under File › Open recent"))
        self._leave = _button(tr("Cancel"), tr("Back to the game (Esc)"))
        self._clear.clicked.connect(lambda: self._draft and self._draft.clear())
        self._take.clicked.connect(lambda: self.taken.emit())
        self._leave.clicked.connect(lambda: self.left.emit())
        for end in (self._clear, self._leave, self._take):
            ends.addWidget(end)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for row in (brushes, ends):
            row.setSpacing(4)
        column.addLayout(brushes)
        column.addWidget(self._words, 1)
        column.addLayout(ends)
        theme().changed.connect(self._restyle)
        self._restyle()

    def show_draft(self, draft: Draft) -> None:
        """Change this one from now on."""
        self._draft = draft
        draft.changed.connect(self._refresh)
        self._refresh()

    def _take_brush(self, number: int) -> None:
        if self._draft is not None:
            self._draft.take_brush(number if number < 2 else None)

    def _refresh(self) -> None:
        draft = self._draft
        if draft is None:
            return
        self._brushes.button(2 if draft.brush is None else draft.brush).setChecked(True)
        self._words.label.setText(draft.obstacle or f"{draft.verdict}\n{draft.text}")
        self._take.setEnabled(draft.position is not None)

    def _restyle(self) -> None:
        self._words.label.setFont(theme().font(NOTE + 1))


def _button(text: str, tip: str) -> QPushButton:
    made = QPushButton(text)
    made.setToolTip(tip)
    return made
