"""The bar below a draft: the brush, why the stones are impossible, and the buttons to accept or leave.

Its height does not depend on its text. It covers the lines of text below the squares.
"""

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.rules.contract import Game
from gui.board.draft import REGION, Draft
from gui.i18n.language import localized, mark, tr
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.sentences import Sentences

CLEAR_BUTTON, REGION_BUTTON = 2, 3
"""The indices of the brushes after those of the two players."""


class EditorBar(QWidget):
    """Controls of a draft; signals say that it is accepted or left."""

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
        for number in range(4):
            brush = _button("", "")
            brush.setCheckable(True)
            self._brushes.addButton(brush, number)
            brushes.addWidget(brush)
        self._mover = _button("", tr("Let the other side be to move"))
        self._mover.clicked.connect(lambda: self._draft and self._draft.turn())
        self._brushes.idClicked.connect(self._take_brush)
        self._clear = _button(tr("Clear all"), tr("Clear all that the game does not begin with"))
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
        column.addWidget(self._mover)
        column.addWidget(self._words, 1)
        column.addLayout(ends)
        theme().changed.connect(self._restyle)
        self._restyle()

    def show_draft(self, draft: Draft) -> None:
        """Edit this draft from now on."""
        self._draft = draft
        for number, (text, tip) in enumerate(_brushes(draft.game)):
            brush = self._brushes.button(number)
            brush.setText(text)
            brush.setToolTip(tip)
        self._brushes.button(REGION_BUTTON).setVisible(draft.game.view.writes_region)
        self._mover.setVisible(draft.game.view.writes_mover)
        draft.changed.connect(self._refresh)
        self._refresh()

    def _take_brush(self, number: int) -> None:
        if self._draft is not None:
            self._draft.take_brush({CLEAR_BUTTON: None, REGION_BUTTON: REGION}.get(number, number))

    def _refresh(self) -> None:
        draft = self._draft
        if draft is None:
            return
        number = CLEAR_BUTTON if draft.brush is None else REGION_BUTTON if draft.brush == REGION else draft.brush
        self._brushes.button(number).setChecked(True)
        self._mover.setText(draft.next_mover)
        breakable = draft.text.replace("/", "/\u200b")  # 81 squares are wider than the card
        self._words.label.setText(draft.obstacle or f"{draft.verdict}\n{breakable}")
        self._take.setEnabled(draft.position is not None)

    def _restyle(self) -> None:
        self._words.label.setFont(theme().font(NOTE + 1))


def _brushes(game: Game) -> list[tuple[str, str]]:
    """The text and the tip of each brush."""
    names = [localized(player) for player in game.notation.players]
    tip = mark("Put {player} on the squares that are clicked (the {key} key: on the current square)")
    return [
        *((name, tr(tip, player=name, key=name[:1].upper())) for name in names),
        (tr("Clear"), tr("Clear the squares that are clicked (Delete clears the current square)")),
        (tr("Next"), tr("The next move is on the board that is clicked; click it again for any")),
    ]


def _button(text: str, tip: str) -> QPushButton:
    made = QPushButton(text)
    made.setToolTip(tip)
    return made
