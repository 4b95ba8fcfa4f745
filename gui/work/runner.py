"""The QThread that does a view's work, one request at a time, outside the window's thread.

Progress is polled: a view calls `latest()` on its timer (a signal a node would cost more than the node). The end is
sent: `finished` or `failed` is emitted on the window's thread when no event waits. No signal of a request that was
replaced or dropped is emitted, even if that had ended before.
"""

import logging
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from engine.control import Control
from engine.job import JobError
from engine.priority import lower_priority
from gui.i18n.language import localized, tr
from gui.work.allocator import give_back_freed

log = logging.getLogger(__name__)

STOP_MILLISECONDS = 2000
"""How long `close` waits for the thread; a slice takes some 10 ms."""


@dataclass
class Request:
    """What a view has asked for: its Control, and the progress that the work publishes."""

    number: int
    asked: Any
    control: Control
    publish: Callable[[object], None]
    """Emits `progressed` with an intermediate result. May be called on any thread."""
    newest: Any = None
    """The progress that `latest` returns."""

    def part(self, asked: object) -> "Request":
        """A request for a part of this one's work, under the same control, which publishes nothing."""
        return Request(self.number, asked, self.control, lambda _: None)


Work = Callable[[Request], object]
"""Does what is asked and returns the result; None if it was stopped before it had one."""


class Runner(QObject):
    """Does one request at a time; a new one replaces the current one. The signals are those of the newest request. Call
    `close` before it is deleted."""

    progressed = Signal(object)
    """An intermediate result."""
    finished = Signal(object)
    """The result; None if the request was stopped before it had one."""
    failed = Signal(str)
    """One sentence on the error."""
    _published = Signal(int, object)
    """The number of a request and an intermediate result."""
    _ended = Signal(int, object, str)
    """The number of a request, its result, and the sentence on its error, empty without one."""

    def __init__(self, name: str, work: Work, parent: QObject | None = None, niceness: int = 0) -> None:
        """`name` is the name of the work, for people: "search". A niceness above 0 lowers the priority of its threads,
        where the system has priorities for threads."""
        super().__init__(parent)
        self._thread = _Thread(self, name, work, niceness)
        self._request = self._next(None, Control())
        self._closed = False
        self._end: tuple[object, str] | None = None
        """The result and the sentence of the newest request, until they are told."""
        self._idle = QTimer(self, singleShot=True, interval=0)
        self._idle.timeout.connect(self._tell)
        self._published.connect(self._on_published)
        self._ended.connect(self._on_ended)

    @property
    def control(self) -> Control:
        """The Control of the newest request."""
        return self._request.control

    def start(self, asked: object, control: Control | None = None) -> None:
        """Stop the running request and do what is asked next. After `close` this does nothing: events may still arrive
        then."""
        if self._closed:
            return
        self._replace(asked, control or Control())
        self._thread.requests.put(self._request)
        if not self._thread.isRunning():
            self._thread.start()
            if not self._thread.isRunning():
                self._fail_without_thread()

    def drop(self) -> None:
        """Stop the running request, and emit no more signals for it."""
        self._replace(None, Control())

    @property
    def publish(self) -> Callable[[object], None]:
        """Emits `progressed` for the newest request. May be called on any thread."""
        return self._request.publish

    def latest(self) -> Any:
        """The newest progress of the newest request; None before its first."""
        return self._request.newest

    def close(self) -> None:
        """Stop the running request and end the thread, for good."""
        self._closed = True
        self.drop()
        self._thread.requests.put(None)
        if not self._thread.wait(STOP_MILLISECONDS):
            log.error("The %s did not end within %d ms.", self._thread.objectName(), STOP_MILLISECONDS)
            self._thread.is_left_behind = True
            self._thread.setParent(None)  # Qt ends the process where a thread is deleted with its window
            _LEFT_BEHIND.append(self._thread)

    def _fail_without_thread(self) -> None:
        """Fail the newest request, which no thread takes up: a user may have only so many."""
        self.control.stop()
        sentence = tr("The {work} cannot begin: the system starts no more threads.", work=tr(self._thread.objectName()))
        log.error("%s", sentence)
        self.end(self._request, None, sentence)

    def _on_published(self, number: int, news: object) -> None:
        if number == self._request.number:
            self.progressed.emit(news)

    def _on_ended(self, number: int, result: object, why: str) -> None:
        """Tell of it when no event waits: the window may just have begun the request, and is not painted yet."""
        if number == self._request.number:
            self._end = result, why
            self._idle.start()

    def _tell(self) -> None:
        if self._end is None:
            return
        (result, why), self._end = self._end, None
        if why:
            self.failed.emit(why)
        else:
            self.finished.emit(result)

    def end(self, request: Request, result: object, why: str) -> None:
        """Tell how a request ended, on the window's thread. For the runner's own thread."""
        self._ended.emit(request.number, result, why)

    def _replace(self, asked: object, control: Control) -> None:
        """Stop the newest request; there is another one."""
        self.control.stop()
        self._idle.stop()
        self._end = None  # it may be large
        self._request = self._next(asked, control, self._request.number + 1)

    def _next(self, asked: object, control: Control, number: int = 0) -> Request:
        return Request(number, asked, control, partial(self._published.emit, number))


_LEFT_BEHIND: list[QThread] = []
"""Threads that did not end in time: a running compilation cannot be interrupted."""


def left_behind() -> list[str]:
    """The names of the work whose threads still run after `close`."""
    return [thread.objectName() for thread in _LEFT_BEHIND if thread.isRunning()]


def wait_for_left_behind() -> None:
    """Wait until no such thread runs: Qt aborts a process that ends before."""
    for thread in _LEFT_BEHIND:
        thread.wait()


class _Thread(QThread):
    """One thread for the lifetime of the window: OpenMP binds its workers to the thread that called them."""

    def __init__(self, runner: Runner, name: str, work: Work, niceness: int) -> None:
        super().__init__(runner)
        self._niceness = niceness
        self.is_left_behind = False
        """Whether its Runner is gone: there is nobody to tell."""
        self.setObjectName(name)
        self.requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._runner = runner
        self._work = work

    def run(self) -> None:
        if self._niceness and sys.platform == "linux":
            lower_priority(threading.get_native_id(), self._niceness)
        while (request := self.requests.get()) is not None:
            self._do(request)
            if self.requests.empty():
                give_back_freed()

    def _do(self, request: Request) -> None:
        """Do a request and tell how it ended."""
        made, why = None, ""
        try:
            made = None if request.control.stopped else self._work(request)
        except JobError as error:
            log.info("The %s was refused: %s", self.objectName(), error)
            why = localized(error)
        except Exception as error:
            log.exception("The %s failed: %s", self.objectName(), request.asked)
            why = failure(self.objectName(), error)
        if not self.is_left_behind:
            self._runner.end(request, made, why)


def failure(work: str, error: Exception) -> str:
    """One sentence: the work of this name, for people, ended with an error that nobody expected."""
    return tr("The {work} failed ({kind}): {why}", work=tr(work), kind=type(error).__name__, why=error)
