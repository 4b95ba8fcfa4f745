"""The texts below the board: the reason for a hint, and the review of a finished game."""

from PySide6.QtCore import Qt

from gui.board.hints import Hints
from gui.i18n.language import tr
from gui.state.review import Reviewer
from gui.state.spoilers import WHY_HIDDEN, spoilers
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.sentences import Sentences


class Remarks(Sentences):
    """Hidden while there is no text."""

    def __init__(self, review: Reviewer, advice: Hints) -> None:
        super().__init__()
        self._review, self._advice = review, advice
        self.label.setForegroundRole(QUIET)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for event in (review.changed, advice.changed, spoilers().changed):
            event.connect(self._show)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.hide()  # explicitly: otherwise it would be shown with its parent
        self._show()

    def _show(self) -> None:
        afterwards = self._review.words
        words = self._advice.why or (tr(WHY_HIDDEN) if afterwards and spoilers().hidden else afterwards)
        if words != self.label.text() or self.isHidden() == bool(words):
            self.label.setAccessibleName(tr("Why this hint") if self._advice.why else tr("After the game"))
            self.label.setText(words)
            self.verticalScrollBar().setValue(0)
            self.setVisible(bool(words))
            self.updateGeometry()

    def _restyle(self) -> None:
        self.label.setFont(theme().font(NOTE + 1))
