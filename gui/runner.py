"""The QThread that runs jobs, one at a time, away from the window.

What moves is pulled: a view asks `latest()` by its clock (a signal a node would cost more than the node). What is final
is pushed: `finished` and `failed` arrive as queued signals, with the number of the job that they belong to, so that a
result that comes after its job was replaced can be told apart.
"""

import logging
import queue
from itertools import chain
from typing import NamedTuple

from PySide6.QtCore import QObject, QThread, Signal

from engine.control import FULL_SPEED, Control
from engine.job import Info, Job, JobError, Result
from gui.collector import collected_later

log = logging.getLogger(__name__)

STOP_MILLISECONDS = 2000
"""How long `close` waits; a slice is over in some 10 ms."""


class _Task(NamedTuple):
    number: int
    job: Job
    control: Control


class Runner(QObject):
    """Runs one job at a time; a new one replaces the current one. Call `close` before it is deleted."""

    compiling = Signal(int, bool)
    """A job's kernels are being compiled (True), or are ready (False)."""
    finished = Signal(int, object)
    """A job's number and its Result."""
    failed = Signal(int, str)
    """A job's number and one sentence."""
    cancelled = Signal(int)
    """A job was stopped before it began: there is no Result."""

    def __init__(self, parent: QObject | None = None, ahead: bool = False) -> None:
        """`ahead`: nobody waits for its answers, so where kernels are to be compiled that makes way for other work."""
        super().__init__(parent)
        self._thread = _SearchThread(self, ahead)
        self._number = 0
        self._control = Control()

    @property
    def control(self) -> Control:
        """Steers the newest job."""
        return self._control

    @property
    def number(self) -> int:
        """Of the newest job."""
        return self._number

    def start(self, job: Job, nodes_per_second: float = FULL_SPEED, paused: bool = False) -> int:
        """Stop what runs and run `job` next. Gives the job's number."""
        self._control.stop()
        self._control = Control(nodes_per_second, paused)
        self._number += 1
        self._thread.tasks.put(_Task(self._number, job, self._control))
        if not self._thread.isRunning():
            self._thread.start()
        return self._number

    def latest(self) -> Info | None:
        """The newest Info of the newest job; None before its first."""
        newest = self._thread.newest
        return newest[1] if newest is not None and newest[0] == self._number else None

    def close(self) -> None:
        """Stop what runs and end the thread."""
        self._control.stop()
        self._thread.tasks.put(None)
        if not self._thread.wait(STOP_MILLISECONDS):
            log.error("The search did not end within %d ms.", STOP_MILLISECONDS)


class _SearchThread(QThread):
    """One thread for the life of the window: OpenMP keeps its workers with the thread that called them."""

    def __init__(self, runner: Runner, ahead: bool) -> None:
        super().__init__(runner)
        self._ahead = ahead
        self._loaded: set[tuple[object, ...]] = set()
        self.setObjectName("search")
        self.tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self.newest: tuple[int, Info] | None = None
        self._runner = runner

    def run(self) -> None:
        while (task := self.tasks.get()) is not None:
            if task.control.stopped:
                self._runner.cancelled.emit(task.number)
                continue
            try:
                self._run(task)
            except JobError as error:
                self._runner.failed.emit(task.number, str(error))
            except Exception as error:
                log.exception("The search failed: %s", task.job)
                self._runner.failed.emit(task.number, f"The search failed ({type(error).__name__}): {error}")

    def _run(self, task: _Task) -> None:
        with collected_later():
            from engine import backends  # here, because numba takes longer to import than the window to open
            from engine.warm import compile_beside, is_warm
        if not is_warm(task.job):
            self._runner.compiling.emit(task.number, True)
            compile_beside(task.job, task.control, self._ahead)
            if task.control.stopped:
                self._runner.cancelled.emit(task.number)
                return
            self._runner.compiling.emit(task.number, False)
        messages, first = backends.run(task.job, task.control), []
        kernels = (task.job.game, task.job.algorithm, task.job.backend, bool(task.job.record))
        if kernels not in self._loaded:
            self._loaded.add(kernels)
            with collected_later():
                first = [next(messages)]
        for message in chain(first, messages):
            if isinstance(message, Result):
                self._runner.finished.emit(task.number, message)
            else:
                self.newest = (task.number, message)
