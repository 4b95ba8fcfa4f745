"""The kernels of a game that the pictures of its tree need, compiled once in another process.

A picture that is asked for anew, for another search of the same game, waits for the compilation that the one before has
begun. Else each search would begin it again, and none would end it while a person goes on faster than that.
"""

from threading import Lock, Thread

from engine.control import Control
from engine.job import Job
from engine.prewarm.background import POLL_SECONDS, compile_or_log, is_warm
from engine.rules.contract import Game
from gui.work.load_numba import load_compiler
from gui.work.prewarm import kernels_of

STOP_SECONDS = 2


class GameKernels:
    """Compiles the kernels of one game at a time; those of another game replace them. Call `close` at the end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._job: Job | None = None
        self._control = Control()
        self._thread = Thread()

    def get_ready(self, game: Game, control: Control) -> bool:
        """Compile the kernels of a game that record, among them those that follow a record, and load the compiler.
        Returns false if `control` was stopped meanwhile. Not for the window's thread."""
        job = kernels_of(game)[0]
        if not is_warm(job):
            compiling = self._begin(job)
            while compiling.is_alive() and not control.stopped:
                compiling.join(POLL_SECONDS)
        if control.stopped:
            return False
        load_compiler()
        return True

    def close(self) -> None:
        """Stop compiling. Nobody may ask any more."""
        with self._lock:
            self._control.stop()
            self._job = None
        if self._thread.ident is not None:
            self._thread.join(STOP_SECONDS)

    def _begin(self, job: Job) -> Thread:
        """The thread that compiles the kernels of a job, begun unless it runs."""
        with self._lock:
            if self._job != job or not self._thread.is_alive():
                self._control.stop()
                self._job, self._control = job, Control()
                self._thread = Thread(
                    target=compile_or_log, args=(job, self._control, True), name="kernels of the tree"
                )
                self._thread.start()
            return self._thread
