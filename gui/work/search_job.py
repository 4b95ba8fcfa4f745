"""A Runner's work for a Job: compile its kernels where that is needed, search, and publish what is found."""

from itertools import chain

from engine import backends
from engine.job import Job
from engine.prewarm.background import compile_beside, is_warm
from engine.registry import prepare
from engine.result import Result
from gui.work.load_numba import collected_later, load_compiler
from gui.work.runner import Turn


class Search:
    """Returns the Result of a Job and publishes the newest Info meanwhile; sends True when it starts to compile, False
    afterwards."""

    def __init__(self, ahead: bool = False) -> None:
        """`ahead`: the search is not waited for, so its compilation gives way to other work."""
        self._ahead = ahead
        self._loaded: set[str] = set()

    def __call__(self, turn: Turn) -> Result | None:
        job: Job = turn.task
        if not is_warm(job):
            turn.tell(True)
            compile_beside(job, turn.control, self._ahead)
            if turn.control.stopped:
                return None
            turn.tell(False)
        load_compiler()
        messages, first = backends.run(job, turn.control), []
        kernels = prepare(job).kernels
        if kernels not in self._loaded:
            self._loaded.add(kernels)
            with collected_later():
                first = [next(messages)]
        for message in chain(first, messages):
            if isinstance(message, Result):
                return message
            turn.newest = message
        return None
