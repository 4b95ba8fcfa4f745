"""A Runner's work for a Job: compile its kernels where that is needed, search, and publish what is found.

Until its kernels are compiled, a short search runs interpreted: that takes less time than compiling.
"""

from itertools import chain

from msgspec.structs import replace

from engine import backends
from engine.job import Job, JobError
from engine.measure.tree_size import expected_seconds
from engine.prepare import prepare
from engine.prewarm.background import compile_beside, is_warm
from engine.result import Result
from gui.work.garbage import collected_later
from gui.work.load_numba import load_compiler
from gui.work.runner import Request

INTERPRETED_SECONDS = 1.0
"""The greatest expected time of a search that runs interpreted."""


def as_run(job: Job) -> Job:
    """The job as it runs now: interpreted if it is serial, its kernels are not compiled, and it is short enough."""
    interpreted = replace(job, backend="interpreted")
    try:
        if job.backend != "serial" or is_warm(job) or prepare(job).needs_true_values:
            return job
    except JobError:
        return job  # running it gives the reason
    return interpreted if expected_seconds(interpreted) <= INTERPRETED_SECONDS else job


class Search:
    """Returns the Result of a Job, its record indexed, and publishes the newest snapshot meanwhile; sends True when it
    starts to compile, False afterwards."""

    def __init__(self, ahead: bool = False) -> None:
        """`ahead`: the search is not waited for, so it is compiled first, and gives way to other work."""
        self._ahead = ahead

    def __call__(self, request: Request) -> Result | None:
        job: Job = request.asked if self._ahead else as_run(request.asked)
        if not is_warm(job):
            request.publish(True)
            compile_beside(job, request.control, self._ahead)
            if request.control.stopped:
                return None
            request.publish(False)
        if job.backend != "interpreted":
            load_compiler()
        messages = backends.run(job, request.control)
        with collected_later(prepare(job).kernels):
            first = next(messages)
        for message in chain([first], messages):
            if isinstance(message, Result):
                for result in (message, *message.earlier):
                    if result is not None and result.trace is not None:
                        result.trace.prepare()
                return message
            request.newest = message
        return None
