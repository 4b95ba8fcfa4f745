"""The kernels that searches and pictures in the background need, compiled in another process, one job at a time.

A compilation goes on when whoever asked for it stops waiting: the next search, or the next picture of a tree, needs the
same kernels. Else each would begin it again, and none would end it while a person goes on faster than that.
"""

import time
from collections import Counter
from threading import Lock, Thread

from engine.control import Control
from engine.job import Job
from engine.prepare import prepare
from engine.prewarm.background import POLL_SECONDS, compile_or_log, is_warm
from engine.rules.contract import Game
from gui.work.load_numba import load_compiler
from gui.work.prewarm import kernels_of

STOP_SECONDS = 2


class Kernels:
    """Compiles the kernels of one job at a time; those of another job replace them when nobody waits for them any more.
    Call `close` at the end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting = Counter[str]()
        """The number of those that wait for the kernels of a job, by `Prepared.kernels`."""
        self._compiled = ""
        """The kernels that `_thread` compiles or has compiled."""
        self._control = Control()
        self._thread = Thread()
        self._is_closed = False

    def get_ready(self, job: Job, control: Control) -> bool:
        """Compile the kernels of a job, and load the compiler. Returns false if `control` was stopped meanwhile, or
        `close` was called. Where they could not be compiled, the search compiles them again and reports the error. Not
        for the window's thread."""
        if not is_warm(job):
            kernels = prepare(job).kernels
            self._count(kernels, 1)
            try:
                self._wait(job, kernels, control)
            finally:
                self._count(kernels, -1)
        if control.stopped or self._is_closed:
            return False
        load_compiler()
        return True

    def get_tree_ready(self, game: Game, control: Control) -> bool:
        """The same of the kernels that pictures of a game's tree need: those that record, and those that follow a
        record."""
        return self.get_ready(kernels_of(game)[0], control)

    def close(self) -> None:
        """Stop compiling."""
        with self._lock:
            self._is_closed = True
            self._control.stop()
        if self._thread.ident is not None:
            self._thread.join(STOP_SECONDS)

    def _count(self, kernels: str, more: int) -> None:
        with self._lock:
            self._waiting[kernels] += more

    def _wait(self, job: Job, kernels: str, control: Control) -> None:
        while not (control.stopped or self._is_closed):
            compiling = self._begin(job, kernels)
            if compiling is None:
                time.sleep(POLL_SECONDS)
                continue
            compiling.join(POLL_SECONDS)
            if not compiling.is_alive():
                return

    def _begin(self, job: Job, kernels: str) -> Thread | None:
        """The thread that compiles these kernels, begun unless it was; None while others are compiled that somebody
        waits for, and after `close`."""
        with self._lock:
            if self._is_closed:
                return None
            if self._compiled != kernels:
                if self._thread.is_alive() and self._waiting[self._compiled]:
                    return None
                self._control.stop()
                control = Control()
                thread = Thread(target=compile_or_log, args=(job, control, True), name="kernels")
                thread.start()
                self._compiled, self._control, self._thread = kernels, control, thread
            return self._thread
