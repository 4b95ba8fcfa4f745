"""Compiles in the background the kernels that the person may need next, one after the other."""

import logging
from queue import LifoQueue

from PySide6.QtCore import QObject, QThread, Signal

from engine import registry
from engine.control import Control
from engine.job import RECORD_ROWS, Job, JobError
from engine.options.catalogue import Limit
from engine.prepare import prepare
from engine.prewarm.background import compile_beside, is_warm
from engine.rules.contract import Game

log = logging.getLogger(__name__)

STOP_MILLISECONDS = 2000


class Prewarm(QThread):
    """Compiles the kernels of a list of jobs, in their order, then of the jobs that are wanted. Call `close` before it
    is deleted."""

    progressed = Signal(int, int)
    """The number of jobs whose kernels are ready, and the number of all jobs."""

    def __init__(self, jobs: list[Job], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("warmer")
        self._waiting: LifoQueue[Job | None] = LifoQueue()
        for job in reversed(jobs):
            self._waiting.put(job)
        self._asked = len(jobs)
        self._control = Control()

    def want(self, job: Job) -> None:
        """Compile the kernels of a job next."""
        self._asked += 1
        self._waiting.put(job)

    def run(self) -> None:
        done = 0
        while (job := self._waiting.get()) is not None:
            try:
                if not is_warm(job):
                    self.progressed.emit(done, self._asked)
                    compile_beside(job, self._control, ahead=done > 0)
            except (JobError, OSError):
                log.exception("A kernel could not be compiled ahead: %s", job)
            done += 1
            if self._waiting.empty():
                self.progressed.emit(done, self._asked)

    def close(self) -> None:
        """Stop, and wait for the thread."""
        self._control.stop()
        self._waiting.put(None)
        self.wait(STOP_MILLISECONDS)


def kernels_of(game: Game) -> list[Job]:
    """Jobs for the kernels of a game that are needed first: kernels that record, then those of the levels, which search
    to a limited depth, then those of hints and measurements. Kernels of expert options are compiled when they are first
    needed."""
    found: dict[str, Job] = {}
    for record, limit in ((RECORD_ROWS, Limit()), (RECORD_ROWS, Limit(depth=1)), (0, Limit())):
        for backend in ("serial", "threads"):  # MPI ranks use the kernels of threads
            for algorithm in dict.fromkeys(registry.suited(name, game) for name in ("minimax", "alphabeta")):
                job = Job(
                    game=game.spec,
                    position=game.notation.format(game.start),
                    algorithm=algorithm,
                    backend=backend,
                    record=record,
                    limit=limit,
                )
                found.setdefault(prepare(job).kernels, job)
    return list(found.values())
