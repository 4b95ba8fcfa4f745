"""The program of every MPI rank. Rank 0 also searches, and exchanges lines with the launcher
(`engine.backends.mpi_job.protocol`).

    mpiexec -n 4 python -P -m mpi4py -m engine.backends.mpi_worker               the job, then control, on stdin
    srun -n 64 python -P -m mpi4py -m engine.backends.mpi_worker --job FILE      the job from a file; no control

Rank 0 sends Hello before it imports numba, reads the job, and broadcasts it (Bcast). `engine.backends.mpi_job.rank` is
the search itself. An exception in any rank ends the whole job: mpi4py's runner aborts it.
"""

import argparse
import os
import queue
import signal
import stat
import sys
import threading
import time
from io import FileIO
from pathlib import Path

from mpi4py import MPI

from engine.backends.mpi_job import protocol
from engine.backends.mpi_job.barrier import sleeping_barrier
from engine.job import JobError, job_from_json
from engine.messages import message

MAX_BYTES = 1_000_000
"""Upper limit of a job's text."""
LAST_SECONDS = 1.5
"""Time limit for the ranks to end after the launcher has ended."""

NOTICE_SECONDS = 1.0
"""Time for the launcher to notice another rank's death before this rank ends of its effect, an MPI error: the launcher
names the rank that ended first."""


def main() -> int:
    """Run one rank. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="mpi_worker", description="One MPI rank of a Plyscope search.")
    parser.add_argument("--job", type=Path, metavar="FILE", help="the job as JSON; if left out, stdin gives it")
    file = parser.parse_args().job
    comm, commands = MPI.COMM_WORLD, queue.SimpleQueue[str]()
    if file is not None:
        # A scheduler signals the end of the time to all ranks: only rank 0 responds.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: commands.put("stop"))
    try:
        places = comm.gather((MPI.Get_processor_name(), os.getpid()))
        text = None
        if places is not None:
            hosts, pids = zip(*places, strict=True)
            protocol.write(protocol.encode(protocol.Hello(hosts, pids, _library())))
            text = _read_job(file, commands)
        sleeping_barrier(comm)
        text = comm.bcast(text)
        if text:
            job = job_from_json(text)
            from engine.backends.mpi_job.rank import Rank  # here: importing numba takes longer than all above

            sleeping_barrier(comm)
            Rank(comm, job, commands).search()
    except JobError as error:
        protocol.write(protocol.encode(protocol.Error(comm.rank, str(error))))
        return 2
    except BaseException as error:
        protocol.write(protocol.encode(protocol.Error(comm.rank, f"{type(error).__name__}: {error}")))
        if isinstance(error, MPI.Exception):
            time.sleep(NOTICE_SECONDS)
        raise
    return 0


def _library() -> str:
    """Name and version of the MPI library, such as "MPICH 5.0.2"."""
    name, version = MPI.get_vendor()
    return f"{name} {'.'.join(map(str, version))}"


def _read_job(file: Path | None, commands: "queue.SimpleQueue[str]") -> bytes:
    """The job as JSON, empty if the launcher has ended. Later lines of the launcher go into `commands`."""
    if file is not None:
        return _job_in(file)
    lines = FileIO(sys.stdin.fileno(), closefd=False)
    text = lines.readline()
    threading.Thread(target=_listen, args=(lines, commands), daemon=True).start()
    return text.strip()


def _job_in(file: Path) -> bytes:
    """The bytes of a job file. Raises JobError if it cannot be read."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe may never end
            raise JobError(message("The job cannot be read: {file} is not a regular file.", file=file))
        with file.open("rb") as content:
            text = content.read(MAX_BYTES)
    except OSError as error:
        raise JobError(message("The job cannot be read: {why}.", why=error)) from error
    if not text.strip():
        raise JobError(message("The job cannot be read: {file} is empty.", file=file))
    return text


def _listen(lines: FileIO, commands: "queue.SimpleQueue[str]") -> None:
    """Put the launcher's lines into `commands`. `lines` is unbuffered: the interpreter cannot exit while a thread waits
    inside a buffered reader."""
    for line in lines:
        commands.put(line.decode(errors="replace").strip())
    commands.put("stop")
    time.sleep(LAST_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    code = main()
    if code:
        sys.exit(code)  # mpi4py's runner then aborts the whole job
    MPI.Finalize()
    os._exit(0)  # skips 0.2 s of numba's cleanup
