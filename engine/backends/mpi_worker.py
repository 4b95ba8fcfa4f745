"""What every MPI rank runs. Rank 0 searches too, and talks with the launcher (`engine.backends.mpi_job.protocol`).

    mpiexec -n 4 python -P -m mpi4py -m engine.backends.mpi_worker               the job, then control, on stdin
    srun -n 64 python -P -m mpi4py -m engine.backends.mpi_worker --job FILE      the job from a file; no control

Rank 0 says who is there before anything heavy is loaded, reads the job, and Bcast gives it to all; the search itself is
`engine.backends.mpi_job.rank`. An exception in any rank ends the whole job: mpi4py's runner sees to that.
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
from engine.job import JobError, job_from_json
from engine.messages import message

MAX_BYTES = 1_000_000
"""A job is shorter."""
LAST_SECONDS = 1.5
"""How long the ranks may take to end once the launcher is gone."""


def main() -> int:
    """Gives the exit code."""
    parser = argparse.ArgumentParser(prog="mpi_worker", description="One MPI rank of a Plyscope search.")
    parser.add_argument("--job", type=Path, metavar="FILE", help="the job as JSON; if left out, stdin gives it")
    file = parser.parse_args().job
    comm, commands = MPI.COMM_WORLD, queue.SimpleQueue[str]()
    if file is not None:
        # A scheduler tells all ranks that their time is over: rank 0 answers for them.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: commands.put("stop"))
    try:
        places = comm.gather((MPI.Get_processor_name(), os.getpid()))
        text = None
        if places is not None:
            hosts, pids = zip(*places, strict=True)
            _say(protocol.Hello(hosts, pids, _library()))
            text = _read_job(file, commands)
        text = comm.bcast(text)
        if text:
            from engine.backends.mpi_job.rank import Rank  # here, because numba takes longer to import than all before

            Rank(comm, job_from_json(text), commands).search()
    except JobError as error:
        _say(protocol.Error(comm.rank, str(error)))
        return 2
    except BaseException as error:
        _say(protocol.Error(comm.rank, f"{type(error).__name__}: {error}"))
        raise
    return 0


def _say(record: protocol.Line) -> None:
    """In one piece, so that the lines of several ranks do not mix."""
    sys.stdout.buffer.write(protocol.encode(record))
    sys.stdout.buffer.flush()


def _library() -> str:
    """Such as "MPICH 5.0.2"."""
    name, version = MPI.get_vendor()
    return f"{name} {'.'.join(map(str, version))}"


def _read_job(file: Path | None, commands: "queue.SimpleQueue[str]") -> bytes:
    """The job as JSON, empty where the launcher is gone; from then on, what it says is put into `commands`."""
    if file is not None:
        return _job_in(file)
    lines = FileIO(sys.stdin.fileno(), closefd=False)
    text = lines.readline()
    threading.Thread(target=_listen, args=(lines, commands), daemon=True).start()
    return text.strip()


def _job_in(file: Path) -> bytes:
    """What a file holds. Raises JobError if there is no job in it."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # of a pipe, the end may never come
            raise JobError(message("The job cannot be read: {file} is not a regular file.", file=file))
        with file.open("rb") as content:
            text = content.read(MAX_BYTES)
    except OSError as error:
        raise JobError(message("The job cannot be read: {why}.", why=error)) from error
    if not text.strip():
        raise JobError(message("The job cannot be read: {file} is empty.", file=file))
    return text


def _listen(lines: FileIO, commands: "queue.SimpleQueue[str]") -> None:
    """Unbuffered: the interpreter cannot end while a thread waits inside a buffer of its."""
    for line in lines:
        commands.put(line.decode(errors="replace").strip())
    commands.put("stop")
    time.sleep(LAST_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    code = main()
    if code:
        sys.exit(code)  # which mpi4py's runner makes an abort of the whole job
    MPI.Finalize()
    os._exit(0)  # numba would take itself apart for 0.2 s
