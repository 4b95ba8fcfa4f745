"""Runs a job in front of a person: Ctrl+C stops the search and not the program, and a long one says how far it is."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.status import Status

from engine import backends
from engine.control import Control
from engine.job import Job
from engine.result import Info, Result

PATIENCE = 1.0
"""Seconds before there is anything to say."""


def finish(job: Job) -> Result:
    """Run a job to its end, or to Ctrl+C. Raises JobError where it cannot run."""
    control = Control()
    with stopped_by_interrupt(control), patience("compiling") as status:
        for message in backends.run(job, control):
            if isinstance(message, Result):
                return message
            status.update(_so_far(message))
    raise RuntimeError(f"The backend {job.backend} ended without a result.")


@contextmanager
def stopped_by_interrupt(control: Control) -> Iterator[None]:
    """The first Ctrl+C stops the search through `control`, a second one the program. For the main thread only."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        control.stop()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def patience(words: str) -> Iterator[Status]:
    """A line on stderr that shows after a second, if that is a terminal, and is gone at the end."""
    status = Status(words, console=Console(stderr=True, highlight=False))
    timer = threading.Timer(PATIENCE, status.start)
    if sys.stderr.isatty():
        timer.start()
    try:
        yield status
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()
        status.stop()


def _so_far(info: Info) -> str:
    nodes = info.counters.nodes
    rate = f" · {nodes / info.seconds / 1e6:,.1f} M nodes/s" if info.seconds else ""
    tasks = f" · {info.tasks_done} of {info.tasks} tasks" if info.tasks > 1 else ""
    return f"{nodes:,} nodes{rate}{tasks}"
