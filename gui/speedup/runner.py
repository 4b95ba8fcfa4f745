"""The QThread that measures, one experiment at a time, away from the window."""

import logging
import queue
import time
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QThread, Signal

from engine.control import Control
from engine.experiment import Experiment, Mode, measure
from engine.job import Job, JobError
from gui.collector import collected_later

log = logging.getLogger(__name__)

STOP_MILLISECONDS = 2000
TELL_SECONDS = 0.2
"""Between two signals of progress: often enough to be read, too seldom to disturb what is measured."""


class _Task(NamedTuple):
    number: int
    job: Job
    modes: tuple[Mode, ...]
    repeats: int | None
    control: Control


class ExperimentRunner(QObject):
    """Runs one experiment at a time; a new one replaces the current one. Call `close` before it is deleted."""

    compiling = Signal(int, object)
    """An experiment's number and the Mode whose kernels are being compiled."""
    progress = Signal(int, object)
    """An experiment's number and its Progress."""
    finished = Signal(int, object)
    """An experiment's number and the Experiment; None where it was stopped before it came to one."""
    failed = Signal(int, str)
    """An experiment's number and one sentence."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = _ExperimentThread(self)
        self._number = 0
        self._control = Control()

    @property
    def number(self) -> int:
        """Of the newest experiment: what comes with another is stale."""
        return self._number

    def start(self, job: Job, modes: Sequence[Mode], repeats: int | None = None) -> int:
        """Stop what runs and measure this next. Gives the experiment's number."""
        self._control.stop()
        self._control = Control()
        self._number += 1
        self._thread.tasks.put(_Task(self._number, job, tuple(modes), repeats, self._control))
        if not self._thread.isRunning():
            self._thread.start()
        return self._number

    def cancel(self) -> None:
        """End the experiment after its current slice; `finished` follows."""
        self._control.stop()

    def close(self) -> None:
        """Stop what runs and end the thread."""
        self._control.stop()
        if self._thread.isRunning():
            self._thread.tasks.put(None)
            if not self._thread.wait(STOP_MILLISECONDS):
                log.error("The measurement did not end within %d ms.", STOP_MILLISECONDS)


class _ExperimentThread(QThread):
    def __init__(self, runner: ExperimentRunner) -> None:
        super().__init__(runner)
        self.setObjectName("experiment")
        self.tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._runner = runner

    def run(self) -> None:
        while (task := self.tasks.get()) is not None:
            try:
                self._runner.finished.emit(task.number, self._measure(task))
            except JobError as error:
                self._runner.failed.emit(task.number, str(error))
            except Exception as error:
                log.exception("The measurement failed: %s", task.job)
                self._runner.failed.emit(task.number, f"The measurement failed ({type(error).__name__}): {error}")

    def _measure(self, task: _Task) -> Experiment | None:
        with collected_later():
            from engine.warm import (  # here, because numba takes longer to import than the window
                compile_beside,
                is_warm,
            )
        for mode in task.modes:
            if not task.control.stopped and not is_warm(mode.job(task.job)):
                self._runner.compiling.emit(task.number, mode)
                compile_beside(mode.job(task.job), task.control)
        if task.control.stopped:
            return None
        told = 0.0
        for message in measure(task.job, task.modes, task.control, task.repeats):
            if isinstance(message, Experiment):
                return message
            if time.monotonic() - told >= TELL_SECONDS:
                told = time.monotonic()
                self._runner.progress.emit(task.number, message)
        return None
