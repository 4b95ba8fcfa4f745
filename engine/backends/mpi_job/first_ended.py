"""Which rank of a job ended first: the one that a failure is due to.

A launcher ends all other ranks when one has ended. MPICH's may then name one of those, or none, if a line for rank 0
came meanwhile. The other ranks end some milliseconds later, so that whoever waits for the first sees it alone.
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
    """Watches the ranks on this machine, on Linux; those of other hosts, and of other systems, are not seen."""

    def __init__(self, hello: Hello) -> None:
        self.rank: int | None = None
        """The rank that ended first. None before it has, and if several were found to have ended at once."""
        self._watched = [
            (rank, pid)
            for rank, (host, pid) in enumerate(zip(hello.hosts, hello.pids, strict=False))
            if host == platform.node() and hasattr(os, "pidfd_open")
        ]
        self._thread = threading.Thread(target=self._watch, name="mpi first ended", daemon=True)
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait until a rank has ended."""
        self._thread.join(seconds)

    def _watch(self) -> None:
        ended = list[int]()
        ranks = dict[int, int]()
        with ExitStack() as files:
            poll = select.poll()
            for rank, pid in self._watched:
                try:
                    file = os.pidfd_open(pid)
                except ProcessLookupError:
                    ended.append(rank)
                except OSError as error:  # an old kernel, or a container that forbids it
                    log.info("Rank %d cannot be watched: %s", rank, error)
                else:
                    files.callback(os.close, file)
                    poll.register(file, select.POLLIN)
                    ranks[file] = rank
            if ranks and not ended:
                ended += [ranks[file] for file, _ in poll.poll()]
        if len(ended) == 1:
            self.rank = ended[0]
