"""The dialog that saves the replay as an animated picture: what of it, how fast, how large, in which colours."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QProgressBar,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.text.numbers import thousands
from gui.i18n.language import mark, tr
from gui.style.theme import QUIET, theme
from gui.tree.film import Film, FilmOptions, narration_file
from gui.widgets.file_dialog import ask_where, may_write
from gui.work.runner import Request, Runner

RATES = 2, 5, 10, 20
"""Frames a second; a GIF counts in hundredths of a second."""
SIZES = (1280, 720), (1920, 1080), (960, 540)
"""Sizes of slides in pixels."""
LONGEST = 120
"""Seconds."""


class FilmDialog(QDialog):
    """Asks for a film's choices, and saves it. Ends its thread when it is closed."""

    saved = Signal(Path)
    """The path of a film that has been written."""

    def __init__(self, film: Film, moment: int, window: QWidget) -> None:
        """`moment` is the cursor's."""
        super().__init__(window)
        self.setWindowTitle(tr("Save the replay"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._film = film
        self._runner = Runner(mark("saving of the replay"), _save, self)
        self._runner.progressed.connect(self._on_progress)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self.range, self.rate, self.size_box, self.colours = QComboBox(), QComboBox(), QComboBox(), QComboBox()
        self.range.addItem(tr("the whole search"), 0)
        if 0 < moment < film.replay.last:
            self.range.addItem(tr("from the cursor on"), moment)
        for rate in RATES:
            self.rate.addItem(str(rate), rate)
        self.rate.setCurrentIndex(RATES.index(10))
        for size in SIZES:
            self.size_box.addItem("{} × {}".format(*size))
        for words, name in ((tr("light"), "light"), (tr("dark"), "dark")):
            self.colours.addItem(words, name)
        self.seconds = QSpinBox(minimum=1, maximum=LONGEST, value=10, suffix=tr(" s"))
        self.narration = QCheckBox(tr("with its sentences as a text beside it"))
        self._fact, self._progress = QLabel(wordWrap=True), QProgressBar(textVisible=False)
        self._fact.setForegroundRole(QUIET)
        self._fact.setMinimumWidth(theme().px(340))
        self.buttons, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self._save = self.buttons.addButton(tr("Save"), role.AcceptRole)
        self.buttons.addButton(tr("Cancel"), role.RejectRole)
        form = QFormLayout()
        self._fields = {
            tr("Shows"): self.range,
            tr("Frames a second"): self.rate,
            tr("Length at most"): self.seconds,
            tr("Size"): self.size_box,
            tr("Colours"): self.colours,
            tr("Narration"): self.narration,
        }
        for name, field in self._fields.items():
            form.addRow(name, field)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self._fact)
        column.addWidget(self._progress)
        column.addWidget(self.buttons)
        self.buttons.accepted.connect(self._ask)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _: self._runner.close())
        for box in (self.range, self.rate):
            box.currentIndexChanged.connect(self._show_fact)
        self.seconds.valueChanged.connect(self._show_fact)
        self._show_saving(False)
        self._show_fact()

    @property
    def choice(self) -> FilmOptions:
        """What is chosen."""
        return FilmOptions(
            self.range.currentData(),
            self._film.replay.last,
            self.rate.currentData(),
            self.seconds.value(),
            SIZES[self.size_box.currentIndex()],
            self.colours.currentData(),
        )

    @property
    def fact(self) -> str:
        """The line below the choices: what comes of them, what is done, or why it failed."""
        return self._fact.text()

    def save(self, path: Path) -> None:
        """Begin to write the file."""
        choice = self.choice
        self._progress.setRange(0, len(choice.moments))
        self._progress.setValue(0)
        self._show_saving(True)
        self._runner.start((path, self._film, choice, self.narration.isChecked()))

    def reject(self) -> None:
        """Stop what is being saved, or else close the dialog: by its button, Esc or the frame."""
        if self._is_saving:
            self._runner.control.stop()
        else:
            super().reject()

    def _ask(self) -> None:
        title = tr("Save the replay")
        path = ask_where(self, title, Path("replay.gif"), "GIF (*.gif)")
        if path is None:
            return
        if not self.narration.isChecked() or may_write(self, title, narration_file(path)):
            self.save(path)

    def _show_fact(self) -> None:
        choice = self.choice
        count, span = len(choice.moments), choice.last - choice.first + 1
        if count == span:
            said = tr("%n frame(s), one a moment", "", count)
        else:
            step = round(span / count)
            moments = tr("{count} moment(s)", "", step, count=thousands(step))
            said = tr("%n frame(s); from one to the next about {moments}", "", count, moments=moments)
        self._fact.setText(said)

    def _show_saving(self, is_saving: bool) -> None:
        self._is_saving = is_saving
        self._progress.setVisible(is_saving)
        for field in (*self._fields.values(), self._save):
            field.setEnabled(not is_saving)

    def _on_progress(self, done: object) -> None:
        if isinstance(done, int):
            self._progress.setValue(done)

    def _on_finished(self, path: Path | None) -> None:
        self._show_saving(False)
        if path is None:
            self._fact.setText(tr("Stopped: nothing was saved."))
        else:
            self.accept()
            self.saved.emit(path)

    def _on_failed(self, message: str) -> None:
        self._show_saving(False)
        self._fact.setText(message)


def _save(request: Request) -> Path | None:
    """Write a film, and its sentences beside it; returns its path, None if it was stopped. Raises JobError, with a
    sentence."""
    path, film, choice, narrated = request.asked
    return path if film.save(path, choice, narrated, request.control, request.publish) else None
