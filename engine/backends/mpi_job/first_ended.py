"""Which rank of a job ended first: the one that a failure is due to.

A launcher ends all other ranks when one has ended. MPICH's may then name one of those, or none, if a line for rank 0
came meanwhile.
"""

import logging
import os
import platform
import select
import threading
from contextlib import ExitStack

from engine.backends.mpi_job.protocol import Hello

log = logging.getLogger(__name__)


class FirstEnded:
    """Watches the ranks on this machine, on Linux; those of other hosts, and of other systems, are not seen.

    The kernel keeps the ends in their order, so that the first is known however late this program asks. A process
    closes its connections shortly before its end: where all cores are busy, the launcher may have ended another rank in
    between.
    """

    def __init__(self, hello: Hello) -> None:
        self._rank: int | None = None
        self._ranks = dict[int, int]()  # by the file that tells of the rank's end
        self._asking = threading.Lock()
        self._files = ExitStack()
        try:
            if hasattr(os, "pidfd_open"):
                self._watch(hello)
        except (OSError, OverflowError) as error:  # an old kernel, a container that forbids it, no process number
            log.info("The ranks are not watched: %s", error)
            self._end()

    @property
    def rank(self) -> int | None:
        """The rank that ended first. None before it has, and if several had ended before they were watched."""
        with self._asking:
            if self._rank is None and self._ranks:
                for file, _ in self._ends.poll(0, 1):
                    self._rank = self._ranks[file]
            return self._rank

    def close(self) -> None:
        """End the watch. The rank that has ended first by now stays known."""
        _ = self.rank
        with self._asking:
            self._end()

    def _end(self) -> None:
        self._ranks.clear()
        self._files.close()

    def _watch(self, hello: Hello) -> None:
        self._ends = self._files.enter_context(select.epoll())
        gone = list[int]()
        for rank, (host, pid) in enumerate(zip(hello.hosts, hello.pids, strict=False)):
            if host == platform.node():
                try:
                    file = os.pidfd_open(pid)
                except ProcessLookupError:
                    gone.append(rank)
                else:
                    self._files.callback(os.close, file)
                    self._ends.register(file, select.EPOLLIN)
                    self._ranks[file] = rank
        gone += [self._ranks[file] for file, _ in self._ends.poll(0)]
        if gone:
            self._rank = gone[0] if len(gone) == 1 else None  # the order of several is not known
            self._end()
