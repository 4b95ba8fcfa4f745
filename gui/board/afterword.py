"""Below the board, when the game is over: what there is to say of it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.postmortem import Postmortem
from gui.theme import NOTE, theme


class Afterword(QLabel):
    """The words of a post-mortem, on as many lines as they take; not to be seen while there are none."""

    def __init__(self, postmortem: Postmortem) -> None:
        super().__init__()
        self._postmortem = postmortem
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setAccessibleName("After the game")
        postmortem.changed.connect(self._show)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def _show(self) -> None:
        self.setText(self._postmortem.words)
        self.setVisible(bool(self._postmortem.words))

    def _restyle(self) -> None:
        self.setFont(theme().font(NOTE + 1))
        self.setStyleSheet(f"color: {theme().colours.dim}")


def with_afterword(board: QWidget, postmortem: Postmortem) -> QWidget:
    """The board, and what there is to say below it."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    column.addWidget(board, 1)
    column.addWidget(Afterword(postmortem))
    return made
