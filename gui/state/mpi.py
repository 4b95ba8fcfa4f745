"""Whether MPI can be used on this machine, found out on another thread, and how its ranks are launched."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from engine.backends.mpi_job import launch
from engine.backends.mpi_job.launch import LaunchChoice
from gui.i18n.language import mark, tr
from gui.widgets.answer_dialog import AnswerDialog
from gui.work.runner import Request, Runner


class MpiAccess(QObject):
    """Knows whether ranks can be launched. Call `close` before it is deleted."""

    changed = Signal()
    tried = Signal(str)
    """The result of a `try_out` in one sentence: launcher and library, or why ranks cannot be launched."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = Runner(mark("MPI check"), _look, self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._trial = Runner(mark("MPI check"), _look, self)
        self._trial.finished.connect(lambda words: self.tried.emit(found(words)))
        self._trial.failed.connect(self.tried)
        self._words, self._reason = "", tr("It is not yet known whether MPI can be used here.")
        self._is_checking = False

    @property
    def words(self) -> str:
        """Launcher and library, such as "MPICH 5.0.2"; empty where MPI cannot be used."""
        return self._words

    @property
    def reason(self) -> str:
        """One sentence on why MPI cannot be used and what to do; empty where it can."""
        return self._reason

    @property
    def is_checking(self) -> bool:
        """Whether a check is under way; until `changed`, `words` and `reason` are those of the check before."""
        return self._is_checking

    def look(self, choice: LaunchChoice) -> None:
        """Launch ranks this way from now on, and check whether it works; `changed` follows."""
        launch.choose(choice)
        self._is_checking = True
        self._runner.start(choice)

    def try_out(self, choice: LaunchChoice) -> None:
        """Check whether ranks could be launched this way, without changing anything; `tried` follows."""
        self._trial.start(choice)

    def close(self) -> None:
        self._runner.close()
        self._trial.close()

    def _on_finished(self, words: str) -> None:
        self._words, self._reason, self._is_checking = words, "", False
        self.changed.emit()

    def _on_failed(self, reason: str) -> None:
        self._words, self._reason, self._is_checking = "", reason, False
        self.changed.emit()


def _look(request: Request) -> str:
    return launch.usable(request.asked)


def found(words: str) -> str:
    """The sentence that names the launcher and library that were found."""
    return tr("Found {library}.", library=words)


class LaunchDialog(AnswerDialog):
    """Asks how ranks are launched. Check tries the choice, OK applies it, Cancel changes nothing."""

    def __init__(self, access: MpiAccess, parent: QWidget) -> None:
        super().__init__(tr("Launch of MPI ranks"), parent)
        self._access = access
        self._answered: LaunchChoice | None = None
        """The choice that the answer below the fields is on."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.command, self.hosts = QLineEdit(launch.choice().template), QLineEdit(launch.choice().hosts)
        self.command.setPlaceholderText("mpiexec -n {ranks}")
        self.command.setToolTip(
            tr("The command that starts the ranks, such as: srun -n {ranks}. If empty, mpiexec is used.")
        )
        self.hosts.setPlaceholderText(tr("this machine"))
        self.hosts.setToolTip(
            tr("Names of machines, separated by commas. In a command of your own, {hosts} stands for them.")
        )
        self.answer.setMinimumWidth(420)
        form = QFormLayout()
        form.addRow(tr("Command"), self.command)
        form.addRow(tr("Hosts"), self.hosts)
        self.fields.addLayout(form)
        check = self.buttons.addButton(tr("Check"), QDialogButtonBox.ButtonRole.ActionRole)
        check.setToolTip(tr("Look for the launcher and its MPI library. The settings stay as they are."))
        check.clicked.connect(self.check)
        for field in (self.command, self.hosts):
            field.textChanged.connect(self._outdate)
        access.changed.connect(self._show)
        access.tried.connect(self._on_tried)
        self.accepted.connect(lambda: access.look(self._choice()))
        self._show()

    def say(self, text: str, is_warning: bool = False) -> None:
        super().say(text, is_warning)
        self.adjustSize()  # Qt would shrink the fields to make space for more lines

    def check(self) -> None:
        """Check whether ranks can be launched with the choice in the fields."""
        self._answered = self._choice()
        self.say(tr("Checking…"))
        self._access.try_out(self._answered)

    def _choice(self) -> LaunchChoice:
        return LaunchChoice(self.command.text().strip(), self.hosts.text().strip())

    def _show(self) -> None:
        """Show what is known of the present launch, if that is in the fields."""
        if self._choice() == launch.choice():
            self._answered = self._choice()
            self.say(self._access.reason or found(self._access.words))

    def _on_tried(self, answer: str) -> None:
        if self._answered is not None:
            self.say(answer)

    def _outdate(self) -> None:
        """The fields are changed, and no answer is on them."""
        if self._answered not in (None, self._choice()):
            self._answered = None
            self.say(tr("Not checked yet."))
