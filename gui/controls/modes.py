"""The algorithm and the backend of the next search: the actions, and the numbers of workers beside them.

Modes that do not fit the other settings are disabled, with the reason.
"""

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow

from engine import registry
from engine.backends.mpi_job import launch
from gui.controls.bar import count, group, set_most
from gui.i18n.language import mark, tr
from gui.state.analysis import Analysis
from gui.state.game_record import GameRecord
from gui.state.mpi import LaunchDialog, MpiAccess
from gui.state.wording import mode, search
from gui.style.theme import NOTE, QUIET, theme
from gui.widgets.actions import action, algorithm_choice, bind, choice, offer
from gui.widgets.elided import ElidedLabel


class Modes(QObject):
    """Shows and changes the settings of `analysis`, with at most that many threads."""

    lost = Signal(str)
    """The chosen mode cannot be used; one sentence says why. Serial is chosen instead."""
    found = Signal(str)
    """The sentence of `lost` is outdated."""

    def __init__(
        self, record: GameRecord, analysis: Analysis, mpi: MpiAccess, threads: int, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._record, self._analysis, self._mpi = record, analysis, mpi
        self._loss = ""
        self.algorithms = algorithm_choice(window, self._choose)
        self.backends = choice(
            window,
            (
                ("serial", mark("Serial"), "Ctrl+Shift+1", mark("Search on one thread")),
                ("threads", mark("Threads"), "Ctrl+Shift+2", mark("Search on several threads of this machine")),
                ("mpi", mark("MPI"), "Ctrl+Shift+3", mark("Search on MPI ranks, here or on other machines")),
            ),
            lambda name: analysis.change(backend=name),
        )
        self.backends["mpi"].setEnabled(False)
        self.launch = action(
            window,
            mark("Launch of MPI ranks…"),
            "",
            mark("The command that starts the ranks, and the hosts"),
            lambda: LaunchDialog(mpi, window).open(),
        )
        self.thread_count = count(tr("Threads"), threads, lambda number: analysis.change(workers=number))
        self.rank_count = count(tr("Ranks"), launch.most_ranks(), lambda number: analysis.change(ranks=number))
        serial, on_threads, on_ranks = self.backends.values()
        self.buttons = group(serial, on_threads, self.thread_count, on_ranks, self.rank_count)
        """The modes; the chosen one with its number of workers."""
        self.waiting = ElidedLabel(tr("from the next search"))
        self.waiting.setForegroundRole(QUIET)
        analysis.settings_changed.connect(self.refresh)
        record.changed.connect(self._show_game)
        self._game = record.game
        analysis.started.connect(self._show_waiting)
        analysis.phase_changed.connect(self._show_waiting)
        theme().changed.connect(self._restyle)
        self._restyle()
        mpi.changed.connect(self._show_mpi)
        self.refresh()

    def refresh(self) -> None:
        """Show the values, and which others are possible."""
        settings = self._analysis.settings
        self.algorithms[self._algorithm].setChecked(True)
        self.backends[settings.backend].setChecked(True)
        self._offer()
        self.thread_count.setValue(settings.workers)
        set_most(self.rank_count, launch.most_ranks())
        self.rank_count.setValue(settings.ranks)
        self.thread_count.setVisible(settings.backend == "threads")
        self.rank_count.setVisible(settings.backend == "mpi")
        self._show_waiting()

    @property
    def _algorithm(self) -> str:
        """The algorithm of the next search of the game: the chosen one, or that which takes its place."""
        return registry.suited(self._analysis.settings.algorithm, self._record.game)

    def _choose(self, algorithm: str) -> None:
        if algorithm != self._algorithm:
            self._analysis.change(algorithm=algorithm)

    def _show_game(self) -> None:
        """Offer the algorithms of another game."""
        if self._record.game != self._game:
            self._game = self._record.game
            self.refresh()

    def _show_waiting(self) -> None:
        """Say beside the choice that the running search keeps its settings."""
        job = self._analysis.job
        if job is not None:
            self.waiting.setToolTip(tr("{search}, {mode}, continues as it began", search=search(job), mode=mode(job)))
        self.waiting.setVisible(self._analysis.changes_wait)

    def _restyle(self) -> None:
        self.waiting.setFont(theme().font(NOTE + 1))
        self.waiting.setMinimumWidth(self.waiting.fontMetrics().horizontalAdvance(self.waiting.text()))

    def _offer(self) -> None:
        """Hide algorithms that are for other games. Disable modes that do not fit the other settings, with the reason;
        none where the settings do not fit anyway."""
        why_not = partial(self._analysis.refusal, self._record.game, self._record.position)
        fits = not why_not()
        for name, made in self.algorithms.items():
            made.setVisible(registry.is_for(name, self._record.game))
            offer(made, why_not(algorithm=name) if fits else "")
        if self._mpi.words:
            offer(self.backends["mpi"], why_not(backend="mpi") if fits else "")

    def _show_mpi(self) -> None:
        """Show whether MPI can be used, and its launcher."""
        made, reason = self.backends["mpi"], self._mpi.reason
        made.setEnabled(bool(self._mpi.words))
        made.setStatusTip(reason or tr("Search on MPI ranks with {library}", library=self._mpi.words))
        bind(made, made.shortcuts())
        self._offer()
        set_most(self.rank_count, launch.most_ranks())
        if self._loss and self._loss != reason:
            self.found.emit(self._loss)
            self._loss = ""
        if reason and self._analysis.settings.backend == "mpi":
            self._analysis.change(backend="serial")
            self._loss = reason
            self.lost.emit(reason)
