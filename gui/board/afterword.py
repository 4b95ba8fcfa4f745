"""Below the board: why a hint is good and, when the game is over, what there is to say of it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.board.advice import Advice
from gui.language import tr
from gui.postmortem import Postmortem
from gui.spoilers import WHY_HIDDEN, spoilers
from gui.theme import NOTE, QUIET, theme


class Afterword(QLabel):
    """A sentence or a few, on as many lines as they take; not to be seen while there are none."""

    def __init__(self, postmortem: Postmortem, advice: Advice) -> None:
        super().__init__()
        self._postmortem, self._advice = postmortem, advice
        self.setForegroundRole(QUIET)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        for event in (postmortem.changed, advice.changed, spoilers().changed):
            event.connect(self._show)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.hide()  # said, for what nobody has hidden yet is shown with its parent
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def _show(self) -> None:
        afterwards = self._postmortem.words
        words = self._advice.why or (tr(WHY_HIDDEN) if afterwards and spoilers().hidden else afterwards)
        if words != self.text() or self.isHidden() == bool(words):
            self.setAccessibleName(tr("Why this hint") if self._advice.why else tr("After the game"))
            self.setText(words)
            self.setVisible(bool(words))

    def _restyle(self) -> None:
        self.setFont(theme().font(NOTE + 1))


def stacked(board: QWidget, *below: QWidget) -> QWidget:
    """The board, and what there is to say below it."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    column.addWidget(board, 1)
    for widget in below:
        column.addWidget(widget)
    return made
