"""A sentence on a failure that is told once, though what failed is tried again and again."""

from PySide6.QtCore import QObject, Signal


class Complaint(QObject):
    """What fails, until it succeeds."""

    made = Signal(str)
    """The sentence on the first failure."""
    withdrawn = Signal(str)
    """That sentence, at the first success after it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sentence = ""

    @property
    def is_open(self) -> bool:
        """Whether the last attempt has failed."""
        return bool(self._sentence)

    def make(self, sentence: str) -> None:
        """It has failed."""
        if not self._sentence:
            self._sentence = sentence
            self.made.emit(sentence)

    def withdraw(self) -> None:
        """It has succeeded."""
        sentence, self._sentence = self._sentence, ""
        if sentence:
            self.withdrawn.emit(sentence)
