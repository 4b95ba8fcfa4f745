"""Runs a job in a terminal: Ctrl+C, SIGTERM and SIGHUP stop the search instead of the program, and a long search shows
its progress.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from rich.console import Console
from rich.status import Status

from engine import backends
from engine.control import Control
from engine.job import Job
from engine.result import Result, Snapshot
from engine.text.numbers import counted

PATIENCE = 1.0
"""Seconds before progress is shown."""


def finish(job: Job) -> Result:
    """Run a job to its end, or until a signal stops it. Raises JobError if it cannot run."""
    control = Control()
    with stopped_by_signals(control), patience("compiling") as status:
        for message in backends.run(job, control):
            if isinstance(message, Result):
                return message
            status.update(_so_far(message))
    raise RuntimeError(f"The backend {job.backend} ended without a result.")


class EndedBySignal(BaseException):
    """A signal ends the program."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    raise EndedBySignal(number)


ENDING = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _end, signal.SIGHUP: _end}
"""Signals that ask a program to end, with handlers that raise an exception: what is half done is undone."""


def heed_signals() -> None:
    """Have the signals of ENDING raise an exception in this process, unless it ignores them, as under nohup. Only for
    the main thread."""
    for number, handler in ENDING.items():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, handler)


_stopped_by = signal.SIGINT


def exit_code_of_stop() -> int:
    """The exit code for the signal that stopped the last search: 130 after Ctrl+C."""
    return 128 + _stopped_by


@contextmanager
def stopped_by_signals(control: Control) -> Iterator[None]:
    """In this context, the first signal of ENDING stops the search through `control`, at once if it has not begun; a
    second one ends the program. Only for the main thread."""

    def stop(number: int, _frame: FrameType | None) -> None:
        global _stopped_by
        _stopped_by = signal.Signals(number)
        for name in heard:
            signal.signal(name, ENDING[name])
        control.stop_at_once()

    # nohup ignores SIGHUP: keep that.
    heard = [name for name in ENDING if name != signal.SIGHUP or signal.getsignal(name) is not signal.SIG_IGN]
    before = {name: signal.signal(name, stop) for name in heard}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


@contextmanager
def patience(words: str) -> Iterator[Status]:
    """A status line on stderr, if that is a terminal. It appears after PATIENCE seconds and is removed at the end."""
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


def _so_far(info: Snapshot) -> str:
    nodes = info.counters.nodes
    rate = f" · {nodes / info.seconds / 1e6:,.1f} M nodes/s" if info.seconds else ""
    tasks = f" · {info.tasks_done} of {info.tasks} tasks" if info.tasks > 1 else ""
    return f"{counted(nodes, 'node')}{rate}{tasks}"
