"""A Runner's work for a Job: compile its kernels where that is needed, search, and publish what is found.

Until its kernels are compiled, a short search runs interpreted: that takes less time than compiling.
"""

from contextlib import nullcontext
from itertools import chain

from msgspec.structs import replace

from engine import backends
from engine.job import Job, JobError
from engine.measure.tree_size import expected_seconds
from engine.prepare import prepare
from engine.prewarm.background import compile_beside, is_warm
from engine.result import Result
from gui.work.garbage import collected_later
from gui.work.kernels import Kernels
from gui.work.load_numba import load_compiler
from gui.work.runner import Request

INTERPRETED_SECONDS, AHEAD_SECONDS = 1.0, 0.0
"""The greatest expected time of a search that runs interpreted; the same of a search that nobody waits for, which would
share the interpreter's lock with the window."""


def as_run(job: Job, ahead: bool = False) -> Job:
    """The job as it runs now: interpreted if it is serial, its kernels are not compiled, and it is short enough.
    `ahead`: nobody waits for it."""
    interpreted = replace(job, backend="interpreted")
    try:
        if job.backend != "serial" or is_warm(job) or prepare(job).needs_true_values:
            return job
    except JobError:
        return job  # running it gives the reason
    return interpreted if expected_seconds(interpreted) <= (AHEAD_SECONDS if ahead else INTERPRETED_SECONDS) else job


class Search:
    """Returns the Result of a Job, its record indexed, and publishes the newest snapshot meanwhile; sends True when it
    starts to compile, False afterwards."""

    def __init__(self, ahead: Kernels | None = None) -> None:
        """`ahead` compiles for a search that is not waited for; None for one that is."""
        self._ahead = ahead

    def __call__(self, request: Request) -> Result | None:
        job = as_run(request.asked, self._ahead is not None)
        if not self._is_ready(job, request):
            return None
        messages = backends.run(job, request.control)
        with collected_later(prepare(job).kernels) if job.backend in backends.LOCAL else nullcontext():
            first = next(messages)
        for message in chain([first], messages):
            if isinstance(message, Result):
                for result in (message, *message.earlier):
                    if result is not None and result.trace is not None:
                        result.trace.prepare()
                return message
            request.newest = message
        return None

    def _is_ready(self, job: Job, request: Request) -> bool:
        """Compile the kernels of a job where that is needed, and load the compiler. Returns false if the search was
        stopped meanwhile."""
        if job.backend == "interpreted":
            return True
        if self._ahead is not None:
            return self._ahead.get_ready(job, request.control)
        if not is_warm(job):
            request.publish(True)
            compile_beside(job, request.control)
            if request.control.stopped:
                return False
            request.publish(False)
        load_compiler()
        return True
