"""A dialog that comments on the content of its fields, with OK and Cancel."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.i18n.language import tr
from gui.widgets.announce import announce


class AnswerDialog(QDialog):
    """Shows the widgets added to `fields`, and below them the comment and the buttons."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.fields = QVBoxLayout()
        self.answer = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.ok: QPushButton = self.buttons.addButton(tr("OK"), role.AcceptRole)
        self.buttons.addButton(tr("Cancel"), role.RejectRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(self.fields, 1)
        column.addWidget(self.answer)
        column.addWidget(self.buttons)

    def say(self, text: str, is_warning: bool = False) -> None:
        """Show a comment on the content of the fields."""
        self.answer.setText(text)
        self.answer.setObjectName("warning" if is_warning else "")
        self.answer.style().polish(self.answer)
        announce(self.answer, text)
