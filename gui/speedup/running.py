"""The page of a measurement under way: what runs, how much is done, the time left, and a button to cancel."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from engine.measure.speedup import Progress
from engine.text.numbers import duration, thousands
from gui.i18n.language import tr
from gui.style.theme import NOTE, QUIET, TEXT, theme
from gui.widgets.elided import ElidedLabel


class RunningPage(QWidget):
    """Shows a Progress."""

    cancelled = Signal()
    """The person presses Cancel."""

    def __init__(self) -> None:
        super().__init__()
        self.doing, self.done = ElidedLabel(""), ElidedLabel("")  # other labels would widen the card, run by run
        self.done.setForegroundRole(QUIET)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setMinimumWidth(40)  # at a width of 1, a bar without a maximum makes Qt 6.11 divide by zero
        self._bar.setAccessibleName(tr("Progress of the measurement"))
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(lambda: self.cancelled.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch()
        for line in (self.doing, self._bar, self.done):
            column.addWidget(line)
        column.addSpacing(8)
        column.addWidget(cancel, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
        theme().changed.connect(self._restyle)
        self._restyle()

    def tell(self, words: str, progress: Progress) -> None:
        """Show what runs, in words, and how far the measurement is."""
        self.doing.setText(words)
        done, total = thousands(progress.done), thousands(progress.total)
        runs = tr("{done} of {total} runs", done=done, total=total) if progress.total else ""
        if progress.left is not None:
            runs = tr("{runs} · {time} left", runs=runs, time=duration(progress.left))
        self.done.setText(runs)
        self._bar.setRange(0, progress.total)
        self._bar.setValue(progress.done)

    def _restyle(self) -> None:
        self.doing.setFont(theme().font(TEXT))
        self.done.setFont(theme().font(NOTE + 1))
